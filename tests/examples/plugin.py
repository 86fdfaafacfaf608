#!/usr/bin/env python3
"""Detectors of one's own as shared objects: the example counts as the search that it is, and what is wrong is refused.

    tests/examples/plugin.py path/to/ltesim CC
"""
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

compiler = sys.argv[2]
sources = pathlib.Path(__file__).resolve().parents[2]

SCENARIO = """# own
carrier = { bandwidth_mhz = 1.4; };
antennas = { tx = 2; rx = 2; };
modulation = "16qam";
channel = { model = "rayleigh"; };
deadline = { detector = "trial-clip100"; slots = 20; distinct = 4; paced = false; };
detectors = ( "mmse", "kbest-16-clip100", { name = "trial"; plugin = "./trial.so"; clip = 100; } );
inverter = "ldl";
sweep = { snr_db = [ 5.0, 20.0, 15.0 ]; min_slots = 64; max_slots = 64; round_slots = 32; };
backend = "cpu";
"""

BAD = """
#include <math.h>
#include <stdlib.h>
#include <ltesim/detector.h>
static size_t size(const ltesim_plan *plan) { (void)plan; return SIZE; }
static int prepare(const ltesim_plan *plan, const float *h, float n0, float *state, float *work)
{
    (void)plan; (void)h; (void)n0; (void)state; (void)work;
    return FLAG;
}
static int detect(const ltesim_plan *plan, const float *state, const float *y, uint32_t *label, float *llr, float *work)
{
    float h0 = 0.0f;
    (void)h0; (void)state; (void)y; (void)work;
    for (int k = 0; k < plan->n_tx; k++)
        label[k] = LABEL;
    for (int i = 0; llr && i < plan->n_tx * plan->n_bits; i++)
        llr[i] = LLR;
    CRASH;
    return 0;
}
const ltesim_detector ltesim_own_detector = {
    .abi = ABI, .text = "bad", .parameters = "a b", .outputs = OUTPUTS, .max_tx = MAX_TX,
    .state = size, .work = size, .prepare = prepare, .detect = detect};
"""


def build(name, source, **values):
    """A shared object of a source, with values of its macros."""
    usual = {"FLAG": "0", "LABEL": "0", "LLR": "0.0f", "CRASH": "(void)0", "SIZE": "1", "ABI": "LTESIM_DETECTOR_ABI",
             "OUTPUTS": "3", "MAX_TX": "0"}
    macros = [f"-D{key}={value}" for key, value in {**usual, **values}.items()]
    subprocess.run([compiler, "-O1", "-fPIC", "-shared", f"-I{top}/include", *macros, "-o", str(top / name), "-x", "c",
                    str(source)], check=True)


def run(out, *settings, options=(), code=0, scenario="own.cfg"):
    return runs.run(scenario, "--no-plot", "--quiet", "--out", out, *runs.sets(settings), *runs.ber_alone(options),
                    *options, code=code)


def counted(out):
    """Its tables without the time, with the example and the search under one name."""
    tables = {}
    for path in sorted((top / out).glob("*.csv")):
        tables[path.name] = [{key: value for key, value in row.items() if key != "seconds"} for row in runs.table(out, path.name)]
    return tables


def rows_of(out, file, detector):
    return [{key: value for key, value in row.items() if key not in ("detector", "d_mean", "gain_db")}
            for row in counted(out)[file] if row["detector"] == detector]


def with_detector(text, name="one.cfg"):
    """A scenario with one detector in the list's place."""
    start, end = SCENARIO.index("detectors = "), SCENARIO.index("inverter")
    own = SCENARIO[:start] + f"detectors = ( {text} );\n" + SCENARIO[end:]
    (top / name).write_text(own.replace('detector = "trial-clip100"; ', ""), encoding="utf-8")
    return name


(top / "include/ltesim").mkdir(parents=True)
shutil.copy(sources / "sim/run/own_detector.h", top / "include/ltesim/detector.h")
(top / "bad.c").write_text(BAD, encoding="utf-8")
(top / "own.cfg").write_text(SCENARIO, encoding="utf-8")
build("trial.so", sources / "tests/examples/own_detector_plugin.c")


