#!/usr/bin/env python3
"""Maximum likelihood and what comes near it: against exhaustive searches, and against each other.

    tests/phy/near_ml.py path/to/ltesim
"""
import json
import math
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(here / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

GROUPS = 16


def run(out, antennas, modulation, detectors, snr, *settings, slots=64, table="ber.csv"):
    """Rows of a table of detectors over the same draws."""
    (top / "s.cfg").write_text(
        f'# searches\ncarrier = {{ bandwidth_mhz = 20.0; }};\nantennas = {{ tx = {antennas}; rx = {antennas}; }};\n'
        f'modulation = "{modulation}";\ndetectors = ( {", ".join(json.dumps(d) for d in detectors)} );\nbackend = "cpu";\n',
        encoding="utf-8")
    points = ",".join(str(x) for x in snr)
    runs.run("s.cfg", "--no-plot", "--quiet", "--only", "ber", "--out", out,
             *runs.sets([f"sweep.snr_points=({points})", "sweep.min_bit_errors=0", *runs.slots(slots), *settings]))
    return runs.table(out, table)


def ber(rows, detector):
    """BER by SNR."""
    return {float(row["snr_db"]): int(row["bit_errors"]) / int(row["bits"]) for row in rows if row["detector"] == detector}


def groups(out, snr, column):
    """What groups of drops have counted, by detector."""
    return {row["detector"]: [float(row[f"{column}{i}"]) for i in range(GROUPS)]
            for row in runs.table(out, "groups.csv") if float(row["snr_db"]) == snr}


def z_of(more, less):
    """By how many standard errors one has more than the other, over the same draws."""
    gaps = [a - b for a, b in zip(more, less)]
    mean = sum(gaps) / GROUPS
    spread = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / (GROUPS - 1) / GROUPS)
    return mean / spread if spread else math.copysign(math.inf, mean) if mean else 0.0


def at_rate(curve, rate):
    """The SNR in dB at which a curve has a rate, by the logarithm between points."""
    points = sorted(curve.items())
    for (a, p), (b, q) in zip(points, points[1:]):
        if p >= rate > q > 0:
            return a + (b - a) * math.log(p / rate) / math.log(p / q)
    raise ValueError(f"{rate} is not on {points}")


# ---- exhaustive search in double precision ----

reference = json.loads((here / "data" / "reference_ml.json").read_text(encoding="utf-8"))
for row in reference["rows"]:
    n = int(row["config"][0])
    out = f"r_{n}_{row['snr_db']}"
    found = run(out, n, row["modulation"].lower(), ["ml"], [row["snr_db"]], slots=runs.share(256))[0]
    error = (float(found["ber_high"]) - float(found["ber_low"])) / 2 / 1.96
    z = (float(found["ber"]) - row["ml"]["ber"]) / math.hypot(error, row["ml"]["se_cluster"])
    claim(f"ml_is_the_exhaustive_search_{n}x{n}_{row['snr_db']}_db", abs(z) <= 4, f"z = {z:.2f}")
    claim(f"ml_is_above_its_bound_{n}x{n}_{row['snr_db']}_db", float(found["ber"]) > row["mrc_bound"], found["ber"])

# ---- hard decisions: nobody is better ----

OTHERS = ["zf", "mmse", "mmse-sic", "kbest", "fsd", "lr-mmse-1000"]
SNR = [12, 16, 18, 20, 21, 22, 23, 24, 25, 28, 31]
rows = run("hard", 4, "16qam", ["ml", *OTHERS, "kbest-1", "kbest-4"], SNR, slots=runs.share(256))
curve = {detector["detector"]: ber(rows, detector["detector"]) for detector in rows}
K16 = "kbest-16"
for snr in SNR:
    counts = groups("hard", snr, "e")
    if curve["ml"][snr] < 1e-2:
        for other in counts:
            z = z_of(counts["ml"], counts[other])
            claim(f"no_{other}_is_better_than_ml_at_{snr}_db", z <= 3, f"z = {z:.2f}")
    if curve["mmse"][snr] < 0.05:
        claim(f"sic_is_between_mmse_and_ml_at_{snr}_db",
              curve["ml"][snr] < curve["mmse-sic"][snr] < curve["mmse"][snr], (curve["mmse-sic"][snr], curve["mmse"][snr]))
        claim(f"more_vectors_are_better_at_{snr}_db",
              z_of(counts[K16], counts["kbest-4"]) <= 3 and z_of(counts["kbest-4"], counts["kbest-1"]) <= 3, counts)
for near in (K16, "fsd"):
    gap = at_rate(curve[near], 1e-3) - at_rate(curve["ml"], 1e-3)
    claim(f"{near}_is_near_ml", -0.02 <= gap <= 0.5, f"{gap:.2f} dB")

# ---- wrong vectors: nobody has fewer, at any SNR ----

WRONG = ["ml", *OTHERS, "kbest-4", "ml-budget8"]
for modulation, snr in (("qpsk", [0, 6, 12]), ("16qam", [6, 14, 20])):
    wrong = {}
    for seed in range(GROUPS):
        for row in run("vectors", 4, modulation, WRONG, snr, f"seed={seed + 1}", slots=1):
            wrong.setdefault((row["detector"], float(row["snr_db"])), []).append(int(row["vector_errors"]))
    for (other, at), counts in wrong.items():
        z = z_of(wrong["ml", at], counts)
        claim(f"no_{other}_has_fewer_wrong_vectors_{modulation}_{at:g}_db", z <= 3, f"z = {z:.2f}")
    zf = "zf", snr[-1]
    claim(f"zf_has_more_wrong_vectors_{modulation}", z_of(wrong[zf], wrong["ml", snr[-1]]) > 3, wrong[zf])

