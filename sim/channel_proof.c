#include "sim/channel_proof.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "phy/fading.h"
#include "sim/clock.h"

/* Relative, of statistics whose entries are floats. */
static const double rounding = 1e-6;

/* What the lines are made from. */
typedef struct {
    const lte_channel_sums *sums;
    const lte_channel_law *law;
    lte_channel_proof *proof;
    double *r;      /* [n_entries][n_entries] expected E h h' */
    double errors;  /* LTE_PROOF_ERRORS, or 0 where nothing is random */
    double n_any;   /* independent samples that a mean over entries of one subcarrier is worth */
    double n_sc;    /* independent subcarriers that the several are worth */
    double n_drops; /* drops, each independent */
} proving;

/* A line; the argument as printf takes it. */
__attribute__((format(printf, 5, 6))) static lte_proof_line *
put(proving *p, const char *property, double measured, double expected, const char *argument, ...)
{
    lte_proof_line *line = &p->proof->lines[p->proof->n_lines++];
    va_list values;
    *line = (lte_proof_line){property, "", measured, expected, 0.0, false, NULL, false};
    va_start(values, argument);
    (void)vsnprintf(line->argument, sizeof line->argument, argument, values);
    va_end(values);
    return line;
}

static void judge(proving *p, lte_proof_line *line, double limit, bool listed)
{
    line->limit = limit;
    line->listed = listed;
    line->pass = fabs(line->measured - line->expected) <= limit; /* NaN fails */
    p->proof->n_failed += !line->pass;
}

/*
 * How many independent samples a mean over entries and subcarriers is worth. The products whose
 * means are judged are quadratic in complex normal h, so that those of entries e, f correlate with
 * |R_ef|^2 and those of subcarriers with |R(df)|^2; the mean over n has 1/n^2 of the sum.
 */
static void count_samples(proving *p)
{
    const lte_channel_sums *s = p->sums;
    const int n = s->n_entries;
    double entries = 0.0, subcarriers = 0.0;
    for (int i = 0; i < n * n; i++)
        entries += p->r[i] * p->r[i];
    for (int k = 0; k < s->n_sc * s->n_sc; k++) {
        const double apart = 15e3 * (s->sc[k / s->n_sc] - s->sc[k % s->n_sc]);
        const double r = cabs(lte_fading_over_frequency(p->law->channel, apart));
        subcarriers += r * r;
    }
    p->n_drops = (double)s->n_drops;
    p->n_any = p->n_drops * n * n / entries;
    p->n_sc = s->n_sc * s->n_sc / subcarriers;
}

/* E |h|^2 = 1, the mean over entries; |h|^2 is exponential, of variance 1. */
static void prove_power(proving *p)
{
    const lte_channel_sums *s = p->sums;
    double power = 0.0;
    for (int e = 0; e < s->n_entries; e++)
        power += creal(s->matrix[(ptrdiff_t)e * (s->n_entries + 1)]);
    power /= p->n_drops * s->n_entries * s->n_sc;
    judge(p, put(p, "power", power, 1.0, "%s", ""), p->errors / sqrt(p->n_any * p->n_sc) + rounding,
          true);
}

/* Kolmogorov-Smirnov of independent envelopes, at the level of six standard errors, 2e-9. */
static void prove_envelope(proving *p)
{
    const lte_channel_sums *s = p->sums;
    const double gap = lte_fading_rayleigh_gap(s->n_envelopes, s->envelope);
    judge(p, put(p, "envelope_ks", gap, 0.0, "%s", ""),
          sqrt(log(2.0 / 2e-9) / 2.0 / (double)s->n_envelopes), true);
}

/*
 * Delays from h and its derivative u = sum_l tau_l g_l over frequency: u = mean h + rest, the rest
 * independent of h and of variance rms^2. So the standard errors are those of a regression,
 * rms / sqrt(2 n) for both. The difference quotient loses 0.2 % of u at the most; floats leave
 * 1e-7 / (2 pi 15 kHz) = 1 ps.
 */
static void prove_delays(proving *p)
{
    const lte_channel_sums *s = p->sums;
    const lte_delays delays = lte_fading_delays(p->law->channel);
    const double mean = creal(s->slope) / s->slope_h_power;
    const double complex slope = s->slope / s->slope_h_power;
    const double square = s->slope_power / s->slope_h_power - creal(slope * conj(slope));
    const double limit =
        p->errors * delays.rms_s / sqrt(2.0 * p->n_any) + 2e-3 * delays.rms_s + 1e-11;
    judge(p, put(p, "mean_delay_ns", 1e9 * mean, 1e9 * delays.mean_s, "%s", ""), 1e9 * limit, true);
    judge(p, put(p, "rms_delay_ns", 1e9 * sqrt(fmax(square, 0.0)), 1e9 * delays.rms_s, "%s", ""),
          1e9 * limit, true);
}

