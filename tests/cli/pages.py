#!/usr/bin/env python3
"""The pages for users say what the program does: keys, ranges, defaults, examples, columns; and links lead somewhere.

    tests/cli/pages.py path/to/ltesim
"""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = {"carrier": "carrier = { bandwidth_mhz = 1.4; };", "antennas": "antennas = { tx = 1; rx = 2; };",
          "modulation": 'modulation = "16qam";', "detectors": 'detectors = ( "zf", "mmse" );'}
MOVING = 'channel = { model = "eva"; doppler_hz = 70.0; };\n'  # for an example of two reference symbols


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def rows_of(text, head=""):
    """Cells of the rows of all tables whose first column has such a head."""
    rows = []
    for table in re.findall(rf"^\| {head}.*\n\|[ -|]+\n((?:\|.*\n?)+)", text, re.MULTILINE):
        rows += [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()]
    return rows


def scenario(text):
    """A scenario that says text, and what it lacks."""
    names = re.findall(r"^(\w+)\s*=", text, re.MULTILINE)
    return "".join(line + "\n" for name, line in NEEDED.items()
                   if name not in names and not (name == "modulation" and "mcs" in text)) + text


def given(text, *options):
    path = top / "given.cfg"
    path.write_text(scenario(text), encoding="utf-8")
    return subprocess.run([runs.ltesim, path, *options], cwd=top, capture_output=True, text=True, check=False)


def numbers(text):
    """The numbers that a text names, powers and sums as a page writes them too."""
    text = re.sub(r"2\^(\d+)( - 1)?", lambda m: str(2 ** int(m[1]) - (1 if m[2] else 0)), text)
    found = [m.rstrip(".") for m in re.findall(r"(?<![\w.])-?\d[\d.]*(?:e-?\d+)?(?![\w^])", text)]
    return {int(n) if n.lstrip("-").isdigit() else float(n) for n in found}


def check_range(key, cell):
    """Every number and name that a refusal allows stands in the page's cell."""
    done = given("", "--set", f'{key}=("nonsense")', "--explain")
    allowed = done.stderr.partition(": must be ")[2]
    if done.returncode != 2 or not allowed:  # a list of names, for which the page points to --list
        claim(f"range of {key}", done.returncode == 2 and "--list" in cell, done.stderr)
        return
    names = allowed.partition("a string, one of ")[2].strip()
    lacks = sorted(numbers("" if names else allowed) - numbers(cell))
    if names and "--list" not in cell and key not in ("backend", "deadline.detector", "deadline.csi"):
        lacks += [name for name in names.split(", ") if f"`{name}`" not in cell]
    claim(f"range of {key}", not lacks, f"{lacks} of {allowed}")


def as_run(text, *options):
    """The scenario of run.json, keys by their paths."""
    given(text, "--no-plot", "--quiet", "--only", "ber", "--out", "plain", *options)
    values, groups = {}, [("", json.loads((top / "plain" / "run.json").read_text(encoding="utf-8"))["scenario"])]
    for path, group in groups:
        groups += [(f"{path}{name}.", value) for name, value in group.items() if isinstance(value, dict)]
        values.update({path + name: value for name, value in group.items() if not isinstance(value, dict)})
    return values


def check_defaults(defaults):
    """Cells that are one value are those of runs that say nothing of the key."""
    values = as_run("code = { rate = 0.5; };", "--set", "sweep.snr_db=30") | as_run("")
    n_checked = 0
    for key, cell in defaults.items():
        said = re.match(r"`?([\w.-]+)`?(?:[;,]|$)", cell)
        if key not in values or not said or said[1] in ("required", "none"):
            continue
        there = values[key][0] if isinstance(values[key], list) else values[key]
        if isinstance(there, (int, float)) and not isinstance(there, bool):
            same = float(there) == float(said[1])
        else:
            same = str(there).lower() == said[1]
        claim(f"default of {key}", same, f"{said[1]}, it is {there}")
        n_checked += 1
    claim("defaults are looked at", n_checked > 20, n_checked)


