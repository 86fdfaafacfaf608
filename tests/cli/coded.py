#!/usr/bin/env python3
"""Runs of transport blocks: what is exact is exact, every transmission helps, and whoever counts comes to the
same files.

    tests/cli/coded.py path/to/ltesim
"""
import json
import math
import pathlib
import re
import shutil
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import listed  # noqa: E402
import runs  # noqa: E402
from runs import claim, top  # noqa: E402


def arguments(out, settings, options=()):
    """A small scenario, and the arguments that run it; "code={...}" stands in the file."""
    code = next((setting[5:] for setting in settings if setting.startswith("code={")), "{ rate = 0.5; }")
    (top / "coded.cfg").write_text(
        '# coded\ncarrier = { bandwidth_mhz = 1.4; };\nantennas = { tx = 2; rx = 2; };\n'
        'modulation = "qpsk";\nchannel = { model = "eva"; };\ndetectors = ( "zf", "mmse" );\n'
        f'inverter = "ldl";\ncode = {code};\nbackend = "cpu";\n'
        'sweep = { snr_db = 8; min_bit_errors = 1000000L; '
        f'min_slots = {SLOTS}L; max_slots = {SLOTS}L; }};\n', encoding="utf-8")
    sets = runs.sets(setting for setting in settings if not setting.startswith("code={"))
    return ["coded.cfg", "--no-plot", "--quiet", "--out", out, *sets, *runs.ber_alone(options), *options]


SLOTS = runs.share(512)  # of most runs; whole drops and rounds of four transmissions


def run(out, *settings, options=(), code=0):
    """Such a run; what it says on stderr."""
    return runs.run(*arguments(out, settings, options), code=code).stderr


def table(out):
    return runs.table(out, "bler.csv")


def counted(out):
    """Its rows without the time."""
    rows = table(out)
    for row in rows:
        del row["seconds"]
    return rows, runs.table(out, "groups.csv")


