"""Interrupts of run: whatever ends it, the folder stays, is named, and is gone on with."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ltesim

LONG = {"only": "ber", "sweep__snr_points": [5, 10], "sweep__min_slots": 2**22, "sweep__max_slots": 2**22,
        "sweep__max_seconds": 30.0}  # fmt: skip
SLOTS = {"sweep__min_slots": 2048, "sweep__max_slots": 2048}
RUNS = {
    "uncoded": ("quick", {"only": "ber", "threads": 1, "sweep__snr_points": [5, 10], **SLOTS}),
    "coded": ("quick", {"only": "ber", "threads": 1, "options": ["--blocks"], "carrier__bandwidth_mhz": 1.4,
                        "code__rate": 0.5, "sweep__snr_points": [6, 9], "sweep__min_slots": 512,
                        "sweep__max_slots": 512}),
    "list": ("adaptation_5mhz_2x2", {"only": "ber", "threads": 1, "code__mcs": [4, 10],
                                     "carrier__bandwidth_mhz": 1.4, "sweep__snr_points": [5, 10],
                                     "sweep__min_slots": 256, "sweep__max_slots": 256}),
}  # fmt: skip


def interrupted(delay, *arguments, **keys):
    """run with an interrupt after so many seconds; its Result, or None after KeyboardInterrupt."""
    timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        try:
            result = ltesim.run(*arguments, **keys)
        finally:
            timer.cancel()
            timer.join()
            time.sleep(0)  # an interrupt that came just now is raised here
        return result
    except KeyboardInterrupt:
        return None


def same(a, b):
    assert set(a.tables) == set(b.tables) and set(a.mcs) == set(b.mcs)
    for name, columns in a.tables.items():
        assert list(columns) == list(b.tables[name])
        for key, column in columns.items():
            other = b.tables[name][key]
            equal = np.array_equal(column, other, equal_nan=column.dtype.kind == "f")
            assert key == "seconds" or equal, (name, key)
    for mcs, one in a.mcs.items():
        same(one, b.mcs[mcs])


@pytest.mark.parametrize("kind,least", [("uncoded", 20), ("coded", 20), ("list", 15)])
def test_interrupts_at_random_moments_lose_nothing(tmp_path, kind, least):
    scenario, keys = RUNS[kind]
    start = time.monotonic()
    whole = ltesim.run(scenario, out=tmp_path / "whole", **keys)
    took = time.monotonic() - start
    draw, count, resumed = random.Random(5), 0, 0
    for turn in range(100):
        out = tmp_path / str(turn)
        for step in range(30):
            # now and then before the program has begun, saved or even started
            delay = took * draw.choice([draw.random(), 0.1 * draw.random()])
            resumed += (out / "journal").exists() or any(out.glob("*/journal"))
            if interrupted(delay, scenario, out=out, resume=True, **keys) is not None:
                break
            count += 1
        same(whole, ltesim.run(scenario, out=out, resume=True, **keys))
        shutil.rmtree(out)
        if count >= least:
            break
    assert count >= least and resumed > 5


def test_a_temporary_folder_stays_and_is_named():
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as caught:
        ltesim.run("quick", **LONG)
    assert time.monotonic() - start < 20
    folder = Path(caught.value.folder)
    try:
        kept = ltesim.read(folder)
        assert kept.ber["status"][0] == "interrupted" and kept.ber["slots"][0] > 0
        if hasattr(caught.value, "__notes__"):
            assert str(folder) in caught.value.__notes__[0] and "resume=True" in caught.value.__notes__[0]
        assert not list(folder.glob(".ltesim-*"))
    finally:
        shutil.rmtree(folder.parent)


def test_an_interrupt_while_the_program_is_started_ends_it(tmp_path, monkeypatch):
    started = []

    class Popen(subprocess.Popen):
        def __init__(self, *arguments, **keys):
            super().__init__(*arguments, **keys)
            started.append(self)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)  # run does not have it yet

    start = time.monotonic()
    monkeypatch.setattr("ltesim._program.subprocess.Popen", Popen)
    with pytest.raises(KeyboardInterrupt):
        ltesim.run("quick", out=tmp_path / "out", **LONG)
    assert started[0].poll() is not None and time.monotonic() - start < 20


def test_any_exception_stops_the_program_and_keeps_the_folder(tmp_path):
    class Late(Exception):
        pass

    def late(number, frame):
        raise Late

    before, start = signal.signal(signal.SIGALRM, late), time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        with pytest.raises(Late) as caught:
            ltesim.run("quick", out=tmp_path / "out", **LONG)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 20
    assert caught.value.folder == str(tmp_path / "out")
    slots = ltesim.read(tmp_path / "out").ber["slots"]
    assert slots[0] > 0
    assert not list((tmp_path / "out").glob(".ltesim-*")), "the program goes on"


def test_a_program_that_was_ended_by_others_has_a_folder_too(tmp_path):
    def end():
        while not (tmp_path / "out" / "journal").exists():
            time.sleep(0.05)
        for path in Path("/proc").glob("[0-9]*/stat"):
            name, _, rest = path.read_text().partition(") ")
            if name.endswith("(ltesim") and rest.split()[1] == str(os.getpid()):
                os.kill(int(path.parent.name), signal.SIGTERM)

    thread = threading.Thread(target=end)
    thread.start()
    with pytest.raises(RuntimeError, match="signal 15") as caught:
        ltesim.run("quick", out=tmp_path / "out", **LONG)
    thread.join()
    assert caught.value.folder == str(tmp_path / "out")


def test_a_refusal_names_no_folder(tmp_path):
    ltesim.run("quick", only="ber", out=tmp_path, sweep__snr_points=[5], sweep__max_slots=16)
    with pytest.raises(ValueError) as caught:
        ltesim.run("quick", modulation="32qam", out=tmp_path)
    assert caught.value.folder is None and "results until then" not in str(caught.value)
    with pytest.raises(ValueError, match="needs out="):
        ltesim.run("quick", resume=True)
    with pytest.raises(ValueError, match="seed"):
        ltesim.run("quick", only="ber", out=tmp_path, options=["--resume"], seed=9,
                   sweep__snr_points=[5], sweep__max_slots=16)  # fmt: skip


def test_an_interrupt_of_a_terminal_reaches_both(tmp_path):
    """Its whole process group has SIGINT, the program from the terminal, and Python."""
    code = f"""
        import json, ltesim
        try:
            ltesim.run("quick", out={str(tmp_path / "out")!r}, **json.loads({json.dumps(json.dumps(LONG))}))
        except KeyboardInterrupt as failure:
            print(failure.folder)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE,
                               text=True, start_new_session=True)  # fmt: skip
    while not (tmp_path / "out" / "journal").exists():
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[0].strip() == str(tmp_path / "out")
    assert ltesim.read(tmp_path / "out").ber["slots"][0] > 0


def test_progress_is_handed_on(capsys):
    ltesim.run("quick", progress=True, **{**LONG, "sweep__max_seconds": 6.0})
    said = capsys.readouterr().err.splitlines()
    assert any(line.startswith("sweep 1/2 ") or line.startswith("sweep 2/2 ") for line in said)
    ltesim.run("quick", only="ber", sweep__snr_points=[5], sweep__max_slots=16)
    assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="256qam"):
        ltesim.run("quick", progress=True, modulation="32qam")
