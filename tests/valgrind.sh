#!/usr/bin/env bash
# A run of the program, both jobs, is clean under valgrind:
#
#     tests/valgrind.sh BINARY BACKEND
#
# valgrind knows no AVX-512, so cpu:v4 cannot be asked. Exit 77 (skipped) without valgrind
# or where the processor lacks the instructions.
set -u
binary=$(realpath -e "$1") || exit 2
backend=$2
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
command -v valgrind >/dev/null || { echo "skipped: valgrind is not here"; exit 77; }
if ! tests/lib/listed.py "$binary" usable cpu | grep -qx "$backend"; then
    echo "skipped: $backend is not on this processor"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
    --show-leak-kinds=definite \
    "$binary" scenarios/quick.cfg --backend "$backend" --threads 1 --no-plot --quiet \
    --out "$folder" --set sweep.min_slots=1 --set sweep.max_slots=1 --set sweep.round_slots=1 \
    --set 'carrier.bandwidth_mhz=1.4' --set deadline.slots=2 --set deadline.distinct=2 \
    --set deadline.paced=false > /dev/null
