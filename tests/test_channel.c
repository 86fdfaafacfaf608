/*
 * Channels made of taps against their definition: powers, delays, correlation over frequency and
 * time, envelope, level crossings, independence. Expected values: tests/data/reference_ber.json,
 * computed in double elsewhere.
 */
#include "batch.h"
#include "matrices.h"

#include <complex.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "phy/correlation.h"
#include "phy/taps.h"

enum { N = 4, N_ENTRIES = N * N, N_SC = 301, N_SLOTS = 2000, N_SPACINGS = 4 };

static const double pi = 3.14159265358979323846;

static const struct {
    int channel;
    const char *name;
} profiles[] = {{LTE_CHANNEL_epa, "EPA"}, {LTE_CHANNEL_eva, "EVA"}, {LTE_CHANNEL_etu, "ETU"}};
enum { N_PROFILES = sizeof profiles / sizeof *profiles };

static const int spacings[N_SPACINGS] = {1, 12, 50, 300};

static json_t *expected(void)
{
    json_t *root = json_load_file("tests/data/reference_ber.json", 0, NULL);
    assert_non_null(root);
    json_t *found = json_incref(json_object_get(root, "channel_autocorrelation"));
    assert_non_null(found);
    json_decref(root);
    return found;
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void profiles_have_the_published_powers_and_delays(void **state)
{
    (void)state;
    json_t *root = expected();
    for (int p = 0; p < N_PROFILES; p++) {
        const json_t *stats =
            json_object_get(json_object_get(root, "profile_stats"), profiles[p].name);
        const json_t *powers = json_object_get(stats, "normalised_linear_powers");
        const lte_power_delay *published = &lte_power_delays[profiles[p].channel];
        const lte_profile profile = lte_profile_of(profiles[p].channel);
        double sum = 0.0, linear_sum = 0.0, mean = 0.0, square = 0.0;
        assert_int_equal(profile.n_taps, (int)json_array_size(powers));
        assert_int_equal(profile.n_taps, published->n_taps);
        for (int l = 0; l < profile.n_taps; l++)
            linear_sum += pow(10.0, published->power_db[l] / 10.0);
        assert_near(linear_sum, number(stats, "sum_unnormalised_linear"), 1e-9);
        for (int l = 0; l < profile.n_taps; l++) {
            const double power = (double)profile.amplitude[l] * (double)profile.amplitude[l];
            const double delay = published->delay_ns[l];
            /* as written in phy/profile.c, the formula rounded to float */
            const double root_of = sqrt(pow(10.0, published->power_db[l] / 10.0) / linear_sum);
            assert_true(profile.amplitude[l] == (float)root_of);
            assert_near(power, json_number_value(json_array_get(powers, (size_t)l)), 1e-7);
            sum += power;
            mean += power * delay;
            square += power * delay * delay;
        }
        assert_near(sum, 1.0, 1e-7);
        assert_near(mean, number(stats, "mean_delay_ns"), 1e-3);
        assert_near(sqrt(square - mean * mean), number(stats, "rms_delay_spread_ns"), 1e-2);
    }
    json_decref(root);
}

/* One tap of power 1 alone: its phase over the widest carrier, against the delay in double. */
static void a_tap_turns_by_its_delay(void **state)
{
    (void)state;
    const lte_draws draws = lte_draws_of(1, 1, 1, 2);
    const lte_cf32 one = {1.0f, 0.0f};
    for (int p = 0; p < N_PROFILES; p++) {
        const lte_profile profile = lte_profile_of(profiles[p].channel);
        for (int l = 0; l < profile.n_taps; l++) {
            const lte_profile alone = {1, {1.0f}, {profile.step[l]}};
            const lte_fading fading = {&alone, &one};
            const double delay_s = 1e-9 * lte_power_delays[profiles[p].channel].delay_ns[l];
            for (int sc = 0; sc < 1200; sc++) {
                lte_cplx h;
                lte_channel_taps(&draws, &fading, (lte_word)sc, &h);
                const double complex exact = cexp(CMPLX(0.0, -2.0 * pi * 15e3 * sc * delay_s));
                assert_near(h.re, creal(exact), 2e-6);
                assert_near(h.im, cimag(exact), 2e-6);
            }
        }
    }
}

/* H of slot after slot: entries of subcarrier sc in double. */
static void entries_of(const batch *b, int sc, double complex *h)
{
    for (int e = 0; e < N_ENTRIES; e++) {
        const float *p = &b->h[batch_at(N_ENTRIES, sc, e)];
        h[e] = CMPLX(p[0], p[LTE_LANES]);
    }
}

static double abs2(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* E h(k + d) h(k)* over slots and entries is R(d 15 kHz), and R(0) = 1. */
static void subcarriers_correlate_as_the_profile_says(void **state)
{
    (void)state;
    json_t *root = expected();
    for (int p = 0; p < N_PROFILES; p++) {
        const json_t *table = json_object_get(json_object_get(root, "frequency"), profiles[p].name);
        const lte_link link = link_of(N_SC, N, N, 4, profiles[p].channel, LTE_INVERTER_ldl);
        const double n = (double)N_SLOTS * N_ENTRIES;
        double complex sum[N_SPACINGS] = {0};
        double power = 0.0, square[N_SPACINGS] = {0};
        batch b;
        batch_init(&b, &link, 0xa5);
        for (uint64_t slot = 0; slot < N_SLOTS; slot++) {
            double complex h0[N_ENTRIES], h1[N_ENTRIES];
            lte_stages_best()->channel(&link, slot, 0, link.n_groups, b.h);
            entries_of(&b, 0, h0);
            for (int e = 0; e < N_ENTRIES; e++)
                power += abs2(h0[e]) / n;
            for (int d = 0; d < N_SPACINGS; d++) {
                entries_of(&b, spacings[d], h1);
                for (int e = 0; e < N_ENTRIES; e++) {
                    sum[d] += h1[e] * conj(h0[e]) / n;
                    square[d] += abs2(h1[e] * conj(h0[e])) / n;
                }
            }
        }
        assert_near(power, 1.0, 4.5 / sqrt(n));
        for (int d = 0; d < N_SPACINGS; d++) {
            char key[8];
            (void)snprintf(key, sizeof key, "%d", spacings[d]);
            const json_t *exact = json_object_get(json_object_get(table, key), "exact");
            const double se = sqrt((square[d] - abs2(sum[d])) / n); /* of both parts together */
            assert_near(creal(sum[d]), number(exact, "re"), 4.5 * se);
            assert_near(cimag(sum[d]), number(exact, "im"), 4.5 * se);
        }
        batch_fini(&b);
    }
    json_decref(root);
}

/* Entries, and the same entry one slot later, do not correlate. */
static void entries_and_slots_are_independent(void **state)
{
    (void)state;
    for (int p = 0; p < N_PROFILES; p++) {
        const lte_link link = link_of(17, N, N, 4, profiles[p].channel, LTE_INVERTER_ldl);
        double complex across[N_ENTRIES][N_ENTRIES] = {0}, later[N_ENTRIES] = {0};
        double complex before[N_ENTRIES] = {0};
        batch b;
        batch_init(&b, &link, 0xa5);
        for (uint64_t slot = 0; slot < N_SLOTS; slot++) {
            double complex h[N_ENTRIES];
            lte_stages_best()->channel(&link, slot, 0, link.n_groups, b.h);
            entries_of(&b, 16, h);
            for (int i = 0; i < N_ENTRIES; i++) {
                for (int j = 0; j < i; j++)
                    across[i][j] += h[i] * conj(h[j]) / N_SLOTS;
                later[i] += h[i] * conj(before[i]) / N_SLOTS;
                before[i] = h[i];
            }
        }
        for (int i = 0; i < N_ENTRIES; i++) {
            for (int j = 0; j < i; j++)
                assert_true(cabs(across[i][j]) < 5.0 / sqrt(N_SLOTS));
            assert_true(cabs(later[i]) < 5.0 / sqrt(N_SLOTS));
        }
        batch_fini(&b);
    }
}

/* The channel of a narrow carrier, from any group on, is part of the wide one's. */
static void a_channel_does_not_depend_on_the_carrier(void **state)
{
    (void)state;
    const lte_link narrow = link_of(72, 3, 2, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
    const lte_link wide = link_of(1200, 3, 2, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
    const size_t group = 6 * 2 * LTE_LANES;
    batch a, b;
    batch_init(&a, &narrow, 0xa5);
    batch_init(&b, &wide, 0x5a);
    lte_stages_best()->channel(&narrow, 7, 2, 4, a.h);
    lte_stages_best()->channel(&wide, 7, 0, wide.n_groups, b.h);
    assert_memory_equal(a.h + 2 * group, b.h + 2 * group, 2 * group * sizeof(float));
    batch_fini(&a);
    batch_fini(&b);
}

/* ---- moving taps ---- */

static const double doppler_hz[] = {5.0, 70.0, 300.0};
enum { N_DOPPLERS = sizeof doppler_hz / sizeof *doppler_hz };

/* Seconds from the drop's start to a symbol's. */
static double time_of(int symbol)
{
    const int slot = symbol / LTE_SLOT_SYMBOLS, l = symbol % LTE_SLOT_SYMBOLS;
    return (slot * 15360.0 + (l > 0 ? 16.0 + 2192.0 * l : 0.0)) / 30.72e6;
}

/* Entry e of the one tap of a flat channel over n_slots slots of a drop. */
static void series(const lte_draws *draws, double f_d, uint64_t drop, int n_slots, int e,
                   double complex *z)
{
    const lte_profile profile = lte_profile_of(LTE_CHANNEL_flat);
    const lte_doppler doppler = lte_doppler_of(f_d, n_slots);
    for (int slot = 0; slot < n_slots; slot++) {
        lte_cplx tap[LTE_SLOT_SYMBOLS];
        lte_draw_moving_tap(draws, &profile, &doppler, drop * (uint64_t)n_slots + (uint64_t)slot, 0,
                            (lte_word)e, tap);
        for (int l = 0; l < LTE_SLOT_SYMBOLS; l++)
            z[slot * LTE_SLOT_SYMBOLS + l] = CMPLX(tap[l].re, tap[l].im);
    }
}

static void a_part_of_turns_is_their_product(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    for (int i = 0; i < 100000; i++) {
        const float x = (float)(2.0 * gsl_rng_uniform(rng) - 1.0);
        const uint64_t turns = (uint64_t)(gsl_rng_uniform(rng) * 0x1p47);
        /* |x| in units of 2^-22, as documented; the product is exact from there */
        const uint64_t q = (uint64_t)nearbyint(fabs((double)x) * 0x1p22);
        const uint32_t part = (uint32_t)((q * turns) >> 22);
        const uint64_t high = (uint64_t)(((__extension__(unsigned __int128) q) * turns) >> 22);
        assert_int_equal(part, (uint32_t)high);
        assert_int_equal(lte_part_of_turns(x, turns), x < 0.0f ? 0u - part : part);
    }
    gsl_rng_free(rng);
}

/* E z(t + tau) z(t)* = J0(2 pi f_D tau) over lags from a symbol to 20 slots, and E |z|^2 = 1. */
static void a_moving_tap_has_the_autocorrelation_of_jakes(void **state)
{
    (void)state;
    enum { SLOTS = 24, DROPS = 1500, LAGS = 6 };
    static const int lags[LAGS] = {0, 1, 7, 14, 70, 140}; /* symbols */
    const lte_draws draws = lte_draws_of(5, N, N, 4);
    for (int f = 0; f < N_DOPPLERS; f++) {
        double complex mean[LAGS] = {0};
        double square[LAGS] = {0};
        for (uint64_t drop = 0; drop < DROPS; drop++) {
            double complex z[SLOTS * LTE_SLOT_SYMBOLS];
            series(&draws, doppler_hz[f], drop, SLOTS, (int)(drop % N_ENTRIES), z);
            for (int k = 0; k < LAGS; k++) {
                /* over the boundary of two slots: symbol 6 is the first */
                const double complex product = z[6 + lags[k]] * conj(z[6]);
                mean[k] += product / DROPS;
                square[k] += abs2(product) / DROPS;
            }
        }
        for (int k = 0; k < LAGS; k++) {
            const double se = sqrt((square[k] - abs2(mean[k])) / DROPS);
            const double tau = time_of(6 + lags[k]) - time_of(6);
            assert_near(creal(mean[k]), j0(2.0 * pi * doppler_hz[f] * tau), 4.5 * se);
            assert_near(cimag(mean[k]), 0.0, 4.5 * se);
        }
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* |z| of independent drops is Rayleigh: Kolmogorov-Smirnov at 0.1 %, in any symbol of the drop. */
static void the_envelope_is_rayleigh(void **state)
{
    (void)state;
    enum { DROPS = 20000, SLOTS = 2 };
    static double envelope[2][DROPS];
    const lte_draws draws = lte_draws_of(6, N, N, 4);
    for (int f = 0; f < N_DOPPLERS; f++) {
        for (uint64_t drop = 0; drop < DROPS; drop++) {
            double complex z[SLOTS * LTE_SLOT_SYMBOLS];
            series(&draws, doppler_hz[f], drop, SLOTS, (int)(drop % N_ENTRIES), z);
            envelope[0][drop] = cabs(z[0]);
            envelope[1][drop] = cabs(z[SLOTS * LTE_SLOT_SYMBOLS - 1]);
        }
        for (int i = 0; i < 2; i++) {
            double gap = 0.0;
            qsort(envelope[i], DROPS, sizeof *envelope[i], ascending);
            for (int k = 0; k < DROPS; k++) {
                const double law = 1.0 - exp(-envelope[i][k] * envelope[i][k]);
                gap = fmax(gap, fmax(law - (double)k / DROPS, (k + 1.0) / DROPS - law));
            }
            assert_true(gap < 1.95 / sqrt(DROPS));
        }
    }
}

/* Upward crossings of rho by |z|: sqrt(2 pi) f_D rho exp(-rho^2) a second. */
static void levels_are_crossed_as_often_as_they_should(void **state)
{
    (void)state;
    enum { DROPS = 400, SLOTS = 400, LEVELS = 3 };
    static const double levels[LEVELS] = {0.3, 0.7, 1.2};
    const lte_draws draws = lte_draws_of(7, N, N, 4);
    for (int f = 1; f < N_DOPPLERS; f++) {
        double sum[LEVELS] = {0.0}, square[LEVELS] = {0.0};
        static double complex z[SLOTS * LTE_SLOT_SYMBOLS];
        for (uint64_t drop = 0; drop < DROPS; drop++) {
            series(&draws, doppler_hz[f], drop, SLOTS, (int)(drop % N_ENTRIES), z);
            for (int i = 0; i < LEVELS; i++) {
                int n = 0;
                for (int k = 1; k < SLOTS * LTE_SLOT_SYMBOLS; k++)
                    n += cabs(z[k - 1]) < levels[i] && cabs(z[k]) >= levels[i];
                sum[i] += n;
                square[i] += (double)n * n;
            }
        }
        for (int i = 0; i < LEVELS; i++) {
            const double mean = sum[i] / DROPS, seconds = time_of(SLOTS * LTE_SLOT_SYMBOLS - 1);
            const double se = sqrt((square[i] / DROPS - mean * mean) / DROPS);
            const double law =
                sqrt(2.0 * pi) * doppler_hz[f] * levels[i] * exp(-levels[i] * levels[i]) * seconds;
            /* two crossings between two symbols are seen as none: below 1 % at 300 Hz */
            assert_near(mean, law, 4.5 * se + 0.01 * law);
        }
    }
}

/* The stage: H of every symbol by itself, slots of a drop in one piece, drops and entries apart. */
static void a_moving_channel_goes_on_within_its_drop(void **state)
{
    (void)state;
    enum { DROP_SLOTS = 4, DROPS = 300 };
    lte_link link = link_of(17, N, N, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
    assert_int_equal(lte_link_move(&link, 70.0, DROP_SLOTS), LTE_OK);
    assert_int_equal(link.n_h, LTE_SLOT_SYMBOLS);
    double step = 0.0, jump = 0.0;
    double complex before = 0.0, across = 0.0;
    batch b;
    batch_init(&b, &link, 0xa5);
    for (uint64_t slot = 0; slot < (uint64_t)DROPS * DROP_SLOTS; slot++) {
        lte_stages_best()->channel(&link, slot, 0, link.n_groups, b.h);
        for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) {
            const float *p = &b.h[batch_at(LTE_SLOT_SYMBOLS * N_ENTRIES, 16, l * N_ENTRIES)];
            const float *q = &b.h[batch_at(LTE_SLOT_SYMBOLS * N_ENTRIES, 16, l * N_ENTRIES + 5)];
            const double complex h = CMPLX(p[0], p[LTE_LANES]);
            const bool first = l == 0 && slot % DROP_SLOTS == 0;
            *(first ? &jump : &step) += abs2(h - before);
            before = h;
            if (first)
                across += h * conj(CMPLX(q[0], q[LTE_LANES])) / DROPS;
        }
    }
    /* from symbol to symbol 2 (1 - J0(2 pi 70 Hz 71.4 us)) = 4.9e-4, to another drop 2 */
    step /= DROPS * (DROP_SLOTS * LTE_SLOT_SYMBOLS - 1);
    assert_near(step, 4.9e-4, 0.5e-4);
    assert_near(jump / DROPS, 2.0, 4.5 * 2.0 / sqrt(DROPS));
    assert_true(cabs(across) < 5.0 / sqrt(DROPS));
    batch_fini(&b);
}

/* At the slowest the seven matrices are nearly one, but each its own. */
static void a_slow_channel_hardly_moves(void **state)
{
    (void)state;
    const lte_draws draws = lte_draws_of(8, N, N, 4);
    for (uint64_t drop = 0; drop < 100; drop++) {
        double complex z[LTE_SLOT_SYMBOLS];
        series(&draws, LTE_MIN_DOPPLER_HZ, drop, 1, 3, z);
        assert_true(cabs(z[6] - z[0]) > 0.0 && cabs(z[6] - z[0]) < 3e-3);
    }
}

/* E h h' over slots is R entry by entry, of subcarriers drawn one by one and of moving taps. */
static void antennas_correlate_as_they_should(void **state)
{
    (void)state;
    static const struct {
        int channel, level, n_rx, n_tx;
        bool uplink;
        double doppler_hz;
    } runs[] = {{LTE_CHANNEL_rayleigh, LTE_CORRELATION_medium, 2, 2, false, 0.0},
                {LTE_CHANNEL_rayleigh, LTE_CORRELATION_high, 4, 4, false, 0.0},
                {LTE_CHANNEL_flat, LTE_CORRELATION_medium, 4, 4, true, 0.0},
                {LTE_CHANNEL_eva, LTE_CORRELATION_medium, 4, 2, false, 70.0},
                {LTE_CHANNEL_etu, LTE_CORRELATION_low, 2, 2, false, 300.0}};
    enum { SLOTS = 4000 };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        static double r[N_ENTRIES * N_ENTRIES];
        static double complex sum[N_ENTRIES][N_ENTRIES];
        float factor[N_ENTRIES * N_ENTRIES];
        const int n = runs[k].n_rx * runs[k].n_tx;
        lte_correlation c;
        lte_link link =
            link_of(33, runs[k].n_rx, runs[k].n_tx, 4, runs[k].channel, LTE_INVERTER_ldl);
        batch b;
        memset(sum, 0, sizeof sum);
        assert_int_equal(
            lte_correlation_of(runs[k].level, runs[k].uplink, true, runs[k].n_rx, runs[k].n_tx, &c),
            LTE_OK);
        assert_int_equal(lte_correlation_factor(&c, runs[k].n_rx, runs[k].n_tx, factor), LTE_OK);
        lte_correlation_matrix(&c, runs[k].n_rx, runs[k].n_tx, r);
        link.mix = factor;
        if (runs[k].doppler_hz > 0.0)
            assert_int_equal(lte_link_move(&link, runs[k].doppler_hz, 1), LTE_OK);
        batch_init(&b, &link, 0xa5);
        for (uint64_t slot = 0; slot < SLOTS; slot++) {
            const int last = link.n_h - 1; /* the last matrix of subcarrier 32 */
            lte_stages_best()->channel(&link, slot, 0, link.n_groups, b.h);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    const float *p = &b.h[batch_at(link.n_h * n, 32, last * n + i)];
                    const float *q = &b.h[batch_at(link.n_h * n, 32, last * n + j)];
                    sum[i][j] += CMPLX(p[0], p[LTE_LANES]) * conj(CMPLX(q[0], q[LTE_LANES]));
                }
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++)
                assert_true(cabs(sum[i][j] / SLOTS - r[i * n + j]) < 5.0 / sqrt(SLOTS));
        }
        batch_fini(&b);
    }
}

static void impossible_motion_is_refused(void **state)
{
    (void)state;
    lte_link link = link_of(72, 2, 2, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
    const double nan = (double)NAN;
    assert_int_equal(lte_link_move(&link, 0.0, 8), LTE_EINVAL);
    assert_int_equal(lte_link_move(&link, nan, 8), LTE_EINVAL);
    assert_int_equal(lte_link_move(&link, 1001.0, 8), LTE_EINVAL);
    assert_int_equal(lte_link_move(&link, 70.0, 0), LTE_EINVAL);
    assert_int_equal(lte_link_move(&link, 70.0, 10001), LTE_EINVAL);
    assert_int_equal(link.n_h, 1);
    link = link_of(72, 2, 2, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    assert_int_equal(lte_link_move(&link, 70.0, 8), LTE_EINVAL);
    link = link_of(72, 2, 2, 4, LTE_CHANNEL_flat, LTE_INVERTER_ldl);
    assert_int_equal(lte_link_move(&link, 1000.0, 10000), LTE_OK);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(channel, profiles_have_the_published_powers_and_delays),
    LTE_CASE(channel, a_tap_turns_by_its_delay),
    LTE_CASE(channel, subcarriers_correlate_as_the_profile_says),
    LTE_CASE(channel, entries_and_slots_are_independent),
    LTE_CASE(channel, a_channel_does_not_depend_on_the_carrier),
    LTE_CASE(channel, a_part_of_turns_is_their_product),
    LTE_CASE(channel, a_moving_tap_has_the_autocorrelation_of_jakes),
    LTE_CASE(channel, the_envelope_is_rayleigh),
    LTE_CASE(channel, levels_are_crossed_as_often_as_they_should),
    LTE_CASE(channel, a_moving_channel_goes_on_within_its_drop),
    LTE_CASE(channel, a_slow_channel_hardly_moves),
    LTE_CASE(channel, antennas_correlate_as_they_should),
    LTE_CASE(channel, impossible_motion_is_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("channel", cases, NULL, NULL);
}
