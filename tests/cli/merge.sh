#!/bin/bash
# Runs that split their slots between them, joined: the files of one run, but for seconds.
#
#     tests/cli/merge.sh path/to/ltesim
#
# What is refused: tests/cli/bad_input.sh.
set -u

[ $# -eq 1 ] || { echo "usage: tests/cli/merge.sh path/to/ltesim" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
passed=0 failed=0

cat > run.cfg << 'END'
# Moving: "three" receivers
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "qpsk";
channel    = { model = "eva"; doppler_hz = 70.0; drop_slots = 8; };
detectors  = ( "mmse", "zf", "cg-2" );
csi        = ( "dmrs-ls", "perfect" );
sweep      = { snr_db = [ 0.0, 12.0, 4.0 ]; min_bit_errors = 60000; min_slots = 64; max_slots = 600; };
backend    = "cpu";
END

# run SCENARIO ARGUMENT...: the program, its streams in files and its exit code in $code.
run() { timeout 600 "$ltesim" "$@" --no-plot --quiet > stdout 2> stderr < /dev/null; code=$?; }
exits() {
    local expected=$1
    shift
    run "$@"
    [ "$code" -eq "$expected" ] || { echo "exit $code"; cat stderr; return 1; }
}
says() { grep -qF -- "$1" stderr || { cat stderr; return 1; }; }
silent() { [ ! -s stderr ] || { cat stderr; return 1; }; }
# run.json but for what it says of machine and time
summary() {
    sed -E '/^  "(backend|device|driver|clock_mhz|memory_clock_mhz|choices|threads|start|end)":/d
        /^      "seconds":/d; /^    "backend":/d; /^  "command":/d' "$1/run.json"
}
same() {
    same_counts "$1" "$2" && cmp <(summary "$1") <(summary "$2")
}
tables() { sed -n '/^detector/,/^results/p' "$1" | grep -v ^results; }
# part FOLDER SLOTS ARGUMENT...: a part of the run.
part() {
    local folder=$1 slots=$2
    shift 2
    run run.cfg --slots "$slots" --out "$folder" "$@"
}

# ---- a whole of three parts, which rows end inside of ----
run run.cfg --only ber --out whole
cp stdout whole.stdout
claim whole_exits_0 [ "$code" -eq 0 ]
claim rows_end_at_different_slots [ "$(tail -n +2 whole/ber.csv | cut -d, -f5 | sort -u | wc -l)" -gt 3 ]
claim rows_end_either_way [ "$(tail -n +2 whole/ber.csv | cut -d, -f15 | sort -u | tr '\n' ' ')" = 'errors slots ' ]
part a 0:191 --backend cpu:ref --threads 1
claim a_part_exits_0 [ "$code" -eq 0 ]
claim a_part_says_so grep -q '^slots  *0 to 191 of each point' stdout
claim a_part_has_its_files [ "$(cd a && echo *)" = 'ber.csv groups.csv journal layers.csv run.json' ]
claim a_part_tells_its_slots [ "$(tr -d ' \n' < a/run.json | grep -o '"slots":\[0,191\]')" = '"slots":[0,191]' ]
part b 192:447 --backend cpu:v3
[ "$code" -eq 0 ] || part b 192:447
part c 448:599
claim merge_exits_0 exits 0 merge c a b --out merged
claim merge_is_silent silent
claim merge_has_its_files [ "$(cd merged && echo *)" = 'ber.csv groups.csv journal layers.csv run.json' ]
claim three_parts_are_the_whole same merged whole
claim merge_tells_who_has_counted grep -qF '"choices": "slots 0:191 of a (cpu:ref), 192:447 of b (' merged/run.json
claim tables_are_those_of_the_run cmp <(tables stdout) <(tables whole.stdout)
claim merged_is_finished exits 0 run.cfg --only ber --resume --out merged
claim merged_is_finished_and_says_so grep -q 'nothing to resume' stdout
claim one_part_that_is_all part all 0:599
claim one_part_that_is_all_merges exits 0 merge all
claim the_default_folder_is_told [ -e out/run_merged/ber.csv ]
claim one_part_is_the_whole same out/run_merged whole
part '' 0:63 2> /dev/null
"$ltesim" run.cfg --slots 0:63 --no-plot --quiet > /dev/null
claim a_part_has_a_folder_of_its_own [ -e out/run_slots=0-63/journal ]
cp -r a/. before
claim parts_stay_as_they_are diff -r a before

# ---- a part that is killed, and gone on with ----
slow=(--set sweep.min_bit_errors=1000000000 --set sweep.round_slots=8
    --set 'sweep.snr_points=(0,12)')
run run.cfg --only ber --out whole_slow "${slow[@]}"
part left 0:295 "${slow[@]}"
"$ltesim" run.cfg --slots 296:599 --no-plot --quiet --out right "${slow[@]}" > /dev/null 2>&1 &
child=$!
soon test -e right/journal
kill -KILL "$child" 2> /dev/null
wait "$child" 2> /dev/null
claim killed_left_a_journal [ -e right/journal ]
claim another_part_is_not_gone_on_with exits 2 run.cfg --slots 288:599 --out right --resume "${slow[@]}"
claim another_part_is_named says '--slots is [288,599] in this run and [296,599] in the journal'
claim a_run_is_no_part exits 2 run.cfg --only ber --out right --resume "${slow[@]}"
claim a_run_is_no_part_says says '--slots is not set in this run and [296,599] in the journal'
claim gone_on_with exits 0 run.cfg --slots 296:599 --out right --resume "${slow[@]}"
claim halves_merge exits 0 merge right left --out halves
claim halves_are_the_whole same halves whole_slow
claim a_merged_part_is_gone_on_with_again exits 0 run.cfg --slots 296:599 --out right --resume "${slow[@]}"

# ---- one that is still written, for longer than anybody waits ----
endless=("${slow[@]}" --set sweep.max_slots=400000)
part begun 0:295 "${endless[@]}"
"$ltesim" run.cfg --slots 296:399999 --no-plot --quiet --out busy "${endless[@]}" > /dev/null 2>&1 &
child=$!
soon test -e busy/journal
kill -STOP "$child" 2> /dev/null
claim a_part_that_is_written_is_refused exits 1 merge begun busy --out nowhere
claim a_part_that_is_written_is_named \
    says "ltesim: result folder busy: a run, pid $child on $(hostname), is still writing to it"
kill -KILL "$child" 2> /dev/null
wait "$child" 2> /dev/null

# ---- damaged, interrupted, out of time ----
cp -r left cut
size=$(($(stat -c %s left/journal) * 2 / 3))
[ -n "$(head -c $size left/journal | tail -c 1)" ] || size=$((size - 1)) # within a line
truncate -s $size cut/journal
claim cut_merges exits 0 merge cut right --out from_cut
claim cut_is_said says 'bytes of its journal are damaged'
claim cut_names_what_is_missing says 'incomplete: zf, mmse, cg-2 at'
claim cut_says_how_to_go_on says '--resume --out from_cut'
claim cut_has_whole_rows [ "$(comm -12 <(counts from_cut | sort) <(counts whole_slow | sort) | wc -l)" -gt 6 ]
claim cut_is_finished exits 0 run.cfg --only ber --resume --out from_cut "${slow[@]}"
claim cut_comes_to_the_same same from_cut whole_slow
cp -r right flipped
printf '\001' | dd of=flipped/journal bs=1 seek=$((size / 2)) conv=notrunc status=none
claim flipped_merges exits 0 merge left flipped --out from_flipped
claim flipped_is_said says 'flipped: the last'
claim flipped_is_finished exits 0 run.cfg --only ber --resume --out from_flipped "${slow[@]}"
claim flipped_comes_to_the_same same from_flipped whole_slow
cp -r left headless
printf '\001' | dd of=headless/journal bs=1 seek=30 conv=notrunc status=none
claim headless_is_refused exits 2 merge headless right --out nowhere
claim headless_says says 'its first line is damaged'
part timed 0:295 "${slow[@]}" --set sweep.max_seconds=0.01
claim out_of_time_merges exits 0 merge timed right --out from_timed
claim out_of_time_is_finished exits 0 run.cfg --only ber --resume --out from_timed "${slow[@]}"
claim out_of_time_comes_to_the_same same from_timed whole_slow

# ---- parts that do not reach the end ----
claim first_half_merges exits 0 merge left --out half
claim first_half_says_so says 'only 296 slots were simulated'
claim first_half_has_interrupted_rows grep -q ',interrupted,' half/ber.csv
cp -r half replaced
timeout 600 "$ltesim" merge left right --no-plot --out replaced > /dev/null 2> stderr
claim an_unfinished_run_is_replaced says 'contains an unfinished run'
claim and_the_merged_one_is_there same replaced whole_slow
claim first_half_is_finished exits 0 run.cfg --only ber --resume --out half "${slow[@]}"
claim first_half_comes_to_the_same same half whole_slow

# ---- channels from a file ----
if "$ltesim" --version | grep -q 'HDF5.*yes'; then
    mkdir data
    run run.cfg --only ber --out dumped --dump-channel data/x.h5 "${slow[@]}"
    stored=(--set channel.model=file --set channel.file=data/x.h5 --set channel.doppler_hz=default
        --set csi=perfect "${slow[@]}")
    run run.cfg --only ber --out whole_stored "${stored[@]}"
    claim stored_exits_0 [ "$code" -eq 0 ]
    part s0 0:47 "${stored[@]}"
    part s1 48:599 "${stored[@]}"
    claim stored_merges exits 0 merge s0 s1 --out stored
    claim stored_is_the_whole same stored whole_stored
    mv data/x.h5 data/y.h5
    claim stored_needs_its_file exits 2 merge s0 s1 --out nowhere
    claim stored_names_its_file says data/x.h5
    run run.cfg --only ber --out dumped --dump-channel data/x.h5 "${slow[@]}" --set seed=2
    claim another_file_is_refused exits 2 merge s0 s1 --out nowhere
else
    echo "skipped: channels from a file: no HDF5"
fi
claim nothing_was_made_elsewhere [ ! -e nowhere ]

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
