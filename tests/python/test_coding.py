"""LLRs of one's own slots, and the turbo code from bits to bits."""
import ltesim
import numpy as np
import pytest

BITS = {"qpsk": 2, "16qam": 4, "64qam": 6, "256qam": 8, "1024qam": 10}


def amplitude(bits):
    """Of the bits b0 b1 ... of a part: (1 - 2 b0) (2^m - (1 - 2 b1) (2^(m-1) - ...))."""
    level = np.ones(bits.shape[:-1])
    for i in range(bits.shape[-1] - 1, 0, -1):
        level = 2.0 ** (bits.shape[-1] - i) - (1 - 2.0 * bits[..., i]) * level
    return (1 - 2.0 * bits[..., 0]) * level


def symbols(bits):
    """TS 36.211, 7.1: of an element's bits, on the last axis, the even ones make the real part."""
    x = amplitude(bits[..., 0::2]) + 1j * amplitude(bits[..., 1::2])
    return x / np.sqrt(2 * (2.0 ** bits.shape[-1] - 1) / 3)


def drawn(modulation, tx, rx, snr_db, seed=1, sc=72, slots=1, bits=None):
    random = np.random.default_rng(seed)
    n0 = tx / 10 ** (snr_db / 10)
    if bits is None:
        bits = random.integers(0, 2, (slots, 7, sc, tx, BITS[modulation]))
    h = (random.normal(size=(slots, sc, rx, tx)) + 1j * random.normal(size=(slots, sc, rx, tx))) / np.sqrt(2)
    x = symbols(bits)
    n = (random.normal(size=(slots, 7, sc, rx)) + 1j * random.normal(size=(slots, 7, sc, rx))) * np.sqrt(n0 / 2)
    y = np.einsum("aijk,asik->asij", h, x) + n
    return h.astype(np.complex64), y.astype(np.complex64), n0, bits


@pytest.mark.parametrize("modulation", BITS)
@pytest.mark.parametrize("demapper", ["exact", "max-log"])
def test_signs_are_the_bits(modulation, demapper):
    h, y, n0, sent = drawn(modulation, 2, 4, 35)
    bits = ltesim.detect(h, y, n0, modulation)
    llr = ltesim.detect(h, y, n0, modulation, output="llr", demapper=demapper)
    assert llr.dtype == np.int8 and llr.shape == bits.shape
    assert np.array_equal(bits[llr != 0], (llr < 0)[llr != 0]) and (llr != 0).mean() > 0.99
    assert (bits != sent).mean() < 0.01


def test_numbers_are_those_of_one_antenna():
    """QPSK over one antenna with ZF: L = 2 sqrt(2) Re(conj(h) y) / n0, and the imaginary part."""
    h, y, n0, _ = drawn("qpsk", 1, 1, 3, slots=2)
    llr = ltesim.detect(h, y, n0, "qpsk", detector="zf", output="llr", scale=4)
    z = 2 * np.sqrt(2) * np.conj(h[:, None, :, 0, 0]) * y[..., 0] / n0 * 4
    wanted = np.clip(np.stack([z.real, z.imag], -1), -127, 127)
    assert np.abs(llr[..., 0, :] - wanted).max() <= 0.501
    double = ltesim.detect(h, y, n0, "qpsk", detector="zf", output="llr", scale=8).astype(int)
    inside = np.abs(wanted[..., None, :]) < 60
    assert np.abs(double - 2 * wanted[..., None, :])[inside].max() <= 0.501


def test_backends_agree():
    h, y, n0, _ = drawn("64qam", 4, 4, 20)
    one = ltesim.detect(h, y, n0, "64qam", output="llr", backend="cpu:ref", threads=1)
    assert np.array_equal(one, ltesim.detect(h, y, n0, "64qam", output="llr"))


@pytest.mark.parametrize("k", [40, 1008])
def test_bits_come_through(k):
    """Bits, encoded, sent over a fading channel, detected to LLRs and decoded."""
    random = np.random.default_rng(k)
    bits = random.integers(0, 2, (3, k), dtype=np.uint8)
    d = ltesim.encode(bits)
    n = 72 * 7 * 2 * 2 if k > 500 else 336
    order = ltesim.rate_match(k, n)
    assert order.dtype == np.uint32 and order.max() < 3 * (k + 4)
    soft = np.zeros((3, 3 * (k + 4)), int)
    wrong = 0
    for block in range(3):
        sent = np.zeros(72 * 7 * 2 * 2, np.uint8)
        sent[:n] = d[block].reshape(-1)[order]
        h, y, n0, _ = drawn("qpsk", 2, 2, 11, seed=block + k, bits=sent.reshape(1, 7, 72, 2, 2))
        llr = ltesim.detect(h, y, n0, "qpsk", output="llr").reshape(-1)[:n]
        wrong += int(((llr < 0) != sent[:n]).sum())
        np.add.at(soft[block], order, llr.astype(int))
    decoded, iterations = ltesim.decode(np.clip(soft, -127, 127).reshape(3, 3, k + 4))
    assert wrong > 0 and np.array_equal(decoded, bits) and np.all(iterations == 6)


def test_versions_and_filler():
    orders = [ltesim.rate_match(104, 200, version=version) for version in range(4)]
    assert len({tuple(order) for order in orders}) == 4
    assert not set(range(8)) & set(ltesim.rate_match(104, 500, filler=8).tolist())
    assert np.array_equal(ltesim.encode(np.zeros((2, 2, 40), np.uint8)), np.zeros((2, 2, 3, 44), np.uint8))
    assert ltesim.decode(np.zeros((0, 3, 44), np.int8))[0].shape == (0, 40)


@pytest.mark.parametrize("call, said", [
    (lambda h, y: ltesim.detect(h, y, 0.1, "qpsk", output="both"), "output"),
    (lambda h, y: ltesim.detect(h, y, 0.1, "qpsk", output="llr", demapper="none"), "demapper"),
    (lambda h, y: ltesim.detect(h, y, 0.1, "qpsk", output="llr", scale=0.5), "llr_scale"),
    (lambda h, y: ltesim.detect(h, y, 0.1, "qpsk", output="llr", scale=float("nan")), "llr_scale"),
    (lambda h, y: ltesim.encode(np.zeros(41, np.uint8)), "k"),
    (lambda h, y: ltesim.encode(np.full(40, 2)), "beyond 0 to 1"),
    (lambda h, y: ltesim.decode(np.zeros((3, 44, 1), np.int8)), "must be"),
    (lambda h, y: ltesim.decode(np.full((3, 44), -128)), "beyond -127 to 127"),
    (lambda h, y: ltesim.decode(np.zeros((3, 44), np.int8), stop="crc"), "stop"),
    (lambda h, y: ltesim.decode(np.zeros((3, 44), np.int8), iterations=0), "iterations"),
    (lambda h, y: ltesim.decode(np.zeros((3, 44), np.int8), iterations=33), "iterations"),
    (lambda h, y: ltesim.rate_match(104, 10, version=4), "version"),
])
def test_wrong_arguments(call, said):
    h, y, _, _ = drawn("qpsk", 1, 2, 10)
    with pytest.raises(ValueError, match=said):
        call(h, y)


def test_floats_are_no_llrs():
    with pytest.raises(TypeError, match="integers"):
        ltesim.decode(np.zeros((3, 44)))
