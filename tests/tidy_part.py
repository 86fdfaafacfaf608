"""
A part of a build's compilations, for clang-tidy, which looks at each compilation of a source:

    python3 tests/tidy_part.py BUILD_DIR I N OUT      part I of N, 1 to N

Prints the names of the sources and writes OUT, their compile_commands.json. In all parts together
each C source of the build stands once, and a second time where that shows a target's first: the
sources of several instruction sets share their text, their headers of vectors do not.
"""
import json
import os
import re
import sys

build, part, parts, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as text:
    entries = json.load(text)

made = os.path.realpath(build) + os.sep
times, targets, kept = {}, set(), []
for entry in entries:
    name = os.path.realpath(entry["file"])
    if not name.endswith(".c") or name.startswith(made):
        continue
    target = re.search(r"CMakeFiles/([^/]+)\.dir/", entry["command"]).group(1)
    times[name] = times.get(name, 0) + 1
    if times[name] == 1 or target not in targets:
        kept.append((name, entry))
    targets.add(target)

# all of a source to one part, the longest dealt out first: what is compiled often, what is large
names = sorted(times, key=lambda name: (-times[name], -os.path.getsize(name), name))
mine = names[part - 1 :: parts]
with open(out, "w", encoding="utf-8") as text:
    json.dump([entry for name, entry in kept if name in mine], text)
print("\n".join(mine))
