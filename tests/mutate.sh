#!/usr/bin/env bash
# Breaks the mathematics, and what is said of its counts, one line at a time, in a copy of the sources, and
# checks that the tests turn red each time. Takes an hour or so; run on demand:
#
#     tests/mutate.sh BUILD_DIR [NAME ...]          all breaks, or those named
#     tests/mutate.sh --cuda BUILD_DIR [NAME ...]   those of device code, seen by the gpu tests
#
# A break that the tests do not see, or whose pattern no longer fits the source, is a failure. CMAKE_ARGS
# has further options of the build. With --cuda, where no device is, each break is only built, and its
# test kept in BUILD_DIR/mutants; on a machine with a device
#
#     tests/mutate.sh --run FOLDER
#
# runs what that folder has: each must fail, and the test without any break must not.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

passed=0 failed=0
seen() {
    echo "seen    $1"
    passed=$((passed + 1))
}
missed() {
    echo "FAILED  $1"
    failed=$((failed + 1))
}
end() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

if [ "${1:-}" = --run ]; then
    for test in "$2"/*/test_*; do
        name=$(basename "$(dirname "$test")") code=0
        "$test" >"$test.log" 2>&1 || code=$?
        case $name:$code in
        *:77) missed "$name: there is no device" ;;
        whole:0) seen "no failure of ${test##*/} without any break" ;;
        whole:*) missed "${test##*/} fails without any break: see $test.log" ;;
        *:0) missed "$name: ${test##*/} does not see it" ;;
        *) seen "$name by ${test##*/}" ;;
        esac
    done
    end
fi

device=0
[ "${1:-}" != --cuda ] || {
    device=1
    shift
}
build=$1
shift
copy=$build/mutant

