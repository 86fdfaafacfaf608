/*
 * The proof of a channel: every channel of the program passes it, and a channel with a flaw, each
 * of a kind that simulators have had, fails in the lines that it must.
 */
#include "tests/lib/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/stages.h"
#include "phy/channel/fading.h"
#include "phy/channel/taps.h"
#include "sim/channel/validation.h"
#include "sim/report/verify.h"

#define OF_TAPS(id) LTE_CHANNEL_##id,
static const int profiles[] = {LTE_TAP_CHANNELS(OF_TAPS)}; /* flat first */
enum { N_PROFILES = sizeof profiles / sizeof *profiles };
static const double dopplers[] = {5.0, 70.0, 300.0};
enum { N_DOPPLERS = sizeof dopplers / sizeof *dopplers };

/* A link of n x n antennas and the law that it follows. */
typedef struct {
    lte_link link;
    lte_channel_model law;
    lte_correlation correlation;
    float correlation_factor[16 * 16];
} subject;

static void subject_init(subject *s, int channel, int n_sc, int n_rx, int n_tx, double doppler_hz,
                         int drop_slots)
{
    assert_int_equal(lte_link_init(&s->link, n_sc, n_rx, n_tx, 4, channel, LTE_INVERTER_ldl, 2024),
                     LTE_OK);
    s->law = (lte_channel_model){channel, doppler_hz, drop_slots, NULL};
    if (doppler_hz > 0.0)
        assert_int_equal(lte_link_set_doppler(&s->link, doppler_hz, drop_slots), LTE_OK);
}

/* The link gets a correlation, the law is told of it. */
static void correlate(subject *s, int level, bool uplink)
{
    const int n_rx = s->link.n_rx, n_tx = s->link.n_tx;
    assert_int_equal(lte_correlation_of(level, uplink, true, n_rx, n_tx, &s->correlation), LTE_OK);
    assert_int_equal(lte_correlation_factor(&s->correlation, n_rx, n_tx, s->correlation_factor),
                     LTE_OK);
    s->link.channel.correlation_factor = s->correlation_factor;
    s->law.correlation = &s->correlation;
}

static lte_channel_validation *proof_of(const subject *s, lte_channel_fn *channel)
{
    lte_channel_validation *proof = NULL;
    assert_int_equal(lte_channel_validation_run(&s->link, &s->law, channel, &proof), LTE_OK);
    assert_non_null(proof);
    return proof;
}

static void assert_proved(const subject *s)
{
    lte_channel_validation *proof = proof_of(s, lte_stages_best()->channel);
    for (int i = 0; i < proof->n_lines; i++) {
        const lte_validation_line *line = &proof->lines[i];
        if (!line->pass && !line->untested)
            fail_msg("channel %d at %g Hz: %s %s is %g, not %g within %g", s->law.channel,
                     s->law.doppler_hz, line->property, line->argument, line->measured,
                     line->expected, line->limit);
    }
    assert_true(proof->n_lines > 0 && proof->n_failed == 0);
    lte_channel_validation_free(proof);
}

/* The proof fails, in a line of each property of a list "a b". */
static void assert_refuted(const subject *s, lte_channel_fn *channel, const char *properties)
{
    lte_channel_validation *proof = proof_of(s, channel);
    char list[128], *rest = NULL;
    int seen = 0;
    for (int i = 0; i < proof->n_lines; i++)
        seen += !proof->lines[i].pass && !proof->lines[i].untested;
    assert_int_equal(seen, proof->n_failed);
    (void)snprintf(list, sizeof list, "%s", properties);
    for (char *name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        int failed = 0;
        for (int i = 0; i < proof->n_lines; i++)
            failed += strcmp(proof->lines[i].property, name) == 0 && !proof->lines[i].pass;
        if (failed == 0)
            fail_msg("channel %d at %g Hz: %s passes", s->law.channel, s->law.doppler_hz, name);
    }
    lte_channel_validation_free(proof);
}

/* ---- what the program draws ---- */

static void channels_at_rest_are_proved(void **state)
{
    (void)state;
    subject s;
    for (int k = 0; k < LTE_N_CHANNELS; k++) {
        if (lte_channel_rows[k].fading == LTE_FADING_GIVEN)
            continue;
        subject_init(&s, k, 301, 4, 4, 0.0, 1);
        assert_proved(&s);
    }
}