# ---- diversity: the slope of a curve between 1e-2 and 1e-4 ----

SNR = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]
rows = run("slope", 4, "qpsk", ["ml", "lr-mmse-1000", "lr-mmse-0", "lr-mmse-32", "mmse", "fsd"], SNR, slots=runs.share(1024))


def slope(detector):
    """Decades of BER a decade of SNR."""
    found = ber(rows, detector)
    return 20 / (at_rate(found, 1e-4) - at_rate(found, 1e-2))


ml = slope("ml")
for detector in ("lr-mmse-1000", "lr-mmse-32", "fsd"):
    gap = slope(detector) - ml
    claim(f"{detector}_has_the_slope_of_ml", abs(gap) <= 0.5, f"{ml:.2f}, {slope(detector):.2f}")
without, usual, unbounded = (ber(rows, f"lr-mmse-{swaps}")[20.0] for swaps in (0, 32, 1000))
claim("swaps_are_what_helps", without > 2 * unbounded, (without, unbounded))
claim("the_usual_bound_costs_nothing", usual == unbounded, (usual, unbounded))
mmse = ber(rows, "mmse")
claim("linear_detectors_have_less", math.log10(mmse[12.0] / mmse[22.0]) < 0.6 * ml, mmse)

# ---- the same with spare receive antennas: the last decade down to 1e-4 costs what it costs ml ----

for rx, tx, modulation, snr in ((3, 2, "16qam", [19, 20, 21, 23, 24, 25]), (4, 2, "16qam", [16, 17, 18, 19, 20, 21]),
                                (5, 3, "qpsk", [9, 10, 11, 12, 13, 14]), (8, 4, "16qam", [14, 15, 16, 17, 18])):
    rows = run(f"spare_{rx}x{tx}", tx, modulation, ["ml", "fsd"], snr, f"antennas.rx={rx}", slots=runs.share(512))
    decades = [at_rate(ber(rows, name), 1e-4) - at_rate(ber(rows, name), 1e-3) for name in ("ml", "fsd")]
    claim(f"fsd_has_the_last_decade_of_ml_{rx}x{tx}", abs(decades[1] - decades[0]) <= 0.2, decades)
    gap = at_rate(ber(rows, "fsd"), 1e-4) - at_rate(ber(rows, "ml"), 1e-4)
    claim(f"fsd_is_near_ml_{rx}x{tx}", gap <= 0.2, gap)

# ---- soft bits: sums over all vectors hold most information ----

SNR = [6, 10, 14, 18, 22]
soft = ["ml-exact", "ml", "mmse", "mmse-sic", "kbest-16-clip8", "zf"]
run("soft", 2, "16qam", soft, SNR, 'output="llr"', slots=64)
rate = {(row["detector"], float(row["snr_db"])): float(row["gmi"]) for row in runs.table("soft", "ber.csv")}
for snr in SNR:
    lost = groups("soft", snr, "l")
    for other in soft:
        z = z_of(lost["ml-exact"], lost[other])
        claim(f"no_{other}_knows_more_than_ml_at_{snr}_db", z <= 3, f"z = {z:.2f}")
    if rate["mmse", snr] > 2 / 3 * 4:
        claim(f"max_log_knows_more_than_mmse_at_{snr}_db", rate["ml", snr] >= rate["mmse", snr],
              (rate["ml", snr], rate["mmse", snr]))
    print(f"2x2 16QAM, {snr} dB: max-log loses {rate['ml-exact', snr] - rate['ml', snr]:.4f} bits a symbol")

# ---- coded: more vectors in the list, fewer wrong blocks ----

LISTS = ["kbest-1", "kbest-4", "kbest-16"]
rows = run("coded", 4, "16qam", LISTS, [12, 13], "code.rate=0.5", "carrier.bandwidth_mhz=1.4", slots=1024, table="bler.csv")
wrong = {(row["detector"], float(row["snr_db"])): int(row["wrong_first"]) for row in rows}
for snr, fewer, more in ((13, *LISTS[:2]), (12, *LISTS[1:])):
    counts = groups("coded", snr, "e")
    claim(f"{more}_has_fewer_wrong_blocks_than_{fewer}", wrong[more, snr] < wrong[fewer, snr] and
          z_of(counts[fewer], counts[more]) > 3, wrong)

# ---- and cancellation no more of them than mmse ----

SNR = [11, 12, 13, 14, 15]
rows = run("cancelled", 4, "16qam", ["mmse", "mmse-sic"], SNR, "code.rate=0.5", "carrier.bandwidth_mhz=1.4", slots=2048,
           table="bler.csv")
wrong = {name: {float(row["snr_db"]): int(row["wrong_first"]) / int(row["blocks"]) for row in rows if row["detector"] == name}
         for name in ("mmse", "mmse-sic")}
for snr in SNR[1:]:
    counts = groups("cancelled", snr, "e")
    z = z_of(counts["mmse-sic"], counts["mmse"])
    claim(f"mmse-sic_has_no_more_wrong_blocks_than_mmse_at_{snr}_db", z <= 1.96, f"z = {z:.2f}")
gap = at_rate(wrong["mmse-sic"], 0.1) - at_rate(wrong["mmse"], 0.1)
claim("mmse-sic_has_a_bler_of_0.1_where_mmse_has_it", gap <= 0.1, gap)

runs.end()
