#!/usr/bin/env python3
"""A sweep stays within 128 MB of host memory, or what --host-memory says, and a long one within what
it began with.

    tests/cli/memory.py path/to/ltesim          every scenario, one thread and 64; the largest arrays
    tests/cli/memory.py path/to/ltesim SLOTS    one sweep of so many slots: memory and descriptors flat
"""
import os
import pathlib
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

ltesim = os.path.realpath(sys.argv[1])
scenarios = pathlib.Path(__file__).resolve().parents[2] / "scenarios"
folder = tempfile.mkdtemp()


def start(*arguments, out=folder, **streams):
    return subprocess.Popen([ltesim, *arguments, "--only", "ber", "--backend", "cpu", "--no-plot",
                             "--quiet", "--out", out], stdout=subprocess.DEVNULL, **streams)


def most_memory(*arguments, out=folder):
    """A run's most resident memory in KB; it must end well."""
    run = start(*arguments, out=out)
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
    sys.exit(1 if largest_arrays() or odd else 0)
finally:
    shutil.rmtree(folder)
