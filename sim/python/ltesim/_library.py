"""The library ltesim by ctypes: its plans as structs, its failures as exceptions.

What each function takes and gives is said in the headers <ltesim/inversion.h>,
<ltesim/detection.h> and <ltesim/decoding.h>.
"""

import contextlib
import ctypes
import os
import threading
from pathlib import Path

FILES = Path(__file__).resolve().parent / "files"
_lib = ctypes.CDLL(str(FILES / "lib" / "libltesim.so"))


_int, _float, _text, _pointer = ctypes.c_int, ctypes.c_float, ctypes.c_char_p, ctypes.c_void_p


def _plan(name, **fields):
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


InversionPlan = _plan(
    "InversionPlan", n=_int, precision=_int, inverter=_text, backend=_text, n_threads=_int
)
DetectionPlan = _plan(
    "DetectionPlan", n_sc=_int, n_rx=_int, n_tx=_int, n_bits=_int, n_slots=_int, n_threads=_int,
    detector=_text, inverter=_text, backend=_text, demapper=_text, llr_scale=_float,
)  # fmt: skip
DecodingPlan = _plan(
    "DecodingPlan", k=_int, iterations=_int, stop=_int, n_threads=_int, backend=_text
)

# Every failure is announced in the thread that asked, just before its status comes back.
_said = threading.local()
_handler_type = ctypes.CFUNCTYPE(None, _int, _text, _int, _text)


@_handler_type
def _keep(_status, _file, _line, text):
    _said.text = text.decode(errors="replace")


_lib.lte_fail_handler_set.argtypes = [_handler_type]
_lib.lte_fail_handler_set.restype = _pointer
_lib.lte_fail_handler_set(_keep)
_lib.lte_version.restype = _text
__version__ = _lib.lte_version().decode()

_EXCEPTIONS = {1: ValueError, 2: MemoryError, 3: OSError, 4: RuntimeError}  # by lte_status


def _checked(status, _function, _arguments):
    if status:
        raise _EXCEPTIONS[status](getattr(_said, "text", "failed"))
    return status


def _declare(name, *arguments, gives=_int):
    """A function of the library; an int that it gives is a status."""
    function = getattr(_lib, name)
    function.argtypes, function.restype = arguments, gives
    if gives is _int:
        function.errcheck = _checked
    return function


_verbs = {
    plan: (
        _declare(f"lte_{name}_create", ctypes.POINTER(plan), ctypes.POINTER(_pointer)),
        _declare(f"lte_{name}_free", _pointer, gives=None),
    )
    for name, plan in (
        ("inversion", InversionPlan), ("detection", DetectionPlan), ("decoding", DecodingPlan)
    )  # fmt: skip
}
_inversion_run = _declare("lte_inversion_run", _pointer, _int, _pointer, _pointer, _pointer)
_slots = (_pointer, _int, _float, _pointer, _pointer, _pointer)
_detection_run = _declare("lte_detection_run", *_slots)
_detection_run_llr = _declare("lte_detection_run_llr", *_slots)
_detection_flags = _declare("lte_detection_flags", _pointer, _int, _pointer)
_detection_row = _declare("lte_detection_row", _pointer, gives=ctypes.c_size_t)
_decoding_run = _declare("lte_decoding_run", _pointer, _int, _pointer, _pointer, _pointer)
encode_block = _declare("lte_turbo_encode_block", _int, _pointer, _pointer)
rate_match = _declare("lte_rate_match", _int, _int, _int, _int, _pointer)
_modulation_bits = _declare("lte_modulation_bits", _text, ctypes.POINTER(_int))


@contextlib.contextmanager
def _made(plan):
    """What a plan describes, which goes at the end."""
    create, free = _verbs[type(plan)]
    made = _pointer()
    create(plan, made)
    try:
        yield made
    finally:
        free(made)


def modulation_bits(name):
    """The bits of a QAM symbol of a modulation; ValueError for an unknown one."""
    bits = _int()
    _modulation_bits(name.encode(), ctypes.byref(bits))
    return bits.value


# A fork copies one thread, and not those that the library has made: to wait for them takes forever.
class _Process:
    has_computed = False  # in this process, or in one that it was forked from
    is_forked = False  # from one that has computed


def _after_fork():
    _Process.is_forked = _Process.has_computed


os.register_at_fork(after_in_child=_after_fork)


def begin(threads, backend):
    """To be called before the library computes; RuntimeError where it would hang after a fork."""
    own_thread = threads == 1 and str(backend or "cpu").startswith("cpu")
    if _Process.is_forked and not own_thread:
        raise RuntimeError(
            "this process was forked from one that has used ltesim, and lacks the threads of it: "
            'begin processes by "spawn" or "forkserver", or compute with threads=1 on the processor'
        )
    _Process.has_computed = True


def invert(plan, n_matrices, a, x, flag):
    """lte_inversion_run once; a, x and flag are addresses."""
    with _made(plan) as inversion:
        _inversion_run(inversion, n_matrices, a, x, flag)


def detect(plan, n_slots, n0, h, y, make_rows, flags=None):
    """lte_detection_run of some of a plan's slots, lte_detection_run_llr of one with a demapper;
    make_rows(bytes of a row of bits) gives the array of what comes out. flags: None, or the address
    that those of lte_detection_flags go to."""
    work = _detection_run_llr if plan.demapper else _detection_run
    with _made(plan) as detection:
        rows = make_rows(_detection_row(detection))
        if n_slots > 0:
            work(detection, n_slots, n0, h, y, rows.ctypes.data)
        if n_slots > 0 and flags is not None:
            _detection_flags(detection, n_slots, flags)
    return rows


def decode(plan, n_blocks, llr, bits, iterations):
    """lte_decoding_run once; llr, bits and iterations are addresses."""
    with _made(plan) as decoding:
        _decoding_run(decoding, n_blocks, llr, bits, iterations)
