/* A channel held against its statistics: what a drop at rest tells, and the run over all drops. */
#include "sim/channel/validation.h"

#include <math.h>
#include <stdlib.h>

#include "phy/base/carrier.h"
#include "phy/channel/fading.h"
#include "sim/channel/validation_parts.h"
#include "sim/jobs/workers/stop.h"

/*
 * How many independent samples a mean over entries and subcarriers is worth. The products whose
 * means are checked are quadratic in complex normal h, so that those of entries e, f correlate with
 * |R_ef|^2 and those of subcarriers with |R(df)|^2; the mean over n has 1/n^2 of the sum.
 */
static void count_samples(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    const int n = s->n_entries;
    double entries = 0.0, subcarriers = 0.0;
    for (int i = 0; i < n * n; i++)
        entries += p->r[i] * p->r[i];
    for (int k = 0; k < s->n_sc * s->n_sc; k++) {
        const int apart = s->sc[k / s->n_sc] - s->sc[k % s->n_sc];
        const double r =
            cabs(lte_fading_over_frequency(p->model->channel, LTE_SUBCARRIER_HZ * apart));
        subcarriers += r * r;
    }
    p->n_drops = (double)s->n_drops;
    p->n_any = p->n_drops * n * n / entries;
    p->n_sc = s->n_sc * s->n_sc / subcarriers;
}

/* E |h|^2 = 1, the mean over entries; |h|^2 is exponential, of variance 1. */
static void check_power(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    double power = 0.0;
    for (int e = 0; e < s->n_entries; e++)
        power += creal(s->matrix[(ptrdiff_t)e * (s->n_entries + 1)]);
    power /= p->n_drops * s->n_entries * s->n_sc;
    lte_validation_check(p, lte_validation_put(p, "power", power, 1.0, "%s", ""),
                         p->errors / sqrt(p->n_any * p->n_sc) + LTE_VALIDATION_ROUNDING, true);
}

/* Kolmogorov-Smirnov of independent envelopes, at the level of six standard errors, 2e-9. */
static void check_envelope(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    const double gap = lte_fading_rayleigh_gap(s->n_envelopes, s->envelope);
    lte_validation_check(p, lte_validation_put(p, "envelope_ks", gap, 0.0, "%s", ""),
                         sqrt(log(2.0 / 2e-9) / 2.0 / (double)s->n_envelopes), true);
}

/*
 * Delays from h and its derivative u = sum_l tau_l g_l over frequency: u = mean h + rest, the rest
 * independent of h and of variance rms^2. So the standard errors are those of a regression,
 * rms / sqrt(2 n) for both. The difference quotient loses 0.2 % of u at the most; floats leave
 * 1e-7 / (2 pi 15 kHz) = 1 ps.
 */
static void check_delays(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    const lte_delays delays = lte_fading_delays(p->model->channel);
    const double mean = creal(s->slope) / s->slope_h_power;
    const double complex slope = s->slope / s->slope_h_power;
    const double square = s->slope_power / s->slope_h_power - creal(slope * conj(slope));
    const double limit =
        p->errors * delays.rms_s / sqrt(2.0 * p->n_any) + 2e-3 * delays.rms_s + 1e-11;
    lte_validation_check(
        p, lte_validation_put(p, "mean_delay_ns", 1e9 * mean, 1e9 * delays.mean_s, "%s", ""),
        1e9 * limit, true);
    lte_validation_check(p,
                         lte_validation_put(p, "rms_delay_ns", 1e9 * sqrt(fabs(square)),
                                            1e9 * delays.rms_s, "%s", ""),
                         1e9 * limit, true);
}

/*
 * |R(df)|, as the coherence |sum h(d) h0*| / sqrt(sum |h(d)|^2 sum |h0|^2), whose standard error
 * is (1 - |R|^2) / sqrt(2 n) (Carter, Knapp, Nuttall, IEEE Trans. Audio 21, 1973).
 */
static void check_frequency(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    for (int d = 1; d <= s->n_spacings; d++) {
        const double r = cabs(lte_fading_over_frequency(p->model->channel, LTE_SUBCARRIER_HZ * d));
        const double measured =
            cabs(s->frequency[d]) / sqrt(s->frequency_power[d] * s->frequency_power[0]);
        lte_validation_check(
            p, lte_validation_put(p, "frequency_correlation", measured, r, "%d", d),
            p->errors * (1.0 - r * r) / sqrt(2.0 * p->n_any) + LTE_VALIDATION_ROUNDING,
            d == 1 || d == 12 || d == 50 || d == 300);
    }
}

/*
 * E h_i h_j* = R_ij entry by entry. For complex normal h and real R the variances of the parts of
 * a product are (1 + R^2) / 2 and (1 - R^2) / 2.
 */
