#!/usr/bin/env python3
"""What --explain says of times and floors: of which work, which threads and how many carriers they are.

    tests/sim/explain.py path/to/ltesim
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

SLOTS = 2000

(top / "plan.cfg").write_text(f"""# plan
carrier = {{ bandwidth_mhz = 1.4; }}; antennas = {{ tx = 2; rx = 2; }}; modulation = "16qam";
detectors = ( "mmse", "kbest-16", "ml", "lr-mmse" ); backend = "cpu";
sweep = {{ snr_db = [ 10.0, 20.0, 10.0 ]; min_slots = 64L; max_slots = 64L; }};
deadline = {{ slots = {SLOTS}; distinct = 4; }};
""", encoding="utf-8")


def explained(*settings):
    """All that is said, and what stands from the line of the sweep to the next."""
    said = runs.run("plan.cfg", "--explain", "--threads", "2", *runs.sets(settings)).stdout
    return said, re.search(r"^sweep .*\n(?: .*\n)*", said, re.MULTILINE)[0]


def check_sweep():
    """A time is the most where no work depends on what is received; else it says what it rests on."""
    _, sweep = explained('detectors=["mmse","kbest-16"]')
    claim("fixed_work_is_at_most_that", re.match(r"sweep +about \S+ s at most for \S+ slots; all detectors", sweep), sweep)
    claim("fixed_work_says_no_more", sweep.count("\n") == 1 and " dB" not in sweep, sweep)
    _, sweep = explained('detectors=["zf"]', "sweep.min_bit_errors=1000", "sweep.max_slots=1000000")
    claim("slots_that_are_expected_are_not_the_most", "at most" not in sweep and " dB" not in sweep, sweep)
    _, sweep = explained()
    claim("work_that_varies_has_no_most", "at most" not in sweep, sweep)
    claim("its_snr_is_said", re.search(r"slots if each takes what was measured at 20 dB;$", sweep, re.MULTILINE), sweep)
    claim("a_search_takes_longer_at_lower_snr", re.search(r"^ +ml: takes longer at lower SNR,", sweep, re.MULTILINE), sweep)
    claim("a_reduction_depends_on_the_channel", re.search(r"^ +lr-mmse-32: its work depends on the channel", sweep, re.MULTILINE),
          sweep)
    claim("no_other_is_named", re.findall(r"^ +(\S+): ", sweep, re.MULTILINE) == ["ml", "lr-mmse-32"], sweep)
    for stops in (True, False):
        _, sweep = explained('detectors=["mmse"]', "code.rate=0.5", f"code.early_stop={str(stops).lower()}")
        claim(f"iterations_are_said_{stops}", ("turbo decoder: takes longer at lower SNR" in sweep) == stops, sweep)
        claim(f"a_decoder_that_stops_early_has_no_most_{stops}", ("at most" in sweep) != stops, sweep)
    _, sweep = explained('detectors=["mmse"]', "sweep.target_ber=1e-2")
    claim("a_search_for_an_snr_has_no_most", "at most" not in sweep and " dB" not in sweep, sweep)


def rows_of(said):
    """The table of floors, a dictionary for each detector."""
    lines = said.split("\nfloors", 1)[1].split("\nmatrix, ")[0].splitlines()[1:]
    head = lines[0].replace("of deadline", "share").split()
    return {line.split()[0]: dict(zip(head, line.split())) for line in lines[1:]}


def check_floors(carriers):
    """Floors of a row are those of its threads, at the rate that is named for so many, of all carriers."""
    said, _ = explained(f"deadline.carriers={carriers}", "deadline.budget_us=10")
    rows = rows_of(said)
    claim(f"every_detector_has_a_row_{carriers}", list(rows) == ["mmse", "kbest-16", "ml", "lr-mmse-32"], said)
    for head, cell, unit, work in (("arithm.", "arithm.", "Gflop/s", "Mflop"), ("memory", "memory", "GB/s", "KB")):
        note = re.search(rf"^{re.escape(head)}: at (\S+) {unit} with (\d+) threads?(?:, (\S+) with (\d+))?", said, re.MULTILINE)
        rate = {threads: float(x) for x, threads in zip(note.groups()[::2], note.groups()[1::2]) if x}
        claim(f"{head}_has_rates_of_those_threads_{carriers}", set(rate) == {row["threads"] for row in rows.values()}, said)
        for name, row in rows.items():
            own = carriers * float(row[work]) / rate[row["threads"]] * (1e3 if work == "Mflop" else 1.0)
            claim(f"{head}_of_{name}_{carriers}", abs(float(row[cell]) - own) < 0.01 * own, (row, rate))
    different = len({row["threads"] for row in rows.values()}) > 1
    claim(f"whose_threads_is_said_{carriers}", ("as many as lr-mmse-32\n" in said) == different, said)
    claim(f"of_how_many_carriers_{carriers}", (f"slots of {carriers} carriers take" in said) == (carriers > 1), said)


def check_deadline():
    """Detectors in turn run through all slot periods, paced ones for no less than their time."""
    said, _ = explained()
    claim("no_turns_are_said_without_them", "deadline.detectors" not in said, said)
    said, _ = explained('deadline.detectors=["mmse","kbest-16","ml"]', "deadline.carriers=2")
    turns = re.search(r"then (\S+) s for deadline\.detectors, 3 in turn through (\d+) slot periods each$", said, re.MULTILINE)
    claim("turns_are_said", turns and int(turns[2]) == SLOTS, said)
    claim("turns_are_paced", turns and float(turns[1]) >= 3 * SLOTS * 500e-6, said)
    claim("carriers_of_a_period_are_said", "each with slots of 2 carriers, then up to " in said, said)
    said, _ = explained("deadline.threads=2")
    claim("given_threads_are_those_of_all", {row["threads"] for row in rows_of(said).values()} == {"2"}, said)


def check_nodes():
    """Elements that nodes are counted over: of one resource block all of a slot."""
    said, _ = explained("carrier.allocation=[0,1]")
    claim("a_small_slot_has_fewer_elements", re.search(r"^ml: .* counted over 84 elements", said, re.MULTILINE), said)


check_sweep()
check_floors(1)
check_floors(3)
check_deadline()
check_nodes()
runs.end()
