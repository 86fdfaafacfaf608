#!/usr/bin/env python3
"""What `ltesim --list --json` says, for tests; by itself, for scripts of the shell, one name a line:

    tests/lib/listed.py PROGRAM usable [cpu|cuda]    backends that run here, slowest first; devices as cuda:0
    tests/lib/listed.py PROGRAM unusable             instruction sets that the program has and the processor does not run
    tests/lib/listed.py PROGRAM unbuilt              those of this architecture that the program does not have
    tests/lib/listed.py PROGRAM KIND                 names of detectors, inverters, channels, csi, ...
"""
import json
import subprocess
import sys


def lists(program):
    """The whole document."""
    return json.loads(subprocess.run([program, "--list", "--json"], capture_output=True, text=True, check=True).stdout)


def usable(program, kind=""):
    """Names of backends that run here, slowest first, a device of an accelerator each as cuda:0."""
    names = []
    for row in lists(program)["backends"]:
        if row["usable"] and row["name"].split(":")[0].startswith(kind):
            names += [f"{row['name']}:{device['index']}" for device in row["devices"]] or [row["name"]]
    return names


def unusable_sets(program, built):
    """Instruction sets of this architecture that are not usable, though they are built, or as they are not."""
    return [row["name"] for row in lists(program)["backends"] if row["known"] and row["name"].startswith("cpu:")
            and row["built"] == built and not row["usable"]]


def main(program, what, kind=""):
    if what == "usable":
        names = usable(program, kind)
    elif what in ("unusable", "unbuilt"):
        names = unusable_sets(program, built=what == "unusable")
    else:
        names = [row["name"] for row in lists(program)[what]]
    for name in names:
        print(name)


if __name__ == "__main__":
    main(*sys.argv[1:])
