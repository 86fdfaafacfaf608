#!/usr/bin/env python3
"""What a program has become: new over old rates, by order, detector, output and channel knowledge.

    tests/bench/orders.py OLD NEW --backend cpu:v3 --out table.json
    tests/bench/orders.py OLD NEW --backend cuda --part slot --only '[48]x[48]' --limit 500
    tests/bench/orders.py --show table.json --markdown

Both programs run whole commands, in turn in one run: old, new, new, old. A rate is in slots per
second by the program's own result files, so that its start is not in it: a sweep's from the
seconds of its rows, a slot's from its median. The ratio is the median over the pairs. Before a pair
is timed both must have counted the same: every column that both have but the seconds of every row.
A row that loses more than its bound is marked, which decides nothing. Exit 1: the programs count
differently, not both refuse a row alike, a run failed, or nothing was timed. Exit 2: wrong usage.

Processors run one thread. A device's slots are those with the data there; the same from host memory
are rows of their own (`host`), and so are periods of many carriers, which other kernels take.
"""
import argparse
import collections
import contextlib
import csv
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import orders_table

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
SHAPES = [(1, 1), (2, 2), (2, 3), (3, 3), (4, 4), (4, 5), (5, 5), (6, 6), (7, 7), (8, 8), (8, 9)]
DETECTORS = ["zf", "mmse", "mrc", "cg-8", "neumann-8"]
OUTPUTS = {"bits": "hard", "llr": "llr"}
ESTIMATED = ["channel.model=eva", "csi=despread"]
CSI = {"known": [],
       "one": [*ESTIMATED, "csi_references=1"],
       "two": [*ESTIMATED, "csi_references=2", "channel.doppler_hz=5"]}
STORED, STORED_SOFT, ELSEWHERE, RARE = 0.02, 0.05, 0.15, 0.5  # bounds of what a row may lose
RARE_ORDERS = (3, 5, 6, 7)  # bound RARE on a device
MANY = 64  # carriers, where a device's throughput counts
FEWEST_PERIODS, MOST_PERIODS, DISTINCT = 20, 5000, 8
RUN_LIMIT_S = 300

# unit: slots come in multiples of it; carriers of a period, 0 in a sweep
Case = collections.namedtuple("Case", "name kind scenario settings unit carriers bound")
Done = collections.namedtuple("Done", "counts rates seconds device")


class Refused(Exception):
    """The program takes no such scenario."""


class Failed(Exception):
    """The row cannot be: what is wrong."""


# ---- what is timed ----

BASE = "20mhz_8x8"  # names no detector that an old program does not have


def order_cases(backend, part, inverter):
    for tx, rx in SHAPES:
        for detector in DETECTORS:
            for output, key in OUTPUTS.items():
                for csi, settings in CSI.items():
                    rare = tx in RARE_ORDERS and backend.startswith("cuda")
                    for where, carriers in places(backend, part):
                        yield Case(f"{where} {tx}x{rx} {detector} {output} {csi}", "order",
                                   BASE,
                                   [f"antennas.tx={tx}", f"antennas.rx={rx}",
                                    f"detectors={detector}", f"inverter={inverter}",
                                    f"output={key}", *settings],
                                   64, carriers, RARE if rare else ELSEWHERE)


def places(backend, part):
    """Names of what is timed, and the carriers of a period."""
    if part == "sweep":
        return [("sweep", 0)]
    return [("slot", 1), ("carriers", MANY)] if backend.startswith("cuda") else [("slot", 1)]


def figure_cases(backend, part):
    """The rows whose figures are stored."""
    soft = STORED if backend.startswith("cuda") else STORED_SOFT
    for n in (2, 4, 8):
        for inverter in ("ldl", "gauss-jordan"):
            for where, carriers in places(backend, part):
                yield Case(f"{where} 20mhz_{n}x{n} mmse {inverter}", "figure", BASE,
                           ["detectors=mmse", f"inverter={inverter}", f"antennas.tx={n}",
                            f"antennas.rx={n}"], 64, carriers, STORED)
    if part == "sweep":
        yield Case("sweep soft", "figure", "soft", [], 64, 0, soft)
        yield Case("sweep throughput_20mhz_4x4", "figure", "throughput_20mhz_4x4", [], 128, 0, soft)
        return
    for path in sorted(SCENARIOS.glob("*.cfg")):
        text = path.read_text(encoding="utf-8")
        llrs = re.search(r"^(output *= *.llr|code *=)", text, re.MULTILINE)
        one = ["code.mcs=10"] if re.search(r"mcs *= *[\[(]", text) else []
        yield Case(f"slot {path.stem}", "figure", path.stem, one, 64, 1, soft if llrs else STORED)


