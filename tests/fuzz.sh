#!/usr/bin/env bash
# Bytes that nobody thought of, as scenarios, settings and journals:
#
#     tests/fuzz.sh BUILD_DIR [SECONDS [TARGET ...]]
#
# Each target of tests/fuzz runs for so long (10 s unless told), from what tests/fuzz/corpus has of it.
# What is found new is kept in BUILD_DIR/fuzz/corpus, what fails in BUILD_DIR/fuzz. Files of channels
# are not among them: damaged at random, they fail in libhdf5 itself (1.10.8 uses memory that it has
# freed), for which ltesim reads them in a process of its own: tests/cli/odd_channels.py. Exit 77 (skipped)
# where there is no clang with libFuzzer.
set -u
build=$(realpath -e "$1")/fuzz || exit 2
seconds=${2:-10}
source=$(realpath "$(dirname "$0")/..")
[ $# -gt 2 ] && targets=("${@:3}") || targets=(scenario set journal)
mkdir -p "$build" || exit 1
log=$build/build.log

echo 'int LLVMFuzzerTestOneInput(const void *x, unsigned long n) { return x && n ? 0 : 0; }' |
    clang -fsanitize=fuzzer,address -fopenmp -x c - -o "$build/probe" >"$log" 2>&1 || {
    echo "skipped: no clang with libFuzzer and OpenMP"
    exit 77
}
: >"$build/here.txt" # of instruction sets the plain one alone: no bytes of users are read by them
{ cmake -S "$source" -B "$build" -DLTE_CUDA=OFF -DCMAKE_C_COMPILER=clang -DLTE_FUZZ=ON \
    -DCMAKE_C_FLAGS_RELEASE=-O1 &&
    cmake --build "$build" --target fuzzers; } >"$log" 2>&1 || {
    tail -40 "$log"
    echo "the build with libFuzzer failed"
    exit 1
}
failed=0
for target in "${targets[@]}"; do
    corpus=$build/corpus/$target seeds=()
    [ "$target" = scenario ] && seeds=("$source/scenarios")
    mkdir -p "$corpus"
    tar -xJf "$source/tests/fuzz/corpus/$target.tar.xz" -C "$corpus" || exit 1
    # one input takes at most 10 s and 1 GB; the same inputs are tried each time, as far as time lets
    if (cd "$build" && "./tests/fuzz/fuzz_$target" -max_total_time="$seconds" -seed=1 -max_len=16384 \
        -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 "$corpus" "${seeds[@]}") \
        >"$build/$target.log" 2>&1; then
        sed -n "s/^stat::number_of_executed_units: */$target: inputs: /p" "$build/$target.log"
    else
        failed=$((failed + 1))
        echo "$target failed:"
        tail -40 "$build/$target.log"
    fi
done
[ "$failed" -eq 0 ]
