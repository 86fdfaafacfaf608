#!/usr/bin/env python3
"""Reports and comparisons of results.

    tests/cli/report.py path/to/ltesim [path/to/ltesim_failing_host]

A report shows ber.csv's numbers, is one well-formed file that asks for no other, and stays small; in
a browser, where there is one, nothing overflows and no script fails. A comparison finds what is worse.
"""
import csv
import html.parser
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ltesim = os.path.realpath(sys.argv[1])
failing = os.path.realpath(sys.argv[2]) if len(sys.argv) > 2 else None
scenarios = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
folder = tempfile.mkdtemp()
os.chdir(folder)
MOST_BYTES = 500_000
passed = failed = skipped = 0
BER_COLUMNS = ("detector,csi,snr_db,snr_db_measured,slots,bits,bit_errors,ber,ber_low,ber_high,ser,"
               "ber_theory,z,flagged,status,seconds,vector_errors,unfinished,silent")
SMALL = """# {title}
carrier    = {{ bandwidth_mhz = 1.4; }};
antennas   = {{ tx = 2; rx = 2; }};
modulation = "16qam";
detectors  = ( "zf", "mmse" );
sweep      = {{ snr_db = [ 0.0, 20.0, 10.0 ]; min_bit_errors = 0; min_slots = 64; max_slots = 64; }};
deadline   = {{ slots = 20; distinct = 4; paced = false; }};
backend    = "cpu";
"""


def claim(name, holds, why=""):
    global passed, failed
    passed += bool(holds)
    failed += not holds
    if not holds:
        print(f"FAILED  {name} {why}")


def run(*arguments):
    return subprocess.run([ltesim, *map(str, arguments)], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=600)


def small(name, *sets, only=("--only", "ber"), code=0):
    """A run of the small scenario with a report."""
    pathlib.Path("small.cfg").write_text(SMALL.format(title="Small"))
    extra = [word for one in sets for word in ("--set", one)]
    done = run("small.cfg", *only, *extra, "--no-plot", "--quiet", "--report", "--out", name)
    claim(f"{name}_runs", done.returncode == code, done.stderr)
    return pathlib.Path(name)


def one_line(name, done, code, pattern):
    claim(name, done.returncode == code and done.stderr.count("\n") == 1
          and re.search(pattern, done.stderr), f"{done.returncode} {done.stderr!r}")


# ---- what is in a page ----

class Page(html.parser.HTMLParser):
    """Tags in balance; points, cells and texts that tests ask for."""
    VOID = {"meta", "br", "hr"}
    ALONE = {"circle", "rect", "path", "use"}  # ended by />

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.points, self.tags = [], [], [], []
        self.cells, self.texts = [], {}
        self.ids = []
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> is not ended" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        if len(found) != len(attributes):
            self.wrong.append(f"<{tag}> has an attribute twice")
        self.ids += [found["id"]] if "id" in found else []
        if tag in self.VOID:
            return
        self.open.append(tag)
        if tag == "use" and "p" in found.get("class", "").split():
            self.points.append(dict(found, title=""))
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th") and self.cells:
            self.cells[-1].append("")

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.ALONE:
            self.wrong.append(f"<{tag}/>")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> ends another")

    def handle_data(self, data):
        where = self.open[-1] if self.open else ""
        self.texts[where] = self.texts.get(where, "") + data
        if where == "title" and "use" in self.open:
            self.points[-1]["title"] += data
        if where in ("td", "th") and self.cells:
            self.cells[-1][-1] += data


def rows_of(dir_):
    with open(pathlib.Path(dir_) / "ber.csv", newline="") as file:
        return list(csv.DictReader(file))


