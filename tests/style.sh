#!/usr/bin/env bash
# Style of the sources, one kind a call:
#
#     tests/style.sh format                 clang-format
#     tests/style.sh shell                  shellcheck
#     tests/style.sh modes                  few lines ask which mode a link is in
#     tests/style.sh tidy BUILD_DIR I N     clang-tidy: part I of N of what BUILD_DIR compiles
#
# Exit 77 (skipped) where the tool is missing or of another major version than the one that the
# sources are kept with, since each version formats differently.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
version=14

need() {
    if ! "$1" --version 2>/dev/null | grep -q "version $version\."; then
        echo "skipped: $1 $version is not here"
        exit 77
    fi
}

case $1 in
format)
    need clang-format
    mapfile -t sources < <(git ls-files '*.c' '*.h' '*.cc' '*.cu' '*.cuh' '*.cpp')
    clang-format --dry-run -Werror "${sources[@]}"
    ;;
shell)
    command -v shellcheck >/dev/null || { echo "skipped: shellcheck is not here"; exit 77; }
    mapfile -t scripts < <(git ls-files 'ltesim' 'tests/run' '.ci/run' '*.sh' 'sim/building/late/gnuplot')
    shellcheck "${scripts[@]}"
    ;;
modes)
    # What differs by mode (large arrays, two reference symbols, LLRs, codes, what is counted, which
    # path of a device) belongs into a row of a table, not into a condition in a loop of all modes.
    declare -A most=([kernels]=46 [phy]=4 [sim]=40)
    asked='LTE_IS_LARGE|in_batches|gives_llrs|is_soft|is_coded|both_fuse|large_fuses|\bsolves\('
    asked+='|(->|\.)inverts\b|references *(>|<|==|!=)|(->|\.)(soft|coded)\b *(\?|&&|\|\||\))'
    asked+='|(->|\.)code *(\?|&&|\|\||==|!=)|if \(.*(->|\.)code\b'
    asked+='|\b(carries|soft|SOFT|BOTH) *(\?|&&|\|\||\))'
    asked+='|(->|\.)takes\(|counted *(==|!=)|(->|\.)(by_symbol|decodes|delivers)\b *(\?|&&|\|\||\))'
    asked+='|due_slots *[<>]|is_list\('
    wrong=0
    for part in kernels phy sim; do
        mapfile -t sources < <(git ls-files "$part/*.c" "$part/*.h" "$part/*.inc" "$part/*.cu" "$part/*.cuh")
        found=$(grep -HnP "$asked" "${sources[@]}")
        n=$(grep -c . <<<"$found")
        echo "$part: $n lines, at most ${most[$part]}"
        if [ "$n" -gt "${most[$part]}" ]; then
            echo "$found"
            wrong=1
        fi
    done
    exit $wrong
    ;;
tidy)
    need clang-tidy
    part=$2/tidy/$3
    mkdir -p "$part"
    mapfile -t units < <(python3 tests/tidy_part.py "$2" "$3" "$4" "$part/compile_commands.json")
    [ ${#units[@]} -gt 0 ] || exit 1
    echo "${#units[@]} sources"
    clang-tidy -p "$part" --quiet "${units[@]}" 2>/dev/null
    ;;
*)
    exit 2
    ;;
esac
