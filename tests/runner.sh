#!/usr/bin/env bash
# tests/run itself: options, exit codes, the last line; on tools that only pretend, and without
# those that nothing but the long tests needs.
#
#     tests/runner.sh
set -u
run=$(realpath "$(dirname "$0")")/run
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
passed=0 failed=0
mkdir "$top/bin"
for tool in bash cat dirname env flock grep id mkdir mktemp nproc readlink rm sed tail tee; do
    ln -s "$(command -v "$tool")" "$top/bin/$tool"
done
# pretend TOOL COMMAND ...: lines of a script that stands for the tool.
pretend() {
    printf '%s\n' '#!/bin/bash' "${@:2}" >"$top/bin/$1"
    chmod +x "$top/bin/$1"
}
for tool in cmake cc c++ pkg-config gnuplot python3 dpkg; do pretend "$tool" 'exit 0'; done
pretend apt-get 'exit 100'
# shellcheck disable=SC2016 # expanded there
pretend ctest 'top=$(dirname "$0")/..' \
    'case "$*" in "-N "*) echo "  Test #3: cuda"; exit ;; esac' \
    'printf "%s\n" "$*" >"$top/asked"; cat "$top/answer"; exit "$(cat "$top/code")"'

# answers CODE LINE ...: what ctest says and how it ends.
answers() {
    echo "$1" >"$top/code"
    printf '%s\n' "${@:2}" >"$top/answer"
}

# expect NAME CODE LAST_LINE PATTERN OPTION...: it ends so, and the pattern is in what was asked of
# ctest or in what was printed.
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

pretend make 'exit 0'
answers 0 '100% tests passed, 0 tests failed out of 3'
expect long_ones_are_left_out 0 '3 passed, 0 failed, 0 skipped' '-LE \^slow\$$'
expect long_ones_are_named 0 '' 'run --all$'
expect options_go_to_ctest 0 '' '-R invert -V -LE \^slow\$$' -R invert -V
expect labels_left_out_add_up 0 '' '-LE gpu\|mpi\|\^slow\$$' -LE gpu -LE mpi
expect all_leaves_none_out 0 '3 passed, 0 failed, 0 skipped' '--timeout 3600$' --all
expect all_goes_on_without_its_tools 0 '' 'those tests are skipped' --all
expect all_takes_options 0 '' '--timeout 3600 -R tidy -LE gpu$' --all -R tidy -LE gpu
answers 8 ' 2/3 Test #2: golden ....***Failed  0.1 sec' ' 3/3 Test #3: cuda ....***Skipped   0.0 sec' \
    '50% tests passed, 1 tests failed out of 3'
expect a_failure_exits_1 1 '1 passed, 1 failed, 1 skipped (of them 1 gpu)' Failed
answers 0 'No tests were found!!!'
expect no_test_exits_1 1 'no test ran' 'no test ran' -R nothing
pretend make 'echo wrong; exit 2'
expect a_broken_build_exits_1 1 'the build failed' wrong
expect help_exits_0 0 '' 'run --all ' --help
expect a_label_that_is_missing_exits_2 2 '' 'run --all ' -LE
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