/*
 * |R(df)|, as the coherence |sum h(d) h0*| / sqrt(sum |h(d)|^2 sum |h0|^2), whose standard error
 * is (1 - |R|^2) / sqrt(2 n) (Carter, Knapp, Nuttall, IEEE Trans. Audio 21, 1973).
 */
static void prove_frequency(proving *p)
{
    const lte_channel_sums *s = p->sums;
    for (int d = 1; d <= s->n_spacings; d++) {
        const double r = cabs(lte_fading_over_frequency(p->law->channel, 15e3 * d));
        const double measured =
            cabs(s->frequency[d]) / sqrt(s->frequency_power[d] * s->frequency_power[0]);
        judge(p, put(p, "frequency_correlation", measured, r, "%d", d),
              p->errors * (1.0 - r * r) / sqrt(2.0 * p->n_any) + rounding,
              d == 1 || d == 12 || d == 50 || d == 300);
    }
}

/*
 * J0(2 pi f_D tau), real, as a coefficient of correlation: standard errors (1 - J0^2) / sqrt(2 n)
 * of its real and sqrt((1 - J0^2) / (2 n)) of its imaginary part. That the angles of a drop are
 * drawn too adds less than 3 % to them.
 */
static void prove_time(proving *p)
{
    const lte_channel_sums *s = p->sums;
    const double n = p->n_any * p->n_sc;
    for (int part = 0; part < 2; part++) {
        for (int t = 1; t < s->n_times; t++) {
            const double j0 = lte_fading_over_time(p->law->doppler_hz, s->time_s[t]);
            const double rest = 1.0 - j0 * j0;
            const double complex r = s->time[t] / sqrt(s->time_power[t] * s->time_power[0]);
            const char *name = part == 0 ? "time_correlation" : "time_correlation_im";
            lte_proof_line *line = put(p, name, part == 0 ? creal(r) : cimag(r),
                                       part == 0 ? j0 : 0.0, "%.6e", s->time_s[t]);
            const double se = part == 0 ? rest / sqrt(2.0 * n) : sqrt(rest / (2.0 * n));
            judge(p, line, p->errors * se + rounding, false);
        }
    }
}

/*
 * That a tap has enough sinusoids to be normal in time, too: then |h(t)|^2 correlates with J0^2,
 * however drawn amplitudes and angles share the work. Half the mean of (|h(t)|^2 - |h0|^2)^2 is
 * 1 - J0^2; the difference is Laplace of variance 2 (1 - J0^2), its square has the standard error
 * sqrt(20) (1 - J0^2). M sinusoids per tap add at most (1 - J0^2) sum_l p_l^2 / M to the
 * correlation; M = 16 is allowed. Judged at the time where most has changed.
 */
static void prove_mixing(proving *p)
{
    const lte_channel_sums *s = p->sums;
    const double n = p->n_any * p->n_sc, products = p->n_drops * s->n_entries * s->n_sc;
    double j0 = 1.0;
    int at = 0;
    for (int t = 1; t < s->n_times; t++) {
        const double here = lte_fading_over_time(p->law->doppler_hz, s->time_s[t]);
        if (fabs(here) < fabs(j0)) {
            j0 = here;
            at = t;
        }
    }
    const double rest = 1.0 - j0 * j0;
    const double allowed = rest * lte_fading_delays(p->law->channel).concentration / 16.0;
    judge(p,
          put(p, "power_correlation", 1.0 - s->time_gap2[at] / (2.0 * products), j0 * j0, "%.6e",
              s->time_s[at]),
          p->errors * sqrt(5.0 / n) * rest + allowed + rounding, true);
}

/*
 * Ups of the envelope a second; the standard error from the counts of the drops. Pairs of
 * crossings between two symbols are seen as none: for f_D T to 0.07, the highest Doppler, less than
 * missed (f_D T)^2 of all, by the joint law of two envelopes.
 */
static void prove_crossings(proving *p)
{
    static const double missed[LTE_SUMS_LEVELS] = {16.0, 2.3, 1.7};
    const lte_channel_sums *s = p->sums;
    const double turns = p->law->doppler_hz * s->time_s[1];
    const double in_a_drop = s->watched_s * s->n_entries * s->n_sc;
    for (int i = 0; i < LTE_SUMS_LEVELS; i++) {
        const double law = lte_fading_crossings(p->law->doppler_hz, lte_sums_levels[i]);
        const double mean = s->crossings[i] / p->n_drops;
        const double variance = s->crossings2[i] / p->n_drops - mean * mean;
        lte_proof_line *line =
            put(p, "crossings_per_s", mean / in_a_drop, law, "%g", lte_sums_levels[i]);
        if (law * s->watched_s * p->n_any * p->n_sc < 100.0) {
            line->untested = "fewer than 100 independent ones expected";
            line->listed = true;
            line->measured = line->limit = (double)NAN;
            p->proof->n_untested++;
            continue;
        }
        judge(p, line,
              p->errors * sqrt(variance / p->n_drops) / in_a_drop + missed[i] * turns * turns * law,
              true);
    }
}

