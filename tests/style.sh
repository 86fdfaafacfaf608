#!/usr/bin/env bash
# Style of the sources: clang-format and clang-tidy at zero, shell scripts clean.
#
#     tests/style.sh BUILD_DIR      (a configured build, for its compile_commands.json)
#
# Exit 77 (skipped) where the tools are missing or of another major version than the one that the
# sources are kept with, since each version formats differently.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
build=$1
version=14

for tool in clang-format clang-tidy; do
    if ! $tool --version 2>/dev/null | grep -q "version $version\."; then
        echo "skipped: $tool $version is not here"
        exit 77
    fi
done

failed=0 passed=0
verdict() {
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

mapfile -t sources < <(git ls-files '*.c' '*.h' '*.cc' '*.cu' '*.cuh' '*.cpp')
clang-format --dry-run -Werror "${sources[@]}"
verdict $?
if command -v shellcheck >/dev/null 2>&1; then
    mapfile -t scripts < <(git ls-files 'ltesim' 'tests/run' '.ci/run' '*.sh')
    shellcheck "${scripts[@]}"
    verdict $?
fi
# one compilation of each source: the variants of an instruction set share their text
mapfile -t units < <(git ls-files '*.c')
printf '%s\n' "${units[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet 2>/dev/null
verdict $?

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
