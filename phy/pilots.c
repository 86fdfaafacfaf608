/* The tables of reference signals and of the weights of their estimates. */
#include "phy/pilots.h"

#include <math.h>
#include <stdlib.h>

#include "phy/channels.h"
#include "phy/pilot_weights.h"
#include "phy/uplink_reference.h"

/* Subcarriers of a table of errors. */
static int padded(int n_sc)
{
    enum { PADDING = 16 };
    return (n_sc + PADDING - 1) / PADDING * PADDING;
}

/* One set of weights in single precision, and the sum of squared errors over n0 per subcarrier. */
static void store_set(const lte_pilot_weights *made, int n_sc, double n0, lte_cf32 *weight,
                      float *estimation_error)
{
    const int length = made->window, n_tx = made->n_tx;
    for (int k = 0; k < n_tx; k++) {
        for (int i = 0; i < length; i++) {
            for (int j = 0; j < length; j++) {
                lte_cf32 *to = &weight[(k * length + i) * length + j];
                const double complex w = *lte_pilot_weight(made, k, i, j);
                to->re = (float)creal(w);
                to->im = (float)cimag(w);
            }
        }
    }
    for (int sc = 0; sc < padded(n_sc); sc++) {
        const int last = n_sc - 1, here = sc < last ? sc : last;
        double sum = 0.0;
        for (int k = 0; k < n_tx; k++)
            sum += made->error[k * length + here - lte_pilot_start(n_sc, length, here)];
        estimation_error[sc] = (float)(sum / n0);
    }
}

static lte_status check(int channel, int n_sc, int n_tx)
{
    const lte_channel_row *row = &lte_channel_rows[channel];
    if (n_tx < 1 || n_tx > LTE_PILOT_LAYERS)
        return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d layers have a reference signal)", n_tx,
                        LTE_PILOT_LAYERS);
    if (n_sc < LTE_PILOT_WINDOW || n_sc > LTE_MAX_SC || n_sc % LTE_RB_SC != 0)
        return LTE_FAIL(LTE_EINVAL, "n_sc=%d (a multiple of %d from %d to %d)", n_sc, LTE_RB_SC,
                        LTE_PILOT_WINDOW, LTE_MAX_SC);
    if (row->subcarriers == LTE_SUBCARRIERS_INDEPENDENT && n_tx > 1)
        return LTE_FAIL(LTE_EINVAL,
                        "n_tx=%d: layers are told apart over several subcarriers, and those of "
                        "%s are independent",
                        n_tx, row->name);
    return LTE_OK;
}

/* The weights of all sets and their errors; returns the noise_scale of lte_pilots. */
static double fill(lte_pilot_weights *made, int n_sc, int n_rx, int n_sets, lte_cf32 *weight,
                   float *estimation_error)
{
    const int length = made->window, n_weights = made->n_tx * length * length;
    double noise = 0.0;
    lte_pilot_weights_least_squares(made);
    store_set(made, n_sc, 1.0, weight, estimation_error);
    for (int sc = 0; sc < n_sc; sc++)
        noise += lte_pilot_weights_residual(made, sc - lte_pilot_start(n_sc, length, sc));
    for (int set = 1; set < n_sets; set++) {
        const double n0 = ldexp(1.0, set - 21);
        lte_pilot_weights_wiener(made, n0);
        store_set(made, n_sc, n0, &weight[set * n_weights], &estimation_error[set * padded(n_sc)]);
    }
    return length > 1 ? 0x1p-30 / (n_rx * noise) : 0.0;
}

lte_status lte_pilots_create(int channel, int n_sc, int n_rx, int n_tx, lte_estimator estimator,
                             lte_pilots *pilots)
{
    static const lte_pusch_reference cell; /* identity 0, no hopping */
    const int n_sets = estimator == LTE_ESTIMATOR_WIENER ? 1 + LTE_PILOT_LEVELS : 1;
    lte_pilot_weights made = {0};
    lte_cf32 *reference, *weight;
    float *estimation_error;
    int shift[LTE_PILOT_LAYERS];
    *pilots = (lte_pilots){0};
    lte_status status = check(channel, n_sc, n_tx);
    for (int k = 0; k < n_tx && !status; k++)
        status = lte_pusch_shift(&cell, 0, k, &shift[k]);
    if (!status)
        status = lte_pilot_weights_init(&made, channel, n_tx, shift);
    if (status)
        goto cleanup;
    const size_t length = (size_t)made.window;
    reference = malloc((size_t)(n_tx * n_sc) * sizeof *reference);
    weight = malloc((size_t)(n_sets * n_tx) * length * length * sizeof *weight);
    estimation_error = malloc((size_t)(n_sets * padded(n_sc)) * sizeof *estimation_error);
    *pilots = (lte_pilots){made.window, n_sets, reference, weight, estimation_error, 0.0};
    if (!reference || !weight || !estimation_error) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the tables of the reference signals");
        goto cleanup;
    }
    for (int k = 0; k < n_tx && !status; k++)
        status = lte_pusch_sequence(&cell, n_sc / LTE_RB_SC, 0, k, &reference[k * n_sc]);
    if (!status)
        pilots->noise_scale = fill(&made, n_sc, n_rx, n_sets, weight, estimation_error);
cleanup:
    lte_pilot_weights_fini(&made);
    if (status)
        lte_pilots_free(pilots);
    return status;
}

void lte_pilots_free(lte_pilots *pilots)
{
    free((void *)pilots->reference);
    free((void *)pilots->weight);
    free((void *)pilots->estimation_error);
    *pilots = (lte_pilots){0};
}