def check_counts():
    run("hard", options=("--only", "ber"))
    errors = {d: [row["bit_errors"] for row in runs.table("hard", "ber.csv") if row["detector"] == d]
              for d in ("kbest-16-clip100", "trial-clip100", "mmse")}
    claim("it_is_the_exhaustive_search", errors["trial-clip100"] == errors["kbest-16-clip100"] != errors["mmse"], errors)
    run("plain", options=("--only", "ber", "--backend", "cpu:ref", "--threads", "1"))
    claim("sets_count_the_same", counted("hard") == counted("plain"))
    run("soft", "output=llr", "sweep.snr_db=20")
    gmi = {d: sum(float(row["gmi"]) for row in runs.table("soft", "rate.csv") if row["detector"] == d)
           for d in ("mmse", "trial-clip100")}
    claim("its_llrs_are_worth_more", 8 > gmi["trial-clip100"] > gmi["mmse"] + 0.2, gmi)
    run("soft_plain", "output=llr", "sweep.snr_db=20", options=("--only", "ber", "--backend", "cpu:ref"))
    claim("llrs_count_the_same", counted("soft") == counted("soft_plain"))
    run("coded", "code.rate=0.6", "sweep.snr_db=13")
    wrong = {row["detector"]: int(row["wrong_first"]) for row in runs.table("coded", "bler.csv")}
    claim("coded_runs_decode_it", wrong["trial-clip100"] < wrong["mmse"], wrong)
    run("list", "code.mcs=2,4", "sweep.snr_db=10", "modulation=default")
    claim("lists_of_mcs_take_it", [json.loads((top / f"list/mcs_{m}/run.json").read_text())["scenario"]["detectors"][2]["name"]
                                   for m in (2, 4)] == ["trial", "trial"])
    run("clock", options=("--only", "deadline"))
    run("clock_plain", options=("--only", "deadline", "--backend", "cpu:ref"))
    plan = runs.run("own.cfg", "--explain").stdout
    row = next(line.split() for line in plan.split("\nfloors")[1].splitlines() if line.startswith("trial-clip100"))
    claim("what_binds_of_it_is_not_known", row[-4] == "-" and row[1:4] == ["-"] * 3, row)
    claim("its_work_may_vary", "trial-clip100: a plug-in, whose work may depend" in plan and "at most" not in plan, plan)
    seen = [(d["bits"], d["bit_errors"]) for d in map(runs.deadline, ("clock", "clock_plain"))]
    claim("it_goes_against_the_clock", seen[0] == seen[1] and 0 < seen[0][1] < 0.05 * seen[0][0], seen)


def check_folders():
    """What it was lies in the folder; who only reads that loads nothing, who goes on wants the same."""
    with open(top / "hard/run.json", encoding="utf-8") as file:
        own = json.load(file)["scenario"]["detectors"][2]
    digest = hashlib.sha256((top / "trial.so").read_bytes()).hexdigest()
    claim("the_folder_names_it", own == {"name": "trial", "plugin": "./trial.so", "clip": 100.0, "sha256": digest}, own)
    run("part0", options=("--slots", "0:31"))
    run("part1", options=("--slots", "32:63"))
    (top / "trial.so").rename(top / "away.so")
    runs.run("report", "hard")
    runs.run("compare", "hard", "plain")
    runs.run("merge", "--out", "merged", "part0", "part1", "--no-plot")
    claim("others_load_nothing", rows_of("merged", "ber.csv", "trial-clip100") == rows_of("hard", "ber.csv", "trial-clip100"))
    gone = run("gone", code=2).stderr
    claim("a_run_wants_the_file", 'detector trial-clip100: plugin = "./trial.so": No such file' in gone, gone)
    (top / "trial.so").write_bytes((top / "away.so").read_bytes() + b"\0")
    said = run("hard", options=("--only", "ber", "--resume"), code=2).stderr
    other = hashlib.sha256((top / "trial.so").read_bytes()).hexdigest()
    claim("another_file_does_not_go_on", "detectors[2].sha256 is " in said and said.count("\n") == 1, said)
    claim("both_files_are_named", digest[:50] in said and other[:50] in said, said)
    (top / "away.so").rename(top / "trial.so")
    (top / "sub").mkdir()
    shutil.copy(top / "trial.so", top / "sub/trial.so")
    (top / "sub/own.cfg").write_text(SCENARIO, encoding="utf-8")
    run("from_above", scenario="sub/own.cfg")
    claim("it_is_sought_beside_the_scenario", counted("from_above") == counted("hard"))


