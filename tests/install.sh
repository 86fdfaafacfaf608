#!/usr/bin/env bash
# The installed program and library: moved as a whole, found by the tools of C, and as they say.
#
#     tests/install.sh BUILD_DIR CMAKE whole|tests
#
# whole: what cmake --install gives; tests: the program and the library of the tests in their place.
# Compilers and sanitizers of the build are not asked of the examples: cc, as a stranger has it.
set -u
build=$(realpath "$1") cmake=$2 kind=$3
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
passed=0 failed=0
# shellcheck source=tests/lib/claim.sh
. "$here/lib/claim.sh"
if [ "$kind" = whole ]; then
    "$cmake" --install "$build" --prefix "$top/first" >install.log || { cat install.log; exit 1; }
else
    for component in Unspecified tests; do
        "$cmake" --install "$build" --component "$component" --prefix "$top/first" >install.log ||
            { cat install.log; exit 1; }
    done
    if [ ! -e "$build/programs/whole/ltesim" ]; then
        "$cmake" --install "$build" --prefix "$top/none" >refused.log 2>&1
        claim what_is_not_whole_is_not_installed [ $? -ne 0 ]
        claim and_the_reason_is_said grep -q 'the whole program is not built: cmake --build' refused.log
        claim and_nothing_is_there [ ! -e "$top/none" ]
    fi
fi
mkdir 'a place'
mv first 'a place/moved'
prefix="$top/a place/moved"
ltesim="$prefix/bin/ltesim"
library=$(find "$prefix" -name libltesim.so)
libdir=$(dirname "$library")
version=$("$ltesim" --version | sed -n '1s/^ltesim \([^ ]*\) .*/\1/p')

# ---- the program ----
"$ltesim" quick --only ber --quiet >run.log 2>&1
claim a_bare_name_is_an_installed_scenario [ -s out/quick/ber.csv ]
if command -v gnuplot >/dev/null; then
    claim the_installed_plots_are_found grep -q ' ber.png, ' run.log
fi
"$ltesim" quick.cfg --only ber --quiet --no-plot --out with_its_ending >/dev/null 2>&1
claim so_does_one_with_its_ending cmp <(cut -d, -f1-15 out/quick/ber.csv) \
    <(cut -d, -f1-15 with_its_ending/ber.csv)
printf '%s\n' '# mine' '@error' >quick.cfg
"$ltesim" quick.cfg --explain >mine.log 2>&1
claim a_file_that_is_here_goes_first [ $? -eq 2 ]
"$ltesim" none_such --explain >none.log 2>&1
claim a_name_that_is_nowhere_is_refused [ $? -eq 2 ]
claim and_named grep -q none_such none.log
if "$ltesim" --version | grep -q '^HDF5: yes'; then
    claim a_scenario_finds_the_file_beside_it "$ltesim" file_2x2 --explain
fi

# ---- words about it ----
"$ltesim" --help >help
options=$(sed -n 's/^  \(--[a-z-]*\).*/\1/p' help | sort)
claim there_are_options [ "$(wc -w <<<"$options")" -ge 18 ]
manual=$prefix/share/man/man1/ltesim.1
# section NAME: a section of the manual, without its backslashes.
section() { awk -v name="$1" '/^\.SH/ { on = $2 == name; next } on' "$manual" | sed 's,[\\],,g'; }
claim the_manual_has_the_options_of_help diff <(echo "$options") \
    <(section OPTIONS | awk 'tag { print } { tag = /^\.TP/ }' |
        sed 's/^[^-]*\(--[a-z-]*\).*/\1/' | sort)
commands=$(sed -n 's/^\(usage:\|      \) ltesim \([a-z][a-z]*\) .*/\2/p' help | sort -u)
claim the_manual_has_the_commands_of_help diff <(echo "$commands") \
    <(section SYNOPSIS | sed -n 's/^\.B ltesim \([a-z]*\)$/\1/p' | sort -u)
claim the_manual_has_the_version grep -q "^.TH .*ltesim $version" "$manual"
if command -v man >/dev/null; then
    LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z \
        "$manual" >/dev/null 2>man.log
    claim the_manual_has_no_fault [ ! -s man.log ]
fi

