#!/usr/bin/env python3
"""Grids, links, soft buffers and allocations of coded runs, as a user sets and sees them.

    tests/cli/grids.py LTESIM
"""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim  # noqa: E402

SCENARIOS = pathlib.Path(__file__).resolve().parents[2] / "scenarios"


def run(name, out, *settings, code=0, only="ber"):
    """A run of a scenario that is shipped: what it prints, its run.json."""
    options = ["--explain"] if only == "explain" else ["--only", only]
    done = runs.run(SCENARIOS / f"{name}.cfg", "--no-plot", "--quiet", *options, "--out", out, *runs.sets(settings), code=code)
    path = runs.top / out / "run.json"
    return done, json.loads(path.read_text(encoding="utf-8")) if path.exists() and code == 0 and only != "explain" else None


def few(n=64):
    return f"sweep.min_slots={n}", f"sweep.max_slots={n}"


def counts(out):
    return [[row[key] for key in ("detector", "csi", "snr_db", "blocks", "wrong_first", "wrong", "transmissions", "iterations",
                                  "raw_ber", "ber")] for row in runs.table(out, "bler.csv")]


def check_old_counts():
    """With the grid and the versions that all had before there were others, counts are those of then."""
    for name, settings in OLD_RUNS.items():
        run(name, f"old_{name}", "carrier.bandwidth_mhz=1.4", "carrier.grid=full", "code.versions=0,2,3,1", "code.interleaver=none",
            *settings)
        seen = [" ".join(row) for row in counts(f"old_{name}")]
        claim(f"{name}: counts of a full grid are as before", seen == OLD_COUNTS[name], seen)


def check_defaults():
    """The grid follows from the link, the link from the csi; known and estimated channels send the same block."""
    for name, settings, grid, link, elements in (
            ("adaptation_5mhz_2x2", ("code.mcs=4",), "pdsch", "downlink", 3000),
            ("adaptation_5mhz_2x2", ("code.mcs=4", "code.link=uplink"), "pusch", "uplink", 3600),
            ("adaptation_5mhz_2x2", ("code.mcs=4", "carrier.control_symbols=1"), "pdsch", "downlink", 3600),
            ("adaptation_5mhz_2x2", ("code.mcs=4", "code.link=uplink", "carrier.srs=true"), "pusch", "uplink", 3300),
            ("bler_awgn", (), "full", "downlink", 4200),
            ("bler_awgn", ("code.link=default", "csi=dmrs-ls", "noise=known", "channel.model=epa"), "pusch", "uplink", 3600),
            ("bler_10mhz_2x2", (), "pusch", "uplink", 7200),
            ("bler_10mhz_2x2", ("csi=perfect",), "pusch", "uplink", 7200),
            ("bler_10mhz_2x2", ("csi=perfect", "code.link=default"), "pdsch", "downlink", 6600)):
        done, made = run(name, "defaults", *few(16), "sweep.round_slots=16", "sweep.snr_db=40", *settings)
        scenario, row = made["scenario"], runs.table("defaults", "bler.csv")[0]
        what = f"{name} {' '.join(settings)}"
        claim(f"{what}: the grid", scenario["carrier"]["grid"] == grid and scenario["code"]["link"] == link, scenario)
        spread = link == "uplink" and name != "bler_10mhz_2x2"  # which sets it
        claim(f"{what}: the interleaver", scenario["code"]["interleaver"] == ("pusch" if spread else "none"))
        sent = elements * {"qpsk": 2, "16qam": 4}[scenario["modulation"]]
        bits = float(row["peak_bits_per_s"]) / 1000 / (2 if scenario["antennas"]["tx"] > 1 else 1)
        claim(f"{what}: the code rate", abs(float(row["code_rate"]) - (bits + 24) / sent) < 1e-6, (row["code_rate"], bits, sent))
        said = f" of a subframe {elements} carry data"
        claim(f"{what}: the header", f"grid        {grid}, {link}: of " in done.stdout and said in done.stdout, done.stdout)
    run("bler_10mhz_2x2", "same", *few(), "sweep.snr_db=40")
    rates = {row["code_rate"] for row in runs.table("same", "bler.csv")}
    claim("known and estimated channels send the same block", len(rates) == 1, rates)
    done, _ = run("adaptation_5mhz_2x2", "x", "code.mcs=4", only="explain")
    claim("--explain says what elements are spent on",
          "of 4200 resource elements of a subframe 3000 carry data, 900 PDCCH, 300 cell-specific reference signals\n" in done.stdout)
    claim("what the downlink's grid leaves out", "PBCH, PSS and SSS" in done.stdout)


