/* The tables of reference signals and of what makes estimates of them. */
#include "phy/estimation/estimator.h"

#include <math.h>
#include <stdlib.h>

#include "phy/channel/channels.h"
#include "phy/estimation/estimator_fit.h"
#include "phy/estimation/reference_sequence.h"

/*
 * Powers of vectors that are fitted, of 1 together; least squares takes fewer, as each lets in
 * noise as much as any other.
 */
static const double least_known = 1e-8, least_squares = 1e-6;

static int padded(int n)
{
    return (n + LTE_ESTIMATOR_PAD - 1) / LTE_ESTIMATOR_PAD * LTE_ESTIMATOR_PAD;
}

static lte_status no_memory(void)
{
    return LTE_FAIL(LTE_ENOMEM, "no memory for the tables of the reference signals");
}

static lte_status check(int channel, int n_sc, int n_tx)
{
    const lte_channel_row *row = &lte_channel_rows[channel];
    if (n_tx < 1 || n_tx > LTE_PILOT_LAYERS)
        return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d layers have a reference signal)", n_tx,
                        LTE_PILOT_LAYERS);
    if (n_sc < LTE_ESTIMATOR_LEAST_SC || n_sc > LTE_MAX_SC || n_sc % LTE_RB_SC != 0)
        return LTE_FAIL(LTE_EINVAL, "n_sc=%d (a multiple of %d from %d to %d)", n_sc, LTE_RB_SC,
                        LTE_ESTIMATOR_LEAST_SC, LTE_MAX_SC);
    if (row->subcarriers == LTE_SUBCARRIERS_INDEPENDENT && n_tx > 1)
        return LTE_FAIL(LTE_EINVAL,
                        "n_tx=%d: the reference signals of the layers are separated over several "
                        "subcarriers, but the subcarriers of channel %s are independent",
                        n_tx, row->name);
    return LTE_OK;
}

static double level_n0(int set)
{
    return ldexp(1.0, set - 21);
}

/* ---- in a window ---- */

/*
 * The mean of a window of L, times 1 / (1 + n0) if there are levels: then L = 1. Its error is that
 * share of n0 / L for each layer, and a residual holds n0 less the layers' means.
 */
static lte_status make_window(int window, int n_sc, int n_rx, int n_tx, lte_estimator *estimator)
{
    const int n_weights = n_tx * window * window;
    lte_cf32 *weight = malloc((size_t)(estimator->n_sets * n_weights) * sizeof *weight);
    float *error = malloc((size_t)(estimator->n_sets * padded(n_sc)) * sizeof *error);
    estimator->window = window;
    estimator->weight = weight;
    estimator->estimation_error = error;
    if (!weight || !error)
        return no_memory();
    for (int set = 0; set < estimator->n_sets; set++) {
        const double gain = set == LTE_LS_WEIGHTS ? 1.0 : 1.0 / (1.0 + level_n0(set));
        for (int i = 0; i < n_weights; i++)
            weight[set * n_weights + i] = (lte_cf32){(float)(gain / window), 0.0f};
        for (int sc = 0; sc < padded(n_sc); sc++)
            error[set * padded(n_sc) + sc] = (float)(gain * n_tx / window);
    }
    estimator->noise_scale =
        window > n_tx ? 0x1p-30 / ((double)n_rx * n_sc * (1.0 - (double)n_tx / window)) : 0.0;
    return LTE_OK;
}

/* ---- over the carrier ---- */

/* Single precision, spare places zero. */
static void store_basis(const lte_delay_basis *basis, float *row, float *column)
{
    const int pitch = padded(basis->n), n_sc = basis->n_sc, width = padded(n_sc);
    for (int i = 0; i < basis->n; i++) {
        for (int sc = 0; sc < n_sc; sc++) {
            const double complex b = basis->vector[i * n_sc + sc];
            row[2 * sc * pitch + i] = column[2 * i * width + sc] = (float)creal(b);
            row[(2 * sc + 1) * pitch + i] = column[(2 * i + 1) * width + sc] = (float)cimag(b);
        }
    }
}

/* Column v of M as row v. */
static void store_set(const lte_estimator_fit *fit, float *matrix, float *error)
{
    const lte_delay_basis *basis = fit->basis;
    const int n = basis->n, pitch = padded(n), width = fit->n_tx * pitch;
    for (int v = 0; v < fit->n; v++) {
        for (int u = 0; u < fit->n; u++) {
            const double complex m = fit->inverse[u * fit->n + v];
            float *to = &matrix[2 * v * width + u / n * pitch + u % n];
            to[0] = (float)creal(m);
            to[width] = (float)cimag(m);
        }
    }
    for (int sc = 0; sc < padded(basis->n_sc); sc++) {
        const int last = basis->n_sc - 1;
        error[sc] = sc <= last ? (float)lte_estimator_fit_error(fit, sc) : error[last];
    }
}

