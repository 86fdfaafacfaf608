#!/usr/bin/env python3
"""How often the 95 % interval of an SNR and of a gain covers the truth: 200 seeds of two scenarios.

    tests/bench/coverage.py path/to/ltesim [SEEDS] > tests/bench/results/coverage.txt

The truth of a scenario is the mean over its seeds, whose standard error is a fourteenth of one run's.
"""
import concurrent.futures
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

ltesim = str(pathlib.Path(sys.argv[1]).resolve())
SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
CASES = (("quick", ()), ("epa5_10mhz_2x2", ("csi=perfect",)))


def estimates(name, settings, seed, folder):
    """Each estimate of one run with its interval: {what: (db, low, high)}."""
    out = pathlib.Path(folder) / f"{name}_{seed}"
    sets = [word for one in (*settings, f"seed={seed}") for word in ("--set", one)]
    subprocess.run([ltesim, str(SCENARIOS / f"{name}.cfg"), "--only", "ber", "--quiet", "--no-plot", "--threads", "1",
                    "--backend", "cpu", "--out", str(out), *sets], check=True, capture_output=True)
    found = {}
    for at in json.loads((out / "run.json").read_text())["snr_at_rate"]:
        for detector in at["detectors"]:
            for what in ("snr", "gain"):
                if detector[f"{what}_db"] is not None and detector[f"{what}_low"] is not None:
                    found[f"{what} of {detector['detector']} at {at['measure']} {at['rate']:g}"] = (
                        detector[f"{what}_db"], detector[f"{what}_low"], detector[f"{what}_high"])
    return found


print(f"{'scenario':16s} {'estimate':30s} {'runs':>5s} {'mean dB':>9s} {'spread':>8s} {'half width':>11s} {'covered':>8s}")
with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(2) as pool:
    for scenario, more in CASES:
        runs = list(pool.map(lambda seed, s=scenario, m=more: estimates(s, m, seed, top), range(1, SEEDS + 1)))
        for label in sorted({key for run in runs for key in run}):
            seen = [run[label] for run in runs if label in run]
            if len(seen) < SEEDS / 2:
                continue
            mean = statistics.fmean(x[0] for x in seen)
            covered = sum(low <= mean <= high for _, low, high in seen)
            print(f"{scenario:16s} {label:30s} {len(seen):5d} {mean:9.3f} {statistics.stdev(x[0] for x in seen):8.4f} "
                  f"{statistics.fmean((high - low) / 2 for _, low, high in seen):11.4f} {100 * covered / len(seen):6.1f} %",
                  flush=True)
        assert not math.isnan(mean)
