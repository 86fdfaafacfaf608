/* Closed forms of the bit error rate, by quadrature where there is no sum. */
#include "phy/theory/ber_theory.h"

#include <math.h>
#include <stddef.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>

#include "phy/channel/channels.h"
#include "phy/estimation/csi.h"
#include "phy/base/limits.h"
#include "phy/base/modulations.h"
#include "phy/detection/plugin.h"

enum { QUADRATURE_INTERVALS = 1000 };

/* c_1 = sqrt(3 / (M - 1)); c_k = k c_1. */
static double threshold_unit(int n_bits)
{
    return sqrt(3.0 / ((1 << n_bits) - 1));
}

double lte_ber_awgn(int n_bits, double es_n0)
{
    const lte_modulation_row *qam = lte_modulation_of(n_bits);
    if (!qam || !(es_n0 >= 0.0))
        return (double)NAN;
    double distance = threshold_unit(n_bits) * sqrt(es_n0 / 2.0);
    double sum = 0.0;
    for (int i = 0; i < LTE_N_ERROR_WEIGHTS; i++)
        sum += qam->weight[i] * (erfc((2 * i + 1) * distance) / 2.0);
    return sum / qam->weight_unit;
}

/*
 * Mean of Q(c sqrt(gamma)) over gamma ~ Gamma(shape, rho), with a = c^2 rho / 2 and
 * mu = sqrt(a / (1 + a)):
 *
 *     ((1 - mu) / 2)^shape sum_{j < shape} C(shape - 1 + j, j) ((1 + mu) / 2)^j
 */
static double mean_q(double c, int shape, double rho)
{
    double a = c * c * rho / 2.0;
    double mu = 1.0 / sqrt(1.0 + 1.0 / a);
    double wrong = 0.5 / ((1.0 + a) * (1.0 + mu)); /* (1 - mu) / 2 without cancellation */
    double right = (1.0 + mu) / 2.0;
    double term = 1.0;
    double sum = 1.0;
    for (int j = 1; j < shape; j++) {
        term *= right * (shape - 1 + j) / j;
        sum += term;
    }
    return pow(wrong, shape) * sum;
}

double lte_ber_gamma(int n_bits, int shape, double rho)
{
    const lte_modulation_row *qam = lte_modulation_of(n_bits);
    if (!qam || shape < 1 || !(rho >= 0.0))
        return (double)NAN;
    double unit = threshold_unit(n_bits);
    double sum = 0.0;
    for (int i = 0; i < LTE_N_ERROR_WEIGHTS; i++) {
        if (qam->weight[i])
            sum += qam->weight[i] * mean_q((2 * i + 1) * unit, shape, rho);
    }
    return sum / qam->weight_unit;
}

double lte_ls_gain(int n_tx, double rho, double variance)
{
    return rho / (1.0 + variance + n_tx * rho * variance);
}

typedef struct {
    const lte_modulation_row *qam;
    double unit; /* c_1 */
    int n_tx, n_rx;
    double rho;
} mmse_link;

/*
 * P(SINR <= z) of unbiased MMSE. The law is that of a Poisson count of mean z / rho plus a
 * binomial count of n_tx - 1 trials of chance z / (1 + z): together they must reach n_rx. Written
 * so, every term is positive and nothing cancels at either end.
 */
static double sinr_cdf(const mmse_link *link, double z)
{
    int interferers = link->n_tx - 1;
    double mean = z / link->rho;
    double binomial = pow(1.0 + z, -interferers);
    double tail = gsl_sf_gamma_inc_P(link->n_rx, mean); /* P(Poisson >= n_rx) */
    double sum = binomial * tail;
    for (int b = 1; b <= interferers; b++) {
        binomial *= z * (interferers - b + 1) / b;
        tail += gsl_ran_poisson_pdf((unsigned)(link->n_rx - b), mean);
        sum += binomial * tail;
    }
    return sum;
}

/* F(u^2) times minus the slope of the AWGN curve in u = sqrt(z), sum_k w_k c_k phi(c_k u). */
static double mmse_integrand(double u, void *params)
{
    const mmse_link *link = params;
    double slope = 0.0;
    for (int i = 0; i < LTE_N_ERROR_WEIGHTS; i++) {
        double c = (2 * i + 1) * link->unit;
        slope += link->qam->weight[i] * c * gsl_ran_ugaussian_pdf(c * u);
    }
    return sinr_cdf(link, u * u) * slope / link->qam->weight_unit;
}

static lte_status check_link(int n_bits, int n_tx, int n_rx, double snr)
{
    if (n_tx < 1 || n_tx > LTE_MAX_TX)
        return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d)", n_tx, LTE_MAX_TX);
    if (n_rx < n_tx || n_rx > LTE_MAX_RX)
        return LTE_FAIL(LTE_EINVAL, "n_rx=%d (%d to %d)", n_rx, n_tx, LTE_MAX_RX);
    if (!lte_modulation_of(n_bits))
        return LTE_FAIL(LTE_EINVAL, "n_bits=%d (2, 4, .. %d)", n_bits, LTE_MAX_BITS);
    if (!(snr > 0.0) || !isfinite(snr))
        return LTE_FAIL(LTE_EINVAL, "snr=%g (above 0, finite)", snr);
    return LTE_OK;
}

