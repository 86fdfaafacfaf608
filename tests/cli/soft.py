#!/usr/bin/env python3
"""Runs with LLRs: their information against quadrature, their scale, and the same files whoever counts.

    tests/cli/soft.py path/to/ltesim
"""
import functools
import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

LEVELS = {"qpsk": 2, "16qam": 4, "64qam": 8, "256qam": 16, "1024qam": 32}


def arguments(out, settings, options=()):
    """A small scenario with LLRs, and the arguments that run it."""
    (top / "soft.cfg").write_text(
        '# soft\ncarrier = { bandwidth_mhz = 20.0; };\nantennas = { tx = 1; rx = 1; };\n'
        'modulation = "16qam";\nchannel = { model = "awgn"; };\ndetectors = ( "zf", "mmse" );\n'
        'output = "llr";\nbackend = "cpu";\n', encoding="utf-8")
    return ["soft.cfg", "--no-plot", "--quiet", "--out", out, *runs.sets(settings), *runs.ber_alone(options), *options]


def run(out, *settings, options=(), code=0):
    """Such a run; what it says on stderr."""
    return runs.run(*arguments(out, settings, options), code=code).stderr


def table(out, name="ber.csv"):
    return runs.table(out, name)


def counted(out):
    """Its tables without the time."""
    rows = table(out)
    for row in rows:
        del row["seconds"]
    return rows, table(out, "rate.csv"), table(out, "groups.csv")


# ---- information of a QAM symbol, by integration; nothing here is the program's ----

def gray(n):
    """Levels of a dimension of n and the bits of each, the first decided by the sign: TS 36.211, 7.1."""
    if n == 1:
        return [(0.0, ())]
    half = gray(n // 2)
    inner = [(n / 2 - level, bits) for level, bits in half]
    return [(level, (0,) + bits) for level, bits in inner] + [(-level, (1,) + bits) for level, bits in inner]


@functools.lru_cache(maxsize=None)
def information(modulation, snr, steps=240):
    n = LEVELS[modulation]
    unit = math.sqrt(1.5 / (n * n - 1))
    points = [(level * unit, bits) for level, bits in gray(n)]
    sigma, width, lost = math.sqrt(0.5 / snr), 14.0 / steps, 0.0
    for sent, its in points:
        for i in range(steps + 1):
            z = -7.0 + i * width
            v = sent + sigma * z
            weights = [(math.exp(snr * ((v - sent) ** 2 - (v - level) ** 2)), bits) for level, bits in points]
            both = sum(weight for weight, _ in weights)
            for j in range(len(its)):
                right = sum(weight for weight, bits in weights if bits[j] == its[j])
                lost += width * math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi) * math.log2(both / right) / n
    return 2 * (math.log2(n) - lost)


def faded(modulation, snr):
    """The same over one Rayleigh path: the mean over g = snr e, e exponential, by its quantiles."""
    steps = 400
    return sum(information(modulation, snr * -math.log1p(-(i + 0.5) / steps), 100) for i in range(steps)) / steps


def check_row(name, row, expected, room):
    low, high = float(row["gmi_low"]), float(row["gmi_high"])
    gmi, spread = float(row["gmi"]), 0.51 * (high - low)  # 2 standard errors, twice
    claim(name, abs(gmi - expected) <= room + spread, f"{gmi} is not {expected}, {low} to {high}")


def check_information():
    points = {"qpsk": 3, "16qam": 9, "64qam": 15, "256qam": 20, "1024qam": 26}
    for modulation, snr_db in points.items():
        run(modulation, f"modulation={modulation}", f"sweep.snr_db={snr_db}", *runs.slots(runs.share(1024)),
            'detectors=("zf")')
        row = table(modulation)[0]
        expected = information(modulation, 10 ** (snr_db / 10))
        check_row(f"awgn_{modulation}", row, expected, 1e-3)
        claim(f"limit_{modulation}", abs(float(row["gmi_limit"]) - expected) < 1e-4, row["gmi_limit"])
        claim(f"scale_{modulation}", abs(float(row["llr_scale"]) - 1) < 0.02, row["llr_scale"])
        bits = sum(float(r["gmi"]) for r in table(modulation, "rate.csv"))
        claim(f"bits_{modulation}", abs(bits - float(row["gmi"])) < 1e-5, bits)
    for modulation in ("qpsk", "16qam"):
        run("faded", f"modulation={modulation}", "channel.model=rayleigh", "sweep.snr_db=10",
            *runs.slots(runs.share(1024)), 'detectors=("zf")')
        check_row(f"rayleigh_{modulation}", table("faded")[0], faded(modulation, 10.0), 2e-3)
        claim(f"rayleigh_scale_{modulation}", abs(float(table("faded")[0]["llr_scale"]) - 1) < 0.02)


