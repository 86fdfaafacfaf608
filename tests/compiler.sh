#!/usr/bin/env bash
# What another compiler makes of the sources counts and computes the same:
#
#     tests/compiler.sh BUILD_DIR COMPILER O1     at a level of optimisation: counts as stored, with
#                                                 the tables of stages that this processor has
#     tests/compiler.sh BUILD_DIR COMPILER fma    with fmaf an instruction in all code, not only in
#                                                 the tables that ask for it: inverters and stages
#                                                 keep to their bits, to the sign of a zero
#
# Its build lies in BUILD_DIR/compilers/ and is kept for the next time; BUILD_DIR itself is taken
# where compiler and level are its own. Exit 77 (skipped) where compiler or processor are missing.
set -u
[ $# -eq 3 ] || { echo "usage: tests/compiler.sh BUILD_DIR COMPILER O1|O2|O3|fma" >&2; exit 2; }
build=$(realpath -e "$1") || exit 2
compiler=$2 way=$3
folder=$build/compilers/$compiler-$way
source=$(realpath "$(dirname "$0")/..")
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
passed=0 failed=0

skip() { echo "skipped: $1"; exit 77; }

# verdict CODE WHAT: of what $top/log tells.
verdict() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$compiler $way: $2"
        tail -40 "$top/log" | sed 's/^/    /'
    fi
}

# setting NAME: what the build was configured with.
setting() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# makes TARGET CMAKE_OPTION ...: its build, of no more than the targets.
makes() {
    local targets=$1
    shift
    # shellcheck disable=SC2086 # targets are words
    { cmake -S "$source" -B "$folder" -DLTE_CUDA=OFF -DCMAKE_C_COMPILER="$compiler" "$@" &&
        cmake --build "$folder" --target $targets; } >"$top/log" 2>&1
}

# backends: the CPU's, those that run here, slowest first.
backends() { "$source/tests/lib/listed.py" "$1" usable cpu; }

# counted: those whose golden counts are taken. The slowest, at one level alone: there each fmaf
# may be a call, and takes as long at any level.
counted() {
    if [ "$way" = O2 ] || [ "$(backends "$1" | wc -l)" -eq 1 ]; then
        backends "$1"
    else
        backends "$1" | tail -n +2
    fi
}

command -v "$compiler" >/dev/null || skip "no $compiler"
echo 'int main(void) { return 0; }' |
    "$compiler" -fopenmp -x c - -o "$top/openmp" >"$top/log" 2>&1 || skip "$compiler has no OpenMP"

if [ "$way" = fma ]; then
    backends "$build/programs/tests/ltesim" | grep -qx cpu:v3 || skip "no x86-64-v3 here"
    makes "test_invert test_stages test_stage_formulas test_stage_edges" -DCMAKE_C_FLAGS=-march=x86-64-v3 \
        -DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG"
    verdict $? "does not build"
    [ "$failed" -eq 0 ] && for name in invert stages stage_formulas stage_edges; do
        "$folder/tests/test_$name" >"$top/log" 2>&1
        verdict $? "test_$name"
    done
else
    flags="-$way -DNDEBUG"
    if [ "$(realpath "$(command -v "$compiler")")" = "$(realpath "$(setting CMAKE_C_COMPILER)")" ] &&
        [ "$(setting CMAKE_BUILD_TYPE) $(setting CMAKE_C_FLAGS_RELEASE)" = "Release $flags" ]; then
        folder=$build
    else
        makes program_tests -DCMAKE_C_FLAGS_RELEASE="$flags"
        verdict $? "does not build"
    fi
    mapfile -t backends < <([ "$failed" -ne 0 ] || counted "$folder/programs/tests/ltesim")
    echo "none is listed" >"$top/list"
    [ "$failed" -ne 0 ] || [ ${#backends[@]} -gt 0 ] || verdict 1 "no backend is usable"
    for backend in ${backends[@]+"${backends[@]}"}; do
        "$source/tests/cli/golden.sh" check "$folder/programs/tests/ltesim" "$backend" >"$top/log" 2>&1
        verdict $? "$backend: other counts than tests/golden/counts.csv"
    done
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