static void check_matrix(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    const double n = p->n_drops * p->n_sc, products = p->n_drops * s->n_sc;
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < s->n_entries; i++) {
            for (int j = 0; j <= i - part; j++) {
                const double complex m = s->matrix[(ptrdiff_t)i * s->n_entries + j] / products;
                const double r = p->r[(ptrdiff_t)i * s->n_entries + j];
                const double sign = part == 0 ? 1.0 : -1.0, rest = fmax(1.0 + sign * r * r, 0.0);
                lte_validation_line *line = lte_validation_put(
                    p, part == 0 ? "entry_correlation" : "entry_correlation_im",
                    part == 0 ? creal(m) : cimag(m), part == 0 ? r : 0.0, "%d %d", i, j);
                lte_validation_check(p, line,
                                     p->errors * sqrt(rest / (2.0 * n)) +
                                         LTE_VALIDATION_ROUNDING * s->n_entries,
                                     false);
            }
        }
    }
}

/* That drops are independent, which all limits rest on: |sum h h_before*|, expected 0. */
static void check_drops(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    const double measured = cabs(s->next_drop) / s->frequency_power[0];
    lte_validation_check(p, lte_validation_put(p, "next_drop_correlation", measured, 0.0, "%s", ""),
                         p->errors / sqrt(2.0 * p->n_any), true);
}

static void check_lines(lte_validation_state *p)
{
    const lte_fading_kind kind = lte_channel_rows[p->model->channel].fading;
    check_power(p);
    if (kind != LTE_FADING_CONSTANT)
        check_envelope(p);
    if (kind == LTE_FADING_TAPS && p->sums->n_spacings >= 4)
        check_delays(p);
    check_frequency(p);
    if (p->sums->n_times > 0)
        lte_validation_motion(p);
    if (kind != LTE_FADING_CONSTANT)
        check_drops(p);
    check_matrix(p);
}

/* E h h': of correlated antennas, of independent ones, or of the constant sqrt(n_tx) I. */
static void expect_matrix(const lte_link *link, const lte_channel_model *model, double *r)
{
    const int n = link->n_rx * link->n_tx;
    if (model->correlation) {
        lte_correlation_matrix(model->correlation, link->n_rx, link->n_tx, r);
        return;
    }
    const bool constant = lte_channel_rows[model->channel].fading == LTE_FADING_CONSTANT;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const bool diagonal =
                i / link->n_tx == i % link->n_tx && j / link->n_tx == j % link->n_tx;
            double *here = &r[(ptrdiff_t)i * n + j];
            *here = i == j ? 1.0 : 0.0;
            if (constant)
                *here = diagonal ? link->n_tx : 0.0;
        }
    }
}

lte_status lte_channel_validation_run(const lte_link *link, const lte_channel_model *model,
                                      lte_channel_fn *channel, lte_channel_validation **validation)
{
    const size_t n = (size_t)link->n_rx * (size_t)link->n_tx;
    const lte_fading_kind kind = lte_channel_rows[model->channel].fading;
    lte_channel_statistics *sums = NULL;
    lte_status status = LTE_OK;
    lte_validation_state p = {.model = model,
                              .errors = kind == LTE_FADING_CONSTANT ? 0.0 : LTE_VALIDATION_ERRORS};
    *validation = p.validation = calloc(1, sizeof *p.validation);
    if (!p.validation)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the validation of the channel");
    if (kind == LTE_FADING_GIVEN)
        return LTE_OK;
    status = lte_channel_statistics_create(link, model, &sums);
    if (status)
        goto cleanup;
    /* a line for each spacing, two for each time, one for each of the matrix, and nine more */
    p.validation->lines = calloc((size_t)sums->n_spacings + 2 * (size_t)sums->n_times + n * n + 9,
                                 sizeof *p.validation->lines);
    p.r = calloc(n * n, sizeof *p.r);
    if (!p.validation->lines || !p.r) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the validation of the channel");
        goto cleanup;
    }
    while (sums->done < sums->n_drops && !lte_stop_signal)
        lte_channel_statistics_add(sums, channel, link);
    p.sums = sums;
    p.validation->drops = sums->done;
    p.validation->slots_drawn = sums->n_slots;
    p.validation->slot_step = sums->slot_step;
    p.validation->interrupted = sums->done < sums->n_drops;
    if (!p.validation->interrupted) {
        expect_matrix(link, model, p.r);
        count_samples(&p);
        check_lines(&p);
    }
cleanup:
    lte_channel_statistics_free(sums);
    free(p.r);
    if (status) {
        lte_channel_validation_free(*validation);
        *validation = NULL;
    }
    return status;
}
