"""The library ltesim by ctypes: its plans as structs, its failures as exceptions.

What each function takes and gives is said in the headers <ltesim/inversion.h>,
<ltesim/detection.h> and <ltesim/decoding.h>.
"""

import ctypes
import os
import threading
from pathlib import Path

FILES = Path(__file__).resolve().parent / "files"
_lib = ctypes.CDLL(str(FILES / "lib" / "libltesim.so"))


class InversionPlan(ctypes.Structure):
    _fields_ = [
        ("n", ctypes.c_int),
        ("precision", ctypes.c_int),
        ("inverter", ctypes.c_char_p),
        ("backend", ctypes.c_char_p),
        ("n_threads", ctypes.c_int),
    ]


class DetectionPlan(ctypes.Structure):
    _fields_ = [
        ("n_sc", ctypes.c_int),
        ("n_rx", ctypes.c_int),
        ("n_tx", ctypes.c_int),
        ("n_bits", ctypes.c_int),
        ("n_slots", ctypes.c_int),
        ("n_threads", ctypes.c_int),
        ("detector", ctypes.c_char_p),
        ("inverter", ctypes.c_char_p),
        ("backend", ctypes.c_char_p),
        ("demapper", ctypes.c_char_p),
        ("llr_scale", ctypes.c_float),
    ]


class DecodingPlan(ctypes.Structure):
    _fields_ = [
        ("k", ctypes.c_int),
        ("iterations", ctypes.c_int),
        ("stop", ctypes.c_int),
        ("n_threads", ctypes.c_int),
        ("backend", ctypes.c_char_p),
    ]


# Every failure is announced in the thread that asked, just before its status comes back.
_said = threading.local()
_handler_type = ctypes.CFUNCTYPE(
    None, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p
)


@_handler_type
def _keep(_status, _file, _line, text):
    _said.text = text.decode(errors="replace")


_lib.lte_fail_handler_set.argtypes = [_handler_type]
_lib.lte_fail_handler_set.restype = ctypes.c_void_p
_lib.lte_fail_handler_set(_keep)
_lib.lte_version.restype = ctypes.c_char_p
__version__ = _lib.lte_version().decode()

_EXCEPTIONS = {1: ValueError, 2: MemoryError, 3: OSError, 4: RuntimeError}  # by lte_status


def _checked(status, _function, _arguments):
    if status:
        raise _EXCEPTIONS[status](getattr(_said, "text", "failed"))
    return status


def _declare(name, *arguments):
    function = getattr(_lib, name)
    function.argtypes = arguments
    function.restype = ctypes.c_int
    function.errcheck = _checked
    return function


_object = ctypes.c_void_p
_inversion_create = _declare(
    "lte_inversion_create", ctypes.POINTER(InversionPlan), ctypes.POINTER(_object)
)
_inversion_run = _declare(
    "lte_inversion_run", _object, ctypes.c_int, _object, _object, _object
)
_lib.lte_inversion_free.argtypes = [_object]
_lib.lte_inversion_free.restype = None
_detection_create = _declare(
    "lte_detection_create", ctypes.POINTER(DetectionPlan), ctypes.POINTER(_object)
)
_detection_run = _declare(
    "lte_detection_run", _object, ctypes.c_int, ctypes.c_float, _object, _object, _object
)
_detection_run_llr = _declare(
    "lte_detection_run_llr", _object, ctypes.c_int, ctypes.c_float, _object, _object, _object
)
_lib.lte_detection_row.argtypes = [_object]
_lib.lte_detection_row.restype = ctypes.c_size_t
_lib.lte_detection_free.argtypes = [_object]
_lib.lte_detection_free.restype = None
_decoding_create = _declare(
    "lte_decoding_create", ctypes.POINTER(DecodingPlan), ctypes.POINTER(_object)
)
_decoding_run = _declare("lte_decoding_run", _object, ctypes.c_int, _object, _object, _object)
_lib.lte_decoding_free.argtypes = [_object]
_lib.lte_decoding_free.restype = None
encode_block = _declare("lte_turbo_encode_block", ctypes.c_int, _object, _object)
rate_match = _declare(
    "lte_rate_match", ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int, _object
)
_modulation_bits = _declare(
    "lte_modulation_bits", ctypes.c_char_p, ctypes.POINTER(ctypes.c_int)
)


def modulation_bits(name):
    """The bits of a QAM symbol of a modulation; ValueError for an unknown one."""
    bits = ctypes.c_int()
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
    inversion = _object()
    _inversion_create(plan, inversion)
    try:
        _inversion_run(inversion, n_matrices, a, x, flag)
    finally:
        _lib.lte_inversion_free(inversion)


def detect(plan, n_slots, n0, h, y, make_rows):
    """lte_detection_run of some of a plan's slots, lte_detection_run_llr of one with a demapper;
    make_rows(bytes of a row of bits) gives the array of what comes out."""
    detection = _object()
    _detection_create(plan, detection)
    work = _detection_run_llr if plan.demapper else _detection_run
    try:
        rows = make_rows(_lib.lte_detection_row(detection))
        if n_slots > 0:
            work(detection, n_slots, n0, h, y, rows.ctypes.data)
    finally:
        _lib.lte_detection_free(detection)
    return rows


def decode(plan, n_blocks, llr, bits, iterations):
    """lte_decoding_run once; llr, bits and iterations are addresses."""
    decoding = _object()
    _decoding_create(plan, decoding)
    try:
        _decoding_run(decoding, n_blocks, llr, bits, iterations)
    finally:
        _lib.lte_decoding_free(decoding)
