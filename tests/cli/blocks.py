#!/usr/bin/env python3
"""blocks.csv: an own count of its CRCs comes to bler.csv, to the twelfth; whoever counts, the bytes are the same.

    tests/cli/blocks.py path/to/ltesim
"""
import fractions
import json
import math
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))
import runs  # noqa: E402
from runs import claim, t_quantile, top  # noqa: E402

SCENARIO = """# blocks
carrier = { bandwidth_mhz = 1.4; };
antennas = { tx = 2; rx = 2; };
modulation = "16qam";
channel = { model = "epa"; doppler_hz = 5.0; };
detectors = ( "zf", "mmse" );
inverter = "ldl";
code = { rate = 0.5; transmissions = 4; };
backend = "cpu";
sweep = { snr_db = [ 8.0, 14.0, 6.0 ]; min_bit_errors = 1000000L; min_slots = 512L; max_slots = 512L; round_slots = 512; };
"""
(top / "blocks.cfg").write_text(SCENARIO, encoding="utf-8")
# whole drops of two rounds, and of three
SLOW = ("channel.drop_slots=256",)
FAST = ("channel.doppler_hz=300", "channel.model=etu", "channel.drop_slots=512", "sweep.round_slots=512")


def arguments(out, *settings, options=()):
    return ["blocks.cfg", "--no-plot", "--quiet", "--blocks", "--out", out, *runs.sets(settings), *runs.ber_alone(options),
            *options]


def run(out, *settings, options=(), code=0):
    return runs.run(*arguments(out, *settings, options=options), code=code).stderr


def text(out):
    return (top / out / "blocks.csv").read_bytes()


def counted(out):
    rows = runs.table(out, "bler.csv")
    for row in rows:
        del row["seconds"]
    return rows, text(out)


# ---- an own count ----

def told(out):
    """The transmissions of each row, in the order of the file: a list of dicts."""
    rows = {}
    for line in runs.table(out, "blocks.csv"):
        rows.setdefault((line["csi"], line["detector"], line["snr_db"]), []).append(line)
    return rows


def count(lines, subframes, most):
    """Sums over the blocks of a row: blocks, wrong first, wrong last, transmissions, iterations."""
    point = subframes - 8 * (most - 1)
    open_blocks, sums = {}, [fractions.Fraction(0)] * 5
    for line in lines:
        key = line["drop"], line["process"], line["codeword"]
        block = open_blocks.setdefault(key, [])
        assert int(line["number"]) == len(block) + 1 and int(line["process"]) == int(line["subframe"]) % 8, line
        assert int(line["version"]) == (0, 1, 2, 3)[len(block)], line
        block.append((int(line["subframe"]) < point, line["crc"] == "1", int(line["iterations"])))
        if not block[-1][1] and len(block) < most:
            continue
        weight = fractions.Fraction(sum(before for before, _, _ in block), len(block))
        own = (1, not block[0][1], not block[-1][1], len(block), sum(i for _, _, i in block))
        sums = [a + weight * b for a, b in zip(sums, own)]
        del open_blocks[key]
    assert not open_blocks, open_blocks  # all that was begun has ended
    return sums


def check_count(out, subframes, most):
    """The rows of bler.csv from the CRCs; a block whose CRC holds with wrong bits is wrong there."""
    mine = told(out)
    payload = None
    for row in runs.table(out, "bler.csv"):
        name = f"{out}_{row['detector']}_{row['snr_db']}"
        blocks, first, last, sent, iterations = count(mine[row["csi"], row["detector"], row["snr_db"]], subframes, most)
        words = 2
        payload = payload or round(float(row["peak_bits_per_s"]) / 1000 / words)
        drops = int(row["slots"]) // (2 * subframes)
        elapsed = drops * (subframes - 8 * (most - 1))
        last += fractions.Fraction(row["undetected"]).limit_denominator(12)
        claim(f"blocks_of_{name}", [fractions.Fraction(row[k]).limit_denominator(12) for k in ("blocks", "wrong_first", "wrong")] ==
              [blocks, first, last], (blocks, first, last, row))
        claim(f"blocks_of_{name}_are_twelfths", all((12 * x).denominator == 1 for x in (blocks, first, last, sent)))
        means = {"transmissions": sent / blocks, "iterations": iterations / sent,
                 "bits_per_s": (blocks - last) * payload * 1000 / elapsed}
        claim(f"means_of_{name}", all(math.isclose(float(row[k]), float(v), rel_tol=1e-6) for k, v in means.items()),
              (means, row))
        claim(f"throughput_of_{name}", math.isclose(
            float(row["bits_per_s"]) / float(row["peak_bits_per_s"]),
            (1 - float(last / blocks)) / float(sent / blocks), rel_tol=1e-6), row)


