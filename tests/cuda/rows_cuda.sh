#!/usr/bin/env bash
# Every scenario, shortened, on processor and GPU, with the inverters that it is for: the same ber.csv
# but for the column seconds, and the same rate.csv where there is one; those with a code are for coded_cuda.
# And the same bit errors of the timed slots in a deadline run.
#
#     tests/cuda/rows_cuda.sh BINARY
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/lib/device.sh
. "$here/../lib/device.sh"
need_device "$1"
binary=$(realpath "$1")
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
passed=0 failed=0

# rows SCENARIO BACKEND INVERTER: its rows without the seconds.
rows() {
    "$binary" "$1" --backend "$2" --only ber --no-plot --quiet --out "$top/$2" \
        --set "inverter=$3" --set sweep.max_slots=24 --set sweep.min_slots=8 \
        --set sweep.round_slots=8 >/dev/null || echo "exit code $?"
    cut -d, -f1-15,17- "$top/$2/ber.csv"
    [ ! -e "$top/$2/rate.csv" ] || cat "$top/$2/rate.csv"
}

# errors BACKEND INVERTER MODEL DOPPLER: bits and bit errors of the timed slots, in each placement.
errors() {
    "$binary" "$here/../../scenarios/quick.cfg" --backend "$1" --only deadline --no-plot --quiet \
        --out "$top/$1" --set "inverter=$2" --set "channel.model=$3" \
        --set "channel.doppler_hz=$4" --set deadline.slots=20 --set deadline.distinct=8 >/dev/null ||
        echo "exit code $?"
    grep -E '^ *"(bit_errors|bits)":' "$top/$1/run.json" | tr -d ' ,' | sort -u
}

# same NAME LINES: the files a and b are equal and have at least so many lines.
same() {
    if [ "$(wc -l <"$top/a")" -ge "$2" ] && cmp -s "$top/a" "$top/b"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: (< cpu, > cuda)"
        diff "$top/a" "$top/b" | sed 's/^/    /'
    fi
}

for scenario in "$here"/../../scenarios/*.cfg; do
    ! grep -q '^code ' "$scenario" || continue
    case $scenario in
        */massive*) inverters='cholesky-delayed lu-delayed' ;;
        *) inverters='gauss-jordan ldl' ;;
    esac
    for inverter in $inverters; do
        rows "$scenario" cpu "$inverter" >"$top/a"
        rows "$scenario" cuda "$inverter" >"$top/b"
        same "$(basename "$scenario"), $inverter" 2
    done
done
# A search, to its precision.
for backend in cpu cuda; do
    "$binary" "$here/../../scenarios/operating_point.cfg" --backend $backend --only ber --no-plot --quiet \
        --out "$top/$backend" >/dev/null || echo "exit code $?"
    { cut -d, -f1-15 "$top/$backend/ber.csv" && cat "$top/$backend/target.csv"; } >"$top/$backend.txt"
done
mv "$top/cpu.txt" "$top/a" && mv "$top/cuda.txt" "$top/b"
same 'a search' 20
for inverter in gauss-jordan ldl cholesky-delayed lu-delayed lu-immediate; do
    for doppler in 0 70; do
        errors cpu "$inverter" eva $doppler >"$top/a"
        errors cuda "$inverter" eva $doppler >"$top/b"
        same "deadline run, $doppler Hz, $inverter" 2
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
