/*
 * Channels made of taps against their definition: powers, delays, correlation over frequency,
 * independence. Expected values: tests/data/reference_ber.json, computed in double elsewhere.
 */
#include "batch.h"
#include "matrices.h"

#include <complex.h>
#include <jansson.h>
#include <math.h>

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

static const struct CMUnitTest cases[] = {
    LTE_CASE(channel, profiles_have_the_published_powers_and_delays),
    LTE_CASE(channel, a_tap_turns_by_its_delay),
    LTE_CASE(channel, subcarriers_correlate_as_the_profile_says),
    LTE_CASE(channel, entries_and_slots_are_independent),
    LTE_CASE(channel, a_channel_does_not_depend_on_the_carrier),
};

int main(void)
{
    return cmocka_run_group_tests_name("channel", cases, NULL, NULL);
}