def check_intervals():
    """Intervals of each layer and bit: as wide as runs of other seeds differ; of one detector as of another."""
    n, seen = 60 if runs.LONG else 30, {}
    for seed in range(1, n + 1):
        run("seeds", f"seed={seed}", "antennas.tx=2", "antennas.rx=2", "channel.model=eva", "channel.doppler_hz=70",
            "channel.drop_slots=4", "carrier.bandwidth_mhz=1.4", "sweep.snr_db=12", *runs.slots(128))
        for row in table("seeds", "rate.csv"):
            at = (row["detector"], row["layer"], row["bit"])
            seen.setdefault(at, []).append([float(row[key]) for key in ("gmi", "gmi_low", "gmi_high")])
    claim("every_bit_has_an_interval", len(seen) == 2 * 2 * 4 and all(len(rows) == n for rows in seen.values()))
    for at, rows in seen.items():
        mean = sum(row[0] for row in rows) / n
        spread = math.sqrt(sum((row[0] - mean) ** 2 for row in rows) / (n - 1))
        half = sum(row[2] - row[1] for row in rows) / n / 2
        within = sum(low <= mean <= high for _, low, high in rows)
        claim(f"interval_{'_'.join(at)}", 0.65 < half / (1.96 * spread) < 1.5 and within > 0.83 * n,
              (half, spread, within))


def check_estimates():
    """A receiver that estimates knows its errors: its LLRs are as true. Max-log ones are worth no more."""
    common = ("antennas.tx=2", "antennas.rx=2", "channel.model=eva", "carrier.bandwidth_mhz=5",
              "sweep.snr_db=15", *runs.slots(128))
    run("known", *common)
    run("estimated", *common, "csi=dmrs-mmse")
    run("max_log", *common, "llr.demapper=max-log")
    for k, name in enumerate(("zf", "mmse")):
        known, estimated, nearest = (float(table(out)[k]["gmi"]) for out in ("known", "estimated", "max_log"))
        claim(f"an_estimate_costs_{name}", known - 0.5 < estimated < known, (known, estimated))
        claim(f"max_log_costs_{name}", known - 0.2 < nearest <= known, (known, nearest))
        scale = float(table("estimated")[k]["llr_scale"])
        claim(f"estimated_llrs_are_true_{name}", abs(scale - 1) < 0.1, scale)
    run("both", *common, 'detectors=("zf","zf-max-log","mmse","mmse-max-log")')
    both = {row["detector"]: row["gmi"] for row in table("both")}
    for k, name in enumerate(("zf", "mmse")):
        claim(f"a_detector_may_have_its_own_demapper_{name}",
              [both[name], both[f"{name}-max-log"]] == [table(out)[k]["gmi"] for out in ("known", "max_log")], both)
    claim("errors_are_those_of_hard_runs", not run("hard", *common, "output=hard", options=("--only", "ber")) and
          [r["bit_errors"] for r in table("hard")] == [r["bit_errors"] for r in table("known")])


def check_search():
    """What a search finds is worth more than MMSE's estimates where it keeps enough vectors, and the same everywhere."""
    common = ("antennas.tx=4", "antennas.rx=4", "channel.model=rayleigh", "modulation=16qam", "carrier.bandwidth_mhz=1.4",
              "sweep.snr_db=20", *runs.slots(64), 'detectors=("mmse","kbest-4","kbest-64-clip8")')
    run("search", *common)
    run("search_plainly", *common, options=("--backend", "cpu:ref"))
    claim("plain_loops_search_the_same", counted("search") == counted("search_plainly"))
    mmse, few, many = (float(row["gmi"]) for row in table("search"))
    claim("more_vectors_are_worth_more", mmse < many and few < many, (mmse, few, many))
    wrong = [int(row["bit_errors"]) for row in table("search")]
    claim("more_vectors_decide_better", wrong[0] > 2 * wrong[1] > 2 * wrong[2], wrong)


