#!/usr/bin/env python3
"""Whether every arrow between files runs down: the floors of tests/floors.txt, and the sizes of what stands there.

    tests/floors.py [BUILD_DIR [NM]]

An arrow is an `#include "..."`, or a symbol that one object of BUILD_DIR leaves undefined and another
defines. A room knows the rooms of lower floors; two of one floor do not know each other. Printed, a line
each: a file on no floor; an arrow that runs up or across, or to a file that is not there; files or rooms
in a circle; a base name (what stands before the first dot) in two folders of phy, kernels and sim; a
folder of more than 30 files; a source of more than 600 lines or with a line of more than 100 columns.
Exit 1: there is one of these. Exit 2: wrong usage.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LISTED = pathlib.Path(__file__).with_name("floors.txt")
PRODUCT = ("phy", "kernels", "sim")
CODE = (".c", ".h", ".cu", ".cuh", ".inc")
SOURCES = (*CODE, ".cc", ".cpp")
PUBLIC = "sim/library/ltesim/"  # headers of those who use the library, named as its parts are
EVERYWHERE = ("README", "CMakeLists", "__init__")
LARGE = ("tests/bench/results", "tests/data", "tests/fuzz/corpus",  # no code
         "tests/bench/pace.c")  # kept as it was
MOST_FILES, MOST_LINES, MOST_COLUMNS = 30, 600, 100


def tracked():
    """Paths of the files that git keeps; of all files where there is no git."""
    asked = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True, check=False)
    names = asked.stdout.split("\n") if asked.returncode == 0 else [
        str(path.relative_to(ROOT)) for top in (*PRODUCT, "tests") for path in (ROOT / top).rglob("*")]
    return sorted(name for name in names if name and (ROOT / name).is_file())


def floors():
    """Room: floor, from lines "floor room ..."; file: lines that it may have, from "longer lines file"."""
    found, longer = {}, {}
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].split()
        if words and words[0] == "longer":
            longer[words[2]] = int(words[1])
        else:
            found.update({room: int(words[0]) for room in words[1:]})
    return found, longer


def room_of(path, rooms):
    """The deepest listed room that has the file; none."""
    folder = path.rpartition("/")[0]
    while folder and folder not in rooms:
        folder = folder.rpartition("/")[0]
    return folder


def includes(files):
    """(file, file that it includes) of the product; what is not there under its own name."""
    for path in files:
        if path.startswith(PRODUCT) and path.endswith(CODE):
            text = (ROOT / path).read_text(encoding="utf-8")
            for named in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.MULTILINE):
                yield path, named


def symbols(build, nm):
    """(file, file whose function or datum it uses, the symbol), by the objects of a build."""
    uses, defined = [], {}
    for made in sorted(pathlib.Path(build).rglob("*.o")):
        name = re.sub(r"CMakeFiles/[^/]+\.dir/", "", str(made.relative_to(build)))[:-2]
        name = re.sub(r"^lte_device_\w+/", "", name)
        if not name.startswith(PRODUCT) or not (ROOT / name).is_file():
            continue  # tables made by the build, tests
        listed = subprocess.run([nm, "-P", "-g", made], capture_output=True, text=True, check=True)
        for symbol, kind in re.findall(r"^(\S+) (\w)", listed.stdout, re.MULTILINE):
            if kind == "U":
                uses.append((name, symbol))
            elif kind in "TDRBVW":
                defined.setdefault(symbol, name)
    return sorted({(name, defined[symbol], symbol) for name, symbol in uses
                   if defined.get(symbol, name) != name})


def circles(arrows):
    """Strongly connected parts of more than one node (Tarjan 1972)."""
    index, low, stack, on, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on.add(node)
        for other in sorted(arrows.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while True:
                part.append(stack.pop())
                on.discard(part[-1])
                if part[-1] == node:
                    break
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return sorted(found)


def arrows_of(files, build, nm, rooms):
    """What is wrong with arrows; then circles."""
    there, wrong = set(files), set()
    beside, between = collections.defaultdict(set), collections.defaultdict(set)
    found = [(a, b, "") for a, b in includes(files)]
    if build:
        found += symbols(build, nm)
    for a, b, symbol in found:
        if b.startswith("ltesim/"):  # a header of the library, by its installed name
            b = PUBLIC + b.partition("/")[2]
        if b not in there:
            if not b.startswith(PUBLIC):  # of those some are made by the build
                wrong.add(f"{a}: {b} is not there")
            continue
        beside[a].add(b)
        mine, theirs = room_of(a, rooms), room_of(b, rooms)
        if mine != theirs and mine and theirs:
            between[mine].add(theirs)
            if rooms[theirs] >= rooms[mine]:
                way = "across" if rooms[theirs] == rooms[mine] else "up"
                wrong.add(f"{way}: {a} -> {b}" + (f" ({symbol})" if symbol else ""))
    for circle in circles(beside):
        wrong.add("circle of files: " + ", ".join(circle))
    for circle in circles(between):
        wrong.add("circle of rooms: " + ", ".join(circle))
    return wrong


def sizes(files, rooms, longer):
    """What is too large, stands twice or has no floor."""
    wrong = set()
    stands, holds = collections.defaultdict(set), collections.Counter()
    for path in files:
        folder, _, name = path.rpartition("/")
        if path.startswith((*PRODUCT, "tests")) and not path.startswith(LARGE):
            holds[folder] += 1
        if path.startswith(PRODUCT):
            if not room_of(path, rooms) and path.endswith(CODE):
                wrong.add(f"on no floor: {path}")
            base = name.split(".")[0]
            if base not in EVERYWHERE and not path.startswith(PUBLIC):
                stands[base].add(folder)
        if path.endswith(SOURCES) and path.startswith((*PRODUCT, "tests")) and path not in LARGE:
            lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
            if len(lines) > longer.get(path, MOST_LINES):
                wrong.add(f"{len(lines)} lines: {path}")
            wrong.update(f"{len(line)} columns: {path}:{i}" for i, line in enumerate(lines, 1)
                         if len(line) > MOST_COLUMNS)
    wrong.update(f"{n} files: {folder}" for folder, n in holds.items() if n > MOST_FILES)
    wrong.update(f"{base} stands in {', '.join(sorted(folders))}" for base, folders in stands.items()
                 if len(folders) > 1)
    return wrong


def main():
    if len(sys.argv) > 3:
        print(__doc__, file=sys.stderr)
        return 2
    build = sys.argv[1] if len(sys.argv) > 1 else None
    files, (rooms, longer) = tracked(), floors()
    wrong = sizes(files, rooms, longer)
    wrong |= {f"floors.txt: {room} is not there" for room in rooms if not (ROOT / room).is_dir()}
    wrong |= arrows_of(files, build, sys.argv[2] if len(sys.argv) > 2 else "nm", rooms)
    for line in sorted(wrong):
        print(line)
    print(f"{len(rooms)} rooms on {len(set(rooms.values()))} floors, {len(wrong)} to mend")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
