#!/bin/bash
# The same scenario and seed gives the same counts, whatever runs it: threads, backends, order of
# detectors, grids, stop rules, the deadline run. Compilers and their levels: compiler.sh.
#
#     tests/cli/same_bits.sh BINARY
set -u

[ $# -eq 1 ] || { echo "usage: tests/cli/same_bits.sh path/to/ltesim" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
source=$(realpath "$(dirname "$0")/../..")
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
passed=0
failed=0
skipped=0

fail() { echo "$1"; failed=$((failed + 1)); }
skip() { echo "skipped: $1"; skipped=$((skipped + 1)); }

mapfile -t usable < <("$source/tests/lib/listed.py" "$ltesim" usable)
[ ${#usable[@]} -gt 0 ] || { echo "no backend is usable"; exit 1; }

# run NAME OPTION...: a small scenario with the options of one_scenario.
run() {
    local name=$1
    shift
    "$ltesim" "$source/tests/golden/base.cfg" --no-plot --quiet --out "$top/$name" \
        "${one_scenario[@]}" "$@" > /dev/null || echo "exit code $?" > "$top/$name/ber.csv"
}

# rows NAME [PATTERN]: its ber.csv but for the last column, seconds; rows that match.
rows() { cut -d, -f1-15,17- "$top/$1/ber.csv" | grep -E "${2:-}"; }

# same CLAIM NAME NAME [PATTERN]: both have the same rows, and have some.
same() {
    rows "$2" "${4:-}" > "$top/left"
    rows "$3" "${4:-}" > "$top/right"
    if [ -s "$top/left" ] && diff "$top/left" "$top/right" > "$top/diff"; then
        passed=$((passed + 1))
    else
        fail "$claim, $1: rows differ"
        sed 's/^/    /' "$top/diff"
    fi
}

# number NAME KEY: of run.json. A device has two placements: equal values of both are one.
number() { sed -n "s/^ *\"$2\": \([0-9]*\),*\$/\1/p" "$top/$1/run.json" | sort -u; }

# The claims, for the scenario `claim` with its settings.
all_claims() {
    local slots used threads backend
    claim=$1
    shift
    one_scenario=()
    for setting in "$@"; do one_scenario+=(--set "$setting"); done
    rm -rf "${top:?}"/*

    run base --only ber --threads 1
    for threads in 2 3; do
        run "threads_$threads" --only ber --threads "$threads"
        same "$threads threads" base "threads_$threads"
    done
    for backend in "${usable[@]}"; do
        run "$backend" --only ber --threads 2 --backend "$backend"
        same "backend $backend" base "$backend"
    done
    run turned --only ber --set 'detectors=("mmse","zf")'
    same "detectors in another order" base turned
    run zf_alone --only ber --set 'detectors=("zf")'
    same "zf alone" base zf_alone '^zf'
    run mmse_alone --only ber --set 'detectors=("mmse")'
    same "mmse alone" base mmse_alone '^mmse'
    run grid --only ber --set 'sweep.snr_db=[12.0,18.0,1.5]'
    same "another grid" base grid '^[a-z]*,perfect,15,'
    # a row that ends by its errors, then the same number of slots by another rule
    run by_errors --only ber --set sweep.round_slots=3 --set sweep.min_bit_errors=700
    for detector in zf mmse; do
        slots=$(rows by_errors "^$detector,perfect,15," | cut -d, -f5)
        run by_slots --only ber --set sweep.round_slots=64 --set sweep.min_bit_errors=1000000 \
            --set "sweep.max_slots=$slots"
        for name in by_errors by_slots; do # for another reason, so without status
            sed -i '2,$ s/,\(errors\|slots\),/,,/' "$top/$name/ber.csv"
        done
        same "another stop rule" by_errors by_slots "^$detector,perfect,15,"
    done
    # nothing meets this budget, so no time goes into the search for more carriers
    run seven --only ber --set sweep.max_slots=7 --set 'sweep.snr_points=(15)'
    for threads in 1 2; do
        for detector in zf mmse; do
            run deadline --only deadline --threads "$threads" --set deadline.slots=5 \
                --set deadline.carriers=3 --set deadline.distinct=7 --set deadline.paced=false \
                --set deadline.budget_us=0.001 --set "deadline.detector=$detector" \
                --set deadline.snr_db=15
            used=$(number deadline distinct_slots)
            slots=$(rows seven "^$detector" | cut -d, -f7)
            if [ "$used" = 7 ] && [ "$(number deadline bit_errors)" = "$slots" ]; then
                passed=$((passed + 1))
            else
                fail "$claim, deadline run of $detector: $(number deadline bit_errors) bit errors \
in $used slots, the sweep has $slots in 7"
            fi
        done
    done
}

all_claims 2x2
all_claims 3x5_ldl antennas.tx=3 antennas.rx=5 modulation=64qam inverter=ldl \
    carrier.bandwidth_mhz=3
all_claims 2x4_eva300 antennas.rx=4 channel.model=eva channel.doppler_hz=300 \
    channel.drop_slots=1 carrier.bandwidth_mhz=1.4
all_claims 8x8_flat antennas.tx=8 antennas.rx=8 modulation=qpsk channel.model=flat
for backend in $("$source/tests/lib/listed.py" "$ltesim" unusable); do
    skip "$backend: not on this processor"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
