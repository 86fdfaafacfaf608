#!/usr/bin/env python3
"""K-best's clip that is not given, against each clip from 1 to 16 over the same draws, and against mmse.

    tests/phy/kbest_clips.py path/to/ltesim          # some points
    tests/phy/kbest_clips.py path/to/ltesim --all    # the table of tests/bench/results/kbest_clips.txt
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

CLIPS = range(1, 17)
MOST_LOSS = 0.1  # bits of a QAM symbol
ALL = "--all" in sys.argv


def run(out, n, modulation, names, snr, slots):
    """The mutual information by SNR and detector; all runs have the same draws."""
    (top / "s.cfg").write_text(
        f'# clips\ncarrier = {{ bandwidth_mhz = 1.4; }};\nantennas = {{ tx = {n}; rx = {n}; }};\n'
        f'modulation = "{modulation}";\nchannel = {{ model = "rayleigh"; }};\nbackend = "cpu";\noutput = "llr";\n'
        f'detectors = {json.dumps(names)};\n'.replace("[", "(").replace("]", ")"), encoding="utf-8")
    points = ",".join(str(x) for x in snr)
    runs.run("s.cfg", "--no-plot", "--quiet", "--only", "ber", "--out", out,
             *runs.sets([f"sweep.snr_points=({points})", "sweep.min_bit_errors=0", *runs.slots(slots)]))
    return {(float(row["snr_db"]), row["detector"]): float(row["gmi"]) for row in runs.table(out, "ber.csv")}


def check(n, modulation, k, snr, slots):
    """Claims of a size, and its lines."""
    given = {clip: f"kbest-{k}-clip{clip}" for clip in CLIPS}
    rate = run(f"a_{n}_{modulation}_{k}", n, modulation, ["mmse", f"kbest-{k}", *list(given.values())[:4]], snr, slots)
    rate |= run(f"b_{n}_{modulation}_{k}", n, modulation, list(given.values())[4:], snr, slots)
    for at in snr:
        by_clip = {clip: rate[at, name] for clip, name in given.items()}
        best = max(CLIPS, key=by_clip.get)
        own, mmse = rate[at, f"kbest-{k}"], rate[at, "mmse"]
        claim(f"clip_is_near_the_best_{n}x{n}_{modulation}_k{k}_{at:g}_db", own >= by_clip[best] - MOST_LOSS,
              f"{own:.3f}, {by_clip[best]:.3f} with clip {best}")
        if ALL:
            print(f"{n}x{n}  {modulation:5}  {k:2}  {at:4g}  {best:4}  {by_clip[best]:7.3f}  {own:7.3f}  "
                  f"{own - by_clip[best]:+7.3f}  {by_clip[5]:7.3f}  {mmse:7.3f}{'  below mmse' if own < mmse else ''}", flush=True)


if ALL:
    print("size  QAM     k   SNR  best  at best  by rule  by rule - best  clip 5  mmse")
    for layers in (2, 4):
        for symbols in ("qpsk", "16qam", "64qam"):
            for vectors in (4, 16, 64):
                check(layers, symbols, vectors, [float(x) for x in range(10, 31, 2)], 64)
else:
    check(2, "64qam", 16, [10.0, 14.0, 22.0], 16)
    check(4, "qpsk", 16, [10.0], 16)
    check(4, "16qam", 16, [10.0, 18.0], 16)
    check(4, "64qam", 16, [10.0, 14.0, 18.0, 22.0, 30.0], 16)
    check(4, "64qam", 4, [14.0], 16)
    check(4, "64qam", 64, [14.0], 16)

runs.end()
