"""The same on a CUDA device, where there is one: bits of the processor, arrays that stay there."""

import numpy as np
import pytest

import ltesim

RNG = np.random.default_rng(3)


def draw(*shape, dtype=np.complex64):
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(dtype)


@pytest.fixture(scope="module", autouse=True)
def device():
    try:
        ltesim.invert(np.eye(2), backend="cuda")
    except RuntimeError as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("n,dtype", [(4, "c8"), (8, "c8"), (20, "c8"), (20, "c16")])
def test_host_arrays_are_inverted_to_the_bits_of_the_processor(n, dtype):
    a = draw(1003, n, n, dtype=dtype)
    a[7] = 0
    x, flags = ltesim.invert(a, backend="cuda", flags=True)
    expected, expected_flags = ltesim.invert(a, flags=True)
    assert x.tobytes() == expected.tobytes() and flags.tolist() == expected_flags.tolist()


def far_from_one(dtype):
    """Some matrices as drawn, some with rows and columns multiplied, a singular one."""
    a = draw(1003, 4, 4, dtype=dtype)
    sizes = 2.0 ** RNG.integers(*((-50, 51) if dtype == "c8" else (-400, 401)), (2, 500, 4))
    a[:500] *= sizes[0][:, :, None]
    a[:500] *= sizes[1][:, None, :]
    a[7] = 0
    return a


@pytest.mark.parametrize("dtype,inverter", [("c8", "gauss-jordan"), ("c8", "lu-delayed"), ("c16", "lu-delayed")])
def test_matrices_far_from_one_have_the_bits_of_the_processor(dtype, inverter):
    a = far_from_one(dtype)
    expected, expected_flags = ltesim.invert(a, inverter=inverter, flags=True)
    assert expected_flags[7] and expected_flags.sum() < 20
    x, flags = ltesim.invert(a, inverter=inverter, backend="cuda", flags=True)
    assert x.tobytes() == expected.tobytes() and flags.tolist() == expected_flags.tolist()
    torch = pytest.importorskip("torch")
    there = torch.as_tensor(a, device="cuda")
    assert ltesim.invert(there, inverter=inverter, flags=True)[0].cpu().numpy().tobytes() == expected.tobytes()
    assert there.cpu().numpy().tobytes() == a.tobytes()
    ltesim.invert(there, inverter=inverter, out=there, flags=True)
    assert there.cpu().numpy().tobytes() == expected.tobytes()


def test_slots_are_detected_to_the_bits_of_the_processor():
    for slots, n_sc, n_rx, n_tx in ((2, 75, 4, 3), (7, 72, 2, 2), (1, 72, 32, 16)):
        h, y = draw(slots, n_sc, n_rx, n_tx), draw(slots, 7, n_sc, n_rx)
        for detector in ("zf", "mmse", "mrc"):
            bits = ltesim.detect(h, y, 0.25, "16qam", detector=detector, backend="cuda")
            assert np.array_equal(bits, ltesim.detect(h, y, 0.25, "16qam", detector=detector))


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_torch_s_arrays_stay_there(dtype):
    torch = pytest.importorskip("torch")
    a = draw(1003, 4, 4, dtype=dtype)
    there = torch.as_tensor(a, device="cuda")
    x = ltesim.invert(there)
    assert x.device == there.device and x.dtype == there.dtype
    assert x.cpu().numpy().tobytes() == ltesim.invert(a).tobytes()
    assert torch.equal(there.cpu(), torch.as_tensor(a))
    assert torch.equal(ltesim.invert(there[1:]), x[1:])  # off a boundary of 16 bytes or on it
    out = torch.empty_like(there)
    assert ltesim.invert(there, out=out) is out and torch.equal(out, x)
    with torch.cuda.stream(torch.cuda.Stream()):
        late = (there * 2) / 2  # not done yet when invert is called
        assert torch.equal(ltesim.invert(late), x)
    with pytest.raises(ValueError, match="contiguous"):
        ltesim.invert(there.transpose(-1, -2))
    with pytest.raises(TypeError, match="complex64"):
        ltesim.invert(there.real.contiguous())
    with pytest.raises(ValueError, match="shape and type"):
        ltesim.invert(there, out=out[1:])


def test_torch_s_slots_are_detected_there():
    torch = pytest.importorskip("torch")
    for slots, n_sc, n_rx, n_tx in ((2, 75, 4, 3), (7, 72, 2, 2), (1, 1200, 8, 8), (3, 72, 32, 16)):
        h, y = draw(slots, n_sc, n_rx, n_tx), draw(slots, 7, n_sc, n_rx)
        h_there, y_there = (torch.as_tensor(x, device="cuda") for x in (h, y))
        bits = ltesim.detect(h_there, y_there, 0.25, "16qam")
        assert bits.device == h_there.device and bits.dtype == torch.uint8
        assert np.array_equal(bits.cpu().numpy(), ltesim.detect(h, y, 0.25, "16qam"))
        assert torch.equal(h_there.cpu(), torch.as_tensor(h))
        with torch.cuda.stream(torch.cuda.Stream()):
            late = (h_there * 2) / 2  # not done yet when detect is called
            assert torch.equal(ltesim.detect(late, y_there, 0.25, "16qam"), bits)
    odd = torch.as_tensor(draw(4, 72, 2, 2), device="cuda")[1:]
    more = torch.as_tensor(draw(3, 7, 72, 2), device="cuda")
    expected = ltesim.detect(odd.cpu().numpy(), more.cpu().numpy(), 0.1, "qpsk")
    assert np.array_equal(ltesim.detect(odd, more, 0.1, "qpsk").cpu().numpy(), expected)
    with pytest.raises(TypeError, match="one device"):
        ltesim.detect(h_there, y, 0.25, "16qam")
    with pytest.raises(TypeError, match="complex64"):
        ltesim.detect(h_there.to(torch.complex128), y_there, 0.25, "16qam")
    with pytest.raises(ValueError, match="contiguous"):
        ltesim.detect(h_there.transpose(-1, -2), y_there, 0.25, "16qam")
    with pytest.raises(ValueError, match="shape"):
        ltesim.detect(h_there, y_there[:, :6].contiguous(), 0.25, "16qam")


def test_cupy_s_slots_are_detected_there():
    cupy = pytest.importorskip("cupy")
    h, y = draw(2, 72, 4, 4), draw(2, 7, 72, 4)
    bits = ltesim.detect(cupy.asarray(h), cupy.asarray(y), 0.25, "64qam")
    assert isinstance(bits, cupy.ndarray)
    assert np.array_equal(cupy.asnumpy(bits), ltesim.detect(h, y, 0.25, "64qam"))


def test_cupy_s_arrays_stay_there():
    cupy = pytest.importorskip("cupy")
    a = draw(1003, 4, 4)
    x = ltesim.invert(cupy.asarray(a))
    assert isinstance(x, cupy.ndarray) and cupy.asnumpy(x).tobytes() == ltesim.invert(a).tobytes()
