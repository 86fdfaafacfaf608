#!/usr/bin/env bash
# Throughput against what 3GPP requires: met by the receiver as it is, missed by a worse one.
#
#     tests/cli/conformance.sh BINARY
set -u
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
passed=0 failed=0
binary=$(realpath "$1")
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1

# Runs it over a tenth of the slots, or less; options follow.
slots=5120
[ -z "${LTE_TEST_LONG-}" ] || slots=6400
verify() {
    "$binary" --verify 3gpp --backend cpu --quiet --out out --set sweep.min_slots=$slots --set sweep.max_slots=$slots \
        "$@" >out.txt 2>err.txt
}

# The lines of requirements with a verdict.
verdicts() {
    grep -c "^A[345]-2.* $1\$\|^A4-3.* $1\$" out.txt
}

verify
claim met_ends_well test $? -eq 0
claim all_points_are_met test "$(verdicts met)" -eq 4
# shellcheck disable=SC2016
claim margins_are_those_of_a_receiver awk '/(met|MISSED)$/ { n++; if ($9 < 0.5 || $9 > 4) bad++ } END { exit !(n == 4 && !bad) }' out.txt
claim what_is_not_judged_is_said grep -q "A17-1 (256QAM" out.txt
for channel in A3-2 A4-3 A5-2; do
    claim "files_of_$channel" test -s "out/$channel/bler.csv" -a -s "out/$channel/run.json"
done
verify --set code.transmissions=1 --set code.iterations=1
claim missed_ends_with_4 test $? -eq 4
claim missed_points_are_said test "$(verdicts MISSED)" -ge 2

for options in "--only ber" "--slots 0:639" "--explain" "--set detectors=mmse,mrc" \
    "--set code.rate=default --set code.transmissions=default"; do
    # shellcheck disable=SC2086
    verify $options
    claim "refused: $options" test $? -eq 2 -a "$(wc -l <err.txt)" -eq 1
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
