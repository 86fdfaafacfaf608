"""Converts channels of other programs to the channel file of channel.model = "file" (sim/files).

It reads .npy and .npz of numpy, .mat of MATLAB v7.3 (HDF5), .mat of v5 if scipy is installed, and
.h5. The array must have one of these shapes, or --axes must name its dimensions:

    slot rx tx sc            one H per slot; also channels of DeepMIMO, whose users become the slots
    slot rx tx symbol sc     one H per OFDM symbol, in whole slots of 7
    slot rx ra tx ta symbol sc    frequency responses of Sionna; receivers and their antennas become
                                  the receive antennas, transmitters and theirs the layers
"""

import argparse
import math
import os
import stat
import sys
import zipfile
from pathlib import Path

import numpy as np

AXES = {4: "slot rx tx sc", 5: "slot rx tx symbol sc", 7: "slot rx ra tx ta symbol sc"}
ORDER = ("slot", "rx", "ra", "tx", "ta", "symbol", "sc")
SYMBOLS = 7  # of a slot
SUBCARRIERS = (72, 180, 300, 600, 900, 1200)
ENDINGS = (".h5", ".hdf5")
MOST_BYTES = 4 << 30  # of an array, unpacked
MOST_DROP_SLOTS = 10000
LARGEST = 1000  # real or imaginary part that the program takes


class _Array:
    """An array of a file: what the file says of it, and read() for its numbers."""

    def __init__(self, shape, dtype, read, why_not=None):
        self.shape, self.dtype, self.read, self.why_not = tuple(shape), dtype, read, why_not

    @property
    def parts(self):
        """Names of the two parts of compounds of MATLAB and h5py; None for other types."""
        return self.dtype.names if self.dtype.names and len(self.dtype.names) == 2 else None

    @property
    def may_be_channels(self):
        return len(self.shape) > 1 and (self.dtype.kind == "c" or self.parts is not None)


def _npy_header(file):
    """Shape and type that a .npy says it has."""
    version = np.lib.format.read_magic(file)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in read:
        raise ValueError(f"is a .npy of version {version[0]}.{version[1]}, which is not read")
    shape, _, dtype = read[version](file)
    return shape, dtype


def _pickled(dtype):
    return "contains Python objects (pickle), which are not read" if dtype.hasobject else None


def _npy(path):
    with open(path, "rb") as file:
        shape, dtype = _npy_header(file)
    read = lambda: np.load(path, allow_pickle=False)  # noqa: E731
    return {"h": _Array(shape, dtype, read, _pickled(dtype))}


def _npz(path):
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if not entry.filename.endswith(".npy"):
                continue
            _check_size(entry.file_size)
            with archive.open(entry) as file:
                shape, dtype = _npy_header(file)
            name = entry.filename[: -len(".npy")]
            arrays[name] = _Array(shape, dtype, lambda name=name: _member(path, name), _pickled(dtype))
    return arrays


def _member(path, name):
    with np.load(path, allow_pickle=False) as file:
        return file[name]


def _mat5(path):
    import scipy.io

    def read(name):
        return scipy.io.loadmat(path, variable_names=[name])[name]

    wide = np.dtype(complex)
    there = [(name, shape) for name, shape, kind in scipy.io.whosmat(path) if kind in ("single", "double")]
    arrays = {name: _Array(shape, wide, lambda name=name: read(name)) for name, shape in there}
    for name, shape in there if len(there) > 1 else ():  # the numbers alone say whether they are complex
        if math.prod(shape) * wide.itemsize <= MOST_BYTES:
            arrays[name].dtype = read(name).dtype
    return arrays


def _hdf5(path, transposed):
    import h5py

    arrays = {}

    def read(name):
        with h5py.File(path, "r") as file:
            array = file[name][()]
        return array.T if transposed else array

    def take(name, item):
        if not isinstance(item, h5py.Dataset) or name.startswith("#refs#") or not item.shape:
            return
        elsewhere = item.external or item.is_virtual
        why_not = "lies in another file: external storage and virtual datasets are not followed"
        shape = item.shape[::-1] if transposed else item.shape
        arrays[name] = _Array(shape, item.dtype, lambda: read(name), why_not if elsewhere else None)

    with h5py.File(path, "r") as file:
        file.visititems(take)
    return arrays