/*
 * E h_i h_j* = R_ij entry by entry. For complex normal h and real R the variances of the parts of
 * a product are (1 + R^2) / 2 and (1 - R^2) / 2.
 */
static void prove_matrix(proving *p)
{
    const lte_channel_sums *s = p->sums;
    const double n = p->n_drops * p->n_sc, products = p->n_drops * s->n_sc;
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < s->n_entries; i++) {
            for (int j = 0; j <= i - part; j++) {
                const double complex m = s->matrix[(ptrdiff_t)i * s->n_entries + j] / products;
                const double r = p->r[(ptrdiff_t)i * s->n_entries + j];
                const double sign = part == 0 ? 1.0 : -1.0, rest = fmax(1.0 + sign * r * r, 0.0);
                lte_proof_line *line =
                    put(p, part == 0 ? "entry_correlation" : "entry_correlation_im",
                        part == 0 ? creal(m) : cimag(m), part == 0 ? r : 0.0, "%d %d", i, j);
                judge(p, line, p->errors * sqrt(rest / (2.0 * n)) + rounding * s->n_entries, false);
            }
        }
    }
}

/* That drops are independent, which all limits rest on: |sum h h_before*|, expected 0. */
static void prove_drops(proving *p)
{
    const lte_channel_sums *s = p->sums;
    const double measured = cabs(s->next_drop) / s->frequency_power[0];
    judge(p, put(p, "next_drop_correlation", measured, 0.0, "%s", ""),
          p->errors / sqrt(2.0 * p->n_any), true);
}

static void prove(proving *p)
{
    const lte_fading_kind kind = lte_fading_kind_of(p->law->channel);
    prove_power(p);
    if (kind != LTE_FADING_CONSTANT)
        prove_envelope(p);
    if (kind == LTE_FADING_TAPS && p->sums->n_spacings >= 4)
        prove_delays(p);
    prove_frequency(p);
    if (p->sums->n_times > 0) {
        prove_time(p);
        prove_mixing(p);
        prove_crossings(p);
    }
    if (kind != LTE_FADING_CONSTANT)
        prove_drops(p);
    prove_matrix(p);
}

/* E h h': of correlated antennas, of independent ones, or of the constant sqrt(n_tx) I. */
static void expect_matrix(const lte_link *link, const lte_channel_law *law, double *r)
{
    const int n = link->n_rx * link->n_tx;
    if (law->correlation) {
        lte_correlation_matrix(law->correlation, link->n_rx, link->n_tx, r);
        return;
    }
    const bool constant = lte_fading_kind_of(law->channel) == LTE_FADING_CONSTANT;
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

lte_status lte_channel_proof_run(const lte_link *link, const lte_channel_law *law,
                                 lte_channel_fn *channel, lte_channel_proof **proof)
{
    const size_t n = (size_t)(link->n_rx * link->n_tx);
    const lte_fading_kind kind = lte_fading_kind_of(law->channel);
    lte_channel_sums *sums = NULL;
    lte_status status = LTE_OK;
    proving p = {.law = law, .errors = kind == LTE_FADING_CONSTANT ? 0.0 : LTE_PROOF_ERRORS};
    *proof = p.proof = calloc(1, sizeof *p.proof);
    if (!p.proof)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the proof of the channel");
    if (kind == LTE_FADING_GIVEN)
        return LTE_OK;
    status = lte_channel_sums_create(link, law, &sums);
    if (status)
        goto cleanup;
    /* a line for each spacing, two for each time, one for each of the matrix, and nine more */
    p.proof->lines = calloc((size_t)sums->n_spacings + 2 * (size_t)sums->n_times + n * n + 9,
                            sizeof *p.proof->lines);
    p.r = calloc(n * n, sizeof *p.r);
    if (!p.proof->lines || !p.r) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the proof of the channel");
        goto cleanup;
    }
    while (sums->done < sums->n_drops && !lte_stop_signal)
        lte_channel_sums_add(sums, channel, link);
    p.sums = sums;
    p.proof->drops = sums->done;
    p.proof->slots_drawn = sums->n_slots;
    p.proof->slot_step = sums->slot_step;
    p.proof->interrupted = sums->done < sums->n_drops;
    if (!p.proof->interrupted) {
        expect_matrix(link, law, p.r);
        count_samples(&p);
        prove(&p);
    }
cleanup:
    lte_channel_sums_free(sums);
    free(p.r);
    if (status) {
        lte_channel_proof_free(*proof);
        *proof = NULL;
    }
    return status;
}

void lte_channel_proof_free(lte_channel_proof *proof)
{
    if (proof)
        free(proof->lines);
    free(proof);
}

int lte_channel_proof_worst(const lte_channel_proof *proof, int from, int to)
{
    int worst = -1;
    double most = -1.0;
    for (int i = from; i < to; i++) {
        const lte_proof_line *line = &proof->lines[i];
        const double gap = fabs(line->measured - line->expected) / line->limit;
        if (!line->untested && !(gap <= most)) {
            worst = i;
            most = gap;
        }
    }
    return worst;
}
