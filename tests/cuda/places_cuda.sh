#!/bin/bash
# Sweeps on one device, on all of them, and beside the processor: the same files but for seconds.
#
#     tests/cuda/places_cuda.sh path/to/ltesim
set -u

[ $# -eq 1 ] || { echo "usage: tests/cuda/places_cuda.sh path/to/ltesim" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
# shellcheck source=tests/lib/device.sh
. "$here/../lib/device.sh"
need_device "$ltesim"
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
passed=0 failed=0

cat > run.cfg << 'END_CFG'
# Places
carrier    = { bandwidth_mhz = 5; };
antennas   = { tx = 4; rx = 4; };
modulation = "16qam";
channel    = { model = "eva"; doppler_hz = 70.0; drop_slots = 16; };
detectors  = ( "zf", "mmse" );
csi        = ( "perfect", "dmrs-ls" );
sweep      = { snr_db = [ 10.0, 30.0, 10.0 ]; min_bit_errors = 2000000; min_slots = 64; max_slots = 4000; };
END_CFG

exits() {
    local code=0 expected=$1
    shift
    timeout 300 "$ltesim" run.cfg --only ber --no-plot "$@" > stdout 2> stderr < /dev/null || code=$?
    [ "$code" -eq "$expected" ] || { echo "exit $code"; cat stderr; return 1; }
}
same() { same_counts "$1" cpu; }
says() {
    if [ "$(wc -l < stderr)" -ne 1 ] || ! grep -qF -- "$1" stderr; then
        cat stderr
        return 1
    fi
}

n=$("$here/../lib/listed.py" "$ltesim" usable cuda | wc -l)
echo "$n devices"
exits 0 --backend cpu --out cpu || exit 1
names=(cuda:0 cuda:all all)
[ "$n" -lt 2 ] || names+=("cuda:1" "cuda:0,1" "cuda:1,0")
for name in "${names[@]}"; do
    claim "${name}_ends_well" exits 0 --backend "$name" --out "$name"
    claim "${name}_has_the_files_of_the_processor" same "$name"
done
claim all_names_a_device_and_the_processor grep -qE '"backend": "cuda:0.*,cpu:' all/run.json
claim a_device_too_many exits 2 --backend "cuda:$n" --out none
claim a_device_too_many_is_said says "ltesim: backend cuda:$n: this machine has $n CUDA device"
claim a_device_twice exits 2 --backend cuda:0,0 --out none
claim a_device_twice_is_said says 'ltesim: backend cuda:0,0: device 0 is listed twice'
claim in_64_mb_ends_well exits 0 --backend cuda:0 --device-memory 64 --out small
claim in_64_mb_has_the_files_of_the_processor same small
# larger ones: by the device with as much as it takes
for name in 20mhz_8x8 eva70_20mhz_4x4 estimated massive_20mhz_64x16 massive_20mhz_128x32; do
    cp "$here/../../scenarios/$name.cfg" run.cfg
    few=(--backend cuda:0 --set sweep.min_slots=192 --set sweep.max_slots=192)
    claim "${name}_ends_well" exits 0 "${few[@]}" --out "$name"
    claim "${name}_in_64_mb_ends_well" exits 0 "${few[@]}" --device-memory 64 --out "$name.64"
    claim "${name}_in_64_mb_has_the_same_files" same_counts "$name" "$name.64"
done
# parts_of NAME ARGUMENT...: a slot that no 64 MB hold, counted some subcarriers at a time.
parts_of() {
    local name=$1 mb
    shift
    local few=(--set sweep.round_slots=4 --set sweep.min_slots=4 --set sweep.max_slots=4
        --set 'sweep.snr_points=[0.0,10.0]' "$@")
    claim "${name}_on_the_processor" exits 0 --backend cpu "${few[@]}" --out "$name.cpu"
    for mb in 64 100 2048; do
        claim "${name}_in_${mb}_mb_ends_well" \
            exits 0 --backend cuda:0 "${few[@]}" --device-memory "$mb" --out "$name.$mb"
        claim "${name}_in_${mb}_mb_has_the_files_of_the_processor" \
            same_counts "$name.cpu" "$name.$mb"
    done
}
parts_of still --set antennas.tx=128 --set antennas.rx=256
parts_of moving --set antennas.tx=128 --set antennas.rx=128 --set channel.model=eva \
    --set channel.doppler_hz=70 --set channel.drop_slots=4
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
