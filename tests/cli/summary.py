#!/usr/bin/env python3
"""The summary of a run: its text as it is stored, in 80 columns of ASCII, and its numbers those of the files beside it.

    tests/cli/summary.py path/to/ltesim [--write]     --write stores what is printed now
"""
import csv
import json
import math
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

STORED = pathlib.Path(__file__).resolve().parents[1] / "golden" / "summary"
SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
WRITE = "--write" in sys.argv
FEW = ("sweep.min_slots=64", "sweep.max_slots=64")
DEADLINE = 4  # lines: the verdict, the work, its stages, the carriers
# scenario, settings that make it a few seconds, most lines: 20 with up to four curves, one more a curve
CASES = (("20mhz_4x4", FEW, 20), ("operating_point", ("sweep.max_slots=64", "sweep.min_slots=64"), 20),
         ("estimated", ("sweep.max_slots=32", "sweep.min_slots=32", "carrier.bandwidth_mhz=5.0"), 22),
         ("soft", ("sweep.max_slots=32", "sweep.min_slots=32"), 20), ("bler_10mhz_2x2", ("sweep.max_slots=256",), 20),
         ("throughput_20mhz_4x4", ("sweep.max_slots=256", "sweep.min_slots=256", "carrier.bandwidth_mhz=1.4"), 20),
         ("massive_20mhz_64x16", ("sweep.max_slots=8", "sweep.min_slots=8"), 21),
         ("correlated_10mhz_2x2", FEW, 20), ("adaptation_5mhz_2x2", ("sweep.max_slots=16", "sweep.min_slots=16", "code.mcs=4,10"), 60))


def summary_of(name, settings, options=()):
    out = f"out_{name}"
    done = alone(str(SCENARIOS / f"{name}.cfg"), "--no-plot", "--quiet", "--only", "ber", "--threads", "1",
                    "--backend", "cpu", "--out", out, *runs.sets(settings), *options)
    return re.sub(r"cpu:\w+", "cpu", done.stdout)


def alone(*arguments):
    """A run with what it prints by default."""
    done = subprocess.run([runs.ltesim, *arguments], cwd=top, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    return done


def rows_of(out, name):
    with open(top / out / name, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def short(rate):
    digits, power = f"{rate:.1e}".split("e")
    return f"{digits}e{int(power)}"


def is_cell(cell, rate):
    return (cell.startswith("<") and rate == 0) or cell == short(rate) or \
        (cell.startswith("(") and math.isclose(float(cell.strip("()")), rate, rel_tol=0.51))


def check_grid(name, text):
    """Every cell is a number of ber.csv or bler.csv; every shown SNR has all rows; Mbit/s stand in a last column."""
    out = f"out_{name}"
    coded = (top / out / "bler.csv").exists()
    table = rows_of(out, "bler.csv" if coded else "ber.csv")
    column = "bler" if coded else "ber"
    several = len({row["csi"] for row in table}) > 1
    names = {}
    for row in table:
        names.setdefault((row["detector"], row["csi"]), []).append(row)
    head, n = None, 0
    for line in text.splitlines():
        if re.match(r"(BER|BLER|GMI), SNR dB ", line):
            cells, _, rate_at = line.split("dB", 1)[1].partition("Mbit/s at")
            head = None if line.startswith("GMI") else [float(cell) for cell in cells.split()]
        for (detector, csi), rows in names.items():
            label = detector + (" " + csi if several else "")
            if not head or not line.lower().startswith(label.lower() + " "):
                continue
            said = line[len(label):].split()
            if len(said) != len(head) + (3 if rate_at else 0):
                continue
            for snr, cell in zip(head, said):
                row = next(r for r in rows if math.isclose(float(r["snr_db"]), snr, abs_tol=0.05))
                claim(f"{name}_{label}_{snr:g}", is_cell(cell, float(row[column] or 0)), (cell, row))
                n += 1
            if rate_at:
                row = next(r for r in rows if math.isclose(float(r["snr_db"]), float(rate_at.split()[0]), abs_tol=0.05))
                claim(f"{name}_{label}_mbit_s", said[len(head):] == [
                    f"{float(row['bits_per_s']) / 1e6:.1f}", "of", f"{float(row['peak_bits_per_s']) / 1e6:.1f}"], said)
    claim(f"{name}_has_a_grid", n > 0 or "operating" in name, text)


def check_csi(name, text):
    """The table of receivers that estimate has the numbers of run.json, rounded."""
    with open(top / f"out_{name}" / "run.json", encoding="utf-8") as file:
        known = json.load(file)["snr_at_rate"]
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("SNR at B"))

    def part(detector, what, form):
        db, low, high = (detector[f"{what}_{end}"] for end in ("db", "low", "high"))
        return form % db + (f" ({low:.2f} to {high:.2f})" if low is not None else "")

    for one, line in zip(known, lines[start + 1:]):
        zf, mmse = one["detectors"]
        both = [f"{d['snr_db']:.2f} dB" if one is known[0] else part(d, "loss", "%+.2f") for d in (zf, mmse)]
        claim(f"{name}_{one['csi']}_is_that_of_run_json",
              line.split() == " ".join([one["csi"], *(["needs"] if one is not known[0] else []), *both, part(mmse, "gain", "%.2f")]).split(), (line, one))


def pattern(text, expression):
    """The groups of the first match in a text whose lines are joined; None without one."""
    found = re.search(expression, " ".join(text.split()))
    return found.groups() if found else None


def shown(x):
    """A percentage as summaries have it."""
    return f"{x:.2g}" if x < 99.5 else f"{x:.0f}"


def few_of(text):
    """Detectors and SNRs of a grid whose cells are bounds or in brackets."""
    lines = text.splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith("BER, SNR dB ")]
    snrs = [float(cell) for cell in lines[heads[0]].split("dB")[1].split()] if heads else []
    return {(line.split()[0].lower(), snr) for line in lines for snr, cell in zip(snrs, line.split()[1:])
            if len(line.split()) == 1 + len(snrs) and cell[0] in "(<"}


