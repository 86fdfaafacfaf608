# shellcheck shell=bash
# Sourced: need_device BINARY exits 77 (skipped) unless BINARY lists a CUDA device.
need_device() {
    local devices
    devices=$("${BASH_SOURCE[0]%/*}/listed.py" "$1" usable cuda) || exit 1
    if [ -z "$devices" ]; then
        echo "skipped: no usable CUDA device"
        exit 77
    fi
}
