#!/usr/bin/env bash
# What this machine runs best, one part of the program a line: its fastest instruction set (v3, v4,
# neon; the set ref is in every program) and, where a CUDA toolkit is and a device answers, the
# compute capability of each, as in cuda:90.
#
#     sim/building/machine.sh CC BUILD_DIR
#
# CC compiles the question to the driver. What was found is kept in BUILD_DIR/machine.txt under a
# key of all that it depends on: asked again with the same key, nothing is looked at. Exit 0; why
# there is no device code is said on stderr, once. Can be sourced: machine_parts sets parts.

# The CUDA compiler; nothing if there is none. Sets nvcc.
find_nvcc() {
    local folder
    nvcc=
    for folder in "${CUDA_HOME:+$CUDA_HOME/bin}" PATH /usr/local/cuda/bin; do
        if [ "$folder" = PATH ]; then
            nvcc=$(type -P nvcc) && return
        elif [ -n "$folder" ] && [ -f "$folder/nvcc" ] && [ -x "$folder/nvcc" ]; then
            nvcc=$folder/nvcc
            return
        fi
    done
}

# Sets nodes to those of NVIDIA devices, of bare systems, WSL and Jetson; nothing if there are none.
find_nodes() {
    local node
    nodes=
    for node in /dev/nvidia[0-9]* /dev/dxg /dev/nvhost* /dev/nvgpu*; do
        [ ! -e "$node" ] || nodes+=${nodes:+,}${node#/dev/}
    done
}

# library_version NAME: sets version to one word that changes with what is installed of a library that a
# program may have, hdf5 or mpi; to nothing if it is not here.
library_version() {
    local module
    version=
    case $1 in
    hdf5)
        for module in hdf5-serial hdf5; do
            [ -n "$version" ] ||
                version=$("${PKG_CONFIG:-pkg-config}" --modversion "$module" 2>/dev/null)
        done
        ;;
    mpi) # the compiler may come without the header
        version=$(type -P mpicc) &&
            { "$version" -E -x c - <<<'#include <mpi.h>' >/dev/null 2>&1 || version=; }
        ;;
    esac
}

# All that the parts depend on, in one line; starts no program but where PATH is searched.
machine_key() {
    local boot='' model='' driver='' file nodes
    find_nodes
    { read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
    { IFS= read -r -d : -n 200 model && IFS= read -r -d : -n 200 model &&
        IFS= read -r -d : -n 200 model; } 2>/dev/null </sys/devices/system/cpu/modalias
    for file in /sys/module/nvidia/version /proc/driver/nvidia/version; do
        [ -n "$driver" ] || { read -r driver <"$file"; } 2>/dev/null
    done
    key="${HOSTNAME:-} $boot $HOSTTYPE $model driver=$driver nodes=$nodes"
    key="$key visible=${CUDA_VISIBLE_DEVICES-all} nvcc=$nvcc"
    [ -z "${LTE_PRETEND_LEVEL:-}" ] || key="$key pretended=$LTE_PRETEND_LEVEL"
    key=${key//[$'\t\n']/ }
}

# instruction_set CPUINFO: the fastest set that the processor runs; nothing if it is ref. A lower one
# that LTE_PRETEND_LEVEL says takes its place, so a pretended machine builds what a real one does; a
# program that has more will do, too, and leaves the rest unused. The program refuses unknown ones.
instruction_set() {
    local set
    set=$(processor_set "$1")
    case ${LTE_PRETEND_LEVEL:-}:$set in
    ref:*) ;;
    v3:v4) echo v3 ;;
    *) echo "$set" ;;
    esac
}

# processor_set CPUINFO: the same of the processor itself.
processor_set() {
    local name flags flag
    if [ "$HOSTTYPE" = aarch64 ]; then
        echo neon
        return
    fi
    while IFS=: read -r name flags; do
        [[ $name != flags* ]] || break
    done 2>/dev/null <"$1"
    has() {
        for flag in "$@"; do
            [[ " $flags " = *" $flag "* ]] || return 1
        done
    }
    has avx2 fma bmi2 || return 0
    if has avx512f avx512bw avx512cd avx512dq avx512vl; then echo v4; else echo v3; fi
}

