#!/usr/bin/env bash
# The gpu unit tests under the four tools of compute-sanitizer:
#
#     tests/sanitize_cuda.sh BINARY TEST
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
for tool in memcheck racecheck initcheck synccheck; do
    # a kernel that stays waits for the host: tools that run kernels one after the other allow it
    LTE_TEST_SMALL=1 compute-sanitizer --tool "$tool" --error-exitcode 9 "$2" >"$log" 2>&1
    code=$?
    if [ "$code" -eq 0 ] && grep -q 'ERROR SUMMARY: 0 errors\|RACECHECK SUMMARY: 0 hazards' "$log"; then
        passed=$((passed + 1))
        echo "$tool: clean"
    else
        failed=$((failed + 1))
        echo "$tool: exit code $code"
        grep -vE ' OK |RUN ' "$log" | head -40
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