def check_counts():
    slots = runs.slots(2048 if runs.LONG else 512)
    run("slow", *SLOW, *slots)
    check_count("slow", 128, 4)
    run("fast", *FAST, *slots)
    check_count("fast", 256, 4)
    run("three", "code.transmissions=3", "channel.drop_slots=130", "sweep.round_slots=130", "sweep.max_slots=520",
        "sweep.min_slots=520")
    check_count("three", 65, 3)
    run("once", "code.transmissions=1", "channel.drop_slots=64", "sweep.snr_db=14", *slots)
    for row in runs.table("once", "bler.csv"):
        lines = told("once")[row["csi"], row["detector"], row["snr_db"]]
        claim(f"once_{row['detector']}", len(lines) == int(row["blocks"]) == int(row["slots"]) and
              sum(line["crc"] == "0" for line in lines) == int(row["wrong_first"]) - int(row["undetected"]), row)


def interval(errors, of):
    """The 95 % interval of sum(errors) / sum(of) over drops, and how many of them carry what is rarer."""
    n, all_of = len(of), sum(of)
    rate = sum(errors) / all_of
    if rate > 0.5:
        low, high, m = interval([b - e for e, b in zip(errors, of)], of)
        return 1 - high, 1 - low, m
    error = math.sqrt(n / (n - 1) * sum((e - rate * b) ** 2 for e, b in zip(errors, of))) / all_of
    m = max(sum(errors) ** 2 / sum(e * e for e in errors), 2)
    factor = math.exp(t_quantile(m - 1) * error / rate)
    return rate / factor, min(rate * factor, 1), m


def check_intervals():
    """Those of bler.csv from the sums of each drop; of fewer than ten that carry them they are narrowed, and not asked."""
    drops, subframes, seen = 64, 56, set()
    run("drops", "channel.drop_slots=112", "sweep.round_slots=448", *runs.slots(112 * drops), "antennas.tx=1",
        "code.rate=0.3333", "modulation=qpsk", "detectors=mmse", "sweep.snr_db=[-8,-2,6]")
    for row in runs.table("drops", "bler.csv"):
        of_drop = {}
        for line in told("drops")[row["csi"], row["detector"], row["snr_db"]]:
            of_drop.setdefault(line["drop"], []).append(line)
        sums = [[float(x) for x in count(lines, subframes, 4)] for lines in of_drop.values()]
        blocks, first, last, sent, iterations = zip(*sums)
        room = [subframes - 24] * drops
        for name, errors, of, start, width in (
                ("bler", first, blocks, 0, 1), ("bler_last", last, blocks, 0, 1),
                ("transmissions", [s - b for s, b in zip(sent, blocks)], [3 * b for b in blocks], 1, 3),
                ("iterations", [i - s for i, s in zip(iterations, sent)], [5 * s for s in sent], 1, 5),
                ("bits_per_s", [b - w for b, w in zip(blocks, last)], room, 0, float(row["peak_bits_per_s"]))):
            *ends, m = interval(errors, of) if sum(errors) else (0, 0, 0)
            if m < 10:
                continue
            mine, shown = [start + width * end for end in ends], [float(row[f"{name}_{end}"]) for end in ("low", "high")]
            seen.add(name)
            claim(f"interval_of_{name}_at_{row['snr_db']}_dB", row["undetected"] == "0" and all(
                math.isclose(a, b, rel_tol=1e-5) for a, b in zip(mine, shown)), (mine, shown, m))
    claim("all_intervals_are_looked_at", len(seen) == 5, seen)


