#!/usr/bin/env bash
# A program with every instruction set in it, on an emulated processor that ends at AVX2:
#
#     tests/haswell.sh BUILD_DIR
#
# Its build lies in BUILD_DIR/haswell and is kept for the next time. What cpu:v3 counts there is what plain
# loops count on this processor. Exit 77 (skipped) without qemu-x86_64, on other architectures and where
# qemu emulates no AVX2.
set -u
[ $# -eq 1 ] || { echo "usage: tests/haswell.sh BUILD_DIR" >&2; exit 2; }
build=$(realpath -e "$1")/haswell || exit 2
source=$(realpath "$(dirname "$0")/..")
# shellcheck source=tests/lib/claim.sh
. "$source/tests/lib/claim.sh"
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$HOSTTYPE" = x86_64 ] || skip "this is no x86-64"
command -v qemu-x86_64 >/dev/null || skip "no qemu-x86_64"
unset LTE_PRETEND_LEVEL
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
passed=0 failed=0

# emulated NAME PROGRAM: a script that runs the program so. qemu warns of features of Haswell that it lacks.
emulated() {
    printf '#!/bin/bash\nexec qemu-x86_64 -cpu Haswell %q "$@" 2> >(grep -v "^qemu-x86_64: warning: " >&2)\n' \
        "$2" >"$1"
    chmod +x "$1"
}
mkdir -p "$build" && printf '%s\n' v3 v4 >"$build/here.txt" || exit 1 # whatever this processor has
{ cmake -S "$source" -B "$build" -DLTE_CUDA=OFF -DLTE_MPI=OFF &&
    cmake --build "$build" -j2 --target program_tests example_detect_slot; } >log 2>&1 || {
    tail -40 log
    exit 1
}
program=$build/programs/tests/ltesim detect=$build/tests/examples/detect_slot
emulated ltesim "$program"
emulated detect "$detect"
cat >small.cfg <<'END'
# Small
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 4; rx = 4; };
modulation = "16qam";
detectors  = ( "zf", "mmse", "kbest" );
sweep      = { snr_points = ( 15.0 ); min_slots = 8; max_slots = 8; round_slots = 8; };
backend    = "cpu";
END

# sets PROGRAM KIND: the backends of a kind on processors, in a line.
sets() { "$source/tests/lib/listed.py" "$1" "$2" ${3:+"$3"} | paste -sd ' '; }
# run NAME PROGRAM OPTION...: a sweep.
run() { "$2" small.cfg --only ber --no-plot --quiet --threads 2 --out "$1" "${@:3}" >log 2>&1 </dev/null; }
# fails CODE COMMAND...: it ends so, not by a signal.
fails() {
    local code=0
    "${@:2}" || code=$?
    [ "$code" -eq "$1" ] || { echo "exit $code"; cat log; return 1; }
}
backend_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["backend"])' "$1/run.json"; }

usable=$(sets ./ltesim usable cpu)
[ "$usable" != cpu:ref ] || skip "this qemu emulates no AVX2"
claim the_program_has_more_than_that_processor [ "$(sets ./ltesim unusable)" = cpu:v4 ]
claim it_ends_at_avx2 [ "$usable" = "cpu:ref cpu:v3" ]
claim a_sweep_runs_there run there ./ltesim
claim by_its_best [ "$(backend_of there)" = cpu:v3 ]
claim the_next_set_is_refused fails 1 run none ./ltesim --backend cpu:v4
claim plain_loops_run_there run plain ./ltesim --backend cpu:ref
claim and_count_the_same same_counts plain there
claim this_processor_counts run here "$program" --backend cpu:ref
claim the_same same_counts here there
claim detect_runs_there ./detect
claim as_it_does_here cmp <(./detect) <("$detect")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