def check_ends():
    """At 0 and at 100 % wrong blocks all is exact."""
    for transmissions in (1, 2, 4):
        settings = (f"code.transmissions={transmissions}", "channel.model=rayleigh", "sweep.round_slots=128",
                    "channel.drop_slots=128")
        run("clean", *settings, "sweep.snr_db=50")
        run("lost", *settings, "sweep.snr_db=-25")
        sent = 2 * (SLOTS // 2 if transmissions == 1 else SLOTS // 128 * (64 - 8 * (transmissions - 1)))
        for row in table("clean"):
            claim(f"clean_{transmissions}_{row['detector']}",
                  int(row["blocks"]) == sent and int(row["wrong_first"]) == int(row["wrong"]) == 0 and
                  row["bits_per_s"] == row["peak_bits_per_s"] and float(row["transmissions"]) == 1 and
                  float(row["ber"]) == 0 and row["bler"] == "" and int(row["undetected"]) == 0, row)
        for row in table("lost"):
            claim(f"lost_{transmissions}_{row['detector']}",
                  float(row["wrong_first"]) == float(row["wrong"]) == float(row["blocks"]) and
                  abs(float(row["blocks"]) - sent / transmissions) < 1e-9 * sent and
                  float(row["bits_per_s"]) == 0 and float(row["transmissions"]) == transmissions and
                  float(row["iterations"]) == 6, row)
    run("long", "channel.model=rayleigh", "carrier.bandwidth_mhz=20", "modulation=16qam", "sweep.snr_db=50", *runs.slots(8))
    claim("clean_code_blocks_need_few_iterations", all(1 <= float(row["iterations"]) < 2 for name in ("clean", "long")
                                                       for row in table(name)), (table("clean"), table("long")))
    # 72 subcarriers, 14 symbols, QPSK: 2016 bits a codeword; (984 + 24) / 2016 = 0.5
    claim("peak_is_that_of_its_bits", float(table("clean")[0]["peak_bits_per_s"]) == 2 * 984 * 1000)


def check_harq():
    """Every transmission leaves fewer wrong blocks; other bits gain more than the same again."""
    last, slots = {}, 1280 if runs.LONG else 384
    for combining in ("incremental", "chase"):
        for transmissions in (1, 2, 3, 4):
            run("harq", "modulation=16qam", "code.rate=0.75", f"code.transmissions={transmissions}",
                f'code.combining="{combining}"', "sweep.snr_db=7", f"sweep.round_slots={slots}",
                "channel.drop_slots=128", *runs.slots(slots), 'detectors=("mmse")')
            row = table("harq")[0]
            last[combining, transmissions] = float(row["wrong"]) / float(row["blocks"])
            told = json.loads((top / "harq" / "run.json").read_text(encoding="utf-8"))["detectors"][0]["blocks"]
            claim(f"run_json_counts_the_same_blocks_{combining}_{transmissions}", math.isclose(told, float(row["blocks"]), rel_tol=1e-8),
                  (told, row["blocks"]))
            claim(f"throughput_is_what_is_right_{combining}_{transmissions}",
                  abs(float(row["bits_per_s"]) / float(row["peak_bits_per_s"]) * float(row["transmissions"]) -
                      (1 - last[combining, transmissions])) < 1e-6, row)
        shares = [last[combining, t] for t in (1, 2, 3, 4)]
        claim(f"transmissions_help_{combining}",
              shares[0] > 0.9 and all(b < a or b == a == 0 for a, b in zip(shares, shares[1:])), shares)
    claim("other_bits_help_more", last["incremental", 2] < last["chase", 2], last)
    done = runs.run(*arguments("none", ("code.transmissions=4", "channel.drop_slots=128"), ("--explain",)))
    timed = int(re.search(r"\((\d+) slots timed", done.stdout)[1])
    claim("whole_drops_are_timed", timed >= 128 and timed % 128 == 0, done.stdout)


def check_measured():
    """The SNR of each detector's own symbols is the nominal one, though bad channels ask for more of them."""
    powers = []
    for seed in range(1, 101 if runs.LONG else 31):
        run("seed", f"seed={seed}", "channel.model=epa", "channel.doppler_hz=5", "channel.drop_slots=256",
            "code.transmissions=4", "sweep.snr_db=3", "sweep.round_slots=256", *runs.slots(512), "antennas.tx=1")
        powers.append([10 ** (float(row["snr_db_measured"]) / 10) for row in table("seed")])
    for k, name in enumerate(("zf", "mmse")):
        mine = [power[k] for power in powers]
        error = statistics.stdev(mine) / len(mine) ** 0.5
        claim(f"measured_is_nominal_{name}", abs(statistics.mean(mine) - 10 ** 0.3) < 3 * error,
              (statistics.mean(mine), error))


def check_fades():
    """A block of a channel without Doppler has one realisation; flat fading with the same bits again has a closed form."""
    few = ("channel.model=epa", "antennas.tx=1", "antennas.rx=1", 'detectors=("mmse")', "sweep.snr_db=10")
    run("still", *few, *runs.slots(4000 if runs.LONG else 1600))
    run("slow", *few, *runs.slots(4000 if runs.LONG else 1600), "channel.doppler_hz=0.1", "channel.drop_slots=2")
    still, slow = ([float(table(out)[0][k]) for k in ("bler_low", "bler", "bler_high")] for out in ("still", "slow"))
    # 7.8e-2 with two realisations, 0.118 with one and with next to no Doppler
    claim("a_block_has_one_realisation", still[0] < 0.118 < still[2] and still[0] > 0.08, (still, slow))
    claim("as_with_next_to_no_doppler", still[0] < slow[2] and slow[0] < still[2], (still, slow))
    flat = ("channel.model=flat", "carrier.bandwidth_mhz=5", "antennas.tx=1", "antennas.rx=1", 'detectors=("mmse")',
            "code.rate=0.3333")
    run("half", *flat, "channel.model=awgn", "sweep.snr_points=[-1.4,-1.3]", *runs.slots(1000))
    below, above = (float(row["bler"]) for row in table("half"))
    half = 10 ** ((-1.4 + 0.1 * (below - 0.5) / (below - above)) / 10)
    n, snr_db = (10000 if runs.LONG else 600), 0.0
    run("flat", *flat, "code.transmissions=4", 'code.combining="chase"', f"sweep.snr_db={snr_db}",
        *runs.slots(128 * n), "sweep.round_slots=12800" if runs.LONG else "sweep.round_slots=1280")
    row = table("flat")[0]
    snr = 10 ** (float(row["snr_db_measured"]) / 10)
    law = sum((math.exp(-half / (m * snr)) - (math.exp(-half / ((m - 1) * snr)) if m > 1 else 0)) / m
              for m in range(1, 5))
    share = float(row["bits_per_s"]) / float(row["peak_bits_per_s"])
    claim("flat_fading_has_its_closed_form", abs(share / law - 1) < (0.02 if runs.LONG else 0.06), (share, law, half))
    run("anew", *flat, "code.transmissions=4", 'code.combining="chase"', "channel.fades=transmission", "sweep.snr_db=0",
        "sweep.round_slots=512", *runs.slots(1024))
    claim("transmissions_that_fade_anew_help", float(table("anew")[0]["bler_last"] or 0) < float(row["bler_last"]) / 3,
          (table("anew")[0], row))


def check_curves():
    """Known points: QPSK at rate 1/3 over AWGN falls where the decoder's tests have it; MMSE beats ZF."""
    slots = runs.share(256)
    awgn = ("channel.model=awgn", "carrier.bandwidth_mhz=10", "code.rate=0.3333", *runs.slots(slots),
            'detectors=("zf")', "antennas.tx=1", "antennas.rx=1")
    run("awgn", *awgn, "sweep.snr_db=[-1.7,-0.7,1.0]")
    low, high = (int(row["wrong_first"]) for row in table("awgn"))
    claim("it_is_a_waterfall", low > 0.43 * slots and high == 0, (low, high))
    # an LLR of 127 five hundred times
    run("repeated", *awgn, "code.rate=0.002", "carrier.bandwidth_mhz=20", "modulation=256qam", "sweep.snr_db=40")
    claim("repetitions_add_up", int(table("repeated")[0]["wrong_first"]) == 0, table("repeated"))
    run("fading")
    zf, mmse = (int(row["wrong_first"]) for row in table("fading"))
    claim("mmse_beats_zf", mmse < zf, (zf, mmse))
    run("mcs", "modulation=16qam", "code={ mcs = 12; }", "carrier.bandwidth_mhz=5", "sweep.snr_db=25")
    claim("an_mcs_has_its_rate", float(table("mcs")[0]["peak_bits_per_s"]) == 2 * 4968 * 1000)
    run("estimated", "csi=dmrs-mmse")
    known, guess = int(table("fading")[1]["wrong_first"]), int(table("estimated")[1]["wrong_first"])
    claim("estimates_cost", guess > known, (known, guess))


def check_who_counts():
    common = ("channel.doppler_hz=70", "channel.drop_slots=128", "sweep.round_slots=128", "code.transmissions=4", "csi=(perfect, dmrs-mmse)",
              "sweep.snr_db=[3,9,6]", "antennas.rx=3")
    slots = max(SLOTS, 512)
    common += runs.slots(slots)
    common = tuple(s.replace("(perfect, dmrs-mmse)", '("perfect","dmrs-mmse")') for s in common)
    run("whole", *common, options=("--threads", "1"))
    run("threads", *common, options=("--threads", "2"))
    claim("threads_count_the_same", counted("whole") == counted("threads"))
    for name in listed.usable(runs.ltesim, "cpu"):
        run("other", *common, options=("--backend", name))
        claim(f"{name}_counts_the_same", counted("whole") == counted("other"))
    run("part0", *common, options=("--slots", f"0:{slots // 2 - 1}"))
    run("part1", *common, options=("--slots", f"{slots // 2}:{slots - 1}"))
    runs.check_merge(counted, "whole", "part0", "part1")
    long = ("sweep.snr_db=[3,9,2]", *runs.slots(runs.share(6400)))
    runs.check_interrupted(counted, lambda out: arguments(out, long))
    run("search", "sweep.target_ber=0.1", "sweep.snr_db=[0,20,5]", "sweep.max_slots=4096", "sweep.min_slots=64")
    claim("a_block_error_rate_is_found", runs.table("search", "target.csv")[0]["target_ber"] == "0.1")


def check_target():
    """The SNR at a throughput: rows of the same slots at the ends of its interval have less and more."""
    slots = 1024
    settings = ("detectors=mmse", "sweep.min_slots=256", f"sweep.max_slots={slots}", "sweep.min_clusters=1", "sweep.min_bit_errors=0")
    said = run("target", *settings, "sweep.target_throughput=0.7", "sweep.precision=0.1", "sweep.snr_db=[-5,20,5]")
    found = runs.table("target", "target.csv")[0]
    at, low, high = (float(found[key]) for key in ("snr_db", "snr_db_low", "snr_db_high"))
    claim("a_throughput_is_found", low < at < high < low + 2 and found["target_throughput"] == "0.7", (found, said))
    run("around", "detectors=mmse", *runs.slots(slots), f"sweep.snr_points=[{low:.3f},{at:.3f},{high:.3f}]")
    shares = [float(row["bits_per_s"]) / float(row["peak_bits_per_s"]) for row in table("around")]
    claim("it_lies_within_its_interval", shares[0] < 0.7 < shares[2] and abs(shares[1] - 0.7) < 0.02, shares)
    for name, more, word in (("low", "[10,20,5]", "below"), ("high", "[-10,-5,5]", "above")):
        run(name, *settings, "sweep.target_throughput=0.7", f"sweep.snr_db={more}")
        claim(f"a_range_that_is_too_{'high' if name == 'low' else 'low'}",
              runs.table(name, "target.csv")[0]["status"] == word, runs.table(name, "target.csv"))


def check_required():
    """A row ends once its interval leaves out the share that is required of its own point, not of another."""
    few = ("detectors=mmse", "channel.drop_slots=2", "sweep.min_slots=64", "sweep.max_slots=512", "sweep.round_slots=64",
           "sweep.min_clusters=1")
    run("all", *few, "sweep.snr_db=6", *runs.slots(512))
    near = float(table("all")[0]["bits_per_s"]) / float(table("all")[0]["peak_bits_per_s"])
    run("required", *few, "sweep.snr_points=[6.0,6.001]", f"sweep.required_throughput=[0.01,{near:.3f}]")
    first, second = table("required")
    claim("each_point_has_its_own_share", 0.1 < near < 0.9 and first["status"] == "decided" and int(first["slots"]) == 64 and
          (second["status"] == "slots" or float(second["bits_per_s_low"]) > near * float(second["peak_bits_per_s"]) or
           float(second["bits_per_s_high"]) < near * float(second["peak_bits_per_s"])) and int(second["slots"]) > 64, (near, first, second))


def check_adaptation():
    """Several MCS are the runs of each, and their envelope the best of these."""
    common = ("sweep.snr_db=[0,20,10]", "modulation=default")
    order = (2, 20, 12)  # the last one is not the best, and yet better than the first
    many = (f"code={{ mcs = [ {', '.join(map(str, order))} ]; }}",)
    run("many", *many, *common)
    for mcs in order:
        run("one", f"code={{ mcs = {mcs}; }}", *common)
        claim(f"mcs_{mcs}_is_a_run_of_its_own", counted(f"many/mcs_{mcs}") == counted("one"))
    best = {}
    for mcs in order:
        for row in table(f"many/mcs_{mcs}"):
            key = row["detector"], row["snr_db"]
            best[key] = max(best.get(key, (-1.0, 0)), (float(row["bits_per_s"]), -mcs))
    rows = runs.table("many", "envelope.csv")
    claim("the_envelope_is_the_best", len(rows) == len(best) == 6 and all(
        (float(row["bits_per_s"]), -int(row["mcs"])) == best[row["detector"], row["snr_db"]]
        for row in rows), rows)
    last = {(row["detector"], row["snr_db"]): float(row["bits_per_s"]) for row in table("many/mcs_12")}
    claim("the_last_one_may_be_second", any(float(row["bits_per_s"]) < last[row["detector"], row["snr_db"]] < best[
        row["detector"], row["snr_db"]][0] for row in table("many/mcs_2")), best)
    claim("an_mcs_each_is_best_somewhere", {row["mcs"] for row in rows} >= {"2", "12", "20"}, rows)
    run("many", *many, *common, options=("--resume",))
    claim("what_is_whole_is_joined_again", runs.table("many", "envelope.csv") == rows)
    cut = top / "many" / "mcs_2" / "bler.csv"  # the first: at the highest SNR others are better
    whole = cut.read_text(encoding="utf-8")
    cut.write_text("".join(line for line in whole.splitlines(True) if not line.startswith("mmse,perfect,20,")))
    done = runs.run(*arguments("many", (*many, *common), ("--resume",)))
    claim("a_row_that_one_lacks_is_the_others", runs.table("many", "envelope.csv") == rows and "lacks" in done.stdout, done.stdout)
    cut.write_text(whole, encoding="utf-8")
    shutil.rmtree(top / "many" / "mcs_20")
    run("many", *many, *common, options=("--resume",))
    claim("what_was_not_begun_is", runs.table("many", "envelope.csv") == rows)
    for name, last in (("first_part", SLOTS // 2 - 1), ("second_part", SLOTS - 1)):
        run(name, *many, *common, options=("--slots", f"{last + 1 - SLOTS // 2}:{last}"))
    runs.run("merge", "second_part", "first_part", "--out", "merged", "--no-plot", "--quiet")
    claim("lists_of_parts_are_joined", runs.table("merged", "envelope.csv") == rows and all(
        counted(f"merged/mcs_{mcs}") == counted(f"many/mcs_{mcs}") for mcs in order), runs.table("merged", "envelope.csv"))
    run("third_part", "code={ mcs = [ 2, 12 ]; }", *common, options=("--slots", f"0:{SLOTS // 2 - 1}"))
    done = runs.run("merge", "second_part", "third_part", "--out", "other", "--no-plot", "--quiet", code=2)
    claim("other_lists_are_not_joined", "not lists of the same MCS" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    for part in ("first_part", "second_part"):
        shutil.copytree(top / part / "mcs_2", top / part / "mcs_40")
    done = runs.run("merge", "second_part", "first_part", "--out", "mislabelled", "--no-plot", "--quiet", code=2)
    claim("a_folder_of_another_mcs_is_refused", "another MCS than its name says" in done.stderr and
          not (top / "mislabelled").exists(), done.stderr)
    run("set", "code={ mcs = 3; }", *common, "code.mcs=2,20,12")
    claim("commas_make_a_list", runs.table("set", "envelope.csv") == rows)
    for name, settings, options, said in (
            ("twice", ("code={ mcs = [ 3, 3 ]; }",), (), "listed twice"),
            ("other_modulation_of_many", ("code={ mcs = [ 2, 12 ]; }",), (), "this MCS has modulation 16qam"),
            ("search_of_many", (*many, "modulation=default", "sweep.snr_db=[0,20,10]", "sweep.target_ber=0.1"), (), "single MCS"),
            ("deadline_of_many", (*many, "modulation=default"), ("--only", "deadline"), "one MCS"),
            ("channels_of_many", (*many, "modulation=default"), ("--dump-channel", "h.h5"), "single MCS")):
        line = run("refused", *settings, options=options, code=2)
        claim(f"refused_{name}", said in line and line.count("\n") == 1, line)
    run("one", *many, "modulation=default", code=2)


def check_clock():
    """Blocks against the clock: those of the sweep, on every backend; a subframe that is late is said to be."""
    late = "deadline.budget_us=0.001"  # so that no more carriers are tried
    few = ("deadline.slots=40", "deadline.distinct=32", "deadline.paced=false", late, "sweep.round_slots=32",
           *runs.slots(32), "detectors=mmse")
    for name, more in (("known", ()), ("one_layer", ("antennas.tx=1", "sweep.snr_db=-1")),
                       ("three_layers", ("antennas.tx=3", "antennas.rx=4", "modulation=16qam", "sweep.snr_db=11")),
                       ("dense", ("modulation=1024qam", "sweep.snr_db=28")),
                       ("carriers", ("deadline.carriers=3", "code.rate=0.7")),
                       ("estimated", ("csi=dmrs-ls",)),
                       ("both_references", ("csi=dmrs-mmse", "channel.doppler_hz=70", "channel.drop_slots=8",
                                            "sweep.snr_db=5")),
                       ("four_transmissions", ("code.transmissions=4", "sweep.round_slots=128", *runs.slots(128), "channel.drop_slots=128",
                                               "code.rate=0.8"))):
        run("swept", *few, *more)
        run("timed", *few, *more, options=("--only", "deadline"))
        run("timed_plainly", *few, *more, options=("--only", "deadline", "--backend", "cpu:ref", "--threads", "2"))
        seen, plain, row = runs.deadline("timed"), runs.deadline("timed_plainly"), table("swept")[-1]
        what = ("blocks", "wrong_blocks", "undetected_blocks", "bits", "bit_errors", "distinct_slots")
        claim(f"blocks_are_the_same_everywhere_{name}", [seen[k] for k in what] == [plain[k] for k in what])
        claim(f"subframes_are_due_{name}", seen["slots"] == 40 and seen["due"] == 20 and seen["output"] == "blocks")
        if "four" not in name:  # else the sweep's blocks are those of other subframes
            claim(f"blocks_are_the_sweep_s_{name}",
                  seen["blocks"] == int(row["blocks"]) and seen["wrong_blocks"] == int(row["wrong"]) > 0 and
                  abs(seen["bit_errors"] / seen["bits"] - float(row["ber"])) < 1e-6 * float(row["ber"]),
                  (seen["blocks"], seen["wrong_blocks"], seen["bit_errors"] / seen["bits"], row))
        stages = {row["stage"] for row in runs.table("timed", "timing.csv")}
        claim(f"stages_go_on_to_the_blocks_{name}",
              {"slot", "block", "decoder", "service", "detection", "rate_matching", "decoding", "crc"} <= stages and
              ("estimation" in stages) == ("csi" in str(more)) and "gram" not in stages, stages)
    run("late", *few, options=("--only", "deadline", "--require-deadline"), code=3)
    seen = runs.deadline("late")
    claim("late_blocks_are_missed", seen["missed"] == seen["due"] == 20 and not seen["met"] and
          seen["verdict"] == "missed")
    done = runs.run(*[word for word in arguments("both", (*few, "deadline.budget_us=3000")) if word not in ("--only", "ber", "--quiet")])
    claim("both_jobs_are_done", (top / "both/timing.csv").exists() and (top / "both/bler.csv").exists() and
          "subframes late (" in done.stdout and "blocks in the 16 different subframes" in done.stdout)


def check_refusals():
    for name, settings, options, said in (
            ("rate_and_mcs", ("code.mcs=2",), (), "one of mcs, rate and bits"),
            ("neither", ("code={ iterations = 3; }",), (), "one of mcs, rate and bits"),
            ("no_such_mcs", ("code={ mcs = 29; }",), (), "0 to 28"),
            ("no_such_mcs_256", ('code={ mcs = 28; mcs_table = "256qam"; }', "modulation=256qam"), (), "0 to 27"),
            ("other_modulation", ("code={ mcs = 12; }",), (), "this MCS has modulation 16qam"),
            ("rate", ("code.rate=1.5",), (), "at most 1"),
            ("too_small", ("code.rate=0.001",), (), "the transport block has 0 bits"),
            ("too_much", ("code.rate=1", "carrier.bandwidth_mhz=20", "antennas.tx=8", "antennas.rx=8",
                          "modulation=256qam"), (), "1 to 391656"),
            ("transmissions", ("code.transmissions=5",), (), "1 to 4"),
            ("short_drops", ("channel.doppler_hz=70", "code.transmissions=2", "channel.drop_slots=78"), (), "at least 80"),
            ("odd_drops", ("code.transmissions=4", "channel.drop_slots=129"), (), "must be even"),
            ("thirds_of_a_turn", ("code.transmissions=2", "channel.drop_slots=88"), (), "multiple of 16"),
            ("fades_that_move", ("channel.doppler_hz=70", "channel.fades=drop"), (), "without doppler_hz"),
            ("rounds", ("code.transmissions=3", "sweep.round_slots=200"), (), "multiples of drop_slots"),
            ("odd_rounds", ("sweep.round_slots=65",), (), "both must be even"),
            ("many_layers", ("antennas.rx=9", "antennas.tx=9", "inverter=cholesky-delayed"), (), "at most 8 layers"),
            ("output", ("output=llr",), (), "remove output or code"),
            ("two_targets", ("sweep.target_throughput=0.5", "sweep.target_ber=0.1", "sweep.snr_db=[0,20,5]"), (), "either target_throughput or target_ber"),
            ("target_of_one_point", ("sweep.target_throughput=0.5", "sweep.snr_db=5"), (), "at least two"),
            ("target_and_required", ("sweep.target_throughput=0.5", "sweep.required_throughput=0.5", "sweep.snr_db=[0,20,5]"), (),
             "one of required_throughput"),
            ("required_of_other_points", ("sweep.required_throughput=0.5,0.6", "sweep.snr_db=[0,20,5]"), (), "2 shares for 5 points"),
            ("half_a_subframe", ("deadline.slots=11",), (), "both must be even"),
            ("half_a_distinct_one", ("deadline.distinct=7",), (), "both must be even"),
            ("replay", (), ("--replay", "0"), "does not work with a code")):
        line = run("refused", *settings, options=options, code=2)
        claim(f"refused_{name}", said in line and line.count("\n") == 1, line)
    claim("nothing_was_written", not (top / "refused").exists())


check_ends()
check_harq()
check_measured()
check_fades()
check_curves()
check_who_counts()
check_target()
check_required()
check_adaptation()
check_clock()
check_refusals()
runs.end()
