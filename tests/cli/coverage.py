#!/usr/bin/env python3
"""How often the printed 95 % intervals hold the truth: over seeds, on slow fading with few drops.

    tests/cli/coverage.py path/to/ltesim                  three lines, 100 seeds
    tests/cli/coverage.py path/to/ltesim all [FILE]       all of them, 400 seeds; the table also goes to FILE
    tests/cli/coverage.py path/to/ltesim NAME ...         all lines of some runs, 100 seeds

The truth is that of one run over 100 times as many drops, of another seed. Beside each share stands the mean width
over 3.92 standard errors as the seeds show them: 1 is a plain interval that is as wide as it has to be. m is the
mean number of drops that carry what is rarer, as the interval tells it; with few of them it has to be wider.
"""
import concurrent.futures
import json
import math
import os
import pathlib
import shutil
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, t_quantile, top  # noqa: E402

MOST, TIMES = 92.0, 100  # percent at least; drops of the truth
WIDEST = 1.6  # where m is 10 or more
CODED = """carrier = { bandwidth_mhz = 1.4; };
antennas = { tx = 1; rx = 2; };
modulation = "qpsk";
channel = { model = "epa"; doppler_hz = 5.0; drop_slots = %d; };
detectors = ( "mmse" );
inverter = "ldl";
backend = "cpu";
code = { rate = 0.3333; transmissions = %d; };
"""
PLAIN = """carrier = { bandwidth_mhz = 1.4; };
antennas = { tx = 2; rx = 2; };
modulation = "%s";
channel = { model = "epa"; doppler_hz = 5.0; drop_slots = 20; };
detectors = ( "zf", "mmse" );
backend = "cpu";
"""
LLR = 'inverter = "ldl";\noutput = "llr";\n'
ADAPT = CODED.replace('modulation = "qpsk";\n', "").replace("{ rate = 0.3333; transmissions = %d; }",
                                                            "{ mcs = [ 2, 9 ]; transmissions = %d; }")
# name: scenario, slots of a drop, drops, SNRs
RUNS = {
    "harq": (CODED % (112, 4), 112, 16, (-12, -9, -5, 0, 5)),
    "once": (CODED % (32, 1), 32, 16, (-9, -6, -2, 2, 6)),
    "two": ((CODED % (80, 2)).replace("tx = 1", "tx = 2").replace('( "mmse" )', '( "zf", "mmse" )'), 80, 16, (0, 4, 10)),
    "bits": (PLAIN % "16qam", 20, 16, (0, 10, 20, 30)),
    "soft": (PLAIN % "64qam" + LLR, 20, 16, (0, 10, 20, 30)),
    "target": (PLAIN % "qpsk", 20, 64, ()),
    "curves": (PLAIN % "qpsk", 20, 64, (0, 5, 10, 15, 20, 25, 30)),
    "envelope": (ADAPT % (32, 1), 32, 16, (-4, 2, 8)),
}
TARGET = 1e-2


# ---- one run ----

def scenario(name, drops):
    text, drop, _, snr = RUNS[name]
    slots = drop * drops
    # rounds in threads' memory: small ones for the truth, too
    points = f"snr_points = [ {', '.join(f'{x:.1f}' for x in snr)} ];" if snr else "snr_db = [ 0.0, 30.0, 5.0 ];"
    rule = f"min_bit_errors = {0 if not snr else 1 << 40}L; min_slots = {slots}L; max_slots = {slots}L;"
    if not snr:
        points += f" target_ber = {TARGET};"
        rule = f"max_slots = {slots}L; precision = 0.01; min_slots = {slots}L;"
    return f"# {name}\n{text}sweep = {{ {points} {rule} round_slots = {drop * 16}; }};\n"


def same(x):
    return x


