#!/usr/bin/env python3
"""One topic of ltebench, quick: it ends well, has rows, and what took part in it was right; times are not judged.

    tests/bench/topic.py path/to/ltebench path/to/ltesim TOPIC [cuda]

Peers that are not here are counted, and no fault. cuda: a topic on a device; exit 77 (skipped) without one.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import listed  # noqa: E402

GOOD = {"timed", "good", "as it says"}  # states of rows that took part
ABSENT = {"not built", "library not here"}  # of peers that did not
ltebench, ltesim, topic = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3]


def main():
    with tempfile.TemporaryDirectory() as top:
        out = os.path.join(top, "out.json")
        done = subprocess.run([ltebench, "--only", topic, "--quick", "--program", ltesim, "--json", out],
                              capture_output=True, text=True, check=False, cwd=top)
        if done.returncode != 0:
            print(done.stdout + done.stderr, f"{topic} ends with {done.returncode}", sep="")
            return 1
        with open(out, encoding="utf-8") as file:
            rows = json.load(file)[topic]["rows"]
    states = [row.get("state", "good") for row in rows]
    absent = sum(state in ABSENT for state in states)
    wrong = [row for row, state in zip(rows, states) if state not in GOOD | ABSENT]
    print(f"{topic}: {len(rows)} rows, {absent} of them of peers that are not here, {len(wrong)} wrong")
    for row in wrong:
        print(row)
    return 1 if wrong or len(rows) == absent else 0


if sys.argv[4:] == ["cuda"] and not listed.usable(ltesim, "cuda"):
    print("skipped: no usable CUDA device")
    sys.exit(77)
sys.exit(main())
