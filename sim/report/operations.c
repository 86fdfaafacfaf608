/* Operations of a slot, counted from sizes. */
#include "sim/report/operations.h"

/* Times that every subcarrier is estimated: for the noise, and finally. */
static int passes_of(const lte_link *link)
{
    return (int)lte_needs_least_squares(link) + (int)(link->estimator.n_sets > 1);
}

/* Matched filters, and the weights of a window or sums, a small matrix and synthesis. */
static double estimation(const lte_link *link)
{
    const double n = link->n_tx, m = link->n_rx, sc = link->n_sc, passes = passes_of(link);
    const double unknowns = n * link->estimator.n_basis;
    return sc * m * (6 * n + 8 * unknowns) +
           passes * m * 8 * (sc * (n * link->estimator.window + unknowns) + unknowns * unknowns);
}

lte_operations lte_operations_of(const lte_link *link, int detector)
{
    const lte_detector *row = lte_detector_row(detector);
    const double n = link->n_tx, m = link->n_rx, sc = link->n_sc, symbols = LTE_SLOT_SYMBOLS;
    const double taps = link->profile.n_taps;
    const double n_h = link->n_h, n_csi = (double)lte_link_matrices(link) / link->n_sc;
    const double drawn = taps > 0.0 || link->n_stored > 0 ? 0.0 : m * n;
    lte_operations o;
    /* a complex normal: half a Philox block of 10 rounds of 6 operations, and about 35 more */
    o.draws = sc * (drawn + symbols * m) * (5 * 2 * 6 + 35);
    /* a tap's phase on a subcarrier: about 25 */
    o.channel = sc * (symbols * m * (8 * n + 4) + n_h * taps * (8 * m * n + 25));
    o.estimation = lte_link_estimates(link) ? link->pilots * estimation(link) : 0.0;
    if (link->pilots > 1) /* combined for every symbol */
        o.estimation += sc * n_csi * m * n * 6;
    o.gram = row->has_gram ? sc * n_csi * 4 * m * n * n : 0.0;
    o.inversion =
        row->inverts ? sc * n_csi * lte_inverter_rows[link->inverter].flops(link->n_tx) : 0.0;
    o.filter = sc * n_csi * row->prepare_flops(link->n_rx, link->n_tx);
    o.detection = sc * lte_data_symbols(link) *
                  row->apply_flops(link->n_rx, link->n_tx, lte_detector_parameter(detector));
    return o;
}
