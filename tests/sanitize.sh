#!/usr/bin/env bash
# A build with AddressSanitizer and UndefinedBehaviorSanitizer of what the tests run:
#
#     tests/sanitize.sh BUILD_DIR
#
# It lies in BUILD_DIR/sanitize; the tests whose names begin with sanitized_ run it.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
build=$1/sanitize
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ cmake -S . -B "$build" -DLTE_CUDA=OFF -DLTE_SANITIZE=address,undefined \
    -DCMAKE_C_FLAGS_RELEASE=-O1 && cmake --build "$build" --target tested; } >"$log" 2>&1 || {
    tail -40 "$log"
    echo "the build with sanitizers failed"
    exit 1
}
