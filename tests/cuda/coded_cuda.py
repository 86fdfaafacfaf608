#!/usr/bin/env python3
"""Runs of transport blocks on a device: the files of the processor, whatever the link and the code.

    tests/cuda/coded_cuda.py path/to/ltesim

Exit 77 (skipped) without a device.
"""
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import listed  # noqa: E402
import runs  # noqa: E402
from runs import claim, top  # noqa: E402

scenarios = pathlib.Path(__file__).resolve().parents[2] / "scenarios"

SCENARIO = """# coded
carrier = { bandwidth_mhz = 5.0; };
antennas = { tx = 2; rx = 2; };
modulation = "16qam";
channel = { model = "eva"; };
detectors = ( "zf", "mmse" );
inverter = "ldl";
code = { rate = 0.5; };
sweep = { snr_db = [ 2.0, 14.0, 6.0 ]; min_bit_errors = 1000000L; min_slots = 64L; max_slots = 64L; round_slots = 64; };
"""

HARQ = ("code.transmissions=4", "channel.doppler_hz=70", "channel.drop_slots=128", "sweep.min_slots=256",
        "sweep.max_slots=256", "sweep.round_slots=256")
TWO = ("code.transmissions=2", "channel.drop_slots=80", "sweep.min_slots=160", "sweep.max_slots=160",
       "sweep.round_slots=80")

CASES = {
    "one_block_with_filler": ("carrier.bandwidth_mhz=1.4", "code.rate=0.31"),
    "two_sizes_of_code_blocks": ("code.rate=0.77",),
    "codewords_of_other_windows": ("carrier.bandwidth_mhz=5", "antennas.tx=3", "antennas.rx=4", 'csi="dmrs-mmse"'),
    "nearly_nothing_sent": ("carrier.bandwidth_mhz=1.4", "antennas.tx=1", "modulation=qpsk", "code.rate=0.02"),
    "all_iterations": ("code.early_stop=false", "code.iterations=4"),
    "chase": ('code.combining="chase"', *HARQ),
    "two_transmissions": ("code.rate=0.8", *TWO),
    "three_transmissions": ("code.transmissions=3", "code.rate=0.9", "channel.doppler_hz=300", "channel.drop_slots=130", "sweep.min_slots=260",
                            "sweep.max_slots=260", "sweep.round_slots=130"),
    "four_transmissions_that_move": HARQ,
    "four_transmissions_that_stand_still": ("code.transmissions=4", "channel.drop_slots=128", "sweep.min_slots=512",
                                            "sweep.max_slots=512", "sweep.round_slots=256"),
    "transmissions_that_fade_anew": ("code.transmissions=3", "channel.fades=transmission", "channel.drop_slots=130",
                                     "sweep.min_slots=260", "sweep.max_slots=260", "sweep.round_slots=130"),
    "independent_subcarriers": ("channel.model=rayleigh", "code.transmissions=2", "channel.drop_slots=80",
                                "sweep.min_slots=160", "sweep.max_slots=160", "sweep.round_slots=80"),
    "estimates": ('csi="dmrs-mmse"', *HARQ),
    "estimates_of_two_symbols": ('csi="dmrs-mmse"', "csi_references=2", *HARQ),
    "known_and_estimated": ('csi=("perfect","despread")',),
    "other_detectors": ('detectors=("mrc","cg-3","neumann")', "antennas.rx=8"),
    "a_search": ('detectors=("kbest-8","mmse","kbest-4-clip8")', "antennas.rx=3", *HARQ),
    "a_search_that_estimates": ('detectors=("kbest-4","zf")', 'csi="dmrs-mmse"', "csi_references=2", *HARQ),
    "a_search_that_sends_once": ('detectors=("mmse-max-log","mmse","kbest-4")',),
    "exact_searches": ('detectors=("ml","ml-exact","mmse-sic","ml-clip8")', *HARQ),
    "an_exact_search_that_estimates": ('detectors=("ml","mmse-sic-max-log")', 'csi="dmrs-mmse"', "csi_references=2", *HARQ),
    "a_large_array": ('detectors=("mmse","cg","kbest-4")', "antennas.tx=8", "antennas.rx=64", "inverter=cholesky-delayed",
                      "sweep.snr_db=-10", *TWO),
    "a_batch_inverter": ('detectors=("zf","mrc","kbest-4")', "antennas.rx=4", "inverter=lu-delayed", 'csi=("perfect","dmrs-mmse")', *TWO),
    "a_version_of_an_inverter": ("inverter.name=ldl", 'inverter.version="ldl 1"', *TWO),
    "full_pivoting": ('inverter="gauss-jordan"', "antennas.rx=3"),
    "max_log": ('llr.demapper="max-log"', "llr.scale=16"),
    "correlated": ("channel.model=epa", "channel.correlation.level=medium"),
    "awgn": ("channel.model=awgn",),
    "pdsch": ("carrier.grid=pdsch", *HARQ),
    "pdsch_of_five_layers": ("carrier.grid=pdsch", "carrier.control_symbols=3", "antennas.tx=5", "antennas.rx=8", *TWO),
    "pusch": ("code.link=uplink", "carrier.grid=pusch", "carrier.srs=true", *HARQ),
    "pusch_estimated": ('csi=("perfect","dmrs-mmse")', "code.rate=default", "code.bits=14112", *TWO),
    "a_soft_buffer": ("code.rate=0.9", "code.soft_bits=1200000", "code.versions=0,3", *TWO),
    "some_resource_blocks": ("carrier.allocation=3,7", 'csi=("perfect","dmrs-mmse")', *TWO),
    "one_resource_block": ("carrier.allocation=3,1", "antennas.rx=4", "modulation=64qam", 'csi=("perfect","dmrs-mmse","dmrs-mmse-cp")',
                           *TWO),
    "one_layer_of_one_block": ("carrier.allocation=0,1", "antennas.tx=1", "antennas.rx=3", "csi=dmrs-mmse-cp", "csi_references=2", "channel.doppler_hz=70", *TWO),
    **{f"modulation_{m}": (f'modulation="{m}"', *TWO) for m in ("qpsk", "64qam", "256qam", "1024qam")},
    **{f"layers_{n}": (f"antennas.tx={n}", "antennas.rx=8", "code.rate=0.85", *TWO)
       for n in (1, 3, 4, 5, 6, 7, 8)},
}