def check_versions():
    """Each link has its order; versions and combining set it."""
    for settings, order in ((("code.link=uplink",), "0 2 3 1"), ((), "0 1 2 3"), (("modulation=64qam",), "0 0 1 2"),
                            (("code.combining=chase",), "0 0 0 0"), (("code.versions=3,1,0,2",), "3 1 0 2")):
        done, _ = run("harq_etu300", "order", *settings, "carrier.bandwidth_mhz=1.4", "sweep.snr_db=40", *few(512),
                      "sweep.round_slots=512")
        claim(f"versions {order}", f"redundancy versions {order};" in done.stdout, done.stdout)
    done = runs.run(SCENARIOS / "harq_etu300.cfg", "--no-plot", "--quiet", "--only", "ber", "--blocks", "--out", "recorded",
                    *runs.sets(("carrier.bandwidth_mhz=1.4", "sweep.snr_db=-5", "code.versions=0,3,3,1", *few(512),
                                "sweep.round_slots=512")))
    seen = {row["number"]: row["version"] for row in runs.table("recorded", "blocks.csv")}
    claim("blocks.csv has the versions", seen == {"1": "0", "2": "3", "3": "3", "4": "1"}, (seen, done.stderr))


def check_rates():
    """What does not fit is refused with its rate, or left out of a list with a line; above 0.93 is marked."""
    done, _ = run("adaptation_5mhz_2x2", "x", "code.mcs=28", code=2)
    claim("an MCS that does not fit is refused with its rate", "code rate 1.020" in done.stderr and done.stderr.count("\n") == 1,
          done.stderr)
    done, _ = run("adaptation_5mhz_2x2", "list", "code.mcs=20,28,4", *few(16), "sweep.round_slots=16", "sweep.snr_db=10",
                  "sweep.min_bit_errors=1")
    claim("of a list it is left out with a line", "MCS 28: not run; the transport block does not fit" in done.stdout.replace("\n  ", " ")
          and not (runs.top / "list/mcs_28").exists() and (runs.top / "list/mcs_20").exists(), done.stdout)
    done, _ = run("adaptation_5mhz_2x2", "one_left", "code.mcs=28,4", *few(16), "sweep.round_slots=16", "sweep.snr_db=10")
    claim("one that is left is run alone", "MCS 28: not run" in done.stdout and (runs.top / "one_left/bler.csv").exists(), done.stdout)
    high = ("code.mcs=28", "carrier.control_symbols=2", *few(16), "sweep.round_slots=16", "sweep.snr_db=40")
    done, _ = run("adaptation_5mhz_2x2", "high", *high)
    text = " ".join(done.stdout.split())
    claim("a code rate above 0.93 is run and marked", "code rate 0.927" in text or "a terminal may skip it" in text, text)
    done, _ = run("bler_awgn", "high", "code.rate=0.95", *few(16), "sweep.round_slots=16", "sweep.snr_db=20")
    claim("it is marked in the summary", "above 0.93: a terminal may skip it" in " ".join(done.stdout.split()), done.stdout)
    claim("it is marked in the header", "; above 0.93: a terminal may skip it" in done.stdout, done.stdout)


def check_bits():
    """The transport block itself; of several layers one a codeword."""
    run("bler_awgn", "bits", "code.rate=default", "code.bits=1000", *few(16), "sweep.round_slots=16", "sweep.snr_db=20")
    row = runs.table("bits", "bler.csv")[0]
    claim("code.bits is the transport block", float(row["peak_bits_per_s"]) == 1e6, row)
    base = ("code.mcs=default", "modulation=16qam", *few(16), "sweep.round_slots=16", "sweep.snr_db=30")
    run("adaptation_5mhz_2x2", "bits2", "code.bits=1000,504", *base)
    row = runs.table("bits2", "bler.csv")[0]
    claim("a transport block for each codeword", float(row["peak_bits_per_s"]) == 1504e3 and
          abs(float(row["code_rate"]) - 1552 / (2 * 4200 * 4)) < 1e-6, row)
    run("adaptation_5mhz_2x2", "bits1", "code.bits=1000", *base)
    claim("one number is for all", float(runs.table("bits1", "bler.csv")[0]["peak_bits_per_s"]) == 2e6)


