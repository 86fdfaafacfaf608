"""invert and detect over arrays: what they take is looked at here, before any address goes out."""

import math
import operator
import sys
import warnings

import numpy as np

from ltesim import _library
from ltesim._dlpack import on_device

_PRECISIONS = {np.dtype(np.complex64): 0, np.dtype(np.complex128): 1}


def _fits(array):
    """True if the library can work on an array where it lies."""
    return (
        array.flags.c_contiguous
        and array.dtype.isnative
        and array.ctypes.data % array.dtype.itemsize == 0
    )


def _aligned(shape, dtype):
    """A new array that begins on a boundary of its elements, which numpy does not promise."""
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    raw = np.empty(size + dtype.itemsize, np.uint8)
    skip = -raw.ctypes.data % dtype.itemsize
    return raw[skip : skip + size].view(dtype).reshape(shape)


def _complex(name, value, dtype=None):
    """value as a complex array that fits, itself where it does; dtype: None keeps the precision."""
    if np.ma.is_masked(value):
        raise ValueError(f"{name} has masked elements: give them a value first, as by .filled(0)")
    array = np.asarray(value)
    if array.dtype.kind not in "fciu":
        raise TypeError(f"{name} has elements of type {array.dtype}: must be numbers")
    if dtype is None:
        single = array.dtype.newbyteorder("=") in (np.complex64, np.float32)
        dtype = np.complex64 if single else np.complex128
    if array.dtype == dtype and _fits(array):
        return array
    copy = _aligned(array.shape, dtype)
    copy[...] = array
    return copy


def _square(name, shape):
    if len(shape) < 2 or shape[-1] != shape[-2] or shape[-1] == 0:
        raise ValueError(f"{name} has shape {tuple(shape)}: must be (..., n, n)")


def _check_out(out, like):
    if not isinstance(out, np.ndarray) or np.ma.isMaskedArray(out):
        raise TypeError(f"out is a {type(out).__name__}: must be a numpy array, as the input is")
    if out.shape != like.shape or out.dtype != like.dtype:
        raise ValueError(
            f"out is {out.dtype} of shape {out.shape}: must be {like.dtype} of shape {like.shape}"
        )
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    if not _fits(out):
        raise ValueError("out must be C-contiguous, native and aligned to its elements")


def _text(name, value):
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is a {type(value).__name__}: must be a string or None")
    if value is not None and "\0" in value:
        raise ValueError(f"{name}={value!r}: has a zero byte")
    return None if value is None else value.encode()


def _int(name, value):
    """A number as it fits an int of C."""
    value = operator.index(value)
    if not 0 <= value < 2**31:
        raise ValueError(f"{name}={value}: must be 0 to 2147483647")
    return value


def _new_there(value):
    """An array like value, on its device, by the package that value is of."""
    package = sys.modules.get(type(value).__module__.partition(".")[0])
    if not hasattr(package, "empty_like"):
        raise TypeError(f"cannot create an array like a {type(value).__name__}: give out=")
    return package.empty_like(value)


def _brought_there(array, like):
    """A copy of a host array on the device of like, by the package that like is of."""
    package = sys.modules[type(like).__module__.partition(".")[0]]
    if package.__name__ == "torch":
        return package.as_tensor(array, device=like.device)
    with like.device:
        return package.asarray(array)


def _backend_there(backend, device):
    """The backend for arrays on a device: that one."""
    if backend not in (None, "auto", "cuda", f"cuda:{device}"):
        raise ValueError(f"backend {backend!r}: must be cuda:{device}, where the arrays are")
    return f"cuda:{device}"


def _both_there(h, y):
    """h and y as they lie on one device, looked at."""
    if h is None or y is None or h.device != y.device:
        raise TypeError("h and y must both be on one device or both in host memory")
    if h.precision or y.precision:
        raise TypeError("h and y on a device must be complex64")
    return h, y


