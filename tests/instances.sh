#!/usr/bin/env bash
# What the compiler makes many times over, for each order or detector, is as often there as
# instances.txt says, and each file has the level that it says: a table that grows, or a level that
# does not take effect, is seen here before it is felt in every build.
#
#     tests/instances.sh processor CC SET    calls of a body in a piece of an instruction set
#     tests/instances.sh device OBJECT_DIR   kernels of each .cu file; <name>.cu.o, at any depth
#     tests/instances.sh level COMMANDS BUILD_TYPE FLAGS    the last -O of each file of the product in
#                            compile_commands.json: the list's, -O2 where the list has none
#
# A kernel is known by what nvcc (13) keeps of it on the host, a handle in its stub, whatever the
# architectures are. Exit 77 (skipped) without nm, without objects, or with an nvcc that keeps none.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
list=tests/instances.txt

skip() {
    echo "skipped: $1"
    exit 77
}

# compare FOUND WANTED: lines of both, in any order.
compare() {
    local difference
    if ! difference=$(diff <(LC_ALL=C sort <<<"$2") <(LC_ALL=C sort <<<"$1")); then
        echo "FAILED  < as $list has them, > as they are:"
        grep '^[<>]' <<<"$difference"
        exit 1
    fi
    awk '{ n += $NF } END { print NR " lines" (n ? ", " n " instances" : "") }' <<<"$1"
}

case $1 in
processor)
    [ "$3" != ref ] || skip "the plain loops have one instance for all orders"
    wanted=$(awk '$1 ~ /\.c$/ && NF == 3' "$list")
    found=$(while read -r file body _; do # its definition is none
        text=$("$2" -std=c11 -D_GNU_SOURCE -I. -E -P "-DLTE_SET_HEADER=\"kernels/cpu/set_$3.h\"" "$file") || exit 1
        echo "$file $body $(($(grep -oE "\b$body *\(" <<<"$text" | wc -l) - 1))"
    done <<<"$wanted")
    ;;
device)
    command -v nm >/dev/null || skip "no nm"
    wanted=$(awk '$1 ~ /\.cu$/ { print $1, $2 }' "$list")
    found=$(find "$2" -name '*.cu.o' 2>/dev/null | while read -r object; do
        name=kernels/${object#*/kernels/}
        [[ $object == */kernels/* ]] || name=detectors/${object##*/}
        echo "${name%.o} $(nm "$object" | grep -c '__device_stub__.*__handle$')"
    done | sort -u)
    [ -n "$found" ] || skip "no device code is built here"
    grep -q ' [1-9]' <<<"$found" || skip "this nvcc keeps no handles of kernels"
    # of a detector that is not linear at most 16, in all its objects
    searching=$(sed -n 's/^#define LTE_SEARCHING_DETECTORS(X)//p' phy/detection/detectors.h | tr -d 'X()')
    for id in $searching; do
        n=$(awk -v id="$id" '$1 ~ "^detectors/" id "(_soft)?(_sweep|_slot)?_cuda" { n += $2 } END { print n + 0 }' <<<"$found")
        ((n >= 1 && n <= 16)) || {
            echo "FAILED  $id has $n kernels, 1 to 16 are allowed"
            exit 1
        }
    done
    ;;
level)
    # a build with a level of its own has nothing to compare
    [[ "$3 $4" == "Release -O"[23]" -DNDEBUG" ]] || skip "flags of their own: $3, $4"
    all=$(sed -n 's/^ *"command": //p' "$2" | grep -E ' -c [^ ]*/(phy|kernels|sim)/[^ ]*\.c' |
        sed -E 's/.* -(O[0-9a-z]*) .* -c [^ ]*\/((phy|kernels|sim)\/[^ "]*)"?,?$/\2 \1/' | sort -u)
    wanted=$(awk 'NR == FNR { here[$1] = 1; next } $2 ~ /^O[0-9]$/ && $1 in here { print $1, $2 }' \
        <(echo "$all") "$list")
    found=$(grep -v ' O2$' <<<"$all")
    ;;
esac
compare "$found" "$wanted"
