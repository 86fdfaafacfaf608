/* Information of rows, from their counts. */
#include "sim/jobs/information.h"

#include <math.h>

#include "phy/information.h"

bool lte_sweep_is_soft(const lte_sweep *sweep)
{
    return sweep->cut.soft;
}

/* QAM symbols of a layer that a row has seen. */
static uint64_t symbols_of(const lte_sweep *sweep, const lte_row *row)
{
    return lte_row_bits(row) / (uint64_t)(sweep->cut.n_tx * sweep->cut.n_bits);
}

double lte_row_bit_information(const lte_sweep *sweep, const lte_row *row, int k, int bit)
{
    const lte_tally_cut *cut = &sweep->cut;
    return lte_information(row->counts[lte_lost_at(cut->n_tx, cut->n_bits, k, bit)],
                           symbols_of(sweep, row));
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
    return (lte_row_information){
        .bits = cut->n_bits * lte_information(lost.errors, bits),
        .low = share.known ? cut->n_bits * (1.0 - share.high) : (double)NAN,
        .high = share.known ? cut->n_bits * (1.0 - share.low) : (double)NAN,
        .limit = lte_information_limit(cut->n_bits, snr),
        .shannon = log2(1.0 + snr),
        .best_scale = lte_best_llr_scale(&row->counts[lte_scaled_at(cut->n_tx, cut->n_bits, 0)]),
        .cut = (double)row->counts[lte_cut_at(cut->n_tx, cut->n_bits)] / (double)bits};
}
