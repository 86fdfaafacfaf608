#!/usr/bin/env bash
# What an Arm processor, emulated by qemu, counts and computes is the same:
#
#     tests/aarch64.sh BUILD_DIR
#
# Its build (aarch64.cmake) lies in BUILD_DIR/aarch64 and is kept for the next time; arm64 libraries
# are where tests/run --all unpacks them, in BUILD_DIR/aarch64/root. Exit 77 (skipped) where these,
# the compiler or qemu are missing.
set -u
[ $# -eq 1 ] || { echo "usage: tests/aarch64.sh BUILD_DIR" >&2; exit 2; }
folder=$(realpath -e "$1")/aarch64 || exit 2
root=$folder/root
source=$(realpath "$(dirname "$0")/..")
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
passed=0 failed=0

# Left out: what is of no processor, and what takes minutes each when emulated. The golden counts go
# through all stages, inverters and products.
units=(philox qam coding turbo detectors iterating layouts pool backend scenario scenario_whole options)

skip() { echo "skipped: $1"; exit 77; }

# verdict CODE WHAT: of what $top/log tells.
verdict() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "aarch64: $2"
        tail -40 "$top/log" | sed 's/^/    /'
    fi
}

# lists: the backends that run here are these, and auto takes the last.
lists() {
    "$source/tests/lib/listed.py" "$top/ltesim" usable cpu >"$top/log" 2>&1 &&
        [ "$(paste -sd ' ' "$top/log")" = "cpu:ref cpu:neon" ] &&
        "$top/ltesim" "$source/scenarios/quick.cfg" --explain >"$top/log" 2>&1 &&
        grep -q '^backend *cpu:neon,' "$top/log"
}

for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v "$tool" >/dev/null || skip "no $tool"
done
[ -d "$root" ] || skip "no arm64 libraries in $root: ./tests/run --all fetches them"

{ cmake -S "$source" -B "$folder" -DLTE_CUDA=OFF -DLTE_MPI=OFF -DLTE_AARCH64_ROOT="$root" \
    -DCMAKE_TOOLCHAIN_FILE="$source/tests/aarch64.cmake" &&
    cmake --build "$folder" -j2 --target program_tests "${units[@]/#/test_}"; } >"$top/log" 2>&1
verdict $? "does not build"
if [ "$failed" -eq 0 ]; then
    # what stands for the program elsewhere is one command
    printf '#!/bin/bash\nexec qemu-aarch64 -L %q %q "$@"\n' "$root" "$folder/programs/tests/ltesim" >"$top/ltesim"
    chmod +x "$top/ltesim"
    lists
    verdict $? "other backends than cpu:ref and cpu:neon, or auto does not take the second"
    for name in "${units[@]}"; do
        LTE_TEST_SHORT=1 ctest --test-dir "$folder" --no-tests=error --output-on-failure -R "^$name\$" \
            >"$top/log" 2>&1
        verdict $? "test_$name"
    done
    "$source/tests/cli/golden.sh" check "$top/ltesim" cpu:neon >"$top/log" 2>&1
    verdict $? "other counts than tests/golden/counts.csv"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
