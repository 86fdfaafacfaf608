"""Channels of other programs: what their own libraries write comes to the same channels."""

import io
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import ltesim
from ltesim import _import

h5py = pytest.importorskip("h5py")
RNG = np.random.default_rng(2)


def draw(*shape):
    h = RNG.normal(size=shape) + 1j * RNG.normal(size=shape)
    return (h / np.sqrt(2)).astype(np.complex64)


def import_channels(*arguments, timeout=None):
    command = [sys.executable, "-m", "ltesim", "import", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


def imported(target, *arguments):
    done = import_channels(*arguments)
    assert done.returncode == 0, done.stderr
    with h5py.File(target) as file:
        return file["h"][:], done.stdout, file["h"].attrs["normalisation"].decode()


def near(a, b):
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-6, atol=1e-7)


def scaled(h):
    return h / np.sqrt(np.mean(np.abs(h) ** 2))


def save_npz(path, h):
    np.savez(path, h=h, frequencies=np.arange(3.0))


def save_npy(path, h):
    np.save(path, h)


def save_mat73(path, h):
    """As MATLAB does it: dimensions reversed, compounds of real and imag, 512 bytes before."""
    with h5py.File(path, "w", userblock_size=512) as file:
        pairs = np.empty(h.T.shape, [("real", "f4"), ("imag", "f4")])
        pairs["real"], pairs["imag"] = h.T.real, h.T.imag
        file["H"] = pairs
        file["H"].attrs["MATLAB_class"] = np.bytes_("single")
        file["fc"] = 2.6e9
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM")


def save_mat5(path, h):
    pytest.importorskip("scipy.io").savemat(path, {"H": h, "fc": 2.6e9, "s": {"a": 1}})


@pytest.mark.parametrize(
    "ending,save",
    [("npz", save_npz), ("npy", save_npy), ("mat", save_mat73), ("mat", save_mat5)],
)
def test_every_format_gives_its_channels(tmp_path, ending, save):
    h = 3 * draw(5, 2, 3, 72)
    save(tmp_path / f"a.{ending}", h)
    got, said, how = imported(tmp_path / "b.h5", tmp_path / f"a.{ending}", tmp_path / "b.h5")
    assert near(got, scaled(h))
    assert "5 slots, 3 layers, 2 antennas, 72 subcarriers" in said
    assert how in said and how.startswith("divided by ") and "mean of |h|^2 is 1" in how


def test_sionna_s_responses_are_slots_of_all_antennas(tmp_path):
    h = draw(3, 1, 2, 2, 1, 14, 72)  # batch, rx, its antennas, tx, its antennas, symbols, subcarriers
    np.save(tmp_path / "s.npy", h)
    got, _, _ = imported(tmp_path / "s.h5", tmp_path / "s.npy", tmp_path / "s.h5")
    assert got.shape == (6, 2, 2, 7, 72)
    assert near(got[3, 1, 0, 2], scaled(h)[1, 0, 1, 0, 0, 9])
    np.save(tmp_path / "s.npy", h[..., :1, :])
    got, _, _ = imported(tmp_path / "s.h5", tmp_path / "s.npy", tmp_path / "s.h5")
    assert near(got, scaled(h[..., :1, :])[:, 0, :, :, 0, 0])


def test_deepmimo_s_users_without_a_path_are_left_out(tmp_path):
    h = 1e-6 * draw(6, 2, 2, 72)
    h[4] = 0
    np.savez(tmp_path / "d.npz", channels=h)
    got, said, _ = imported(tmp_path / "d.h5", tmp_path / "d.npz", tmp_path / "d.h5")
    assert near(got, scaled(h[[0, 1, 2, 3, 5]]))
    assert "1 slots without any path are left out" in said


def test_axes_and_normalisation_are_chosen(tmp_path):
    h = draw(4, 2, 2, 72) * np.array([1, 2, 3, 4])[:, None, None, None]
    np.save(tmp_path / "a.npy", h.transpose(3, 1, 2, 0))
    files = tmp_path / "a.npy", tmp_path / "a.h5"
    axes = "--axes", "sc rx tx slot"
    got, _, _ = imported(files[1], *files, *axes)
    assert near(got, scaled(h))
    got, _, how = imported(files[1], *files, *axes, "--normalise", "slot")
    assert near(got, np.stack([scaled(one) for one in h])) and "in each" in how
    got, _, how = imported(files[1], *files, *axes, "--normalise", "none")
    assert near(got, h) and how.startswith("unchanged")


