/* The loss in dB between two curves at one bit error rate. */
#include "sim/jobs/sweep/loss.h"

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

double lte_snr_db_between(double snr_a, double ber_a, double snr_b, double ber_b, double ber)
{
    if (ber_a == ber)
        return snr_a;
    if (ber_a > ber && ber_b > 0.0 && ber_b <= ber)
        return snr_a + (snr_b - snr_a) * log10(ber_a / ber) / log10(ber_a / ber_b);
    return (double)NAN;
}

double lte_snr_db_at(const lte_sweep *sweep, int d, double ber)
{
    const lte_row *b = NULL;
    for (const lte_row *a = next_point(sweep, d, -INFINITY); a; a = b) {
        b = next_point(sweep, d, a->snr_db);
        const double high = lte_interval_of(&a->error_count).rate;
        const double low = b ? lte_interval_of(&b->error_count).rate : 0.0;
        const double snr = lte_snr_db_between(a->snr_db, high, b ? b->snr_db : 0.0, low, ber);
        if (isfinite(snr))
            return snr;
    }
    return (double)NAN;
}

double lte_loss_db(const lte_sweeps *sweeps, int k, int d)
{
    const lte_sweep *first = sweeps->of[0]; /* perfect is the first of phy/base/names.h */
    if (lte_csi_estimates(first->csi))
        return (double)NAN;
    return lte_snr_db_at(sweeps->of[k], d, loss_ber) - lte_snr_db_at(first, d, loss_ber);
}
