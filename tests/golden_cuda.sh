#!/usr/bin/env bash
# The golden counts once more, counted on the GPU:
#
#     tests/golden_cuda.sh BINARY
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/device.sh
. "$here/device.sh"
need_device "$1"
exec "$here/golden.sh" check "$1" cuda
