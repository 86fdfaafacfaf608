#!/usr/bin/env python3
"""Versions of inverters: a device runs the one asked for, with the same counts; a processor says that it has one.

    tests/cli/versions.py path/to/ltesim [cuda]     cuda: on a device, 77 without one
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import listed  # noqa: E402
import runs  # noqa: E402
from runs import claim, sets, top  # noqa: E402

QUICK = pathlib.Path(__file__).resolve().parents[2] / "scenarios" / "quick.cfg"
SMALL = ("channel.model=eva", "sweep.max_slots=32", "detectors=zf,mmse,mrc", "deadline.detector=mmse")
# inverter, layers, receive antennas, more settings
CASES = (("gauss-jordan", 2, 2, ()), ("gauss-jordan", 4, 4, ("csi=dmrs-ls",)),
         ("gauss-jordan", 8, 8, ("channel.doppler_hz=70", "carrier.bandwidth_mhz=1.4")),
         ("gauss-jordan", 3, 4, ("csi=dmrs-mmse", "channel.doppler_hz=300", "csi_references=2")),
         ("ldl", 4, 8, ()), ("lu-delayed", 4, 4, ()), ("lu-delayed", 17, 20, ()), ("lu-immediate", 12, 16, ()),
         ("cholesky-delayed", 16, 64, ()))


def run_json(out):
    with open(top / out / "run.json", encoding="utf-8") as file:
        return json.load(file)


def counts(out):
    return [[row[column] for column in row if column != "seconds"] for row in runs.table(out, "ber.csv")]


def versions_of(inverter, order):
    """What --list names of an inverter for an order: name and whether it is the published one."""
    for row in listed.lists(runs.ltesim)["versions"]:
        if row["inverter"] == inverter and row["min_order"] <= order <= row["max_order"]:
            yield row["name"], row["published"]


def go(out, *settings, job=("--only", "ber"), backend="cpu"):
    return runs.run(str(QUICK), "--no-plot", *job, "--backend", backend, "--out", out,
                    *sets((*SMALL, *settings)))


def check_processor():
    go("fast")
    for version in ("published", "PUBLISHED", "gauss-jordan 1", "fast"):
        done = go("other", f"inverter.version={version}")
        claim(f"{version}_gives_the_same_counts", counts("fast") == counts("other"))
        claim(f"{version}_is_no_part_of_the_identity", run_json("fast")["scenario"]["inverter"] ==
              run_json("other")["scenario"]["inverter"] == "gauss-jordan" and "inverter_version" not in run_json("other"))
        claim(f"{version}_is_told_once", done.stderr.count("inverter.version is ignored") == (version != "fast"),
              done.stderr)
    text = QUICK.read_text(encoding="utf-8") + 'inverter = { name = "gauss-jordan"; version = "published"; };\n'
    (top / "group.cfg").write_text(text, encoding="utf-8")
    runs.run("group.cfg", "--no-plot", "--only", "ber", "--out", "group", *sets(SMALL))
    claim("a_group_is_read", counts("group") == counts("fast"))
    quiet = runs.run("group.cfg", "--no-plot", "--only", "ber", "--out", "quiet", "--quiet")
    claim("quiet_says_nothing", quiet.stderr == "", quiet.stderr)


def check_merge():
    """Parts that were counted with different versions belong together."""
    half = [str(QUICK), "--no-plot", "--quiet", *sets(("sweep.min_slots=32", "sweep.max_slots=32"))]
    runs.run(*half, "--slots", "0:15", "--out", "first", *sets(("inverter.version=published",)))
    runs.run(*half, "--slots", "16:31", "--out", "second")
    done = runs.attempt("merge", "first", "second", "--out", "merged", "--no-plot")
    claim("parts_of_two_versions_merge", done.returncode == 0, done.stderr)


def check_device():
    for inverter, n_tx, n_rx, more in CASES:
        shape = (f"inverter={inverter}", f"antennas.tx={n_tx}", f"antennas.rx={n_rx}", *more)
        label = f"{inverter}_{n_tx}x{n_rx}"
        go("cpu", *shape)
        known = list(versions_of(inverter, n_tx))
        for name, published in known:
            done = go("gpu", *shape, f"inverter.version={name}", job=(), backend="cuda")
            claim(f"{label}_{name}_gives_the_counts_of_the_processor", counts("gpu") == counts("cpu"))
            claim(f"{label}_{name}_is_told", run_json("gpu")["inverter_version"] == name and
                  f"version {name}" in done.stdout and f"by {name}" in done.stdout and
                  name in run_json("gpu")["choices"] and "ignored" not in done.stderr, done.stdout + done.stderr)
            if published:
                go("named", *shape, "inverter.version=published", backend="cuda")
                claim(f"{label}_published_is_that", run_json("named")["inverter_version"] == name and
                      counts("named") == counts("cpu"))
        go("fast", *shape, job=(), backend="cuda")
        claim(f"{label}_fast_gives_the_same", counts("fast") == counts("cpu") and
              run_json("fast")["inverter_version"] == "fast")
        claim(f"{label}_has_versions", len(known) >= 2, known)


if sys.argv[2:] == ["cuda"]:
    if not listed.usable(runs.ltesim, "cuda"):
        print("skipped: no usable device")
        sys.exit(77)
    check_device()
    runs.end()
check_processor()
check_merge()
runs.end()