static lte_status make_fits(const lte_delay_basis *basis, int n_rx, int n_tx, const int *shift,
                            lte_estimator *estimator)
{
    const int n_sc = basis->n_sc, n_sets = estimator->n_sets, pitch = padded(basis->n);
    if (n_tx * basis->n >= n_sc) /* nothing would be left of the noise */
        return LTE_FAIL(LTE_EINVAL,
                        "n_tx=%d: the channels of the layers have %d unknowns, too many for a "
                        "reference symbol of %d subcarriers; use more resource blocks, fewer "
                        "layers, or csi despread",
                        n_tx, n_tx * basis->n, n_sc);
    const size_t row_size = (size_t)n_sc * 2 * (size_t)pitch;
    const size_t set_size = (size_t)n_tx * (size_t)basis->n * 2 * (size_t)n_tx * (size_t)pitch;
    float *row = calloc(row_size, sizeof *row);
    float *column = calloc((size_t)basis->n * 2 * (size_t)padded(n_sc), sizeof *column);
    float *matrix = calloc((size_t)n_sets * set_size, sizeof *matrix);
    float *error = malloc((size_t)n_sets * (size_t)padded(n_sc) * sizeof *error);
    lte_estimator_fit fit;
    estimator->n_basis = basis->n;
    estimator->row = row;
    estimator->column = column;
    estimator->matrix = matrix;
    estimator->estimation_error = error;
    if (!row || !column || !matrix || !error)
        return no_memory();
    lte_status status = lte_estimator_fit_init(basis, n_tx, shift, &fit);
    if (status)
        return status;
    store_basis(basis, row, column);
    for (int set = 0; set < n_sets; set++) {
        lte_estimator_fit_solve(&fit, set == LTE_LS_WEIGHTS ? 0.0 : level_n0(set));
        store_set(&fit, &matrix[(size_t)set * set_size], &error[set * padded(n_sc)]);
    }
    estimator->noise_scale = 0x1p-30 / ((double)n_rx * (n_sc - fit.n));
    lte_estimator_fit_fini(&fit);
    return LTE_OK;
}

static lte_status make_carrier(int channel, bool profile, int n_sc, int n_rx, int n_tx,
                               lte_estimator *estimator)
{
    static const lte_pusch_reference cell; /* identity 0, no hopping */
    lte_delay_basis basis;
    int shift[LTE_PILOT_LAYERS];
    lte_status status = LTE_OK;
    for (int k = 0; k < n_tx && !status; k++)
        status = lte_pusch_shift(&cell, 0, k, &shift[k]);
    if (!status)
        status = profile
                     ? lte_delay_basis_of_profile(channel, n_sc, least_known, &basis)
                     : lte_delay_basis_of_prefix(
                           n_sc, lte_estimator_has_levels(estimator) ? least_known : least_squares,
                           &basis);
    if (status)
        return status;
    status = make_fits(&basis, n_rx, n_tx, shift, estimator);
    lte_delay_basis_free(&basis);
    return status;
}

/* Means of estimation_error over the carrier. */
static lte_status make_means(int n_sc, lte_estimator *estimator)
{
    float *mean = malloc((size_t)estimator->n_sets * sizeof *mean);
    estimator->mean_error = mean;
    if (!mean)
        return no_memory();
    for (int set = 0; set < estimator->n_sets; set++) {
        double sum = 0.0;
        for (int sc = 0; sc < n_sc; sc++)
            sum += (double)estimator->estimation_error[set * padded(n_sc) + sc];
        mean[set] = (float)(sum / n_sc);
    }
    return LTE_OK;
}

lte_status lte_estimator_create(int channel, int n_sc, int n_rx, int n_tx, lte_estimator_kind kind,
                                lte_estimator *estimator)
{
    static const lte_pusch_reference cell; /* identity 0, no hopping */
    *estimator = (lte_estimator){0};
    lte_status status = check(channel, n_sc, n_tx);
    if (status)
        return status;
    const lte_subcarriers subcarriers = lte_channel_rows[channel].subcarriers;
    const bool independent = subcarriers == LTE_SUBCARRIERS_INDEPENDENT;
    const bool windowed = independent || kind == LTE_ESTIMATOR_DESPREAD;
    const bool levels = kind == LTE_ESTIMATOR_WIENER || kind == LTE_ESTIMATOR_WIENER_PREFIX;
    const bool profile = kind == LTE_ESTIMATOR_WIENER && subcarriers != LTE_SUBCARRIERS_ANY;
    lte_cf32 *reference = malloc((size_t)(n_tx * n_sc) * sizeof *reference);
    estimator->reference = reference;
    estimator->n_sets = levels ? 1 + LTE_ESTIMATOR_LEVELS : 1;
    if (!reference)
        status = no_memory();
    for (int k = 0; k < n_tx && !status; k++)
        status = lte_pusch_sequence(&cell, n_sc / LTE_RB_SC, 0, k, &reference[k * n_sc]);
    if (!status)
        status = windowed ? make_window(independent ? 1 : LTE_RB_SC, n_sc, n_rx, n_tx, estimator)
                          : make_carrier(channel, profile, n_sc, n_rx, n_tx, estimator);
    if (!status)
        status = make_means(n_sc, estimator);
    if (status)
        lte_estimator_free(estimator);
    return status;
}

void lte_estimator_free(lte_estimator *estimator)
{
    free((void *)estimator->reference);
    free((void *)estimator->weight);
    free((void *)estimator->row);
    free((void *)estimator->column);
    free((void *)estimator->matrix);
    free((void *)estimator->estimation_error);
    free((void *)estimator->mean_error);
    *estimator = (lte_estimator){0};
}
