#!/usr/bin/env python3
"""Pictures: those of every scenario, of overlays, sizes and formats.

    tests/cli/pictures.py LTESIM [first | SCENARIO...]

Of each scenario a few slots are run; every picture that they leave is rendered by rsvg-convert and looked at: no text
outside the page, no two texts over each other (a character taken as 0.6 em wide), axes within two decades of the points.
first: one scenario of each kind. With names of scenarios these alone, and not what follows them."""
import csv
import html
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import attempt, claim  # noqa: E402

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
FEW = {"sweep.round_slots": 32, "sweep.min_slots": 32, "sweep.max_slots": 32, "deadline.slots": 64,
       "deadline.distinct": 16}
FIRST = ["quick", "estimated", "soft", "bler_10mhz_2x2", "adaptation_5mhz_2x2", "operating_point"]  # of each kind one


# ---- texts of an SVG ----

def boxes(svg):
    """The texts of a picture as (x0, y0, x1, y1, text), by where gnuplot has put them."""
    found = []
    group = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)(?: rotate\(([-\d.]+)\))?"([^>]*)>(.*?)</g>', re.S)
    for x, y, turned, attributes, inside in group.findall(svg):
        text = re.search(r"<text>(.*?)</text>", inside, re.S)
        if not text:
            continue
        size = float(re.search(r'font-size="([\d.]+)', attributes + inside).group(1))
        width, words = 0.0, ""
        parts = re.findall(r"<tspan([^>]*)>(.*?)</tspan>", text.group(1), re.S) or [("", text.group(1))]
        for part, letters in parts:
            here = re.search(r'font-size="([\d.]+)', part)
            words += html.unescape(letters)
            width += 0.6 * (float(here.group(1)) if here else size) * len(html.unescape(letters))
        if not words.strip():
            continue
        anchor = re.search(r'text-anchor="(\w+)"', attributes + inside)
        anchor = anchor.group(1) if anchor else "start"
        left = {"start": 0.0, "middle": -0.5 * width, "end": -width}[anchor]
        box = [left, -0.8 * size, left + width, 0.2 * size]
        if turned and abs(float(turned)) > 45.0:  # upwards
            box = [box[1], -box[2], box[3], -box[0]]
        found.append((float(x) + box[0], float(y) + box[1], float(x) + box[2], float(y) + box[3], words.strip()))
    return found


