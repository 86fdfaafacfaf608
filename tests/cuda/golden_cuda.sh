#!/usr/bin/env bash
# The golden counts once more, counted on the GPU:
#
#     tests/cuda/golden_cuda.sh BINARY
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/lib/device.sh
. "$here/../lib/device.sh"
need_device "$1"
exec "$here/../cli/golden.sh" check "$1" cuda
