#!/usr/bin/env python3
"""Files of channels that are odd at random: each is used or refused, in one line.

    tests/cli/odd_channels.py path/to/ltesim path/to/odd_channels N

A run that takes one of the files ends in seconds, by exit code 0 without a word, or 1 or 2 and one clear
line, within 256 MB of memory, and never by a signal. Seed and file of one that does not are named;
tests/cli/odd_channels.c makes it again.
"""
import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

SCENARIO = """# Stored
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "qpsk";
channel    = { model = "file"; file = "none"; };
detectors  = ( "zf" );
csi        = ( "perfect", "dmrs-mmse" );
sweep      = { snr_db = [ 10.0, 10.0, 10.0 ]; min_bit_errors = 0; min_slots = 8; max_slots = 8; };
backend    = "cpu";
"""
MOST_KB = 256 * 1024
MOST_S = 60
BATCH = 100

ltesim, generator = (os.path.realpath(path) for path in sys.argv[1:3])
top = pathlib.Path(tempfile.mkdtemp())


def run(seed):
    """Exit code, lines on stderr and most memory in KB of a run with the file of a seed."""
    command = [ltesim, "run.cfg", "--set", f"channel.file={seed}.h5", "--only", "ber", "--no-plot",
               "--quiet", "--threads", "1", "--out", f"out{seed}"]
    child = subprocess.Popen(command, cwd=top, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)
    clock = threading.Timer(MOST_S, child.kill)
    clock.start()
    said = child.stderr.read().decode(errors="replace").splitlines()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    clock.cancel()
    child.stderr.close()
    return child.returncode, said, usage.ru_maxrss


def judge(seed):
    """What a run said, without what differs from file to file; what is wrong with it, or None."""
    code, lines, used = run(seed)
    clear = len(lines) == 1 and lines[0].startswith("ltesim: ")
    right = not lines if code == 0 else code in (1, 2) and clear
    wrong = None if right and used <= MOST_KB else \
        f"seed {seed}: exit {code}, {used} KB, {len(lines)} lines: {lines[:2]}"
    for what in (top / f"out{seed}", top / f"{seed}.h5"):
        if what.is_dir():
            shutil.rmtree(what)
        elif what.exists():
            what.unlink()
    crashed = lines and "that crashes" in lines[0]
    return "used" if code == 0 else "crashed" if crashed else "refused", wrong


def main(n):
    (top / "run.cfg").write_text(SCENARIO)
    (top / "bytes.raw").write_bytes(bytes(100000))
    kinds, failed = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for first in range(0, n, BATCH):
            subprocess.run([generator, top, str(first), str(min(BATCH, n - first))], check=True)
            for kind, wrong in pool.map(judge, range(first, min(first + BATCH, n))):
                kinds[kind] += 1
                failed += wrong is not None
                if wrong:
                    print(wrong)
    print(f"{n - failed} passed, {failed} failed:", ", ".join(f"{kinds[k]} {k}" for k in sorted(kinds)))
    return 1 if failed or not kinds["used"] or not kinds["refused"] else 0


try:
    sys.exit(main(int(sys.argv[3])))
finally:
    shutil.rmtree(top)