def counted(out):
    """What a run counted: its tables without the time."""
    tables = {path.name: runs.table(out, path.name) for path in (top / out).glob("*.csv")}
    for rows in tables.values():
        for row in rows:
            row.pop("seconds", None)
    return tables


def run(out, backend, *settings, options=(), scenario="coded.cfg"):
    runs.run(scenario, "--no-plot", "--quiet", "--backend", backend, "--out", out, *runs.sets(settings),
             *runs.ber_alone(options), *([] if "--only" in options else ["--blocks"]), *options)
    return counted(out)


def check_cases():
    for name, settings in CASES.items():
        plain = run("cpu", "cpu", *settings)
        claim(f"{name}_counts", any(float(row["wrong_first"]) > 0 for row in plain["bler.csv"]) or "nothing" in name)
        claim(f"{name}_is_that_of_the_processor", run("cuda", "cuda", *settings) == plain)
        shutil.rmtree(top / "cpu")
        shutil.rmtree(top / "cuda")


def check_parts():
    """The same in little memory, by parts, beside the processor, and from one transmission to the next."""
    more = (*HARQ, "sweep.min_slots=1280", "sweep.max_slots=1280", "sweep.round_slots=256")
    plain = run("whole", "cpu", *more)
    claim("rounds_are_those_of_the_processor", run("rounds", "cuda", *more) == plain)
    claim("little_memory_does", run("little", "cuda", *more, options=("--device-memory", "60")) == plain)
    claim("both_together_do", run("both", "all", *more) == plain)
    run("part0", "cuda", *more, options=("--slots", "0:511"))
    run("part1", "cuda", *more, options=("--slots", "512:1279"))
    runs.check_merge(counted, "whole", "part0", "part1")
    done = runs.attempt("coded.cfg", "--no-plot", "--backend", "cuda", "--device-memory", "1", "--out", "none")
    claim("too_little_memory_is_said", done.returncode == 1 and "device memory" in done.stderr, done.stderr)


def check_scenarios():
    for path in sorted(scenarios.glob("*.cfg")):
        if "\ncode " not in path.read_text(encoding="utf-8"):
            continue
        harq = re.search(r"drop_slots = (\d+).*transmissions = [2-4]", path.read_text(encoding="utf-8"), re.DOTALL)
        slots = harq[1] if harq else 64
        some = (f"sweep.min_slots={slots}", f"sweep.max_slots={slots}", f"sweep.round_slots={slots}",
                "sweep.min_bit_errors=1000000")
        plain = run(f"cpu_{path.stem}", "cpu", *some, scenario=str(path))
        claim(f"{path.stem}_is_that_of_the_processor",
              run(f"cuda_{path.stem}", "cuda", *some, scenario=str(path)) == plain)


def check_clock():
    """Blocks against the clock, from host memory and on the device: those of the processor."""
    few = ("deadline.slots=80", "deadline.distinct=64", "deadline.paced=false", "deadline.carriers=3")
    what = ("blocks", "wrong_blocks", "undetected_blocks", "bits", "bit_errors", "distinct_slots")
    for name in ("one_block_with_filler", "two_sizes_of_code_blocks", "nearly_nothing_sent", "layers_8",
                 "codewords_of_other_windows",
                 "estimates_of_two_symbols", "known_and_estimated", "one_resource_block"):
        for backend in ("cpu", "cuda"):
            run(f"clock_{backend}", backend, *CASES[name], *few, options=("--only", "deadline"))
        plain, seen = runs.deadline("clock_cpu"), runs.deadline("clock_cuda")
        claim(f"blocks_on_time_{name}", plain["blocks"] > 0 and
              all(plain[k] == seen[k] == seen["device"][k] for k in what),
              [(plain[k], seen[k], seen["device"][k]) for k in what])


def check_explained():
    """What a slot takes is measured of whole drops."""
    for name in ("all_iterations", "chase", "two_transmissions"):
        done = runs.run("coded.cfg", "--explain", "--backend", "cuda", *runs.sets(CASES[name]))
        claim(f"explained_{name}", "measured" in done.stdout, done.stdout)


def check_conformance():
    """Points of TS 36.104 on one resource block and on all: the table of the processor."""
    tables = []
    for backend in ("cpu", "cuda"):
        runs.attempt("--verify", "3gpp=1.4MHz,1x2", "--set", "channel.model=eva", "--limit", "20", "--backend", backend, "--out", backend)
        tables.append(runs.table(backend, "conformance.csv"))
    claim("conformance_is_that_of_the_processor", tables[0] == tables[1] and len(tables[0]) > 10, tables)


if not listed.usable(runs.ltesim, "cuda"):
    print("skipped: no usable CUDA device")
    sys.exit(77)
(top / "coded.cfg").write_text(SCENARIO, encoding="utf-8")
check_cases()
check_parts()
check_clock()
check_explained()
check_conformance()
check_scenarios()
runs.end()
