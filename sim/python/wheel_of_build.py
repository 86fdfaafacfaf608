"""Makes the Python package: a wheel of sim/python/ltesim and of what cmake --install gives.

The build-backend of pyproject.toml, in the standard library alone. It builds in build/, or
$LTE_BUILD, as ./ltesim does: what is built there already is taken. It packs the whole program
alone, every instruction set and device backend: where ./ltesim has left this machine's program
the rest is built first.
"""

import base64
import hashlib
import io
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PACKAGE = SOURCE / "sim" / "python" / "ltesim"


def _version():
    text = (SOURCE / "CMakeLists.txt").read_text()
    return re.search(r"project\(ltesim VERSION ([0-9.]+)", text).group(1)


def _metadata():
    return {
        "METADATA": "Metadata-Version: 2.1\nName: ltesim\n"
        f"Version: {_version()}\nSummary: LTE MIMO detection: simulated, and as functions\n"
        "Requires-Python: >=3.9\nRequires-Dist: numpy\n"
        "Provides-Extra: files\nRequires-Dist: h5py; extra == 'files'\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: ltesim\nRoot-Is-Purelib: false\n"
        f"Tag: {_tag()}\n",
        "entry_points.txt": "[console_scripts]\nltesim = ltesim.__main__:main\n",
    }


def _tag():
    return "py3-none-" + re.sub("[-.]", "_", sysconfig.get_platform())


def _what_is_built(build):
    """What build/ltesim is as the build has noted it, "here" or "whole"; "nothing": no note."""
    try:
        return (build / "program.txt").read_text().strip() or "nothing"
    except OSError:
        return "nothing"


def _step(*command):
    """Runs a command, which prints its own errors; pip needs no traceback below them."""
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        sys.exit(f"ltesim: {command[0]}: {error.strerror}")
    if code != 0:
        sys.exit(f"ltesim: {' '.join(map(str, command))}: exit code {code}")


def _install(prefix):
    build = Path(os.environ.get("LTE_BUILD", SOURCE / "build"))
    if not (build / "CMakeCache.txt").exists():
        _step("cmake", "-S", SOURCE, "-B", build)
    jobs = str(len(os.sched_getaffinity(0)))
    if os.environ.get("LTE_WHEEL") == "tests":  # their program and library, for tests/python.sh
        _step("cmake", "--build", build, "-j", jobs, "--target", "program_tests", "tests_libltesim")
        for component in ("Unspecified", "tests"):
            _step("cmake", "--install", build, "--strip", "--component", component,
                  "--prefix", prefix)
        return
    _step("cmake", "--build", build, "-j", jobs, "--target", "ltesim", "libltesim")
    if (built := _what_is_built(build)) != "whole":
        sys.exit(f"ltesim: no package was made: {build / 'program.txt'} says {built}, not whole, "
                 f"of {build / 'ltesim'}; build the whole program with cmake --build {build}")
    _step("cmake", "--install", build, "--strip", "--prefix", prefix)


def _files(prefix):
    """The wheel's files: path in it, and where it is now."""
    for path in sorted(PACKAGE.glob("*.py")):
        yield f"ltesim/{path.name}", path
    yield "ltesim/files/bin/ltesim", prefix / "bin" / "ltesim"
    for path in prefix.rglob("libltesim.so.*"):
        if not path.is_symlink():
            yield "ltesim/files/lib/libltesim.so", path
    for path in sorted((prefix / "share" / "ltesim").rglob("*")):
        if path.is_file():
            yield f"ltesim/files/{path.relative_to(prefix)}", path


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"ltesim-{_version()}-{_tag()}.whl"
    info = f"ltesim-{_version()}.dist-info"
    record = []
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder)
        _install(prefix)  # before there is a wheel: a refusal leaves none
        with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

            def put(path, data, mode):
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
                record.append(f"{path},sha256={digest.decode()},{len(data)}")
                entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100000 | mode) << 16
                wheel.writestr(entry, data)

            for path, source in _files(prefix):
                put(path, source.read_bytes(), 0o755 if os.access(source, os.X_OK) else 0o644)
            for path, text in _metadata().items():
                put(f"{info}/{path}", text.encode(), 0o644)
            record.append(f"{info}/RECORD,,")
            wheel.writestr(f"{info}/RECORD", "\n".join(record) + "\n")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks first: without it pip builds all of it to learn the version."""
    info = Path(metadata_directory) / f"ltesim-{_version()}.dist-info"
    info.mkdir()
    for path, text in _metadata().items():
        (info / path).write_text(text)
    return info.name


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows, as they are now."""
    known = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], capture_output=True, check=False)
    if known.returncode != 0:
        sys.exit("ltesim: an archive of the sources is made from their git repository: "
                 + known.stderr.decode(errors="replace").strip().replace("\n", "; "))
    name = f"ltesim-{_version()}"
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:

        def put(path, data, mode):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode, entry.mtime = len(data), mode, 1577836800  # as in a wheel
            archive.addfile(entry, io.BytesIO(data))

        put("PKG-INFO", _metadata()["METADATA"].encode(), 0o644)
        for path in sorted(os.fsdecode(known.stdout).rstrip("\0").split("\0")):
            source = SOURCE / path
            if source.is_file():
                put(path, source.read_bytes(), 0o755 if os.access(source, os.X_OK) else 0o644)
    return f"{name}.tar.gz"
