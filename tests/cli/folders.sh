#!/bin/bash
# Result folders: one run's files or none, whoever else writes there, is killed or finds no room.
#
#     tests/cli/folders.sh path/to/ltesim
set -u

[ $# -eq 1 ] || { echo "usage: tests/cli/folders.sh path/to/ltesim" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
top=$(mktemp -d)
first='' second='' mounted=''
cleanup() {
    for child in $first $second; do kill -KILL "$child" 2> /dev/null; done
    [ -z "$mounted" ] || umount "$mounted"
    rm -rf "$top"
}
trap cleanup EXIT
cd "$top" || exit 1
passed=0 failed=0 skipped=0

cat > small.cfg << 'END'
# Small
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "16qam";
detectors  = ( "zf", "mmse" );
sweep      = { snr_db = [ 0.0, 10.0, 10.0 ]; min_bit_errors = 0; min_slots = 64; max_slots = 64; };
deadline   = { slots = 5; distinct = 2; paced = false; };
backend    = "cpu";
END
endless=(--only ber --threads 1 --set 'sweep.snr_points=(60,50)'
    --set sweep.min_bit_errors=1000000000 --set sweep.max_slots=1099511627776L
    --set sweep.max_seconds=60) # and an end, should nobody be refused

run() { timeout 600 "$ltesim" "$@" --table > stdout 2> stderr < /dev/null; code=$?; }
is_of() { grep -q "\"modulation\": \"$2\"" "$1/run.json"; }
plain='ber.csv groups.csv journal layers.csv run.json'

# ---- two at once: one works, the other is refused and names it ----
odd=0
for ((pair = 0; pair < 30 && odd < 2; pair++)); do
    rm -rf two
    "$ltesim" small.cfg --no-plot --out two "${endless[@]}" --set modulation=qpsk > /dev/null 2> a &
    first=$!
    "$ltesim" small.cfg --no-plot --out two "${endless[@]}" --set modulation=64qam > /dev/null 2> b &
    second=$!
    wait -n "$first" "$second"
    one=$?
    if kill -0 "$first" 2> /dev/null; then worker=$first log=b name=qpsk; else worker=$second log=a name=64qam; fi
    grep -q "^ltesim: result folder two: another run, \(pid $worker on\|which has just started\)" $log &&
        [ "$(wc -l < $log)" -eq 1 ] || one=0
    kill -TERM "$worker"
    wait "$worker"
    [ "$one:$?" = 1:143 ] && has_files two "$plain" && is_of two "$name" || odd=$((odd + 1))
    first='' second=''
done
claim of_two_one_works_and_one_is_refused [ "$odd" -eq 0 ]

# ---- one that was killed: the next goes on, and clears up behind it ----
"$ltesim" small.cfg --no-plot --out killed "${endless[@]}" > /dev/null 2>&1 &
first=$!
claim a_run_locks_its_folder soon test -s killed/.ltesim-lock
claim a_run_begins_its_journal soon test -s killed/journal
kill -KILL "$first"
wait "$first" 2> /dev/null
first=''
touch killed/.ltesim-1-ber.png
claim a_killed_run_leaves_its_lock test -e killed/.ltesim-lock
run small.cfg --only ber --no-plot --out killed
claim the_next_works [ "$code" -eq 0 ]
claim the_next_clears_up has_files killed "${plain/journal/journal journal.old}"

# ---- one that is interrupted: no file of the run before is left beside its own ----
drawing=''
[ -z "$(command -v gnuplot)" ] || drawing=yes
run small.cfg --out again
claim a_whole_run_exits_0 [ "$code" -eq 0 ]
# the first point ends at once, the second hardly ever
"$ltesim" small.cfg --out again --set modulation=qpsk "${endless[@]}" \
    --set 'sweep.snr_points=(0,60)' --set sweep.min_bit_errors=100000 --table > stdout 2> stderr &
first=$!
claim new_results_come soon is_of again qpsk
kill -TERM "$first"
wait "$first"
first=''
if [ -n "$drawing" ]; then
    claim interrupted_leaves_its_own has_files again 'ber.csv ber.png ber.svg groups.csv journal layers.csv run.json'
    claim interrupted_says_what_it_drew grep -q 'run.json; pictures ber (.svg, .png)$' stdout
else
    claim interrupted_leaves_its_own has_files again "$plain"
    skipped=$((skipped + 1)) && echo "skipped: pictures, no gnuplot"
fi

# ---- what is not ltesim's ----
mkdir mine
echo 1,2 | tee mine/channel.csv mine/timing.csv > mine/notes.txt
touch mine/timing.png
run small.cfg --only ber --no-plot --out mine
claim what_is_not_written_may_lie_there [ "$code" -eq 0 ]
claim others_stay has_files mine 'ber.csv channel.csv groups.csv journal layers.csv notes.txt run.json timing.csv timing.png'
claim others_stay_whole grep -qx 1,2 mine/channel.csv
run small.cfg --no-plot --out mine
claim others_are_not_overwritten [ "$code" -eq 2 ]
claim others_are_named grep -q '^ltesim: result folder mine: timing.csv exists and is not' stderr
claim a_refusal_leaves_no_lock [ ! -e mine/.ltesim-lock ]
mkdir older
echo detector,csi,snr_db,eb_n0_db > older/layers.csv # of a version that had fewer columns
run small.cfg --only ber --no-plot --out older
claim tables_of_older_versions_are_replaced [ "$code" -eq 0 ]
claim they_are_new_then grep -q '^detector,csi,snr_db,eb_n0_db,layer,' older/layers.csv

# ---- folders that are not named ----
run small.cfg --only ber --no-plot
run small.cfg --only ber --no-plot --set modulation=qpsk --set 'sweep.snr_points=( 1.0, 2.0 )'
run small.cfg --only ber --no-plot --set 'modulation = "64qam"'
claim overrides_make_folders_of_their_own has_files out "$(for f in \
    small small_modulation=64qam small_modulation=qpsk_sweep.snr_points=1.0,2.0; do
        for g in "" $plain; do echo "$f${g:+/$g}"; done; done | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')"
claim folders_are_said grep -q '^results in out/small_modulation=64qam: ' stdout
many=()
for ((i = 0; i < 40; i++)); do many+=(--set "seed=$i"); done
run small.cfg --only ber --no-plot "${many[@]}"
claim many_overrides_still_make_a_folder [ "$code" -eq 0 ]
run small.cfg --only ber --no-plot "${many[@]}" --set seed=77
claim and_another [ "$(find out -maxdepth 1 -name 'small_seed=0_*' | wc -l)" -eq 2 ]

# ---- pictures of any name and title ----
if [ -n "$drawing" ]; then
    mkdir named
    cd named || exit 1
    # shellcheck disable=SC2016 # a title may hold anything
    title='Ümlauts, "quotes" {braces} `ticks` 日本語 🙂 and much more than would ever fit the width of a picture, whatever its font is'
    for name in '|touch pwned #' '<touch pwned #' "it's" plain_a plain_b; do
        run ../small.cfg --only ber --out "$name" --set title="${title//\"/}"
        claim named_run_draws test -s "$name/ber.png" -a -s "$name/ber.svg"
    done
    claim no_name_is_a_command [ ! -e pwned -a ! -e '|touch pwned #/pwned' ]
    claim svg_keeps_its_letters grep -q '日本語' plain_a/ber.svg
    "$ltesim" plot plain_a plain_b -o both.svg > stdout
    claim legends_leave_out_what_all_share grep -q '>ZF, b<' both.svg
    cd "$top" || exit 1
fi

# ---- pictures: whole, or none and why ----
mkdir tools
for tool in awk basename cat grep head sed sh test env; do ln -s "$(command -v $tool)" tools/; done
pictures() { (cd "$1" && find . -name '*.png' -o -name '*.svg' | wc -l); }
PATH=$top/tools "$ltesim" small.cfg --only ber --table --out again > stdout 2> stderr
claim no_gnuplot_is_said grep -q 'run.json; no picture: gnuplot is not installed$' stdout
claim no_gnuplot_no_old_picture [ "$(pictures again)" -eq 0 ]
# shellcheck disable=SC2016 # the pretended gnuplot expands them
printf '#!/bin/sh\n[ "$1" = --version ] || echo "<svg" > "$3"\n' > tools/gnuplot
chmod +x tools/gnuplot
PATH=$top/tools "$ltesim" small.cfg --only ber --table --out again > stdout 2> stderr
claim a_broken_picture_is_said grep -q 'no picture: the picture written by gnuplot is incomplete' stdout
claim a_broken_picture_is_none has_files again "${plain/journal/journal journal.old}" # of the one interrupted above
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" = --version ] || { echo wrong >&2; exit 1; }\n' > tools/gnuplot
PATH=$top/tools "$ltesim" small.cfg --only ber --table --out again > stdout 2> stderr
claim the_reason_of_gnuplot_is_said grep -q 'no picture: gnuplot failed: wrong$' stdout
mkdir full
if mount -t tmpfs -o size=40k none full 2> /dev/null; then
    mounted=$top/full
    if [ -n "$drawing" ]; then
        run small.cfg --only ber --out full
        claim no_room_for_pictures_exits_0 [ "$code" -eq 0 ]
        claim no_room_for_pictures_is_said grep -q 'run.json; no picture: ' stdout
        claim no_room_leaves_tables_alone has_files full "$plain"
    fi
else
    skipped=$((skipped + 1)) && echo "skipped: a full folder, no file system can be mounted here"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
