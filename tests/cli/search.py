#!/usr/bin/env python3
"""sweep.target_ber: the SNR that is found lies within its interval of the true one, whoever counts.

    tests/cli/search.py path/to/ltesim [SEEDS]

Of 100 seeds, as by default, 95 or more must have the closed form, or where there is none a fine grid of
many more slots, within their interval.
"""
import concurrent.futures
import json
import math
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, table, top  # noqa: E402

SEEDS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
RIGHT = (0.95 if SEEDS >= 100 else 0.85) * SEEDS  # of few seeds chance may take more

# Where MMSE has no closed form: the crossing of a grid of 0.2 dB over 2^22 slots (flat) and of 0.1 dB over
# 2^21 slots (eva) of seed 1000001, all points counted to the end, joined by straight lines in ln BER; 95 %
# of such grids are within 0.014 and 0.008 dB.
GRID_DB = {"flat": 25.209, "eva": 7.826}


def scenario(name, antennas, modulation, channel, sweep, detectors='"zf", "mmse"'):
    tx, rx = antennas
    (top / f"{name}.cfg").write_text(
        f'# {name}\ncarrier = {{ bandwidth_mhz = 1.4; }};\nantennas = {{ tx = {tx}; rx = {rx}; }};\n'
        f'modulation = "{modulation}";\nchannel = {{ {channel} }};\ndetectors = ( {detectors} );\n'
        f'sweep = {{ {sweep} }};\nbackend = "cpu";\n')


def run(name, out, *arguments, code=0):
    """A run of a scenario; what it says on stderr."""
    return runs.run(f"{name}.cfg", "--only", "ber", "--no-plot", "--quiet", "--out", out, *arguments,
                    code=code).stderr


def found(name, out, *arguments):
    """What a search comes to, detector by detector, and its number of rows for each."""
    run(name, out, *arguments)
    targets = table(out, "target.csv")
    n = len(table(out, "ber.csv"))
    shutil.rmtree(top / out)
    return targets, n / len(targets)


