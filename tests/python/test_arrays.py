"""invert and detect: the bits of C, and an exception with the reason for what is wrong."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import ltesim
from ltesim import _dlpack

RNG = np.random.default_rng(1)
N_SC, N_RX, N_TX, SLOTS = 75, 4, 3, 2


def draw(*shape, dtype=np.complex64):
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype)


def probe(library_probe, arguments, *arrays):
    data = b"".join(array.tobytes() for array in arrays)
    done = subprocess.run([library_probe, *map(str, arguments)], input=data, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("backend", ["cpu", "cpu:ref"])
@pytest.mark.parametrize(
    "inverter,n,dtype",
    [("gauss-jordan", 4, "c8"), ("ldl", 8, "c8"), ("lu-delayed", 5, "c8"), ("lu-delayed", 20, "c16"),
     ("cholesky-delayed", 12, "c16")],
)  # fmt: skip
def test_inverses_are_those_of_c(library_probe, inverter, n, dtype, backend):
    h = draw(1003, n, n, dtype=dtype)
    a = (h.conj().swapaxes(-1, -2) @ h + np.eye(n)).astype(dtype)
    x = ltesim.invert(a, inverter=inverter, backend=backend)
    arguments = ["invert", n, len(a), int(dtype == "c16"), inverter, backend]
    assert x.dtype == a.dtype and x.shape == a.shape
    assert x.tobytes() == probe(library_probe, arguments, a)
    assert np.abs(x @ a - np.eye(n)).max() < (1e-3 if dtype == "c8" else 1e-10)


def test_any_layout_and_type_gives_the_same():
    a = draw(6, 5, 4, 4)
    x = ltesim.invert(a)
    shifted = np.empty(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    shifted[...] = a
    read_only = a.copy()
    read_only.flags.writeable = False
    for other in (
        a.transpose(1, 0, 2, 3).copy().transpose(1, 0, 2, 3), np.asfortranarray(a), shifted,
        read_only, a.astype(a.dtype.newbyteorder()), a[::-1].copy()[::-1],
    ):  # fmt: skip
        assert ltesim.invert(other).tobytes() == x.tobytes()
    reals = RNG.normal(size=(3, 3))
    assert ltesim.invert(reals).dtype == np.complex128
    assert ltesim.invert(reals.astype("f4")).dtype == np.complex64
    assert np.allclose(ltesim.invert([[2, 0], [0, 4]]), [[0.5, 0], [0, 0.25]])


def test_out_takes_the_inverses_where_it_is():
    a = draw(7, 4, 4)
    x, out = ltesim.invert(a), np.empty_like(a)
    assert ltesim.invert(a, out=out) is out and out.tobytes() == x.tobytes()
    b = a.copy()
    assert ltesim.invert(b, out=b) is b and b.tobytes() == x.tobytes()


def test_a_matrix_without_inverse_is_zero_and_flagged():
    a = draw(5, 4, 4)
    a[2] = 0
    with pytest.warns(RuntimeWarning, match="1 of 5 matrices"):
        x = ltesim.invert(a)
    again, flags = ltesim.invert(a, flags=True)
    assert flags.tolist() == [False, False, True, False, False]
    assert not x[2].any() and again.tobytes() == x.tobytes()


CORE = np.ones((4, 4)) + 3 * np.eye(4)
SIZES = 10.0 ** np.array([4.5, 7.5, 10.5, 13.5])


@pytest.mark.parametrize(
    "dtype,a,x",
    [
        ("c8", 1e20 * np.eye(2), 1e-20 * np.eye(2)),
        ("c8", 1e20 * np.eye(3), 1e-20 * np.eye(3)),
        ("c8", 1e-20 * np.eye(2), 1e20 * np.eye(2)),
        ("c8", 1e-20 * np.eye(3), 1e20 * np.eye(3)),
        ("c8", np.diag([1e20, 1e-20, 1]), np.diag([1e-20, 1e20, 1])),
        ("c8", CORE * np.outer(SIZES, SIZES), np.linalg.inv(CORE) / np.outer(SIZES, SIZES)),  # 1e9 to 1e27
        ("c16", 1e160 * np.eye(3), 1e-160 * np.eye(3)),
        ("c16", [[1e-300]], [[1e300]]),
        ("c16", 1e200 * np.array([[2, 1j], [-1j, 3]]), 1e-200 * np.array([[3, -1j], [1j, 2]]) / 5),
    ],
)
@pytest.mark.parametrize("inverter", [None, "gauss-jordan", "ldl", "cholesky-delayed", "lu-delayed", "lu-immediate"])
@pytest.mark.parametrize("in_place", [False, True])
def test_matrices_far_from_one_have_inverses(dtype, a, x, inverter, in_place):
    if dtype == "c16" and inverter in ("gauss-jordan", "ldl"):
        pytest.skip("takes complex64 alone")
    a = np.array([a], dtype)
    found, flags = ltesim.invert(a, inverter=inverter, flags=True, out=a if in_place else None)
    assert found.dtype == a.dtype and not flags.any()
    assert np.allclose(found[0], x, rtol=1e-5 if dtype == "c8" else 1e-14, atol=0)


@pytest.mark.parametrize("inverter", ["gauss-jordan", "ldl", "cholesky-delayed", "lu-delayed", "lu-immediate"])
def test_what_has_no_inverse_is_flagged_at_any_size(inverter):
    ones, bad = np.ones((3, 3)), np.eye(3, dtype="c8")
    bad[1, 0] = np.nan
    a = np.array([1e25 * ones, ones, 1e-25 * ones, bad, 1e-40 * np.eye(3)], "c8")
    x, flags = ltesim.invert(a, inverter=inverter, flags=True)
    assert flags.all() and not x.any()


def test_no_matrix_is_no_inverse():
    assert ltesim.invert(np.empty((0, 4, 4), "c8")).shape == (0, 4, 4)


A = draw(6, 4, 4)
READ_ONLY = A.copy()
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    "arguments,exception,reason",
    [
        ({"a": A[:, :3]}, ValueError, r"shape \(6, 3, 4\)"),
        ({"a": A[0, 0]}, ValueError, "must be"),
        ({"a": np.empty((3, 0, 0))}, ValueError, "must be"),
        ({"a": A.astype(str)}, TypeError, "must be numbers"),
        ({"a": A.astype(object)}, TypeError, "must be numbers"),
        ({"a": None}, TypeError, "must be numbers"),
        ({"a": A, "out": READ_ONLY}, ValueError, "read-only"),
        ({"a": A, "out": A[:5].copy()}, ValueError, "shape"),
        ({"a": A, "out": A.astype("c16")}, ValueError, "complex128"),
        ({"a": A, "out": np.empty((6, 4, 8), "c8")[:, :, ::2]}, ValueError, "contiguous"),
        ({"a": A, "out": A.tolist()}, TypeError, "list"),
        ({"a": A, "inverter": "none"}, ValueError, "gauss-jordan, ldl"),
        ({"a": A, "inverter": 3}, TypeError, "int"),
        ({"a": A.astype("c16"), "inverter": "ldl"}, ValueError, "double precision"),
        ({"a": draw(2, 300, 300)}, ValueError, "n=300"),
        ({"a": A, "backend": "gpu"}, ValueError, "unknown"),
        ({"a": A, "threads": -1}, ValueError, "threads"),
        ({"a": A, "threads": 1025}, ValueError, "0 to 1024"),
        ({"a": A, "threads": 2**40}, ValueError, "threads"),
        ({"a": A, "threads": "2"}, TypeError, "integer"),
    ],
)
def test_wrong_matrices_are_refused(arguments, exception, reason):
    with pytest.raises(exception, match=reason):
        ltesim.invert(**arguments)


def test_arrays_that_overlap_in_part_are_refused():
    memory = np.empty((7, 4, 4), "c8")
    with pytest.raises(ValueError, match="overlap"):
        ltesim.invert(memory[:6], out=memory[1:])


@pytest.mark.parametrize("backend", ["cpu", "cpu:ref"])
@pytest.mark.parametrize("detector", ["zf", "mmse", "mrc", "cg-4"])
def test_bits_are_those_of_c(library_probe, detector, backend):
    h, y = draw(SLOTS, N_SC, N_RX, N_TX), draw(SLOTS, 7, N_SC, N_RX)
    bits = ltesim.detect(h, y, 0.25, "64qam", detector=detector, backend=backend)
    arguments = ["detect", N_SC, N_RX, N_TX, 6, SLOTS, 0.25, detector, backend]
    row = N_SC * N_TX * 6
    packed = np.frombuffer(probe(library_probe, arguments, h, y), np.uint8).reshape(SLOTS, 7, -1)
    assert bits.shape == (SLOTS, 7, N_SC, N_TX, 6)
    assert np.array_equal(
        bits.reshape(SLOTS, 7, row), np.unpackbits(packed, axis=-1, count=row, bitorder="little")
    )


def test_sent_bits_come_back_without_noise():
    h = draw(N_SC, N_RX, N_TX)
    sent = RNG.integers(0, 2, (7, N_SC, N_TX, 2))
    x = ((1 - 2 * sent[..., 0]) + 1j * (1 - 2 * sent[..., 1])) / np.sqrt(2)
    y = np.einsum("crt,lct->lcr", h, x)
    assert np.array_equal(ltesim.detect(h, y, 1e-9, "qpsk"), sent)
    assert np.array_equal(ltesim.detect(h.tolist(), y, 1e-9, "qpsk", detector="zf"), sent)


H, Y = draw(N_SC, N_RX, N_TX), draw(7, N_SC, N_RX)


@pytest.mark.parametrize(
    "arguments,exception,reason",
    [
        ((H[0], Y, 0.1, "qpsk"), ValueError, "must be"),
        ((H, Y[:6], 0.1, "qpsk"), ValueError, r"must be \(7, 75, 4\)"),
        ((H, Y.swapaxes(0, 1), 0.1, "qpsk"), ValueError, "must be"),
        ((H.swapaxes(1, 2), Y[..., :3], 0.1, "qpsk"), ValueError, "n_rx=3"),
        ((H, Y, 0.0, "qpsk"), ValueError, "n0"),
        ((H, Y, float("nan"), "qpsk"), ValueError, "n0"),
        ((H, Y, "loud", "qpsk"), ValueError, "loud"),
        ((H, Y, None, "qpsk"), TypeError, "None|NoneType"),
        ((H, Y, 0.1, "32qam"), ValueError, "qpsk, 16qam"),
        ((H.astype(object), Y, 0.1, "qpsk"), TypeError, "numbers"),
    ],
)
def test_wrong_slots_are_refused(arguments, exception, reason):
    with pytest.raises(exception, match=reason):
        ltesim.detect(*arguments)


def test_an_unknown_detector_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match="zf, mmse, mrc"):
        ltesim.detect(H, Y, 0.1, "qpsk", detector="best")


def spoiled(detector):
    """Slots some of whose matrices are spoiled, and the flags that these have."""
    h, y = draw(SLOTS, N_SC, N_RX, N_TX), draw(SLOTS, 7, N_SC, N_RX)
    flags = np.zeros((SLOTS, N_SC), np.uint8)
    inverts = int(detector == "zf")  # it has no loading
    h[1, 3, :, 1] = 0
    h[1, 5] = 0
    h[1, 40] *= 512 / np.abs(h[1, 40].real).max()
    h[1, 40, :, 2] = 1e-45
    h[0, 7, 1, 2] = np.nan
    h[0, 66, 3, 0] = complex(0, -np.inf)
    h[0, 70] = np.eye(N_RX)[:, [0, 1, 0]]
    flags[1, [3, 5, 40]] = 2 + inverts
    flags[0, [7, 66]] = 4 + 1
    flags[0, 70] = inverts
    return h, y, flags


@pytest.mark.parametrize(
    "detector,output",
    [(name, "bits") for name in ("zf", "mmse", "mrc", "cg-4", "ml", "kbest-16", "fsd")]
    + [(name, "llr") for name in ("zf", "mmse", "mrc", "ml")],
)
def test_flags_say_what_is_wrong_with_a_matrix(detector, output):
    h, y, expected = spoiled(detector)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = ltesim.detect(h, y, 0.25, "16qam", detector=detector, output=output)
        result, flags = ltesim.detect(h, y, 0.25, "16qam", detector=detector, output=output, flags=True)
    assert result.tobytes() == plain.tobytes() and result.shape == plain.shape
    assert flags.dtype == np.uint8 and flags.shape == h.shape[:-2]
    assert np.argwhere(flags != expected).tolist() == []
    one = ltesim.detect(h[1], y[1], 0.25, "16qam", detector=detector, flags=True)[1]
    assert one.shape == (N_SC,) and one.tolist() == expected[1].tolist()


def test_no_slots_have_no_flags():
    bits, flags = ltesim.detect(draw(0, N_SC, 2, 1), draw(0, 7, N_SC, 2), 1.0, "qpsk", flags=True)
    assert bits.shape[0] == 0 and flags.shape == (0, N_SC)


def test_no_slots_have_no_bits():
    h, y = np.zeros((0, 72, 2, 2)), np.zeros((0, 7, 72, 2))
    bits = ltesim.detect(h, y, 0.1, "16qam")
    assert bits.shape == (0, 7, 72, 2, 4) and bits.dtype == np.uint8
    with pytest.raises(ValueError, match="zf, mmse, mrc"):
        ltesim.detect(h, y, 0.1, "16qam", detector="best")
    with pytest.raises(ValueError, match="y has shape"):
        ltesim.detect(h, y[:, :6], 0.1, "16qam")


def test_names_do_not_end_at_a_zero_byte():
    with pytest.raises(ValueError, match="inverter=.*zero byte"):
        ltesim.invert(draw(2, 4, 4), inverter="ldl\0junk")
    with pytest.raises(ValueError, match="detector=.*zero byte"):
        ltesim.detect(H, Y, 0.1, "qpsk", detector="zf\0")


def test_masks_are_not_lost():
    a = np.ma.masked_array(draw(2, 4, 4), np.zeros((2, 4, 4), bool))
    assert ltesim.invert(a).tobytes() == ltesim.invert(a.data).tobytes()
    with pytest.raises(TypeError, match="MaskedArray"):
        ltesim.invert(a, out=a)
    a.mask[1, 0, 0] = True
    with pytest.raises(ValueError, match="a has masked"):
        ltesim.invert(a)
    with pytest.raises(ValueError, match="y has masked"):
        ltesim.detect(H, np.ma.masked_array(Y, Y.real > 0), 0.1, "qpsk")


FORKS = """
import multiprocessing, numpy, ltesim
a = numpy.eye(4) + numpy.zeros((3000, 1, 1))
h, y = numpy.ones((4, 72, 1, 1)), numpy.ones((4, 7, 72, 1))
def child(queue, function, arguments, keys):
    try:
        queue.put(function(*arguments, **keys).shape)
    except Exception as failure:
        queue.put((type(failure).__name__, str(failure)))
