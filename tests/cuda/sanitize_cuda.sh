#!/usr/bin/env bash
# The cases of the gpu unit tests and a run of transport blocks, eight at a time, under the four tools of
# compute-sanitizer:
#
#     tests/cuda/sanitize_cuda.sh BINARY TEST ...
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/lib/device.sh
. "$here/../lib/device.sh"

# run_case TOOL TEST CASE: one line, and what the tool printed if it is not clean
run_case() {
    local tool=$1 test=$2 log code options=()
    # refused calls are part of the tests
    [ "$tool" = memcheck ] && options=(--report-api-errors no)
    # racecheck waits for each kernel to end: launches do the work of the one that stays
    # it also counts a barrier of some of a block's threads for the others, and then sees races
    # across whole barriers, none with every thread at every barrier: lu_kernel beyond order 32
    [ "$tool" = racecheck ] && export LTE_TEST_NO_PERSISTENT=1 &&
        options=(--kernel-name-exclude 'regex=lu_kernel.*shapeILi(64|128)E')
    log=$(mktemp)
    export LTE_TEST_SMALL=1 LTE_TEST_CASE=$3
    SECONDS=0
    compute-sanitizer --tool "$tool" "${options[@]}" --error-exitcode 9 "$test" >"$log" 2>&1
    code=$?
    if [ "$code" -eq 0 ] && grep -q '1 test(s) run' "$log" &&
        grep -q 'ERROR SUMMARY: 0 errors\|RACECHECK SUMMARY: 0 hazards' "$log"; then
        echo "$tool, $3: clean, $SECONDS s"
    else
        echo "$tool, $3: exit code $code after $SECONDS s"
        # each place once, then the first of them whole
        grep -oE '(Uninitialized|Invalid|Error|Barrier) .*|     at .*' "$log" | sort | uniq -c | sort -rn | head -20
        grep -vE ' OK |RUN ' "$log" | head -40
        code=1
    fi
    rm -f "$log"
    return "$code"
}

# Transport blocks on the uplink's grid, two codewords, two transmissions, their records
write_blocks() {
    cat <<'END'
carrier = { bandwidth_mhz = 1.4; };
antennas = { tx = 4; rx = 4; };
modulation = "qpsk";
channel = { model = "eva"; doppler_hz = 70.0; drop_slots = 80; };
csi = "dmrs-mmse";
detectors = ( "zf", "mmse" );
inverter = "ldl";
code = { mcs = 4; transmissions = 2; };
backend = "cuda";
sweep = { snr_db = 5; min_slots = 80L; max_slots = 80L; round_slots = 80; };
END
}

# run_blocks TOOL BINARY: such a run under the tool, one line
run_blocks() {
    local tool=$1 options=() log dir code
    [ "$tool" = memcheck ] && options=(--report-api-errors no)
    dir=$(mktemp -d)
    log=$dir/log
    write_blocks >"$dir/blocks.cfg"
    SECONDS=0
    compute-sanitizer --tool "$tool" "${options[@]}" --error-exitcode 9 \
        "$2" "$dir/blocks.cfg" --only ber --blocks --no-plot --quiet --out "$dir/out" >"$log" 2>&1
    code=$?
    if [ "$code" -eq 0 ] && [ "$(wc -l <"$dir/out/blocks.csv")" -gt 100 ] &&
        grep -q 'ERROR SUMMARY: 0 errors\|RACECHECK SUMMARY: 0 hazards' "$log"; then
        echo "$tool, transport blocks: clean, $SECONDS s"
    else
        echo "$tool, transport blocks: exit code $code after $SECONDS s"
        head -40 "$log"
        code=1
    fi
    rm -rf "$dir"
    return "$code"
}

case $1 in
--case)
    run_case "${@:2}"
    exit
    ;;
--blocks)
    run_blocks "${@:2}"
    exit
    ;;
esac
need_device "$1"
command -v compute-sanitizer >/dev/null 2>&1 || {
    echo "skipped: compute-sanitizer is not here"
    exit 77
}
for tool in memcheck initcheck synccheck racecheck; do
    echo "--blocks $tool $1"
    for test in "${@:2}"; do
        sed -n 's/^ *LTE_CASE(\(.*\), \(.*\)),.*/\1.\2/p' "$here/${test##*/}.c" |
            sed "s|^|--case $tool $test |"
    done
done | xargs -P 8 -L 1 "$0" && echo "all clean"
