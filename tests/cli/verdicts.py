#!/usr/bin/env python3
"""What the deadline's verdict says of real runs: one in time, one whose process is stopped now and then, one that is
too slow and says by how much, one whose budget no receiver meets; and the threads of a slot.

    tests/cli/verdicts.py path/to/ltesim
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

SLOTS = 2000
SMALL = ["timed.cfg", "--no-plot", "--quiet", "--only", "deadline", "--threads", "1"]


def write_scenario():
    (top / "timed.cfg").write_text(
        'carrier = { bandwidth_mhz = 1.4; };\nantennas = { tx = 2; rx = 2; };\nmodulation = "qpsk";\n'
        'channel = { model = "rayleigh"; };\ndetectors = ( "mmse" );\ninverter = "ldl";\nbackend = "cpu";\n'
        f'sweep = {{ snr_db = 10; }};\ndeadline = {{ slots = {SLOTS}; distinct = 16; }};\n', encoding="utf-8")


def check_stopped():
    """A process that is stopped for 20 ms every 80 ms: most of its slots fit, and too many are late."""
    with subprocess.Popen([runs.ltesim, *SMALL, "--table", "--require-deadline", "--out", "stopped"], cwd=top, stdout=subprocess.PIPE,
                          text=True) as process:
        while process.poll() is None:
            time.sleep(0.08)
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.02)
            process.send_signal(signal.SIGCONT)
        said = process.stdout.read()
    seen = runs.deadline("stopped")
    claim("a_stopped_process_is_undecided", seen["verdict"] == "undecided" and "UNDECIDED: this machine stalled" in said,
          (seen["verdict"], said))
    claim("undecided_is_not_met", process.returncode == 3, process.returncode)
    claim("its_stall_is_told", seen["machine"]["stalled"] and seen["machine"]["longest_gap_us"] > 10000, seen["machine"])
    claim("its_work_fits", seen["utilisation"] < 1 and seen["missed"] > SLOTS // 1000, seen)


def check_overload():
    """Several times too slow, on one thread, by stages that are not vectorised; the factor is of the work."""
    done = runs.run("timed.cfg", "--no-plot", "--quiet", "--only", "deadline", "--threads", "1", "--backend", "cpu:ref",
                    "--out", "slow", "--require-deadline",
                    *runs.sets(("carrier.bandwidth_mhz=20.0", "antennas.tx=8", "antennas.rx=8")), code=3)
    seen = runs.deadline("slow")
    told = re.search(r"OVERLOADED: work takes (\S+) (us|ms|s) per slot of 500 us, (\S+) times too slow", done.stdout)
    claim("a_slow_receiver_is_overloaded", seen["verdict"] == "overloaded" and told, (seen["verdict"], done.stdout))
    factor = seen["service"]["p50_us"] / 500
    claim("its_factor_is_that_of_the_work", told and abs(float(told[3]) / factor - 1) < 0.05 and factor > 1, factor)
    claim("it_ends_soon", seen["slots"] < SLOTS // 10, seen["slots"])


def check_missed():
    """A budget below the work: no stall excuses it."""
    done = runs.run(*SMALL, "--out", "missed", *runs.sets(("deadline.budget_us=0.5",)), "--require-deadline", code=3)
    seen = runs.deadline("missed")
    claim("a_real_miss_is_missed", seen["verdict"] == "missed" and seen["missed"] == SLOTS and
          f"MISSED: {SLOTS} of {SLOTS} slots late" in done.stdout, (seen["verdict"], done.stdout))


def check_in_turn():
    """Detectors in turn are judged each; the run is met where all of them are, and one alone makes it fail."""
    listed = ("deadline.detectors=zf,mmse", "detectors=zf,mmse", "deadline.on_time=0.5")
    for budget, code in ((500, 0), (0.5, 3)):
        done = runs.run("timed.cfg", "--no-plot", "--only", "deadline", "--require-deadline", "--out", f"in_turn_{code}",
                        *runs.sets((*listed, f"deadline.budget_us={budget}")), code=code)
        seen = runs.deadline(f"in_turn_{code}")["in_turn"]
        rows = [row for row in runs.table(f"in_turn_{code}", "timing.csv") if row["stage"] == "in_turn"]
        claim(f"each_is_judged_{code}", [(t["detector"], t["verdict"]) for t in seen] ==
              [(d, "missed" if code else "met") for d in ("zf", "mmse")], seen)
        claim(f"each_has_all_slots_{code}", all(t["slots"] == SLOTS and t["distinct_slots"] == 16 for t in seen), seen)
        claim(f"its_share_is_a_column_{code}", [float(row["late"]) for row in rows] == [t["missed"] / t["due"] for t in seen] and
              all(row["mean_us"] and row["p999_us"] for row in rows), rows)
        claim(f"each_has_a_line_{code}", done.stdout.count("in turn: " + ("MISSED" if code else "MET")) == 2, done.stdout)


def check_few_slots():
    """Of few different slots, times that depend on what is received have no p99.9, and the page has none."""
    runs.run("timed.cfg", "--no-plot", "--quiet", "--only", "deadline", "--out", "few",
             *runs.sets(("deadline.detectors=mmse,ml", "detectors=mmse,ml", "deadline.distinct=16", "deadline.slots=10000",
                         "deadline.paced=false")))
    rows = {row["detector"]: row["p999_us"] for row in runs.table("few", "timing.csv") if row["stage"] == "in_turn"}
    claim("few_slots_have_no_rare_times", rows["ml"] == "" and float(rows["mmse"]) > 0, rows)
    runs.run("report", "few")
    page = (top / "few" / "report.html").read_text(encoding="utf-8")
    claim("a_page_has_no_cell_for_them", ">nan<" not in page)


def check_threads():
    """The run's own choice is printed; a number is taken as it is, and refused beyond the run's threads."""
    done = runs.run("timed.cfg", "--no-plot", "--quiet", "--only", "deadline", "--threads", "2", "--out", "chosen")
    seen = runs.deadline("chosen")
    trials = seen["thread_trials"]
    claim("trials_are_kept", trials and trials[0]["threads"] == 1 and seen["threads"] in [t["threads"] for t in trials],
          seen)
    trial = rf"\(number of threads, by a short trial: 1 thread .*; chosen: {seen['threads']}\)"
    claim("trials_are_printed", re.search(trial, done.stdout), done.stdout)
    done = runs.run("timed.cfg", "--no-plot", "--quiet", "--only", "deadline", "--threads", "2", "--out", "given",
                    *runs.sets(("deadline.threads=2",)))
    seen = runs.deadline("given")
    claim("threads_are_as_given", seen["threads"] == 2 and not seen["thread_trials"] and "on 2 threads" in done.stdout,
          done.stdout)
    done = runs.run(*SMALL, "--out", "more", *runs.sets(("deadline.threads=2",)), code=2)
    claim("more_than_the_run_has_are_refused", "deadline.threads = 2" in done.stderr and "--threads" in done.stderr and
          not os.path.exists(top / "more"), done.stderr)


write_scenario()
check_stopped()
check_overload()
check_missed()
check_in_turn()
check_few_slots()
check_threads()
runs.end()