# ---- a run of a program ----

def reason_of(refusal):
    """A refusal without what it is of: what it says behind the last colon."""
    return refusal.rsplit(": ", 1)[-1]


def table(folder, name):
    """A result file's rows; none where there is no such file."""
    path = folder / name
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def sweep_result(folder, wanted):
    """What a sweep counted, and its slots per second: of its last point."""
    rows = table(folder, "ber.csv") or table(folder, "bler.csv")
    if not rows or any(int(row["slots"]) != wanted for row in rows):
        raise Failed(f"{wanted} slots were asked for, not counted")
    last = [row for row in rows if float(row["snr_db"]) == max(float(r["snr_db"]) for r in rows)]
    seconds = sum(float(row["seconds"]) for row in last)
    counts = [[{k: v for k, v in row.items() if k != "seconds"} for row in table(folder, name)]
              for name in ("ber.csv", "bler.csv", "layers.csv", "rate.csv")]
    return counts, {"": wanted / seconds}, seconds


def slot_result(folder, run, wanted, carriers):
    """What the slots' bits had of errors, and slots per second by the median of a period."""
    part = run["deadline"]
    keys = ("bits", "bit_errors", "distinct_slots", "blocks", "wrong_blocks")
    counts = [{key: of.get(key) for key in keys} for of in (part, part.get("device") or {})]
    if not counts[0]["bits"] or part["slots"] < wanted:
        raise Failed(f"{wanted} slots were asked for, not all timed")
    stages = {(row["placement"], row["stage"]): float(row["p50_us"])
              for row in table(folder, "timing.csv")}
    p50_us = {place: stages.get((place, "block"), stages.get((place, "slot")))
              for place, stage in stages if stage == "slot"}
    seconds = 1e-6 * wanted * max(p50_us.values())
    # resident data are what a device is judged by; from host memory is a row beside it
    names = {"device": "", "host": " host"} if "device" in p50_us else {"host": ""}
    return counts, {names[p]: 1e6 * carriers / us for p, us in p50_us.items()}, seconds


def run(program, case, backend, slots):
    """A run of so many slots: counts, rates by the ending of the row's name, and seconds."""
    settings = list(case.settings)
    if case.carriers:
        settings += [f"deadline.slots={slots}", f"deadline.distinct={DISTINCT}",
                     f"deadline.carriers={case.carriers}", "deadline.paced=false",
                     "deadline.budget_us=0.001"]  # never met: no search for carriers
    else:
        # a device's first point loads its code
        points = "20.0,20.5" if backend.startswith("cuda") else "20.0"
        settings += [f"sweep.snr_points=[{points}]", f"sweep.min_slots={slots}",
                     f"sweep.max_slots={slots}"]
    with tempfile.TemporaryDirectory() as top:
        folder = pathlib.Path(top) / "out"
        command = [program, str(SCENARIOS / f"{case.scenario}.cfg"), "--backend", backend,
                   "--only", "deadline" if case.carriers else "ber", "--quiet", "--no-plot",
                   "--out", str(folder), *(w for s in settings for w in ("--set", s))]
        if not backend.startswith("cuda"):
            command += ["--threads", "1"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False,
                                  timeout=RUN_LIMIT_S)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"a run took over {RUN_LIMIT_S} s") from late
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        if done.returncode in (1, 2):  # 1: not built in, or failed while running
            raise Refused(reason_of(said))
        if done.returncode != 0:
            raise Failed(f"exit code {done.returncode}: {said}")
        with open(folder / "run.json", encoding="utf-8") as file:
            made = json.load(file)
        counted = (slot_result(folder, made, slots, case.carriers) if case.carriers
                   else sweep_result(folder, slots))
        return Done(*counted, made["device"])


