"""run and read: tables of the program's files, and its refusals as exceptions."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ltesim

FEW = {"only": "ber", "sweep__snr_points": [0, 5.5], "sweep__max_slots": 16}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("run") / "out"


@pytest.fixture(scope="module")
def result(folder):
    return ltesim.run("quick", out=folder, **FEW)


def test_tables_are_those_of_the_files(result, folder):
    with open(folder / "ber.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(result.ber) == list(rows[0])
    for name, column in result.ber.items():
        for value, row in zip(column.tolist(), rows):
            cell = row[name]
            assert value == (cell if isinstance(value, str) else float(cell)) if cell else value != value
    assert result.ber["bit_errors"].dtype == np.int64
    assert result.ber["detector"].tolist() == ["zf", "zf", "mmse", "mmse", "ml", "ml"]
    assert result.ber["snr_db"].tolist() == [0.0, 5.5] * 3
    assert np.all(result.ber["ber_low"] <= result.ber["ber"])
    assert result.info == json.loads((folder / "run.json").read_text())
    assert set(result.tables) == {"ber", "groups", "layers"}
    assert "agrees with theory" in result.text
    with pytest.raises(AttributeError, match="timing"):
        result.timing


def test_a_folder_is_read_again(result, folder):
    again = ltesim.read(folder)
    assert again.ber["bit_errors"].tolist() == result.ber["bit_errors"].tolist()


def test_the_same_counts_without_a_folder(result, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    again = ltesim.run("quick", threads=1, backend="cpu:ref", **FEW)
    assert again.ber["bit_errors"].tolist() == result.ber["bit_errors"].tolist()
    assert not list(tmp_path.iterdir())


def test_a_verdict_is_a_code():
    late = ltesim.run("quick", only="deadline", options=["--require-deadline"],
                      deadline__budget_us=0.01, deadline__slots=10)  # fmt: skip
    assert late.code == 3 and late.info["deadline"]["met"] is False
    assert set(late.tables) >= {"timing", "latency"}


def test_settings_reach_the_scenario():
    result = ltesim.run(
        "quick", only="ber", modulation="qpsk", detectors=["zf", "mmse", {"name": "cg", "iterations": 4}],
        seed=np.int64(3),
        sweep__snr_points=np.array([3.0]), sweep__max_slots=16, deadline__paced=False,
    )  # fmt: skip
    assert result.ber["detector"].tolist() == ["zf", "mmse", "cg-4"]
    scenario = result.info["scenario"]
    assert scenario["modulation"] == "qpsk" and scenario["deadline"]["paced"] is False
    assert result.info["seed"] == 3


@pytest.mark.parametrize("seed", [2**31, 2**62, np.uint64(2**63 - 1)])
def test_seeds_have_64_bits(seed):
    result = ltesim.run("quick", only="ber", seed=seed, sweep__snr_points=[5], sweep__max_slots=16)
    assert result.info["seed"] == seed


@pytest.mark.parametrize(
    "scenario,arguments,exception,reason",
    [
        ("none_such", {}, ValueError, "none_such"),
        ("quick", {"modulation": "32qam"}, ValueError, "256qam"),
        ("quick", {"sweep__max_slot": 3}, ValueError, "did you mean sweep.max_slots"),
        ("quick", {"threads": 0}, ValueError, "--threads"),
        ("quick", {"only": "both"}, ValueError, "--only"),
        ("quick", {"backend": "gpu"}, ValueError, "--backend"),
        ("quick", {"channel": {"model": "epa"}}, ValueError, "channel"),
        ("quick", {"seed": 1j}, TypeError, "complex"),
        ("quick", {"seed": -1}, ValueError, "seed"),
        ("quick", {"seed": 2**63}, ValueError, "64 bits"),
        ("quick", {"seed": float("nan")}, ValueError, "finite"),
        ("quick", {"title": "a\nb"}, ValueError, "title.*one line"),
        ("quick", {"title": "a\0b"}, ValueError, "title.*one line"),
        ("quick\0", {}, ValueError, "scenario.*one line"),
        ("quick", {"out": "a\0b"}, ValueError, "out.*one line"),
        ("quick", {"sweep__snr_points": np.ma.masked_array([1, 2], [0, 1])}, ValueError, "masked"),
        ("quick", {"options": ["--explain"]}, ValueError, "--explain"),
        ("quick", {"options": ["--expl"]}, ValueError, "--explain"),
        ("quick", {"options": ["--replay", "0"]}, ValueError, "--replay"),
        ("quick", {"options": ["--replay=0"]}, ValueError, "--replay"),
        ("quick", {"options": ["--help"]}, ValueError, "--help"),
        ("quick", {"options": ["-h"]}, ValueError, "-h"),
        ("quick", {"options": ["--list"]}, ValueError, "--list"),
        ("quick", {"options": ["-oresult"]}, ValueError, "out="),
        ("quick", {"options": "--verify"}, TypeError, "list"),
        ("--help", {}, ValueError, "scenario"),
        ("quick", {"out": "/proc/none"}, RuntimeError, "none"),
    ],
)
def test_what_the_program_refuses_is_an_exception(scenario, arguments, exception, reason):
    with pytest.raises(exception, match=reason):
        ltesim.run(scenario, **arguments)


def test_results_leave_as_csv_json_and_hdf5(result, folder, tmp_path):
    h5py = pytest.importorskip("h5py")
    result.save(tmp_path / "a.csv")
    with open(tmp_path / "a.csv", newline="") as a, open(folder / "ber.csv", newline="") as b:
        for mine, theirs in zip(csv.DictReader(a), csv.DictReader(b)):
            assert mine.keys() == theirs.keys()
            for name in mine:
                assert mine[name] == theirs[name] or float(mine[name]) == float(theirs[name])
    result.save(tmp_path / "a.json")
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["tables"]["ber"]["bit_errors"] == result.ber["bit_errors"].tolist()
    assert saved["info"] == result.info
    result.save(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert np.array_equal(file["ber/ber"][:], result.ber["ber"], equal_nan=True)
        assert file["ber/detector"].asstr()[:].tolist() == result.ber["detector"].tolist()
    with pytest.raises(ValueError, match=".csv, .json, .h5"):
        result.save(tmp_path / "a.txt")


def test_the_example_runs(tmp_path):
    example = Path(__file__).parents[1] / "examples" / "curve.py"
    done = subprocess.run([sys.executable, example], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.partition("mmse at 10 dB: ")[2].split()[0]) < 0.02
    assert float(done.stdout.split()[-1]) < 1e-4
