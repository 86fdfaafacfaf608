"""Where an array on a CUDA device lies, as DLPack says it.

Source: DLPack, dlpack.h, version 0.8; the capsule is looked into, not taken over.
"""

import ctypes
from typing import NamedTuple

_CUDA, _COMPLEX = 2, 5
_DEFAULT_STREAM = 1  # what the array's owner has begun is done before that goes on


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_pointer.restype = ctypes.c_void_p


class Array(NamedTuple):
    address: int
    device: int
    shape: tuple
    precision: int  # 0: complex64, 1: complex128

    @property
    def kind(self):
        return self.device, self.shape, self.precision


def look(capsule):
    """The Array of a capsule that is C-contiguous and complex; ValueError, TypeError for others."""
    t = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    shape = tuple(t.shape[i] for i in range(t.ndim))
    if t.code != _COMPLEX or t.lanes != 1 or t.bits not in (64, 128):
        raise TypeError("an array on a device must be complex64 or complex128")
    expected = 1
    for i in reversed(range(t.ndim if t.strides else 0)):
        if shape[i] != 1 and t.strides[i] != expected:
            raise ValueError("an array on a device must be C-contiguous")
        expected *= shape[i]
    return Array((t.data or 0) + t.byte_offset, t.device_id, shape, int(t.bits == 128))


def on_device(array):
    """The Array of one that lies on a CUDA device, None for any other object."""
    if not hasattr(array, "__dlpack_device__") or array.__dlpack_device__()[0] != _CUDA:
        return None
    return look(array.__dlpack__(stream=_DEFAULT_STREAM))
