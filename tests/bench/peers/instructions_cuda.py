#!/usr/bin/env python3
"""Operations that --explain says of a slot, beside the instructions that ncu counts on a device.

    tests/bench/peers/instructions_cuda.py build/ltesim
    tests/bench/peers/instructions_cuda.py build/ltesim --detectors mmse,ml --carriers 8
    tests/bench/peers/instructions_cuda.py --launches launches.csv

4x4, 16QAM, 20 MHz: every detector to bits, and some with LLRs. Each runs the deadline alone with more
carriers than a persistent kernel takes, so that kernels are launched; ncu counts those of the first
periods and ends the program. Launches repeat from period to period, so a slot has those of one
repetition over the carriers. Counted are fadd + fmul + 2 ffma of all threads that are not masked:
a division is 5 ffma, 1 / x 2 ffma and a fadd, a root 2 fmul and 2 ffma, as the formulas have them.
It decides nothing: exit 0 if every row was counted, 1 if some were not, 2 for wrong usage.
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

SCENARIO = pathlib.Path(__file__).resolve().parents[3] / "scenarios" / "detectors_4x4.cfg"
BITS = ["zf", "mmse", "mrc", "cg", "neumann", "mmse-sic", "kbest", "fsd", "lr-mmse", "ml"]
LLRS = ["mmse", "ml"]
SASS = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
WEIGHTS = {SASS.format("fadd"): 1, SASS.format("fmul"): 1, SASS.format("ffma"): 2}
BYTES, INSTRUCTIONS = "dram__bytes.sum", "smsp__inst_executed.sum"
METRICS = [*WEIGHTS, BYTES, INSTRUCTIONS]
LEAST_CARRIERS = 5  # from here on no kernel is persistent
LAUNCHES, LIMIT_S = 24, 60


class Failed(Exception):
    """A row that could not be counted: why."""


def settings(detectors, llrs, snr_db):
    """The options of a call for some detectors."""
    pairs = [f"detectors={','.join(detectors)}", f"deadline.detector={detectors[0]}",
             f"deadline.detectors={detectors[0]}", f"deadline.snr_db={snr_db}",
             f"output={'llr' if llrs else 'hard'}"]
    return [word for pair in pairs for word in ("--set", pair)]


def explained(program, backend, detectors, llrs, snr_db):
    """Operations and KB of a slot by the name that the program prints."""
    command = [program, str(SCENARIO), "--explain", "--backend", backend, *settings(detectors, llrs, snr_db)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=4 * LIMIT_S)
    if done.returncode != 0:
        raise Failed(done.stderr.strip() or f"exit {done.returncode}")
    lines = done.stdout.split("\nfloors", 1)[-1].splitlines()
    rows = [line.split() for line in lines[2:2 + len(detectors)]]
    return {row[0]: (1e6 * float(row[3]), float(row[4])) for row in rows}


def launches_of(path):
    """Kernels in their order: name with its grid, and the value of each metric."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise Failed("ncu counted no kernel: " + " ".join(lines[-2:]))
    launches = {}
    for row in csv.DictReader(lines[start:]):
        if not (row.get("ID") or "").isdigit():
            continue
        launch = launches.setdefault(int(row["ID"]), {"kernel": f"{row['Kernel Name']} {row.get('Grid Size', '')}"})
        launch[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return [launches[key] for key in sorted(launches)]


def repetition(kernels):
    """Where launches begin to repeat, and after how many: to the end, at least twice."""
    for first in range(len(kernels)):
        for period in range(1, (len(kernels) - first) // 2 + 1):
            if all(kernels[i] == kernels[i + period] for i in range(first, len(kernels) - period)):
                return first, period
    raise Failed(f"{len(kernels)} launches that do not repeat; --launches-counted takes more")


def slot_sums(launches, carriers):
    """Sums of a slot over the whole repetitions, and their kernels."""
    kernels = [launch["kernel"] for launch in launches]
    first, period = repetition(kernels)
    whole = (len(kernels) - first) // period * period
    of = launches[first:first + whole]
    slots = whole // period * carriers
    sums = {metric: sum(launch.get(metric, 0.0) for launch in of) / slots for metric in METRICS}
    names = {re.sub(r"[<(].*", "", re.sub(r"^void |<unnamed>::", "", kernel)) for kernel in kernels[first:first + period]}
    return sums, sorted(names)


def counted(arguments, detector, llrs):
    """What ncu counts of a slot."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "ncu.csv"
        command = [arguments.ncu, "--csv", "--log-file", str(log), "--print-units", "base", "--clock-control", "none",
                   "--metrics", ",".join(METRICS), "--launch-count", str(arguments.launches_counted), "--kill", "yes",
                   arguments.program, str(SCENARIO), "--only", "deadline", "--quiet", "--no-plot",
                   "--out", str(pathlib.Path(folder) / "out"), "--backend", arguments.backend,
                   *settings([detector], llrs, arguments.snr_db), "--set", "deadline.paced=false",
                   "--set", "deadline.slots=64", "--set", "deadline.distinct=64",
                   "--set", f"deadline.carriers={arguments.carriers}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"not done in {LIMIT_S} s") from late
        except OSError as error:
            raise Failed(f"{arguments.ncu}: {error.strerror}") from error
        if not log.exists():
            raise Failed((done.stderr or done.stdout).strip()[-200:])
        return slot_sums(launches_of(log), arguments.carriers)


def rows_of(arguments):
    """Prints the table; returns how many rows were not counted."""
    missing = 0
    print(f"a slot of 4x4 16QAM at 20 MHz, {arguments.snr_db:g} dB, {arguments.backend}, "
          f"{arguments.carriers} carriers\n")
    print(f"{'detector':16} {'explained':>10} {'ncu':>10} {'ratio':>6} {'KB':>7} {'dram KB':>8} {'warp inst.':>10}  kernels")
    for llrs, detectors in ((False, arguments.detectors), (True, arguments.llrs)):
        said = explained(arguments.program, arguments.backend, detectors, llrs, arguments.snr_db) if detectors else {}
        for detector in detectors:
            name = next((n for n in (detector, *said) if n in said and (n == detector or n.startswith(f"{detector}-"))), "")
            if not name:
                print(f"{detector:16} is not in --explain", flush=True)
                missing += 1
                continue
            label = name + (" LLRs" if llrs else "")
            operations, kilobytes = said[name]
            try:
                sums, kernels = counted(arguments, detector, llrs)
            except Failed as failure:
                print(f"{label:16} {operations:10.4g} not counted: {failure}", flush=True)
                missing += 1
                continue
            by_ncu = sum(weight * sums[metric] for metric, weight in WEIGHTS.items())
            print(f"{label:16} {operations:10.4g} {by_ncu:10.4g} {by_ncu / operations:6.3f} {kilobytes:7.4g} "
                  f"{1e-3 * sums[BYTES]:8.4g} {sums[INSTRUCTIONS]:10.4g}  {', '.join(kernels)}", flush=True)
    return missing


def main():
    """Reads the options; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    names = lambda text: [name for name in text.split(",") if name]  # noqa: E731
    parser.add_argument("program", nargs="?", help="ltesim with device code")
    parser.add_argument("--ncu", default="ncu", help="that program")
    parser.add_argument("--backend", default="cuda", help="the device")
    parser.add_argument("--detectors", type=names, default=BITS, help="to bits: " + ",".join(BITS))
    parser.add_argument("--llrs", type=names, default=LLRS, help="with LLRs: " + ",".join(LLRS))
    parser.add_argument("--snr-db", type=float, default=25.0, dest="snr_db")
    parser.add_argument("--carriers", type=int, default=8, help=f"{LEAST_CARRIERS} or more")
    parser.add_argument("--launches-counted", type=int, default=LAUNCHES, help="kernels of a run that are counted")
    parser.add_argument("--launches", help="no run: what ncu --csv wrote to this file, a slot of it")
    arguments = parser.parse_args()
    if arguments.carriers < LEAST_CARRIERS or not (arguments.program or arguments.launches):
        parser.error(f"a program and {LEAST_CARRIERS} carriers or more are needed")
    try:
        if arguments.launches:
            sums, kernels = slot_sums(launches_of(arguments.launches), arguments.carriers)
            print(", ".join(kernels), *(f"{metric} {value:.6g}" for metric, value in sums.items()), sep="\n")
            return 0
        return 1 if rows_of(arguments) else 0
    except (Failed, OSError, subprocess.SubprocessError) as failure:
        print(f"instructions_cuda.py: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
