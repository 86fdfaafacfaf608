"""Result folders: every table of every kind of run is read back as its file has it."""

import csv
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import ltesim
from ltesim import _results

SOURCE = Path(__file__).parents[2]
FEW = {"sweep__snr_points": [5, 10], "sweep__max_slots": 64, "sweep__min_slots": 2, "sweep__min_bit_errors": 4}
NARROW = {"carrier__bandwidth_mhz": 1.4, **FEW}
LIST = {"only": "ber", "code__mcs": [4, 10], **NARROW}
HARQ = {
    "only": "ber", "options": ["--blocks"], "carrier__bandwidth_mhz": 1.4, "sweep__snr_points": [4],
    "code__transmissions": 2, "channel__drop_slots": 96,
    "sweep__max_slots": 192, "sweep__min_slots": 2, "sweep__round_slots": 96,
}  # fmt: skip
RUNS = {
    "hard": ("quick", {"options": ["--verify"], "deadline__slots": 20, "deadline__paced": False, **FEW}),
    "soft": ("quick", {"only": "ber", "output": "llr", **FEW}),
    "harq": ("harq_etu300", HARQ),
    "target": ("quick", {"only": "ber", "sweep__target_ber": 0.05, "sweep__max_slots": 256}),
    "pareto": ("quick", {"options": ["--pareto"], "sweep__target_ber": 0.05, "sweep__max_slots": 256, "deadline__slots": 20,
                         "deadline__paced": False}),
    "list": ("adaptation_5mhz_2x2", LIST),
}


def kinds():
    """The kind of each column of columns.h, by table and name."""
    text = (SOURCE / "sim/report/results/columns.h").read_text().replace("\\\n", " ")
    bodies = dict(re.findall(r"#define (LTE_\w+)\((?:C|T|table|kind|id|name|from|, )+\)(.*)", text))

    def columns(body):
        for of, kind, name in re.findall(r"\b(C|LTE_\w+)\((\w+),[^,()]*,? *(\w*)", body):
            if of == "C" and name:
                yield name, kind
            elif of == "LTE_GROUPS_OF":
                letter = name[-1].lower()
                yield from ((f"{letter}{i}", "COUNT" if letter == "l" else "PARTS") for i in range(16))
            elif of in bodies and of != "LTE_GROUPS_OF":
                yield from columns(bodies[of])

    files = re.findall(r'T\((\w+), \w+, "(\w+)\.csv"', bodies["LTE_TABLES"])
    return {file: dict(columns(bodies[f"LTE_{table}_TABLE"])) for table, file in files}


KINDS = kinds()


@pytest.fixture(scope="module", params=RUNS)
def kept(request, tmp_path_factory):
    """What a run has returned, what its folder gives, and the folder."""
    folder = tmp_path_factory.mktemp(request.param) / "out"
    scenario, arguments = RUNS[request.param]
    return ltesim.run(scenario, out=folder, **arguments), ltesim.read(folder), folder


def same_cell(value, cell):
    if isinstance(value, str):
        return value == cell
    return (value == float(cell)) if cell else value != value