# ---- pairs ----


def alike(old, new):
    """Whether both have counted the same, in the columns that both have but for the ends of intervals."""
    if isinstance(old, dict):
        return all(alike(old[key], new[key]) for key in old.keys() & new.keys() if not key.endswith(("_low", "_high")))
    if isinstance(old, list):
        return len(old) == len(new) and all(alike(a, b) for a, b in zip(old, new))
    return old == new


def pair(programs, case, backend, slots, backwards):
    """Old and new, which have counted the same; raises Refused where neither takes the case."""
    done, refusals = [], []
    for program in reversed(programs) if backwards else programs:
        try:
            done.append(run(program, case, backend, slots))
        except Refused as refused:
            refusals.append(str(refused))
    if len(refusals) == 2 and refusals[0] == refusals[1]:
        raise Refused(refusals[0])
    if refusals:
        raise Failed(f"not refused by both alike: {' / '.join(refusals)}")
    old, new = reversed(done) if backwards else done
    if not alike(old.counts, new.counts):
        raise Failed("the programs count differently")
    if old.rates.keys() != new.rates.keys():
        raise Failed("the programs time different placements")
    return old, new


def slots_for(case, slots, seconds, wanted):
    """Slots that take the seconds wanted, where so many took those seconds."""
    unit = 2 if case.carriers else case.unit
    n = max(1, round(slots * wanted / max(seconds, 1e-6) / unit)) * unit
    return min(max(n, FEWEST_PERIODS), MOST_PERIODS) if case.carriers else n


def measure(programs, case, options, guess):
    """The case's rows, the slots of a run, the device: pairs that find the slots, then others."""
    slots, pairs = guess, []
    for _ in range(4):
        first = pair(programs, case, options.backend, slots, False)
        seconds = statistics.mean(done.seconds for done in first)
        fit = slots_for(case, slots, seconds, options.seconds)
        if fit == slots or 0.5 <= seconds / options.seconds <= 2:
            pairs = [first]  # as long as those to come
            break
        slots = fit
    while len(pairs) < options.repeat:
        pairs.append(pair(programs, case, options.backend, slots, len(pairs) % 2 == 1))
    rows = []
    for ending in pairs[0][0].rates:
        old, new = ([p[i].rates[ending] for p in pairs] for i in (0, 1))
        ratios = [b / a for a, b in zip(old, new)]
        rows.append({"name": case.name + ending, "kind": case.kind, "slots": slots,
                     "old_slots_per_s": statistics.median(old),
                     "new_slots_per_s": statistics.median(new),
                     "ratio": statistics.median(ratios),
                     "low": min(ratios), "high": max(ratios),
                     "best": max(new) / max(old), "bound": case.bound})
    return rows, slots, pairs[0][1].device


# ---- all of them ----

def refuse(why):
    print(f"orders.py: {why}", file=sys.stderr)
    sys.exit(2)


def version(program):
    """The first line of what a program says of itself."""
    try:
        return subprocess.run([program, "--version"], capture_output=True, text=True,
                              check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError) as error:
        refuse(f"{program} --version: {error}")


def store(result, path):
    """A whole file or the one before."""
    if path:
        with open(f"{path}.part", "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")
        os.replace(f"{path}.part", path)


def earlier(path, result):
    """Takes the rows of an earlier call over, which must be of the same programs."""
    with open(path, encoding="utf-8") as file:
        before = json.load(file)
    for key in ("backend", "inverter", "old", "new"):
        if before[key] != result[key]:
            refuse(f"--resume {path}: its {key} is {before[key]}, not {result[key]}")
    for key in ("rows", "left_out", "devices"):
        result[key] = before[key]