/* From the slowest on; lags within a slot, to 4 slots, to the end of a drop of 3000. */
static void moving_channels_are_proved(void **state)
{
    (void)state;
    subject s;
    for (int p = 0; p < N_PROFILES; p++) {
        for (int f = 0; f < N_DOPPLERS; f++) {
            if (!is_long() && p % 2 != f % 2)
                continue;
            subject_init(&s, profiles[p], 72, 2, 2, dopplers[f], 4);
            assert_proved(&s);
        }
    }
    subject_init(&s, LTE_CHANNEL_flat, 72, 2, 2, 5.0, 3000);
    assert_proved(&s);
    subject_init(&s, LTE_CHANNEL_flat, 72, 2, 2, LTE_MAX_DOPPLER_HZ, 24);
    assert_proved(&s);
    subject_init(&s, LTE_CHANNEL_eva, 72, 2, 2, LTE_MIN_DOPPLER_HZ, 1);
    assert_proved(&s);
}

static void correlated_antennas_are_proved(void **state)
{
    (void)state;
    static const struct {
        int channel, n_rx, n_tx;
        bool uplink;
        double doppler_hz;
    } runs[] = {{LTE_CHANNEL_rayleigh, 2, 2, false, 0.0},
                {LTE_CHANNEL_rayleigh, 4, 4, false, 0.0},
                {LTE_CHANNEL_flat, 4, 4, true, 0.0},
                {LTE_CHANNEL_eva, 4, 2, false, 70.0},
                {LTE_CHANNEL_etu, 2, 2, true, 300.0}};
    subject s;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        for (int level = 0; level < LTE_N_CORRELATION_LEVELS; level++) {
            subject_init(&s, runs[k].channel, 33, runs[k].n_rx, runs[k].n_tx, runs[k].doppler_hz,
                         1);
            correlate(&s, level, runs[k].uplink);
            assert_proved(&s);
        }
    }
}

/* No Doppler, one antenna, a carrier of one subcarrier: what cannot be asked is left out. */
static void a_small_link_is_proved(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 4, 5};
    subject s;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        subject_init(&s, LTE_CHANNEL_epa, sizes[i], 1, 1, 0.0, 1);
        assert_proved(&s);
    }
}

/* Where hardly anything is crossed, the line says so, and is neither passed nor failed. */
static void too_few_crossings_are_not_tested(void **state)
{
    (void)state;
    subject s;
    int n_untested = 0;
    subject_init(&s, LTE_CHANNEL_eva, 72, 1, 1, LTE_MIN_DOPPLER_HZ, 1);
    lte_channel_validation *proof = proof_of(&s, lte_stages_best()->channel);
    for (int i = 0; i < proof->n_lines; i++) {
        if (!proof->lines[i].untested)
            continue;
        assert_string_equal(proof->lines[i].property, "crossings_per_s");
        assert_false(proof->lines[i].pass);
        n_untested++;
    }
    assert_int_equal(n_untested, LTE_STATISTICS_LEVELS);
    assert_int_equal(n_untested, proof->n_untested);
    assert_int_equal(proof->n_failed, 0);
    lte_channel_validation_free(proof);
}

/* ---- a link that is not the law's ---- */

static void half_the_doppler_is_refuted(void **state)
{
    (void)state;
    subject s;
    for (int f = 0; f < N_DOPPLERS; f++) {
        subject_init(&s, LTE_CHANNEL_eva, 72, 2, 2, dopplers[f], 4);
        assert_int_equal(lte_link_set_doppler(&s.link, dopplers[f] / 2.0, 4), LTE_OK);
        assert_refuted(&s, lte_stages_best()->channel, "time_correlation crossings_per_s");
    }
}

/* A channel that stands still, or one that moves where it must not. */
static void motion_is_told_from_rest(void **state)
{
    (void)state;
    subject s;
    subject_init(&s, LTE_CHANNEL_eva, 72, 2, 2, 0.0, 1);
    s.law.doppler_hz = 70.0;
    s.law.drop_slots = 4;
    assert_refuted(&s, lte_stages_best()->channel, "time_correlation");
    subject_init(&s, LTE_CHANNEL_eva, 72, 2, 2, 70.0, 4);
    s.law.doppler_hz = 0.0;
    assert_refuted(&s, lte_stages_best()->channel, "next_drop_correlation");
}