def check_rows(name, text):
    """What the summary says of all rows: slots, the SNR realised, intervals, the distance from theory."""
    coded = (top / f"out_{name}" / "bler.csv").exists()
    rows = rows_of(f"out_{name}", "bler.csv" if coded else "ber.csv")
    rate = "bler" if coded else "ber"
    farthest = max(abs(float(row["snr_db_measured"]) - float(row["snr_db"])) for row in rows)
    claim(f"{name}_realised", pattern(text, r"realised to (\S+) dB") == (f"{farthest:.2f}",), farthest)
    slots = sorted({int(row["slots"]) for row in rows})
    if "operating" not in name:
        claim(f"{name}_slots", f"; {'-'.join(str(n) for n in dict.fromkeys((slots[0], slots[-1])))} common slots;" in
              " ".join(text.split()), slots)
    if name in ("20mhz_4x4", "soft", "massive_20mhz_64x16", "estimated"):
        few = few_of(text)
        told_of = [row for row in rows if (row["detector"], float(row["snr_db"])) not in few]
        widths = [100 * (float(row[rate]) / float(row[f"{rate}_low"]) - 1) for row in told_of]
        claim(f"{name}_widths", pattern(text, r"BER \+-(\S+) to (\S+) %[ ;]") == (shown(min(widths)), shown(max(widths))),
              (min(widths), max(widths)))
    for detector in ("zf",) if not coded and "operating" not in name else ():
        z = max((abs(float(row["z"])) for row in rows if row["detector"] == detector and row["z"] not in ("", "nan")),
                default=None)
        told = pattern(text, rf"{detector.upper()}[a-z ]* agrees with theory \(z (\S+)\)")
        claim(f"{name}_z", told == (None if z is None else (f"{z:.1f}",)), (z, told))
    if coded:
        rates = sorted({float(row["code_rate"]) for row in rows})
        claim(f"{name}_code_rate", pattern(text, r"code rate (\S+?)[;, ]")[0].rstrip(";") == f"{rates[0]:.3f}" and
              (len(rates) == 1 or f"({rates[1]:.3f} with DM-RS" in text), rates)