def _arrays(path):
    """All arrays of a file by their names; none of them is read yet."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # to open a FIFO would wait for a writer
        raise ValueError("is a folder, a device or a pipe, not a file")
    with open(path, "rb") as file:
        head = file.read(20)
    if path.suffix == ".npy":
        return _npy(path)
    if path.suffix == ".npz":
        return _npz(path)
    if path.suffix == ".mat" and head.startswith(b"MATLAB 5.0"):
        return _mat5(path)
    if path.suffix in (".mat", *ENDINGS):
        return _hdf5(path, transposed=path.suffix == ".mat")  # MATLAB's dimensions come reversed
    raise ValueError("must end in .npy, .npz, .mat or .h5")


def _check_size(size):
    if size > MOST_BYTES:
        raise ValueError(f"has an array of {size / 2**30:.4g} GiB: must be at most {MOST_BYTES >> 30}")


def choose(arrays, name=None):
    """The numbers of the array of a name, or of the only one that may be channels."""
    if name is not None:
        if name not in arrays:
            raise ValueError(f"has no array {name}; its arrays: {', '.join(arrays) or 'none'}")
    else:
        fit = [n for n, array in arrays.items() if array.may_be_channels]
        if len(arrays) == 1:
            fit = list(arrays)
        if len(fit) != 1:
            raise ValueError(f"possible channels: {', '.join(fit) or 'none'}; choose one with --name")
        name = fit[0]
    array = arrays[name]
    if array.why_not:
        raise ValueError(f"{name} {array.why_not}")
    _check_size(math.prod(array.shape) * array.dtype.itemsize)
    h = np.asarray(array.read())
    if array.parts:
        h = h[array.parts[0]] + 1j * h[array.parts[1]]
    return h


def to_planes(h, axes=None):
    """Channels as the file has them: [slot][rx][tx][sc] or [slot][rx][tx][7][sc]."""
    axes = (axes or AXES.get(h.ndim, "")).replace(",", " ").split()
    if sorted(set(axes)) != sorted(axes) or not {"rx", "tx", "sc"} <= set(axes) <= set(ORDER):
        raise ValueError(f"--axes must list axes out of {' '.join(ORDER)}, among them rx, tx and sc")
    if len(axes) != h.ndim:
        raise ValueError(f"has {h.ndim} dimensions {h.shape}, but --axes lists {len(axes)}")
    if not np.iscomplexobj(h) or h.size == 0:
        raise ValueError("must be complex numbers, and at least one")
    with np.errstate(all="ignore"):
        h = h.astype(np.complex128)  # a wider type may be beyond it
    if not np.isfinite(h).all():
        raise ValueError("must be complex numbers, all finite")
    present = [axis for axis in ORDER if axis in axes]
    h = h.transpose([axes.index(axis) for axis in present])
    h = h.reshape([h.shape[present.index(axis)] if axis in present else 1 for axis in ORDER])
    slots, rx, ra, tx, ta, symbols, sc = h.shape
    if sc not in SUBCARRIERS:
        raise ValueError(
            f"has {sc} subcarriers: must be {', '.join(map(str, SUBCARRIERS))}; "
            f"the axes were taken as {' '.join(axes)}, --axes names another order"
        )
    h = h.reshape(slots, rx * ra, tx * ta, symbols, sc)
    if symbols == 1:
        return h[:, :, :, 0]
    if symbols % SYMBOLS:
        raise ValueError(f"has {symbols} symbols: must be 1 or a multiple of {SYMBOLS}")
    h = h.reshape(slots, rx * ra, tx * ta, symbols // SYMBOLS, SYMBOLS, sc)
    return np.moveaxis(h, 3, 1).reshape(-1, rx * ra, tx * ta, SYMBOLS, sc)


def normalise(h, how):
    """Divides by the root of the mean of |h|^2, over all or in each slot; says what was done."""
    empty = ~np.any(h, axis=tuple(range(1, h.ndim)))
    said = f"; {int(empty.sum())} slots without any path are left out" if empty.any() else ""
    h = h[~empty]
    if not len(h):
        raise ValueError("all channels are zero")
    axes = None if how != "slot" else tuple(range(1, h.ndim))
    # squares of what the largest number leaves are neither too large nor too small
    largest = np.maximum(np.abs(h.real), np.abs(h.imag)).max(axis=axes, keepdims=True)
    scaled = h.real / largest + 1j * (h.imag / largest)  # 1 / largest may be beyond a double
    root = np.sqrt(np.mean(np.abs(scaled) ** 2, axis=axes, keepdims=True))
    if how == "none":
        rms = float(largest.item()) * float(root.item())
        mean = rms * rms
        return h, f"unchanged, the mean of |h|^2 is {mean:.6g}{said}"
    h = scaled / root
    if how == "slot":
        return h, f"each slot scaled separately, the mean of |h|^2 is 1 in each{said}"
    return h, f"divided by {largest.item() * root.item():.6g}: the mean of |h|^2 is 1{said}"


def to_floats(h):
    """The numbers as the file has them, of 32 bits; ValueError for those that the program refuses."""
    with np.errstate(all="ignore"):
        single = h.astype(np.complex64)
    if not (np.abs(single.real).max() <= LARGEST and np.abs(single.imag).max() <= LARGEST):
        raise ValueError(f"has numbers above {LARGEST} as they are to be written: see --normalise")
    if not single.any():
        raise ValueError("all channels are zero as they are to be written, in 32 bits: see --normalise")
    return single


class Target(ValueError):
    """What is wrong with the file that is to be written."""


def check_target(source, target):
    """Refuses a target that is the source, or a file that is no channel file of ltesim."""
    if target.suffix not in ENDINGS:
        raise Target("must end in .h5 or .hdf5")
    if not target.parent.is_dir():
        raise Target(f"there is no folder {target.parent}")
    if not os.path.lexists(target):
        return
    if target.exists() and target.samefile(source):
        raise Target("is the source, too: choose another file")
    if not target.is_file() or not _is_channel_file(target):
        raise Target("exists and is not a channel file of ltesim: move it, or choose another file")


def _is_channel_file(path):
    import h5py

    try:
        with h5py.File(path, "r") as file:
            return list(file) == ["h"] and "format_version" in file["h"].attrs
    except Exception:  # no HDF5, or a damaged one
        return False


def write(path, h, how, drop_slots):
    """The channel file, whole or not at all."""
    import h5py

    temporary = path.with_name(f".ltesim-{os.getpid()}-{path.name}")
    try:
        with h5py.File(temporary, "w") as file:
            data = file.create_dataset("h", data=h)
            data.attrs["drop_slots"] = np.int32(drop_slots)
            data.attrs["format_version"] = np.int32(1)
            data.attrs["normalisation"] = np.bytes_(how)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _convert(given):
    """Channels as they were written, and how they were normalised."""
    if not 1 <= given.drop_slots <= MOST_DROP_SLOTS:
        raise ValueError(f"--drop-slots must be 1 to {MOST_DROP_SLOTS}")
    arrays = _arrays(given.source)
    check_target(given.source, given.target)
    h = to_planes(choose(arrays, given.name), given.axes)
    h, how = normalise(h, given.normalise)
    if len(h) % given.drop_slots:
        raise ValueError(f"has {len(h)} slots: must be a multiple of --drop-slots {given.drop_slots}")
    h = to_floats(h)
    write(given.target, h, how, given.drop_slots)
    return h, how


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="ltesim import", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path, help="the channel file, .h5")
    parser.add_argument("--name", help="name of the array, if the file has several")
    parser.add_argument("--axes", help='order of the axes, as in "sc rx tx slot"')
    parser.add_argument(
        "--normalise", choices=("all", "slot", "none"), default="all",
        help="scale to mean |h|^2 = 1 over all slots (default) or in each slot; none: do not scale",
    )  # fmt: skip
    parser.add_argument("--drop-slots", type=int, default=1,
                        help="consecutive slots of one channel realisation (drop)")
    given = parser.parse_args(arguments)
    try:
        h, how = _convert(given)
    except Exception as failure:  # a damaged file may fail anywhere in its library
        reason = str(failure).splitlines()[0] if str(failure) else type(failure).__name__
        who = given.target if isinstance(failure, Target) else given.source
        print(f"ltesim: {who}: {reason}", file=sys.stderr)
        return 2
    slots, rx, tx, sc = h.shape[0], h.shape[1], h.shape[2], h.shape[-1]
    print(f"{given.target}: {slots} slots, {tx} layers, {rx} antennas, {sc} subcarriers; {how}")
    return 0
