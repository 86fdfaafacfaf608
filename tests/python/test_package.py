"""What pip is told of the package, and the archive of the sources."""
import importlib.util
import pathlib
import subprocess
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(name="backend")
def _backend():
    place = importlib.util.spec_from_file_location("wheel_of_build", ROOT / "sim/python/wheel_of_build.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def test_metadata_need_no_build(backend, tmp_path, monkeypatch):
    monkeypatch.setattr(backend, "_step", None)  # nothing is called
    info = tmp_path / backend.prepare_metadata_for_build_wheel(tmp_path)
    text = (info / "METADATA").read_text(encoding="utf-8")
    assert "Name: ltesim\n" in text and "Requires-Dist: numpy\n" in text
    assert info.name == f"ltesim-{backend._version()}.dist-info"


def test_sources_are_packed(backend, tmp_path):
    known = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=False)
    if known.returncode != 0:
        with pytest.raises(SystemExit, match="git repository"):
            backend.build_sdist(tmp_path)
        return
    name = backend.build_sdist(tmp_path)
    with tarfile.open(tmp_path / name) as archive:
        names = archive.getnames()
        head = name.removesuffix(".tar.gz")
        assert {f"{head}/{path}" for path in known.stdout.split("\n") if path and (ROOT / path).is_file()} \
            | {f"{head}/PKG-INFO"} == set(names)
        assert len(names) == len(set(names)) and not any(".." in name for name in names)
        launcher = archive.getmember(f"{head}/ltesim")
        assert launcher.mode & 0o111
        text = archive.extractfile(f"{head}/CMakeLists.txt").read()
    assert text == (ROOT / "CMakeLists.txt").read_bytes()


def test_no_repository_is_one_line(backend, tmp_path, monkeypatch):
    monkeypatch.setattr(backend, "SOURCE", tmp_path)
    with pytest.raises(SystemExit, match="git repository"):
        backend.build_sdist(tmp_path)
