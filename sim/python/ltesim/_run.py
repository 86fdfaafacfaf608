"""The program ltesim, run: settings as it takes them, its refusals as exceptions."""

import json
import math
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

from ltesim._program import PROGRAM, Interrupts, call
from ltesim._results import read

_VERDICTS = (0, 3, 4)  # exit codes of a run that is whole
_SIGNALS = (129, 130, 143)
_RUNS_NOTHING = ("--explain", "--replay", "--help", "--list", "--version", "-h")


def _text(value, what):
    """A text that is one line."""
    value = os.fsdecode(value)
    if any(ord(character) < 32 or ord(character) == 127 for character in value):
        raise ValueError(f"{what}={value!r}: must be one line, without control characters")
    return value


def _value(value, key, inside=False):
    """A setting as --set takes it: libconfig's syntax, texts alone bare."""
    if value is None:
        return "default"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        value = _text(value, key)
        return json.dumps(value, ensure_ascii=False) if inside else value
    if isinstance(value, (int, np.integer)):
        value = int(value)
        return f"{value}" if -(2**31) <= value < 2**31 else f"{value}L"  # as libconfig has 64 bits
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{key}={value}: must be finite")
        return repr(float(value))
    if isinstance(value, dict):
        return "{ " + "".join(f"{k} = {_value(v, f'{key}.{k}', True)}; " for k, v in value.items()) + "}"
    if np.ma.is_masked(value):
        raise ValueError(f"{key} has masked elements, which a setting cannot have")
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return "(" + ", ".join(_value(one, key, True) for one in value) + ")"
    raise TypeError(f"{key} is a {type(value).__name__}: must be a string, a number or a list")


def _option_of(word, names):
    """The name that a word of options is, or the beginning of, as getopt takes it; else None."""
    word = word.partition("=")[0] if word.startswith("--") else word[:2]
    long = word.startswith("--") and len(word) > 2
    return next((name for name in names if name == word or long and name.startswith(word)), None)


def _checked_options(options):
    """The options as texts, without those that run nothing and the folder, which is out=."""
    if isinstance(options, str):
        raise TypeError(f"options is a string: must be a list, as [{options!r}]")
    options = [_text(str(option), "options") for option in options]
    for option in options:
        if name := _option_of(option, _RUNS_NOTHING):
            raise ValueError(f"options: {name} leaves no results: call the program ltesim for it")
        if name := _option_of(option, ("--out", "-o")):
            raise ValueError(f"options: {name}: the folder is the argument out=")
    return options


def _command(scenario, only, backend, threads, options, sets):
    scenario = _text(str(scenario), "scenario")
    if scenario.startswith("-") or not scenario:
        raise ValueError(f"scenario={scenario!r}: must be a file, or the name of one")
    command = [str(PROGRAM), scenario, "--no-plot", *options]
    for option, value in (("--only", only), ("--backend", backend), ("--threads", threads)):
        command += [] if value is None else [option, _text(str(value), option[2:])]
    for key, value in sets.items():
        key = _text(key, "a key").replace("__", ".")
        command += ["--set", f"{key}={_value(value, key)}"]
    return command


def _has_begun(folder):
    """True if there is something that --resume can go on with, in it or in the folder of an MCS."""
    return (folder / "journal").exists() or any(folder.glob("*/journal"))


def _saved(folder):
    """The files that a run may have saved, and which they are."""
    names = ("journal", "run.json", "*.csv", "*/journal", "*/run.json", "*/*.csv")
    found = {path: path.stat() for name in names for path in folder.glob(name) if path.is_file()}
    return {path: (one.st_ino, one.st_mtime_ns) for path, one in found.items()}


def _failure(code, said):
    """The exception of a run that did not end well."""
    lines = [line for line in said if line.startswith("ltesim: ")] or said
    reason = "".join(lines).strip() or f"ltesim ended with {code}"
    if code in _SIGNALS or code < 0:
        reason = f"ltesim was ended by signal {-code if code < 0 else code - 128}"
    return (ValueError if code == 2 else RuntimeError)(reason)


def _keep(failure, folder):
    """Tells with an exception where the results until then are."""
    failure.folder = str(folder)
    note = f"the results until then are in {folder}; out={str(folder)!r}, resume=True goes on with them"
    if hasattr(failure, "add_note"):  # Python 3.11
        failure.add_note(note)
    elif not isinstance(failure, OSError):
        failure.args = ("\n".join([*map(str, failure.args), note]),)


def _run(command, folder, resume, progress, interrupts):
    """The Result of a run in a folder; None after an interrupt."""
    if resume and _has_begun(folder):
        command = [*command, "--resume"]
    if not progress:
        command = [*command, "--quiet"]
    code, printed, said = call([*command, "--out", str(folder)], interrupts, progress)
    if interrupts.count:
        return None
    if code not in _VERDICTS:
        raise _failure(code, said)
    result = read(folder)
    result.text, result.code = printed, code
    return result


def run(scenario, *, only=None, backend=None, threads=None, out=None, resume=False, progress=False,
        options=(), **sets):  # fmt: skip
    """Runs a scenario, a file or the name of one that comes with ltesim; returns its Result.

    only      "ber" or "deadline"; None: both
    backend   "cpu", "cuda", ...; None: the scenario's
    threads   of the processor; None: all
    out       result folder, which stays; None: one that goes when its tables are read
    resume    True: goes on with the interrupted run in the folder out, or begins where it had not
              saved anything yet; a run that is whole is only read
    progress  True: the program's lines of progress and its warnings go to sys.stderr
    options   others of the program, as ["--verify"]
    sets      keys of the scenario, with two underscores for a point: modulation="64qam",
              sweep__snr_points=[5, 20], detectors=["zf", {"name": "cg", "iterations": 4}],
              seed=2**62; None takes a key away

    Raises ValueError for a scenario or setting that the program refuses, RuntimeError where it
    fails, both with its reason.

    Whatever ends a run early, KeyboardInterrupt too, the program first saves what it has counted.
    The folder, a temporary one too, then stays, and the exception has its name: attribute `folder`,
    None if nothing was saved, and a note. A second KeyboardInterrupt does not wait for the program
    to save; at most its last second is then counted again by resume=True.
    """
    options = _checked_options(options)
    resume = resume or any(_option_of(option, ("--resume",)) for option in options)
    if resume and out is None:
        raise ValueError("resume=True needs out=, the folder of the run that was interrupted")
    options = [option for option in options if not _option_of(option, ("--resume",))]
    command = _command(scenario, only, backend, threads, options, sets)
    out = None if out is None else Path(_text(out, "out"))
    with Interrupts() as interrupts:
        temporary = Path(tempfile.mkdtemp(prefix="ltesim-")) if out is None else None
        folder = out or temporary / "result"
        before = _saved(folder)
        try:
            result = _run(command, folder, resume, progress, interrupts)
            interrupts.deliver()
        except BaseException as failure:
            failure.folder = None
            if _saved(folder) != before:
                _keep(failure, folder)
            elif temporary:
                shutil.rmtree(temporary, ignore_errors=True)
            raise
        if temporary:
            result.folder = None
            shutil.rmtree(temporary, ignore_errors=True)
        try:
            interrupts.deliver()
        except BaseException as failure:  # while the folder went
            failure.result = result
            raise
    return result
