#!/usr/bin/env bash
# Each object of device code has as many kernels as kernel_counts.txt says: what is compiled many
# times over is seen here before it is felt.
#
#     tests/kernel_counts.sh OBJECT_DIR [NM]
#
# OBJECT_DIR holds <name>.cu.o, at any depth. A kernel is known by what nvcc (13) keeps of it on the
# host, a handle in its stub, whatever the architectures are. Without NM (nm) or with an nvcc that
# keeps none: exit 77, skipped.
set -u
here=$(dirname "$(realpath "$0")")
objects=$1 nm=${2:-nm}
list=$here/kernel_counts.txt
if ! command -v "$nm" >/dev/null; then
    echo "skipped: no $nm"
    exit 77
fi

# counted: lines "<name> <kernels>" of all objects
counted() {
    local object
    find "$objects" -name '*.cu.o' | while read -r object; do
        printf '%s %s\n' "$(basename "$object" .o)" \
            "$("$nm" "$object" | grep -c '__device_stub__.*__handle$')"
    done | LC_ALL=C sort -u
}

found=$(counted)
if [ -z "$found" ]; then
    echo "FAILED  $objects: no objects of device code"
    exit 1
fi
if ! grep -q ' [1-9]' <<<"$found"; then
    echo "skipped: this nvcc keeps no handles of kernels"
    exit 77
fi
wanted=$(grep -v '^#' "$list" | awk '{ print $1, $2 }' | LC_ALL=C sort)
if ! difference=$(diff <(printf '%s\n' "$wanted") <(printf '%s\n' "$found")); then
    echo "FAILED  kernels of each file, < as $list has them, > as they are:"
    grep '^[<>]' <<<"$difference"
    exit 1
fi
awk '{ kernels += $2 } END { print NR " files, " kernels " kernels" }' <<<"$found"