def check_scales():
    """LLRs of one size c, of which a share p is wrong, are worth 1 - (1-p) log2(1+e^-c) - p log2(1+e^c), and most with
    ln(1/p - 1) / c. A decoder must not have those worth less than nothing, which everything says that tells of them."""
    sizes = (1, 6, 12, 20)  # a list of one vector has no other LLRs than +-clip
    names = [f"kbest-1-clip{size}" for size in sizes]
    common = ("antennas.tx=4", "antennas.rx=4", "channel.model=rayleigh", "carrier.bandwidth_mhz=5",
              "sweep.snr_db=[0,40,10]", *runs.slots(64), f"detectors=({','.join(map(json.dumps, names))})")
    done = runs.run(*arguments("scales", common, ("--report",)))
    negative = {name: [] for name in names}
    bounds = set()
    for row in table("scales"):
        size, p, bits = float(row["detector"][len("kbest-1-clip"):]), float(row["ber"]), 4
        at = f"{row['detector']}_{row['snr_db']}"
        expected = bits * (1 - (1 - p) * math.log2(1 + math.exp(-size)) - p * math.log2(1 + math.exp(size)))
        claim(f"worth_{at}", abs(float(row["gmi"]) - expected) < 2e-3 + 1e-3 * abs(expected), (row["gmi"], expected))
        best = math.log(1 / p - 1) / min(size, 127 / 8)  # of integers, which are cut
        bound = -1 if best < 1 / 16 else 1 if best > 4 else 0
        bounds.add(bound)
        if min(abs(math.log(best * 16)), abs(math.log(best / 4))) > 0.1:  # else the share of symbol 0 decides
            claim(f"bound_{at}", row["llr_scale_bound"] == str(bound), (row["llr_scale_bound"], best))
            claim(f"scale_{at}", abs(math.log(float(row["llr_scale"]) / min(max(best, 1 / 16), 4))) < 0.05,
                  (row["llr_scale"], best))
        if float(row["gmi_high"]) < 0:
            negative[row["detector"]].append(float(row["snr_db"]))
        line = next(line.split() for line in done.stdout.splitlines()
                    if line.split()[:2] == [row["detector"], f"{float(row['snr_db']):.2f}"])
        claim(f"table_marks_{at}", (f"{float(row['gmi']):.3f}!" in line) == (float(row["gmi_high"]) < 0), line)
        claim(f"table_bounds_{at}", {"-1": "<0.0625", "1": ">4"}.get(row["llr_scale_bound"], f"{float(row['llr_scale']):.3f}")
              in line, line)
    claim("scales_of_all_kinds", bounds == {-1, 0, 1}, bounds)
    claim("misleading_and_other_rows", 0 < sum(map(len, negative.values())) < 5 * len(names), negative)
    with open(top / "scales" / "run.json", encoding="utf-8") as file:
        told = {one["detector"]: one.get("llrs_not_for_decoders_snr_db", []) for one in json.load(file)["detectors"]}
    claim("run_json_names_what_no_decoder_is_to_have", told == negative, (told, negative))
    words = "must not go to a decoder"
    page = (top / "scales" / "report.html").read_text(encoding="utf-8")
    summary = subprocess.run([runs.ltesim, *arguments("summed", common)], cwd=top, capture_output=True, text=True,
                             check=True).stdout
    told = [" ".join(text.split()).count(words) for text in (done.stdout, page, summary)]
    claim("all_tell_of_it", told == [2, 1, 1], told)  # the table's foot and the summary; the page; the summary
    done = runs.run(*arguments("right", ("sweep.snr_db=10", *runs.slots(16)), ("--report",)))
    page = (top / "right" / "report.html").read_text(encoding="utf-8")
    claim("none_tell_of_it_where_it_is_not_so", words not in " ".join((done.stdout + page).split()))


