#!/usr/bin/env bash
# The test suite once more under AddressSanitizer and UndefinedBehaviorSanitizer, and a run of the
# program under valgrind:
#
#     tests/sanitize.sh BUILD_DIR
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
build=$1/sanitize
passed=0 failed=0 skipped=0

verdict() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $2"
    fi
}

cmake -S . -B "$build" -DLTE_CUDA=OFF -DLTE_SANITIZE=address,undefined \
    -DCMAKE_C_FLAGS_RELEASE="-O1 -g" >/dev/null &&
    make -C "$build" -j"$(nproc)" >/dev/null 2>"$build/build.err"
verdict $? "build with sanitizers: see $build/build.err"
if [ "$failed" -eq 0 ]; then
    # OpenMP keeps its threads; everything else that is not freed is an error
    export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
    (cd "$build" && ctest -LE slow -j"$(nproc)" --output-on-failure --timeout 3600) >"$build/test.log" 2>&1
    verdict $? "tests under the sanitizers: see $build/test.log"
    grep -E 'tests passed|Failed' "$build/test.log"
fi

if command -v valgrind >/dev/null 2>&1; then
    # valgrind knows no AVX-512, so the program runs on the instruction sets that it does know
    for backend in cpu:ref cpu:v3; do
        folder=$(mktemp -d)
        valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
            --show-leak-kinds=definite \
            "$1/ltesim" scenarios/quick.cfg --backend $backend --threads 1 --no-plot --quiet \
            --out "$folder" --set sweep.min_slots=1 --set sweep.max_slots=1 \
            --set sweep.round_slots=1 --set 'carrier.bandwidth_mhz=1.4' --set deadline.slots=2 \
            --set deadline.distinct=2 --set deadline.paced=false >"$folder/log" 2>&1
        verdict $? "$backend under valgrind: $(tail -3 "$folder/log")"
        rm -rf "$folder"
    done
else
    echo "skipped: valgrind is not here"
    skipped=$((skipped + 1))
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
