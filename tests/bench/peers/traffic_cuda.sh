#!/usr/bin/env bash
# Device-memory traffic of the published inverses, delayed against immediate updates: what ncu
# counts beside what lte_inverse_traffic counts, and the times of both, on demand and static.
#
#     tests/bench/peers/traffic_cuda.sh build/tests/bench/traffic_cuda [N ...]
#
# dram: dram__bytes.sum, l2: lts__t_bytes.sum, of all launches of one inversion; caches are left as
# they are between launches, whose block columns exceed the L2 several times.
set -eu

[ $# -ge 1 ] || { echo "usage: tests/bench/peers/traffic_cuda.sh BINARY [N ...]" >&2; exit 2; }
program=$(realpath -e "$1")
shift
orders=${*:-16 32 64 128 256}

# Bytes of both metrics, summed over the launches.
bytes() {
    ncu --clock-control none --cache-control none --print-units base --csv \
        --metrics dram__bytes.sum,lts__t_bytes.sum "$program" "$@" |
        awk -F'","' '
            /^"ID"/ { for (i = 1; i <= NF; i++) { if ($i ~ /^Metric Name/) name = i
                                                  if ($i ~ /^Metric Value/) value = i } next }
            name { v = $value; gsub(/[",]/, "", v); sum[$name] += v }
            END { printf "%.0f %.0f", sum["dram__bytes.sum"], sum["lts__t_bytes.sum"] }'
}

echo "GB of one batch, complex and real floats, published mapping, blocks of 8 columns;"
echo "ratio: delayed / immediate; ms: on demand, static"
printf '%-8s %4s %7s %-14s %8s %8s %6s %8s %9s %9s\n' \
    type n batch method counted dram "/count" l2 ms "ms static"
for type in complex real; do
    for n in $orders; do
        for method in lu-delayed lu-immediate; do
            read -r batch in out ms < <("$program" "lu 1" $method $type "$n" 5)
            read -r _ _ _ static < <("$program" "lu 2" $method $type "$n" 5)
            read -r dram l2 < <(bytes "lu 1" $method $type "$n"; echo)
            echo "$type $n $batch $method $in $out $dram $l2 $ms $static"
        done
    done
done | awk '
    { counted = ($5 + $6) * 1e-9; dram = $7 * 1e-9; l2 = $8 * 1e-9
      printf "%-8s %4d %7d %-14s %8.2f %8.2f %6.3f %8.2f %9.3f %9.3f\n",
             $1, $2, $3, $4, counted, dram, dram / counted, l2, $9, $10 }
    $4 ~ /delayed/ { c = counted; d = dram; l = l2; m = $9; s = $10; next }
    { printf "%-8s %4d %7s %-14s %8.3f %8.3f %6s %8.3f %9.3f %9.3f\n",
             $1, $2, "", "ratio", c / counted, d / dram, "", l / l2, m / $9, s / $10 }'
