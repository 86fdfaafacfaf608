#!/usr/bin/env bash
# Lists of MCS, and --verify 3gpp: their folders hold the results of one call or none, and what is
# not ltesim's or not finished is kept.
#
#     tests/cli/lists.sh path/to/ltesim
set -u

[ $# -eq 1 ] || { echo "usage: tests/cli/lists.sh path/to/ltesim" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
top=$(mktemp -d)
child=''
cleanup() {
    [ -z "$child" ] || kill -KILL "$child" 2> /dev/null
    rm -rf "$top"
}
trap cleanup EXIT
cd "$top" || exit 1
passed=0 failed=0

cat > list.cfg << 'END'
# List
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 1; rx = 2; };
code       = { mcs = [ 4, 10 ]; };
detectors  = ( "mmse" );
sweep      = { snr_db = [ 0.0, 10.0, 10.0 ]; min_bit_errors = 0; min_slots = 64; max_slots = 64; };
backend    = "cpu";
END
sed 's/^code .*/modulation = "qpsk";/' list.cfg > single.cfg
endless=(--only ber --no-plot --set sweep.max_slots=1099511627776L --set sweep.min_slots=1099511627776L --set sweep.max_seconds=120)

run() { timeout 600 "$ltesim" "$@" --quiet > stdout 2> stderr < /dev/null; code=$?; }
# refused TEXT: exit code 2, and one line that has it.
refused() { [ "$code" -eq 2 ] && [ "$(wc -l < stderr)" -eq 1 ] && grep -q "^ltesim: .*$1" stderr; }
of_seed() { grep -q "\"seed\": $2," "$1/run.json"; }
single='ber.csv groups.csv journal layers.csv run.json'
coded='bler.csv groups.csv journal run.json'
# entries FOLDER FILES...: the names of a folder of a list, as has_files takes them.
of_mcs() { for f in "" $2; do echo -n " $1${f:+/$f}"; done; }
whole="envelope.csv$(of_mcs mcs_10 "$coded")$(of_mcs mcs_4 "$coded")"

# Interrupts a run of a folder when it has a file.
interrupt() {
    local file=$1
    shift
    "$ltesim" "$@" --quiet > stdout 2> stderr &
    child=$!
    soon test -s "$file" && sleep 0.2
    kill -INT "$child"
    wait "$child"
    code=$?
    child=''
}

# ---- what is not ltesim's ----
mkdir mine
echo my,own,table > mine/envelope.csv
run list.cfg --no-plot --out mine
claim an_own_table_is_refused refused 'mine: envelope.csv exists and is not a result of ltesim'
claim an_own_table_stays has_files mine envelope.csv
claim an_own_table_is_whole grep -qx my,own,table mine/envelope.csv
mkdir -p deep/mcs_10
echo my,own,table > deep/mcs_10/bler.csv
run list.cfg --no-plot --out deep
claim one_of_a_later_MCS_is_refused refused 'mcs_10: bler.csv exists'
claim before_the_first_MCS has_files deep 'mcs_10 mcs_10/bler.csv'
mkdir drawn
touch drawn/adaptation.png
run list.cfg --no-plot --out drawn
claim a_picture_that_is_not_drawn_may_lie_there [ "$code" -eq 0 ]
for file in conformance.csv conformance.html; do
    mkdir "of_$file"
    echo my,own > "of_$file/$file"
    run --verify 3gpp=1.4MHz,1x2,EPA5,A4 --limit 20 --out "of_$file"
    claim "an_own_${file}_is_refused" refused "$file exists and is not a result of ltesim"
    claim "an_own_${file}_stays" has_files "of_$file" "$file"
done

# ---- one list after another, and single runs ----
run list.cfg --no-plot --out list
claim a_list_leaves_its_files has_files list "$whole"
cp -r list before
run single.cfg --only ber --no-plot --out list
claim a_single_run_is_refused_there refused 'list: contains the runs of a list of MCS'
claim it_changes_nothing diff -r list before
run --verify 3gpp=1.4MHz,1x2,EPA5,A4 --limit 20 --out list
claim so_is_verify_3gpp refused 'list: contains the runs of a list of MCS'
claim that_changes_nothing diff -r list before
run single.cfg --only ber --no-plot --out single
run list.cfg --no-plot --out single
claim a_list_is_refused_in_the_folder_of_a_run refused 'single: contains a single run'
claim that_run_stays has_files single "$single"
echo note > list/mcs_4/note.txt
run list.cfg --no-plot --out list --set code.mcs=10,12
claim another_list_takes_its_place has_files list \
    "envelope.csv$(of_mcs mcs_10 "$coded")$(of_mcs mcs_12 "$coded") mcs_4 mcs_4/note.txt"
rm -r list/mcs_4
run list.cfg --no-plot --out list --resume
claim it_does_not_go_on_with_another refused 'mcs_12 belongs to a different list: code.mcs does not list 12'
claim whose_files_stay has_files list "envelope.csv$(of_mcs mcs_10 "$coded")$(of_mcs mcs_12 "$coded")"
interrupt list/mcs_10/journal list.cfg --out list --set seed=2 --set code.mcs=10,12 "${endless[@]}"
claim an_interrupted_list_ends_with_130 [ "$code" -eq 130 ]
claim and_leaves_its_own_alone has_files list "mcs_10$(of_mcs mcs_10 "$coded" | cut -c8-)"
claim of_its_scenario of_seed list/mcs_10 2