def check_buffer():
    """A category is its soft bits; a buffer that is large enough changes nothing; a small one costs."""
    awgn = ("carrier.bandwidth_mhz=20", "carrier.grid=pusch", "modulation=64qam", "code.rate=default", "code.bits=75376",
            "code.transmissions=2", "channel.drop_slots=80", "sweep.round_slots=80", *few(80), "code.versions=0,2",
            "sweep.snr_db=10.8", "sweep.min_bit_errors=1000000")
    wrong = {}
    for soft in ("default", "913536", "4000000"):
        run("bler_awgn", f"soft_{soft}", *awgn, f"code.soft_bits={soft}")
        wrong[soft] = counts(f"soft_{soft}")
    claim("a small soft buffer costs more than a decibel", float(wrong["default"][0][5]) == 0 and
          wrong["913536"][0][5] == wrong["913536"][0][3], wrong)
    claim("a large one changes nothing", wrong["4000000"] == wrong["default"], wrong)
    # a block of 1028 bits in a stream, whose interleaver has 33 rows of 32: a third of the buffer is 1056, for each of 8
    run("bler_awgn", "least_buffer", "code.rate=default", "code.bits=1000", "code.soft_bits=8448", "sweep.snr_db=20", *few(80))
    claim("a third of the circular buffer is enough", counts("least_buffer")[0][5] == "0", counts("least_buffer"))
    one = ("code.mcs=16", "sweep.snr_db=40", *few(16), "sweep.round_slots=16")
    done, _ = run("adaptation_5mhz_2x2", "category", *one, "code.category=4")
    claim("a category is its soft bits", "soft buffer of 1827072 bits" in done.stdout, done.stdout)
    done, _ = run("adaptation_5mhz_2x2", "no_category", *one)
    claim("without one the buffer is said to be whole", "soft buffer whole" in done.stdout, done.stdout)


