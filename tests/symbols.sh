#!/bin/sh
# Every global symbol of the libraries begins with lte_.
#
#     tests/symbols.sh NM LIBRARY ...
#
# Passed over: the compiler's own, which begin with two underscores or DW.ref., and what stands in
# an anonymous namespace, which nvcc exports under a name that no other file can have.
set -u
nm=$1
shift
failed=0
for library in "$@"; do
    names=$("$nm" -g -P --defined-only "$library" | awk 'NF >= 3 { print $1 }') || exit 1
    if [ -z "$names" ]; then
        echo "FAILED  $library: no symbols"
        failed=$((failed + 1))
    fi
    strange=$(printf '%s\n' "$names" | grep -v -e '^lte_' -e '^__' -e '^DW\.ref\.__' \
        -e '_GLOBAL__N_' | sort -u)
    for name in $strange; do
        echo "FAILED  $library: $name"
        failed=$((failed + 1))
    done
done
echo "$# libraries, $failed failed"
[ "$failed" -eq 0 ]
