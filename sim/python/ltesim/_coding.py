"""The turbo code over arrays: code blocks encoded, rate matched and decoded."""

import math

import numpy as np

from ltesim import _library
from ltesim._arrays import _int, _text

_STOPS = {None: 0, "crc24a": 1, "crc24b": 2}


def _bytes(name, value, dtype, low, high):
    """value as a contiguous array of bytes from low to high, itself where it is one."""
    if np.ma.is_masked(value):
        raise ValueError(f"{name} has masked elements: give them a value first, as by .filled(0)")
    array = np.asarray(value)
    if array.dtype.kind not in "biu":
        raise TypeError(f"{name} has elements of type {array.dtype}: must be integers")
    if array.size and not (low <= array.min() and array.max() <= high):
        raise ValueError(f"{name} has elements beyond {low} to {high}")
    return np.ascontiguousarray(array, dtype)


def encode(bits):
    """Streams [..., 3, k + 4] of code blocks bits [..., k]: bits, parity and parity, the tail behind
    them (TS 36.212, 5.1.3). k is one of the 188 sizes from 40 to 6144."""
    bits = _bytes("bits", bits, np.uint8, 0, 1)
    if bits.ndim < 1:
        raise ValueError("bits has no dimension: must be (..., k)")
    k = bits.shape[-1]
    d = np.empty((*bits.shape[:-1], 3, k + 4), np.uint8)
    for block in np.ndindex(bits.shape[:-1]):
        _library.encode_block(_int("k", k), bits[block].ctypes.data, d[block].ctypes.data)
    return d


def rate_match(k, n, *, version=0, filler=0):
    """Places [n] in the streams, as one row of 3 (k + 4), of the elements that are sent of a block.

    What is sent is d.reshape(-1)[order]; back again np.add.at(soft, order, llr).

    version  redundancy version, 0 to 3
    filler   bits at the head of the block that are not sent
    """
    n = _int("n", n)
    order = np.empty(n, np.uint32)
    _library.rate_match(_int("k", k), _int("filler", filler), _int("version", version), n,
                        order.ctypes.data)  # fmt: skip
    return order


def decode(llr, *, iterations=6, stop=None, backend=None, threads=0):
    """Decided bits [..., k] and the iterations [...] that each block took, of LLRs [..., 3, k + 4].

    llr         integers -127 to 127, ln P(0) / P(1) times any scale; 0: nothing is known
    iterations  at most, 1 to 32
    stop        "crc24a" or "crc24b": a block ends once this CRC of it holds
    backend     "cpu", "cpu:ref", "cuda", "auto", ...; None: "cpu"
    """
    llr = _bytes("llr", llr, np.int8, -127, 127)
    if llr.ndim < 2 or llr.shape[-2] != 3 or llr.shape[-1] < 5:
        raise ValueError(f"llr has shape {llr.shape}: must be (..., 3, k + 4)")
    if stop not in _STOPS:
        raise ValueError(f"stop {stop!r}: must be None, 'crc24a' or 'crc24b'")
    *blocks, _, length = llr.shape
    count = _int("blocks", math.prod(blocks))
    bits = np.empty((*blocks, length - 4), np.uint8)
    took = np.zeros(tuple(blocks), np.uint8)
    if _int("iterations", iterations) == 0:
        raise ValueError("iterations=0: must be 1 to 32")
    _library.begin(threads, backend)
    plan = _library.DecodingPlan(
        length - 4, iterations, _STOPS[stop], _int("threads", threads), _text("backend", backend)
    )
    if count > 0:
        _library.decode(plan, count, llr.ctypes.data, bits.ctypes.data, took.ctypes.data)
    return bits, took
