#!/usr/bin/env bash
# The Python package: pip install . into a new virtual environment, and pytest over it.
#
#     tests/python.sh BUILD_DIR LIBRARY_PROBE whole|tests
#
# whole: the wheel that pip makes; tests: one of the program and the library of the tests.
# The environment with numpy, scipy, h5py and pytest is made once, in BUILD_DIR/python.
set -u
build=$(realpath "$1") LTE_LIBRARY_PROBE=$(realpath "$2") LTE_WHEEL=$3
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export LTE_LIBRARY_PROBE LTE_WHEEL PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
skip() {
    echo "skipped: $*"
    exit 77
}
if [ ! -e "$build/python/.made" ]; then
    rm -rf "$build/python"
    python3 -m venv "$build/python" >"$build/python.log" 2>&1 || skip "no virtual environment of python3"
    "$build/python/bin/pip" install numpy scipy h5py pytest >>"$build/python.log" 2>&1 ||
        skip "numpy, scipy, h5py or pytest cannot be had by pip"
    touch "$build/python/.made"
fi
LTE_BUILD=$build "$build/python/bin/pip" install --no-deps --force-reinstall "$here" \
    >"$build/python.log" 2>&1 || {
    cat "$build/python.log"
    exit 1
}
cd "$build" || exit 1 # not among the sources: what is installed is what is tested
program=$build/python/bin
[ "$("$program/ltesim" --version)" = "$("$build/programs/$LTE_WHEEL/ltesim" --version)" ] || {
    echo "the package's program is another one"
    exit 1
}
exec "$program/python" -m pytest -q -p no:cacheprovider "$here/tests/python"