def check_keys():
    page = text_of("scenarios/README.md")
    known = re.findall(r'\{"([a-z_.]+)", read_', text_of("sim/scenario/keys.c"))
    rows = {row[0].strip("`"): row for row in rows_of(page, "key")}
    told = [row[0].strip("`") for row in rows_of(page, "key")]
    claim("every key has one row", sorted(told) == sorted(known), set(told) ^ set(known))
    for key in rows:
        if key not in ("title", "channel.file", "backend", "code.early_stop", "deadline.paced"):
            check_range(key, rows[key][1])
    check_defaults({key: row[2] for key, row in rows.items()})
    for example in re.findall(r"^```\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        if example.startswith("ltesim "):
            continue
        example = re.sub(r'^backend.*', 'backend = "cpu";', example, flags=re.MULTILINE)
        done = given(example + (MOVING if "csi_references" in example else ""), "--explain", "--threads", "2")
        absent = "plugin" in example and "No such file" in done.stderr  # tests/examples/plugin.py has one
        claim(f"example {example.splitlines()[0]}", done.returncode == 0 or absent, done.stderr)


def check_columns():
    """The columns of columns.h, and of a section each, that its tables explain one by one."""
    page, header = text_of("sim/report/README.md"), text_of("sim/report/results/columns.h")
    common = {"detector", "csi", "snr_db"}
    for name in ("ber", "layers", "groups", "rate", "bler", "envelope", "target", "timing", "latency", "channel",
                 "channel_grid"):
        tables = "".join(re.findall(rf"#define LTE_{name.upper()}(?:_HARD|_SOFT)?_TABLE((?:[^\n]*\\\n)*[^\n]*)", header))
        for part in re.findall(r"LTE_(SPREAD_TABLE|ROW_COLUMNS_OF)\(", tables):
            tables += re.search(rf"#define LTE_{part}((?:[^\n]*\\\n)*[^\n]*)", header)[1]
        units = dict(re.findall(r"\bC\([A-Z]+, [\w#]+, (\w+), \"([^\"]*)\"", tables))
        columns = set(units)
        columns |= {f"{letter}{i}" for letter in re.findall(r"GROUPS_OF\(C, GROUPS_\w, (\w),", tables) for i in range(16)}
        section = re.search(rf"^### {name}\.csv\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)[1]
        told = [cell for row in rows_of(section) for cell in re.findall(r"`([\w.]+)`", row[0])]
        told += [f"{letter}{i}" for letter in "el" for i in range(1, 15) if name == "groups" and f"{letter}15" in told]
        claim(f"columns of {name}.csv", columns <= common | set(told), columns - common - set(told))
        claim(f"{name}.csv has columns", len(columns) > 1)
        for row in rows_of(section, "column"):
            column = re.match(r"`(\w+)`", row[0])[1]
            claim(f"unit of {column} in {name}.csv", row[1] == units.get(column, ""), row)


def check_links():
    pages = [path for path in subprocess.run(
        ["git", "-C", ROOT, "ls-files", "*.md"], capture_output=True, text=True, check=False).stdout.split() if path]
    pages = pages or [str(path.relative_to(ROOT)) for path in ROOT.glob("*/**/README.md")]
    n_links = 0
    for path in pages:
        text = re.sub(r"^```.*?^```", "", text_of(path), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
            if link.startswith("http"):
                continue
            file, _, anchor = link.partition("#")
            target = (ROOT / path).parent / file if file else ROOT / path
            heads = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
            anchors = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
            n_links += 1
            if not target.exists() or (anchor and anchor not in anchors):
                claim(f"{path}: {link}", False)
    claim("links are looked at", n_links > 40, n_links)


def check_first_command():
    printed = text_of("tests/bench/results/first_command.txt").split("\n\n", 1)[1]
    for path in ("README.md", "sim/README.md"):
        claim(f"{path} shows the summary that is stored", f"```\n{printed}```" in text_of(path))


def check_citation():
    version = re.search(r"^version: (\S+)$", text_of("CITATION.cff"), re.MULTILINE)
    claim("CITATION.cff has the program's version",
          version and f"project(ltesim VERSION {version.group(1)} " in text_of("CMakeLists.txt"), version)


def check_results():
    """The page of stored measurements stays a page, the files are read by eye, and no target stands there."""
    folder = pathlib.Path(ROOT) / "tests/bench/results"
    lines = {path.name: path.read_text(encoding="utf-8").count("\n") for path in folder.iterdir()}
    claim("the page of results has at most 200 lines", lines["README.md"] <= 200, lines["README.md"])
    claim("stored results have at most 3000 lines", sum(lines.values()) <= 3000, sum(lines.values()))
    words = {path.name: found for path in folder.iterdir()
             if (found := re.findall(r"\b(required|goal|judged|reached)\b", path.read_text(encoding="utf-8")))}
    claim("no target stands there", not words, words)


check_keys()
check_columns()
check_links()
check_first_command()
check_citation()
check_results()
runs.end()
