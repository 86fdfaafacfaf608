#!/usr/bin/env bash
# The tests of tests/detection on the backends of devices:
#
#     tests/cuda/detection_cuda.sh LTESIM TEST ...
set -u
here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lib/device.sh
. "$here/../lib/device.sh"
need_device "$1"
shift
code=0
for test; do
    LTE_TEST_BACKENDS=devices "$test" || code=1
done
exit "$code"
