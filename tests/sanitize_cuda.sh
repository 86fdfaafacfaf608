#!/usr/bin/env bash
# The gpu unit tests under the four tools of compute-sanitizer:
#
#     tests/sanitize_cuda.sh BINARY TEST ...
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/device.sh
. "$here/device.sh"
need_device "$1"
command -v compute-sanitizer >/dev/null 2>&1 || {
    echo "skipped: compute-sanitizer is not here"
    exit 77
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0
export LTE_TEST_SMALL=1
# run_tool TOOL TEST
run_tool() {
    local tool=$1 test=$2 code options=()
    # refused calls are part of the tests
    [ "$tool" = memcheck ] && options=(--report-api-errors no)
    # racecheck waits for each kernel to end; the one that stays runs the code of those that do not
    # it also counts a barrier of some of a block's threads for the others, and then sees races
    # across whole barriers (tests/bench/results/README.md): lu_kernel beyond order 32
    [ "$tool" = racecheck ] && export LTE_TEST_NO_PERSISTENT=1 &&
        options=(--kernel-name-exclude 'regex=lu_kernel.*shapeILi(64|128)E')
    compute-sanitizer --tool "$tool" "${options[@]}" --error-exitcode 9 "$test" >"$log" 2>&1
    code=$?
    unset LTE_TEST_NO_PERSISTENT
    if [ "$code" -eq 0 ] && grep -q 'ERROR SUMMARY: 0 errors\|RACECHECK SUMMARY: 0 hazards' "$log"; then
        passed=$((passed + 1))
        echo "$tool, ${test##*/}: clean"
    else
        failed=$((failed + 1))
        echo "$tool, ${test##*/}: exit code $code"
        grep -vE ' OK |RUN ' "$log" | head -40
    fi
}

for tool in memcheck racecheck initcheck synccheck; do
    for test in "${@:2}"; do
        run_tool "$tool" "$test"
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
