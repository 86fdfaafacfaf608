"""Result files as tables of numpy arrays, and a run's folder as a Result."""

import csv
import json
import re
from pathlib import Path

import numpy as np

# The tables of the program, each with the first column of its file: a file of another program
# that has the name of one is left alone, as the program does it.
TABLES = dict.fromkeys(
    ("ber", "bler", "envelope", "conformance", "layers", "groups", "rate", "blocks", "target",
     "pareto", "timing", "latency", "channel", "channel_grid"), "detector",
)  # fmt: skip
TABLES |= {"conformance": "bandwidth_mhz", "blocks": "csi", "latency": "quantile"}
TABLES |= {"channel": "property", "channel_grid": "time_ms"}

# Counts are the columns whose cells have digits alone: reals have an exponent. But for these,
# which are written as they were set, and may be whole by chance; -1, 0, 1 or none; and a text of
# integers.
_REALS = {"snr_db", "target_ber", "target_throughput", "target_rate", "bandwidth_mhz", "doppler_hz", "required_db"}
_REALS |= {"required_share", "llr_scale_bound"}
_TEXTS = {"information"}


def _column(name, cells):
    """Counts, reals (NaN where a cell is empty), or texts."""
    if name not in _REALS | _TEXTS and cells and all(cell.isdecimal() for cell in cells):
        counts = [int(cell) for cell in cells]
        return np.array(counts, np.int64 if max(counts) < 2**63 else np.uint64)
    try:
        if name not in _TEXTS:
            return np.array([float(cell or "nan") for cell in cells])
    except ValueError:
        pass
    return np.array(cells)


def _table(path):
    """The columns of a table by their names; None where its first line is that of another file."""
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        names, *rows = list(csv.reader(file)) or [[]]
    if names[:1] != [TABLES[path.stem]]:
        return None
    if any(len(row) != len(names) for row in rows):
        raise ValueError(f"{path}: is not a table of {len(names)} columns")
    return {name: _column(name, [row[i] for row in rows]) for i, name in enumerate(names)}


class Result:
    """Tables of a run: `.ber`, `.layers`, `.timing`, ..., each a dict of columns, numpy arrays.

    Counts are integers. A cell that the program has left empty is NaN: a rate such as `ber` or
    `bler` without an error is, and `ber_high`, `bler_high` is then its bound.

    tables  all of them by name, those of which the run has left a file
    mcs     of a run with a list of MCS the Result of each, by its MCS: `.mcs[4].bler`; the list
            itself has the table `.envelope`. {} for any other run
    info    run.json, as a dict: the scenario as it was run, version, backend, totals, deadline;
            {} where there are only those of each MCS
    folder  where the files are; None where they were in a temporary folder, which is gone
    text    what the program printed; empty where a folder was only read
    code    its exit code: 0, or with such options 3, deadline missed, or 4, verification failed
    """

    def __init__(self, tables, info, text="", code=0, mcs=None, folder=None):
        self.tables, self.info, self.text, self.code = tables, info, text, code
        self.mcs, self.folder = mcs or {}, folder

    def __getattr__(self, name):
        tables, mcs = self.__dict__.get("tables", {}), self.__dict__.get("mcs", {})
        if name in tables:
            return tables[name]
        there = next((f"; that of one MCS is .mcs[{m}].{name}" for m in mcs if name in mcs[m].tables), "")
        raise AttributeError(f"this run has no table {name}{there}")

    def __repr__(self):
        tables = ", ".join(f"{name}: {len(next(iter(t.values())))}" for name, t in self.tables.items())
        mcs = f", of MCS {', '.join(map(str, self.mcs))}" if self.mcs else ""
        return f"<ltesim.Result, rows of {tables}{mcs}>"

    def save(self, path, table=None):
        """One table as .csv, or all tables and info as .json or, with h5py, as .h5.

        table  of a .csv; None: the first one that there is of ber, bler, envelope and the others.
        """
        writers = {".csv": self._save_csv, ".json": self._save_json, ".h5": self._save_hdf5}
        ending = Path(path).suffix
        if ending not in writers:
            raise ValueError(f"{path}: must end in {', '.join(writers)}")
        if table is None:
            table = next((name for name in TABLES if name in self.tables), None)
        if ending == ".csv" and table not in self.tables:
            raise ValueError(f"this run has no table {table}; its tables: {', '.join(self.tables)}")
        writers[ending](path, table)

    def _save_csv(self, path, table):
        columns = self.tables[table]
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            for row in zip(*(column.tolist() for column in columns.values())):
                writer.writerow("" if value != value else value for value in row)

    def _plain(self):
        """All as JSON has it."""
        tables = {
            name: {key: [None if v != v else v for v in c.tolist()] for key, c in columns.items()}
            for name, columns in self.tables.items()
        }
        mcs = {"mcs": {str(m): one._plain() for m, one in self.mcs.items()}} if self.mcs else {}
        return {"tables": tables, "info": self.info, **mcs}

    def _save_json(self, path, _table):
        Path(path).write_text(json.dumps(self._plain(), indent=1) + "\n")

    def _put(self, group):
        group.attrs["info"] = json.dumps(self.info)
        for name, columns in self.tables.items():
            for key, column in columns.items():
                text = column.dtype.kind == "U"
                group[f"{name}/{key}"] = column.astype("S") if text else column
        for mcs, one in self.mcs.items():
            one._put(group.create_group(f"mcs_{mcs}"))

    def _save_hdf5(self, path, _table):
        import h5py

        with h5py.File(path, "w") as file:
            self._put(file)


def _mcs_of(folder):
    """The folders of a list of MCS that hold a run, by MCS."""
    named = ((re.fullmatch("mcs_([0-9]+)", path.name), path) for path in folder.glob("mcs_*"))
    found = {int(name[1]): path for name, path in named if name and (path / "run.json").is_file()}
    return {mcs: found[mcs] for mcs in sorted(found)}


def read(folder):
    """The Result that a run has left in its folder; of a list of MCS that of all its folders.

    Raises FileNotFoundError where there is none. Files that are not of the program are not looked
    at.
    """
    folder = Path(folder)
    info, mcs = {}, {}
    if (folder / "run.json").is_file():
        info = json.loads((folder / "run.json").read_text())
    else:
        mcs = {number: read(path) for number, path in _mcs_of(folder).items()}
    files = {name: folder / f"{name}.csv" for name in sorted(TABLES)}
    tables = {name: _table(path) for name, path in files.items() if path.is_file()}
    tables = {name: table for name, table in tables.items() if table is not None}
    if not info and not mcs and "conformance" not in tables:
        raise FileNotFoundError(f"{folder}: holds no result: there is no run.json")
    return Result(tables, info, mcs=mcs, folder=folder)