def page_of(path, name):
    """The page, with what holds of every one."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    page = Page(text)
    claim(f"{name}_is_well_formed", not page.wrong, page.wrong[:3])
    claim(f"{name}_is_small", len(text.encode()) < MOST_BYTES, len(text.encode()))
    claim(f"{name}_asks_for_nothing", "://" not in text and "@import" not in text
          and not re.search(r"url\((?!#)", text))
    claim(f"{name}_links_stay_inside", all(
        found.get(key, "#").startswith("#") for _, found in page.tags
        for key in ("href", "xlink:href", "src", "srcset", "action", "data")))
    claim(f"{name}_has_ids_once", len(set(page.ids)) == len(page.ids), page.ids)
    claim(f"{name}_heads_have_scope", all(found.get("scope") for tag, found in page.tags
                                         if tag == "th"))
    claim(f"{name}_runs_one_script", sum(tag == "script" for tag, _ in page.tags) == 1)
    return page


def numbers_are_those_of(page, dirs, name):
    """Points and table have the cells of ber.csv, letter by letter."""
    wanted = [tuple(row[key] for key in ("snr_db", "ber", "ber_low", "ber_high"))
              for dir_ in dirs for row in rows_of(dir_) if row["ber"] or row["ber_high"]]
    found = [tuple(point[key] for key in ("data-snr", "data-ber", "data-low", "data-high"))
             for point in page.points if "data-ber" in point]
    claim(f"{name}_points_are_its_rows", sorted(found) == sorted(wanted) and found,
          f"{len(found)} of {len(wanted)}")
    keys = ("detector", "csi", "snr_db", "slots", "bits", "bit_errors", "ber", "ber_low", "ber_high",
            "ser", "ber_theory")
    rows = {tuple(row[key] for key in keys) for dir_ in dirs for row in rows_of(dir_)}
    table = {tuple(cells[:len(keys)]) for cells in page.cells if len(cells) == 13} \
        - {cells for cells in [tuple(page.cells[0][:len(keys)])]}
    claim(f"{name}_table_is_its_rows", rows <= table, sorted(rows - table)[:1])
    titles = " ".join(point["title"] for point in page.points)
    claim(f"{name}_points_tell_their_numbers",
          all(row["ber"] in titles and row["bit_errors"] in titles
              for dir_ in dirs for row in rows_of(dir_)))


def test_numbers():
    both = small("both", "channel.model=eva", "csi=perfect,dmrs-ls", only=())
    page = page_of(both / "report.html", "both")
    numbers_are_those_of(page, [both], "both")
    said = page.texts
    deadline = json.loads((both / "run.json").read_text())["deadline"]
    word = "met" if deadline["met"] else deadline["verdict"].upper()
    claim("verdict_is_told", said["strong"].startswith(word), said["strong"])
    timing = [row.split(",") for row in (both / "timing.csv").read_text().split()[1:]]
    times = {found["data-us"] for _, found in page.tags if "data-us" in found}
    # of 20 slots: no percentile that fewer than ten of them exceed
    claim("times_are_those_of_timing", {cell for row in timing for cell in (row[3], *row[6:8])} <= times)
    claim("few_slots_have_no_percentiles", not {cell for row in timing for cell in row[4:6]} - {
        cell for row in timing for cell in (row[3], *row[6:])} & times)
    shares = [float(cells[-1].rstrip(" %")) for cells in page.cells if cells[-1].endswith(" %")]
    claim("shares_of_stages_are_all", abs(sum(shares) - 100) < 0.5, shares)
    claim("a_deadline_is_drawn", any(found.get("class") == "budget" for _, found in page.tags))
    figures = [found["id"] for tag, found in page.tags if tag == "figure"]
    claim("there_are_two_figures", figures == ["ber", "latency"], figures)
    first = [point for point in page.points if point["tabindex"] == "0"]
    claim("keyboard_comes_to_every_curve", len(first) == 4 + 1, len(first))
    again = run("report", both)
    claim("report_says_where", again.stdout == "report in both/report.html\n", again.stdout)
    text = (both / "report.html").read_bytes()
    run("report", both, "-o", "elsewhere.html")
    claim("report_is_the_same_again", pathlib.Path("elsewhere.html").read_bytes() == text)


def test_search():
    found = small("found", "sweep.target_ber=0.1", "sweep.precision=0.1", "sweep.max_slots=1024")
    page = page_of(found / "report.html", "found")
    numbers_are_those_of(page, [found], "found")
    with open(found / "target.csv", encoding="utf-8") as file:
        wanted = [(row["detector"], f"{float(row['snr_db']):.4f}", f"{float(row['snr_db_low']):.4f}",
                   row["slots"], row["status"]) for row in csv.DictReader(file)]
    cells = [(row[0], row[3], row[4], row[7], row[8]) for row in page.cells if len(row) == 9]
    claim("what_is_found_is_told", len(wanted) == 2 and set(wanted) <= set(cells), (wanted, cells))


def test_jobs_alone():
    alone = small("alone")
    page = page_of(alone / "report.html", "no_deadline")
    numbers_are_those_of(page, [alone], "no_deadline")
    claim("no_deadline_is_told", "strong" not in page.texts)
    timed = small("timed", only=("--only", "deadline"))
    page = page_of(timed / "report.html", "no_rows")
    claim("no_rows_are_drawn", [found["id"] for tag, found in page.tags if tag == "figure"]
          == ["latency"])


def test_repeat():
    """The scenario of a report, saved and run, counts the same; its command is there."""
    run_dir = small("first", "csi=dmrs-mmse", "modulation=64qam", "channel.model=eva",
                    "channel.doppler_hz=71.2345678", "seed=7", "sweep.snr_points=12.3456789,-0.0123456789")
    page = page_of(run_dir / "report.html", "repeat")
    pathlib.Path("saved.cfg").write_text(page.texts["pre"])
    done = run("saved.cfg", "--only", "ber", "--no-plot", "--quiet", "--out", "again")
    claim("saved_scenario_runs", done.returncode == 0, done.stderr)

    def counts(dir_):
        return [[row[key] for key in row if key != "seconds"] for row in rows_of(dir_)]
    claim("saved_scenario_counts_the_same", counts(run_dir) == counts("again"))
    claim("command_is_told", f"{ltesim} small.cfg --only ber --set csi=dmrs-mmse" in
          page.texts["code"])
    for word in ("seed", "backend", "machine", "started", "ltesim"):
        claim("provenance_is_told", word in page.texts["dt"], word)


def test_file_of_channels():
    global skipped
    if "HDF5: no" in run("--version").stdout:
        skipped += 1
        print("skipped: channels from a file: this build has no HDF5")
        return
    done = run(scenarios / "file_2x2.cfg", "--only", "ber", "--set", "sweep.max_slots=64", "--set",
               "sweep.min_slots=64", "--no-plot", "--quiet", "--report", "--out", "stored")
    claim("stored_runs", done.returncode == 0, done.stderr)
    numbers_are_those_of(page_of("stored/report.html", "stored"), ["stored"], "stored")


def test_unfinished():
    pathlib.Path("small.cfg").write_text(SMALL.format(title="Small"))
    child = subprocess.Popen([ltesim, "small.cfg", "--only", "ber", "--no-plot", "--quiet",
                              "--report", "--out", "halted", "--set", "sweep.snr_points=(0, 60)",
                              "--set", "sweep.min_bit_errors=1000000000", "--set",
                              "sweep.max_slots=1099511627776L"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    while child.poll() is None and not pathlib.Path("halted/journal").exists():
        time.sleep(0.05)
    busy = run("report", "halted")
    child.send_signal(signal.SIGINT)
    claim("interrupted_exits_130", child.wait() == 130)
    claim("report_waits_for_a_run", busy.returncode != 0 and "halted" in busy.stderr, busy.stderr)
    page = page_of("halted/report.html", "halted")
    claim("unfinished_is_told", any(found.get("class") == "unfinished" for _, found in page.tags))
    claim("interrupted_rows_are_told", any("interrupted" in cells for cells in page.cells))
    claim("finished_is_not_told", not any(
        found.get("class") == "unfinished" for _, found in Page(
            pathlib.Path("alone/report.html").read_text()).tags))


HOSTILE = "</title><script>alert(1)</script><img src=http:x onerror=alert(2)> \"'&amp; \u00e9\u202e"


def test_hostile():
    """Text of others stays text: titles, folders, names in tables, and bytes that are no text."""
    name = "a <b> \"c\" 'd' &lt; \udcff"
    copy = shutil.copytree("both", name)
    run_json = json.loads(pathlib.Path(copy, "run.json").read_text())
    run_json["scenario"]["title"] = HOSTILE
    run_json["scenario"]["modulation"] = "</pre>" + HOSTILE
    run_json["command"] = HOSTILE
    run_json["device"] = "\u0001\u0085" + HOSTILE
    run_json["deadline"]["detector"] = HOSTILE
    pathlib.Path(copy, "run.json").write_text(json.dumps(run_json))
    ber = pathlib.Path(copy, "ber.csv").read_bytes()
    ber = ber.replace(b"mmse,", b"<script>\"'&\x01\xff\xc0\xaf,")
    pathlib.Path(copy, "ber.csv").write_bytes(ber)
    done = run("report", copy)
    claim("hostile_is_reported", done.returncode == 0, done.stderr)
    page = page_of(pathlib.Path(copy, "report.html"), "hostile")
    claim("hostile_title_is_text", page.texts["h1"] == HOSTILE, page.texts.get("h1"))
    claim("hostile_tags_are_none", not any(tag == "img" for tag, _ in page.tags))
    claim("hostile_attributes_are_none", not any(key.startswith("on") for _, found in page.tags
                                                 for key in found))
    claim("bytes_that_are_no_text_are_marked",
          any(cells[0] == "<script>\"'&????" for cells in page.cells if cells))
    small("injected", "sweep.snr_db=10")
    table = pathlib.Path("injected/ber.csv")
    lines = table.read_text().splitlines()
    cells = lines[1].split(",")
    cells[BER_COLUMNS.split(",").index("ber")] += '" onload="x'
    table.write_text("\n".join([lines[0], ",".join(cells), *lines[2:], ""]))
    one_line("text_behind_a_number_is_refused", run("report", "injected"), 2, "line 2")
    two = run("report", copy, "both", "-o", "two.html")
    claim("hostile_beside_another", two.returncode == 0, two.stderr)
    page_of("two.html", "hostile_beside_another")


def test_conformance():
    done = run("--verify", "3gpp=1.4MHz,1x2,EPA5", "--limit", "25", "--quiet", "--backend", "cpu", "--out", "points")
    claim("conformance_says_its_page", "points: conformance.csv, conformance.html" in done.stdout, done.stdout)
    page = page_of("points/conformance.html", "conformance")
    with open("points/conformance.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    stored = [[row["frc"], row["bits"], *(f"{float(row[key]):.1f}" for key in ("required_db", "snr_db")),
               f"{100 * float(row['share']):.1f}", row["drops"], {"": "no verdict"}.get(row["verdict"], row["verdict"])]
              for row in rows]
    shown = [[cells[1], *cells[3:6], cells[7], cells[10], cells[2].lower()] for cells in page.cells if len(cells) == 12][1:]
    claim("conformance_has_the_rows", shown == stored and len(rows) == 4, (shown, stored))
    met = sum(row["verdict"] == "met" for row in rows)
    claim("conformance_counts", f"{met} of 4 points met" in page.texts["strong"], page.texts["strong"])
    claim("conformance_names_what_is_not_met", page.texts.get("li", "").count("EPA") == 4 - met, page.texts.get("li"))


def largest(name, n_snr, detectors, csis, layers):
    """A folder as a run of the largest scenario would leave it."""
    shutil.copytree("both", name)
    lines, layer_lines = [BER_COLUMNS], ["detector,csi,snr_db,eb_n0_db,layer,bits,bit_errors,ber,"
                                         "symbol_errors,ser"]
    run_json = json.loads(pathlib.Path(name, "run.json").read_text())
    paired = []
    for csi in csis:
        for i in range(n_snr):
            for k in range(detectors):
                snr, rate = i * 0.05, 10 ** (-1 - i / n_snr * 4 - k / 20)
                cells = ",".join(f"{x:.6e}" for x in (rate, rate * .9, rate * 1.1, rate * 2, rate, 1))
                who = f"neumann-{k + 1},{csi},{snr:.9g}"
                lines.append(f"{who},{snr:.6e},1099511627776,18446744073709551615,"
                             f"{10 ** 18},{cells},0,errors,1.000000e+00,0,0,0")
                layer_lines += [f"{who},{snr:.6e},{layer},{10 ** 17},{10 ** 16},{rate:.6e},1,"
                                f"{rate:.6e}" for layer in range(layers)]
                paired.append({"snr_db": snr, "csi": csi, "a": "neumann-1", "b": f"neumann-{k}",
                               "slots": 10 ** 9, "ber_difference": 1e-3, "low": 1e-4, "high": 1e-2})
    run_json["paired"] = paired
    run_json["scenario"]["sweep"].pop("snr_db", None)
    run_json["scenario"]["sweep"]["snr_points"] = [i * 0.05 + 1e-6 for i in range(n_snr)]
    run_json["scenario"]["detectors"] = [f"neumann-{k}" for k in range(detectors)]
    pathlib.Path(name, "run.json").write_text(json.dumps(run_json))
    pathlib.Path(name, "ber.csv").write_text("\n".join(lines) + "\n")
    pathlib.Path(name, "layers.csv").write_text("\n".join(layer_lines) + "\n")
    latencies = [f"{(i + 1) / 4000:.6e},{60 + i ** 1.1 / 7:.6e}" for i in range(4000)]
    pathlib.Path(name, "latency.csv").write_text("quantile,latency_us\n" + "\n".join(latencies)
                                                 + "\n")


def test_size():
    csis = ["perfect", "dmrs-ls", "dmrs-mmse", "despread"]
    largest("largest", 1000, 16, csis, 8)
    began = time.monotonic()
    done = run("report", "largest")
    claim("largest_is_reported", done.returncode == 0, done.stderr)
    print(f"largest: {os.path.getsize('largest/report.html')} bytes, "
          f"{time.monotonic() - began:.1f} s")
    page = page_of("largest/report.html", "largest")
    claim("what_is_left_out_is_told", "ber.csv has all" in page.texts["figcaption"])
    curves = [found for _, found in page.tags if found.get("class", "").startswith("series")]
    claim("every_curve_is_there", len(curves) == 16 * 4 + 1, len(curves))
    names = [f"long_name_of_a_folder_with_many_settings_{i}_" + "x" * 100 for i in range(8)]
    for i, name in enumerate(names):
        largest(name, 250, 4, csis[:3], 8)
    done = run("report", *names, "-o", "eight.html")
    claim("eight_of_many_curves_are_reported", done.returncode == 0, done.stderr)
    print(f"eight of 12 curves: {os.path.getsize('eight.html')} bytes")
    page_of("eight.html", "eight")
    one_line("nine_are_refused", run("report", *names, "both"), 2, "at most 8")
    largest("wide", 100, 16, csis, 1)
    one_line("too_many_curves_are_refused", run("report", *["wide"] * 8, "-o", "no.html"), 2,
             "500 KB")
    claim("what_is_refused_is_not_written", not pathlib.Path("no.html").exists())


def test_several():
    page_text = run("report", "both", "alone", "timed", "-o", "several.html")
    claim("several_are_reported", page_text.stdout == "report in several.html\n", page_text.stderr)
    page = page_of("several.html", "several")
    numbers_are_those_of(page, ["both", "alone"], "several")
    claim("several_have_their_sections", all(name in page.texts["h2"]
                                             for name in ("both", "alone", "timed")))
    claim("nothing_goes_into_their_folders", not pathlib.Path("both/several.html").exists())


def test_refusals():
    os.mkdir("empty")
    one_line("no_folder_is_refused", run("report", "nowhere"), 2, "nowhere.*run.json is missing")
    one_line("no_result_is_refused", run("report", "empty"), 2, "empty.*run.json is missing")
    one_line("no_name_is_refused", run("report"), 2, "no folder is given")
    one_line("a_run's_options_are_refused", run("report", "both", "--set", "seed=1"), 2, "--set")
    one_line("explain_writes_no_report", run("small.cfg", "--report", "--explain"), 2, "--report")
    one_line("a_folder_is_no_file", run("report", "both", "-o", "empty/"), 2, "is not a file name")
    one_line("no_place_is_a_failure", run("report", "both", "-o", "nowhere/x.html"), 1, "nowhere")
    for name, file, old, new, why in (
            ("columns", "ber.csv", "detector,csi", "csi,detector", "columns"),
            ("a_text_for_a_number", "ber.csv", "perfect,10,", "perfect,ten,", "line 3"),
            ("no_number", "ber.csv", "perfect,10,", "perfect,,", "line 3"),
            ("no_snr", "ber.csv", "perfect,10,", "perfect,1e17,", "line 3.*SNR must be"),
            ("too_few_cells", "timing.csv", "host,", "", "line 2"),
            ("a_cut_file", "ber.csv", None, None, "line 13"),
            ("json_of_another", "run.json", "snr_definition", "other", "not written by ltesim"),
            ("no_json", "run.json", "{", "(", "not written by ltesim")):
        shutil.rmtree("bad", ignore_errors=True)
        path = shutil.copytree("both", "bad") + "/" + file
        text = pathlib.Path(path).read_text()
        pathlib.Path(path).write_text(text[:-20] if old is None else text.replace(old, new, 1))
        before = pathlib.Path("bad/report.html").read_bytes()
        one_line(f"{name}_is_refused", run("report", "bad"), 2, why)
        one_line(f"{name}_is_not_compared", run("compare", "both", "bad"), 2, why)
        claim("what_is_refused_leaves_the_old_report",
              pathlib.Path("bad/report.html").read_bytes() == before)
    shutil.copytree("both", "mine")
    pathlib.Path("mine/report.html").write_text("mine")
    one_line("a_report_of_another_stays", run("report", "mine"), 2, "not a result of ltesim")
    claim("a_report_of_another_is_as_it_was", pathlib.Path("mine/report.html").read_text() == "mine")
    small("both", "seed=3")
    run("small.cfg", "--only", "ber", "--no-plot", "--quiet", "--out", "both")
    claim("an_old_report_goes_with_its_run", not pathlib.Path("both/report.html").exists())


# ---- comparisons ----

def test_compare():
    small("base", "sweep.min_slots=256", "sweep.max_slots=256")
    small("same", "sweep.min_slots=256", "sweep.max_slots=256", "backend=cpu:ref")
    small("other_seed", "sweep.min_slots=256", "sweep.max_slots=256", "seed=5")
    small("worse", "sweep.min_slots=256", "sweep.max_slots=256", "modulation=64qam")
    small("fewer", "sweep.min_slots=256", "sweep.max_slots=256", "sweep.snr_db=10",
          "detectors=mmse,mrc")
    small("no_errors", "sweep.min_slots=256", "sweep.max_slots=256", "channel.model=awgn",
          "modulation=qpsk")
    done = run("compare", "base", "base")
    claim("a_run_equals_itself", done.returncode == 0 and "equal: all 6" in done.stdout, done.stdout)
    done = run("compare", "base", "same")
    claim("backends_are_equal", done.returncode == 0 and "equal: all 6" in done.stdout, done.stdout)
    done = run("compare", "base", "other_seed")
    claim("another_seed_is_not_worse", done.returncode == 0 and "not worse" in done.stdout,
          done.stdout)
    claim("what_differs_is_told", "seed is 1 in the first run and 5 in the later run" in done.stdout)
    done = run("compare", "base", "worse")
    claim("worse_exits_5", done.returncode == 5 and done.stdout.count("WORSE") >= 7, done.stdout)
    claim("decibels_are_told", re.search(r"zf +perfect +1e-01 .* [4-6]\.\d\d$", done.stdout, re.M),
          done.stdout)
    done = run("compare", "worse", "base")
    claim("better_exits_0", done.returncode == 0 and "better: 6" in done.stdout, done.stdout)
    done = run("compare", "base", "same", "worse")
    claim("any_later_one_counts", done.returncode == 5 and "equal" in done.stdout)
    done = run("compare", "base", "fewer")
    claim("common_rows_are_compared", done.returncode == 0 and "equal: all 1 " in done.stdout
          and "5 rows of the first" in done.stdout and "1 rows of the later" in done.stdout, done.stdout)
    done = run("compare", "no_errors", "base")
    claim("errors_where_there_were_none_are_worse", done.returncode == 5
          and re.search(r"^mmse +perfect +20\.00 +<.*WORSE$", done.stdout, re.M), done.stdout)
    done = run("compare", "base", "no_errors")
    claim("none_where_there_were_some_is_better", done.returncode == 0 and "better" in done.stdout,
          done.stdout)
    done = run("compare", "timed", "alone")
    claim("runs_without_common_rows", done.returncode == 2 and "no rows in common" in done.stdout
          and "deadline" in done.stdout and done.stderr.count("\n") == 1, done.stdout)
    claim("nothing_in_common_is_said", "timed and alone have no rows in common" in done.stderr, done.stderr)
    done = run("compare", "timed", "timed")
    claim("deadlines_are_in_common", done.returncode == 0 and not done.stderr, done.stderr)
    one_line("one_run_is_none_to_compare", run("compare", "base"), 2, "compare")
    one_line("no_run_is_refused", run("compare", "base", "nowhere"), 2, "nowhere")
    one_line("a_picture_has_its_ending", run("compare", "base", "same", "--plot", "x.jpg"), 2, "png")
    one_line("plot_is_no_option_of_a_run", run("small.cfg", "--plot", "x.png"), 2, "--plot")
    for name in ("x.svg", "y.png"):
        done = run("compare", "base", "worse", "--plot", name)
        drawn = pathlib.Path(name).exists()
        claim("a_picture_is_drawn_or_missed_in_words",
              drawn and done.returncode == 5 or "gnuplot is not installed" in done.stderr, done.stderr)


CODED = """antennas   = { tx = 2; rx = 2; };
carrier    = { bandwidth_mhz = 1.4; };
channel    = { model = "eva"; doppler_hz = 70.0; drop_slots = 8; };
detectors  = ( "zf", "mmse" );
inverter   = "ldl";
backend    = "cpu";
"""


def coded(name, sweep, code, *sets, more=""):
    pathlib.Path("coded.cfg").write_text(f"{CODED}code = {{ {code} }};\nsweep = {{ {sweep} }};\n{more}")
    extra = [word for one in sets for word in ("--set", one)]
    done = run("coded.cfg", "--only", "ber", *extra, "--no-plot", "--quiet", "--out", name)
    claim(f"{name}_runs", done.returncode == 0, done.stderr)


def heads_of(text):
    """What a comparison has compared, in its order."""
    return [found for found in re.findall(r"first (BER|GMI|BLER|last BLER|Mbit/s|SNR dB) ", text)]


def test_compare_coded():
    """Block errors, throughput, LLRs, searches and lists: worse is 5, equal 0, nothing in common 2."""
    few = "snr_points = [ 8.0, 12.0 ]; min_slots = 512; max_slots = 512;"
    coded("six", few, "mcs = 10;")
    coded("one", few, "mcs = 10;", "code.iterations=1")
    coded("elsewhere", few, "mcs = 10;", "sweep.snr_points=[3.0]")
    coded("another", few, "mcs = 10;", "seed=5")
    done = run("compare", "six", "one")
    claim("fewer_iterations_are_worse", done.returncode == 5 and "WORSE: 4 of 4" in done.stdout
          and "z of 4 of the 4" in done.stdout and heads_of(done.stdout) == ["BLER"], done.stdout)
    done = run("compare", "one", "six")
    claim("more_iterations_are_better", done.returncode == 0 and "better: 4" in done.stdout, done.stdout)
    done = run("compare", "six", "another")
    claim("another_seed_of_blocks_is_not_worse", done.returncode == 0 and "not worse" in done.stdout, done.stdout)
    done = run("compare", "six", "six")
    claim("blocks_equal_themselves", done.returncode == 0 and "equal: all 4" in done.stdout, done.stdout)
    for other in ("elsewhere", "both"):
        done = run("compare", "six", other)
        claim(f"nothing_in_common_with_{other}", done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr)
    harq = "snr_points = [ 4.0 ]; min_slots = 1120; max_slots = 1120; round_slots = 112;"
    for name, iterations in (("again", 6), ("again_worse", 1)):
        coded(name, harq, "mcs = 10; transmissions = 4;", f"code.iterations={iterations}", "channel.drop_slots=112")
    done = run("compare", "again", "again_worse")
    claim("several_transmissions_are_paired", "z of 2 of the" in done.stdout, done.stdout)
    claim("several_transmissions_are_compared_by_all", heads_of(done.stdout) == ["BLER", "last BLER", "Mbit/s"]
          and done.returncode == 5 and re.search(r"first Mbit/s.*\n(.*WORSE\n){2}", done.stdout), done.stdout)
    for name, least in (("list", "[4,10]"), ("list_worse", "[4,10,12]")):
        coded(name, few, f"mcs = {least};", *(["code.iterations=1"] if "worse" in name else []))
    done = run("compare", "list", "list_worse")
    claim("lists_are_compared", done.returncode == 5 and heads_of(done.stdout) == ["Mbit/s", "BLER", "BLER"]
          and "best fixed MCS" in done.stdout and "MCS 10\n" in done.stdout and "4 rows of the later" in done.stdout,
          done.stdout)
    done = run("compare", "list", "list")
    claim("a_list_equals_itself", done.returncode == 0 and "equal: all 12" in done.stdout, done.stdout)
    done = run("compare", "list", "six")
    claim("a_list_is_no_run", done.returncode == 2 and "no rows in common" in done.stderr, done.stderr)
    soft = ("sweep.min_slots=128", "sweep.max_slots=128", "sweep.snr_db=10")
    small("soft_exact", *soft, "output=llr", "llr.demapper=exact")
    small("soft_maxlog", *soft, "output=llr", "llr.demapper=max-log")
    done = run("compare", "soft_exact", "soft_maxlog")
    claim("information_is_compared", done.returncode == 5 and heads_of(done.stdout) == ["BER", "GMI", "GMI"]
          and re.search(r"^mmse.*WORSE", done.stdout, re.M), done.stdout)
    search = ("sweep.target_ber=0.05", "sweep.precision=0.05", "sweep.snr_db=[0.0,40.0,40.0]", "sweep.max_slots=4096")
    small("searched", *search)
    small("searched_worse", *search, "modulation=64qam")
    done = run("compare", "searched", "searched_worse")
    claim("searches_are_compared", done.returncode == 5 and "SNR dB" in heads_of(done.stdout)
          and re.search(r"^zf +perfect +0\.05 .* [3-7]\.\d{3} .*WORSE$", done.stdout, re.M), done.stdout)
    for name, modulation in (("in_range", "qpsk"), ("out_of_range", "64qam")):
        small(name, *search[:2], "sweep.snr_db=[0.0,14.0,14.0]", "sweep.max_slots=2048", f"modulation={modulation}")
    beyond = [run("compare", *pair).stdout for pair in (("in_range", "out_of_range"), ("out_of_range", "in_range"))]
    claim("an_snr_beyond_the_range_is_worse", all(re.search(r"^zf +perfect +0\.05 .*" + word + "$", text, re.M)
                                                  for word, text in zip(("WORSE", "better"), beyond)), beyond)


def points_of(page, rows, key, low, high, name):
    """Points have the cells of a table, letter by letter."""
    wanted = [(row["snr_db"], row[key], row[low], row[high]) for row in rows if row[key] or row[high]]
    found = [(point["data-snr"], point[f"data-{name}"], point["data-low"], point["data-high"])
             for point in page.points if f"data-{name}" in point]
    claim(f"{name}_points_are_its_rows", sorted(found) == sorted(wanted) and found, (found, wanted))


def test_coded_pages():
    """Curves and tables of block errors, throughput, information and of a list's best MCS."""
    for name, ids in (("six", {"bler"}), ("again", {"bler", "last", "throughput"})):
        run("report", name)
        page = page_of(f"{name}/report.html", name)
        with open(f"{name}/bler.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        points_of(page, rows, "bler", "bler_low", "bler_high", "bler")
        if len(ids) > 1:
            points_of(page, rows, "bler_last", "bler_last_low", "bler_last_high", "last")
            points_of(page, rows, "bits_per_s", "bits_per_s_low", "bits_per_s_high", "throughput")
        claim(f"{name}_has_its_figures", ids == {found["id"] for tag, found in page.tags if tag == "figure"}, page.ids)
        cells = [row[key] for row in rows for key in ("blocks", "wrong_first", "bler", "bler_last", "raw_ber")]
        shown = [cell for cells_of in page.cells for cell in cells_of]
        claim(f"{name}_table_has_its_cells", all(cell in shown for cell in cells), cells)
    claim("the_bound_is_explained", "no error was seen" in page.texts["caption"], page.texts["caption"])
    run("report", "soft_exact")
    page = page_of("soft_exact/report.html", "soft_exact")
    points_of(page, rows_of("soft_exact"), "gmi", "gmi_low", "gmi_high", "gmi")
    with open("soft_exact/rate.csv", newline="") as file:
        bits = {tuple(row[key] for key in ("detector", "csi", "snr_db", "layer", "bit", "gmi")) for row in csv.DictReader(file)}
    claim("bits_are_listed", bits <= {tuple(cells[:6]) for cells in page.cells}, bits)
    done = run("report", "list", "-o", "list.html")
    claim("a_list_is_reported", done.returncode == 0, done.stderr)
    page = page_of("list.html", "list")
    with open("list/envelope.csv", newline="") as file:
        points_of(page, list(csv.DictReader(file)), "bits_per_s", "bits_per_s_low", "bits_per_s_high", "envelope")
    claim("a_list_has_each_mcs", all(f"MCS {mcs}" in page.texts["summary"] for mcs in (4, 10)), page.texts["summary"])
    claim("a_list_says_its_mcs", "2 MCS from 4 to 10" in page.texts["p"], page.texts["p"])
    pathlib.Path("repeated.cfg").write_text(page.texts["pre"])
    done = run("repeated.cfg", "--only", "ber", "--no-plot", "--quiet", "--out", "repeated")
    claim("a_list_is_repeated", done.returncode == 0, done.stderr)
    for table in ("envelope.csv", "mcs_4/groups.csv", "mcs_10/groups.csv"):
        claim(f"{table}_is_the_same", pathlib.Path("repeated", table).read_text() == pathlib.Path("list", table).read_text())
    done = run("report", "list", "again", "-o", "mixed.html")
    claim("lists_and_runs_in_one_page", done.returncode == 0, done.stderr)
    page_of("mixed.html", "mixed")


def test_pairs():
    """Over common draws a difference shows that is lost between independent ones; none where there is none."""
    moving = ("channel.model=eva", "channel.doppler_hz=70", "csi=dmrs-ls", "sweep.min_slots=512",
              "sweep.max_slots=512", "sweep.snr_db=20")
    small("both_symbols", *moving)
    small("one_symbol", *moving, "csi_references=1")
    small("one_symbol_later", *moving, "csi_references=1", "seed=5")
    small("noise_known", *moving, "noise=known")
    paired = "z of 2 of the 2 rows that differ tests slot-by-slot differences"
    done = run("compare", "both_symbols", "one_symbol")
    claim("pairs_show_what_is_worse", done.returncode == 5 and "WORSE: 2 of 2" in done.stdout
          and paired in done.stdout, done.stdout)
    done = run("compare", "both_symbols", "one_symbol_later")
    claim("another_seed_is_no_pair", done.returncode == 0 and "common:" not in done.stdout, done.stdout)
    done = run("compare", "both_symbols", "noise_known")
    claim("pairs_of_equals_are_equal", done.returncode == 0 and paired in done.stdout, done.stdout)
    shutil.copytree("one_symbol", "odd_groups")
    table = pathlib.Path("odd_groups", "groups.csv")
    table.write_text(re.sub(r"(dmrs-ls,20,\d+,)(\d+)", r"\g<1>1", table.read_text()))
    done = run("compare", "both_symbols", "odd_groups")
    claim("groups_of_another_table_are_not_used", done.returncode == 0 and "common:" not in done.stdout,
          done.stdout)
    table.unlink()
    done = run("compare", "both_symbols", "odd_groups")
    claim("groups_may_be_missing", done.returncode == 0 and "common:" not in done.stdout, done.stdout)


def test_limits():
    """The chance of calling a run worse that is not is that of all rows and runs; any of the runs may be the worse one."""
    for name, later, rows in (("one_run", ["other_seed"], 6), ("two_runs", ["other_seed", "same"], 12)):
        done = run("compare", "base", *later)
        limits = set(re.findall(r"limit (\d+\.\d+)", done.stdout))
        claim(f"limit_of_{name}", limits == {f"{statistics.NormalDist().inv_cdf(1 - 0.00135 / rows):.2f}"}, done.stdout[-300:])
    done = run("compare", "base", "worse", "same")
    claim("an_earlier_one_counts_too", done.returncode == 5 and "equal: all 6" in done.stdout, done.returncode)


def test_chance():
    """Of 40 seeds none is called worse than the first, and their z are of one standard error."""
    few = ("sweep.min_slots=32", "sweep.max_slots=32", "sweep.snr_db=10", "detectors=zf")
    dirs = [str(small(f"seed{i}", f"seed={100 + i}", *few)) for i in range(40)]
    done = run("compare", *dirs)
    claim("chance_is_not_called_worse", done.returncode == 0, done.stdout[-300:])
    scores = [float(z) for z in re.findall(r"^zf +perfect +10\.00 .* (-?\d+\.\d\d)(?:  same)?$", done.stdout,
                                           re.M)]
    spread = (sum(z * z for z in scores) / len(scores)) ** 0.5 if scores else 0
    mean = sum(scores) / max(len(scores), 1)
    deviation = (sum((z - mean) ** 2 for z in scores) / max(len(scores) - 1, 1)) ** 0.5
    claim("z_is_in_standard_errors", len(scores) == 39 and 0.45 < deviation < 1.0 and spread < 3,
          f"{len(scores)} {deviation} {spread}")


# ---- in a browser ----

PROBE_HEAD = """<script>
window.probe = { errors: [] };
addEventListener("error", (event) => probe.errors.push(String(event.message)));
addEventListener("securitypolicyviolation", (event) => probe.errors.push(event.blockedURI));
</script>
"""
PROBE_END = """<script>
{
  const tip = document.getElementById("tip");
  const use = document.querySelector("figure .p");
  const box = use.getBoundingClientRect();
  const figure = use.closest("figure");
  const svg = figure.querySelector(":scope > svg");
  const place = { bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
  probe.width = [document.documentElement.scrollWidth, innerWidth];
  probe.out = [...document.querySelectorAll("body *")].filter((e) => !e.closest(".wide, pre, svg, #tip") &&
    e.getBoundingClientRect().right > innerWidth + 0.5).map((e) => e.outerHTML.slice(0, 80));
  probe.labels = [...document.querySelectorAll("figure > svg text")].filter((e) => {
    const outer = e.closest("svg").getBoundingClientRect(), inner = e.getBoundingClientRect();
    return inner.left < outer.left - 1 || inner.right > outer.right + 1 ||
      inner.bottom > outer.bottom + 1;
  }).map((e) => e.textContent);
  svg.dispatchEvent(new PointerEvent("pointermove", place));
  probe.hover = tip.hidden ? "" : tip.textContent;
  svg.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
  probe.gone = tip.hidden;
  use.focus();
  probe.focus = tip.hidden ? "" : tip.textContent;
  const shown = tip.getBoundingClientRect();
  probe.tip_fits = shown.left >= 0 && shown.right <= innerWidth && shown.top >= 0;
  use.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  probe.next = tip.textContent;
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  probe.down = tip.textContent;
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  probe.escaped = tip.hidden;
  const button = figure.querySelector(".legend button");
  button.click();
  probe.off = [getComputedStyle(figure.querySelector(".series")).display,
               button.getAttribute("aria-pressed")];
  button.click();
  probe.on = [getComputedStyle(figure.querySelector(".series")).display,
              button.getAttribute("aria-pressed")];
  const result = document.createElement("p");
  result.id = "probe";
  result.textContent = JSON.stringify(probe);
  document.body.append(result);
}
</script>
"""


def browser():
    for name in ("chromium", "google-chrome", "chromium-browser"):
        if shutil.which(name):
            return name
    return None


def start(program, *arguments):
    # so large that nothing of a page lies beyond it: there is no bar to scroll with
    return subprocess.run([program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                           "--disable-dev-shm-usage", "--hide-scrollbars",
                           f"--user-data-dir={folder}/browser", *arguments],
                          capture_output=True, text=True, timeout=300)


def probe(program, path, width):
    text = pathlib.Path(path).read_text()
    copy = pathlib.Path(folder, "probed.html")
    copy.write_text(text.replace("<style>", PROBE_HEAD + "<style>", 1)
                    .replace("</body>", PROBE_END + "</body>", 1))
    # a frame: a window of 400 pixels may be wider than it says
    frame = pathlib.Path(folder, "frame.html")
    frame.write_text(f'<!DOCTYPE html><body style="margin:0"><iframe src="probed.html" width="{width}" '
                     'height="3000" style="border:0"></iframe><script>onload = () => { try { '
                     'document.body.append(frames[0].document.getElementById("probe").cloneNode(true))'
                     ' } catch (e) { document.body.append(String(e)) } }</script></body>')
    done = start(program, "--allow-file-access-from-files", "--window-size=1500,3000", "--dump-dom",
                 f"file://{frame}")
    found = re.search(r'<p id="probe">(.*?)</p>', done.stdout, re.S)
    return json.loads(html.unescape(found.group(1))) if found else None


def test_browser():
    global skipped
    program = browser()
    if not program:
        skipped += 1
        print("skipped: in a browser: no chromium is here")
        return
    small("shown", "channel.model=eva", "csi=perfect,dmrs-ls", only=())
    small("timed_too", only=())
    run("report", "shown", "timed_too", "-o", "two_shown.html")
    for path in ("shown/report.html", "largest/report.html", "two_shown.html", "eight.html",
                 "halted/report.html", "found/report.html", "six/report.html", "list.html"):
        word = {"six/report.html": "BLER", "list.html": "Mbit/s"}.get(path, "BER")
        for width in (400, 1400):
            name = f"{path}_at_{width}"
            seen = probe(program, path, width)
            claim(f"{name}_is_shown", seen)
            if not seen:
                continue
            claim(f"{name}_has_no_error", seen["errors"] == [], seen["errors"])
            claim(f"{name}_is_as_wide_as_the_window",
                  seen["width"][0] <= seen["width"][1] == width, seen["width"])
            claim(f"{name}_nothing_sticks_out", seen["out"] == [], seen["out"][:3])
            claim(f"{name}_labels_are_whole", seen["labels"] == [], seen["labels"][:3])
            claim(f"{name}_tells_values_on_hover", word in seen["hover"], seen["hover"])
            claim(f"{name}_forgets_them", seen["gone"])
            claim(f"{name}_tells_values_on_focus", word in seen["focus"] and seen["tip_fits"], seen)
            claim(f"{name}_goes_along_a_curve", word in seen["next"] and
                  (seen["next"] != seen["focus"] or path[0] in "he"), seen["next"])
            claim(f"{name}_goes_to_the_next_curve",
                  seen["down"].split(",")[0] != "" and seen["down"] != seen["next"], seen["down"])
            claim(f"{name}_escape_ends_it", seen["escaped"])
            claim(f"{name}_curves_go", seen["off"] == ["none", "false"], seen["off"])
            claim(f"{name}_curves_come", seen["on"] == ["inline", "true"], seen["on"])
    start(program, "--window-size=1400,2000", "--screenshot=shown.png",
          f"file://{folder}/shown/report.html")
    claim("a_picture_of_it_can_be_made", os.path.getsize("shown.png") > 10_000)
    start(program, "--print-to-pdf=shown.pdf", f"file://{folder}/shown/report.html")
    claim("it_can_be_printed", pathlib.Path("shown.pdf").read_bytes()[:5] == b"%PDF-")


# ---- on a host that fails (tests/faults/failing_host.c) ----

def faulty(kind, n, *arguments):
    """A run whose n-th call of a kind fails: what it came to, and how many calls there were."""
    log = pathlib.Path("calls")
    log.unlink(missing_ok=True)
    done = subprocess.run([failing, *arguments], capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, timeout=600,
                          env={**os.environ, "LTE_FAULT": f"{kind}:{n}", "LTE_FAULT_LOG": str(log)})
    return done, int(log.read_text() or 0) if log.exists() else 0


def test_faults():
    """A report is whole or the one before, a comparison right or refused, whatever call fails."""
    global skipped
    if not failing:
        skipped += 1
        print("skipped: faults: no program that fails")
        return
    small("faulty", "channel.model=eva", "csi=perfect,dmrs-ls", only=())
    whole = pathlib.Path("faulty/report.html").read_bytes()
    table = run("compare", "faulty", "faulty").stdout
    tried = 0
    for kind in ("memory", "open", "read", "write", "short", "sync", "rename"):
        done, calls = faulty(kind, 10 ** 9, "report", "faulty")
        if done.returncode == 77:
            continue
        for n in [*range(1, calls + 1, max(1, calls // 60)), calls]:
            pathlib.Path("faulty/report.html").write_bytes(whole + b"the one before")
            done, _ = faulty(kind, n, "report", "faulty")
            tried += 1
            left = pathlib.Path("faulty/report.html").read_bytes()
            good = left == whole and (done.returncode == 0 or "stdout" in done.stderr)
            claim(f"{kind}_{n}_leaves_a_whole_report", good or done.returncode in (1, 2) and
                  left == whole + b"the one before" and done.stderr.count("\n") == 1,
                  f"{done.returncode} {done.stderr!r}")
            claim(f"{kind}_{n}_is_not_blamed_on_the_user",
                  kind != "memory" or done.returncode in (0, 1), done.stderr)
        done, calls = faulty(kind, 10 ** 9, "compare", "faulty", "faulty")
        for n in range(1, calls + 1, max(1, calls // 30)):
            done, _ = faulty(kind, n, "compare", "faulty", "faulty")
            tried += 1
            claim(f"{kind}_{n}_compares_right_or_not", done.returncode == 0 and done.stdout == table
                  or done.returncode in (1, 2) and done.stderr.count("\n") == 1,
                  f"{done.returncode} {done.stderr!r}")
    claim("nothing_is_left_behind", not [name for name in os.listdir("faulty")
                                         if name.startswith(".ltesim-")], os.listdir("faulty"))
    print(f"faults: {tried} calls failed")


TESTS = (test_numbers, test_search, test_conformance, test_jobs_alone, test_repeat, test_file_of_channels,
         test_unfinished, test_hostile, test_size, test_several, test_compare, test_compare_coded, test_coded_pages,
         test_pairs, test_limits, test_chance, test_faults, test_browser,
         test_refusals)
try:
    for test in TESTS:
        test()
finally:
    os.chdir("/")
    if os.environ.get("LTE_KEEP"):
        print(f"kept: {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or passed == 0 else 0)
