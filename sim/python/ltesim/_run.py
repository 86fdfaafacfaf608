"""The program ltesim, run, and its result files as tables of numpy arrays."""

import csv
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ltesim._library import FILES

PROGRAM = FILES / "bin" / "ltesim"
_COUNTS = {"slots", "bits", "bit_errors", "flagged", "layer", "symbol_errors"}


def _column(name, cells):
    """Counts, reals (NaN where a cell is empty), or texts."""
    if name in _COUNTS:
        return np.array([int(cell) for cell in cells], np.int64)
    try:
        return np.array([float(cell or "nan") for cell in cells])
    except ValueError:
        return np.array(cells)


def _table(path):
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    if any(len(row) != len(names) for row in rows):
        raise ValueError(f"{path}: is not a table of {len(names)} columns")
    return {name: _column(name, [row[i] for row in rows]) for i, name in enumerate(names)}


class Result:
    """Tables of a run: `.ber`, `.layers`, `.timing`, ..., each a dict of columns, numpy arrays.

    tables  all of them by name, those of which the run has left a file
    info    run.json, as a dict: the scenario as it was run, version, backend, totals, deadline
    text    what the program printed; empty where a folder was only read
    code    its exit code: 0, or with such options 3, deadline missed, or 4, verification failed
    """

    def __init__(self, tables, info, text="", code=0):
        self.tables, self.info, self.text, self.code = tables, info, text, code

    def __getattr__(self, name):
        try:
            return self.__dict__["tables"][name]
        except KeyError:
            raise AttributeError(f"this run has no table {name}") from None

    def __repr__(self):
        tables = ", ".join(f"{name}: {len(next(iter(t.values())))}" for name, t in self.tables.items())
        return f"<ltesim.Result, rows of {tables}>"

    def save(self, path, table="ber"):
        """One table as .csv, or all tables and info as .json or, with h5py, as .h5."""
        writers = {".csv": self._save_csv, ".json": self._save_json, ".h5": self._save_hdf5}
        ending = Path(path).suffix
        if ending not in writers:
            raise ValueError(f"{path}: must end in {', '.join(writers)}")
        writers[ending](path, table)

    def _save_csv(self, path, table):
        columns = self.tables[table]
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            for row in zip(*(column.tolist() for column in columns.values())):
                writer.writerow("" if value != value else value for value in row)

    def _save_json(self, path, _table):
        tables = {
            name: {key: [None if v != v else v for v in c.tolist()] for key, c in columns.items()}
            for name, columns in self.tables.items()
        }
        Path(path).write_text(json.dumps({"tables": tables, "info": self.info}, indent=1) + "\n")

    def _save_hdf5(self, path, _table):
        import h5py

        with h5py.File(path, "w") as file:
            file.attrs["info"] = json.dumps(self.info)
            for name, columns in self.tables.items():
                for key, column in columns.items():
                    text = column.dtype.kind == "U"
                    file[f"{name}/{key}"] = column.astype("S") if text else column


def read(folder):
    """The Result that a run has left in its folder."""
    folder = Path(folder)
    info = json.loads((folder / "run.json").read_text())
    tables = {path.stem: _table(path) for path in sorted(folder.glob("*.csv"))}
    return Result(tables, info)


def _value(value, inside=False):
    """A setting as --set takes it: libconfig's syntax, texts alone bare."""
    if value is None:
        return "default"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value) if inside else value
    if isinstance(value, (int, np.integer)):
        return str(value)
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, dict):
        return "{ " + "".join(f"{key} = {_value(v, True)}; " for key, v in value.items()) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "(" + ", ".join(_value(one, True) for one in value) + ")"
    raise TypeError(f"a setting is a {type(value).__name__}: must be a string, a number or a list")


def run(scenario, *, only=None, backend=None, threads=None, out=None, options=(), **sets):
    """Runs a scenario, a file or the name of one that comes with ltesim; returns its Result.

    only      "ber" or "deadline"; None: both
    backend   "cpu", "cuda", ...; None: the scenario's
    threads   of the processor; None: all
    out       result folder, which stays; None: one that goes when its tables are read
    options   others of the program, as ["--verify"]
    sets      keys of the scenario, with two underscores for a point: modulation="64qam",
              sweep__snr_points=[5, 20], detectors=["zf", {"name": "cg", "iterations": 4}]; None
              takes a key away

    Raises ValueError for a scenario or setting that the program refuses, RuntimeError where it
    fails, both with its reason.
    """
    command = [str(PROGRAM), str(scenario), "--quiet", "--no-plot", *options]
    for option, value in (("--only", only), ("--backend", backend), ("--threads", threads)):
        command += [] if value is None else [option, str(value)]
    for key, value in sets.items():
        command += ["--set", f"{key.replace('__', '.')}={_value(value)}"]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder) / "result" if out is None else Path(out)
        done = subprocess.run(
            [*command, "--out", str(folder)], capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        if done.returncode not in (0, 3, 4):  # 3, 4: a verdict, with results
            reason = done.stderr.strip() or f"ltesim ended with {done.returncode}"
            raise (ValueError if done.returncode == 2 else RuntimeError)(reason)
        result = read(folder)
    result.text, result.code = done.stdout, done.returncode
    return result
