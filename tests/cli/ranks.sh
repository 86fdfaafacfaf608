#!/bin/bash
# Runs of several processes by MPI: the files of one process, but for seconds, also after one died.
#
#     tests/cli/ranks.sh path/to/ltesim path/to/mpiexec
set -u

[ $# -eq 2 ] || { echo "usage: tests/cli/ranks.sh path/to/ltesim path/to/mpiexec" >&2; exit 2; }
ltesim=$(realpath -e "$1") || exit 2
mpiexec=$2
here=$(realpath "$(dirname "$0")")
# shellcheck source=tests/lib/claim.sh
. "$here/../lib/claim.sh"
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top" || exit 1
passed=0 failed=0
# OpenMPI: as root, too, and on fewer cores
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

cat > run.cfg << 'END_CFG'
# Shared
carrier    = { bandwidth_mhz = 1.4; };
antennas   = { tx = 2; rx = 2; };
modulation = "qpsk";
channel    = { model = "eva"; doppler_hz = 70.0; drop_slots = 8; };
detectors  = ( "zf", "mmse" );
csi        = ( "perfect", "dmrs-ls" );
sweep      = { snr_db = [ 0.0, 12.0, 4.0 ]; min_bit_errors = 60000; min_slots = 64; max_slots = 1200; };
backend    = "cpu";
END_CFG

options=(--only ber --no-plot --threads 1)
one() { timeout 300 "$ltesim" run.cfg "${options[@]}" "$@" --table > stdout 2> stderr < /dev/null; }
ranks() {
    local n=$1
    shift
    timeout 300 "$mpiexec" -n "$n" "$ltesim" run.cfg "${options[@]}" "$@" --table > stdout 2> stderr < /dev/null
}
# exits CODE COMMAND ...
exits() {
    local code=0 expected=$1
    shift
    "$@" || code=$?
    [ "$code" -eq "$expected" ] || { echo "exit $code"; cat stderr; return 1; }
}
says() { [ "$(grep -cF -- "$1" stderr)" -eq 1 ] || { cat stderr; return 1; }; }
same() { same_counts "$1" whole; }

exits 0 one --out whole || exit 1

# ---- any number of ranks, of one kind and of several ----
for n in 1 2 3 4; do
    claim "ends_well_of_$n" exits 0 ranks "$n" --out "by$n"
    claim "files_of_$n" same "by$n"
done
claim ranks_are_told grep -q '^ranks       4;' stdout
claim ranks_are_stored grep -q '"ranks": 4' by4/run.json
search=(--set sweep.target_ber=0.1)
exits 0 one "${search[@]}" --out found || exit 1
claim ranks_search exits 0 ranks 3 "${search[@]}" --out found3
claim ranks_find_the_same same_counts found3 found
claim ranks_find_the_same_snr cmp found3/target.csv found/target.csv
searches=(--set 'detectors=("ml","ml-budget20","kbest","mmse-sic","fsd","lr-mmse")' --set csi=perfect --set sweep.max_slots=256)
exits 0 one "${searches[@]}" --out searches || exit 1
claim ranks_count_searches exits 0 ranks 3 "${searches[@]}" --out searches3
claim ranks_count_the_same_of_searches same_counts searches3 searches
share=("$ltesim" run.cfg "${options[@]}" --out uneven)
uneven() {
    timeout 300 "$mpiexec" -n 1 "${share[@]}" --backend cpu:ref : -n 1 "${share[@]}" --threads 2 : \
        -n 1 "${share[@]}" --backend cpu:ref > stdout 2> stderr < /dev/null
}
claim ends_well_of_uneven_ranks exits 0 uneven
claim files_of_uneven_ranks same uneven
claim both_jobs_end exits 0 timeout 300 "$mpiexec" -n 2 "$ltesim" run.cfg --no-plot --quiet --threads 1 \
    --set deadline.slots=20 --out both
claim files_of_both_jobs same both
claim timing_is_there test -s both/timing.csv

# ---- transport blocks, and each transmission of them ----
blocks=(--blocks --set code.rate=0.5 --set code.transmissions=3 --set channel.drop_slots=128 --set inverter=ldl
    --set sweep.round_slots=128 --set sweep.min_slots=256 --set sweep.max_slots=512 --set sweep.min_bit_errors=100)
exits 0 one "${blocks[@]}" --out sent || exit 1
claim ranks_send_blocks exits 0 ranks 3 "${blocks[@]}" --out sent3
seconds=$(head -n 1 sent/bler.csv | tr , '\n' | grep -n '^seconds$' | cut -d: -f1)
claim ranks_count_the_same_blocks cmp <(cut -d, --complement -f"$seconds" sent3/bler.csv) \
    <(cut -d, --complement -f"$seconds" sent/bler.csv)
claim ranks_tell_the_same_transmissions cmp sent3/blocks.csv sent/blocks.csv

# ---- what is not so ----
another() {
    timeout 60 "$mpiexec" -n 1 "${share[@]}" : -n 1 "${share[@]}" --set seed=2 > stdout 2> stderr < /dev/null
}
claim another_scenario_is_refused exits 2 another
claim another_scenario_is_said says 'ltesim: rank 1: its scenario differs from that of rank 0'
none() { timeout 60 "$mpiexec" -n 3 "$ltesim" none.cfg > stdout 2> stderr < /dev/null; }
claim no_scenario exits 2 none
claim no_scenario_is_said_once says 'ltesim: none.cfg: cannot be read'
claim folder_of_a_fresh_run exits 0 ranks 2 --out uneven
claim list_is_of_one_rank test "$("$mpiexec" -n 3 "$ltesim" --version 2> /dev/null | grep -c '^ltesim')" -eq 1

# ---- a rank dies: the others end in seconds, and the run goes on with any number ----
long=(--set 'csi=("perfect")' --set sweep.max_slots=20000 --set sweep.min_bit_errors=1000000000)
claim whole_of_a_long_run exits 0 one "${long[@]}" --out whole
claim it_is_long [ "$(awk -F, 'NR > 1 { n += $5 } END { print n }' whole/ber.csv)" -eq 160000 ]
for victim in 0 1 2; do
    rm -rf dead
    "$mpiexec" -n 3 "$ltesim" run.cfg "${options[@]}" "${long[@]}" --out dead > stdout 2> stderr < /dev/null &
    launcher=$!
    for _ in $(seq 2000); do # until something has been kept
        [ -s dead/journal ] && break
        sleep 0.01
    done
    mapfile -t children < <(pgrep -f "^$ltesim run.cfg.*--out dead" | sort -n)
    claim "runs_until_$victim" test "${#children[@]}" -eq 3
    kill -KILL "${children[$victim]:-$launcher}"
    SECONDS=0
    wait "$launcher"
    code=$?
    claim "death_of_$victim" test "$code" -ne 0
    claim "death_of_${victim}_is_noticed" test "$SECONDS" -le 20
    claim "nobody_is_left_after_$victim" bash -c "! pgrep -f '^$ltesim run.cfg.*--out dead'"
    claim "goes_on_after_$victim" exits 0 ranks $((victim + 1)) "${long[@]}" --out dead --resume
    claim "files_after_$victim" same dead
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