/* Powers with twice and half the dB, their sum still 1. */
static void wrong_decibels_are_refuted(void **state)
{
    (void)state;
    static const float powers[] = {2.0f, 0.5f};
    subject s;
    for (int p = 1; p < N_PROFILES; p++) {
        for (int k = 0; k < 2; k++) {
            double sum = 0.0;
            subject_init(&s, profiles[p], 301, 2, 2, 0.0, 1);
            lte_profile *profile = &s.link.channel.profile;
            for (int l = 0; l < profile->n_taps; l++) {
                profile->amplitude[l] = powf(profile->amplitude[l], powers[k]);
                sum += (double)profile->amplitude[l] * (double)profile->amplitude[l];
            }
            for (int l = 0; l < profile->n_taps; l++)
                profile->amplitude[l] /= (float)sqrt(sum);
            assert_refuted(&s, lte_stages_best()->channel,
                           "mean_delay_ns rms_delay_ns frequency_correlation");
        }
    }
}

static void a_missing_normalisation_is_refuted(void **state)
{
    (void)state;
    subject s;
    subject_init(&s, LTE_CHANNEL_epa, 72, 2, 2, 0.0, 1);
    for (int l = 0; l < s.link.channel.profile.n_taps; l++)
        s.link.channel.profile.amplitude[l] *= sqrtf(3.11233f);
    assert_refuted(&s, lte_stages_best()->channel, "power envelope_ks entry_correlation");
}

/* Delays on the grid of 7.68 MHz, or of the wrong sign. */
static void wrong_delays_are_refuted(void **state)
{
    (void)state;
    subject s;
    subject_init(&s, LTE_CHANNEL_epa, 301, 2, 2, 0.0, 1);
    for (int l = 0; l < s.link.channel.profile.n_taps; l++) {
        const double samples = round(lte_channel_rows[LTE_CHANNEL_epa].taps.delay_ns[l] * 7.68e-3);
        s.link.channel.profile.step[l] = -(uint32_t)(samples / 512.0 * 0x1p32);
    }
    assert_refuted(&s, lte_stages_best()->channel, "frequency_correlation");
    subject_init(&s, LTE_CHANNEL_etu, 72, 2, 2, 0.0, 1);
    for (int l = 0; l < s.link.channel.profile.n_taps; l++)
        s.link.channel.profile.step[l] = -s.link.channel.profile.step[l];
    assert_refuted(&s, lte_stages_best()->channel, "mean_delay_ns");
}

/* Another profile, frequency-flat where it is not, selective where it is flat. */
static void another_profile_is_refuted(void **state)
{
    (void)state;
    subject s;
    for (int p = 0; p < N_PROFILES; p++) {
        subject_init(&s, profiles[p], 301, 2, 2, 0.0, 1);
        s.law.channel = profiles[(p + 1) % N_PROFILES];
        assert_refuted(&s, lte_stages_best()->channel,
                       "mean_delay_ns rms_delay_ns frequency_correlation");
    }
    subject_init(&s, LTE_CHANNEL_flat, 301, 2, 2, 0.0, 1);
    s.law.channel = LTE_CHANNEL_rayleigh;
    assert_refuted(&s, lte_stages_best()->channel, "frequency_correlation");
    subject_init(&s, LTE_CHANNEL_rayleigh, 301, 2, 2, 0.0, 1);
    s.law.channel = LTE_CHANNEL_awgn;
    assert_refuted(&s, lte_stages_best()->channel, "power frequency_correlation entry_correlation");
}

/* R_tx (x) R_rx for R_rx (x) R_tx, no correlation for one, and one for none. */
static void wrong_correlation_is_refuted(void **state)
{
    (void)state;
    subject s;
    lte_correlation other;
    for (int n = 2; n <= 4; n += 2) {
        subject_init(&s, LTE_CHANNEL_epa, 33, n, n, 0.0, 1);
        correlate(&s, LTE_CORRELATION_medium, false);
        assert_int_equal(lte_correlation_of(LTE_CORRELATION_medium, false, true, n, n, &other),
                         LTE_OK);
        other.uplink = true; /* the same sides, the other way round */
        s.law.correlation = &other;
        assert_refuted(&s, lte_stages_best()->channel, "entry_correlation");
        s.law.correlation = NULL;
        assert_refuted(&s, lte_stages_best()->channel, "entry_correlation");
        s.law.correlation = &s.correlation;
        s.link.channel.correlation_factor = NULL;
        assert_refuted(&s, lte_stages_best()->channel, "entry_correlation");
    }
}

/* ---- stages with a flaw ---- */

/* What a flawed stage does to what the right one drew: n floats. */
static void apply(const lte_link *link, uint64_t slot, int g0, int g1, float *h, void *work,
                  void (*flaw)(float *re, float *im))
{
    const ptrdiff_t group = (ptrdiff_t)link->channel.n_h * link->n_rx * link->n_tx * 2 * LTE_LANES;
    lte_stages_best()->channel(link, slot, g0, g1, h, work);
    for (ptrdiff_t i = g0 * group; i < g1 * group; i += 2 * LTE_LANES) {
        for (int lane = 0; lane < LTE_LANES; lane++)
            flaw(&h[i + lane], &h[i + LTE_LANES + lane]);
    }
}

