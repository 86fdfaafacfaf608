#!/bin/bash
# What may happen to a run from outside: signals, streams that end, a disk that fills up, a folder
# that goes. Each time a clear end, its exit code, and what had been counted is there.
#
#     tests/cli/mishaps.sh path/to/ltesim
set -u

[ $# -eq 1 ] || { echo "usage: tests/cli/mishaps.sh path/to/ltesim" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
top=$(mktemp -d)
child='' mounted=()
cleanup() {
    [ -z "$child" ] || kill -KILL "$child" 2> /dev/null
    for folder in ${mounted[@]+"${mounted[@]}"}; do umount "$folder"; done
    rm -rf "$top"
}
trap cleanup EXIT
cd "$top" || exit 1
passed=0 failed=0 skipped=0

cat > small.cfg << 'END_OF_SCENARIO'
# Small
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "16qam";
detectors  = ( "zf", "mmse" );
sweep      = { snr_db = [ 0.0, 10.0, 10.0 ]; min_bit_errors = 0; min_slots = 64; max_slots = 64; };
backend    = "cpu";
END_OF_SCENARIO
# its first point ends at once, its second hardly ever
endless=(--set 'sweep.snr_points=(0,60)' --set sweep.min_bit_errors=100000
    --set sweep.max_slots=1099511627776L --set sweep.max_seconds=100)
# a point ends several times a second
steady=(--set 'sweep.snr_db=[0.0,50.0,0.1]' --set sweep.min_slots=1024 --set sweep.max_slots=1024)
plain='ber.csv groups.csv journal layers.csv run.json'
ber=("$ltesim" small.cfg --only ber --no-plot --threads 1)

says() { cat stderr; [ "$(wc -l < stderr)" -eq 1 ] && grep -q "^ltesim: $1" stderr; }
# start FOLDER: an endless run, $child, of which a row is in ber.csv; run.json is written last
start() {
    "${ber[@]}" --quiet --out "$1" "${endless[@]}" "${@:2}" > stdout 2> stderr < /dev/null &
    child=$!
    soon grep -qsE ',(errors|slots),' "$1/ber.csv" && soon test -e "$1/run.json"
}
ends() { wait "$child"; code=$?; child=''; [ "$code" -eq "$1" ] || { echo "exit $code"; return 1; }; }
# same FOLDER: the results of a run that was left alone
same() { has_files "$1" "$plain" && same_counts "$1" whole; }
# goes_on FOLDER: what was counted there is used, and the run comes to an end
goes_on() {
    "${ber[@]}" --quiet --out "$1" "${endless[@]}" "${@:2}" --set sweep.max_seconds=0.1 --resume \
        > stdout 2> stderr && grep -qE ',(errors|slots),' "$1/ber.csv" && has_files "$1" "$plain"
}
"${ber[@]}" --out whole > table 2> stderr || exit 1

# ---- signals ----
start hung
kill -HUP "$child"
claim a_terminal_that_goes_ends_it ends 129
claim hung_up_leaves_its_results has_files hung "$plain"
claim hung_up_is_gone_on_with goes_on hung
trap '' HUP
start nohup
trap - HUP
kill -HUP "$child"
sleep 0.3
claim nohup_goes_on kill -0 "$child"
kill -TERM "$child"
claim nohup_is_terminated ends 143

# ---- streams ----
{ sleep 0.2; "${ber[@]}" --out piped 2> stderr; echo $? > code; } | true
claim a_pipe_that_is_closed_exits_1 [ "$(cat code)" -eq 1 ]
claim a_pipe_that_is_closed_says says 'stdout could not be written$'
claim a_pipe_that_is_closed_keeps_results same piped
"${ber[@]}" --out no_room > /dev/full 2> stderr
claim a_full_stdout_exits_1 [ $? -eq 1 ]
claim a_full_stdout_says says 'stdout could not be written$'
claim a_full_stdout_keeps_results same no_room
"${ber[@]}" --out closed >&- 2> stderr < /dev/null
claim a_closed_stdout_exits_1 [ $? -eq 1 ]
claim a_closed_stdout_says says 'stdout could not be written$'
claim a_closed_stdout_keeps_results same closed
"${ber[@]}" --out deaf > stdout 2>&- <&-
claim closed_stdin_and_stderr_exit_0 [ $? -eq 0 ]
claim closed_stdin_and_stderr_keep_results same deaf
claim closed_stdin_and_stderr_keep_tables cmp <(sed 's/deaf/whole/' stdout) table
"${ber[@]}" --out alone <&- >&- 2>&-
claim no_stream_at_all_exits_1 [ $? -eq 1 ]
claim no_stream_at_all_keeps_results same alone
"${ber[@]}" --out alone --resume > stdout 2> stderr
claim no_stream_at_all_prints_into_no_file grep -q 'nothing to resume' stdout

# ---- a limit on the size of files: what fits is whole, what does not is not there ----
odd=0 refused=0
for limit in 1 2 3 4 5 8 12 16; do
    rm -rf limited
    { (ulimit -f "$limit" && "${ber[@]}" --out limited 2>&1 > /dev/null) || echo "exit $?"; } |
        cat > stderr
    if [ ! -s stderr ]; then
        same limited || odd=$((odd + 1))
    else
        refused=$((refused + 1))
        [ "$(wc -l < stderr)" -eq 2 ] && grep -q '^ltesim: .*limited' stderr &&
            grep -qx 'exit 1' stderr || odd=$((odd + 1))
    fi
    if ! "${ber[@]}" --out limited > stdout 2> stderr || ! same limited; then odd=$((odd + 1)); fi
done
claim files_beyond_a_limit_are_whole_or_none [ "$odd" -eq 0 ]
claim limits_are_met [ "$refused" -gt 0 ]
(ulimit -f 4 && "$ltesim" report whole > stdout 2> stderr)
claim a_page_beyond_a_limit_exits_1 [ $? -eq 1 ]
claim its_reason_is_said grep -qx 'ltesim: whole/report.html: File too large' stderr
claim no_page_is_left [ ! -e whole/report.html ]

# ---- a folder that goes, is full or read-only while a run writes there ----
start gone
soon rm -rf gone 2> /dev/null # it may write there just now
claim a_vanished_folder_ends_it ends 1
claim a_vanished_folder_is_said says 'gone/.*No such file'
if [ "$(id -u)" -ne 0 ]; then
    start shut "${steady[@]}"
    chmod 555 shut
    claim a_locked_folder_ends_it ends 1
    claim a_locked_folder_is_said says 'shut/.*Permission denied'
    chmod 755 shut
    claim a_locked_folder_keeps_what_was goes_on shut "${steady[@]}"
fi
mkdir full read_only
if mount -t tmpfs -o size=1m none full 2> /dev/null; then
    mounted+=(full)
    start full/out "${steady[@]}"
    kill -STOP "$child" # or its files and the filler would race for the last bytes
    head -c 4000000 /dev/zero > full/filler 2> /dev/null
    kill -CONT "$child"
    claim a_full_disk_ends_it ends 1
    claim a_full_disk_is_said says 'full/out/.*No space left on device'
    claim a_full_disk_keeps_what_was has_files full/out "$plain"
    rm full/filler
    claim a_full_disk_is_gone_on_with goes_on full/out "${steady[@]}"
    start read_only "${steady[@]}"
    mount -t tmpfs -o ro none read_only
    claim a_read_only_folder_ends_it ends 1
    claim a_read_only_folder_is_said says 'read_only/.*Read-only file system'
    umount read_only
    claim a_read_only_folder_keeps_what_was goes_on read_only "${steady[@]}"
else
    skipped=$((skipped + 1)) && echo "skipped: a full disk, no file system can be mounted here"
fi

# ---- another run in the folder ----
start taken
"${ber[@]}" --out taken > stdout 2> stderr
claim a_taken_folder_exits_1 [ $? -eq 1 ]
claim a_taken_folder_names_the_other says "result folder taken: another run, pid $child on $(hostname),"
kill -TERM "$child"
claim the_other_is_not_disturbed ends 143

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
