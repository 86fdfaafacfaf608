#!/usr/bin/env bash
# The launcher ./ltesim: when it builds and when it only runs, on tools that only pretend.
#
#     tests/launcher.sh
set -u
source=$(realpath "$(dirname "$0")/..")
top=$(mktemp -d)
trap 'chmod -R u+w "$top"; rm -rf "$top"' EXIT
passed=0 failed=0 skipped=0
mkdir -p "$top/bin" "$top/a/tests"
for tool in bash cat chmod dirname find flock grep id mkdir mktemp mv nproc readlink rm sed touch; do
    ln -s "$(command -v "$tool")" "$top/bin/$tool"
done
# pretend TOOL LINE...: a script that stands for the tool.
pretend() {
    printf '%s\n' '#!/bin/bash' "${@:2}" >"$top/bin/$1"
    chmod +x "$top/bin/$1"
}
build_tools=(cmake make cc c++ pkg-config)
for tool in cc c++ pkg-config; do pretend "$tool" 'exit 0'; done
pretend apt-get 'exit 100'
pretend gnuplot 'exit 0'
# shellcheck disable=SC2016 # expanded there
pretend cmake 'echo cmake >>"$ASKED"' 'echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2" >"$4/CMakeCache.txt"' \
    'touch "$4/Makefile"'
# shellcheck disable=SC2016
pretend make 'echo make >>"$ASKED"' \
    'printf "#!/bin/bash\necho ran %s\n" "$(sed -n "s/^CMAKE_HOME_DIRECTORY:INTERNAL=//p" "$2/CMakeCache.txt")" >"$2/ltesim"' \
    'chmod +x "$2/ltesim"'
cp "$source/ltesim" "$top/a/"
cp "$source/tests/packages.sh" "$top/a/tests/"
mkdir "$top/a/sim" "$top/a/kernels" "$top/a/phy"
touch "$top/a/CMakeLists.txt" "$top/a/sim/main.c"

# expect NAME CODE LAST_LINE ASKED LINES FOLDER [SETTING...]: it ends so; the tools that were asked,
# and how many lines it said on stderr ("" any).
expect() {
    local name=$1 code=$2 last=$3 asked=$4 lines=$5 folder=$6 got why=
    shift 6
    : >"$top/asked"
    "${as[@]}" env -i PATH="$top/bin" HOME="$top" ASKED="$top/asked" "$@" "$folder/ltesim" \
        >"$top/out" 2>"$top/err" </dev/null
    got=$?
    [ "$got" -eq "$code" ] || why="exit $got, not $code"
    [ "$(tail -n 1 "$top/out" "$top/err" -q | grep -c "$last")" -ge 1 ] || why="$why; no '$last'"
    [ "$(tr '\n' ' ' <"$top/asked")" = "$asked" ] || why="$why; not '$asked' was asked"
    [ -z "$lines" ] || [ "$(wc -l <"$top/err")" -eq "$lines" ] || why="$why; not $lines lines"
    if [ -z "$why" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: ${why#; }"
        cat "$top/asked" "$top/out" "$top/err" | tail -n 12 | sed 's/^/    /'
    fi
}
as=()
later() { touch -d "$1" "$2"; }
if [ "$(id -u)" -eq 0 ]; then # root may write anywhere and install: be nobody
    as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    "${as[@]}" true 2>/dev/null || as=()
    [ ${#as[@]} -eq 0 ] || chown -R 65534:65534 "$top"
fi
touch "$top/asked" && chmod 666 "$top/asked"

rm "$top/bin/gnuplot"
expect without_gnuplot_it_builds 0 "^ran $top/a$" 'cmake make ' '' "$top/a"
expect built_it_only_runs 0 "^ran $top/a$" '' 0 "$top/a"
mkdir "$top/hidden"
for tool in "${build_tools[@]}"; do mv "$top/bin/$tool" "$top/hidden/"; done
expect built_it_needs_no_tools 0 "^ran $top/a$" '' 0 "$top/a"
later '1 hour' "$top/a/sim/main.c"
expect to_build_it_needs_them 1 'to install: sudo apt-get install cmake make gcc' '' '' "$top/a"
mv "$top/hidden"/* "$top/bin/"
later '1 hour ago' "$top/a/sim/main.c"
touch "$top/a/sim/new.c"
later '1 minute' "$top/a/sim/new.c"
expect a_new_source_is_built 0 "^ran $top/a$" 'make ' '' "$top/a"
later '1 hour ago' "$top/a/sim/new.c"
mkdir -p "$top/a/.git/logs"
touch "$top/a/.git/index" "$top/a/.git/logs/HEAD"
later '1 hour ago' "$top/a/.git/logs/HEAD"
later '1 minute' "$top/a/.git/index"
expect a_look_at_the_index_builds_nothing 0 "^ran $top/a$" '' 0 "$top/a"
cp -a "$top/a" "$top/b"
expect a_copied_tree_builds_itself 0 "^ran $top/b$" 'cmake make ' '' "$top/b"
expect the_original_stays 0 "^ran $top/a$" '' 0 "$top/a"
mv "$top/b" "$top/c"
expect a_moved_tree_builds_itself 0 "^ran $top/c$" 'cmake make ' '' "$top/c"
expect another_build_folder_is_left_alone 1 "is a build of $top/a" "" "" "$top/c" LTE_BUILD="$top/a/build"
if [ ${#as[@]} -gt 0 ] || [ "$(id -u)" -ne 0 ]; then
    later '1 hour' "$top/a/sim/main.c"
    chmod -R a-w "$top/a"
    expect read_only_it_runs_what_is_there 0 "^ran $top/a$" '' 1 "$top/a"
    chmod -R u+w "$top/a"
    rm -r "$top/a/build"
    chmod a-w "$top/a"
    expect read_only_without_a_build_is_one_line 1 'its owner must run' '' 1 "$top/a"
else
    echo "skipped: a read-only tree, root writes anywhere"
    skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
