#!/usr/bin/env python3
"""Progress and tables on terminals of 40, 80 and 200 columns, and finished rows as they end.

    tests/cli/terminal.py path/to/ltesim

A pseudo-terminal stands for the terminal. Exit 77 (skipped) where there is none to be had.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

SCENARIO = """# Small
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "16qam";
detectors  = ( "zf", "mmse" );
channel    = { model = "eva"; };
csi        = ( "perfect", "dmrs-mmse" );
sweep      = { snr_points = ( 0, 60 ); min_bit_errors = 100000; max_slots = 1099511627776L;
               max_seconds = 20.0; };
backend    = "cpu";
"""
CLEAR = "\r\033[K"
failed = 0


def claim(name, holds, seen=""):
    global failed
    if not holds:
        failed += 1
        print(f"{name}: not so: {str(seen)[:300]!r}")


def run(program, folder, columns, kind):
    """What came to the terminal in about a second and a half, and to stdout before the end."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen(
        [program, "small.cfg", "--table", "--only", "ber", "--no-plot", "--out", f"out{columns}{kind}"],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave,
        env={**os.environ, "TERM": kind})
    os.close(slave)
    streams = {master: b"", child.stdout.fileno(): b""}
    end = time.monotonic() + 30.0
    seen = None
    while time.monotonic() < end:
        for stream in select.select(list(streams), [], [], 0.1)[0]:
            try:
                streams[stream] += os.read(stream, 65536)
            except OSError:  # the other side is closed
                end = 0.0
        if seen is None and (b"sweep 2/2" in streams[master] or kind == "dumb") \
                and b"errors\n" in streams[child.stdout.fileno()]:
            seen = time.monotonic()
        if seen and time.monotonic() - seen > 1.0:
            break
    told = streams[child.stdout.fileno()].decode()
    child.send_signal(signal.SIGTERM)
    child.communicate()
    os.close(master)
    return streams[master].decode(), told, child.returncode


def tables(program, folder, columns, *more):
    """What a short run prints on a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    job = more if "--replay" in more else (
        "--only", "ber", "--no-plot", "--quiet", "--out", f"tab{columns}", *more)
    child = subprocess.Popen(
        [program, "small.cfg", "--table", "--set", "sweep.snr_points=0,10", "--set", "sweep.max_slots=64", *job],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL)
    os.close(slave)
    text = b""
    while True:
        try:
            text += os.read(master, 65536)
        except OSError:  # the other side is closed
            break
    child.wait()
    os.close(master)
    return text.decode().replace("\r\n", "\n").split("\n")


def main():
    program = os.path.realpath(sys.argv[1])
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        print("skipped: no pseudo-terminal")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "small.cfg"), "w") as file:
            file.write(SCENARIO)
        for columns in (40, 80, 200):
            text, told, code = run(program, folder, columns, "xterm")
            rows = [row for row in text.split(CLEAR) if row]
            claim(f"rows_come_{columns}", len(rows) >= 3, text)
            claim(f"rows_are_one_line_{columns}", not re.search(r"[\n\033]", "".join(rows)), rows)
            longest = max(map(len, rows), default=0)
            claim(f"rows_fit_{columns}", longest < columns, rows)
            claim(f"rows_have_whole_fields_{columns}",
                  all(re.fullmatch(r"sweep \d/2 +-?\d+\.\d\d dB  ETA \d+ s"
                                   r"(  [\d.e+]+ bits)?(  \d+ errors)?"
                                   r"(  [\d.e+]+ symbols/s)?(  (perfect|dmrs-mmse))?", row)
                      for row in rows), rows)
            claim(f"rows_use_the_room_{columns}", columns < 200 or "symbols/s  perfect" in text, rows)
            claim(f"finished_rows_are_told_{columns}",
                  len(re.findall(r"(?m)^(zf|mmse) .* errors$", told)) == 2, told)
            claim(f"stdout_is_plain_{columns}", "\033" not in told and "\r" not in told, told)
            claim(f"signal_is_the_code_{columns}", code == 143, code)
        for columns, heads in (
                (40, "detector csi SNR dB BER"),
                (80, "detector csi SNR dB BER 95 % low 95 % high closed form"),
                (200, "detector csi SNR dB meas. Eb/N0 bits errors BER 95 % low 95 % high "
                      "closed form z ended by")):
            lines = tables(program, folder, columns)
            rows = [line for line in lines if re.match("(detector|zf|mmse) +(csi|perfect|dmrs)", line)]
            claim(f"tables_have_their_rows_{columns}", len(rows) >= 9, lines)
            claim(f"tables_fit_{columns}", max(map(len, rows), default=999) <= columns, rows)
            claim(f"tables_use_the_room_{columns}",
                  any(" ".join(row.split()) == heads for row in rows), rows)
            claim(f"tables_say_what_is_left_out_{columns}",
                  any("too narrow" in line for line in lines) == (columns < 200), lines)
        for name, head, option in (("replay", "detector +SNR dB +layer ", ("--replay", "0")),
                                   ("proof", "property +at +measured +expected$", ("--verify",))):
            lines = tables(program, folder, 80, *option)
            rows = [line for line in lines
                    if re.match("(detector|zf|mmse|property|power|rms_delay_ns) +", line)]
            claim(f"{name}_fits_80", len(rows) > 2 and max(map(len, rows)) <= 80, rows)
            claim(f"{name}_has_what_matters", any(re.match(head, row) for row in rows), rows)
        text, told, code = run(program, folder, 80, "dumb")
        claim("dumb_gets_no_escapes", "\033" not in text, text)
    print("failed" if failed else "passed")
    return 1 if failed else 0


sys.exit(main())
