#!/bin/sh
# Every global symbol of the libraries begins with lte_.
#
#     tests/symbols.sh NM LIBRARY ...
#
# Names that begin with two underscores are the compiler's own and are passed over.
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
    strange=$(printf '%s\n' "$names" | grep -v -e '^lte_' -e '^__' | sort -u)
    for name in $strange; do
        echo "FAILED  $library: $name"
        failed=$((failed + 1))
    done
done
echo "$# libraries, $failed failed"
[ "$failed" -eq 0 ]
