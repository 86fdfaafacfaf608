#!/bin/sh
# A test of device code, where it is built:
#
#     tests/lib/gpu_unit.sh PROGRAM
#
# Exit 77 (skipped) where it is not.
[ -x "$1" ] || {
    echo "skipped: no device code is built here"
    exit 77
}
exec "$1"
