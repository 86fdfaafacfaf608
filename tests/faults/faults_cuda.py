#!/usr/bin/env python3
"""Every call of a CUDA device that a short run makes fails once.

    tests/faults/faults_cuda.py path/to/ltesim path/to/ltesim_faulty [STRIDE]

STRIDE as in tests/faults/faults.py, which says what a run may leave; tests/faults/failing_device.c says how calls
fail. Exit 77 (skipped) without a device.
"""
import pathlib
import shutil
import sys

import faults

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import listed  # noqa: E402

faults.KINDS = ("device_memory", "copy", "launch", "wait")
faults.STAYS = ("device_memory", "launch")
faults.edge = 3  # a process that uses a device takes seconds
faults.TIMEOUT_S = 120
faults.WORKERS = 4  # a device serves processes by turns, and a slot waits for those of all others


def main():
    if not listed.usable(faults.ltesim, "cuda"):
        print("skipped: no usable CUDA device")
        return 77
    (faults.top / "run.cfg").write_text(faults.SCENARIO.replace('"cpu"', '"cuda"'))
    faults.run(faults.ltesim, "begun", "--only", "ber", "--set", "sweep.max_seconds=0.000001")
    return faults.of_all([faults.Job("ber", "--only", "ber"),
                          faults.Job("deadline", "--only", "deadline"),
                          faults.Job("resume", "--only", "ber", "--resume", begun="begun"),
                          faults.Job("coded", *faults.CODED)])


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        shutil.rmtree(faults.top)