def check_refusals():
    """One line each, and nothing written."""
    own = '{ name = "bad"; plugin = "./bad.so"; %s }'
    for name, text, values, said in (
            ("interface", own % "", {"ABI": "99"}, "it is of interface 99, not 1"),
            ("parameter", own % "c = 1;", {}, "has no parameter c; it has a b"),
            ("layers", own % "", {"MAX_TX": "1"}, "n_tx=2 (1 to 1 with detector bad)"),
            ("labels", own % "", {"OUTPUTS": "2"}, "gives no labels"),
            ("name", '{ name = "mmse"; plugin = "./bad.so"; }', {}, "needs a name of its own"),
            ("no_name", '{ plugin = "./bad.so"; }', {}, "needs a name of its own"),
            ("number", own % 'a = "x";', {}, "must be a number of at most 3 decimals, 0 to 1000000"),
            ("parameters", own % "a = 1; b = 2; c = 3; d = 4; e = 5;", {}, "up to 4 parameters"),
            ("twice", (own % "a = 1;") + ", " + (own % "a = 1;"), {}, 'bad-a1" is listed twice'),
            ("digits", own % 'sha256 = "12";', {}, "64 hexadecimal digits"),
            ("digits_and_more", own % f'sha256 = "{"0" * 64}Z";', {}, "64 hexadecimal digits"),
            ("digits_as_number", own % "sha256 = 12;", {}, "64 hexadecimal digits"),
            ("decimals", own % "a = 1.00001;", {}, "at most 3 decimals"),
            ("long_name", '{ name = "a_name_of_23_letters_xx"; plugin = "./bad.so"; a_parameter_of_23_chars = 1; }', {},
             "longer than 47 characters"),
            ("other_order", (own % "a = 1; b = 2;") + ", " + (own % "b = 2; a = 1;"), {}, "listed twice"),
            ("state", own % "", {"SIZE": "(size_t)1 << 33"}, "floats of state"),
            ("more_state", own % "", {"SIZE": "(size_t)-1"}, "floats of state"),
            ("digest", own % f'sha256 = "{"0" * 64}";', {}, "is not what it was"),
            ("object", '{ name = "bad"; plugin = "./bad.c"; }', {}, "bad.c")):
        build("bad.so", top / "bad.c", **values)
        line = run("refused", scenario=with_detector(text), code=2).stderr
        claim(f"refused_{name}", said in line and line.count("\n") == 1, line)
    build("bad.so", top / "bad.c", OUTPUTS="1")
    line = run("refused", "output=llr", scenario=with_detector(own % ""), code=2).stderr
    claim("refused_llrs", "LLRs are not supported with detector bad" in line, line)
    claim("nothing_was_written", not (top / "refused").exists())


def check_faults():
    """What it returns is not trusted, and a crash is told with its name."""
    own = '"mmse", { name = "bad"; plugin = "./bad.so"; }'
    for name, values, settings, said in (
            ("label", {"LABEL": "16"}, (), "a label that the modulation does not have"),
            ("nan", {"LLR": "NAN"}, ("output=llr",), "an LLR that is not finite"),
            ("infinity", {"LLR": "-INFINITY"}, ("output=llr",), "an LLR that is not finite")):
        build("bad.so", top / "bad.c", **values)
        line = run(f"fault_{name}", *settings, scenario=with_detector(own), code=2).stderr
        claim(f"a_wrong_{name}_ends_the_run", f"detector bad of ./bad.so has returned {said}" in line, line)
    build("bad.so", top / "bad.c", CRASH="*(volatile int *)8 = 1")
    done = runs.attempt(with_detector(own), "--only", "ber", "--no-plot", "--quiet", "--out", "crash")
    claim("a_crash_is_told", done.returncode < 0 and "detector bad of ./bad.so has crashed" in done.stderr, done.stderr)
    build("bad.so", top / "bad.c", CRASH="abort()", FLAG="(abort(), 0)")
    done = runs.attempt(with_detector(own), "--only", "ber", "--no-plot", "--quiet", "--out", "crash")
    claim("an_abort_is_told", done.returncode < 0 and "detector bad of ./bad.so has crashed" in done.stderr, done.stderr)
    build("bad.so", top / "bad.c", LABEL="4000000")
    line = run("replayed", options=("--replay", "0"), scenario=with_detector(own), code=2).stderr
    claim("a_replay_does_not_trust_it", "a label that the modulation does not have" in line, line)
    build("bad.so", top / "bad.c", LLR="y[0] / (h0 = state[0])", FLAG="(state[0] = h[0], 0)")
    run("of_real_subcarriers", "output=llr", options=("--only", "deadline"), scenario=with_detector(own))
    claim("only_subcarriers_that_exist_are_asked_for", runs.deadline("of_real_subcarriers")["bits"] > 0)
    build("bad.so", top / "bad.c", SIZE="plan->llrs ? 1 : 4000")
    run("two_sizes", scenario=with_detector(own))
    build("bad.so", top / "bad.c", FLAG="1", LABEL="99", CRASH="*(volatile int *)8 = 1")
    run("flagged", scenario=with_detector(own))
    ber = {row["detector"]: float(row["ber"]) for row in runs.table("flagged", "ber.csv")}
    claim("without_a_state_nothing_is_asked_of_it", 0.4 < ber["bad"] < 0.6, ber)


check_counts()
check_folders()
check_refusals()
check_faults()
runs.end()
