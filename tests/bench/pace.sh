#!/usr/bin/env bash
# The pace of this machine: the seconds that its compiler takes for pace.c, over those of a
# reference host. A slower machine has a larger one.
#
#     tests/bench/pace.sh                        over the seconds in pace.txt, if it is there
#     tests/bench/pace.sh --reference SECONDS    over these wall seconds
#     tests/bench/pace.sh --seconds              the wall seconds alone, as pace.txt holds them
#
# One line: wall and user seconds of one `cc -std=c11 -O2 -c pace.c`, the pace, the compiler, the
# processor. $CC names another compiler. It runs alone, one compilation after the other, on an idle
# machine; where one takes less than 0.2 s, a round is as many as take a second, and the line says
# so. The best of three rounds counts, wall and user seconds each by itself.
set -euo pipefail
export LC_ALL=C

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compiler=${CC:-cc}

usage() {
    echo "usage: tests/bench/pace.sh [--reference SECONDS | --seconds]" >&2
    exit 2
}

is_seconds() { [[ $1 =~ ^[0-9]+([.][0-9]+)?$ ]] && [[ $1 =~ [1-9] ]]; }

reference="" bare=""
case "$#:${1:-}" in
0:) ;;
1:--seconds) bare=yes ;;
2:--reference)
    is_seconds "$2" || usage
    reference=$2
    ;;
*) usage ;;
esac
if [ -z "$reference" ] && [ -f "$here/pace.txt" ]; then
    reference=$(sed -n '/^[^#]/{p;q}' "$here/pace.txt")
    if ! is_seconds "$reference"; then
        echo "pace.sh: pace.txt: '$reference' are no seconds" >&2
        exit 1
    fi
fi

objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

compile() {
    local i
    for ((i = 0; i < $1; i++)); do
        CCACHE_DISABLE=1 "$compiler" -std=c11 -O2 -c "$here/pace.c" -o "$objects/pace.o"
    done
}

# Wall and user seconds of one of $1 compilations.
round() {
    local times TIMEFORMAT='%R %U'
    if ! times=$({ time compile "$1" 2>"$objects/errors"; } 2>&1); then
        sed -n 1,3p "$objects/errors" >&2
        echo "pace.sh: $compiler does not compile pace.c" >&2
        return 1
    fi
    awk -v n="$1" '{ printf "%.4f %.4f", $1 / n, $2 / n }' <<<"$times"
}

round 1 >"$objects/first" # brings the compiler into memory
first=$(round 1)
n=$(awk '{ print ($1 < 0.2 ? int(1 / ($1 > 0.001 ? $1 : 0.001)) + 1 : 1) }' <<<"$first")
times=$(round "$n"; echo; round "$n"; echo; round "$n")
read -r wall user < <(awk 'NR == 1 { w = $1; u = $2 } $1 < w { w = $1 } $2 < u { u = $2 }
                           END { print w, u }' <<<"$times")

if [ -n "$bare" ]; then
    echo "$wall"
    exit
fi
pace="no pace: tests/bench/pace.txt is not here"
if [ -n "$reference" ]; then
    pace=$(awk -v w="$wall" -v r="$reference" 'BEGIN { printf "pace %.2f of %s s", w / r, r }')
fi
each=""
[ "$n" -eq 1 ] || each=" of $n compilations each"
version=$("$compiler" --version | head -n 1)
processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
echo "wall $wall s, user $user s, best of three rounds$each;" \
    "$pace; $version; ${processor:-$(uname -m)}"