def seeds(name):
    """The same with every seed, each on one thread."""
    def one(seed):
        return found(name, f"{name}-{seed}", "--threads", "1", "--set", f"seed={seed}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, range(1, SEEDS + 1)))


def precision(db):
    """Of few seeds each finds its point half as precisely."""
    return f"precision = {db if SEEDS >= 100 else 2 * db};"


def holds_it(row, db):
    return float(row["snr_db_low"]) <= db <= float(row["snr_db_high"])


def test_seeds():
    scenario("siso", (1, 1), "qpsk", 'model = "rayleigh";',
             f"snr_db = [ 0.0, 40.0, 40.0 ]; target_ber = 1e-2; {precision(0.1)} max_slots = 65536;", '"zf"')
    scenario("awgn", (1, 1), "64qam", 'model = "awgn";',
             f"snr_db = [ 0.0, 40.0, 40.0 ]; target_ber = 1e-3; {precision(0.05)} max_slots = 65536;", '"zf"')
    scenario("flat", (2, 2), "16qam", 'model = "flat";',
             f"snr_db = [ 0.0, 60.0, 60.0 ]; target_ber = 1e-2; {precision(0.15)} max_slots = 65536;")
    scenario("eva", (2, 4), "qpsk", 'model = "eva"; doppler_hz = 70.0; drop_slots = 8;',
             f"snr_db = [ -10.0, 30.0, 40.0 ]; target_ber = 1e-2; {precision(0.15)} max_slots = 65536;")
    for name in ("siso", "awgn", "flat", "eva"):
        results = seeds(name)
        for d, row in enumerate(results[0][0]):
            closed = row["snr_db_theory"]
            db = float(closed) if closed else GRID_DB[name]
            rows = [result[d] for result, _ in results]
            right = sum(holds_it(one, db) for one in rows)
            off = math.sqrt(sum((float(one["snr_db"]) - db) ** 2 for one in rows) / SEEDS)
            width = sum(float(one["snr_db_high"]) - float(one["snr_db_low"]) for one in rows) / SEEDS
            print(f"{name} {row['detector']}: {'closed form' if closed else 'grid'} {db:.3f} dB, within the "
                  f"interval of {right} of {SEEDS} seeds; +- {width / 2:.3f} dB, rms {off:.3f} dB")
            claim(f"{name}_{row['detector']}_is_found", right >= RIGHT, right)
            claim(f"{name}_{row['detector']}_is_precise",
                  all(one["status"] == "precision" for one in rows))
        claim(f"{name}_takes_few_points", max(n for _, n in results) < 40)


def whole(out):
    """target.csv and layers.csv, and ber.csv without its seconds."""
    rows = [{key: text for key, text in row.items() if key != "seconds"} for row in runs.table(out, "ber.csv")]
    return rows, (top / out / "target.csv").read_text(), (top / out / "layers.csv").read_text()


def test_same():
    """Threads, instruction sets and interruptions do not show."""
    run("eva", "whole")
    expected = whole("whole")
    claim("rows_are_of_the_search", all(row["status"] == "search" for row in expected[0]))
    for i, arguments in enumerate((["--threads", "1"], ["--threads", "3"], ["--backend", "cpu:ref"])):
        run("eva", f"same{i}", *arguments)
        claim(f"same_bytes_{i}", whole(f"same{i}") == expected)
    for seconds in (1e-6, 0.01, 0.04):
        run("eva", "pieces", "--threads", "1", "--set", f"sweep.max_seconds={seconds}")
        states = {row["status"] for row in table("pieces", "target.csv")}
        claim(f"{seconds}_s_are_not_enough", states == {"unfinished"}, states)
        run("eva", "pieces", "--resume")
        claim(f"resumed_after_{seconds}_s", whole("pieces") == expected)
        shutil.rmtree(top / "pieces")
    run("eva", "whole", "--resume")
    claim("resumed_whole", whole("whole") == expected)
    claim("a_part_is_refused", "cannot be split" in run("eva", "part", "--slots", "0:63", code=2))


def test_ends():
    text = "snr_db = [ 30.0, 40.0, 10.0 ]; target_ber = 0.2; max_slots = 128;"
    scenario("below", (1, 1), "qpsk", 'model = "rayleigh";', text, '"zf"')
    (row,), _ = found("below", "below")
    claim("below_is_told", (row["status"], float(row["snr_db"]), row["snr_db_low"]) == ("below", 30.0, ""))
    scenario("above", (1, 1), "qpsk", 'model = "rayleigh";',
             text.replace("30.0, 40.0", "-30.0, -20.0"), '"zf"')
    (row,), _ = found("above", "above")
    claim("above_is_told", (row["status"], float(row["snr_db"])) == ("above", -20.0))
    scenario("short", (2, 2), "16qam", 'model = "flat";',
             "target_ber = 1e-2; precision = 0.001; max_slots = 200;")
    rows, _ = found("short", "short", "--set", "sweep.snr_points=10,50")
    claim("max_slots_bound_it", all(row["status"] == "slots" and row["slots"] == "200" for row in rows))


def test_rate():
    """Antipodal signals carry half a bit at 0.187 dB (Shannon's limit of rate 1/2 for them), so QPSK one a symbol."""
    scenario("rate", (1, 1), "qpsk", 'model = "awgn";',
             'snr_db = [ -10.0, 20.0, 30.0 ]; target_rate = 1.0; precision = 0.003; max_slots = 65536;', '"zf"')
    results = [found("rate", f"rate-{seed}", "--set", "output=llr", "--set", f"seed={seed}")[0][0] for seed in range(1, 21)]
    print("SNR of QPSK at one bit:", [row["snr_db"] for row in results])
    claim("half_a_bit_is_where_it_is", sum(holds_it(row, 0.187) for row in results) >= 17, results)
    claim("its_target_is_told", all((row["target_rate"], float(row["target_ber"])) == ("1", 0.0) for row in results))
    for name, more, word in (("hard", (), 'needs output = "llr"'), ("both", ("output=llr", "sweep.target_ber=0.1"), "either target_rate or"),
                             ("most", ("output=llr", "sweep.target_rate=2"), "at most 0.99 of the 2 bits"),
                             ("coded", ("code.rate=0.5",), 'needs output = "llr", and no code')):
        claim(f"rate_{name}_is_refused", word in run("rate", "refused", *runs.sets(more), code=2))


def test_pareto():
    """Each detector is timed where its search has ended, and the front is that of the table."""
    scenario("costs", (2, 2), "16qam", 'model = "rayleigh";', "snr_db = [ 5.0, 35.0, 30.0 ]; target_ber = 1e-2; max_slots = 512;",
             '"zf", "mmse", "kbest-1", "ml"')
    options = ("--pareto", "--no-plot", "--quiet", "--report", *runs.sets(("deadline.slots=200", "deadline.paced=false")))
    done = runs.run("costs.cfg", "--out", "costs", *options)
    rows, targets = table("costs", "pareto.csv"), table("costs", "target.csv")
    claim("each_has_its_snr", [(r["detector"], r["snr_db"]) for r in rows] == [(t["detector"], t["snr_db"]) for t in targets], rows)
    claim("each_is_timed", all(float(r[key]) > 0 for r in rows for key in ("work_us", "threads", "operations")) and
          all(r["verdict"] for r in rows), rows)
    points = [(float(r["snr_db"]), float(r["work_us"])) for r in rows]
    front = ["no" if any(s <= snr and w <= 1.02 * work and (s < snr or w < 0.98 * work) for s, w in points) else "yes"
             for snr, work in points]
    claim("the_front_is_that_of_the_table", front == [r["front"] for r in rows], (front, rows))
    claim("best_is_on_the_front", [r["front"] for r in rows if r["detector"] == "ml"] == ["yes"], rows)
    listed = json.loads((top / "costs" / "run.json").read_text())["pareto"]
    claim("run_json_has_them", [(p["detector"], p["front"]) for p in listed] == [(r["detector"], r["front"]) for r in rows], listed)
    claim("the_summary_has_a_table", "at BER 0.01" in done.stdout and "dB more" in done.stdout, done.stdout)
    claim("the_page_has_a_table", 'class="pareto"' in (top / "costs" / "report.html").read_text())
    claim("no_deadline_ran", not (top / "costs" / "timing.csv").exists())
    runs.run("costs.cfg", "--out", "high", *options, *runs.sets(("sweep.snr_db=[5,14,9]", "detectors=zf,ml")))
    rows = {r["detector"]: r for r in table("high", "pareto.csv")}
    claim("what_is_not_found_is_not_timed", (rows["zf"]["status"], rows["zf"]["work_us"], rows["zf"]["operations"],
                                            rows["zf"]["front"]) == ("above", "", "", ""), rows)
    done = runs.run("costs.cfg", "--out", "none", "--pareto", *runs.sets(("sweep.snr_db=[-10,-9,1]", "detectors=mmse")))
    claim("without_times_there_is_no_picture_to_miss", done.stderr == "" and table("none", "pareto.csv") and
          not (top / "none" / "pareto.png").exists(), done.stderr)
    done = runs.run("costs.cfg", "--out", "shared", *options, *runs.sets(("detectors=mmse,ml", "deadline.threads=1",
                                                                          "deadline.carriers=3", "deadline.slots=10000",
                                                                          "deadline.distinct=16")))
    rows = {r["detector"]: r for r in table("shared", "pareto.csv")}
    claim("threads_are_those_given", [float(r["threads"]) for r in rows.values()] == [1.0, 1.0], rows)
    claim("few_different_slots_have_no_rare_times", (rows["mmse"]["p999_us"] != "", rows["ml"]["p999_us"]) == (True, ""), rows)
    claim("work_of_all_carriers_is_said", "work: the median on a slot of all 3 carriers of 1.4 MHz" in " ".join(done.stdout.split()),
          done.stdout)
    for name, more, word in (("no_target", ("--set", "sweep.target_ber=default"), "searches no SNR"), ("only", ("--only", "ber"), "--pareto times"),
                             ("required", ("--require-deadline",), "--pareto times")):
        claim(f"{name}_is_refused", word in runs.run("costs.cfg", "--pareto", "--out", "refused", *more, code=2).stderr)


test_seeds()
test_same()
test_ends()
test_rate()
test_pareto()
runs.end()
