#!/bin/bash
# Runs that are killed and gone on with: the files of a run that was left alone, but for seconds.
#
#     tests/cli/resume.sh path/to/ltesim [KILLS]
set -u

[ $# -ge 1 ] || { echo "usage: tests/cli/resume.sh path/to/ltesim [KILLS]" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
kills=${2:-6}
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
passed=0 failed=0

cat > run.cfg << 'END'
# Moving
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "qpsk";
channel    = { model = "eva"; doppler_hz = 70.0; drop_slots = 8; };
detectors  = ( "zf", "mmse" );
csi        = ( "perfect", "dmrs-ls" );
sweep      = { snr_db = [ 0.0, 12.0, 4.0 ]; min_bit_errors = 1000000000; min_slots = 64; max_slots = 1200; };
backend    = "cpu";
END

run() { timeout 600 "$ltesim" run.cfg --only ber --no-plot --quiet "$@" > stdout 2> stderr < /dev/null; code=$?; }
exits() {
    local expected=$1
    shift
    run "$@"
    [ "$code" -eq "$expected" ] || { echo "exit $code"; cat stderr; return 1; }
}
says() { grep -qF -- "$1" stderr || { cat stderr; return 1; }; }
same() { same_counts "$1" whole; }

# Kills a run in folder $1 after $2 seconds; a run that has ended by then is begun again sooner.
kill_after() {
    local folder=$1 wait=$2 child
    shift 2
    rm -rf "$folder"
    "$ltesim" run.cfg --only ber --no-plot --quiet --out "$folder" "$@" > /dev/null 2>&1 &
    child=$!
    sleep "$wait"
    kill -KILL "$child" 2> /dev/null
    wait "$child" 2> /dev/null
    [ -e "$folder/journal" ]
}

start=$EPOCHREALTIME
exits 0 --out whole || exit 1
span=$(LC_ALL=C awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')

# ---- killed at random moments, gone on with by others ----
RANDOM=1
others=('--threads 1' '--threads 3' '--backend cpu:ref' '--set sweep.max_seconds=1000')
odd=0
for ((i = 0; i < kills && odd < 2; i++)); do
    after=$(LC_ALL=C awk -v s="$span" -v r=$RANDOM 'BEGIN { print s * r / 32768 }')
    kill_after killed "$after" --threads 2 || continue # before the first chunk
    # shellcheck disable=SC2086
    run --out killed --resume ${others[i % ${#others[@]}]}
    { [ "$code" -eq 0 ] && same killed; } || { odd=$((odd + 1)); echo "killed after $after s"; cat stderr; }
done
claim killed_runs_come_to_the_same [ "$odd" -eq 0 ]

# ---- interrupted, twice ----
interrupt() {
    timeout -s "$1" "$(LC_ALL=C awk -v s="$span" 'BEGIN { print s / 4 }')" \
        "$ltesim" run.cfg --only ber --no-plot --quiet --out stopped "${@:2}" > /dev/null 2>&1
    code=$?
    [ "$code" -eq 124 ] || [ "$code" -eq 0 ]
}
claim interrupted interrupt INT
claim interrupted_again interrupt TERM --resume
claim gone_on_with exits 0 --out stopped --resume
claim interrupted_comes_to_the_same same stopped

# ---- ended by its time, and given more ----
claim time_is_up exits 0 --out timed --set sweep.max_seconds=0.05
claim time_is_up_early grep -q ,time, timed/ber.csv
claim more_time exits 0 --out timed --resume
claim more_time_comes_to_the_same same timed

# ---- damaged ----
cp -r whole cut
size=$(stat -c %s whole/journal)
truncate -s $((size * 2 / 3)) cut/journal
claim cut_is_used exits 0 --out cut --resume
claim cut_is_said says 'bytes of the journal are damaged'
claim cut_comes_to_the_same same cut
cp -r whole flipped
printf '\001' | dd of=flipped/journal bs=1 seek=$((size / 2)) conv=notrunc status=none
claim flipped_is_used exits 0 --out flipped --resume
claim flipped_comes_to_the_same same flipped
cp -r whole headless
printf '\001' | dd of=headless/journal bs=1 seek=30 conv=notrunc status=none
claim headless_is_refused exits 2 --out headless --resume
claim headless_says says 'its first line is damaged'

# ---- nothing to do, nothing there, another run ----
cp -rp whole again
claim finished_does_nothing exits 0 --out again --resume
claim finished_says_so grep -q 'nothing to resume' stdout
claim finished_changes_nothing diff -r whole again
claim without_a_journal exits 2 --out empty --resume
claim without_a_journal_says says 'has no journal'
claim another_seed exits 2 --out whole --resume --set seed=7
claim another_seed_says says 'seed is 7 in this run and 1 in the journal'
claim another_channel exits 2 --out whole --resume --set channel.model=epa
claim another_channel_says says 'channel.model is "epa" in this run and "eva" in the journal'
claim refused_runs_change_nothing diff -r whole again
claim not_with_the_deadline exits 2 --only deadline --resume
cp -rp whole left
sed -i '$d' left/journal # which says that nothing is left to do
timeout 600 "$ltesim" run.cfg --only ber --no-plot --out left --set sweep.max_slots=64 > /dev/null 2> stderr
claim a_fresh_run_warns says 'contains an unfinished run'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