def invert(a, *, inverter=None, backend=None, threads=0, out=None, flags=False):
    """Inverses of matrices a [..., n, n], with the bits of the C library.

    a         complex64, or complex128 for inverters of any order; others are converted. An array on
              a CUDA device (torch, cupy, any with __dlpack__) is inverted there. Elements may have
              any finite size: rows and columns are multiplied by powers of two where it must be so
    inverter  a name of `ltesim --list`; None: gauss-jordan, or lu-delayed where that does not take
              the order or type. ldl and cholesky-delayed read the lower triangle alone, of a
              Hermitian positive definite matrix
    backend   "cpu", "cpu:ref", "cuda", "auto", ...; None: "cpu", or where a is
    threads   of the processor, 0: all
    out       where the inverses go: of a's shape and type (complex64, complex128), contiguous; may be a
    flags     also return an array of bool [...]: where there is no finite inverse in the type, or the
              matrix is singular to working precision far from 1, and x is zero. Without it a
              warning says how many there are
    """
    there = on_device(a)
    if there is None:
        a = _complex("a", a)
        _square("a", a.shape)
        shape, precision, address = a.shape, _PRECISIONS[a.dtype], a.ctypes.data
        x = _aligned(a.shape, a.dtype) if out is None else out
        _check_out(x, a)
        x_address = x.ctypes.data
    else:
        _square("a", there.shape)
        x = _new_there(a) if out is None else out
        x_there = on_device(x)
        if x_there is None or x_there.kind != there.kind:
            raise ValueError("out must have the shape and type of a and be on the same device")
        shape, precision, address = there.shape, there.precision, there.address
        x_address, backend = x_there.address, _backend_there(backend, there.device)
    count = _int("matrices", math.prod(shape[:-2]))
    flag = np.zeros(shape[:-2], np.uint8)
    _library.begin(threads, backend)
    plan = _library.InversionPlan(
        _int("n", shape[-1]), precision, _text("inverter", inverter), _text("backend", backend),
        _int("threads", threads),
    )  # fmt: skip
    if count > 0:
        _library.invert(plan, count, address, x_address, flag.ctypes.data)
    if flags:
        return x, flag.astype(bool)
    if flag.any():
        warnings.warn(
            f"{int(flag.sum())} of {count} matrices have no finite inverse; theirs are set to zero",
            RuntimeWarning,
            stacklevel=2,
        )
    return x


def detect(h, y, n0, modulation, *, detector=None, inverter=None, backend=None, threads=0,
           output="bits", demapper="exact", scale=8.0, flags=False):  # fmt: skip
    """Decided bits [..., 7, sc, tx, bits of a symbol] of slots, or LLRs, with those of the C library.

    y = H x + n for each resource element, E|x_k|^2 = 1, QAM as TS 36.211 maps it.

    h           [..., sc, rx, tx]    channel, one H a slot
    y           [..., 7, sc, rx]     received symbols; both complex64, others are converted. Both may be
                on a CUDA device (torch, cupy), and then the bits come back there
    n0          noise variance per receive antenna, linear, > 0
    modulation  "qpsk", "16qam", "64qam", "256qam" or "1024qam"
    detector    a name of `ltesim --list`, or "cg-4" with its parameter; None: "mmse"
    inverter    likewise; None: the first that takes the number of layers
    backend     "cpu", "cpu:ref", "cuda", "auto", ...; None: "cpu", or where h and y are
    output      "bits", or "llr": int8, ln P(b = 0) / P(b = 1) times scale, rounded, -127 to 127
    demapper    of LLRs: "exact" or "max-log"
    scale       of LLRs, 1 to 64
    flags       also return an array of uint8 [..., sc] in host memory, for each H the sum of: 1, the
                detector has no finite state of it, and its symbols are decided as zeros; 2, a layer is
                silent: its column is 0 after a division of H by 2^floor(log2 m), m the largest finite
                part of an element (1 where m is 0); 4, an element is not finite. Without it there is
                no warning, since nothing looks for them

    Raises ValueError for shapes that do not fit, names that there are not and n0 that is not positive
    and finite.
    """
    if output not in ("bits", "llr"):
        raise ValueError(f"output {output!r}: must be 'bits' or 'llr'")
    like, h_there, y_there = h, on_device(h), on_device(y)
    if h_there is None and y_there is None:
        h, y = _complex("h", h, np.complex64), _complex("y", y, np.complex64)
        h_address, y_address = h.ctypes.data, y.ctypes.data
    else:
        h, y, h_address, y_address = *_both_there(h_there, y_there), h_there.address, y_there.address
        backend = _backend_there(backend, h_there.device)
    n_bits = _library.modulation_bits(str(modulation))
    if len(h.shape) < 3 or 0 in h.shape[-3:]:
        raise ValueError(f"h has shape {h.shape}: must be (..., sc, rx, tx)")
    *slots, n_sc, n_rx, n_tx = h.shape
    if y.shape != (*slots, 7, n_sc, n_rx):
        raise ValueError(f"y has shape {y.shape}: must be {(*slots, 7, n_sc, n_rx)}, to fit h")
    _library.begin(threads, backend)
    plan = _library.DetectionPlan(
        _int("sc", n_sc), _int("rx", n_rx), _int("tx", n_tx), n_bits,
        _int("slots", max(math.prod(slots), 1)), _int("threads", threads), _text("detector", detector),
        _text("inverter", inverter), _text("backend", backend),
        _text("demapper", demapper) if output == "llr" else None, float(scale),
    )  # fmt: skip
    soft = (*slots, 7, n_sc, n_tx, n_bits)
    flag = np.zeros((*slots, n_sc), np.uint8) if flags else None
    rows = _library.detect(
        plan, math.prod(slots), float(n0), h_address, y_address,
        lambda row: np.empty(soft, np.int8) if output == "llr" else np.empty((*slots, 7, row), np.uint8),
        flag.ctypes.data if flags else None,
    )  # fmt: skip
    if output == "bits":
        rows = np.unpackbits(rows, axis=-1, count=n_sc * n_tx * n_bits, bitorder="little").reshape(soft)
    result = rows if h_there is None else _brought_there(rows, like)
    return (result, flag) if flags else result
