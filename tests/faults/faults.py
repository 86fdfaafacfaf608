#!/usr/bin/env python3
"""Every allocation, thread, read, write, sync, rename and removal of a short run fails once.

    tests/faults/faults.py path/to/ltesim path/to/ltesim_failing_host [STRIDE[:EDGE]]

STRIDE 1, as by default, takes every one; N takes each N-th, and with it the first and the last EDGE (10)
of each kind.
Each run must end right, or with one clear line and its exit code; what it leaves in its folder is
whole, and the run after it comes to the rows of one that was left alone. tests/faults/failing_host.c says
how calls fail. Exit 77 (skipped) where they cannot be made to.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCENARIO = """# Tiny
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "16qam";
channel    = { model = "eva"; doppler_hz = 70.0; drop_slots = 8; };
csi        = ( "perfect", "dmrs-ls" );
detectors  = ( "zf", "mmse" );
sweep      = { snr_db = [ 0.0, 10.0, 10.0 ]; min_bit_errors = 0; min_slots = 32; max_slots = 32; };
deadline   = { slots = 2; distinct = 2; paced = false; budget_us = 0.001; };
backend    = "cpu";
"""
CODED = ("--only", "ber", "--set", "code.rate=0.5", "--set", "code.transmissions=2", "--set", "channel.drop_slots=80",
         "--set", "sweep.round_slots=80", "--set", "sweep.min_slots=160", "--set", "sweep.max_slots=320")
KINDS = ("memory", "thread", "open", "read", "write", "short", "sync", "rename", "remove",
         "clock")
STAYS = ("write", "sync", "open", "memory", "clock")  # of these also: it and all that follow
ROUNDS = ("--set", "sweep.round_slots=16")
TABLES = ("ber.csv", "layers.csv", "groups.csv", "bler.csv")

TIMEOUT_S = 600
WORKERS = os.cpu_count()

ltesim, failing = (os.path.realpath(path) for path in sys.argv[1:3])
# the edge: first and last ones that are taken whatever the stride
stride, edge = (int(number) for number in f"{sys.argv[3] if len(sys.argv) > 3 else 1}:10".split(":")[:2])
top = pathlib.Path(tempfile.mkdtemp())


def run(binary, folder, *arguments, **environment):
    """A run of the scenario into a folder: exit code, lines on stderr."""
    command = [binary, "run.cfg", "--no-plot", "--quiet", "--threads", "2", "--out", folder]
    return run_command([*command, *arguments], **environment)


def run_command(command, **environment):
    """The same of any command."""
    done = subprocess.run(command, cwd=top, stdin=subprocess.DEVNULL, timeout=TIMEOUT_S,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
                          env={**os.environ, **environment})
    return done.returncode, done.stderr.decode(errors="replace").splitlines()


def rows(folder, table):
    """Lines of a table without its seconds, which ends with an empty one if it is whole."""
    lines = (folder / table).read_text().split("\n")
    columns = lines[0].split(",")
    if "seconds" not in columns:
        return lines
    at = columns.index("seconds")
    return [",".join(cells[:at] + cells[at + 1:]) for cells in (line.split(",") for line in lines)]


def shape(x):
    """What a JSON text has, without its numbers and words."""
    if isinstance(x, dict):
        return tuple((key, shape(x[key])) for key in x)
    return tuple(sorted({shape(one) for one in x})) if isinstance(x, list) else ()


def contents(folder):
    """Of each file what two runs have in common."""
    found = {}
    for path in folder.iterdir():
        if path.name in TABLES:
            found[path.name] = rows(folder, path.name)
        elif path.name == "run.json":
            found[path.name] = shape(json.loads(path.read_text()))
        elif path.name in ("target.csv", "blocks.csv"):
            found[path.name] = path.read_text()
        elif path.name == "timing.csv":
            found[path.name] = [line.split(",")[:3] for line in path.read_text().split("\n")]
        else:
            found[path.name] = path.stat().st_size > 0
        if path.name.startswith(".ltesim-"):
            del found[path.name]
    return found


def ended_by_openmp(code, lines):
    """True if OpenMP has ended the program by itself, with the lock in its folder as after a kill."""
    return code == 1 and lines[:1] == [""] and lines[1].startswith("libgomp: ")


def durations(table, first):
    """True if the seconds of a table, else its columns from one on, are times that a run may have taken."""
    lines = [line.split(",") for line in table.read_text().splitlines()]
    if "seconds" in lines[0]:
        at = lines[0].index("seconds")
        cells = [line[at:at + 1] for line in lines[1:]]
    else:
        cells = [line[first:] for line in lines[1:]]
    return all(0.0 <= float(cell or 0.0) < 1e9 for row in cells for cell in row)  # the last may be empty


def has_ended(line):
    """True unless a clock or a signal ended the row."""
    return not {"interrupted", "time"} & set(line.split(","))


class Job:
    """A run that fails in some call, and what it comes to if none does."""

    def __init__(self, name, *arguments, begun=None):
        self.name, self.arguments, self.begun = name, arguments, begun
        self.start(f"{name}-whole")
        code, lines = self.run(ltesim, f"{name}-whole")
        assert code == 0 and not lines, (code, lines)
        self.whole = contents(top / f"{name}-whole")

    def run(self, binary, folder, **environment):
        return run(binary, folder, *self.arguments, **environment)

    def again(self, folder):
        """The run after one that failed."""
        arguments = [x for x in self.arguments if x != "--resume"]
        resume = ["--resume"] * (top / folder / "journal").exists()
        return run(ltesim, folder, *arguments, *resume)

    def start(self, folder):
        """An empty folder, or one where a run has begun."""
        shutil.rmtree(top / folder, ignore_errors=True)
        if self.begun:
            shutil.copytree(top / self.begun, top / folder)

    def count(self, kind):
        """Calls of a kind; None if they cannot be caught here."""
        folder, log = f"{self.name}-count", top / "count"
        self.start(folder)
        code, _ = self.run(failing, folder, LTE_FAULT=f"{kind}:0", LTE_FAULT_LOG=str(log))
        return None if code == 77 else int(log.read_text())

    def half(self, folder, may_stay):
        """What is not whole in a folder; what could not be removed may stay."""
        for name in (path.name for path in folder.iterdir()):
            if name not in (*self.whole, "blocks.part") and not (name.startswith(".ltesim-") and may_stay):
                return f"{name} is left"
        blocks = folder / "blocks.csv"
        if blocks.exists() and "blocks.csv" in self.whole and not self.whole["blocks.csv"].startswith(blocks.read_text()):
            return "blocks.csv has other lines"
        for table in TABLES:
            if (folder / table).exists() and table in self.whole:
                lines = rows(folder, table)
                if lines[0] != self.whole[table][0] or lines[-1] != "":
                    return f"{table} is not whole"
                ended = [line for line in lines if has_ended(line)]
                if table in ("ber.csv", "bler.csv") and not set(ended) <= set(self.whole[table]):
                    return f"{table} has other rows"
        try:
            contents(folder)
        except ValueError:
            return "run.json is not whole"
        return None

    def ending(self, folder, code, lines, stays):
        """What is wrong with the end of a run; a fault that stays may have followers."""
        if code == 0:
            for name, first in (("ber.csv", 0), ("bler.csv", 0), ("timing.csv", 3)):
                if (folder / name).exists() and not durations(folder / name, first):
                    return f"{name} has no durations"
            if lines:
                return "exit 0, and something on stderr"
            return None if contents(folder) == self.whole else "exit 0, and other results"
        if ended_by_openmp(code, lines):
            return None
        if not lines or (len(lines) > 1 and not stays) or "Success" in "".join(lines) or \
                not all(line.startswith("ltesim: ") for line in lines):
            return "not one clear line"
        if code == 1 or (code == 2 and "run.cfg" in lines[0]):
            return None
        return "not its exit code"

    def after(self, folder):
        """What is wrong with the run after it."""
        code, lines = self.again(folder.name)
        kept = len(lines) == 1 and "contains an unfinished run" in lines[0] and (folder / "journal.old").exists()
        if code != 0 or (lines and not kept):
            return f"the run after it: exit {code}, {lines}"
        now = contents(folder)
        wanted = all(now[table] == self.whole[table] for table in (*TABLES, "target.csv")
                     if table in self.whole)
        return None if wanted else "the run after it comes to other rows"

    def fault(self, what):
        """Runs with a fault; None, or what is wrong."""
        folder = top / f"{self.name}-{what}"
        self.start(folder.name)
        folder.mkdir(exist_ok=True)
        code, lines = self.run(failing, folder.name, LTE_FAULT=what)
        wrong = self.half(folder, what.startswith("remove") or ended_by_openmp(code, lines)) or \
            self.ending(folder, code, lines, what.endswith("+"))
        if not wrong and TABLES[0] in self.whole:
            wrong = self.after(folder)
        shutil.rmtree(folder)
        return wrong and f"{self.name} {what}: {wrong} (exit {code}: {lines[:3]})"

    def faults(self):
        """All faults of this run, as failing_host takes them."""
        for kind in KINDS:
            n = self.count(kind)
            if n is None:
                print(f"skipped: {kind} cannot be made to fail here")
                continue
            for i in range(1, n + 1):
                if i % stride == 0 or i <= edge or i > n - edge:
                    yield f"{kind}:{i}"
                    if kind in STAYS and (kind != "memory" or i % (4 * stride) == 0):
                        yield f"{kind}:{i}+"


class Merge(Job):
    """Parts of a run, which stay as they are, joined."""

    def __init__(self):
        self.parts = ("part0", "part1")
        for part, slots in zip(self.parts, ("0:15", "16:31")):
            code, lines = run(ltesim, part, "--slots", slots, *ROUNDS)
            assert code == 0 and not lines, (code, lines)
        self.kept = self.bytes()
        super().__init__("merge")

    def bytes(self):
        """Of all files of the parts."""
        return {path: path.read_bytes() for part in self.parts for path in (top / part).iterdir()}

    def run(self, binary, folder, **environment):
        return run_command([binary, "merge", *self.parts, "--no-plot", "--quiet", "--out", folder],
                           **environment)

    def again(self, folder):
        return self.run(ltesim, folder)

    def fault(self, what):
        return super().fault(what) or \
            (None if self.bytes() == self.kept else f"merge {what}: a part is not as it was")


def of_all(jobs):
    """Runs all faults of all jobs; says what is wrong, returns the exit code."""
    n = failed = 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for job in jobs:
            for wrong in pool.map(job.fault, job.faults()):
                n += 1
                if wrong:
                    failed += 1
                    print(wrong, flush=True)
            print(f"{job.name}: {n} faults so far", flush=True)
    print(f"{n - failed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    (top / "run.cfg").write_text(SCENARIO)
    run(ltesim, "begun", "--only", "ber", "--set", "sweep.max_seconds=0.000001")
    jobs = [Job("ber", "--only", "ber"), Job("deadline", "--only", "deadline"),
            Job("resume", "--only", "ber", "--resume", begun="begun"),
            Job("slots", "--slots", "16:31", *ROUNDS), Merge(),
            Job("search", "--only", "ber", "--set", "sweep.target_ber=0.1"), Job("coded", "--blocks", *CODED)]
    return of_all(jobs)


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(top)