# name | file | pattern (sed basic regular expression) | replacement
breaks='
noise_times_root_2|kernels/link/link.c|noise.sigma = sqrtf(noise.n0)|noise.sigma = sqrtf(2.0f * noise.n0)
loading_over_n_tx|phy/detection/detection.h|loading) \* n0;|loading) * (n0 * r_set(0.25f));
loading_missing|phy/inversion/gram.h|\.re + loading;|.re;
no_division_by_mu|phy/detection/solving.h|return r_sel(positive, r_set(1.0f) / mu, r_set(0.0f));|(void)positive; return r_set(1.0f);
conjugate_dropped_in_gram|phy/inversion/gram.h|s\[j\] = c_cmac(s\[j\], a|s[j] = c_mac(s[j], a
conjugate_dropped_in_filter|phy/detection/linear.h|s\[k\] = c_macc(s\[k\], x|s[k] = c_mac(s[k], x
sinr_without_residual_interference|phy/detection/linear.h|r_fnma(loading \* (n0 - loading), sum, n0 \* x_kk)|r_fnma(r_set(0.0f), sum, n0 * x_kk)
sinr_of_mrc_without_interference|phy/detection/mrc.h|rest = j == k ? rest : rest + c_abs2|rest = j >= 0 ? rest : rest + c_abs2
mrc_not_conjugated|phy/detection/mrc.h|c_scale(c_conj(h), inverse|c_scale(h, inverse
cg_without_a_weight|phy/detection/cg.h|c_add_scaled(rest\[k\], direction\[k\], weight)|c_add_scaled(rest[k], direction[k], r_set(0.0f) * weight)
cg_step_halved|phy/detection/cg.h|lte_cg_ratio(left, lte_cg_product(n_tx, direction, image))|r_set(0.5f) * lte_cg_ratio(left, lte_cg_product(n_tx, direction, image))
neumann_one_term_less|phy/detection/neumann.h|i < iterations; i++|i < iterations - 1; i++
iterations_without_a_gain|phy/detection/iterating.h|lte_iterating_estimate(s->layer\[k\].im, &x\[k\])|lte_iterating_estimate(r_set(1.0f), &x[k])
divergence_as_it_comes|phy/detection/iterating.h|c_sel(finite, scaled, c_zero())|c_sel(m_or(finite, m_not(finite)), scaled, c_zero())
slot_ignored|phy/channel/draws.h|8 \* slot + (uint64_t)purpose|0 * slot + (uint64_t)purpose
purpose_ignored|phy/channel/draws.h|8 \* slot + (uint64_t)purpose|8 * slot + 0 * (uint64_t)purpose
pivot_tie_rule|phy/inversion/gauss_jordan.h|larger = r_lt(best->size, size)|larger = m_not(r_lt(size, best->size))
slice_tie_rule|phy/detection/qam.h|w_sel(r_lt(v, r_set(0.0f)), w_set(1u << first), zero)|w_sel(r_lt(r_set(0.0f), v), zero, w_set(1u << first))
one_qam_label|phy/detection/qam.h|v = r_set(step) - r_flip(v, label << (31 - i));|v = r_set(step) - r_flip(v, ~label << (31 - i));
interval_as_if_bits_were_independent|phy/theory/interval.c|sqrt((double)variance_sum / (double)(clusters - 1)) / bits;|sqrt(interval.rate * (1.0 - interval.rate) / bits + 0.0 * (double)variance_sum);
percentile_off_by_one|sim/jobs/deadline/percentiles.c|return (double)x\[rank - 1\];|return (double)x[rank < n ? rank : n - 1];
swaps_not_undone|phy/inversion/gauss_jordan.h|for (int k = n - 1; k >= 0; k--)|for (int k = -1; k >= 0; k--)
angle_off|phy/base/normal.h|w_set(0x20000000u)|w_set(0x10000000u)
gold_second_register|phy/base/gold.c|TAPS_X2 = 0xf|TAPS_X2 = 0xb
crs_not_centred|kernels/methods/reference/crs.c|2 \* (uint64_t)first|0 * (uint64_t)first
zadoff_chu_not_reduced|phy/base/phasor.h|zc->inverse) >> 32|zc->inverse) >> 33
angle_truncated|phy/base/phasor.h|(turns + 0x80000000u) >> 32|turns >> 32
chirp_in_single|kernels/methods/reference/sar.h|double turns = 0.5 \* rate|double turns = 0.5 * (double)(float)rate
transpose_wrong_pitch|kernels/methods/transpose/transpose_cpu.c|(j \* column.to + i \* row.to) \* size|(j * row.to + i * row.to) * size
transpose_block_too_wide|kernels/methods/transpose/transpose_cpu.c|smaller(j0 + side, column.size)|j0 + side
corner_turn_of_one_symbol|kernels/link/layouts.h|((ptrdiff_t)e \* n_times + i)|((ptrdiff_t)e + i)
layout_of_the_drawn_channel|kernels/link/layouts.c|\[CSI\] = link->n_csi|[CSI] = link->n_h
rest_of_a_group_left_out|kernels/link/layouts.c|sc < link->n_sc \&\& !status|sc < whole \&\& !status
copy_with_strides_exchanged|kernels/methods/transpose/transpose_cpu.c|a + i \* s->from \* size, x + i \* s->to \* size|a + i * s->to * size, x + i * s->from * size
steps_joined_by_their_source|kernels/methods/transpose/transpose_cpu.c|next.from \&\& s\[n - 1\].to == next.size \* next.to|next.from
layers_with_one_shift|phy/estimation/reference_sequence.c|{4, 10, 7, 1}|{4, 10, 4, 1}
preamble_off_by_one|kernels/methods/reference/prach.c|v \* n_cs)|v * n_cs + 1)
doppler_halved|phy/channel/profile.c|0x1p48 + 0.5|0x1p47 + 0.5
decibels_twice|phy/channel/profile.c|(float)sqrt(linear(published->power_db\[l\]) / sum);|(float)(linear(published->power_db[l]) / sum);
one_sinusoid_a_tap|phy/channel/taps.h|m < n; m++|m < 1; m++
waves_from_one_side|phy/channel/taps.h|lte_part_of_turns(cosine, |lte_part_of_turns(r_abs(cosine), 
drops_repeat|phy/channel/taps.h|lte_draw(draws, drop, LTE_DRAW_FADING|lte_draw(draws, 0 * drop, LTE_DRAW_FADING
delays_mirrored|phy/channel/profile.c|= -(uint32_t)(((turns|= (uint32_t)(((turns
kronecker_order|phy/channel/correlation.c|rx\[i / n_tx \* n_rx + j / n_tx\] \* tx\[i % n_tx \* n_tx + j % n_tx\]|tx[i / n_rx * n_tx + j / n_rx] * rx[i % n_rx * n_rx + j % n_rx]
proof_without_limit|sim/channel/validation_lines.c|line->expected) <= limit;|line->expected) <= 1e9 * limit;
proof_too_strict|sim/channel/validation.h|LTE_VALIDATION_ERRORS 6.0|LTE_VALIDATION_ERRORS 1.0
time_above_a_level|sim/channel/statistics.c|s->last\[i\] < at \&\& power >= at|power >= at
spread_not_centred|phy/channel/fading.c|published->delay_ns\[l\] - delays.mean_s|published->delay_ns[l]
spread_halved|phy/estimation/estimator.c|(float)lte_estimator_fit_error(fit, sc)|0.5f * (float)lte_estimator_fit_error(fit, sc)
noise_scale_halved|phy/estimation/estimator.c|0x1p-30 / ((double)n_rx \* (n_sc - fit|0x1p-31 / ((double)n_rx * (n_sc - fit
prior_left_out|phy/estimation/estimator_fit.c|+= n0 / fit->basis->power|+= 0.0 * n0 / fit->basis->power
matched_to_another|kernels/cpu/estimate_cpu.inc|c_macc(c_zero(), received, r)|c_mac(c_zero(), received, r)
window_beyond_the_carrier|phy/estimation/estimator.h|last = n_sc - window|last = n_sc
references_held|phy/estimation/pilot_combination.c|lags.own\[l\] = lag(doppler, at - own)|lags.own[l] = lag(doppler, 0.0 * (at - own))
ageing_left_out|phy/estimation/pilot_combination.h|(float)n_tx \* aged : 0.0f|0.0f * (float)n_tx * aged : 0.0f
shrunk_twice|phy/estimation/pilot_combination.h|gain = 1.0f / (1.0f - e)|gain = 1.0f
slots_of_two_subframes|phy/estimation/pilot_combination.h|return slot ^ 1|return slot + 1
ageing_not_loaded|phy/estimation/pilot_combination.h|r_set(n0 + c.ageing)|r_set(n0 + 0.0f * c.ageing)
estimates_swapped|phy/estimation/pilot_combination.h|w0 = r_set(c.own), w1 = r_set(c.other)|w0 = r_set(c.other), w1 = r_set(c.own)
loading_of_another_symbol|kernels/cpu/detectors_cpu.c|noise_lanes(noise, i % link->n_csi, sc)|noise_lanes(noise, 0, sc)
a_reference_symbols_matrix_counts|kernels/cpu/count_cpu.inc|if (m != link->pilot)|if (m != link->pilot + LTE_SLOT_SYMBOLS)
estimate_of_one_slot|kernels/backends/cpu/cpu_estimates.c|(size_t)reference \* lte_slot_y_size(link) +|0 * (size_t)reference * lte_slot_y_size(link) +
loading_without_the_estimates_error|kernels/cpu/lanes_cpu.h|error = r_load(&noise.estimation_error\[sc\])|error = r_set(0.0f) * r_load(\&noise.estimation_error[sc])
latency_from_the_actual_start|sim/jobs/deadline/slot_periods.c|run_period(periods, k, release, |run_period(periods, k, release > now ? release : now, 
met_with_a_miss_more|sim/jobs/deadline/deadline.c|placed->missed <= lte_allowed_misses|placed->missed <= 1 + lte_allowed_misses
work_with_its_queue|sim/jobs/deadline/slot_periods.c|decoder_s - fmax(now - release, 0.0)|decoder_s
throughput_of_one_carrier|sim/jobs/deadline/deadline.c|placed->slots \* carriers|placed->slots * (0 * carriers + 1)
trial_with_a_miss_more|sim/jobs/deadline/capacity.c|trial->missed <= max_missed;|trial->missed <= max_missed + 1;
two_tries_a_number|sim/jobs/deadline/capacity.c|TRIES = 3|TRIES = 2
search_of_a_minute|sim/jobs/deadline/capacity.c|LTE_SLOT_S), 5.0)|LTE_SLOT_S), 60.0)
search_of_a_second|sim/jobs/deadline/capacity.c|fmax(3.0, |fmax(1.0, 
rows_end_one_error_early|sim/jobs/sweep/sweep_merge.c|errors >= rule->min_bit_errors|errors + 1 >= rule->min_bit_errors
rows_end_before_min_slots|sim/jobs/sweep/sweep_merge.c|slots >= rule->min_slots|slots >= 1
one_fade_ends_a_row|sim/jobs/sweep/sweep_merge.c|>= (double)rule->min_clusters|>= 0.0 * rule->min_clusters
degrees_of_all_clusters|phy/theory/interval.c|degrees = m - 1.0|degrees = (double)clusters - 1.0 + 0.0 * m
blocks_that_count_whole|kernels/link/transport_code.h|LTE_TWELFTHS \* word->counted / word->sent|LTE_TWELFTHS * (word->counted > 0)
blocks_begin_with_the_old_count|kernels/link/transport_code.h|word->begins = word->sent == 0;|word->begins = word->block > 0 ? 0 : word->sent == 0;
mostly_wrong_as_if_rare|phy/theory/interval.c|if (is_mostly_wrong(error_count))|if (is_mostly_wrong(error_count) \&\& n < 2)
difference_of_one_sign|phy/theory/interval.c|hypot(p.rate - p.low, n.high - n.rate)|(p.rate - p.low)
loss_of_the_other_bit|kernels/coding/records.c|label\[sc\] >> b \& 1 ? -llrs\[sc\] : llrs\[sc\]|label[sc] >> b \& 1 ? llrs[sc] : -llrs[sc]
z_as_if_normal|phy/theory/interval.c|gsl_cdf_tdist_P(-fabs(t), degrees)|gsl_cdf_ugaussian_P(-fabs(t))
bound_of_slots|sim/jobs/sweep/sweep.c|, realisations(sweep->scenario, row))|, realisations(sweep->scenario, row) * 0 + 1)
bound_above_the_curve|sim/jobs/sweep/sweep.c|other.high < interval.high|other.high < 0.0
low_and_high_swapped|sim/report/results/columns.h|BER_LOW, ber_low, "", rate.low,|BER_LOW, ber_low, "", rate.high,
symbol_errors_of_bits|sim/report/results/results.c|(double)wrong \* scenario->n_bits|(double)wrong
symbols_on_two_grids|phy/base/carrier.h|2192 \* (uint64_t)symbol|2192 * (uint64_t)symbol + (symbol > 0 ? 16 : 0)
sinusoids_do_not_grow|phy/channel/profile.c|sinusoid_bits) < most|sinusoid_bits) < 0.0 * most
law_of_four_times_the_sinusoids|phy/channel/fading.c|concentration / sinusoids|concentration / (4 * sinusoids)
proof_without_the_far_powers|sim/channel/validation_motion.c|p->errors \* sqrt(variance / p->n_drops) / each|10.0 * p->errors * sqrt(variance / p->n_drops) / each
ebn0_wrong|phy/theory/ber_theory.c|(double)n_tx \* n_bits|(double)n_bits + 0 * n_tx
'

# Of what is said of counts: intervals, verdicts, exit codes, files.
# name | file | pattern | replacement | the test that must see it
told_breaks='
repeated_bits_wrap|kernels/coding/blocks.c|sum > most ? most : sum < -most ? -most : sum|sum > most ? most : sum|subframes
early_stop_by_the_wrong_crc|kernels/coding/code.c|s.n > 1 ? LTE_CRC_24B|s.n > 99 ? LTE_CRC_24B|coded_runs
last_bler_interval_of_first|sim/jobs/sweep/throughput.c|last.errors2 = row->lost2;|last.errors2 = row->error_count.errors2;|block_runs
search_clusters_as_slots|sim/jobs/sweep/search.c|rule->min_clusters \* lte_drop_slots(sweep->scenario)|rule->min_clusters|search
compare_without_number_of_rows|sim/report/compare/compare.c|0.5 \* chance / (common > 0 ? common : 1)|0.5 * chance / (common > 0 ? 1 : 1)|report_page
exit_code_of_the_last_run|sim/report/compare/compare.c|\*worse = \*worse .* c.worse > 0|*worse = c.worse > 0|report_page
envelope_of_the_last_better|sim/run/adaptation.c|is_better(scenario, tables, &here, &b)|is_better(scenario, tables, \&here, \&(best){0, row})|coded_runs
allowed_misses_rounded_up|sim/jobs/deadline/slot_periods.c|floor((1.0 - scenario->deadline.on_time) \* n + 1e-9)|ceil((1.0 - scenario->deadline.on_time) * n - 1e-9)|deadline_blocks
budget_from_the_first_slot|sim/jobs/deadline/slot_periods.c|const float block_us = (float)(1e6 \* (|const float block_us = (float)(1e6 * ((periods->of_due - 1) * LTE_SLOT_S + |deadline_blocks
share_of_periods_not_subframes|sim/jobs/deadline/deadline.c|(double)placed->missed / placed->due|(double)placed->missed / placed->periods|deadline_blocks
memory_without_the_block_decoder|sim/jobs/host_memory.c|lte_block_decoder_bytes(|0.0 * lte_block_decoder_bytes(|memory
text_behind_a_number_taken|sim/report/results/table.c|return !\*end &&|return end - cell >= (*cell != 0) \&\&|report_page
report_repeats_five_digits|sim/report/page/html_run.c|DIGITS = 9|DIGITS = 5|report_page
met_by_the_estimate|sim/run/conformance.c|p->share_low > p->required  ?|p->share > p->required ?|conformance
margin_of_the_first_share|sim/run/conformance.c|target_throughput=%g", c->of->share\[share\]|target_throughput=%g", c->of->share[0]|conformance
required_of_the_first_point|sim/jobs/sweep/sweep_merge.c|rule->required\[rule->n_required > 1 ? s : 0\]|rule->required[0 * s]|coded_runs
covariance_of_the_last_bler|sim/jobs/sweep/sweep_harq.c|count->cross = row->harq.error_blocks|count->cross = row->harq.wrong_blocks|block_runs
journal_without_wrong_blocks|sim/jobs/sweep/sweep_harq.c|&harq->error_blocks,      &harq->wrong_blocks,|\&harq->error_blocks,|block_runs
lines_of_a_begun_drop_lost|sim/report/results/block_log.c|row->slots + (uint64_t)row->drop.n_slots;|row->slots;|block_runs
missed_alone_exits_3|sim/cli/main.c|verdict != LTE_VERDICT_MET|verdict == LTE_VERDICT_MISSED|verdicts
control_symbols_of_5_mhz|phy/base/resource_grid.c|n_rb <= 25 ? 3|n_rb < 25 ? 3|resource_grid
category_6_of_one_layer|phy/coding/soft_buffer.c|OF_CATEGORY_6 && n_layers <= 2|OF_CATEGORY_6 \&\& n_layers < 2|transport
interleaver_of_the_first|kernels/coding/code.c|i < transmissions; i++|i < (transmissions > 0); i++|grid_bits
empty_cells_are_zeros|sim/python/ltesim/_results.py|float(cell or "nan")|float(cell or 0)|python
spread_of_transmissions|sim/jobs/sweep/throughput.c|.errors2 = s->xx + s->yy - 2 \* s->xy|.errors2 = s->xx - s->yy|block_runs
'

# name | file | pattern | replacement | the test that must see it
device_breaks='
count_of_all_symbols|kernels/cuda/stages/count_cuda.cu|symbols += wrong != 0|symbols += 1|cuda
pack_without_the_last_layers|kernels/cuda/stages/pack_cuda.cu|i < n_live \* n_tx ?|i < n_live ?|cuda
corner_turn_into_one_symbol|kernels/cuda/stages/corner_turn_cuda.cu|plane % n_times, e)|0 * (plane % n_times), e)|cuda
powers_of_two_symbols|kernels/cuda/stages/receive_cuda.cu|if (symbol == 0)|if (symbol < 2)|cuda
powers_of_each_launch|kernels/cuda/sweep/sweep_cuda.cu|d == 0 ? d_power : NULL|d_power|cuda
counts_of_the_first_detector|kernels/cuda/sweep/sweep_cuda.cu|lte_counts_at(link->n_counts, d);|lte_counts_at(link->n_counts, 0 * d);|cuda
moving_taps_at_rest|kernels/cuda/stages/channel_cuda.cu|part\] = z\[symbol\]|part] = z[0 * symbol]|cuda
slots_of_the_next_period|kernels/cuda/slot/slot_throughput_cuda.cu|(args, first, stride)|(args, first + 1, stride)|cuda
noise_of_one_reference|kernels/cuda/stages/estimate_cuda.cu|residual\[place + 1\] / 2 : 0|residual[place] / 2 : 0|cuda
sweep_of_one_estimate|kernels/cuda/sweep/sweep_thread.cuh|(int)lte_other_slot((uint64_t)place)|place|cuda
loading_of_the_first_symbol|kernels/cuda/slot/slot_throughput_thread.cuh|residual, place, s.symbol0, sc)|residual, place, 0, sc)|cuda
batches_of_one_estimate|kernels/cuda/large/large_cuda.cu|(ptrdiff_t)lte_other_slot(place) \* size|(ptrdiff_t)place * size|cuda
swizzle_not_undone|kernels/methods/transpose/transpose_cuda.cu|row ^ (column / PER \& MASK)|row ^ (0 * column / PER \& MASK)|cuda_transpose
parts_side_by_side|kernels/methods/product/product_cuda.cu|i / x.part \* x.part_stride|i / x.part * x.stride|cuda_product
singular_matrices_not_flagged|kernels/methods/inverse/inverse_lu_rows_cuda.cu|(uint8_t)!good|(uint8_t)(0 * !good)|cuda_inverse
'

# the tests of the mathematics, in the order in which they are asked; without the golden counts,
# which would see any change at all
units=(report interval difference harq sent_bits deadline deadline_tables philox normal reference phasor transpose qam correlation
    channel channel_validation invert detectors iterating stages stage_formulas stage_edges ber_theory large
    estimate pilot_combination sweep clusters row_ends link)
if [ "$device" -eq 1 ]; then
    breaks=$device_breaks
    units=(cuda cuda_slots cuda_transpose cuda_product cuda_inverse)
    options=(-DLTE_CUDA=ON)
else
    breaks=$breaks$told_breaks
    options=(-DLTE_CUDA=OFF -DCMAKE_C_FLAGS_RELEASE=-O1)
fi
all_units=("${units[@]}")
targets=("${units[@]/#/test_}" program_tests)

run_tests() {
    (cd "$copy/build" && ctest --stop-on-failure --timeout 3600 -R "^($(
        IFS='|'
        echo "${units[*]}"
    ))\$" >test.log 2>&1)
}

rm -rf "$copy"
mkdir -p "$copy"
git ls-files | grep -v '^\.' | tar -cf - -T - | tar -xf - -C "$copy"
# shellcheck disable=SC2086
cmake -S "$copy" -B "$copy/build" "${options[@]}" ${CMAKE_ARGS:-} >/dev/null || exit 1
# build_copy TARGET ...
build_copy() {
    cmake --build "$copy/build" -j "$(nproc)" --target "$@" >/dev/null 2>"$copy/build.err"
}
# keep NAME TEST: a test's program, for a machine with a device.
keep() {
    mkdir -p "$build/mutants/$1" && strip -o "$build/mutants/$1/test_$2" "$copy/build/tests/test_$2"
}
# targets_of TEST: what it takes to run it.
targets_of() {
    awk -v name="$1" '$1 == name { $1 = ""; printf "%s", $0 }' "$copy/build/tests/needs.txt"
}
declare -A sound
# is_sound: the tests at hand are green without any break; each is asked once.
is_sound() {
    local key=${units[*]}
    [ -n "${sound[$key]:-}" ] || {
        build_copy "${targets[@]}" && run_tests
        sound[$key]=$?
    }
    [ "${sound[$key]}" -eq 0 ]
}
there=1 # what the tests need
[ "$device" -eq 0 ] || build_copy "${targets[@]}" || {
    cat "$copy/build.err"
    exit 1
}
if [ "$device" -eq 1 ] && [ -z "$(tests/lib/listed.py "$copy/build/programs/tests/ltesim" usable cuda)" ]; then
    there=0
    echo "no usable CUDA device: breaks are built and kept in $build/mutants"
    rm -rf "$build/mutants"
    for unit in "${units[@]}"; do keep whole "$unit"; done
fi

while IFS='|' read -r name file pattern replacement unit; do
    [ -n "$name" ] || continue
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
        continue
    fi
    units=("${all_units[@]}") targets=("${all_units[@]/#/test_}" program_tests)
    if [ -n "$unit" ]; then
        units=("$unit")
        read -ra targets <<<"$(targets_of "$unit")"
    fi
    if [ "$there" -eq 1 ] && ! is_sound; then
        echo "${units[*]}: red without any break: see $copy/build/test.log and $copy/build.err"
        exit 1
    fi
    cp "$copy/$file" "$copy/original"
    sed -i "s|$pattern|$replacement|" "$copy/$file"
    if cmp -s "$copy/$file" "$copy/original"; then
        missed "$name: its pattern is not in $file"
    elif ! build_copy "${targets[@]}"; then
        cp "$copy/build.err" "$copy/build.$name.err"
        missed "$name: does not build; see $copy/build.$name.err"
    elif [ "$there" -eq 0 ]; then
        keep "$name" "$unit"
        echo "builds  $name, to be seen by $unit"
        passed=$((passed + 1))
    elif run_tests; then
        missed "$name: no test sees it"
    else
        red=$(sed -n 's/^[ \t]*[0-9]* - \([a-z_]*\) (.*/\1/p' "$copy/build/test.log" | tr '\n' ' ')
        seen "$name by $red"
    fi
    cp "$copy/original" "$copy/$file"
done <<<"$breaks"
end