# complete WORD...: what the bash completion offers for the last word.
complete_bash() {
    PATH="$prefix/bin:$PATH" bash --norc -c '. "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ltesim ltesim; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$prefix/share/bash-completion/completions/ltesim" "$@"
}
claim completion_has_the_options_of_help diff <(echo "$options") <(complete_bash ltesim -- | sort)
claim completion_has_the_words_of_an_option diff <(printf 'ber\ndeadline\n') \
    <(complete_bash ltesim --only '')
claim completion_has_the_commands diff <(echo "$commands") \
    <(for command in $commands; do complete_bash ltesim "${command:0:3}"; done)
claim completion_has_the_backends grep -qx cpu:ref <(complete_bash ltesim --backend '')
claim completion_has_the_scenarios grep -qx quick.cfg <(complete_bash ltesim '')
claim completion_has_folders diff <(echo out) <(complete_bash ltesim --out o)
claim completion_has_nothing_for_a_number diff <(echo) <(complete_bash ltesim --threads '')
if command -v zsh >/dev/null; then
    claim zsh_takes_its_completion zsh -fn "$prefix/share/zsh/site-functions/_ltesim"
fi

# ---- the library ----
if [ -z "$library" ]; then
    echo "skipped: a static build has no library"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
fi
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
claim its_soname_has_the_version \
    [ "$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')" = "libltesim.so.${version%.*}" ]
claim pkg_config_has_the_version [ "$(pkg-config --modversion ltesim)" = "$version" ]
nm -D --defined-only "$library" | awk '{ print $3 }' | sort >exported
grep -hv '^#' "$prefix"/include/ltesim/*.h | tr '\n' ' ' | grep -o 'LTE_API [^(]*(' |
    sed 's/.*[ *]\([a-z_]*\)($/\1/' | sort >declared
claim it_exports_what_its_headers_declare diff declared exported
for header in "$prefix"/include/ltesim/*.h; do
    name=ltesim/$(basename "$header")
    printf '#include <%s>\n#include <%s>\n' "$name" "$name" >one.c
    cp one.c one.cc
    claim "${name}_stands_alone_in_C11" cc -std=c11 -Wall -Wextra -Wpedantic -Werror \
        -I "$prefix/include" -c one.c -o one.o
    if command -v c++ >/dev/null; then
        claim "${name}_stands_alone_in_C++17" c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror \
            -I "$prefix/include" -c one.cc -o one.o
    fi
done

mkdir mine && cd mine || exit 1
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.22)
project(mine LANGUAGES C)
find_package(ltesim 0.1 REQUIRED)
foreach(name invert_batch detect_slot decode_blocks read_result)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} PRIVATE ltesim::ltesim m)
endforeach()
EOF
cp "$here"/examples/{invert_batch,detect_slot,decode_blocks,read_result}.c .
mkdir by_pkg_config
flags=()
for name in invert_batch detect_slot decode_blocks read_result; do
    eval "flags=($(pkg-config --cflags --libs ltesim))"
    claim "${name}_is_compiled_with_pkg_config" \
        cc -O2 "$name.c" "${flags[@]}" -lm -o "by_pkg_config/$name"
done
claim find_package_finds_it "$cmake" -S . -B by_cmake -DCMAKE_PREFIX_PATH="$prefix"
claim and_builds_with_it "$cmake" --build by_cmake
for by in by_pkg_config by_cmake; do
    claim "invert_batch_of_$by" "$here/examples/check.sh" "$by/invert_batch" -- flagged 1 1
    claim "detect_slot_of_$by" "$here/examples/check.sh" "$by/detect_slot" -- 'bit errors' 4410 7190
    claim "decode_blocks_of_$by" "$here/examples/check.sh" "$by/decode_blocks" -- wrong 360 400
    claim "read_result_of_$by" "$here/examples/check.sh" "$by/read_result" "$top/out/quick" -- \
        rows 9 9 sound 9 9
done
claim they_run_by_the_library_installed grep -q "$libdir/libltesim.so.${version%.*}" \
    <(ldd by_pkg_config/invert_batch)
claim a_wrong_folder_is_one_line [ "$(by_cmake/read_result "$top" 2>&1 | wc -l)" -eq 1 ]

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