def check_allocation():
    """Some resource blocks alone: sizes, channel and counts are theirs."""
    run("quick", "part", "carrier.allocation=3,7", *few(32))
    run("quick", "whole", *few(32))
    part, whole = runs.table("part", "ber.csv")[0], runs.table("whole", "ber.csv")[0]
    claim("counts are those of the allocation", int(part["bits"]) * 25 == int(whole["bits"]) * 7, (part["bits"], whole["bits"]))
    run("quick", "all", "carrier.allocation=0,25", *few(32))
    same = [{k: v for k, v in row.items() if k != "seconds"} for name in ("all", "whole") for row in runs.table(name, "ber.csv")]
    claim("all of them are the carrier", same[:len(same) // 2] == same[len(same) // 2:])
    claim("they are no part of what is said", "allocation" not in json.loads(
        (runs.top / "all/run.json").read_text(encoding="utf-8"))["scenario"]["carrier"])
    for first in (0, 24):  # one resource block, estimated: QPSK at 15 dB loses what 12 subcarriers cost
        done, made = run("bler_10mhz_2x2", f"one_{first}", f"carrier.allocation={first},1", "antennas.tx=1", "modulation=qpsk",
                         "code.mcs=default", "code.bits=104", *few(512), "sweep.snr_db=2")
        rows = {(row["detector"], row["csi"]): float(row["bler"]) for row in runs.table(f"one_{first}", "bler.csv")}
        claim(f"one resource block, the {first}th: estimates cost something",
              0.0 < rows["mmse", "perfect"] < rows["mmse", "dmrs-mmse"] < 0.9, rows)
        claim("its name", "resource block" in done.stdout, done.stdout)
        claim("in run.json", made["scenario"]["carrier"]["allocation"] == [first, 1])


def check_same_everywhere():
    """Processors with and without vectors, and a run that is resumed or merged, count the same."""
    settings = ("code.mcs=12", *few(256), "sweep.round_slots=64", "sweep.snr_db=12", "sweep.min_bit_errors=1000000")
    for name, more in (("pdsch", ()), ("pusch", ("code.link=uplink",)), ("srs", ("code.link=uplink", "carrier.srs=true"))):
        base = [SCENARIOS / "adaptation_5mhz_2x2.cfg", "--no-plot", "--quiet", "--only", "ber",
                *runs.sets((*settings, *more))]
        runs.run(*base, "--out", f"best_{name}")
        runs.run(*base, "--out", f"ref_{name}", "--backend", "cpu:ref", "--threads", "1")
        runs.run(*base, "--out", f"a_{name}", "--slots", "0:127")
        runs.run(*base, "--out", f"b_{name}", "--slots", "128:255")
        runs.run("merge", f"a_{name}", f"b_{name}", "--out", f"merged_{name}", "--no-plot")
        of = [counts(f"{who}_{name}") for who in ("best", "ref", "merged")]
        claim(f"{name}: the same counts everywhere", of[0] == of[1] == of[2], of)


def check_clock():
    """Blocks against the clock are those of the sweep on every grid."""
    few_slots = ("deadline.slots=40", "deadline.distinct=32", "deadline.paced=false", "deadline.budget_us=0.001",
                 "sweep.round_slots=32", *few(32), "detectors=mmse", "code.mcs=12", "sweep.snr_db=9")
    for name, more in (("pdsch", ()), ("pusch", ("code.link=uplink",)), ("part", ("code.link=uplink", "carrier.allocation=4,15"))):
        run("adaptation_5mhz_2x2", "swept", *few_slots, *more)
        run("adaptation_5mhz_2x2", "timed", *few_slots, *more, only="deadline")
        seen, row = runs.deadline("timed"), runs.table("swept", "bler.csv")[-1]
        claim(f"{name}: blocks are the sweep's", seen["blocks"] == int(row["blocks"]) and
              seen["wrong_blocks"] == int(row["wrong"]) > 0 and
              math.isclose(seen["bit_errors"] / seen["bits"], float(row["ber"]), rel_tol=1e-6), (seen, row))


def check_refusals():
    for name, settings, said in (
            ("bler_10mhz_2x2", ("carrier.grid=pdsch",), 'grid must be "pusch" or "full"'),
            ("quick", ("carrier.grid=pdsch",), "needs a code"),
            ("quick", ("carrier.srs=true",), "needs a code"),
            ("quick", ("sweep.target_throughput=0.5",), "needs a code"),
            ("quick", ("sweep.required_throughput=0.5",), "needs a code"),
            ("adaptation_5mhz_2x2", ("code.mcs=4", "carrier.srs=true"), 'it needs grid "pusch"'),
            ("bler_10mhz_2x2", ("carrier.control_symbols=2",), 'it needs grid "pdsch"'),
            ("adaptation_5mhz_2x2", ("code.mcs=4", "carrier.control_symbols=5"), "1 to 4"),
            ("adaptation_5mhz_2x2", ("code.mcs=4", "code.interleaver=pusch"), "same number of subcarriers"),
            ("bler_10mhz_2x2", ("code.mcs_table=256qam",), "not confirmed"),
            ("bler_10mhz_2x2", ("code.category=4",), 'it needs link "downlink"'),
            ("adaptation_5mhz_2x2", ("code.mcs=4", "code.category=9"), "1 to 8"),
            ("adaptation_5mhz_2x2", ("code.mcs=4", "code.category=4", "code.soft_bits=100000"), "either category or soft_bits"),
            ("adaptation_5mhz_2x2", ("code.mcs=24", "code.soft_bits=10000"), "it leaves"),
            ("bler_awgn", ("code.rate=default", "code.bits=1000", "code.soft_bits=8447"), "it leaves 1055 soft bits"),
            ("harq_etu300", ("code.versions=0,1",), "each transmission needs one"),
            ("harq_etu300", ("code.versions=0,1,2,4",), "0 to 3"),
            ("harq_etu300", ("code.versions=0,1,2,3", "code.combining=chase"), "either versions or combining"),
            ("bler_awgn", ("code.bits=1000",), "one of mcs, rate and bits"),
            ("bler_awgn", ("code.rate=default",), "one of mcs, rate and bits"),
            ("bler_awgn", ("code.rate=default", "code.bits=100,200"), "has 1 codeword"),
            ("bler_awgn", ("code.rate=default", "code.bits=400000"), "1 to 391656"),
            ("quick", ("carrier.allocation=20,6",), "resource blocks 0 to 24"),
            ("quick", ("carrier.allocation=3",), "[ first, count ]"),
            ("quick", ("carrier.allocation=3,0",), "[ first, count ]"),
            ("throughput_20mhz_4x4", ("code.rate=default", "code.mcs=12", "carrier.allocation=0,57"), "code.bits takes any size"),
            ("quick", ("carrier.allocation=0,1", "antennas.tx=3", "antennas.rx=4", "channel.model=eva", "csi=dmrs-mmse"), "12 unknowns"),
            ("quick", ("carrier.allocation=0,2", "antennas.tx=4", "antennas.rx=4", "channel.model=eva", "csi=dmrs-ls"), "24 unknowns"),
            ("file_2x2", ("carrier.allocation=0,3",), "those of a whole carrier")):
        done, _ = run(name, "refused", *settings, code=2)
        claim(f"refused: {name} {' '.join(settings)}", said in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    claim("nothing was written", not (runs.top / "refused").exists())


OLD_RUNS = {"harq_etu300": ("sweep.snr_points=7.5,12.5",),
            "bler_10mhz_2x2": ("sweep.snr_points=12,14", "code.mcs_table=downlink"),
            "pusch_epa5": ("sweep.snr_points=-6,-2", *few(2560))}
OLD_COUNTS = {}
for line in (pathlib.Path(__file__).resolve().parents[1] / "data/full_grid_counts.txt").read_text(encoding="utf-8").splitlines():
    if line and not line.startswith("#"):
        OLD_COUNTS.setdefault(line.split(" ", 1)[0], []).append(line.split(" ", 1)[1])
check_old_counts()
check_defaults()
check_versions()
check_rates()
check_bits()
check_buffer()
check_allocation()
check_same_everywhere()
check_clock()
check_refusals()
runs.end()
