"""Converts channels of other programs to the channel file of channel.model = "file" (sim/files).

It reads .npy and .npz of numpy, .mat of MATLAB v7.3 (HDF5), .mat of v5 if scipy is installed, and
.h5. The array must have one of these shapes, or --axes must name its dimensions:

    slot rx tx sc            one H per slot; also channels of DeepMIMO, whose users become the slots
    slot rx tx symbol sc     one H per OFDM symbol, in whole slots of 7
    slot rx ra tx ta symbol sc    frequency responses of Sionna; receivers and their antennas become
                                  the receive antennas, transmitters and theirs the layers
"""

import argparse
import os
import sys
from pathlib import Path

import numpy as np

AXES = {4: "slot rx tx sc", 5: "slot rx tx symbol sc", 7: "slot rx ra tx ta symbol sc"}
ORDER = ("slot", "rx", "ra", "tx", "ta", "symbol", "sc")
SYMBOLS = 7  # of a slot


def _complex(array):
    """Complex numbers of an array, those of two-part compounds (MATLAB's, h5py's) too."""
    names = array.dtype.names
    if names and len(names) == 2:
        return array[names[0]] + 1j * array[names[1]]
    return array


def _hdf5(path, transposed):
    import h5py

    arrays = {}
    with h5py.File(path, "r") as file:

        def take(name, item):
            if isinstance(item, h5py.Dataset) and not name.startswith("#refs#"):
                array = _complex(item[()]) if item.shape else None
                arrays[name] = array.T if transposed and array is not None else array

        file.visititems(take)
    return arrays


def _arrays(path):
    """All arrays of a file by their names."""
    with open(path, "rb") as file:
        head = file.read(20)
    if path.suffix == ".npy":
        return {"h": np.load(path, allow_pickle=False)}
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    if path.suffix == ".mat" and head.startswith(b"MATLAB 5.0"):
        import scipy.io

        return {k: v for k, v in scipy.io.loadmat(path).items() if not k.startswith("__")}
    if path.suffix in (".mat", ".h5", ".hdf5"):
        return _hdf5(path, transposed=path.suffix == ".mat")  # MATLAB's dimensions come reversed
    raise ValueError("must end in .npy, .npz, .mat or .h5")


def choose(arrays, name=None):
    """The array of a name, or the only one that may be channels."""
    if name is not None:
        if name not in arrays:
            raise ValueError(f"has no array {name}; its arrays: {', '.join(arrays) or 'none'}")
        return np.asarray(arrays[name])
    fit = [n for n, a in arrays.items() if np.ndim(a) > 1 and np.iscomplexobj(a)]
    if len(arrays) == 1:
        fit = list(arrays)
    if len(fit) != 1:
        raise ValueError(f"possible channels: {', '.join(fit) or 'none'}; choose one with --name")
    return np.asarray(arrays[fit[0]])


def to_planes(h, axes=None):
    """Channels as the file has them: [slot][rx][tx][sc] or [slot][rx][tx][7][sc]."""
    axes = (axes or AXES.get(h.ndim, "")).replace(",", " ").split()
    if sorted(set(axes)) != sorted(axes) or not {"rx", "tx", "sc"} <= set(axes) <= set(ORDER):
        raise ValueError(f"--axes must list axes out of {' '.join(ORDER)}, among them rx, tx and sc")
    if len(axes) != h.ndim:
        raise ValueError(f"has {h.ndim} dimensions {h.shape}, but --axes lists {len(axes)}")
    if not np.iscomplexobj(h) or not np.isfinite(h).all() or h.size == 0:
        raise ValueError("must be complex numbers, all finite, and at least one")
    present = [axis for axis in ORDER if axis in axes]
    h = h.transpose([axes.index(axis) for axis in present])
    h = h.reshape([h.shape[present.index(axis)] if axis in present else 1 for axis in ORDER])
    slots, rx, ra, tx, ta, symbols, sc = h.shape
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
    h = h[~empty].astype(np.complex128)
    if not len(h):
        raise ValueError("all channels are zero")
    if how == "none":
        mean = np.mean(np.abs(h) ** 2)
        return h, f"unchanged, the mean of |h|^2 is {mean:.6g}{said}"
    axes = None if how == "all" else tuple(range(1, h.ndim))
    root = np.sqrt(np.mean(np.abs(h) ** 2, axis=axes, keepdims=True))
    h = h / root
    if how == "slot":
        return h, f"each slot scaled separately, the mean of |h|^2 is 1 in each{said}"
    return h, f"divided by {root.item():.6g}: the mean of |h|^2 is 1{said}"


def write(path, h, how, drop_slots):
    """The channel file, whole or not at all."""
    import h5py

    temporary = path.with_name(f".ltesim-{os.getpid()}-{path.name}")
    try:
        with h5py.File(temporary, "w") as file:
            data = file.create_dataset("h", data=h.astype(np.complex64))
            data.attrs["drop_slots"] = np.int32(drop_slots)
            data.attrs["format_version"] = np.int32(1)
            data.attrs["normalisation"] = np.bytes_(how)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


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
        if given.drop_slots < 1:
            raise ValueError("--drop-slots must be 1 or more")
        h = to_planes(choose(_arrays(given.source), given.name), given.axes)
        h, how = normalise(h, given.normalise)
        write(given.target, h, how, given.drop_slots)
    except Exception as failure:  # a damaged file may fail anywhere in its library
        reason = str(failure).splitlines()[0] if str(failure) else type(failure).__name__
        print(f"ltesim: {given.source}: {reason}", file=sys.stderr)
        return 2
    slots, rx, tx, sc = h.shape[0], h.shape[1], h.shape[2], h.shape[-1]
    print(f"{given.target}: {slots} slots, {tx} layers, {rx} antennas, {sc} subcarriers; {how}")
    return 0
