#!/usr/bin/env python3
"""Silent layers of stored channels: counted as they lie in the file, by whoever counts.

    tests/sim/silent.py path/to/ltesim path/to/write_channels
"""
import fractions
import json
import math
import pathlib
import re
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

write_channels = str(pathlib.Path(sys.argv[2]).resolve())
N_RX, N_TX, N_SC = 3, 2, 72
SCENARIO = """# layers
carrier = { bandwidth_mhz = 1.4; };
antennas = { tx = 2; rx = 3; };
modulation = "qpsk";
channel = { model = "file"; file = "stored.h5"; };
csi = ( "perfect", "dmrs-ls" );
detectors = ( "zf", "mmse", "ml" );
inverter = "gauss-jordan";
backend = "cpu";
sweep = { snr_points = ( 5.0, 15.0 ); min_bit_errors = 1000000000L; min_slots = 44L; max_slots = 44L; round_slots = 4; };
"""
(top / "silent.cfg").write_text(SCENARIO, encoding="utf-8")


def in_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def matrix(slot, sc):
    """Columns [N_TX][N_RX] of a slot's matrix: each number is the real part of an element."""
    fine = [[1.0, 0.25, -0.5], [0.125, -1.0, 0.75]]
    if slot == 1 and sc < 10:  # a column of zeros
        fine[0] = [0.0, -0.0, 0.0]
    if slot == 2:  # nothing at all
        return [[0.0] * N_RX] * N_TX
    if slot == 3 and sc < 20:  # a weak layer
        fine[1] = [1e-30] * N_RX
    if slot == 3 and 20 <= sc < 27:  # a layer that floats do not hold
        fine[1] = [1e-50] * N_RX
    if slot == 3 and 30 <= sc < 35:  # one that is lost beside a strong one
        fine = [[900.0, 1.0, 1.0], [1.4e-45] * N_RX]
    if slot == 3 and 40 <= sc < 45:  # and one that is not
        fine = [[900.0, 1.0, 1.0], [1e-42] * N_RX]
    return fine


def silent_layers(columns):
    """By exact numbers: half of the least float over 2^k becomes 0, and what is less."""
    columns = [[in_float(x) for x in column] for column in columns]
    largest = max(abs(x) for column in columns for x in column)
    power = fractions.Fraction(2) ** (math.frexp(largest)[1] - 1) if largest else 1
    least = fractions.Fraction(2) ** -150
    return sum(all(abs(fractions.Fraction(x)) / power <= least for x in column) for column in columns)


def write(name, n_slots, n_h=1, drop_slots=1):
    """A file of such slots, and how many silent layers each has."""
    numbers, silent = bytearray(), []
    for slot in range(n_slots):
        # with several matrices a slot all but the first are those of slot 0
        of = [[matrix(slot % 16 if h == 0 else 0, sc) for sc in range(N_SC)] for h in range(n_h)]
        silent.append(sum(silent_layers(columns) for row in of for columns in row))
        for rx in range(N_RX):
            for tx in range(N_TX):
                for row in of:
                    numbers += b"".join(struct.pack("2f", columns[tx][rx], 0.0) for columns in row)
    shape = map(str, (n_slots, N_RX, N_TX, n_h, N_SC, drop_slots))
    subprocess.run([write_channels, top / name, *shape], input=bytes(numbers), check=True)
    return silent


def arguments(out, *settings, options=()):
    return ["silent.cfg", "--no-plot", "--quiet", "--out", out, *runs.sets(settings), *runs.ber_alone(options), *options]


def run(out, *settings, options=()):
    return runs.run(*arguments(out, *settings, options=options))


def counted(out, name="ber.csv"):
    rows = runs.table(out, name)
    for row in rows:
        del row["seconds"]
    return rows


def expected_of(slots, n):
    return sum(slots[slot % len(slots)] for slot in range(n))


