#!/usr/bin/env python3
"""Searches with a budget of nodes, and points at which one without would not end.

    tests/phy/nodes.py path/to/ltesim [endless]
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import listed  # noqa: E402
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

(top / "s.cfg").write_text("""# searches
carrier = { bandwidth_mhz = 1.4; }; antennas = { tx = 4; rx = 4; }; modulation = "16qam";
detectors = ( "ml", "ml-budget1000000000", "ml-budget100", "ml-budget10", "ml-budget4", "mmse" );
backend = "cpu";
sweep = { snr_points = ( 8.0, 20.0 ); min_slots = 24L; max_slots = 24L; round_slots = 8; };
""", encoding="utf-8")
LONG = ["antennas.tx=8", "antennas.rx=8", "sweep.snr_points=[-30.0,30.0]"]


def counted(out, name="ber.csv"):
    """Rows without what depends on time."""
    return [{key: text for key, text in row.items() if key != "seconds"} for row in runs.table(out, name)]


def sweep(out, *arguments):
    return runs.run("s.cfg", "--no-plot", "--quiet", "--only", "ber", "--out", out, *arguments)


def budgets():
    sweep("all")
    rows = {(row["detector"], float(row["snr_db"])): row for row in counted("all")}
    for snr in (8.0, 20.0):
        ml, free, none = rows["ml", snr], rows["ml-budget1000000000", snr], int(rows["ml", snr]["unfinished"])
        claim(f"a_budget_that_is_not_spent_changes_nothing_{snr:g}",
              {k: v for k, v in ml.items() if k != "detector"} == {k: v for k, v in free.items() if k != "detector"}, (ml, free))
        claim(f"ml_finishes_{snr:g}", none == 0, none)
        left = [int(rows[f"ml-budget{n}", snr]["unfinished"]) for n in (100, 10, 4)]
        wrong = [int(rows[name, snr]["vector_errors"]) for name in ("ml", "ml-budget100", "ml-budget10", "ml-budget4")]
        claim(f"less_is_finished_with_less_{snr:g}", 0 < left[0] < left[1] < left[2], left)
        claim(f"and_more_is_wrong_{snr:g}", sorted(wrong) == wrong and wrong[0] < wrong[3], wrong)
    for output in ("llr", "code"):
        key = ["output=\"llr\""] if output == "llr" else ["code.rate=0.5", "sweep.round_slots=24"]
        name = "bler.csv" if output == "code" else "ber.csv"
        names = "detectors=[\"ml-budget20\",\"mmse\"]"
        sweep(output, *runs.sets([*key, names]))
        left = [int(row["unfinished"]) for row in counted(output, name) if row["detector"] == "ml-budget20"]
        claim(f"{output}_counts_what_is_unfinished", all(n > 0 for n in left) and len(left) == 2, left)
        for threads in (1, 3):
            sweep(f"{output}{threads}", "--threads", str(threads), *runs.sets([*key, names]))
            claim(f"{output}_on_{threads}_threads", counted(f"{output}{threads}", name) == counted(output, name))
    for backend in listed.usable(runs.ltesim, "cpu"):
        sweep("set", "--backend", backend)
        claim(f"{backend}_counts_alike", counted("set") == counted("all"))
    for part in ("0:15", "16:23"):
        sweep(f"part{part[0]}", "--slots", part)
    runs.run("merge", "part0", "part1", "--out", "merged", "--no-plot", "--quiet")
    claim("parts_are_the_whole", counted("merged") == counted("all"))


def endless_points():
    """They take the time in which nodes are counted, up to 2.56e8 of them."""
    done = sweep("long", *runs.sets([*LONG, "detectors=[\"ml\",\"mmse\",\"ml-budget50\"]"]))
    rows = {(row["detector"], float(row["snr_db"])): row for row in counted("long")}
    said = [line for line in done.stderr.splitlines() if "more than 1000000 nodes" in line]
    claim("it_is_said_in_a_line", len(said) == 1 and "ml, csi perfect" in said[0] and "-30 dB" in said[0], done.stderr)
    endless = rows["ml", -30.0]
    claim("its_row_says_nodes", endless["status"] == "nodes" and endless["slots"] == "0" and endless["ber"] == "", endless)
    claim("the_other_point_is_counted", rows["ml", 30.0]["status"] == "slots", rows["ml", 30.0])
    claim("a_budget_ends", rows["ml-budget50", -30.0]["status"] == "errors" or rows["ml-budget50", -30.0]["slots"] == "24",
          rows["ml-budget50", -30.0])
    sweep("short", *runs.sets([*LONG, "detectors=[\"mmse\",\"ml-budget50\"]"]))
    claim("the_others_count_alike", counted("short") == [row for row in counted("long") if row["detector"] != "ml"])
    sweep("long", "--resume", *runs.sets([*LONG, "detectors=[\"ml\",\"mmse\",\"ml-budget50\"]"]))
    claim("resumed_it_is_the_same", {(row["detector"], float(row["snr_db"])): row for row in counted("long")} == rows)
    runs.run("report", "long")
    claim("its_page_says_so", "those of status nodes counted nothing" in (top / "long" / "report.html").read_text(encoding="utf-8"))
    done = sweep("down", *runs.sets([*LONG, "sweep.snr_points=[30.0,-29.0,-30.0]", "detectors=ml"]))
    claim("those_below_it_have_no_row_either", "no row at -30 dB either" in done.stderr and
          [row["status"] for row in counted("down")] == ["slots", "nodes", "nodes"], done.stderr)
    sweep("qpsk", *runs.sets([*LONG, "detectors=[\"ml\",\"mmse\",\"ml-budget50\"]", "modulation=qpsk"]))
    pairs = runs.attempt("compare", "long", "qpsk").stdout
    claim("rows_behind_it_are_compared_in_pairs", "z of 5 of the 6 rows that differ tests slot-by-slot" in pairs, pairs)
    claim("its_own_shows_nothing", "nan" not in pairs.lower() and pairs.count("<") == 2, pairs)


def stopped_while_judging(settings):
    """A signal while the nodes of a point are counted ends the search: what was not judged does not begin."""
    words = [runs.ltesim, "s.cfg", "--no-plot", "--quiet", "--only", "ber", "--out", "stopped", *runs.sets(settings)]
    with subprocess.Popen(words, cwd=top, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"}) as run:
        time.sleep(1.0)  # of some ten that one thread takes for the first point
        run.send_signal(signal.SIGINT)
        try:
            _, said = run.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            run.kill()
            _, said = run.communicate()
    claim("a_signal_ends_it", run.returncode == 130 and "no row at" not in said, (run.returncode, said))
    claim("nothing_was_begun", counted("stopped") == [], counted("stopped"))


def endless_searches():
    """A search for an SNR passes points at which that of the detector would not end."""
    settings = ["antennas.tx=8", "antennas.rx=8", "sweep.max_slots=48", "sweep.precision=0.5", "sweep.target_ber=0.02"]
    whole_range = runs.sets([*settings, "sweep.snr_points=[-30.0,40.0]", "detectors=[\"ml\",\"mmse\"]"])
    done = sweep("found", *whole_range)
    rows, target = counted("found"), {row["detector"]: row for row in runs.table("found", "target.csv")}
    passed = [row for row in rows if row["status"] == "nodes"]
    claim("points_of_a_search_are_passed", passed and {row["detector"] for row in passed} == {"ml"} and
          len(passed) == sum("ml, csi perfect: no row at" in line for line in done.stderr.splitlines()), done.stderr)
    claim("and_its_snr_is_found", all(row["status"] in ("slots", "precision") for row in target.values()), target)
    claim("above_them", float(target["ml"]["snr_db"]) > max(float(row["snr_db"]) for row in passed), target)
    sweep("pieces", *whole_range, *runs.sets(["sweep.max_seconds=1e-6"]))
    claim("no_time_is_not_enough", {row["status"] for row in runs.table("pieces", "target.csv")} == {"unfinished"})
    for share in (0.0, 0.3, 0.7):
        if share > 0.0:
            journal = (top / "pieces" / "journal").read_bytes()
            (top / "pieces" / "journal").write_bytes(journal[:int(share * len(journal))])
        sweep("pieces", "--resume", *whole_range)
        claim(f"resumed_from_{share}_of_its_journal_it_is_the_same", counted("pieces") == rows)
    settings += ["sweep.snr_points=[-30.0,-25.0]", "detectors=ml"]
    stopped_while_judging(settings)
    sweep("none", *runs.sets(settings))
    (none,), before = runs.table("none", "target.csv"), counted("none")
    claim("none_is_found_among_them", none["status"] == "nodes" and none["snr_db"] == "", none)
    sweep("none", "--resume", *runs.sets(settings))
    claim("resumed_nothing_is_searched_again", counted("none") == before)


def refusals():
    for settings, words in ((["detectors=ml", "modulation=64qam", "antennas.tx=5", "antennas.rx=5"], "from 5 layers of 64qam"),
                            (["detectors=ml-budget3"], "one node for each layer"),
                            (["detectors=ml-exact-budget50", "output=\"llr\""], "all vectors"),
                            (["detectors=ml-budget0"], "budget")):
        done = runs.run("s.cfg", "--no-plot", "--out", "no", *runs.sets(settings), code=2)
        claim(f"refused_{words.replace(' ', '_')}", words in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr)


if "endless" in sys.argv:
    endless_points()
    endless_searches()
else:
    budgets()
    refusals()
runs.end()