def check_older_folders():
    """A folder of an older version, without a column, is known for one: a run replaces it, compare refuses it."""
    run("older", "sweep.snr_db=10", *runs.slots(16))
    path = top / "older" / "ber.csv"
    rows = [{key: cell for key, cell in row.items() if key != "llr_scale_bound"} for row in table("older")]
    path.write_text("\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]) + "\n", encoding="utf-8")
    run("newer", "sweep.snr_db=10", *runs.slots(16))
    said = runs.attempt("compare", "older", "newer").stderr
    claim("older_columns_are_refused", "has other columns than this version writes" in said and said.count("\n") == 1, said)
    run("older", "sweep.snr_db=10", *runs.slots(16))
    claim("an_older_folder_is_replaced", counted("older") == counted("newer"))
    for name, change in (("order", lambda names: names[:3] + names[:2:-1]), ("another", lambda names: [*names, "column"]),
                         ("first", lambda names: names[1:])):
        path.write_text(",".join(change(list(rows[0]))) + "\n", encoding="utf-8")
        (top / "older" / "run.json").unlink(missing_ok=True)
        said = run("older", "sweep.snr_db=10", *runs.slots(16), code=2)
        claim(f"a_file_of_others_stays_{name}", "ber.csv" in said, said)


def check_who_counts():
    common = ("carrier.bandwidth_mhz=1.4", "antennas.tx=2", "antennas.rx=3", "channel.model=eva",
              "channel.doppler_hz=70", "sweep.snr_db=[5,15,10]", *runs.slots(256))
    run("whole", *common, options=("--threads", "1"))
    run("threads", *common, options=("--threads", "2"))
    claim("threads_count_the_same", counted("whole") == counted("threads"))
    run("ref", *common, options=("--backend", "cpu:ref"))
    claim("plain_loops_count_the_same", counted("whole") == counted("ref"))
    run("part0", *common, options=("--slots", "0:127"))
    run("part1", *common, options=("--slots", "128:255"))
    runs.check_merge(counted, "whole", "part0", "part1")
    long = ("sweep.snr_db=[5,15,10]", *runs.slots(runs.share(6400)), "sweep.min_bit_errors=1e12",
            "antennas.tx=2", "antennas.rx=2")
    runs.check_interrupted(counted, lambda out: arguments(out, long))


def check_large_arrays():
    """More antennas, layers and inverters than threads of a device hold: the same everywhere, and nothing lost at high SNR."""
    for name, more in (("antennas", ("antennas.tx=8", "antennas.rx=64", "inverter=cholesky-delayed")),
                       ("layers", ("antennas.tx=16", "antennas.rx=32", "inverter=cholesky-delayed")),
                       ("inverter", ("antennas.tx=2", "antennas.rx=4", "inverter=lu-immediate"))):
        common = ("carrier.bandwidth_mhz=1.4", "channel.model=rayleigh", *more, 'detectors=("zf","mrc","cg","kbest-4-clip30")',
                  "sweep.snr_db=[0,30,30]", *runs.slots(4))
        run(f"large_{name}", *common)
        run(f"large_{name}_plainly", *common, options=("--backend", "cpu:ref", "--threads", "1"))
        claim(f"large_{name}_counts_the_same", counted(f"large_{name}") == counted(f"large_{name}_plainly"))
        rows = [row for row in table(f"large_{name}", "rate.csv") if float(row["snr_db"]) == 30 and row["detector"] in ("zf", "kbest-4-clip30")]
        least = min(float(row["gmi"]) for row in rows)
        claim(f"large_{name}_loses_nothing", least > 0.999 and len(rows) > 4, least)


def check_clock():
    """A deadline run of LLRs: the same on every backend, and signs that are the sweep's decisions but for those rounded to 0."""
    timed = ("--only", "deadline")
    few = ("deadline.slots=20", "deadline.distinct=10", "deadline.paced=false", "deadline.budget_us=0.001", "sweep.snr_db=12",
           "sweep.min_slots=10", "sweep.max_slots=10", "sweep.round_slots=10", "sweep.min_bit_errors=1e12",
           "llr.scale=64", "antennas.tx=2", "antennas.rx=2", "channel.model=eva", "carrier.bandwidth_mhz=5")
    for name, more in (("known", ()), ("estimated", ("csi=dmrs-mmse",))):
        run("swept", *few, *more)
        run("timed", *few, *more, options=timed)
        run("timed_plainly", *few, *more, options=(*timed, "--backend", "cpu:ref", "--threads", "2"))
        seen, plain = runs.deadline("timed"), runs.deadline("timed_plainly")
        row = table("swept")[-1]
        wrong, bits = int(row["bit_errors"]), int(row["bits"])
        claim(f"signs_are_decisions_{name}",
              seen["output"] == "llr" and seen["bits"] == bits and 0 < wrong and
              abs(seen["bit_errors"] - wrong) < 0.03 * wrong, (seen["bit_errors"], wrong, bits))
        claim(f"deadline_is_the_same_everywhere_{name}",
              (seen["bits"], seen["bit_errors"]) == (plain["bits"], plain["bit_errors"]))
        claim(f"slots_are_counted_{name}", seen["slots"] == seen["due"] == 20 and "block" not in seen)
        stages = {row["stage"] for row in table("timed", "timing.csv")}
        claim(f"stages_are_those_of_llrs_{name}",
              stages == {"slot", "service", "detection", "alone"} | ({"estimation"} if more else set()), stages)


def check_refusals():
    for name, settings, options, said in (
            ("scale_without_llrs", ("output=hard", "llr.scale=4"), (), 'need output = "llr"'),
            ("scale", ("llr.scale=0.5",), (), "1 to 64"),
            ("demapper", ("llr.demapper=best",), (), "exact, max-log")):
        line = run("refused", *settings, options=options, code=2)
        claim(f"refused_{name}", said in line and line.count("\n") == 1, line)
    claim("nothing_was_written", not (top / "refused").exists())


check_information()
check_intervals()
check_estimates()
check_search()
check_scales()
check_older_folders()
check_who_counts()
check_large_arrays()
check_clock()
check_refusals()
runs.end()