def check_tables(result, folder):
    assert set(result.tables) == {path.stem for path in folder.glob("*.csv")}
    for name, columns in result.tables.items():
        with open(folder / f"{name}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        assert rows and list(columns) == list(rows[0])
        for key, column in columns.items():
            cells = [row[key] for row in rows]
            assert len(column) == len(cells)
            assert all(same_cell(value, cell) for value, cell in zip(column.tolist(), cells)), (name, key)
            kind = KINDS[name][key]
            whole = kind == "COUNT" or kind == "PARTS" and all(cell.isdecimal() for cell in cells)
            assert (column.dtype == np.int64) == whole, (name, key)
            assert not whole or [str(count) for count in column.tolist()] == cells
            if kind in ("EXACT", "REAL", "PARTS") and not whole:
                assert column.dtype == np.float64, (name, key)


def test_every_table_is_that_of_its_file(kept):
    result, again, folder = kept
    for one in (result, again):
        check_tables(one, folder)
        for mcs, of in one.mcs.items():
            check_tables(of, folder / f"mcs_{mcs}")
            assert of.info == json.loads((folder / f"mcs_{mcs}" / "run.json").read_text())
    assert (result.mcs == {}) == (folder / "run.json").exists()


def test_the_runs_have_every_table(tmp_path):
    made = {"ber", "layers", "groups", "rate", "bler", "blocks", "target", "pareto", "timing", "latency", "channel",
            "channel_grid", "envelope"}  # fmt: skip
    assert set(KINDS) == made, "a new table: make a run of RUNS have it"
    assert set(_results.TABLES) == made | {"conformance"}
    for name, columns in KINDS.items():
        assert next(iter(columns)) == _results.TABLES[name]


def test_numbers_as_they_were_set_are_no_counts():
    as_set = {name for columns in KINDS.values() for name, kind in columns.items() if kind == "EXACT"}
    assert as_set <= _results._REALS


def test_a_list_of_mcs_has_a_result_for_each(tmp_path):
    result = ltesim.run("adaptation_5mhz_2x2", **LIST)
    assert list(result.mcs) == [4, 10] and result.folder is None
    assert result.envelope["mcs"].dtype == np.int64 and set(result.envelope["mcs"]) <= {4, 10}
    assert result.mcs[4].bler["blocks"].dtype == np.int64 and result.mcs[4].info["scenario"]["code"]["mcs"] == 4
    with pytest.raises(AttributeError, match=r"\.mcs\[4\]\.bler"):
        result.bler
    result.save(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().startswith("detector,csi,snr_db,mcs,")
    result.save(tmp_path / "a.json")
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["mcs"]["10"]["tables"]["bler"]["wrong"] == result.mcs[10].bler["wrong"].tolist()
    result.mcs[4].save(tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text().startswith("detector,csi,snr_db,snr_db_measured,slots,blocks")
    h5py = pytest.importorskip("h5py")
    result.save(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["mcs_10/bler/wrong"][:].tolist() == result.mcs[10].bler["wrong"].tolist()


def test_counts_of_any_size_are_exact(tmp_path):
    shutil.copytree(ltesim.run("quick", only="ber", out=tmp_path / "a", **FEW).folder, tmp_path / "b")
    path = tmp_path / "b" / "ber.csv"
    head, first, *rest = path.read_text().splitlines()
    cells = dict(zip(head.split(","), first.split(",")))
    cells["bits"], cells["bit_errors"] = str(2**53 + 1), str(2**63 + 1)
    path.write_text("\n".join([head, ",".join(cells.values()), *rest]) + "\n")
    ber = ltesim.read(tmp_path / "b").ber
    assert ber["bits"][0] == 2**53 + 1 and ber["bits"].dtype == np.int64
    assert int(ber["bit_errors"][0]) == 2**63 + 1 and ber["bit_errors"].dtype == np.uint64


def test_no_error_is_nan_with_a_bound():
    ber = ltesim.run("quick", only="ber", sweep__snr_points=[60], sweep__max_slots=16).ber
    assert np.isnan(ber["ber"]).all() and (ber["bit_errors"] == 0).all() and (ber["ber_high"] > 0).all()


@pytest.mark.parametrize("own", ["mine.csv", "envelope.csv", "timing.csv"])
def test_files_of_others_are_not_looked_at(tmp_path, own):
    (tmp_path / own).write_text("subcarrier,gain\n1,2,3\n\n\xff")
    few = {**FEW, "code__rate": 0.5}
    result = ltesim.run("quick", only="ber", out=tmp_path, **few)
    assert set(result.tables) == {"bler", "groups"}
    assert (tmp_path / own).exists()


def test_a_folder_without_a_run_is_said_to_be_one(tmp_path):
    with pytest.raises(FileNotFoundError, match="holds no result"):
        ltesim.read(tmp_path)
    with pytest.raises(ValueError, match="its tables: ber"):
        ltesim.run("quick", only="ber", **FEW).save(tmp_path / "a.csv", "bler")
