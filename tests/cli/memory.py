#!/usr/bin/env python3
"""A sweep stays within 128 MB of host memory, or what --host-memory says, and a long one within what
it began with.

    tests/cli/memory.py path/to/ltesim          every scenario, one thread and 64; the largest arrays
    tests/cli/memory.py path/to/ltesim SLOTS    one sweep of so many slots: memory and descriptors flat
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

MOST_KB = 128 * 1024
GROWTH_KB = 1024  # of a sweep that has run for some seconds
LARGEST = """# Largest
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { rx = 256; tx = 128; };
modulation = "qpsk";
channel    = { model = "rayleigh"; };
detectors  = ( "zf", "mmse" );
inverter   = "cholesky-delayed";
sweep      = { snr_db = [ 10.0, 10.0, 1.0 ]; min_bit_errors = 0; min_slots = 64; max_slots = 64; };
backend    = "cpu";
"""

BLOCKS = """# Blocks
carrier    = { bandwidth_mhz = 20.0; };
antennas   = { rx = 2; tx = 2; };
modulation = "64qam";
channel    = { model = "rayleigh"; };
detectors  = ( "mmse" );
inverter   = "ldl";
code       = { rate = 0.7; iterations = 1; };
sweep      = { snr_db = 30.0; };
deadline   = { slots = 4; distinct = 2; paced = false; budget_us = 0.001; };
backend    = "cpu";
"""

ltesim = os.path.realpath(sys.argv[1])
scenarios = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
folder = tempfile.mkdtemp()


def start(*arguments, out=folder, only="ber", **streams):
    return subprocess.Popen([ltesim, *arguments, "--only", only, "--backend", "cpu", "--no-plot",
                             "--quiet", "--out", out], stdout=subprocess.DEVNULL, **streams)


def most_memory(*arguments, **how):
    """A run's most resident memory in KB; it must end well."""
    run = start(*arguments, **how)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    assert run.returncode == 0, (arguments, run.returncode)
    return usage.ru_maxrss


def all_scenarios():
    failed = n = most = 0
    for path in sorted(scenarios.glob("*.cfg")):
        for threads in ("1", "64"):
            short = ["--set", "sweep.snr_points=9,10", "--set", "sweep.max_seconds=0.01"]
            used = most_memory(str(path), "--threads", threads, *short, out=f"{folder}/{path.stem}")
            n += 1
            most = max(most, used)
            if not used <= MOST_KB:
                failed += 1
                print(f"{path.name}, {threads} threads: {used} KB, more than {MOST_KB}")
    print(f"{n - failed} passed, {failed} failed; most: {most} KB")
    return failed


def largest_arrays():
    """256 x 128 antennas, 64 threads wished for: within what is granted, with the same counts."""
    path = pathlib.Path(folder) / "largest.cfg"
    path.write_text(LARGEST)
    layers = pathlib.Path(folder) / "layers.csv"
    with_all = most_memory(str(path), "--threads", "64")
    counts = layers.read_bytes()
    bounded = most_memory(str(path), "--threads", "64", "--host-memory", "128")
    same = layers.read_bytes() == counts
    too_few = start(str(path), "--host-memory", "40", stderr=subprocess.PIPE)
    refusal = too_few.communicate()[1].decode()
    refused = too_few.returncode == 2 and refusal.count("\n") == 1 and \
        "--host-memory must be " in refusal
    print(f"largest arrays: {with_all} KB, of 128 MB {bounded} KB, "
          f"{'the same' if same else 'other'} counts; of 40 MB: {refusal.strip()}")
    return not (with_all > MOST_KB >= bounded and same and refused)


def blocks_of_carriers():
    """What a deadline run with a code takes more for 16 carriers more, it also says that it needs."""
    path = pathlib.Path(folder) / "blocks.cfg"
    path.write_text(BLOCKS)
    used, needed = [], []
    for carriers in (1, 17):
        more = [str(path), "--threads", "1", "--set", f"deadline.carriers={carriers}"]
        used.append(most_memory(*more, out=f"{folder}/blocks", only="deadline"))
        refused = start(*more, "--host-memory", "33", only="deadline", stderr=subprocess.PIPE)
        needed.append(int(re.search(r"the whole run needs (\d+)", refused.communicate()[1].decode())[1]) // 1024)
    grown, said = used[1] - used[0], needed[1] - needed[0]
    print(f"blocks of 16 carriers more: {grown} KB, {said} KB said")
    return not 8 * 1024 < grown <= said + 2048


def resident_kb(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") // 1024


def long_sweep(slots):
    """Samples of memory and descriptors once a second, from the second on in which all is there."""
    rule = [f"sweep.min_slots={slots}L", f"sweep.max_slots={slots}L", "sweep.snr_db=10",
            "sweep.round_slots=65536", "carrier.bandwidth_mhz=1.4", "detectors=mmse",
            "modulation=qpsk"]
    # one thread: threads that wait for each other take the time of 10^7 such short slots
    run = start(str(scenarios / "siso.cfg"), "--threads", "1", *[x for one in rule for x in ("--set", one)])
    samples = []
    while run.poll() is None:
        time.sleep(1.0)
        try:
            samples.append((resident_kb(run.pid), len(os.listdir(f"/proc/{run.pid}/fd"))))
        except (FileNotFoundError, ProcessLookupError, IndexError):
            break
    samples = [one for one in samples[3:-1] if one[1] > 0]
    counted = int((pathlib.Path(folder) / "ber.csv").read_text().split("\n")[1].split(",")[4])
    memory, files = zip(*samples)
    print(f"{counted} slots, {len(samples)} samples: {min(memory)} to {max(memory)} KB, "
          f"{min(files)} to {max(files)} descriptors")
    flat = max(memory) - min(memory) <= GROWTH_KB and max(memory) <= MOST_KB
    # a result file is open for the moment in which it is written
    return not (run.wait() == 0 and counted == slots and flat and files[-1] <= min(files) + 1)


try:
    if len(sys.argv) > 2:
        sys.exit(1 if long_sweep(int(sys.argv[2])) else 0)
    odd = all_scenarios()
    sys.exit(1 if any([largest_arrays(), blocks_of_carriers(), odd]) else 0)
finally:
    shutil.rmtree(folder)
