#!/usr/bin/env bash
# A kernel that fails while a sweep runs: a clear line, exit 1, and result files that are complete
# up to the last round that finished. One that never answers: the same, within a minute.
#
#     tests/faults/fault_cuda.sh BINARY FAULTY
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/lib/device.sh
. "$here/../lib/device.sh"
need_device "$1"
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
passed=0 failed=0
claim() {
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED  $name"; fi
}
run() {
    timeout -s KILL 100 "$@" "$here/../../scenarios/quick.cfg" --backend cuda --no-plot --quiet \
        "${only[@]}" \
        --set 'sweep.snr_points=[0.0,5.0,10.0,15.0,20.0,25.0]' --set sweep.min_slots=64 \
        --set sweep.max_slots=64 --out "$top/$out" >/dev/null 2>"$top/$out.err"
    code=$?
}
only=(--only ber)
out=whole
run "$1"
claim the_whole_run_succeeds [ "$code" -eq 0 ]
out=faulty
LTE_FAULT_AFTER=3 run "$2"
claim exit_code_is_1 [ "$code" -eq 1 ]
claim one_clear_line grep -q '^ltesim: CUDA: .*(cudaError' "$top/faulty.err"
claim finished_rows_are_there [ "$(wc -l <"$top/faulty/ber.csv")" -gt 1 ]
claim not_all_rows_are [ "$(wc -l <"$top/faulty/ber.csv")" -lt "$(wc -l <"$top/whole/ber.csv")" ]
claim run_json_is_there test -s "$top/faulty/run.json"
rest=$(cut -d, -f1-15 "$top/faulty/ber.csv" | grep -v ',interrupted$' |
    grep -vxF -f <(cut -d, -f1-15 "$top/whole/ber.csv"))
claim finished_rows_are_those_of_the_whole_run [ -z "$rest" ]
only=()
out=hung start=$SECONDS
LTE_FAULT_HANG=1 run "$2"
claim hung_exit_code_is_1 [ "$code" -eq 1 ]
claim hung_ends_within_a_minute [ "$((SECONDS - start))" -lt 60 ]
claim hung_one_clear_line grep -qx 'ltesim: the persistent kernel did not answer within 10 s' "$top/hung.err"
claim hung_one_line_alone [ "$(wc -l <"$top/hung.err")" -eq 1 ]
claim hung_rows_are_those_of_the_whole_run \
    cmp <(cut -d, -f1-15 "$top/hung/ber.csv") <(cut -d, -f1-15 "$top/whole/ber.csv")
claim hung_run_json_is_there test -s "$top/hung/run.json"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
