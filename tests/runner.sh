#!/usr/bin/env bash
# tests/run itself: options, exit codes, the last line, what it builds; on tools that only pretend,
# and without those that nothing but the long tests needs.
#
#     tests/runner.sh
set -u
run=$(realpath "$(dirname "$0")")/run
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
passed=0 failed=0
mkdir "$top/bin"
for tool in awk bash cat date dirname env find flock grep head id mkdir mktemp nproc readlink rm \
    sed sleep sort stat tail tee touch; do
    ln -s "$(command -v "$tool")" "$top/bin/$tool"
done
# pretend TOOL COMMAND ...: lines of a script that stands for the tool.
pretend() {
    printf '%s\n' '#!/bin/bash' "${@:2}" >"$top/bin/$1"
    chmod +x "$top/bin/$1"
}
for tool in make c++ pkg-config gnuplot python3 dpkg; do pretend "$tool" 'exit 0'; done
# shellcheck disable=SC2016 # expanded there
pretend cc 'case "$*" in *-E*) echo gcc 12 ;; esac'
pretend apt-get 'exit 100'
# shellcheck disable=SC2016 # expanded there
pretend ctest 'top=$(dirname "$0")/..' \
    'case "$*" in "-N -L ^gpu$") echo "  Test #3: cuda"; exit ;;' \
    '    -N\ *) sed "s/^/  Test  #1: /" "$top/names"; exit ;; esac' \
    'printf "%s\n" "$*" >>"$top/asked"; cat "$top/answer"; exit "$(cat "$top/code")"'

# answers CODE LINE ...: what ctest says and how it ends.
answers() {
    echo "$1" >"$top/code"
    printf '%s\n' "${@:2}" >"$top/answer"
}

# builds LINE...: cmake, whose builds do that.
builds() {
    # shellcheck disable=SC2016 # expanded there
    pretend cmake 'case $1 in --version) echo cmake version 3.25.1 ;;' \
        '--build) echo "targets ${*:6}" >>"${0%/*}/../asked"' "$@" ';; esac'
}

# expect NAME CODE LAST_LINE PATTERN OPTION...: it ends so, and the pattern is in what was asked of
# cmake and ctest or in what was printed.
expect() {
    local name=$1 code=$2 last=$3 pattern=$4 got why=
    shift 4
    : >"$top/asked"
    env -i PATH="$top/bin" HOME="$top" LTE_BUILD="$top/build" "$run" "$@" >"$top/out" 2>&1 </dev/null
    got=$?
    [ "$got" -eq "$code" ] || why="exit $got, not $code"
    [ "$(tail -n 1 "$top/out")" = "$last" ] || [ -z "$last" ] || why="$why; the last line is another"
    cat "$top/asked" "$top/out" | grep -qE -- "$pattern" || why="$why; no '$pattern'"
    if [ -z "$why" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: ${why#; }"
        cat "$top/asked" "$top/out" | tail -n 12 | sed 's/^/    /'
    fi
}

builds true
printf '%s\n' invert cuda >"$top/names"
answers 0 '100% tests passed, 0 tests failed out of 3'
expect long_ones_are_left_out 0 '3 passed, 0 failed, 0 skipped' '-LE \^slow\$$'
expect long_ones_are_named 0 '' 'run --all$'
expect options_go_to_ctest 0 '' '-R invert -V -LE \^slow\$$' -R invert -V
expect labels_left_out_add_up 0 '' '-LE gpu\|mpi\|\^slow\$$' -LE gpu -LE mpi
expect all_leaves_none_out 0 '3 passed, 0 failed, 0 skipped' '--timeout 3600$' --all
expect all_goes_on_without_its_tools 0 '' 'those tests are skipped' --all
expect all_takes_options 0 '' '--timeout 3600 -R tidy -LE gpu$' --all -R tidy -LE gpu
expect what_is_selected_is_not_known_yet 0 '' '^targets tested -j' -R invert
mkdir -p "$top/build/tests"
printf '%s\n' 'invert test_invert ltesim' 'cuda test_cuda ltesim' 'golden ltesim' \
    >"$top/build/tests/needs.txt"
expect what_is_selected_is_built 0 '' '^targets ltesim test_cuda test_invert -j' -R invert
echo golden >"$top/names"
expect and_nothing_else 0 '' '^targets ltesim -j' -R golden
expect tools_of_others_are_not_asked_for 0 '' '^targets all tested tested_device -j' --all -R golden
! grep valgrind "$top/out" || {
    failed=$((failed + 1))
    echo "tools_of_others_are_not_asked_for: valgrind is"
}
echo valgrind_ref >"$top/names"
expect its_own_are 0 '' 'missing for the tests of memory: valgrind' --all -R valgrind
printf '%s\n' golden new >"$top/names"
expect one_that_needs_are_not_known_of_needs_all 0 '' '^targets ltesim tested -j' -R golden
expect without_options_all_but_the_long_ones 0 '' '^targets tested -j'
expect with_all_the_whole 0 '' '^targets all tested tested_device -j' --all
answers 0 ' 1/3 Test  #1: quick ....   Passed    0.10 sec' \
    ' 2/3 Test  #2: slow_one .......   Passed   12.00 sec' \
    '100% tests passed, 0 tests failed out of 3'
expect all_names_the_slowest_first 0 '3 passed, 0 failed, 0 skipped' '^ +12.0 slow_one$' --all
[ "$(grep -A 1 'longest to run' "$top/out" | tail -n 1)" = "    12.0 slow_one" ] || {
    failed=$((failed + 1))
    echo "all_names_the_slowest_first: another one is first"
}
printf '0\t2500\t1\tx.c.o\tab\n0\t500\t1\ty.c.o\tab\n' >"$top/build/.ninja_log"
expect and_the_objects_that_took_longest 0 '' '^ +2.5 x.c.o$' --all
answers 8 ' 2/3 Test #2: golden ....***Failed  0.1 sec' ' 3/3 Test #3: cuda ....***Skipped   0.0 sec' \
    '50% tests passed, 1 tests failed out of 3'
expect a_failure_exits_1 1 '1 passed, 1 failed, 1 skipped (of them 1 gpu)' Failed
answers 0 'No tests were found!!!'
: >"$top/names"
# shellcheck disable=SC2016 # expanded there
builds 'echo built >"${0%/*}/../build/built"'
expect no_test_exits_1 1 'no test ran' 'no test ran' -R nothing
[ ! -e "$top/build/built" ] || {
    failed=$((failed + 1))
    echo "no_test_exits_1: it built"
}
echo golden >"$top/names"
builds 'echo "x.c:1: error: wrong"; exit 2'
expect a_broken_build_exits_1 1 'the build failed' '^x.c:1: error: wrong$'
expect and_names_its_log 1 '' "its full output is in $top/build/build.log"
expect help_exits_0 0 '' 'run --all ' --help
expect a_label_that_is_missing_exits_2 2 '' 'run --all ' -LE
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
