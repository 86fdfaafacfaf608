#!/usr/bin/env bash
# No reduction of a warp (REDUX) in the machine code of devices has a guard, in no architecture:
#
#     tests/reductions.sh OBJECT_DIR
#
# A guard is the predicate under which a lane carries out an instruction. In an unrolled loop, ptxas
# 13.0 may choose a wrong one for a reduction under a condition. Such a loop is not to be unrolled:
# kernels/cuda/device/search_ml_llrs.cuh. Exit 77 (skipped) without cuobjdump or objects.
set -u

skip() {
    echo "skipped: $1"
    exit 77
}

# look OBJECT: its reductions, and those that have a guard
look() {
    cuobjdump -sass "$1" 2>/dev/null |
        awk -v object="${1##*/}" '/ REDUX/ { n++; if ($0 ~ /@!?U?P[0-9T]+ +REDUX/) guarded++ }
                                  END { print object, n + 0, guarded + 0 }'
}

command -v cuobjdump >/dev/null || skip "no cuobjdump"
export -f look
found=$(find "$1" -name '*.cu.o' -print0 2>/dev/null | xargs -0 -r -P 4 -I{} bash -c 'look {}' | sort)
[ -n "$found" ] || skip "no device code is built here"
awk '{ n += $2; guarded += $3; if ($3) print "FAILED  " $1 ": " $3 " of " $2 " reductions have a guard" }
     END { if (!n) print "FAILED  cuobjdump shows no machine code with reductions"
           print n + 0 " reductions"; exit guarded || !n }' <<<"$found"
