/* The lines of a channel that moves. */
#include "sim/channel/validation_parts.h"

#include <math.h>

#include "phy/base/carrier.h"
#include "phy/channel/fading.h"

/*
 * J0(2 pi f_D tau), real, as a coefficient of correlation: standard errors (1 - J0^2) / sqrt(2 n)
 * of its real and sqrt((1 - J0^2) / (2 n)) of its imaginary part. That the angles of a drop are
 * drawn too adds less than 3 % to them.
 */
static void check_time(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    const double n = p->n_any * p->n_sc;
    for (int part = 0; part < 2; part++) {
        for (int t = 1; t < s->n_times; t++) {
            const double j0 = lte_fading_over_time(p->model->doppler_hz, s->time_s[t]);
            const double rest = 1.0 - j0 * j0;
            const double complex r = s->time[t] / sqrt(s->time_power[t] * s->time_power[0]);
            const char *name = part == 0 ? "time_correlation" : "time_correlation_im";
            lte_validation_line *line =
                lte_validation_put(p, name, part == 0 ? creal(r) : cimag(r), part == 0 ? j0 : 0.0,
                                   "%.6e", s->time_s[t]);
            const double se = part == 0 ? rest / sqrt(2.0 * n) : sqrt(rest / (2.0 * n));
            lte_validation_check(p, line, p->errors * se + LTE_VALIDATION_ROUNDING, false);
        }
    }
}

/* The law of |h(t)|^2 over the model's drop, with as many sinusoids as that has. */
static double power_law(const lte_validation_state *p, double seconds)
{
    const lte_channel_model *model = p->model;
    const int n = lte_fading_sinusoids(model->doppler_hz, model->drop_slots * LTE_SLOT_S);
    return lte_fading_power_over_time(model->channel, n, model->doppler_hz, seconds);
}

/*
 * That a tap has enough sinusoids to be normal in time, too: each correlates the powers |h(t)|^2
 * and |h0|^2 a little for ever, so the law of their number is judged beyond f_D tau = 2, over all
 * symbols drawn there; the standard error from the drops. Where a drop ends before, at the time
 * where most has changed: half the mean of (|h(t)|^2 - |h0|^2)^2 is 1 - J0^2; the difference is
 * Laplace of variance 2 (1 - J0^2), its square has the standard error sqrt(20) (1 - J0^2).
 */
static void check_correlation(lte_validation_state *p)
{
    const lte_channel_statistics *s = p->sums;
    const double n = p->n_any * p->n_sc, products = (double)s->n_entries * s->n_sc;
    const int n_far = s->n_times - s->far_from;
    if (n_far > 0) {
        const double each = products * n_far, mean = s->far / p->n_drops;
        const double variance = s->far2 / p->n_drops - mean * mean;
        double expected = 0.0;
        for (int t = s->far_from; t < s->n_times; t++)
            expected += power_law(p, s->time_s[t]) / n_far;
        lte_validation_check(
            p,
            lte_validation_put(p, "power_correlation", mean / each, expected, "%.6e on",
                               s->time_s[s->far_from]),
            p->errors * sqrt(variance / p->n_drops) / each + LTE_VALIDATION_ROUNDING, true);
        return;
    }
    double j0 = 1.0;
    int at = 0;
    for (int t = 1; t < s->n_times; t++) {
        const double here = lte_fading_over_time(p->model->doppler_hz, s->time_s[t]);
        if (fabs(here) < fabs(j0)) {
            j0 = here;
            at = t;
        }
    }
    const double rest = 1.0 - j0 * j0;
    lte_validation_check(p,
                         lte_validation_put(p, "power_correlation",
                                            1.0 - s->time_gap2[at] / (2.0 * p->n_drops * products),
                                            power_law(p, s->time_s[at]), "%.6e", s->time_s[at]),
                         p->errors * sqrt(5.0 / n) * rest + LTE_VALIDATION_ROUNDING, true);
}

/*
 * Ups of the envelope a second; the standard error from the counts of the drops. Pairs of
 * crossings between two symbols are seen as none: for f_D T to 0.07, the highest Doppler, less than
 * missed (f_D T)^2 of all, by the joint distribution of two envelopes.
 */
static void check_crossings(lte_validation_state *p)
{
    static const double missed[LTE_STATISTICS_LEVELS] = {16.0, 2.3, 1.7};
    const lte_channel_statistics *s = p->sums;
    const double turns = p->model->doppler_hz * s->time_s[1];
    const double in_a_drop = s->watched_s * s->n_entries * s->n_sc;
    for (int i = 0; i < LTE_STATISTICS_LEVELS; i++) {
        const double expected =
            lte_fading_crossings(p->model->doppler_hz, lte_statistics_levels[i]);
        const double mean = s->crossings[i] / p->n_drops;
        const double variance = s->crossings2[i] / p->n_drops - mean * mean;
        lte_validation_line *line = lte_validation_put(p, "crossings_per_s", mean / in_a_drop,
                                                       expected, "%g", lte_statistics_levels[i]);
        if (expected * s->watched_s * p->n_any * p->n_sc < 100.0) {
            line->untested = "fewer than 100 independent events are expected";
            line->listed = true;
            line->measured = line->limit = (double)NAN;
            p->validation->n_untested++;
            continue;
        }
        lte_validation_check(p, line,
                             p->errors * sqrt(variance / p->n_drops) / in_a_drop +
                                 missed[i] * turns * turns * expected,
                             true);
    }
}

void lte_validation_motion(lte_validation_state *p)
{
    check_time(p);
    check_correlation(p);
    check_crossings(p);
}
