"""What tests of whole runs share: the program and a folder, claims, tables, and runs that must come to the same.

sys.argv[1] is the program.
"""
import csv
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ltesim = os.path.realpath(sys.argv[1])
LONG = "LTE_TEST_LONG" in os.environ
top = pathlib.Path(tempfile.mkdtemp())
_failed = []
_held = []


def claim(name, holds, why=""):
    """Says so if the claim does not hold, and why; the log of a long test then shows its failures alone."""
    if holds:
        _held.append(name)
        return
    print(f"{name}: FAILED {why}", flush=True)
    _failed.append(name)


def share(slots):
    """The slots of a statistic: all of them with LTE_TEST_LONG, else a quarter."""
    return slots if LONG else slots // 4


def slots(n):
    """Settings for runs of exactly so many slots a point."""
    return f"sweep.min_slots={n}", f"sweep.max_slots={n}"


def sets(settings):
    """Options that set each of the settings."""
    return [word for setting in settings for word in ("--set", setting)]


def attempt(*arguments):
    """A run of the program in the folder, however it ends; one of a scenario with all its rows."""
    if arguments and str(arguments[0]).endswith(".cfg"):
        arguments = (*arguments, "--table")
    return subprocess.run([ltesim, *arguments], cwd=top, capture_output=True, text=True, check=False)


def run(*arguments, code=0):
    """One that ends with the code."""
    done = attempt(*arguments)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done


def table(out, name):
    with open(top / out / name, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ber_alone(options):
    """Words that leave the deadline run out, unless the options say which job it is."""
    jobs = {"--only", "--slots", "--replay", "--explain", "--require-deadline"}
    return [] if jobs & set(options) else ["--only", "ber"]


def deadline(out):
    """What run.json says of the deadline run."""
    with open(top / out / "run.json", encoding="utf-8") as file:
        return json.load(file)["deadline"]


def t_quantile(degrees):
    """Student's t at 0.975, by its continued fraction of the incomplete beta function."""
    def tail(t):
        a, b, x = degrees / 2, 0.5, degrees / (degrees + t * t)
        front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
        flip = x > (a + 1) / (a + b + 2)
        if flip:
            a, b, x = b, a, 1 - x
        f = c = 1.0
        d = 0.0
        for i in range(200):
            m = i // 2
            if i == 0:
                n = 1.0
            elif i % 2 == 0:
                n = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            else:
                n = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / (1 + n * d or 1e-300)
            c = 1 + n / c or 1e-300
            f *= c * d
            if abs(1 - c * d) < 1e-12:
                break
        share = front * (f - 1) / a
        return (1 - share if flip else share) / 2
    low, high = 1.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) > 0.025 else (low, middle)
    return low


def check_merge(counted, whole, *parts):
    """Parts merge to what the whole run counted: counted(out)."""
    done = attempt("merge", *parts, "--out", "merged", "--no-plot")
    claim("parts_merge", done.returncode == 0, done.stderr)
    claim("merged_counts_are_the_same", done.returncode == 0 and counted(whole) == counted("merged"))


def check_interrupted(counted, arguments):
    """A run of arguments(out) that a signal ends between its points, or within one, goes on to the same files."""
    run(*arguments("unbroken"))
    with subprocess.Popen([ltesim, *arguments("broken")], cwd=top, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        for _ in range(1000):
            if (top / "broken" / "journal").exists():
                break
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        claim("a_signal_ends_it", child.wait() == 130, child.returncode)
    run(*arguments("broken"), "--resume")
    claim("resumed_counts_are_the_same", counted("unbroken") == counted("broken"))


def end():
    """Says how many claims failed and exits; the folder stays for a look if one did."""
    if not _failed:
        shutil.rmtree(top)
    print(f"{len(_held)} claims hold" + (f", {len(_failed)} do not: {', '.join(_failed)}" if _failed else ""))
    sys.exit(1 if _failed else 0)