# ---- two at once ----
"$ltesim" list.cfg --quiet --out two "${endless[@]}" > stdout 2> stderr &
child=$!
claim a_list_locks_its_folder soon test -s two/.ltesim-lock
run list.cfg --no-plot --out two
claim the_second_is_refused grep -q "^ltesim: result folder two: another run, pid $child on" stderr
claim with_1 [ "$code" -eq 1 ]
kill -INT "$child"
wait "$child"
child=''
claim no_lock_is_left [ ! -e two/.ltesim-lock ]

# ---- unfinished runs are kept, and what has ended is not ----
line='contains an unfinished run, which this run replaces; its journal is kept as journal.old; '
line+='renamed to journal it continues with --resume$'
interrupt left/journal single.cfg --out left --set seed=7 "${endless[@]}"
claim the_first_is_interrupted [ "$code" -eq 130 ]
cp left/journal first
run single.cfg --only ber --no-plot --out left
claim the_next_runs [ "$code" -eq 0 ]
claim it_says_what_it_keeps grep -q "^ltesim: left $line" stderr
claim in_one_line test "$(wc -l < stderr)" -eq 1
claim the_journal_is_kept cmp -s first left/journal.old
cp -r left ended
run single.cfg --only ber --no-plot --out left
claim a_whole_run_is_not_kept cmp -s first left/journal.old
claim nor_spoken_of test ! -s stderr
run single.cfg --only ber --no-plot --out left --resume
claim resume_goes_by_the_journal_alone grep -q 'nothing to resume: the run in left is whole' stdout
mv left/journal.old left/journal
interrupt left/journal single.cfg --out left --set seed=7 "${endless[@]}" --resume
claim renamed_it_goes_on [ "$code" -eq 130 ]
claim with_its_seed of_seed left 7
claim and_keeps_no_journal_of_its_own test ! -e left/journal.old
mkdir odd
echo mine > odd/journal.old
run single.cfg --only ber --no-plot --out odd
claim an_own_journal_old_is_refused refused 'odd: journal.old exists and is not a result'
run list.cfg --no-plot --out fresh
claim a_whole_list_keeps_nothing has_files fresh "$whole"
interrupt begun/mcs_4/journal list.cfg --out begun "${endless[@]}"
cp begun/mcs_4/journal first
run list.cfg --no-plot --out begun
claim a_list_keeps_one_too cmp -s first begun/mcs_4/journal.old
claim and_says_so grep -q "^ltesim: begun/mcs_4 $line" stderr
interrupt blocks/blocks.part list.cfg --set code.mcs=4 --out blocks --blocks "${endless[@]}"
cp blocks/blocks.part first
run list.cfg --set code.mcs=4 --no-plot --out blocks
claim blocks_are_kept_too cmp -s first blocks/blocks.part.old
mv blocks/journal.old blocks/journal
mv blocks/blocks.part.old blocks/blocks.part
interrupt blocks/journal list.cfg --set code.mcs=4 --out blocks --blocks "${endless[@]}" --resume
claim and_go_on_with_it [ "$code" -eq 130 ]

# ---- --verify 3gpp ----
run --verify 3gpp=1.4MHz,1x2,EPA5,A4 --limit 20 --out tests
claim verify_3gpp_runs has_files tests \
    "1.4MHz_1x2_EPA5_A4-3$(of_mcs 1.4MHz_1x2_EPA5_A4-3 "$coded" | cut -c22-) conformance.csv conformance.html"
cp -r tests before_verify
run single.cfg --only ber --no-plot --out tests
claim a_single_run_is_refused_beside_it refused 'tests: contains results of --verify 3gpp'
run list.cfg --no-plot --out tests
claim and_a_list refused 'tests: contains results of --verify 3gpp'
claim which_change_nothing diff -r tests before_verify
run --verify 3gpp=1.4MHz,1x2,EPA5,A4 --limit 20 --out single
claim it_is_refused_beside_a_run refused 'single: contains a single run'
interrupt tests/.ltesim-lock --verify 3gpp=1.4MHz,1x2,EPA5,A4 --out tests --set sweep.min_slots=1000000L \
    --set sweep.max_slots=1099511627776L
claim it_is_interrupted [ "$code" -eq 130 ]
claim interrupted_it_leaves_no_table test ! -e tests/conformance.csv -a ! -e tests/conformance.html

# ---- messages ----
run list.cfg --out no --set sweep.target_ber=0.01
claim a_search_names_the_line refused 'list.cfg:4: sweep.target_ber: a search needs a single MCS'
run list.cfg --out no --only deadline
claim a_deadline_names_the_line refused 'list.cfg:4: the deadline needs one MCS'
run list.cfg --out no --dump-channel no.h5
claim a_dump_names_the_line refused 'list.cfg:4: --dump-channel needs a single MCS'
run merge fresh fresh --out no
claim merge_points_at_the_MCS refused 'merge: the run in fresh/mcs_[0-9]* is not a part of a sweep, .*'
run single.cfg --out no --set code.transmissions=2
claim no_message_has_a_null refused 'code.transmissions=2: code: must have one of mcs, rate and bits'
claim none_of_these_makes_a_folder test ! -e no

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