def check_rows(name, out, of_row, table="ber.csv"):
    """Each row with perfect CSI has what is expected of it, others have none; run.json sums them up."""
    rows, info = runs.table(out, table), json.loads((top / out / "run.json").read_text(encoding="utf-8"))
    wanted = [of_row(row) if row["csi"] == "perfect" else 0 for row in rows]
    seen = [int(row["silent"]) for row in rows]
    claim(f"{name}_rows", len(rows) > 0 and any(wanted) and seen == wanted, (seen, wanted))
    claim(f"{name}_is_the_last_column", list(rows[0])[-1] == "silent", list(rows[0]))
    sums = {}
    for row, n in zip(rows, wanted):
        key = row["detector"], row["csi"]
        sums[key] = sums.get(key, 0) + n
    told = {(entry["detector"], entry["csi"]): entry["silent"] for entry in info["detectors"]}
    claim(f"{name}_in_run_json", told == sums, (told, sums))


def check_bits():
    slots = write("stored.h5", 5)  # not as many as a round has
    claim("slots_have_what_was_put_in", slots == [0, 10, 2 * N_SC, 7 + 5, 0], slots)
    n = expected_of(slots, 44)
    done = run("whole", options=("--threads", "1", "--report"))
    check_rows("bits", "whole", lambda row: n)
    claim("summary_tells_the_sum", str(6 * n) in done.stdout.split(), done.stdout)
    page = (top / "whole" / "report.html").read_text(encoding="utf-8")
    claim("page_tells_the_sum", str(6 * n) in re.split(r"\W+", page))
    for slot in range(5):
        words = run("none", options=("--replay", str(slot))).stdout.split()
        told = [words[i - 1] for i, word in enumerate(words) if word == "silent"]
        claim(f"replay_of_slot_{slot}", told == [str(slots[slot])] * (slots[slot] > 0), told)
    for name, options in (("two_threads", ("--threads", "2")), ("ref", ("--backend", "cpu:ref"))):
        run(name, options=options)
        claim(f"{name}_same", counted(name) == counted("whole"))
    runs.check_interrupted(counted, lambda out: arguments(out, "sweep.min_slots=4096", "sweep.max_slots=4096",
                                                          "sweep.snr_points=(25)"))
    check_rows("resumed", "broken", lambda row: expected_of(slots, 4096))
    run("part0", options=("--slots", "0:19"))
    run("part1", options=("--slots", "20:43"))
    runs.check_merge(counted, "whole", "part0", "part1")
    check_rows("merged", "merged", lambda row: n)
    run("llrs", "output=llr")
    check_rows("llrs", "llrs", lambda row: n)
    slots = write("moving.h5", 5, n_h=7)
    run("moving", f"channel.file={top}/moving.h5")
    check_rows("moving", "moving", lambda row: expected_of(slots, 44))
    run("fine", "channel.model=epa", "channel.file=default")
    claim("drawn_channels_have_none", {row["silent"] for row in runs.table("fine", "ber.csv")} == {"0"})


def check_blocks():
    """Blocks: the subframes that each detector was sent, by the lines of blocks.csv."""
    slots = write("drops.h5", 256, drop_slots=128)
    common = f"channel.file={top}/drops.h5", "sweep.min_slots=256", "sweep.max_slots=256", "sweep.round_slots=128", \
        "sweep.snr_points=(-2,12)"
    run("once", *common, "code.rate=0.5")
    check_rows("once", "once", lambda row: expected_of(slots, 256), "bler.csv")
    run("harq", *common, "code.rate=0.5", "code.transmissions=4", options=("--blocks",))
    sent = {}
    point = 128 // 2 - 8 * 3  # later subframes only carry on what has begun
    for line in runs.table("harq", "blocks.csv"):
        if int(line["subframe"]) < point:
            key = line["csi"], line["detector"], line["snr_db"]
            sent.setdefault(key, set()).add(128 * int(line["drop"]) + 2 * int(line["subframe"]))
    check_rows("harq", "harq", lambda row: sum(
        slots[slot] + slots[slot + 1]
        for slot in sent.get((row["csi"], row["detector"], row["snr_db"]), ())), "bler.csv")
    run("harq_ref", *common, "code.rate=0.5", "code.transmissions=4", options=("--backend", "cpu:ref", "--threads", "1"))
    claim("harq_ref_same", counted("harq_ref", "bler.csv") == counted("harq", "bler.csv"))


check_bits()
check_blocks()
runs.end()
