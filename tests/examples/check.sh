#!/bin/sh
# check.sh PROGRAM [ARGUMENT] -- [KEY LOW HIGH]...
# Runs an example; behind each KEY that it prints must stand a number from LOW to HIGH.
if [ "$2" = -- ]; then
    said=$("$1") || exit 1
    shift 2
else
    said=$("$1" "$2") || exit 1
    shift 3
fi
echo "$said"
[ $# -ge 3 ] || exit 1
while [ $# -ge 3 ]; do
    echo "$said" | awk -v key="$1 " -v low="$2" -v high="$3" '
        i = index($0, key) { value = substr($0, i + length(key)); seen = 1; exit }
        END {
            ok = seen && value ~ /^[-+]?[0-9]/ && value + 0 >= low + 0 && value + 0 <= high + 0
            if (!ok)
                print key "must be from " low " to " high
            exit !ok
        }' || exit 1
    shift 3
done
