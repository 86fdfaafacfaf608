/* Information of rows, from their counts. */
#include "sim/jobs/sweep/row_information.h"

#include <math.h>

lte_bit_information lte_row_bit_information(const lte_sweep *sweep, const lte_row *row, int k,
                                            int bit)
{
    const lte_tally_cut *cut = &sweep->cut;
    const uint64_t n = (uint64_t)cut->n_tx * (uint64_t)cut->n_bits;
    const uint64_t sum = row->counts[lte_lost_at(cut->n_tx, cut->n_bits, k, bit)];
    const lte_error_count lost = {
        .clusters = row->error_count.clusters,
        .cluster_bits = row->error_count.cluster_bits / n * LTE_LOSS_UNITS,
        .errors = sum,
        .errors2 = lte_lost_squares(cut, row->counts, k * cut->n_bits + bit)};
    const lte_interval share = lte_interval_of(&lost);
    return (lte_bit_information){.bits = lte_information(sum, lte_row_bits(row) / n),
                                 .low = share.known ? 1.0 - share.high : (double)NAN,
                                 .high = share.known ? 1.0 - share.low : (double)NAN};
}

lte_row_information lte_row_information_of(const lte_sweep *sweep, const lte_row *row)
{
    const lte_tally_cut *cut = &sweep->cut;
    const uint64_t bits = lte_row_bits(row);
    const double snr = pow(10.0, row->snr_db / 10.0) * sweep->scenario->n_rx / cut->n_tx;
    const lte_error_count lost = {.clusters = row->error_count.clusters,
                                  .cluster_bits = row->error_count.cluster_bits * LTE_LOSS_UNITS,
                                  .errors = lte_lost_of_counts(cut, row->counts),
                                  .errors2 = row->lost2};
    const lte_interval share = lte_interval_of(&lost);
    const double high = share.known ? cut->n_bits * (1.0 - share.low) : (double)NAN;
    return (lte_row_information){
        .bits = cut->n_bits * lte_information(lost.errors, bits),
        .low = share.known ? cut->n_bits * (1.0 - share.high) : (double)NAN,
        .high = high,
        .limit = lte_information_limit(cut->n_bits, snr),
        .shannon = log2(1.0 + snr),
        .best = lte_best_llr_scale(&row->counts[lte_scaled_at(cut->n_tx, cut->n_bits, 0)]),
        .cut = (double)row->counts[lte_cut_at(cut->n_tx, cut->n_bits)] / (double)bits,
        .misleading = high < 0.0};
}

bool lte_sweep_has_llrs(const lte_sweep *sweep)
{
    return sweep->cut.counted == LTE_COUNTED_LLRS;
}

bool lte_row_misleads(const lte_sweep *sweep, const lte_row *row)
{
    return lte_sweep_has_llrs(sweep) && row->error_count.clusters > 0 &&
           lte_row_information_of(sweep, row).misleading;
}