def test_the_program_takes_the_file(tmp_path):
    np.save(tmp_path / "a.npy", draw(64, 2, 2, 72))
    assert import_channels(tmp_path / "a.npy", tmp_path / "eva_2x2.h5").returncode == 0
    scenario = tmp_path / "mine.cfg"
    scenario.write_text(
        '# mine\ncarrier = { bandwidth_mhz = 1.4; }; antennas = { tx = 2; rx = 2; };\n'
        'modulation = "qpsk"; detectors = ( "zf" );\n'
        'channel = { model = "file"; file = "eva_2x2.h5"; };\n'
    )
    result = ltesim.run(scenario, only="ber", sweep__snr_points=[20], sweep__max_slots=64)
    assert result.ber["bit_errors"][0] > 0
    assert abs(result.ber["snr_db_measured"][0] - 20) < 0.3


@pytest.mark.parametrize(
    "name,make,reason",
    [
        ("a.npz", lambda path: path.write_bytes(b"PK\x03\x04 damaged"), "zip"),
        ("a.npy", lambda path: path.write_bytes(b"\x93NUMPY"), ""),
        ("a.mat", lambda path: path.write_bytes(b"MATLAB 7.3 MAT-file" + bytes(600)), ""),
        ("a.h5", lambda path: path.write_bytes(b"\x89HDF\r\n\x1a\n"), ""),
        ("a.txt", lambda path: path.write_bytes(b"1 2"), "must end in"),
        ("none.npy", lambda path: None, "No such file"),
        ("a.npy", lambda path: np.save(path, np.ones((2, 2, 2, 72))), "complex"),
        ("a.npy", lambda path: np.save(path, draw(2, 72)), "--axes"),
        ("a.npy", lambda path: np.save(path, draw(2, 2, 2, 72) * np.nan), "finite"),
        ("a.npy", lambda path: np.save(path, 0 * draw(2, 2, 2, 72)), "zero"),
        ("a.npy", lambda path: np.save(path, draw(2, 2, 2, 5, 72)), "5 symbols"),
        ("a.npz", lambda path: np.savez(path, a=draw(1, 1, 1, 72), b=draw(1, 1, 1, 72)), "--name"),
        ("a.npy", lambda path: np.save(path, np.array([{}]), allow_pickle=True), "pickle"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(tmp_path, name, make, reason):
    make(tmp_path / name)
    done = import_channels(tmp_path / name, tmp_path / "out.h5")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("ltesim: ")
    assert reason in done.stderr
    assert not (tmp_path / "out.h5").exists()


NONE = ("--normalise", "none")


def external_storage(path):
    """A dataset whose bytes are those of another file."""
    other = path.with_suffix(".raw")
    other.write_bytes(draw(2, 2, 2, 72).tobytes())
    with h5py.File(path, "w") as file:
        file.create_dataset("h", (2, 2, 2, 72), np.complex64, external=[(str(other), 0, h5py.h5f.UNLIMITED)])


def virtual(path):
    with h5py.File(path.with_suffix(".src.h5"), "w") as file:
        file["h"] = draw(2, 2, 2, 72)
    layout = h5py.VirtualLayout((2, 2, 2, 72), np.complex64)
    layout[...] = h5py.VirtualSource(path.with_suffix(".src.h5"), "h", (2, 2, 2, 72))
    with h5py.File(path, "w") as file:
        file.create_virtual_dataset("h", layout)


def zip_bomb(path):
    """5 GiB of zeros: what the header says is refused before anything is unpacked."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<c8", "fortran_order": False, "shape": ((5 << 30) // 8 // 288, 2, 2, 72)}
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("h.npy", head.getvalue() + bytes(1 << 16))


def declared(path, shape):
    with h5py.File(path, "w") as file:
        file.create_dataset("h", shape, np.complex64, chunks=(1, *shape[1:]), compression="gzip")


@pytest.mark.parametrize(
    "name,make,reason,options",
    [
        ("a.npy", os.mkfifo, "a pipe", ()),
        ("a.npy", lambda path: path.mkdir(), "a folder", ()),
        ("a.h5", external_storage, "lies in another file", ()),
        ("a.h5", virtual, "lies in another file", ()),
        ("a.npz", zip_bomb, "GiB: must be at most 4", ()),
        ("a.h5", lambda path: declared(path, (1 << 24, 2, 2, 72)), "GiB: must be at most 4", ()),
        ("a.npy", lambda path: np.save(path, 1e-60 * draw(2, 2, 2, 72).astype(complex)), "zero", NONE),
        ("a.npy", lambda path: np.save(path, 1e200 * draw(2, 2, 2, 72).astype(complex)), "above 1000", NONE),
        ("a.npy", lambda path: np.save(path, 2000 * draw(2, 2, 2, 72)), "above 1000", NONE),
        ("a.npy", lambda path: np.save(path, np.full((2, 2, 2, 72), 1e4900, np.clongdouble)), "finite", ()),
        ("a.npy", lambda path: np.save(path, draw(16, 2, 2, 72)), "multiple of --drop-slots 5", ("--drop-slots", "5")),
        ("a.npy", lambda path: np.save(path, draw(16, 2, 2, 72)), "--drop-slots must be", ("--drop-slots", "0")),
        ("a.npy", lambda path: np.save(path, draw(72, 2, 2, 40)), "--axes", ()),
    ],
)  # fmt: skip
def test_what_would_harm_is_refused_at_once(tmp_path, name, make, reason, options):
    make(tmp_path / name)
    done = import_channels(tmp_path / name, tmp_path / "out.h5", *options, timeout=20)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("ltesim: ")
    assert reason in done.stderr and "Warning" not in done.stderr
    assert not (tmp_path / "out.h5").exists()


@pytest.mark.parametrize(
    "ending,save",
    [("npz", save_npz), ("npy", save_npy), ("mat", save_mat73), ("mat", save_mat5)],
)
def test_the_limit_holds_for_every_format_before_it_is_read(tmp_path, monkeypatch, capsys, ending, save):
    save(tmp_path / f"a.{ending}", draw(5, 2, 3, 72))

    class Unread(_import._Array):
        def __init__(self, shape, dtype, read, why_not=None):
            super().__init__(shape, dtype, lambda: pytest.fail("it was read"), why_not)

    monkeypatch.setattr(_import, "_Array", Unread)
    monkeypatch.setattr(_import, "MOST_BYTES", 5 * 2 * 3 * 72 * 8 - 1)
    assert _import.main([str(tmp_path / f"a.{ending}"), str(tmp_path / "b.h5")]) == 2
    assert "GiB: must be at most" in capsys.readouterr().err


@pytest.mark.parametrize("size", [1e200, 1e308, 1e-200, 1e-310])
@pytest.mark.parametrize("how", ["all", "slot"])
def test_channels_of_any_size_are_normalised(tmp_path, size, how):
    h = draw(4, 2, 2, 72).astype(complex)
    h *= size / 10
    np.save(tmp_path / "a.npy", h)
    got, said, _ = imported(tmp_path / "a.h5", tmp_path / "a.npy", tmp_path / "a.h5", "--normalise", how)
    assert abs(np.mean(np.abs(got) ** 2) - 1) < 1e-5 and "inf" not in said


def test_only_channel_files_are_replaced(tmp_path):
    source, target = tmp_path / "a.npy", tmp_path / "b.h5"
    np.save(source, draw(2, 2, 2, 72))
    for name, text in (("b.npy", "must end in .h5"), ("none/b.h5", "no folder")):
        done = import_channels(source, tmp_path / name)
        assert done.returncode == 2 and text in done.stderr and done.stderr.count("\n") == 1
    assert import_channels(source, target).returncode == 0
    assert import_channels(source, target).returncode == 0, "its own file"
    before = target.read_bytes()
    os.link(target, tmp_path / "c.h5")
    for again in (target, tmp_path / "c.h5"):
        done = import_channels(target, again)
        assert done.returncode == 2 and "is the source" in done.stderr
    assert target.read_bytes() == before
    with h5py.File(tmp_path / "mine.h5", "w") as file:
        file["temperature"] = np.arange(3.0)
    (tmp_path / "text.h5").write_text("mine")
    (tmp_path / "folder.h5").mkdir()
    for name in ("mine.h5", "text.h5", "folder.h5"):
        kept = (tmp_path / name).read_bytes() if name != "folder.h5" else None
        done = import_channels(source, tmp_path / name)
        assert done.returncode == 2 and "not a channel file" in done.stderr
        assert kept is None or (tmp_path / name).read_bytes() == kept


def test_a_dumped_file_may_be_replaced(tmp_path):
    np.save(tmp_path / "a.npy", draw(2, 2, 2, 72))
    ltesim.run("quick", only="ber", out=tmp_path / "out", options=["--dump-channel", str(tmp_path / "b.h5")],
               sweep__snr_points=[5], sweep__max_slots=16)  # fmt: skip
    done = import_channels(tmp_path / "a.npy", tmp_path / "b.h5")
    assert done.returncode == 0, done.stderr
