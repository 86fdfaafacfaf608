#!/bin/sh
# Every global symbol of some libraries or objects begins with their prefix.
#
#     tests/symbols.sh NM PREFIX FILE ...
#
# Passed over: main, the compiler's own, which begin with two underscores or DW.ref., and what
# stands in an anonymous namespace, which nvcc exports under a name that no other file can have.
set -u
nm=$1 prefix=$2
shift 2
failed=0
for file in "$@"; do
    names=$("$nm" -g -P --defined-only "$file" | awk 'NF >= 3 { print $1 }') || exit 1
    if [ -z "$names" ]; then
        echo "FAILED  $file: no symbols"
        failed=$((failed + 1))
    fi
    strange=$(printf '%s\n' "$names" | grep -v -e "^$prefix" -e '^main$' -e '^__' \
        -e '^DW\.ref\.__' -e '_GLOBAL__N_' | sort -u)
    for name in $strange; do
        echo "FAILED  $file: $name"
        failed=$((failed + 1))
    done
done
echo "$# files, $failed failed"
[ "$failed" -eq 0 ]