def check_gains(name, text):
    """SNRs at a rate and gains are those of run.json."""
    with open(top / f"out_{name}" / "run.json", encoding="utf-8") as file:
        known = json.load(file)["snr_at_rate"]
    told = " ".join(text.split())
    for one in known:
        for detector in one["detectors"]:
            label = detector["detector"].upper() if len(detector["detector"]) < 5 else detector["detector"].capitalize()
            if "operating" not in name and detector["snr_db"] is not None and len(known) < 3 and len(one["detectors"]) > 1:
                claim(f"{name}_{one['measure']}_snr_{label}", f"{detector['snr_db']:.2f} dB ({label})" in told, detector)
            if detector["gain_db"] is not None:
                gain, low, high = (detector[f"gain_{end}"] for end in ("db", "low", "high"))
                n = 3 if high - low < 0.025 else 2
                words = f"gains {gain:.{n}f} dB ({low:.{n}f} to {high:.{n}f})" if gain >= 0 else \
                    f"needs {-gain:.{n}f} dB more ({-high:.{n}f} to {-low:.{n}f})"
                claim(f"{name}_{one['measure']}_gain_{label}", f"{label} {words}" in told, (detector, words))


def check_soft():
    """Mutual information, the best scale and what int8 clips."""
    text = (STORED / "soft.txt").read_text(encoding="utf-8")
    rows = rows_of("out_soft", "ber.csv")
    lines = text.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("GMI, SNR dB "))
    snrs = [float(cell) for cell in lines[head].split("dB")[1].split()]
    for line in lines[head + 1:head + 3]:
        name, *cells = line.split()
        for snr, cell in zip(snrs, cells):
            row = next(r for r in rows if r["detector"] == name.lower() and float(r["snr_db"]) == snr)
            claim(f"soft_gmi_{name}_{snr:g}", cell == f"{float(row['gmi']):.2f}", (cell, row))
    scales, cuts = [float(r["llr_scale"]) for r in rows], [100 * float(r["llr_cut"]) for r in rows]
    claim("soft_scales_and_cuts", pattern(text, r"scale (\S+) to (\S+) \(1 is exact\); int8 clips (\S+) to (\S+) %") ==
          (f"{min(scales):.2f}", f"{max(scales):.2f}", f"{min(cuts):.1f}", f"{max(cuts):.1f}"), (scales, cuts))


def check_search():
    """The SNRs of a search are those of target.csv, its gain that of run.json."""
    text = (STORED / "operating_point.txt").read_text(encoding="utf-8")
    for row in rows_of("out_operating_point", "target.csv"):
        line = next(line for line in text.splitlines() if line.startswith(row["detector"].upper() + " "))
        theory = f"{float(row['snr_db_theory']):.3f}" if row["snr_db_theory"] else "-"
        claim(f"found_{row['detector']}", line.split()[1:] == [
            f"{float(row['snr_db']):.3f}", f"{float(row['snr_db_low']):.3f}", "to", f"{float(row['snr_db_high']):.3f}",
            theory, row["slots"]], (line, row))
    tried = {row["snr_db"] for row in rows_of("out_operating_point", "ber.csv")}
    claim("points_tried", f"; {len(tried)} points tried from 0 to 40 dB" in text, len(tried))


def check_envelope():
    """The best fixed MCS and their throughputs are those of envelope.csv."""
    lines = (STORED / "adaptation_5mhz_2x2.txt").read_text(encoding="utf-8").splitlines()
    rows = rows_of("out_adaptation_5mhz_2x2", "envelope.csv")
    head = next(i for i, line in enumerate(lines) if line.startswith("SNR, dB "))
    snrs = [float(cell) for cell in lines[head].split("dB")[1].split()]
    for at in (head + 1, head + 3):
        name, *rates = lines[at].split()
        for snr, rate, mcs in zip(snrs, rates, lines[at + 1].split()[1:]):
            row = next(r for r in rows if r["detector"] == name.lower() and float(r["snr_db"]) == snr)
            claim(f"envelope_{name}_{snr:g}", (rate, mcs) == (f"{float(row['bits_per_s']) / 1e6:.1f}", row["mcs"]),
                  (rate, mcs, row))


def check_text(name, settings, most):
    text = summary_of(name, settings)
    lines = text.splitlines()
    claim(f"{name}_fits", all(len(line) <= 80 for line in lines if not line.startswith("results in")), text)
    claim(f"{name}_is_ascii", text.isascii() and "\x1b" not in text)
    # --set adds its line, and facts of which the title speaks without it
    added = 2 * sum(line.startswith("changed: ") for line in lines[:4])
    claim(f"{name}_is_short", len(lines) - added + DEADLINE <= most, (len(lines), added))
    stored = STORED / f"{name}.txt"
    if WRITE:
        STORED.mkdir(parents=True, exist_ok=True)
        stored.write_text(text, encoding="utf-8")
    claim(f"{name}_is_as_stored", stored.read_text(encoding="utf-8") == text, text)
    return text