def time_all(cases, options, result):
    """Fills the result, which is stored after each case; stops at the limit."""
    programs = [str(pathlib.Path(p).resolve()) for p in (options.old, options.new)]
    start, longest, guesses = time.monotonic(), 0.0, {}
    known = {row["name"] for row in result["rows"] + result["left_out"]}
    todo = [case for case in cases if case.name not in known]
    for i, case in enumerate(todo):
        result["missing"] = [case.name for case in todo[i:]]
        begun = time.monotonic()
        if options.limit and begun - start + longest > options.limit:
            break
        kind = (case.name.split()[0], case.scenario)
        guess = guesses.get(kind, FEWEST_PERIODS if case.carriers else case.unit)
        try:
            rows, guesses[kind], device = measure(programs, case, options, guess)
            result["rows"] += rows
            result["devices"] = sorted({*result["devices"], device})
            for row in rows:
                print(orders_table.line(row), file=sys.stderr, flush=True)
        except Refused as refused:
            result["left_out"].append({"name": case.name, "reason": str(refused)})
        except Failed as failed:
            result["failed"].append({"name": case.name, "reason": str(failed)})
            print(f"FAILED {case.name}: {failed}", file=sys.stderr, flush=True)
        result["missing"] = [case.name for case in todo[i + 1:]]
        longest = max(longest, time.monotonic() - begun)
        store(result, options.out)


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("old", nargs="?", help="a program, ltesim")
    parser.add_argument("new", nargs="?", help="another")
    parser.add_argument("--backend", default="cpu:v3", help="cpu:ref, cpu:v3, cpu:v4, cuda")
    parser.add_argument("--part", choices=("sweep", "slot"), action="append",
                        help="one of the two (default: both)")
    parser.add_argument("--kind", choices=("order", "figure"), action="append",
                        help="rows by order, or those whose figures are stored (default: both)")
    parser.add_argument("--inverter", default="gauss-jordan", help="of the rows by order")
    parser.add_argument("--only", default="", metavar="FILTER",
                        help="a regular expression that is found in a row's name")
    parser.add_argument("--seconds", type=float,
                        help="of a run, about (default: 0.3, on a device 0.5)")
    parser.add_argument("--repeat", type=int, default=3, help="pairs of a row (default: 3)")
    parser.add_argument("--limit", type=float, metavar="SECONDS",
                        help="begin no row that would end later")
    parser.add_argument("--out", metavar="FILE.json", help="where the rows are stored")
    parser.add_argument("--resume", metavar="FILE.json",
                        help="keep the rows of an earlier call, time what is missing there")
    parser.add_argument("--list", action="store_true", help="print the rows' names, time none")
    parser.add_argument("--show", metavar="FILE.json", help="print a stored table, time nothing")
    parser.add_argument("--markdown", action="store_true", help="print tables of Markdown")
    options = parser.parse_args(arguments)
    if not options.show and not options.list and not options.new:
        parser.error("two programs are wanted, OLD and NEW")
    if options.repeat < 1 or (options.seconds is not None and not options.seconds > 0):
        parser.error("--repeat and --seconds are above 0")
    if options.seconds is None:
        options.seconds = 0.5 if options.backend.startswith("cuda") else 0.3
    return options


def cases_of(options):
    for part in options.part or ("sweep", "slot"):
        for kind in options.kind or ("figure", "order"):
            cases = (figure_cases(options.backend, part) if kind == "figure"
                     else order_cases(options.backend, part, options.inverter))
            yield from (case for case in cases if re.search(options.only, case.name))


def main(arguments):
    options = options_of(arguments)
    if options.show:
        with open(options.show, encoding="utf-8") as file:
            print(orders_table.text(json.load(file), options.markdown), end="")
        return 0
    cases = list(cases_of(options))
    if options.list:
        print("\n".join(case.name for case in cases))
        return 0
    now = datetime.datetime.now(datetime.timezone.utc)
    result = {"date": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "backend": options.backend,
              "devices": [], "old": version(options.old), "new": version(options.new),
              "inverter": options.inverter, "seconds": options.seconds, "repeat": options.repeat,
              "rows": [], "left_out": [], "missing": [], "failed": []}
    if options.resume:
        earlier(options.resume, result)
    interrupted = False
    with contextlib.suppress(KeyboardInterrupt):
        interrupted = True
        time_all(cases, options, result)
        interrupted = False
    store(result, options.out)
    print(orders_table.text(result, options.markdown), end="")
    if interrupted:
        return 130
    return 1 if result["failed"] or not result["rows"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
