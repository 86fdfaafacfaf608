# %% [markdown]
# # Detectors over SNR
# How many bits are wrong, beside theory; then detection and inverses of arrays of one's own.
#
#     pip install ".[files]" matplotlib && python3 curve.py

# %% A scenario that comes with ltesim, with two settings of one's own
import numpy as np

import ltesim

result = ltesim.run(
    "quick", only="ber", modulation="qpsk", detectors=["zf", "mmse", "mrc"],
    sweep__snr_db=[0.0, 20.0, 4.0], sweep__min_clusters=5,
)  # fmt: skip
ber = result.ber
for detector in np.unique(ber["detector"]):
    own = ber["detector"] == detector
    print(f"{detector:5}", " ".join(f"{rate:.1e}" for rate in ber["ber"][own]))

# %% Its picture: bars are 95 % intervals, dashes the closed forms
try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib, no picture")
else:
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for detector in np.unique(ber["detector"]):
        snr_db, rate, low, high, theory = (
            ber[name][ber["detector"] == detector]
            for name in ("snr_db", "ber", "ber_low", "ber_high", "ber_theory")
        )
        bars = axes.errorbar(snr_db, rate, [rate - low, high - rate], label=detector, capsize=3)
        axes.plot(snr_db, theory, "--", color=bars[0].get_color())
    axes.set(yscale="log", xlabel="SNR in dB", ylabel="bit error rate")
    axes.set_title("QPSK, 2x2, independent Rayleigh fading")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig("curve.png", dpi=120)

# %% A slot of one's own: QPSK over 300 subcarriers, 4 antennas, 2 layers, 10 dB
rng = np.random.default_rng(1)


def draw(*shape):
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)) / np.sqrt(2)


n0 = 2 / 10 ** (10 / 10)  # n_tx / n0 is the SNR
h = draw(300, 4, 2)
sent = rng.integers(0, 2, (7, 300, 2, 2))
x = ((1 - 2 * sent[..., 0]) + 1j * (1 - 2 * sent[..., 1])) / np.sqrt(2)
y = np.einsum("crt,lct->lcr", h, x) + np.sqrt(n0) * draw(7, 300, 4)
wrong = ltesim.detect(h, y, n0, "qpsk") != sent
print(f"mmse at 10 dB: {wrong.mean():.1e} of {wrong.size} bits wrong")

# %% The inverses that it used, and how good they are
gram = h.conj().swapaxes(-1, -2) @ h + n0 * np.eye(2)
inverse = ltesim.invert(gram.astype(np.complex64), inverter="ldl")
print(f"residual at most {np.abs(gram @ inverse - np.eye(2)).max():.0e}")
