#!/usr/bin/env python3
"""Whether a revision that only moves and renames has the machine code of the one before.

    tests/same_code.py REVISION REVISION ... [--cuda] [--jobs N] [--keep FOLDER]

Each is checked out and built, without line numbers and names of files in the code, and compared with
the one before it. Of each object the contents of .text* and .rodata* are hashed; the objects whose
code the other revision does not have are named. With --cuda the same of each .cu's code for compute
capability 9.0: its kernels, .text.*, as a set, since their order and names follow the file's name.
Exit 1: some code differs. Exit 2: wrong usage, or a build failed.
"""
import argparse
import collections
import hashlib
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

ARCHITECTURE = "90"
NO_PLACES = '-D__LINE__=0 -D__FILE__=\\"\\" -Wno-builtin-macro-redefined'


def sections(path):
    """(name, contents) of the sections of an ELF file of 64 bits that have contents."""
    data = path.read_bytes()
    if data[:5] != b"\x7fELF\x02":
        return
    table, = struct.unpack_from("<Q", data, 0x28)
    size, n, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(n)]
    strings = headers[names][4]
    for name, kind, _, _, offset, length in headers:
        if kind != 8:  # no SHT_NOBITS
            end = data.index(b"\0", strings + name)
            yield data[strings + name:end].decode(), data[offset:offset + length]


def digest(path, pattern, named):
    """A hash of an object's sections of such names, whose order does not count."""
    found = sorted(((name if named else ""), hashlib.sha256(contents).hexdigest())
                   for name, contents in sections(path) if re.match(pattern, name) and contents)
    return hashlib.sha256(repr(found).encode()).hexdigest() if found else None


def run(command, log, **where):
    with open(log, "ab") as out:
        if subprocess.run(command, stdout=out, stderr=out, check=False, **where).returncode:
            print(f"failed: {shlex.join(map(str, command))}, see {log}", file=sys.stderr)
            sys.exit(2)


def processor_objects(source, build, jobs):
    run(["cmake", "-S", source, "-B", build, "-DLTE_CUDA=OFF", f"-DCMAKE_C_FLAGS={NO_PLACES}"],
        f"{build}.log")
    run(["cmake", "--build", build, "--target", "ltesim", "tested", f"-j{jobs}"], f"{build}.log")
    made = (path for path in build.rglob("*.o") if path.name != "revision.c.o")  # which is its name
    return {path: digest(path, r"\.(text|rodata)", True) for path in made}


def device_objects(source, build, jobs):
    """The cubins of the product's .cu files."""
    build.mkdir()
    files = [path for room in ("phy", "kernels", "sim") for path in (source / room).rglob("*.cu")]
    flags = ["-std=c++17", "-O3", "-DNDEBUG", "-D_GNU_SOURCE", f"-I{source}", "--fmad=false",
             f"-arch=sm_{ARCHITECTURE}", "-cubin"]
    todo = [(path, build / f"{path.stem}.cubin") for path in files]
    for first in range(0, len(todo), jobs):
        running = [subprocess.Popen(["nvcc", *flags, str(path), "-o", str(out)])
                   for path, out in todo[first:first + jobs]]
        if any([one.wait() for one in running]):
            sys.exit(2)
    return {out: digest(out, r"\.text\.", False) for _, out in todo}


def compare(before, after, names, top):
    """Names the objects whose code the other does not have as often."""
    has = [collections.Counter(h for h in one.values() if h) for one in (before, after)]
    differ = 0
    for sign, one, missing in (("-", before, has[0] - has[1]), ("+", after, has[1] - has[0])):
        for path, code in sorted(one.items()):
            if code in missing:
                print(sign, path.relative_to(top / "build"))
                differ += 1
    print(f"{names[0]}: {sum(has[0].values())} objects with code, {names[1]}: "
          f"{sum(has[1].values())}: " + (f"{differ} differ" if differ else "the same code"), flush=True)
    return differ


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("revisions", nargs="+", metavar="REVISION")
    parser.add_argument("--cuda", action="store_true", help="device code, not the processor's")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", metavar="FOLDER", help="builds stay here")
    options = parser.parse_args()
    repository = pathlib.Path(__file__).resolve().parents[1]
    differ, before, last = 0, None, ""
    with tempfile.TemporaryDirectory() as scratch:
        top = pathlib.Path(options.keep or scratch).resolve()
        top.mkdir(exist_ok=True)
        source, build = top / "source", top / "build"  # one place for all: no path differs
        run(["git", "clone", "-q", repository, source], top / "clone.log")
        for revision in options.revisions:
            run(["git", "-C", source, "checkout", "-q", revision], top / "clone.log")
            make = device_objects if options.cuda else processor_objects
            after = make(source, build, options.jobs)
            build.rename(top / revision)
            if before is not None:
                differ += compare(before, after, names=(last, revision), top=top)
            before, last = after, revision
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
