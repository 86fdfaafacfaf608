#!/usr/bin/env bash
# Every scenario, shortened, on processor and GPU: the same ber.csv but for the last column,
# seconds, for both inverters, both placements of the deadline run with the same bit errors.
#
#     tests/rows_cuda.sh BINARY
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/device.sh
. "$here/device.sh"
need_device "$1"
binary=$(realpath "$1")
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
passed=0 failed=0

# rows SCENARIO BACKEND INVERTER: its rows without the seconds, and the errors of the timed slots.
rows() {
    "$binary" "$1" --backend "$2" --no-plot --quiet --out "$top/$2" --set "inverter=$3" \
        --set sweep.max_slots=24 --set sweep.min_slots=8 --set sweep.round_slots=8 \
        --set deadline.slots=20 --set deadline.distinct=8 --set deadline.paced=false ||
        echo "exit code $?"
    sed 's/,[^,]*$//' "$top/$2/ber.csv"
    grep -E '^ *"(bit_errors|bits)":' "$top/$2/run.json" | tr -d ' ,' | sort -u
}

for scenario in "$here"/../scenarios/*.cfg; do
    for inverter in gauss-jordan ldl; do
        rows "$scenario" cpu "$inverter" >"$top/a"
        rows "$scenario" cuda "$inverter" >"$top/b"
        if [ "$(wc -l <"$top/a")" -gt 3 ] && cmp -s "$top/a" "$top/b"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$(basename "$scenario"), $inverter: (< cpu, > cuda)"
            diff "$top/a" "$top/b" | sed 's/^/    /'
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
