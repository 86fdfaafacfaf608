#!/usr/bin/env python3
"""The tutorial's commands print what stands below them.

    tests/examples/tutorial.py path/to/ltesim

Every console block of sim/tutorial.md: a line "$ ./ltesim ..." is run; the lines below it stand in its output one after
another, "..." for any lines between them.
"""
import pathlib
import re
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import attempt, claim  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[2] / "sim" / "tutorial.md"
WORSE = {"compare": 5}  # exit codes other than 0


def has_lines(output, wanted):
    """True if the wanted lines stand in the output, in their order, and without a gap where there is no "..."."""
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in wanted)
    return re.fullmatch(pattern, output) is not None


def commands(text):
    """Each command of a block with the lines below it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


claim("lines_are_looked_for", has_lines("a\nb\nc\n", ["a", "...", "c"]) and not has_lines("a\nb\nc\n", ["a", "c"])
      and not has_lines("a\nb\n", ["...", "x", "..."]))
n = 0
for command, wanted in commands(PAGE.read_text(encoding="utf-8")):
    program, *words = shlex.split(command)
    done = attempt(*words, *(["--no-plot"] if words[0] != "compare" else []))
    n += program == "./ltesim"
    claim(command, done.returncode == WORSE.get(words[0], 0) and has_lines(done.stdout, wanted), done.stdout + done.stderr)
    claim(f"{command}: no number is missing", not re.search(r"\b(inf|nan)\b", done.stdout), done.stdout)
claim("there_are_commands", n >= 8, n)
runs.end()
