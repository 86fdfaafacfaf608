#!/usr/bin/env bash
# Folders of any name: no byte of it is ever a command, pictures are drawn all the same.
#
#     tests/cli/foreign_names.sh path/to/ltesim
set -u

[ $# -eq 1 ] || { echo "usage: tests/cli/foreign_names.sh path/to/ltesim" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
passed=0 failed=0 skipped=0
drawing=''
[ -z "$(command -v gnuplot)" ] || drawing=yes
[ -n "$drawing" ] || { skipped=1 && echo "skipped: pictures, no gnuplot"; }

cat > small.cfg << 'END'
# Small
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "16qam";
channel    = { model = "epa"; };
detectors  = ( "zf", "mmse" );
sweep      = { snr_db = [ 0.0, 10.0, 10.0 ]; min_bit_errors = 0; min_slots = 64; max_slots = 64; };
deadline   = { slots = 5; distinct = 2; paced = false; };
backend    = "cpu";
END

# Runs a command; its exit code is code, its lines are in stdout and stderr of the top folder.
run() { timeout 600 "$ltesim" "$@" > "$top/stdout" 2> "$top/stderr" < /dev/null; code=$?; }
# clean: nothing that a name asks for was made, wherever it could be.
clean() { [ -z "$(find "$top" "${HOME:-$top}" "$here" -xdev -maxdepth 6 \( -name X -o -name 'X;*' -o -name 'X)*' \) -newer "$top/small.cfg" 2>/dev/null)" ]; }
# a picture is there, and an SVG is text in UTF-8.
drawn() {
    [ -s "$1" ] || return 1
    [ "${1##*.}" != svg ] || iconv -f UTF-8 -t UTF-8 "$1" > /dev/null
}
both_drawn() { drawn "$1.svg" && drawn "$1.png"; }

# no_shell: the scripts of plots have no command and no pipe.
no_shell() { ! sed 's/^ *#.*//' "$here"/../../plots/*.gp | grep "system *(\|popen\|\`\|[\"']<"; }

bytes=$(printf '\200%.0s' {1..14})
# shellcheck disable=SC2016 # none of them is to be expanded
names=("$bytes';touch X;'" '$(touch X)' '`touch X`' '"; touch X; "' "it's" $'two\nlines' '-e' '|touch X' '<touch X'
    'X[1]*' 'a\b')

run small.cfg --only ber --out plain --no-plot
claim a_plain_folder [ "$code" -eq 0 ]
mkdir within
cd within || exit 1
n=0
for name in "${names[@]}"; do
    n=$((n + 1))
    dir=./$name # a name that begins with a dash is an option else
    run ../small.cfg --out "$name" --verify
    [ "$name" != -e ] || run ../small.cfg --out="$name" --verify
    claim "run_$n" test "$code" -eq 0 -a -s "$dir/ber.csv"
    if [ -n "$drawing" ]; then
        for picture in ber timing channel; do
            claim "run_${n}_draws_$picture" both_drawn "$dir/$picture"
        done
        run compare ../plain "$dir" --plot "both$n.svg"
        claim "compare_${n}_draws" drawn "both$n.svg"
        run compare "$dir" ../plain --plot "$dir/both.png"
        claim "compare_${n}_draws_into_it" drawn "$dir/both.png"
        for show in ber timing channel; do
            run plot "$dir" -o "$dir/own.pdf" --show "$show"
            claim "plot_${n}_$show" test "$code" -eq 0 -a -s "$dir/own.pdf"
        done
        run plot "$dir" ../plain -o "of$n.tex"
        claim "tex_$n" iconv -f UTF-8 -t UTF-8 "of$n.tex"
    fi
    run report "$dir"
    claim "report_$n" test "$code" -eq 0 -a -s "$dir/report.html"
    run ../small.cfg --only ber --set sweep.max_slots=128 --set sweep.min_slots=128 --out="$dir/0" --slots 0:63 --no-plot
    run ../small.cfg --only ber --set sweep.max_slots=128 --set sweep.min_slots=128 --out="$dir/1" --slots 64:127 --no-plot
    run merge "$dir/0" "$dir/1" --out "$dir/merged"
    claim "merge_$n" test "$code" -eq 0 -a -s "$dir/merged/ber.csv"
    claim "nothing_of_name_${n}_was_run" clean
    claim "nothing_is_left_of_name_$n" [ -z "$(find . -name '.ltesim-*')" ]
done

# ---- a program and scripts that lie in such a folder, called from within ----
if [ -n "$drawing" ]; then
    own="$top/${names[0]}"
    mkdir -p "$own/bin" "$own/share/ltesim"
    cp -L "$ltesim" "$own/bin/ltesim"
    cp -r "$here/../../plots" "$own/share/ltesim/plots"
    cd "$own" || exit 1
    timeout 600 "$own/bin/ltesim" plot "$top/plain" -o a.png > "$top/stdout" 2> "$top/stderr"
    claim its_own_folder_is_no_command clean
    claim its_own_folder_draws drawn a.png
    claim scripts_run_no_shell no_shell
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