def forked(function, *arguments, **keys):
    fork = multiprocessing.get_context("fork")
    queue = fork.Queue()
    process = fork.Process(target=child, args=(queue, function, arguments, keys))
    process.start()
    try:
        print(queue.get(timeout=20))
    except Exception:
        print("hangs")
        process.kill()
    process.join()
"""


def forks(text):
    done = subprocess.run([sys.executable, "-c", FORKS + text], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_fork_of_a_process_that_has_computed_is_refused():
    for first in ("ltesim.invert(a)", 'ltesim.detect(h, y, 0.1, "qpsk")'):
        said = forks(f'{first}\nforked(ltesim.invert, a)\nforked(ltesim.detect, h, y, 0.1, "qpsk")\n')
        assert len(said) == 2
        assert all(line.startswith("('RuntimeError', 'this process was forked") for line in said)
        assert all("spawn" in line and "\\n" not in line for line in said)


def test_other_forks_compute():
    said = forks("forked(ltesim.invert, a)\nforked(ltesim.invert, a)\nltesim.invert(a)\n"
                 "forked(ltesim.invert, a, threads=1)\n")  # fmt: skip
    assert said == ["(3000, 4, 4)"] * 3


def test_dlpack_says_where_an_array_is():
    for a in (draw(3, 4, 4), draw(2, 2, 3, 3, dtype="c16")[1:]):
        array = _dlpack.look(a.__dlpack__())
        assert array.address == a.ctypes.data and array.shape == a.shape
        assert array.precision == int(a.dtype == np.complex128)
    with pytest.raises(ValueError, match="contiguous"):
        _dlpack.look(draw(3, 4, 4).swapaxes(1, 2).__dlpack__())
    with pytest.raises(TypeError, match="complex64"):
        _dlpack.look(np.zeros((2, 2)).__dlpack__())


class OnDevice:
    """Says of an array in host memory that it is on a device, as the checks see it."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        assert stream == 1
        return self.array.__dlpack__()


def test_arrays_on_a_device_are_looked_at():
    a = OnDevice(draw(3, 4, 4))
    with pytest.raises(TypeError, match="give out="):
        ltesim.invert(a)
    with pytest.raises(ValueError, match="shape and type"):
        ltesim.invert(a, out=OnDevice(draw(3, 4, 5)))
    with pytest.raises(ValueError, match="shape and type"):
        ltesim.invert(a, out=draw(3, 4, 4))
    with pytest.raises(TypeError, match="host memory"):
        ltesim.detect(a, Y, 0.1, "qpsk")
    with pytest.raises(ValueError, match="cuda:0"):
        ltesim.invert(a, out=OnDevice(np.empty_like(a.array)), backend="cpu")
    h, y = OnDevice(draw(72, 4, 4)), OnDevice(draw(7, 72, 4))
    with pytest.raises(ValueError, match="cuda:0"):
        ltesim.detect(h, y, 0.1, "qpsk", backend="cpu:ref")
    with pytest.raises(TypeError, match="complex64"):
        ltesim.detect(OnDevice(draw(72, 4, 4, dtype="c16")), y, 0.1, "qpsk")