static void make_real(float *re, float *im)
{
    *re *= sqrtf(2.0f);
    *im = 0.0f;
}

static void real_channel(const lte_link *link, uint64_t slot, int g0, int g1, float *h, void *work)
{
    apply(link, slot, g0, g1, h, work, make_real);
}

static void make_nan(float *re, float *im)
{
    if (*re > 2.0f)
        *im = NAN;
}

static void broken_channel(const lte_link *link, uint64_t slot, int g0, int g1, float *h,
                           void *work)
{
    apply(link, slot, g0, g1, h, work, make_nan);
}

/* |h| as it is for every realisation: no fading of the total power. */
static void make_constant(float *re, float *im)
{
    const float size = sqrtf(*re * *re + *im * *im);
    *re /= size;
    *im /= size;
}

static void constant_channel(const lte_link *link, uint64_t slot, int g0, int g1, float *h,
                             void *work)
{
    apply(link, slot, g0, g1, h, work, make_constant);
}

/* Two slots with the same draws. */
static void repeating_channel(const lte_link *link, uint64_t slot, int g0, int g1, float *h,
                              void *work)
{
    lte_stages_best()->channel(link, slot / 2, g0, g1, h, work);
}

static void a_flawed_stage_is_refuted(void **state)
{
    (void)state;
    subject s;
    subject_init(&s, LTE_CHANNEL_eva, 72, 2, 2, 0.0, 1);
    assert_refuted(&s, real_channel, "envelope_ks");
    assert_refuted(&s, broken_channel, "power envelope_ks frequency_correlation entry_correlation");
    assert_refuted(&s, constant_channel, "envelope_ks");
    assert_refuted(&s, repeating_channel, "next_drop_correlation");
}

/*
 * Taps of n sinusoids with normal amplitudes, as phy/channel/taps.h documents them, here in double;
 * one sided: all arrive from ahead.
 */
static void sinusoids(const lte_link *link, uint64_t slot, float *h, int n, bool one_sided)
{
    const int n_entries = link->n_rx * link->n_tx, n_taps = link->channel.profile.n_taps;
    const uint64_t drop = slot - slot % link->channel.doppler.drop_slots;
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        const double turns =
            (double)lte_doppler_turns(&link->channel.doppler, slot, symbol) * 0x1p-32;
        lte_cf32 tap[LTE_MAX_TAPS * LTE_FEW_RX * LTE_MAX_ORDER];
        const lte_fading fading = {&link->channel.profile, tap};
        for (int i = 0; i < n_taps * n_entries; i++) {
            const double size = (double)link->channel.profile.amplitude[i / n_entries] / sqrt(n);
            double re = 0.0, im = 0.0;
            for (int m = 0; m < n; m++) {
                const lte_words w =
                    lte_draw(&link->channel.draws, drop, LTE_DRAW_FADING, (uint32_t)(i * n + m));
                const lte_cplx a = lte_normal(w.v[0], w.v[1]);
                const double across = cos(2.0 * M_PI * (m + w.v[2] * 0x1p-32) / n);
                const double angle = 2.0 * M_PI * turns * (one_sided ? fabs(across) : across);
                re += size * ((double)a.re * cos(angle) - (double)a.im * sin(angle));
                im += size * ((double)a.re * sin(angle) + (double)a.im * cos(angle));
            }
            tap[i] = (lte_cf32){(float)re, (float)im};
        }
        for (int sc = 0; sc < link->carrier.n_sc; sc++) {
            lte_cplx z[LTE_FEW_RX * LTE_MAX_ORDER];
            lte_channel_taps(&link->channel.draws, &fading, (lte_word)sc, z);
            for (int e = 0; e < n_entries; e++) {
                const int at = (sc / LTE_LANES * LTE_SLOT_SYMBOLS + symbol) * n_entries + e;
                h[(at * 2) * LTE_LANES + sc % LTE_LANES] = z[e].re;
                h[(at * 2 + 1) * LTE_LANES + sc % LTE_LANES] = z[e].im;
            }
        }
    }
}

static void sixteen(const lte_link *link, uint64_t slot, int g0, int g1, float *h, void *work)
{
    (void)g0;
    (void)g1;
    (void)work;
    sinusoids(link, slot, h, 16, false);
}