def tables(name, seed, drops):
    """What a run prints: key -> (value, low, high, what share of its most a value is, key of the truth)."""
    out = f"{name}_{seed}"
    runs.run(f"{name}_{drops}.cfg", "--only", "ber", "--no-plot", "--quiet", "--threads",
             str(os.cpu_count() if drops > 1000 else 1), "--out", out, "--set", f"seed={seed}")
    seen = {}

    def add(row, key, value, share=same, low=None, high=None, of=None):
        low, high = (row.get(k) for k in (low or f"{value}_low", high or f"{value}_high"))
        if low not in (None, "") and high not in (None, ""):
            seen[key] = float(row[value] or 0), float(low), float(high), share, of or key

    def add_blocks(row, at):
        peak, most = float(row["peak_bits_per_s"]), {"harq": 3, "two": 1}.get(name)
        add(row, f"BLER first, {at}", "bler")
        if most:
            add(row, f"BLER last, {at}", "bler_last")
            add(row, f"transmissions, {at}", "transmissions", lambda x: (x - 1) / most)
        add(row, f"throughput, {at}", "bits_per_s", lambda x: x / peak)
        add(row, f"iterations, {at}", "iterations", lambda x: (x - 1) / 5)

    if name == "envelope":
        for mcs in (2, 9):
            for row in runs.table(f"{out}/mcs_{mcs}", "bler.csv"):
                add(row, f"mcs {mcs}, {row['snr_db']} dB", "bits_per_s")
        for row in runs.table(out, "envelope.csv"):
            peak, at = float(row["peak_bits_per_s"]), f"{row['snr_db']} dB"
            add(row, f"best fixed MCS, {at}", "bits_per_s", lambda x, peak=peak: x / peak, of=f"mcs {row['mcs']}, {at}")
        shutil.rmtree(top / out)
        return seen
    if name in ("harq", "once", "two"):
        for row in runs.table(out, "bler.csv"):
            add_blocks(row, f"{row['detector']}, {row['snr_db']} dB" if name == "two" else f"{row['snr_db']} dB")
    if name == "target":
        for row in runs.table(out, "target.csv"):
            add(row, f"SNR at BER {TARGET:g}, {row['detector']}", "snr_db", None)
    if name in ("bits", "soft"):
        for row in runs.table(out, "ber.csv"):
            at = f"{row['detector']}, {row['snr_db']} dB"
            if name == "bits":
                add(row, f"BER, {at}", "ber")
            else:
                add(row, f"GMI, {at}", "gmi", lambda x: 1 - x / 6)
    if name == "soft":
        for row in runs.table(out, "rate.csv"):
            if row["detector"] == "mmse" and row["bit"] in "14":
                add(row, f"GMI, layer {row['layer']} bit {row['bit']}, {row['snr_db']} dB", "gmi", lambda x: 1 - x)
    # drops that carry what two detectors differ by, and groups of drops that carry an error rate near a rate
    groups = {(row["detector"], float(row["snr_db"])): [float(row[f"e{k}"]) for k in range(16)]
              for row in runs.table(out, "groups.csv")}

    def alone(values):
        total = sum(x * x for x in values)
        return max(2.0, sum(values) ** 2 / total) if total > 0 else 2.0

    told = json.loads((top / out / "run.json").read_text(encoding="utf-8"))
    for row in told["paired"] if name in ("bits", "two") else ():
        pair = zip(groups["zf", row["snr_db"]], groups["mmse", row["snr_db"]])
        add(row, f"paired difference, {row['snr_db']:g} dB", "ber_difference", alone([abs(a - b) for a, b in pair]), "low", "high")
    for csi in told["snr_at_rate"] if name == "curves" else ():
        for row in csi["detectors"]:
            at = f"{csi['rate']:g}, {row['detector']}"
            near = min((abs(snr - row["snr_db"]), snr) for name, snr in groups if name == row["detector"])[1] if row["snr_db"] else 0.0
            m = alone(groups[row["detector"], near])
            add(row, f"SNR at BER {at}", "snr_db", m, "snr_low", "snr_high")
            add(row, f"gain at BER {at}", "gain_db", m, "gain_low", "gain_high")
    shutil.rmtree(top / out)
    return seen


# ---- many of them ----

def carriers(share, low, high, n, known={}):
    """Drops that carry the rarer of a share and the rest, from its interval."""
    if share > 0.5:
        share, high, low = 1 - share, 1 - low, 1 - high
    if not 0 < low < share or share <= 0:
        return 2.0
    if n not in known:
        grid = [2 + (n - 2) * i / 200 for i in range(201)]
        known[n] = [(m, t_quantile(m - 1) * math.sqrt(max(n / m - 1, 0) / (n - 1))) for m in grid]
    width = math.log(share / low)
    return next((m for m, w in known[n] if w <= width), float(n))


def judge(name, seeds):
    """Lines of a run: name, what, truth, covered in percent, of so many, width, m (None: not known)."""
    drops = RUNS[name][2]
    for n in (drops, drops * TIMES):
        (top / f"{name}_{n}.cfg").write_text(scenario(name, n), encoding="utf-8")
    truth = tables(name, 1000003, drops * TIMES)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        seen = list(pool.map(lambda seed: tables(name, seed, drops), range(1, seeds + 1)))
    lines = []
    for key in dict.fromkeys(key for one in seen for key in one):
        rows = [(*one[key], truth[one[key][4]][0]) for one in seen if key in one and one[key][4] in truth]
        if len(rows) < seeds // 2 or key.startswith("mcs"):
            continue
        held = sum(low <= true <= high for _, low, high, _, _, true in rows)
        error = statistics.pstdev(value - true for value, _, _, _, _, true in rows)
        width = statistics.mean(high - low for _, low, high, _, _, _ in rows) / (3.92 * error) if error > 0 else math.inf
        m = None
        if rows[0][3] is not None:
            m = statistics.mean(share if isinstance(share, float) else
                                carriers(share(value), *sorted((share(low), share(high))), drops)
                                for value, low, high, share, _, _ in rows)
        lines.append((name, key, statistics.mean(row[5] for row in rows), 100 * held / len(rows), len(rows), width, m))
    return lines


def show(lines, out=sys.stdout):
    for name, key, true, covered, found, width, m in lines:
        print(f"{name:9} {key:32} {true:11.4g} {covered:7.1f}% {found:4} {width:6.2f} {f'{m:5.1f}' if m else '    -'}",
              file=out, flush=True)


HEAD = f"{'run':9} {'interval':32} {'truth':>11} {'covers':>8} {'of':>4} {'width':>6} {'m':>5}"
FEW = {"once": ("BLER first, -9 dB", "throughput, 6 dB"), "soft": ("GMI, mmse, 20 dB",)}
POINTS = {"once": (-9, 6), "soft": (20,)}  # of these


def main():
    words = sys.argv[2:]
    everything, lines = words[:1] == ["all"], []
    print(HEAD)
    for name in FEW if not words else ():
        RUNS[name] = (*RUNS[name][:3], POINTS[name])
    for name in RUNS if everything else words or FEW:
        new = judge(name, 400 if everything else 100)
        lines += new if words else [line for line in new if line[1] in FEW[name]]
        show(new if words else [line for line in new if line[1] in FEW[name]])
    for name, key, _, covered, _, width, m in lines:
        claim(f"{name}_{key}_covers", covered >= MOST, covered)
        claim(f"{name}_{key}_is_no_wider_than_it_has_to_be", m is not None and m < 10 or width <= WIDEST, (width, m))
    if len(words) > 1 and everything:
        with open(words[1], "w", encoding="utf-8") as file:
            print(HEAD, file=file)
            show(lines, file)
    runs.end()


if __name__ == "__main__":
    main()