def check_gain():
    """The SNRs and the gain of the first command, from ber.csv by another road: the cubic by Newton's differences."""
    curves = {}
    for row in rows_of("out_20mhz_4x4", "ber.csv"):
        if float(row["ber"] or 0) > 0:
            curves.setdefault(row["detector"], []).append((float(row["snr_db"]), math.log10(float(row["ber"]))))
    at = {}
    for detector, points in curves.items():
        i = next(k for k in range(len(points) - 1) if points[k][1] > -2 >= points[k + 1][1])
        x, y = zip(*points[i - 1:i + 3])
        d = list(y)
        for level in range(1, 4):
            for k in range(3, level - 1, -1):
                d[k] = (d[k] - d[k - 1]) / (x[k] - x[k - level])
        low, high = x[1], x[2]
        for _ in range(60):
            middle = (low + high) / 2
            value = d[3]
            for k in (2, 1, 0):
                value = value * (middle - x[k]) + d[k]
            low, high = (middle, high) if value > -2 else (low, middle)
        at[detector] = low
    text = (STORED / "20mhz_4x4.txt").read_text(encoding="utf-8")
    claim("snrs_are_those_of_the_cubic", f"BER 1e-2 at {at['zf']:.2f} dB (ZF), {at['mmse']:.2f} dB (MMSE)" in text, at)
    claim("the_gain_is_their_difference", f"MMSE gains {at['zf'] - at['mmse']:.2f} dB" in text, at)
    with open(top / "out_20mhz_4x4" / "run.json", encoding="utf-8") as file:
        said = json.load(file)["snr_at_rate"][0]
    claim("run_json_has_them", abs(said["detectors"][1]["gain_db"] - (at["zf"] - at["mmse"])) < 1e-6, said)


def check_groups():
    """Groups hold all that was wrong or lost, so that gains of blocks and of information have intervals."""
    groups = rows_of("out_bler_10mhz_2x2", "groups.csv")
    blocks = rows_of("out_bler_10mhz_2x2", "bler.csv")
    claim("groups_hold_all_wrong_blocks", [(sum(int(g[f"e{k}"]) for k in range(16)), g["bits"]) for g in groups] ==
          [(int(b["wrong_first"]), b["blocks"]) for b in blocks], groups[:2])
    lost, gmi = rows_of("out_soft", "groups.csv"), {}
    for row in rows_of("out_soft", "rate.csv"):
        gmi.setdefault((row["detector"], row["snr_db"]), []).append(float(row["gmi"]))
    for row in lost:
        share = sum(int(row[f"l{k}"]) for k in range(16)) / (int(row["bits"]) * 8192)
        all_bits = gmi[row["detector"], row["snr_db"]]
        claim(f"groups_hold_all_lost_information_{row['detector']}_{row['snr_db']}",
              abs(1 - share - sum(all_bits) / len(all_bits)) < 1e-6, (share, all_bits))
    text = (STORED / "soft.txt").read_text(encoding="utf-8")
    claim("a_gain_of_information_has_its_interval",
          re.search(r"GMI 3 at .*: MMSE gains \d\.\d\d dB\s+\(\d\.\d\d to \d\.\d\d\)", text), text)


def check_table():
    """--table prints the rows, and below them the same summary."""
    text = summary_of("20mhz_4x4", FEW)
    whole = summary_of("20mhz_4x4", FEW, ("--table",))
    claim("the_summary_stands_below_the_table", whole.endswith("\n" + text) and "detector   SNR dB" in whole and
          "closed form" in whole and len(whole.splitlines()) > 40, whole)


for case in CASES:
    said_now = check_text(*case)
    if not case[0].startswith("adaptation"):
        check_grid(case[0], said_now)
        check_rows(case[0], said_now)
    if case[0] in ("estimated", "bler_10mhz_2x2"):
        check_csi(case[0], said_now)
    elif not case[0].startswith(("adaptation", "throughput")):
        check_gains(case[0], said_now)
check_gain()
check_soft()
check_search()
check_envelope()
check_groups()
check_table()
runs.end()
