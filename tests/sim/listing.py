#!/usr/bin/env python3
"""--list --json: one document with what the text of --list says, what the program takes and refuses; and what it, run.json
and the refusals say where LTE_PRETEND_LEVEL makes the processor a lesser one.

    tests/sim/listing.py path/to/ltesim path/to/invert_batch

invert_batch: of tests/examples, by the library.
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import listed  # noqa: E402
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

KINDS = ("scenarios", "channels", "detectors", "inverters", "versions", "csi", "modulations", "abbreviations")
SMALL = ("s.cfg", "--no-plot", "--quiet", "--only", "ber")
PRETENDED = os.environ.pop("LTE_PRETEND_LEVEL", None)  # this test says it itself
PLAIN = listed.lists(runs.ltesim)
SETS = [row["name"] for row in PLAIN["backends"] if row["known"] and row["name"].startswith("cpu:")]

(top / "s.cfg").write_text("""# small
carrier = { bandwidth_mhz = 1.4; }; antennas = { tx = 2; rx = 2; }; modulation = "16qam";
detectors = ( "mmse" ); backend = "cpu";
sweep = { snr_points = ( 10.0 ); min_slots = 8; max_slots = 8; round_slots = 8; };
""", encoding="utf-8")


def call(*arguments, level=None, program=runs.ltesim):
    env = dict(os.environ) if level is None else dict(os.environ, LTE_PRETEND_LEVEL=level)
    return subprocess.run([program, *arguments], cwd=top, env=env, capture_output=True, text=True, check=False)


def names_of(text):
    """What the text of --list has under each heading: words in two columns."""
    names, kind = {}, None
    for line in text.splitlines():
        if line[:1] != " ":
            kind = names.setdefault(line, [])
        else:
            kind.append(line[2:22].rstrip() if line[22:23] == " " else line[2:].split(" ")[0])
    return names


def check_document():
    done = call("--list", "--json")
    claim("it_is_silent_on_stderr", done.returncode == 0 and done.stderr == "", done.stderr)
    claim("both_orders_are_one", set(json.loads(call("--json", "--list").stdout)) == set(PLAIN))
    text = names_of(call("--list").stdout)
    for kind in KINDS:
        claim(f"{kind}_are_those_of_the_text", [row["name"] for row in PLAIN[kind]] == text[kind], text[kind])
        claim(f"{kind}_say_something", all(row.get("text") or row.get("title") or row.get("bits") for row in PLAIN[kind]))
    rows = [row for row in PLAIN["backends"] if row["known"]]
    wanted = [name for row in rows for name in [f"{row['name']}:{d['index']}" for d in row["devices"]] or [row["name"]]]
    claim("backends_are_those_of_the_text", [n for n in wanted if n in text["backends"]] == wanted, text["backends"])
    for name in ("cpu:ref", "cpu:v3", "cpu:v4", "cpu:neon", "cuda"):
        claim(f"{name}_has_a_row", [row["name"] for row in PLAIN["backends"]].count(name) == 1)
    claim("paths_are_those_of_scenarios", all(pathlib.Path(row["path"]).stem == row["name"] and os.path.exists(row["path"])
                                             for row in PLAIN["scenarios"]))


def check_backends():
    """What a row says is what --backend does."""
    for row in PLAIN["backends"]:
        name = row["name"]
        claim(f"{name}_is_usable_or_says_why", row["usable"] or bool(row["reason"]), row)
        claim(f"{name}_has_what_it_takes", row["known"] >= row["built"] >= row["usable"], row)
        done = call(*SMALL, "--out", "one", "--backend", name)
        expected = 0 if row["usable"] else 1 if row["known"] else 2
        claim(f"{name}_ends_with_{expected}", done.returncode == expected, done.stderr)
        claim(f"{name}_is_refused_in_a_line", row["usable"] or len(done.stderr.splitlines()) == 1, done.stderr)
        if row["built"] and not row["usable"]:
            claim(f"{name}_is_refused_by_its_reason", row["reason"] in done.stderr, done.stderr)


def explained(*settings):
    return call("s.cfg", "--explain", *runs.sets(settings)).returncode


def check_detectors():
    """Usual values are those that are meant, least and most are taken, what is beyond is refused."""
    n = 0
    for row in PLAIN["detectors"]:
        name = row["name"]
        claim(f"{name}_takes_its_modulations", row["modulations"] and set(row["modulations"]) <= {
            m["name"] for m in PLAIN["modulations"]}, row)
        claim(f"{name}_has_outputs", set(row["outputs"]) and set(row["outputs"]) <= {"labels", "llrs", "sinr"}, row)
        claim(f"{name}_has_a_size", row["max_rx"] >= row["max_tx"] >= 1 and row["on_devices"] in (True, False), row)
        for p in row["parameters"]:
            n += 1
            values = [(value, 0) for value in p.get("words", [p.get("least"), p.get("most")])]
            values += [("nosuch", 2)] if "words" in p else [(p["least"] - 1, 2), (p["most"] + 1, 2)]
            if p["usual"] is not None:
                values.append((p["usual"], 0))
            for value, code in values:
                word = json.dumps(value)
                setting = f"detectors=({{ name = \"{name}\"; {p['name']} = {word}; }})"
                claim(f"{name}_{p['name']}_{value}_is_{'refused' if code else 'taken'}",
                      is_taken(setting, *outputs(p)) == (code == 0), setting)
    claim("detectors_have_parameters", n >= 8, n)


def is_taken(*settings):
    """By a link of some size: some values need so many layers, or so few."""
    return any(explained(f"antennas.tx={n}", f"antennas.rx={n}", f"modulation={name}", *settings) == 0
               for n, name in ((2, "16qam"), (1, "16qam"), (8, "qpsk")))


def outputs(parameter):
    return ("output=\"llr\"",) if parameter["of_llrs"] else ()


def check_inverters():
    for row in PLAIN["inverters"]:
        most = row["max_order"]
        def square(n, name=row["name"]):
            return explained(f"antennas.tx={n}", f"antennas.rx={n}", f"inverter={name}")
        claim(f"{row['name']}_takes_its_largest_order", square(most) == 0, most)
        claim(f"{row['name']}_takes_no_larger_one", square(most + 1) == 2, most)


def check_options():
    for arguments in (("s.cfg", "--json"), ("--json",), ("--version", "--json")):
        done = call(*arguments)
        claim(f"{arguments[0]}_takes_no_json", done.returncode == 2 and done.stdout == "" and
              len(done.stderr.splitlines()) == 1, done.stderr)


def check_pretended():
    """A lower set is the end of what is usable, a higher one changes nothing; counts stay."""
    usable = listed.usable(runs.ltesim, "cpu")
    counted = {}
    for place, name in enumerate(SETS):
        level = name.split(":")[1]
        lists = json.loads(call("--list", "--json", level=level).stdout)
        rows = {row["name"]: row for row in lists["backends"]}
        seen = [one for one in usable if rows[one]["usable"]]
        claim(f"{level}_is_the_end", seen == [one for one in usable if SETS.index(one) <= place], seen)
        claim(f"{level}_raises_nothing", all(rows[one]["usable"] <= (one in usable) for one in SETS))
        claim(f"{level}_is_told", lists["pretended_level"] == level)
        done = call(*SMALL, "--out", level, "--backend", "auto" if rows["cuda"]["usable"] is False else "cpu", level=level)
        with open(top / level / "run.json", encoding="utf-8") as file:
            run = json.load(file)
        claim(f"{level}_runs_the_best_that_is_left", run["backend"] == seen[-1], (run["backend"], done.stderr))
        claim(f"{level}_stands_in_run_json", run["pretended_level"] == level)
        counted[level] = (top / level / "layers.csv").read_text(encoding="utf-8")
        for other in usable[len(seen):]:
            done = call(*SMALL, "--out", "none", "--backend", other, level=level)
            words = f"ltesim: backend {other} ({rows[other]['text']}): {rows[other]['reason']}\n"
            claim(f"{other}_is_refused_under_{level}", done.returncode == 1 and done.stderr == words and
                  not (top / "none").exists(), done.stderr)
    claim("all_count_the_same", len(set(counted.values())) == 1)
    call(*SMALL, "--out", "plain")
    with open(top / "plain" / "run.json", encoding="utf-8") as file:
        claim("without_it_nothing_is_told", "pretended_level" not in json.load(file) and "pretended_level" not in PLAIN)
    claim("an_empty_one_is_none", "pretended_level" not in json.loads(call("--list", "--json", level="").stdout))
    for level in ("v9", "cpu:ref", "REF", "ref "):
        for arguments in ((*SMALL, "--out", "none"), ("--list",), ("--list", "--json"), ("methods",), ("--version",)):
            done = call(*arguments, level=level)
            claim(f"{level}_is_refused_by_{arguments[0]}", done.returncode == 2 and done.stdout == "" and
                  len(done.stderr.splitlines()) == 1 and "LTE_PRETEND_LEVEL" in done.stderr and
                  not (top / "none").exists(), (done.returncode, done.stderr))
    example = os.path.realpath(sys.argv[2])
    claim("the_library_runs", call(program=example, level="ref").returncode == 0)
    done = call(program=example, level="v9")
    claim("the_library_refuses_it_too", done.returncode != 0 and "LTE_PRETEND_LEVEL" in done.stderr, done.stderr)


check_document()
check_backends()
check_detectors()
check_inverters()
check_options()
check_pretended()
runs.end()