def outside(svg, texts):
    width, height = (float(n) for n in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    return [t for x0, y0, x1, y1, t in texts if x0 < -1 or y0 < -1 or x1 > width + 1 or y1 > height + 1]


def overlapping(texts):
    """Pairs of texts whose boxes share more than a sliver."""
    pairs = []
    for i, (ax0, ay0, ax1, ay1, a) in enumerate(texts):
        for bx0, by0, bx1, by1, b in texts[i + 1:]:
            if min(ax1, bx1) - max(ax0, bx0) > 1.5 and min(ay1, by1) - max(ay0, by0) > 1.5:
                pairs.append((a, b))
    return pairs


def decades_of(texts):
    """The exponents of the labels 10^n, which gnuplot writes as 10 and a raised n."""
    return [int(t[2:]) for *_, t in texts if re.fullmatch(r"10-?\d", t)]


# ---- one picture ----

def check(path, name):
    """What holds for every picture; its texts."""
    svg = path.read_text(encoding="utf-8")
    texts = boxes(svg)
    wrong = {"texts outside the page": outside(svg, texts), "texts over each other": overlapping(texts),
             "hardly a text": len(texts) <= 5, "a shape without size": "scale(0.00)" in svg}
    for width in ("400", "1400") if shutil.which("rsvg-convert") else ():
        done = subprocess.run(["rsvg-convert", "--width", width, path, "-o", "rendered.png"], capture_output=True,
                              text=True, check=False)
        wrong[f"rsvg-convert, {width} wide"] = done.stderr or done.returncode
    claim(f"{name} is well drawn", not any(wrong.values()), {what: why for what, why in wrong.items() if why})
    return texts


def lowest(folder, table, columns):
    """The lowest rate or bound of a table's rows."""
    rates = []
    for row in runs.table(folder, table):
        for rate, bound in columns:
            value = row[rate] or row[bound]
            if value and float(value) > 0.0:
                rates.append(float(value))
    return min(rates) if rates else math.nan


def check_axis(folder, kind, texts):
    columns = {"ber": ("ber.csv", [("ber", "ber_high")]),
               "bler": ("bler.csv", [("bler", "bler_high"), ("bler_last", "bler_last_high")])}
    if kind not in columns or not decades_of(texts):
        return
    low = lowest(folder, *columns[kind])
    claim(f"{folder.name}/{kind}: the axis is within two decades of the points",
          math.isnan(low) or min(decades_of(texts)) >= math.log10(low) - 2.0, (decades_of(texts), low))


# ---- every scenario ----

def run_few(name, into):
    sets = dict(FEW)
    text = (SCENARIOS / f"{name}.cfg").read_text(encoding="utf-8")
    sent = re.search(r"transmissions\s*=\s*(\d+)", text)
    if sent and int(sent.group(1)) > 1:  # the shortest drop
        for key in ("channel.drop_slots", "sweep.round_slots", "sweep.min_slots", "sweep.max_slots"):
            sets[key] = 64 + 16 * (int(sent.group(1)) - 1)
    if "target_ber" in text:
        sets["sweep.max_slots"] = 256
    if re.search(r"mcs\s*=\s*[\[(]", text):
        sets["code.mcs"] = "[4,10,16]"
    return attempt(SCENARIOS / f"{name}.cfg", "--quiet", "--out", into,
                   *(word for key, value in sets.items() for word in ("--set", f"{key}={value}")))


def check_scenario(name):
    done = run_few(name, name)
    claim(f"{name} runs", done.returncode == 0, done.stderr)
    folder = pathlib.Path(name)
    drawn = sorted(folder.glob("*.svg"))
    claim(f"{name} has pictures", drawn and "no picture" not in done.stderr, done.stderr)
    for path in drawn:
        check_axis(folder, path.stem, check(path, f"{name}/{path.stem}"))
        claim(f"{name}/{path.stem}: there is a PNG", path.with_suffix(".png").exists())
    for path in drawn:  # with the title that the scenario has where nothing is set
        for run in [folder / "run.json", *folder.glob("mcs_*/run.json")]:
            if run.exists():
                text = run.read_text(encoding="utf-8")
                run.write_text(re.sub(r" \[changed: [^\]]*\]", "", text), encoding="utf-8")
        for size in ([], ["--figure", "column"]):
            done = plot(name, "--show", path.stem, "-o", "titled.svg", *size)
            claim(f"{name}/{path.stem} {size} is drawn again", done.returncode == 0, done.stderr)
            check(pathlib.Path("titled.svg"), f"{name}/{path.stem} {size}, its title")


# ---- what pictures say ----

def plot(*arguments):
    return attempt("plot", *arguments)


def texts_of(*arguments):
    """The texts of a picture that is drawn for them."""
    done = plot(*arguments, "-o", "one.svg")
    claim(f"plot {' '.join(map(str, arguments))}", done.returncode == 0 and done.stdout == "picture in one.svg\n", done.stderr)
    return [t for *_, t in check(pathlib.Path("one.svg"), " ".join(map(str, arguments)))]


def points_in(svg, box):
    """Points of curves, every path of some points, that lie within a box."""
    curves = [re.findall(r"([-\d.]+),([-\d.]+)", d) for d in re.findall(r"<path[^>]* d='([^']*)'", svg)]
    return [(float(x), float(y)) for curve in curves if len(curve) > 20 for x, y in curve
            if box[0] < float(x) < box[2] and box[1] < float(y) < box[3]]


def check_words():
    quick = texts_of("quick")
    claim("names are those of papers", {"ZF", "MMSE"} <= set(quick), quick)
    gain = json.loads(pathlib.Path("quick/run.json").read_text(encoding="utf-8"))["snr_at_rate"][0]["detectors"][2]["gain_db"]
    claim("the gain is drawn", f"ML gains {gain:.2f} dB" in quick, quick)
    svg = pathlib.Path("quick/ber.svg").read_text(encoding="utf-8")
    words = [box for box in boxes(svg) if "gains" in box[4] or re.fullmatch(r"[\d.]+ to [\d.]+ dB", box[4])]
    claim("no curve goes through the words of the gain", len(words) == 2 and not any(points_in(svg, box) for box in words),
          [(box, points_in(svg, box)) for box in words])
    estimated = texts_of("estimated")
    claim("what a receiver knows is named", "MMSE, DM-RS (LMMSE)" in estimated and "ZF, perfect CSI" in estimated, estimated)
    both = texts_of("quick", "estimated", "--show", "ber")
    claim("an overlay names folders", any("quick" in t for t in both) and any("estimated, " in t for t in both), both)
    claim("paired differences", "errors against ZF (%)" in texts_of("quick", "--paired"))
    claim("limits", "constellation-constrained capacity" in texts_of("soft"))
    claim("a code is drawn by its blocks", "block error rate" in texts_of("bler_10mhz_2x2"))
    best = texts_of("adaptation_5mhz_2x2")
    claim("each MCS lies below the best", "a single MCS" in best and "16" in best, best)
    for name, label in (("timing", "fraction of slots later"), ("ber", "bit error rate")):
        for size in ("slide", "column"):
            claim(f"{name} of a {size} has its label", label in texts_of("quick", "--show", name, "--figure", size))
    shutil.copytree("quick", "a/same")
    shutil.copytree("quick", "b/same")
    same = texts_of("a/same", "b/same", "--show", "ber")
    claim("folders of one name have labels of their own", "ZF, a/same" in same and "ZF, b/same" in same, same)
    shared = texts_of("quick", "estimated", "--show", "ber")
    claim("folders that differ are named by what they share", any(t == "16QAM: bit error rate" for t in shared), shared)


def check_signs():
    """Beside a better first detector the others have more errors: the panel shows them above 0."""
    done = attempt(SCENARIOS / "quick.cfg", "--quiet", "--only", "ber", "--out", "turned", "--set", "detectors=mmse,mrc",
                   "--set", "sweep.max_slots=32", "--set", "sweep.min_slots=32")
    claim("turned runs", done.returncode == 0, done.stderr)
    plot("turned", "--paired", "-o", "turned.tex")
    text = pathlib.Path("turned.tex").read_text(encoding="utf-8").split("name=below")[1]
    rows = [float(line.split()[1]) for line in text.splitlines() if re.fullmatch(r"[-\d.e+]+( [-\d.e+]+){3}", line)]
    low, high = (float(re.search(rf"{name}=([-\d.e+]+)", text).group(1)) for name in ("ymin", "ymax"))
    claim("differences lie within their panel", rows and all(low <= y <= high for y in rows) and low <= 0.0 <= high,
          (rows, low, high))
    claim("more errors are above 0", rows and max(rows) > 0.0, rows)


def check_colours():
    """In an overlay a detector keeps its colour: two folders of the same detectors have no more colours than one."""
    def colours(*folders):
        plot(*folders, "-o", "colours.tex", "--show", "ber")
        return set(re.findall(r"\\addplot\[.*?(ltesim \d)", pathlib.Path("colours.tex").read_text(encoding="utf-8")))
    claim("a picture has colours", colours("quick") == {"ltesim 1", "ltesim 2", "ltesim 3"}, colours("quick"))
    claim("colours are the detectors'", colours("quick", "estimated") == colours("quick"), colours("quick", "estimated"))


def check_titles():
    """A title that --set has made wrong gives way to what was run; one that stays true is kept."""
    base = [SCENARIOS / "quick.cfg", "--only", "ber", "--quiet", "--set", "sweep.max_slots=32", "--set", "sweep.min_slots=32"]
    attempt(*base, "--out", "kept")
    attempt(*base, "--out", "made", "--set", "modulation=64qam", "--set", "channel.model=etu", "--set", "channel.doppler_hz=70",
            "--set", "carrier.bandwidth_mhz=1.4")
    kept, made = texts_of("kept"), texts_of("made")
    head = (SCENARIOS / "quick.cfg").read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
    path = pathlib.Path("made/run.json")
    path.write_text(re.sub(r'"title": "[^"]*"', '"title": "' + 3 * "Über-lang" * 9 + '"', path.read_text(encoding="utf-8")),
                    encoding="utf-8")
    claim("a word that is too long for a line is cut", sum("ber-lang" in t for t in texts_of("made")) > 2)
    claim("a title that is true stays", head in kept, kept)
    claim("a title is made of what was run", "1.4 MHz, 2x2, 64QAM, ETU 70 Hz" in made, made)


def check_formats():
    for suffix, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml"), ("tex", b"% needs")):
        done = plot("estimated", "-o", f"a.{suffix}", "--paired")
        claim(f"{suffix} is written", done.returncode == 0 and
              pathlib.Path(f"a.{suffix}").read_bytes().startswith(begins), done.stderr)
    plot("quick", "-o", "column.pdf", "--figure", "column")
    box = re.search(rb"MediaBox \[\s*0 0 ([\d.]+)", pathlib.Path("column.pdf").read_bytes())
    claim("a column is 8.5 cm wide", box and abs(float(box.group(1)) / 72.0 * 2.54 - 8.5) < 0.1, box)
    for arguments, code, words in ((("quick", "-o", "a.jpg"), 2, ".svg, .png, .pdf or .tex"),
                                   (("quick",), 2, "no file is given"),
                                   (("nowhere", "-o", "b.svg"), 2, "nowhere"),
                                   (("quick", "-o", "b.svg", "--show", "blre"), 2, "there is no picture"),
                                   (("quick", "-o", "b.svg", "--show", "bler"), 2, "bler.csv"),
                                   (("quick", "-o", "b.svg", "--show", "rate"), 2, "no LLRs"),
                                   (("quick", "-o", "b.tex", "--show", "timing"), 2, "no chart over SNR"),
                                   (("quick", "estimated", "-o", "b.svg", "--paired"), 2, "of one run"),
                                   (("quick", "-o", "b.svg", "--figure", "page"), 2, "column or slide"),
                                   (("quick", "-o", "nowhere/b.svg"), 1, "no picture")):
        done = plot(*arguments)
        claim(f"plot {' '.join(arguments)} is refused", done.returncode == code and words in done.stderr and
              done.stderr.count("\n") == 1, done.stderr)
    claim("nothing is left of a picture that was refused", not list(pathlib.Path().glob("b.*")))


def check_methods():
    """The times of a method's versions, in groups of what was worked on."""
    done = attempt("methods", "product", "--size", "24", "--backend", "cpu", "-o", "product.svg")
    claim("a method's picture", done.returncode == 0 and "\nerror: " in done.stdout, done.stderr)
    texts = [t for *_, t in check(pathlib.Path("product.svg"), "methods product")]
    claim("bars have groups, names and numbers", "[2][24][12]" in texts and "plain, serial" in texts and
          sum(re.fullmatch(r"[\d.]+( \(\d+ %\))?", t) is not None for t in texts) > 10, texts)
    done = attempt("methods", "product", "--size", "24", "-o", "product.tex")
    claim("a method has no .tex", done.returncode == 2 and ".svg, .png or .pdf" in done.stderr and not done.stdout, done.stderr)


def check_times():
    """Whatever times were measured, their numbers and words have room."""
    rng = random.Random(1)
    for case in range(12):
        shutil.rmtree("timed", ignore_errors=True)
        shutil.copytree("quick", "timed")
        slow, tail, stall = 10.0 ** rng.uniform(-1.0, 4.0), 10.0 ** rng.uniform(0.0, 2.0), 10.0 ** rng.uniform(0.0, 3.5)

        def write(name, of):
            rows = list(csv.reader(pathlib.Path(f"timed/{name}").read_text(encoding="utf-8").splitlines()))
            rows[1:] = [of(row, i / len(rows)) for i, row in enumerate(rows[1:])]
            pathlib.Path(f"timed/{name}").write_text("\n".join(map(",".join, rows)) + "\n", encoding="utf-8")

        def later(row, _):
            own = slow * math.exp(rng.gauss(0.0, 0.5))
            factors = (own, own * tail, own * tail, own * tail * stall, own)
            return [*row[:3], *(f"{float(cell) * factor:.6e}" for cell, factor in zip(row[3:8], factors)), *row[8:]]
        write("timing.csv", later)
        write("latency.csv", lambda row, at: [row[0], f"{float(row[1]) * slow * (tail * stall if at > 0.98 else 1.0):.6e}"])
        path = pathlib.Path("timed/run.json")
        text = re.sub(r'"due": \d+', f'"due": {(64, 1200, 1000000)[case % 3]}', path.read_text(encoding="utf-8"))
        path.write_text(re.sub(r'"verdict": "[^"]*"', f'"verdict": "{("undecided", "missed")[case % 2]}"', text),
                        encoding="utf-8")
        for size in ([], ["--figure", "column"], ["--figure", "slide"]):
            texts_of("timed", "--show", "timing", *size)


def check_tex():
    """LaTeX takes the file, where it is installed with pgfplots."""
    there = shutil.which("pdflatex") and subprocess.run(["kpsewhich", "pgfplots.sty"], capture_output=True,
                                                        check=False).returncode == 0
    if not there:
        print("skipped: LaTeX, not installed with pgfplots")
        return
    for name in ("estimated", "soft", "bler_10mhz_2x2", "adaptation_5mhz_2x2"):
        plot(name, "-o", "one.tex")
        pathlib.Path("whole.tex").write_text("\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}"
                                             "\\begin{document}\\input{one}\\end{document}\n", encoding="utf-8")
        done = subprocess.run(["pdflatex", "-interaction=batchmode", "-halt-on-error", "whole.tex"], capture_output=True,
                              check=False)
        claim(f"LaTeX draws {name}", done.returncode == 0, done.stdout)


def lines_of(file, bound=False):
    """The points of the lines of a picture for LaTeX: of the matched-filter bound, or of all others."""
    return [text.splitlines()[1:-1] for text in pathlib.Path(file).read_text(encoding="utf-8").split("\\addplot")
            if "mark=none" in text and ("dash dot dot" in text) == bound]


def check_bound():
    """Below the rates of several layers stands that of one layer alone, of QPSK by its textbook form."""
    def qpsk(snr, antennas):
        mu = math.sqrt(snr / (2 + snr))
        return ((1 - mu) / 2) ** antennas * sum(math.comb(antennas - 1 + k, k) * ((1 + mu) / 2) ** k for k in range(antennas))

    def bounds(name, *settings):
        attempt(SCENARIOS / "quick.cfg", "--quiet", "--only", "ber", "--no-plot", "--out", name,
                *runs.sets(("sweep.snr_db=[-6.0,12.0,6.0]", *runs.slots(16), *settings)))
        plot(name, "-o", f"{name}.tex", "--show", "ber")
        return [[tuple(float(x) for x in point.split()[:2]) for point in line if point.strip()[:1] in "-0123456789"]
                for line in lines_of(f"{name}.tex", True)]

    found = bounds("bound", "modulation=qpsk", "antennas.tx=3", "antennas.rx=4")
    claim("the bound of three layers on four antennas is that of one", len(found) == 1 and len(found[0]) >= 80 and
          all(abs(y / qpsk(10 ** (x / 10) / 3, 4) - 1) < 1e-3 for x, y in found[0]), found)
    for name, *settings in (("one_layer", "antennas.tx=1"), ("fixed", "channel.model=awgn"),
                            ("correlated", "channel.correlation.level=high")):
        claim(f"no bound is drawn: {name}", bounds(f"no_bound_{name}", *settings) == [])


def check_older():
    """A folder of an older revision, without the SNR at a rate and with a closed form of another kind, is drawn."""
    shutil.copytree("quick", "older")
    path = pathlib.Path("older/run.json")
    run = json.loads(path.read_text(encoding="utf-8"))
    del run["snr_at_rate"]
    path.write_text(json.dumps(run), encoding="utf-8")
    rows = pathlib.Path("older/ber.csv").read_text(encoding="utf-8").splitlines()
    at = rows[0].split(",").index("ber_theory")
    cells = [row.split(",") for row in rows]
    for row in cells[1:]:
        row[at] = "1.5e-01"
    pathlib.Path("older/ber.csv").write_text("\n".join(map(",".join, cells)) + "\n", encoding="utf-8")
    done = plot("older", "-o", "older.tex")
    lines = lines_of("older.tex")
    claim("a closed form that is not this one is drawn as stored", done.returncode == 0 and lines and
          all(len(line) <= len(rows) + 1 for line in lines), [len(line) for line in lines])
    plot("quick", "-o", "newer.tex")
    lines = lines_of("newer.tex")
    claim("a closed form has 100 points", any(len(line) >= 90 for line in lines), [len(line) for line in lines])


for program in ["gnuplot"] if sys.argv[2:] else ["gnuplot", "rsvg-convert"]:
    if not shutil.which(program):
        print(f"skipped: no {program}")
        sys.exit(77)
os.chdir(runs.top)
ALL = sorted(path.stem for path in SCENARIOS.glob("*.cfg"))
NAMED = sys.argv[2:]
for scenario in FIRST if NAMED == ["first"] else NAMED or ALL:
    check_scenario(scenario)
if NAMED in ([], ["first"]):
    check_words()
    check_signs()
    check_colours()
    check_titles()
    check_formats()
    check_methods()
    check_times()
    check_tex()
    check_bound()
    check_older()
os.chdir("/")
runs.end()