def check_information():
    """Information of LLRs is what --llr counts of the same channel and noise; nothing is worth more than its bits."""
    run("once", "code.transmissions=1", "channel.drop_slots=64", "sweep.snr_db=14", "sweep.round_slots=512")
    soft = SCENARIO.replace('code = { rate = 0.5; transmissions = 4; };\n', 'output = "llr";\n').replace(
        "sweep = {", "llr = { scale = 8.0; };\nsweep = {")
    (top / "soft.cfg").write_text(soft, encoding="utf-8")
    runs.run("soft.cfg", "--no-plot", "--quiet", "--out", "soft", "--only", "ber",
             *runs.sets(("channel.drop_slots=64", "sweep.snr_db=14")))
    for row in runs.table("soft", "ber.csv"):
        lines = told("once")[row["csi"], row["detector"], row["snr_db"]]
        mine = [int(x) / 65536 for line in lines for x in line["information"].split()]
        # other bits on the same channel: a tenth of a percent
        claim(f"information_of_{row['detector']}", math.isclose(sum(mine) / len(mine) / 4, float(row["gmi"]) / 4, rel_tol=3e-3) and
              max(mine) <= 4, (sum(mine) / len(mine), row["gmi"]))


# ---- processes that go on ----

def simulate(needs, information, drop):
    """Blocks that are delivered a subframe, each right once the information of its transmissions adds up to needs,
    by drops of so many subframes."""
    delivered = elapsed = 0
    for begin in range(0, len(information) - drop + 1, drop):
        trace = information[begin:begin + drop]
        elapsed += drop - 24
        for process in range(8):
            have, sent, inside = 0.0, 0, 0
            for subframe in range(process, drop, 8):
                if sent == 0 and subframe >= drop - 24:
                    break
                have, sent, inside = have + trace[subframe], sent + 1, inside + (subframe < drop - 24)
                if have < needs and sent < 4:
                    continue
                delivered += inside / sent if have >= needs else 0
                have, sent, inside = 0.0, 0, 0
    return delivered / elapsed