static void single(const lte_link *link, uint64_t slot, int g0, int g1, float *h, void *work)
{
    (void)g0;
    (void)g1;
    (void)work;
    sinusoids(link, slot, h, 1, false);
}

static void from_ahead(const lte_link *link, uint64_t slot, int g0, int g1, float *h, void *work)
{
    (void)g0;
    (void)g1;
    (void)work;
    sinusoids(link, slot, h, 16, true);
}

static void a_single_sinusoid_a_tap_is_refuted(void **state)
{
    (void)state;
    subject s;
    for (int p = 0; p < N_PROFILES; p++) {
        subject_init(&s, profiles[p], 5, 2, 2, 300.0, 3);
        assert_refuted(&s, single, "power_correlation");
    }
    subject_init(&s, LTE_CHANNEL_flat, 5, 2, 2, 300.0, 2);
    assert_refuted(&s, single, "crossings_per_s");
    assert_refuted(&s, from_ahead, "time_correlation_im");
    lte_channel_validation *proof = proof_of(&s, sixteen);
    assert_int_equal(proof->n_failed, 0);
    lte_channel_validation_free(proof);
}

/* Over a long drop four sinusoids a tap are too few; as many as there should be are not. */
static void four_sinusoids_a_tap_are_refuted(void **state)
{
    (void)state;
    subject s;
    subject_init(&s, LTE_CHANNEL_flat, 12, 2, 2, 300.0, 64);
    assert_int_equal(s.link.channel.doppler.sinusoid_bits, 6);
    assert_proved(&s);
    s.link.channel.doppler.sinusoid_bits = 4; /* as many as a short drop has, few for this one */
    s.link.channel.doppler.amplitude = 0.25f;
    assert_refuted(&s, lte_stages_best()->channel, "power_correlation");
    subject_init(&s, LTE_CHANNEL_eva, 72, 2, 2, 300.0, 24);
    assert_int_equal(s.link.channel.doppler.sinusoid_bits, 4);
    assert_proved(&s);
    s.link.channel.doppler.sinusoid_bits = 2;
    s.link.channel.doppler.amplitude = 0.5f;
    assert_refuted(&s, lte_stages_best()->channel, "power_correlation");
}

/* What --verify makes of lines; the worst is one that is no number, before any other. */
static void one_failing_line_fails_the_verification(void **state)
{
    (void)state;
    lte_validation_line lines[] = {
        {.property = "a", .expected = 1.0, .limit = 0.5, .pass = true},
        {.property = "b", .measured = 9.0, .limit = 1.0},
        {.property = "c", .measured = (double)NAN, .limit = 1.0},
        {.property = "d", .measured = 2.0, .limit = 1.0},
        {.property = "e", .measured = (double)NAN, .untested = "for once"}};
    lte_channel_validation proof = {.lines = lines, .n_lines = 5, .n_failed = 3, .n_untested = 1};
    assert_int_equal(lte_channel_validation_worst(&proof, 0, 5), 2);
    assert_int_equal(lte_channel_validation_worst(&proof, 3, 5), 3);
    assert_int_equal(lte_channel_validation_worst(&proof, 4, 5), -1);
    assert_false(lte_verify_channel(&proof));
    proof = (lte_channel_validation){.lines = lines, .n_lines = 1};
    assert_true(lte_verify_channel(&proof));
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(channel_proof, channels_at_rest_are_proved),
    LTE_CASE(channel_proof, moving_channels_are_proved),
    LTE_CASE(channel_proof, correlated_antennas_are_proved),
    LTE_CASE(channel_proof, a_small_link_is_proved),
    LTE_CASE(channel_proof, too_few_crossings_are_not_tested),
    LTE_CASE(channel_proof, half_the_doppler_is_refuted),
    LTE_CASE(channel_proof, motion_is_told_from_rest),
    LTE_CASE(channel_proof, wrong_decibels_are_refuted),
    LTE_CASE(channel_proof, a_missing_normalisation_is_refuted),
    LTE_CASE(channel_proof, wrong_delays_are_refuted),
    LTE_CASE(channel_proof, another_profile_is_refuted),
    LTE_CASE(channel_proof, wrong_correlation_is_refuted),
    LTE_CASE(channel_proof, a_flawed_stage_is_refuted),
    LTE_CASE(channel_proof, one_failing_line_fails_the_verification),
};

static const struct CMUnitTest more[] = {
    LTE_CASE(channel_proof, a_single_sinusoid_a_tap_is_refuted),
    LTE_CASE(channel_proof, four_sinusoids_a_tap_are_refuted),
};

int main(void)
{
    return RUN_CASES_AND_MORE("channel_proof");
}