# ask_driver CC FOLDER: the capabilities of the devices that answer within 3 s; sets devices and, if
# there are none, reason; and late, if the driver did not answer.
ask_driver() {
    local cc=("$1") probe=$2/.devices.$$ answer='' line asked
    devices=() reason='' late=''
    type -P "$1" >/dev/null || read -r -a cc <<<"$1" # as in "ccache gcc"
    if ! "${cc[@]}" -std=c11 -o "$probe" "$machine_folder/devices.c" -ldl 2>/dev/null; then
        rm -f "$probe"
        reason="the program that queries its driver does not compile"
        return
    fi
    # read ends after 3 s also where the driver hangs
    exec 7< <(exec "$probe" 2>&1)
    asked=$!
    IFS= read -r -d '' -t 3 answer <&7
    if [ $? -gt 128 ]; then
        kill -KILL "$asked" 2>/dev/null
        reason="its driver does not answer within 3 s"
        answer='' late=1
    fi
    exec 7<&-
    rm -f "$probe"
    while IFS= read -r line; do
        if [[ $line =~ ^[0-9]+$ ]]; then
            devices+=("$line")
        elif [ -n "$line" ] && [ -z "$reason" ]; then
            reason=$line
        fi
    done <<<"$answer"
    [ ${#devices[@]} -gt 0 ] || reason=${reason:-there is no driver}
}

# compiles_device_code FOLDER: true if nvcc and a C++ compiler work together; else sets reason.
compiles_device_code() {
    local work=$1/.empty.$$ status=1 other
    reason=
    mkdir -p "$work" && : >"$work/empty.cu"
    if "$nvcc" -c "$work/empty.cu" -o "$work/empty.o" >"$work/log" 2>&1; then
        status=0
    else
        reason=$(grep -m 1 -i 'error\|fatal\|not found\|unsupported' "$work/log" ||
            head -n 1 "$work/log")
        reason=${reason//"$work/"/}
        for other in g++-15 g++-14 g++-13 g++-12 g++-11 g++-10 clang++; do
            if type -P "$other" >/dev/null && "$nvcc" -ccbin "$other" -c "$work/empty.cu" \
                -o "$work/empty.o" >/dev/null 2>&1; then
                reason+="; it accepts $other: NVCC_CCBIN=$other"
                break
            fi
        done
    fi
    rm -rf "$work"
    return "$status"
}

# Keeps of devices the capabilities that nvcc knows; the others run code of the highest known below
# them, which their driver translates.
known_capabilities() {
    local known capability other below
    mapfile -t known < <("$nvcc" --list-gpu-arch 2>/dev/null | sed -n 's/^compute_\([0-9]*\)$/\1/p')
    [ ${#known[@]} -gt 0 ] || known=("${devices[@]}")
    for capability in "${devices[@]}"; do
        below=''
        for other in "${known[@]}"; do
            if [ "$other" -le "$capability" ] && [ "$other" -gt "${below:-79}" ]; then
                below=$other
            fi
        done
        echo "$below"
    done | sort -nu
}

# look CC FOLDER: fills parts; says in a line why there is no device code where there could be.
look() {
    local set devices reason nodes
    parts=()
    set=$(instruction_set /proc/cpuinfo)
    [ -z "$set" ] || parts+=("$set")
    find_nodes
    if [ -z "$nvcc" ]; then
        [ -z "$nodes" ] || machine_say "there is an NVIDIA GPU but no CUDA toolkit (nvcc);" \
            "building for the processor only"
        return 0
    fi
    ask_driver "$1" "$2"
    if [ ${#devices[@]} -eq 0 ]; then
        machine_say "there is a CUDA toolkit, but no GPU answers ($reason);" \
            "building for the processor only; a GPU that appears later is detected"
    elif ! compiles_device_code "$2"; then
        machine_say "$nvcc cannot compile ($reason); building for the processor only"
    else
        mapfile -t devices < <(known_capabilities)
        parts+=("${devices[@]/#/cuda:}")
    fi
}

machine_say() { echo "ltesim: $*" >&2; }

# machine_kept BUILD_DIR: true if what this machine runs is known there; sets key, and parts.
machine_kept() {
    local known rest
    find_nvcc
    machine_key
    while IFS=$'\t' read -r known rest; do
        if [ "$known" = "$key" ]; then
            read -r -a parts <<<"$rest"
            return 0
        fi
    done 2>/dev/null <"$1/machine.txt"
    return 1
}

# machine_parts CC BUILD_DIR: sets parts. A driver that did not answer is asked again the next time.
machine_parts() {
    local folder=$2 new late=''
    ! machine_kept "$folder" || return 0
    look "$1" "$folder"
    [ -z "$late" ] || return 0
    # lines of this host from before it was started anew go
    new=$folder/machine.txt.$$
    {
        awk -v host="${HOSTNAME:-}" -v boot="$(cut -d ' ' -f 2 <<<"$key")" \
            '$1 != host || $2 == boot' "$folder/machine.txt"
        printf '%s\t%s\n' "$key" "${parts[*]}"
    } 2>/dev/null >"$new" && mv "$new" "$folder/machine.txt"
}

machine_folder=${BASH_SOURCE[0]%/*}
if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -u
    if [ $# -ne 2 ]; then
        echo "usage: ${0##*/} CC BUILD_DIR" >&2
        exit 2
    fi
    machine_parts "$1" "$2"
    [ ${#parts[@]} -eq 0 ] || printf '%s\n' "${parts[@]}"
fi
