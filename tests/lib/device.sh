# shellcheck shell=bash
# Sourced: need_device BINARY exits 77 (skipped) unless BINARY --list names a CUDA device.
need_device() {
    if ! "$1" --list | grep -q '^  cuda:'; then
        echo "skipped: no usable CUDA device"
        exit 77
    fi
}