lte_status lte_ber_mmse(int n_bits, int n_tx, int n_rx, double rho, double *ber)
{
    *ber = (double)NAN;
    lte_status status = check_link(n_bits, n_tx, n_rx, rho);
    if (status)
        return status;
    if (n_tx == 1) {
        *ber = lte_ber_gamma(n_bits, n_rx, rho);
        return LTE_OK;
    }
    /* GSL's own handler would end the program: its return codes are read instead. */
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    gsl_integration_workspace *workspace = gsl_integration_workspace_alloc(QUADRATURE_INTERVALS);
    int failure = GSL_ENOMEM;
    double result = 0.0;
    if (workspace) {
        mmse_link link = {lte_modulation_of(n_bits), threshold_unit(n_bits), n_tx, n_rx, rho};
        gsl_function integrand = {mmse_integrand, &link};
        double end = 20.0 / link.unit; /* beyond it less than 1e-60 of the integral */
        double error = 0.0;
        failure = gsl_integration_qag(&integrand, 0.0, end, 0.0, 1e-10, QUADRATURE_INTERVALS,
                                      GSL_INTEG_GAUSS21, workspace, &result, &error);
        gsl_integration_workspace_free(workspace);
    }
    (void)gsl_set_error_handler(handler);
    if (failure == GSL_ENOMEM)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the MMSE integral");
    if (failure)
        return LTE_FAIL(LTE_EINVAL, "MMSE integral at rho=%g: %s", rho, gsl_strerror(failure));
    *ber = result < 0.5 ? result : 0.5;
    return LTE_OK;
}

typedef lte_status (*ber_law)(int n_bits, int n_tx, int n_rx, double snr, lte_ber_theory *theory);

static lte_status awgn(int n_bits, int n_tx, int n_rx, double snr, lte_ber_theory *theory)
{
    (void)n_tx;
    (void)n_rx;
    *theory = (lte_ber_theory){true, true, lte_ber_awgn(n_bits, snr)};
    return LTE_OK;
}

static lte_status gamma_law(int n_bits, int n_tx, int n_rx, double snr, lte_ber_theory *theory)
{
    *theory = (lte_ber_theory){true, true, lte_ber_gamma(n_bits, n_rx - n_tx + 1, snr / n_tx)};
    return LTE_OK;
}

static lte_status mmse_law(int n_bits, int n_tx, int n_rx, double snr, lte_ber_theory *theory)
{
    lte_status status = lte_ber_mmse(n_bits, n_tx, n_rx, snr / n_tx, &theory->ber);
    theory->known = status == LTE_OK;
    return status;
}

/* Over fading with perfect CSI; NULL: no formula. */
static const ber_law perfect[LTE_N_SINR_LAWS] = {
    [LTE_SINR_GAMMA] = gamma_law,
    [LTE_SINR_MMSE] = mmse_law,
};

/* Estimates by the mean of 12 subcarriers. Symbols of one modulus alone have this law. */
static lte_status gamma_estimated(int n_bits, int n_tx, int n_rx, double snr,
                                  lte_ber_theory *theory)
{
    const double theta = lte_ls_gain(n_tx, snr / n_tx, n_tx / snr / LTE_RB_SC);
    if (n_bits == 2)
        *theory = (lte_ber_theory){true, true, lte_ber_gamma(n_bits, n_rx - n_tx + 1, theta)};
    return LTE_OK;
}

/*
 * The formula of a detector's row and a channel's, NULL: none. A mean over subcarriers and slots
 * depends on one matrix only. One layer has no other to disturb it, whatever the detector.
 */
static ber_law law_of(int detector, const lte_channel_row *channel, lte_estimator_kind estimator,
                      int n_tx)
{
    const lte_sinr_law law = lte_detector_row_of((lte_detector){.id = detector})->law;
    const bool fades = channel->form == LTE_FORM_RAYLEIGH;
    if (detector >= LTE_N_DETECTORS)
        return NULL; /* of a plug-in nothing is known */
    if (estimator == LTE_ESTIMATOR_NONE && channel->form == LTE_FORM_AWGN)
        return awgn;
    if (estimator == LTE_ESTIMATOR_NONE && fades)
        return perfect[n_tx == 1 ? LTE_SINR_GAMMA : law];
    if (estimator == LTE_ESTIMATOR_DESPREAD && fades && law == LTE_SINR_GAMMA &&
        channel->subcarriers == LTE_SUBCARRIERS_ALIKE)
        return gamma_estimated;
    return NULL;
}

lte_status lte_ber_theory_of(int detector, int channel, int csi, int n_tx, int n_rx, int n_bits,
                             double snr, lte_ber_theory *theory)
{
    *theory = (lte_ber_theory){false, false, (double)NAN};
    if (detector < 0 ||
        (detector >= LTE_N_DETECTORS && !lte_plugin_of((lte_detector){.id = detector})))
        return LTE_FAIL(LTE_EINVAL, "detector=%d (0 to %d)", detector, LTE_N_DETECTORS - 1);
    if (channel < 0 || channel >= LTE_N_CHANNELS)
        return LTE_FAIL(LTE_EINVAL, "channel=%d (0 to %d)", channel, LTE_N_CHANNELS - 1);
    if (csi < 0 || csi >= LTE_N_CSI)
        return LTE_FAIL(LTE_EINVAL, "csi=%d (0 to %d)", csi, LTE_N_CSI - 1);
    const lte_channel_row *row = &lte_channel_rows[channel];
    lte_status status = check_link(n_bits, n_tx, n_rx, snr);
    if (!status && row->square && n_rx != n_tx)
        status = LTE_FAIL(LTE_EINVAL, "n_rx=%d in channel %s (n_tx=%d)", n_rx, row->name, n_tx);
    if (status)
        return status;
    const ber_law law = law_of(detector, row, lte_csi_rows[csi].estimator, n_tx);
    return law ? law(n_bits, n_tx, n_rx, snr, theory) : LTE_OK;
}

double lte_eb_n0_db(int n_tx, int n_bits, double snr_db)
{
    return snr_db - 10.0 * log10((double)n_tx * n_bits);
}
