/* The loss in dB between two curves at one bit error rate. */
#include "sim/jobs/loss.h"

#include <math.h>

static const double loss_ber = 1e-2;

/* The row of the next higher SNR that has an error rate; NULL: row was the last. */
static const lte_row *next_point(const lte_sweep *sweep, int d, double snr_db)
{
    const lte_row *next = NULL;
    for (int s = 0; s < sweep->n_started; s++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        if (row->error_count.clusters > 0 && row->snr_db > snr_db &&
            (!next || row->snr_db < next->snr_db))
            next = row;
    }
    return next;
}

double lte_snr_db_at(const lte_sweep *sweep, int d, double ber)
{
    const lte_row *b = NULL;
    for (const lte_row *a = next_point(sweep, d, -INFINITY); a; a = b) {
        b = next_point(sweep, d, a->snr_db);
        const double high = lte_interval_of(&a->error_count).rate;
        if (high == ber)
            return a->snr_db;
        if (!b)
            break;
        const double low = lte_interval_of(&b->error_count).rate;
        if (high > ber && low > 0.0 && low <= ber)
            return a->snr_db + (b->snr_db - a->snr_db) * log10(high / ber) / log10(high / low);
    }
    return (double)NAN;
}

double lte_loss_db(const lte_sweeps *sweeps, int k, int d)
{
    const lte_sweep *first = sweeps->of[0]; /* perfect is the first of phy/names.h */
    if (lte_csi_estimates(first->csi))
        return (double)NAN;
    return lte_snr_db_at(sweeps->of[k], d, loss_ber) - lte_snr_db_at(first, d, loss_ber);
}
