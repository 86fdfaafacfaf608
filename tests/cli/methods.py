#!/usr/bin/env python3
"""The command methods: the list, each method's versions measured and checked, and what it refuses.

    tests/cli/methods.py path/to/ltesim [cuda]     cuda: the versions of a device, 77 without one
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import listed  # noqa: E402
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

# method, a small size, versions that every processor has
METHODS = (("inversion", 3, ("gauss-jordan, ref",)), ("delayed", 20, ("delayed, ref", "immediate, ref")),
           ("transpose", 67, ("tiles", "element by element")),
           ("reference", 130, ("by rows and columns", "all in each element")),
           ("product", 64, ("plain, serial", "tiles, cpu:ref")))


def say(*arguments):
    return subprocess.run([runs.ltesim, "methods", *arguments], cwd=top, capture_output=True, text=True, check=False)


def check_list():
    done = say()
    claim("the_list_has_five", done.returncode == 0 and
          [line.split()[0] for line in done.stdout.splitlines() if line[:1].isalpha()][:5] ==
          [name for name, _, _ in METHODS], done.stdout)
    claim("each_has_its_source_and_claim", all(done.stdout.count(f" {word} ") == 5 for word in
                                               ("source", "claim", "here", "files")), done.stdout)


def check_method(name, size, versions):
    done = say(name, "--size", str(size), "--json", "--threads", "2")
    claim(f"{name}_runs", done.returncode == 0 and not done.stderr, (done.returncode, done.stderr))
    seen = json.loads(done.stdout)
    rows = seen["rows"]
    claim(f"{name}_is_right", seen["right"] and seen["size"] == size and
          all(row["error"] <= row["limit"] and row["same_bits"] for row in rows), rows)
    claim(f"{name}_is_measured", all(row["us"] > 0 and (row["flops"] > 0 or row["copy_us"] > 0) for row in rows), rows)
    claim(f"{name}_has_its_versions", all(any(row["version"] == v for row in rows) for v in versions), rows)
    table = say(name.upper(), f"--size={size}")
    claim(f"{name}_prints_a_table", table.returncode == 0 and table.stdout.startswith(f"{name}: ") and
          "WRONG" not in table.stdout and "\nerror: " in table.stdout and
          all(v in table.stdout for v in versions), table.stdout)


def check_types():
    done = say("product", "--type", "[2][48][24]", "--json")
    seen = json.loads(done.stdout)
    claim("a_type_is_multiplied", done.returncode == 0 and seen["right"] and
          {row["data"] for row in seen["rows"]} == {"[2][48][24]"}, done.stdout)


def check_refusals():
    for label, arguments, words in (
            ("unknown", ("invertion",), 'unknown method "invertion"; there are inversion, delayed, transpose, '
             "reference, product; did you mean inversion?"),
            ("two", ("delayed", "product"), "are two methods"),
            ("too_large", ("inversion", "--size", "9"), "must be 1 to 8"),
            ("size_without_a_method", ("--size", "9"), "options need a method"),
            ("type_of_another", ("delayed", "--type", "[4][4]"), "only the method product"),
            ("type_and_size", ("product", "--type", "[4][4]", "--size", "4"), "give --size or --type"),
            ("type_not_square", ("product", "--type", "[4][6]"), "must be square"),
            ("type_of_five", ("product", "--type", "[1][1][1][2][2]"), "must have 2, 3 or 4"),
            ("type_broken", ("product", "--type", "[4"), "ltesim: "),
            ("option_of_a_run", ("delayed", "--quiet"), "it takes only --size, --type, --json, --out, --backend and --threads")):
        done = say(*arguments)
        claim(f"refused_{label}", done.returncode == 2 and words in done.stderr and not done.stdout,
              (done.returncode, done.stderr, done.stdout))
    done = subprocess.run([runs.ltesim, "quick", "--size", "4"], cwd=top, capture_output=True, text=True, check=False)
    claim("size_needs_the_command", done.returncode == 2 and "need the command methods" in done.stderr, done.stderr)


def check_figures():
    """The device's figures are those of the stored results, in four digits, at most forty."""
    stored = {}
    folder = pathlib.Path(__file__).resolve().parents[1] / "bench" / "results"
    both = [json.loads((folder / name).read_text(encoding="utf-8")) for name in ("cuda.json", "cuda_large.json")]
    for part in both:
        for topic in part.values():
            for row in topic["rows"] if isinstance(topic, dict) and "rows" in topic else ():
                if "median_us" not in row or not (row.get("mapping") or row.get("order")):
                    continue
                data = row.get("what") or f"{row['batch']} of order {row['n']}"
                mapping = row.get("mapping") or row["order"]
                if row.get("method", "").startswith("lu-"):
                    mapping = f"{row['method'][3:]}, {mapping}"
                copy = row.get("copy_us") or row.get("ceiling_us") or \
                    (row["median_us"] / row["over_copy"] if "over_copy" in row else 0)
                stored[row["contender"], mapping, data] = (row["median_us"], copy)
    n = 0
    for name, size, _ in METHODS:
        kept = json.loads(say(name, "--size", str(size), "--json").stdout)["stored"]
        claim(f"{name}_names_the_card", all([kept["card"], kept["revision"]] == [part["gpu"]["name"], part["revision"]]
                                            for part in both), kept)
        for row in kept["rows"]:
            data = row["data"] if name != "reference" else row["data"].removesuffix(", 4096")
            known = stored.get((row["version"], row["mapping"], data), (0, 0))
            claim(f"{name}_{row['version']}_{row['mapping']}_{row['data']}_is_stored",
                  [f"{x:.4g}" for x in known] == [f"{row['us']:.4g}", f"{row['copy_us']:.4g}"], (row, known))
            n += 1
    claim("figures_are_few", 30 < n <= 40, n)


def check_device():
    """Every version of a device at sizes that its tiles do and do not divide, with the processor's bits."""
    for name, sizes, versions in (("inversion", (1, 3, 4, 8), {f"gauss-jordan {i}" for i in (1, 2, 3, 4)}),
                                  ("delayed", (33, 64), {f"lu {i}, {how}" for i in (1, 2)
                                                         for how in ("delayed", "immediate")} | {"lu 3, delayed"}),
                                  ("transpose", (67, 256), {"version 1", "version 2"}),
                                  ("reference", (130, 256), {"version 1", "version 2"}),
                                  ("product", (66, 128), {"version 1", "version 2"})):
        for size in sizes:
            seen = json.loads(say(name, "--size", str(size), "--json").stdout)
            rows = [row for row in seen["rows"] if row["threads"] == 0]
            claim(f"{name}_{size}_has_its_versions_on_a_device", versions <= {row["version"] for row in rows} and
                  any("as published" in row["mapping"] for row in rows) == (name != "delayed"), rows)
            claim(f"{name}_{size}_is_right_there", seen["right"] and all(row["us"] > 0 and row["same_bits"]
                                                                       for row in rows), rows)
            alone = json.loads(say(name, "--size", str(size), "--json", "--backend", "cuda").stdout)
            claim(f"{name}_{size}_runs_there_alone", alone["right"] and alone["rows"] and
                  all(row["threads"] == 0 for row in alone["rows"]), alone["rows"])


if sys.argv[2:] == ["cuda"]:
    if not listed.usable(runs.ltesim, "cuda"):
        print("skipped: no usable device")
        sys.exit(77)
    check_device()
    runs.end()
check_list()
check_figures()
for method in METHODS:
    check_method(*method)
check_types()
check_refusals()
runs.end()