def check_going_on():
    """Drops of the default length count what processes that go on deliver over one channel of 5 s: the same information
    of its subframes decides both."""
    longest = 10000
    for name, doppler, drop, model, limit in (("slow", 5, 128, "flat", 0.005), ("fast", 300, 256, "flat", 0.015)):
        slots = longest * ((12 if name == "slow" else 4) if runs.LONG else 2)
        run("long", f"channel.model={model}", f"channel.doppler_hz={doppler}", f"channel.drop_slots={longest}",
            "code.transmissions=1", "antennas.tx=1", "antennas.rx=1", "code.rate=0.02", "modulation=qpsk",
            "code.iterations=1", "sweep.snr_db=3", f"sweep.round_slots={longest}", *runs.slots(slots),
            'detectors=("mmse")')
        trace = [int(line["information"]) / 65536 for line in runs.table("long", "blocks.csv")]
        assert len(trace) == slots // 2
        for times in (0.7, 1.0, 1.5, 2.5):  # of what the channel gives in the median
            needs = times * sorted(trace)[len(trace) // 2]
            one = simulate(needs, trace, longest // 2)
            # drops that begin anywhere in the channel, which is closed to a circle for them
            offsets = range(0, drop, drop // 8)
            cut = sum(simulate(needs, trace[offset:] + trace[:offset], drop) for offset in offsets) / len(offsets)
            claim(f"{name}_drops_count_what_goes_on_{times}", abs(cut / one - 1) < limit,
                  (cut, one, cut / one - 1))
            print(f"{name} {times}: {cut / one - 1:+.4f}")


# ---- the same bytes ----

def check_bytes():
    settings = (*FAST, *runs.slots(1024), 'csi=("perfect","dmrs-mmse")', "antennas.tx=1", "sweep.snr_db=[4,8,4]")
    run("whole", *settings, options=("--threads", "1"))
    run("threads", *settings, options=("--threads", "2"))
    claim("threads_write_the_same", counted("whole") == counted("threads"))
    run("plain", *settings, options=("--backend", "cpu:ref"))
    claim("the_plain_backend_writes_the_same", counted("whole") == counted("plain"))
    run("part0", *settings, options=("--slots", "0:511"))
    run("part1", *settings, options=("--slots", "512:1023"))
    runs.check_merge(counted, "whole", "part0", "part1")
    (top / "part1" / "blocks.csv").write_bytes(text("part1").replace(b",1\n", b",0\n", 1))
    done = runs.attempt("merge", "part0", "part1", "--out", "changed", "--no-plot")
    claim("a_part_that_was_changed_is_refused", done.returncode == 2 and "not what the journal" in done.stderr, done)
    rule = ("sweep.min_bit_errors=100", "sweep.min_slots=512", "sweep.max_slots=2048", "antennas.tx=1", "sweep.snr_db=[4,8,4]")
    run("stopped", *FAST, *rule)
    for i in range(4):
        run(f"of{i}", *FAST, *rule, options=("--slots", f"{512 * i}:{512 * i + 511}"))
    runs.check_merge(counted, "stopped", "of0", "of1", "of2", "of3")


def check_resumed():
    few = ("antennas.tx=1", "antennas.rx=1", "code.rate=0.1", "code.iterations=2", "sweep.snr_db=[-6,6,3]")
    settings = (*FAST, *few, "sweep.max_slots=2048", "sweep.min_slots=2048")
    runs.check_interrupted(counted, lambda out: arguments(out, *settings))
    moving = (*few, "code.transmissions=1", "channel.drop_slots=1024", "sweep.round_slots=1024", "sweep.max_slots=5120",
              "sweep.min_slots=5120")
    run("long", *settings)
    start = time.monotonic()
    run("moved", *moving)
    seconds = time.monotonic() - start
    for i in range(3):
        run("late", *moving, f"sweep.max_seconds={seconds * (0.1 + 0.1 * i):.4f}")
        claim(f"out_of_time_it_is_not_done_{i}", not is_done("late") and (top / "late" / "blocks.part").exists())
        run("late", *moving, options=("--resume",))
        claim(f"out_of_time_it_goes_on_to_the_same_bytes_{i}", counted("late") == counted("moved"))
        shutil.rmtree(top / "late")
    for out, mine in (("long", settings), ("moved", moving)):
        for i in range(6 if runs.LONG else 4):
            killed = f"{out}{i}"
            with subprocess.Popen([runs.ltesim, *arguments(killed, *mine)], cwd=top, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as child:
                time.sleep(seconds * (0.3 + 0.2 * i if i < 4 else 0.1 * i))
                child.send_signal((signal.SIGKILL, signal.SIGTERM)[i % 2])
                child.wait()
            part = top / killed / "blocks.csv"
            if part.exists() and (top / killed / "bler.csv").exists():
                claim(f"lines_of_{killed}_are_whole", text(out).startswith(part.read_bytes()))
            if not (top / killed / "journal").exists():
                continue
            run(killed, *mine, options=("--resume",)) if not is_done(killed) else None
            claim(f"{killed}_goes_on_to_the_same_bytes", counted(out) == counted(killed))


def check_joined():
    """Parts that are not all of a run are joined, go on, are killed and go on: the bytes of one run."""
    settings = (*FAST, "antennas.tx=1", "antennas.rx=1", "code.rate=0.1", "code.iterations=2", "sweep.snr_db=[-3,0,3]",
                'csi=("perfect","dmrs-ls")', *runs.slots(2048))
    start = time.monotonic()
    run("one", *settings)
    seconds = time.monotonic() - start
    run("first", *settings, options=("--slots", "0:511"))
    run("second", *settings, options=("--slots", "512:1023"))
    done = runs.attempt("merge", "second", "first", "--out", "joined", "--no-plot")
    claim("parts_of_a_run_are_joined", done.returncode == 0 and "not a complete run" in done.stderr, done)
    lines = text("joined").splitlines()
    claim("their_lines_are_those_of_one_run", set(lines) < set(text("one").splitlines()) and lines[0] == text("one").splitlines()[0])
    for i in range(3):
        with subprocess.Popen([runs.ltesim, *arguments("joined", *settings, options=("--resume",))], cwd=top,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            time.sleep(seconds * 0.05)
            child.send_signal((signal.SIGINT, signal.SIGKILL, signal.SIGTERM)[i])
            child.wait()
    claim("it_is_not_done_yet", not is_done("joined"))
    run("joined", *settings, options=("--resume",))
    claim("joined_parts_go_on_to_the_same_bytes", counted("one") == counted("joined"))
    claim("no_part_is_left", not (top / "joined" / "blocks.part").exists())


def check_damaged():
    """A journal that is damaged from its second line on: all is simulated again."""
    settings = (*FAST, "antennas.tx=1", "code.rate=0.1", "sweep.max_slots=2048", "sweep.min_slots=2048")
    run("right", *settings)
    interrupted("hurt", *settings)
    journal = top / "hurt" / "journal"
    lines = journal.read_text(encoding="utf-8").split("\n")
    journal.write_text("\n".join([lines[0], lines[1].replace("blocks", "blocky"), *lines[2:]]), encoding="utf-8")
    run("hurt", *settings, options=("--resume",))
    claim("a_damaged_journal_begins_anew", counted("right") == counted("hurt"))


def is_done(out):
    return " done " in " " + (top / out / "journal").read_text(encoding="utf-8").split("\n")[-2]


def interrupted(out, *settings):
    """A run that a signal ends after some seconds."""
    with subprocess.Popen([runs.ltesim, *arguments(out, *settings)], cwd=top, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        while not (top / out / "journal").exists():
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        child.wait()


def check_refused():
    said = runs.attempt("blocks.cfg", "--blocks", "--out", "none", "--only", "deadline").stderr
    claim("the_deadline_has_no_blocks", "--blocks writes the transmissions of a sweep" in said, said)
    (top / "bare.cfg").write_text(SCENARIO.replace('code = { rate = 0.5; transmissions = 4; };\n', ""), encoding="utf-8")
    done = runs.attempt("bare.cfg", "--blocks", "--out", "none")
    claim("no_code_no_blocks", done.returncode == 2 and "sends no transport blocks" in done.stderr, done.stderr)
    settings = (*FAST, "antennas.tx=1", "code.rate=0.1", "sweep.max_slots=4096", "sweep.min_slots=4096")
    interrupted("cut", *settings)
    words = [word for word in arguments("cut", *settings, options=("--resume",)) if word != "--blocks"]
    done = runs.attempt(*words)
    claim("a_run_with_blocks_goes_on_with_blocks", done.returncode == 2 and "--blocks is" in done.stderr, done.stderr)
    part = top / "cut" / "blocks.part"
    whole = part.read_bytes()
    part.write_bytes(whole[:-40])
    done = runs.attempt(*arguments("cut", *settings, options=("--resume",)))
    claim("a_shorter_file_is_refused", done.returncode == 2 and "not what the journal" in done.stderr, done.stderr)
    part.unlink()
    (top / "cut" / "blocks.csv").unlink(missing_ok=True)
    done = runs.attempt(*arguments("cut", *settings, options=("--resume",)))
    claim("no_file_is_refused", done.returncode == 2 and "has no blocks.part" in done.stderr, done.stderr)
    part.write_bytes(whole + b"perfect,zf,8,")  # what a killed run had begun to write
    run("cut", *settings, options=("--resume",))
    claim("what_follows_the_mark_is_not_used", b"perfect,zf,8,p" not in text("cut") and not part.exists())
    run("cut", *settings)
    claim("nothing_but_the_file_is_left", sorted(p.name for p in (top / "cut").iterdir()) ==
          ["bler.csv", "blocks.csv", "groups.csv", "journal", "run.json"])


def main():
    check_counts()
    check_intervals()
    check_information()
    check_going_on()
    check_bytes()
    check_resumed()
    check_joined()
    check_damaged()
    check_refused()
    runs.end()


if __name__ == "__main__":
    main()
