#!/usr/bin/env bash
# The library on a device: the bits of the processor, and the examples.
#
#     tests/cuda/library_cuda.sh LTESIM TEST_LIBRARY TEST_LIBRARY_RANGES INVERT_BATCH DETECT_SLOT DECODE_BLOCKS
set -u
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lib/device.sh
. "$here/../lib/device.sh"
need_device "$1"
"$2" && "$3" && "$here/../examples/check.sh" "$4" cuda -- flagged 1 1 'at most' 0 1e-4 &&
    "$here/../examples/check.sh" "$5" cuda -- 'bit errors' 4410 7190 &&
    "$here/../examples/check.sh" "$6" cuda -- wrong 360 400 'transmission,' 0 4
