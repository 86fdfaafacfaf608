/*
 * Channels made of taps against their definition: powers, delays, moving taps; and what theory says
 * of them, which tests/sim/test_channel_validation.c takes as given. Expected values:
 * tests/data/reference_ber.json, computed in double elsewhere.
 */
#include "tests/lib/batch.h"
#include "tests/lib/matrices.h"

#include <complex.h>
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "phy/base/carrier.h"
#include "phy/channel/fading.h"
#include "phy/channel/taps.h"

enum { N = 4 };

#define OF_TAPS(id) LTE_CHANNEL_##id,
static const int profiles[] = {LTE_TAP_CHANNELS(OF_TAPS)};
enum { N_PROFILES = sizeof profiles / sizeof *profiles };
enum { N_PUBLISHED = 3 }; /* of them the expected values know: EPA, EVA, ETU */

/* What a table of the expected values has of a channel, NULL if nothing. */
static const json_t *published_of(const json_t *table, int channel)
{
    char name[16] = "";
    const char *lower = lte_channel_rows[channel].name;
    for (size_t i = 0; lower[i] && i + 1 < sizeof name; i++)
        name[i] = (char)toupper((unsigned char)lower[i]);
    return json_object_get(table, name);
}

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

/* What one part of the program takes from a row another does not take differently. */
static void rows_are_whole(void **state)
{
    (void)state;
#define IS_DRAWN(id) [LTE_CHANNEL_##id] = LTE_FADING_DRAWN,
#define IS_TAPS(id) [LTE_CHANNEL_##id] = LTE_FADING_TAPS,
#define IS_GIVEN(id) [LTE_CHANNEL_##id] = LTE_FADING_GIVEN,
    static const lte_fading_kind families[] = {
        LTE_DRAWN_CHANNELS(IS_DRAWN) LTE_TAP_CHANNELS(IS_TAPS) LTE_STORED_CHANNELS(IS_GIVEN)};
    for (int k = 0; k < LTE_N_CHANNELS; k++) {
        const lte_channel_row *row = &lte_channel_rows[k];
        const bool constant = row->fading == LTE_FADING_CONSTANT;
        assert_true(row->name && row->name[0] && row->text && row->text[0]);
        for (int i = 0; i < k; i++)
            assert_string_not_equal(row->name, lte_channel_rows[i].name);
        assert_int_equal(families[k], constant ? LTE_FADING_DRAWN : row->fading);
        assert_true((row->taps.n > 0) == (row->fading == LTE_FADING_TAPS));
        assert_true((row->taps.n > 0) == !row->not_moved);
        assert_true(row->subcarriers != LTE_SUBCARRIERS_PROFILE || row->taps.n > 1);
        assert_true(row->subcarriers != LTE_SUBCARRIERS_ALIKE || row->taps.n == 1 || constant);
        assert_true(row->taps.n <= LTE_MAX_TAPS);
        for (int l = 0; l < row->taps.n; l++)
            assert_true(row->taps.delay_ns[l] >= (l > 0 ? row->taps.delay_ns[l - 1] : 0));
    }
}

/* The formula in another's double, rounded to float. */
static void amplitudes_are_those_of_the_published_powers(void **state)
{
    (void)state;
    for (int p = 0; p < N_PROFILES; p++) {
        const lte_power_delay *published = &lte_channel_rows[profiles[p]].taps;
        const lte_profile profile = lte_profile_of(profiles[p]);
        double sum = 0.0;
        assert_int_equal(profile.n_taps, published->n);
        for (int l = 0; l < profile.n_taps; l++)
            sum += pow(10.0, published->power_db[l] / 10.0);
        for (int l = 0; l < profile.n_taps; l++) {
            const double root_of = sqrt(pow(10.0, published->power_db[l] / 10.0) / sum);
            assert_true(profile.amplitude[l] == (float)root_of);
        }
    }
}

/* Written out: these bits are in every draw. */
static void amplitudes_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    static const struct {
        int channel;
        float amplitude[LTE_MAX_TAPS];
    } written[] = {
        {LTE_CHANNEL_flat, {1.0f}},
        {LTE_CHANNEL_epa,
         {0.566835284f, 0.505192459f, 0.450253278f, 0.401288658f, 0.225661188f, 0.0782450512f,
          0.0516959913f}},
        {LTE_CHANNEL_eva,
         {0.491121739f, 0.413227439f, 0.418012381f, 0.324480921f, 0.458341479f, 0.172261864f,
          0.219376028f, 0.123364203f, 0.0701760873f}},
        {LTE_CHANNEL_etu,
         {0.352299899f, 0.352299899f, 0.352299899f, 0.395287007f, 0.395287007f, 0.395287007f,
          0.279841751f, 0.222286209f, 0.17656821f}},
    };
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        const lte_profile profile = lte_profile_of(written[i].channel);
        assert_memory_equal(profile.amplitude, written[i].amplitude, sizeof profile.amplitude);
    }
}

static void profiles_have_the_published_powers_and_delays(void **state)
{
    (void)state;
    json_t *root = expected();
    int n_published = 0;
    for (int p = 0; p < N_PROFILES; p++) {
        const json_t *stats = published_of(json_object_get(root, "profile_stats"), profiles[p]);
        const json_t *powers = json_object_get(stats, "normalised_linear_powers");
        const lte_profile profile = lte_profile_of(profiles[p]);
        const lte_delays delays = lte_fading_delays(profiles[p]);
        double sum = 0.0, linear_sum = 0.0;
        if (!stats)
            continue;
        n_published++;
        assert_int_equal(profile.n_taps, (int)json_array_size(powers));
        for (int l = 0; l < profile.n_taps; l++)
            linear_sum += pow(10.0, lte_channel_rows[profiles[p]].taps.power_db[l] / 10.0);
        assert_near(linear_sum, number(stats, "sum_unnormalised_linear"), 1e-9);
        for (int l = 0; l < profile.n_taps; l++) {
            const double power = (double)profile.amplitude[l] * (double)profile.amplitude[l];
            assert_near(power, json_number_value(json_array_get(powers, (size_t)l)), 1e-7);
            sum += power;
        }
        assert_near(sum, 1.0, 1e-7);
        assert_near(1e9 * delays.mean_s, number(stats, "mean_delay_ns"), 1e-3);
        assert_near(1e9 * delays.rms_s, number(stats, "rms_delay_spread_ns"), 1e-2);
    }
    assert_int_equal(n_published, N_PUBLISHED);
    json_decref(root);
}

/* One tap of power 1 alone: its phase over the widest carrier, against the delay in double. */
static void a_tap_turns_by_its_delay(void **state)
{
    (void)state;
    const lte_draws draws = lte_draws_of(1, 1, 1, 2);
    const lte_cf32 one = {1.0f, 0.0f};
    for (int p = 0; p < N_PROFILES; p++) {
        const lte_profile profile = lte_profile_of(profiles[p]);
        for (int l = 0; l < profile.n_taps; l++) {
            const lte_profile alone = {1, {1.0f}, {profile.step[l]}, 0};
            const lte_fading fading = {&alone, &one};
            const double delay_s = 1e-9 * lte_channel_rows[profiles[p]].taps.delay_ns[l];
            for (int sc = 0; sc < 1200; sc++) {
                lte_cplx h;
                lte_channel_taps(&draws, &fading, (lte_word)sc, &h);
                const double complex exact = cexp(CMPLX(0.0, -2.0 * M_PI * 15e3 * sc * delay_s));
                assert_near(h.re, creal(exact), 2e-6);
                assert_near(h.im, cimag(exact), 2e-6);
            }
        }
    }
}

/* R(df) of phy/channel/fading.h, which the proof of a channel takes for the truth. */
static void theory_has_the_correlation_of_the_profiles(void **state)
{
    (void)state;
    static const int spacings[] = {1, 12, 50, 300};
    json_t *root = expected();
    int n_published = 0;
    for (int p = 0; p < N_PROFILES; p++) {
        const json_t *table = published_of(json_object_get(root, "frequency"), profiles[p]);
        n_published += table != NULL;
        for (size_t d = 0; table && d < sizeof spacings / sizeof *spacings; d++) {
            char key[8];
            (void)snprintf(key, sizeof key, "%d", spacings[d]);
            const json_t *exact = json_object_get(json_object_get(table, key), "exact");
            const double complex r = lte_fading_over_frequency(profiles[p], 15e3 * spacings[d]);
            assert_near(creal(r), number(exact, "re"), 1e-6);
            assert_near(cimag(r), number(exact, "im"), 1e-6);
        }
    }
    assert_int_equal(n_published, N_PUBLISHED);
    json_decref(root);
}

/* J0 at its first zero and elsewhere; crossings, symbols and distances by hand. */
static void theory_has_known_values(void **state)
{
    (void)state;
    double steps[] = {2.0, 0.5, 1.0}, broken[] = {0.5, (double)NAN};
    const double f_d = 2.404825557695773 / (2.0 * M_PI);
    assert_near(lte_fading_over_time(f_d, 1.0), 0.0, 1e-12);
    assert_near(lte_fading_over_time(300.0, 0.0), 1.0, 0.0);
    assert_near(lte_fading_over_time(70.0, 0.5e-3), 1.0 - 0.5 * 2.40e-2, 1e-4);
    assert_near(lte_fading_crossings(70.0, 1.0), 70.0 * 0.922137, 1e-3);
    assert_near(lte_symbol_start_s(0, 0), 0.0, 0.0);
    assert_near(lte_symbol_start_s(3, 0), 1.5e-3, 1e-15);
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++) /* all the same apart: 2048 and a prefix of 144 */
        assert_near(lte_symbol_start_s(0, l), l * 2192 / 30.72e6, 1e-12);
    assert_near(lte_symbol_start_s(1, 0) - lte_symbol_start_s(0, 6), 2208 / 30.72e6, 1e-12);
    /* so many sinusoids that they know nothing of each other: Clarke; few: their own for ever */
    const int eva = LTE_CHANNEL_eva;
    const double known = lte_fading_over_time(300.0, 3e-3);
    assert_near(lte_fading_power_over_time(eva, 1 << 12, 300.0, 3e-3), known * known, 1e-4);
    assert_near(lte_fading_power_over_time(LTE_CHANNEL_flat, 4, 1e6, 1.0), 0.25, 0.01);
    assert_near(lte_fading_power_over_time(LTE_CHANNEL_flat, 1, 300.0, 0.0), 1.0, 1e-12);
    /* the law is 0.2212, 0.6321, 0.9817 there, the steps begin at 0, 1/3, 2/3 */
    assert_near(lte_fading_rayleigh_gap(3, steps), 1.0 - exp(-4.0) - 2.0 / 3.0, 1e-12);
    assert_near(lte_fading_rayleigh_gap(2, broken), 1.0, 0.0);
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
    lte_stages_best()->channel(&narrow, 7, 2, 4, a.h, a.work);
    lte_stages_best()->channel(&wide, 7, 0, wide.carrier.n_groups, b.h, b.work);
    assert_memory_equal(a.h + 2 * group, b.h + 2 * group, 2 * group * sizeof(float));
    batch_fini(&a);
    batch_fini(&b);
}

/* ---- moving taps ---- */

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

/* Sixteen for drops up to four turns, then with them. */
static void sinusoids_grow_with_the_drop(void **state)
{
    (void)state;
    static const struct {
        double doppler_hz;
        int drop_slots, sinusoids;
    } table[] = {{0.1, 1, 16},    {300.0, 8, 16},    {1000.0, 8, 16},       {1000.0, 9, 32},
                 {300.0, 27, 32}, {300.0, 200, 128}, {300.0, 2000, 2048},   {5.0, 2000, 32},
                 {5.0, 1600, 16}, {70.0, 1000, 256}, {1000.0, 10000, 32768}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const int slots = table[i].drop_slots;
        const lte_doppler doppler = lte_doppler_of(table[i].doppler_hz, slots);
        assert_int_equal(1 << doppler.sinusoid_bits, table[i].sinusoids);
        assert_true(doppler.sinusoid_bits <= LTE_MAX_SINUSOID_BITS);
        assert_near((double)doppler.amplitude * sqrt(table[i].sinusoids), 1.0, 1e-7);
        assert_int_equal(lte_fading_sinusoids(table[i].doppler_hz, slots * LTE_SLOT_S),
                         table[i].sinusoids);
    }
}

/* Power averaged over a drop varies as Clarke's, 2 / T int_0^T (1 - t / T) J0^2(2 pi f_D t) dt. */
static void long_drops_are_ergodic(void **state)
{
    (void)state;
    enum { SLOTS = 200, DROPS = 400, STEPS = 20000 };
    static double complex z[SLOTS * LTE_SLOT_SYMBOLS];
    const lte_draws draws = lte_draws_of(8, N, N, 4);
    const double f_d = 300.0, time_s = SLOTS * LTE_SLOT_S;
    double law = 0.0, sum = 0.0, square = 0.0;
    for (int k = 0; k < STEPS; k++) {
        const double u = (k + 0.5) / STEPS, j0 = lte_fading_over_time(f_d, u * time_s);
        law += 2.0 * (1.0 - u) * j0 * j0 / STEPS;
    }
    for (uint64_t drop = 0; drop < DROPS; drop++) {
        double power = 0.0;
        series(&draws, f_d, drop, SLOTS, 0, z);
        for (int i = 0; i < SLOTS * LTE_SLOT_SYMBOLS; i++)
            power += creal(z[i] * conj(z[i])) / (SLOTS * LTE_SLOT_SYMBOLS);
        sum += power / DROPS;
        square += power * power / DROPS;
    }
    const double deviation = sqrt(square - sum * sum);
    assert_near(sum, 1.0, 5.0 * sqrt(law / DROPS));
    /* four standard errors and what 128 sinusoids add; 16 would have 0.25 */
    assert_near(deviation, sqrt(law), (4.0 / sqrt(2.0 * DROPS) + 0.05) * sqrt(law));
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

static void impossible_motion_is_refused(void **state)
{
    (void)state;
    lte_link link = link_of(72, 2, 2, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
    const double nan = (double)NAN;
    assert_int_equal(lte_link_set_doppler(&link, 0.0, 8), LTE_EINVAL);
    assert_int_equal(lte_link_set_doppler(&link, nan, 8), LTE_EINVAL);
    assert_int_equal(lte_link_set_doppler(&link, 1001.0, 8), LTE_EINVAL);
    assert_int_equal(lte_link_set_doppler(&link, 70.0, 0), LTE_EINVAL);
    assert_int_equal(lte_link_set_doppler(&link, 70.0, 10001), LTE_EINVAL);
    assert_int_equal(link.channel.n_h, 1);
    for (int k = 0; k < LTE_N_CHANNELS; k++) {
        const bool moves = !lte_channel_rows[k].not_moved;
        link = link_of(72, 2, 2, 4, k, LTE_INVERTER_ldl);
        assert_int_equal(lte_link_set_doppler(&link, 1000.0, 10000), moves ? LTE_OK : LTE_EINVAL);
        assert_int_equal(link.channel.n_h, moves ? LTE_SLOT_SYMBOLS : 1);
    }
    link = link_of(72, 256, 128, 4, LTE_CHANNEL_eva, LTE_INVERTER_cholesky_delayed);
    assert_int_equal(lte_link_set_doppler(&link, 1000.0, 10000),
                     LTE_EINVAL);                                        /* 2^15 sinusoids each */
    assert_int_equal(lte_link_set_doppler(&link, 1000.0, 1000), LTE_OK); /* 2^11 */
}

static void a_square_channel_refuses_more_antennas(void **state)
{
    (void)state;
    for (int k = 0; k < LTE_N_CHANNELS; k++) {
        lte_link link;
        assert_int_equal(lte_link_init(&link, 72, 3, 2, 4, k, LTE_INVERTER_ldl, 1),
                         lte_channel_rows[k].square ? LTE_EINVAL : LTE_OK);
        assert_int_equal(lte_link_init(&link, 72, 2, 2, 4, k, LTE_INVERTER_ldl, 1), LTE_OK);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(channel, rows_are_whole),
    LTE_CASE(channel, amplitudes_are_those_of_the_published_powers),
    LTE_CASE(channel, amplitudes_have_the_same_bits_everywhere),
    LTE_CASE(channel, profiles_have_the_published_powers_and_delays),
    LTE_CASE(channel, a_tap_turns_by_its_delay),
    LTE_CASE(channel, theory_has_the_correlation_of_the_profiles),
    LTE_CASE(channel, theory_has_known_values),
    LTE_CASE(channel, a_channel_does_not_depend_on_the_carrier),
    LTE_CASE(channel, a_part_of_turns_is_their_product),
    LTE_CASE(channel, sinusoids_grow_with_the_drop),
    LTE_CASE(channel, a_slow_channel_hardly_moves),
    LTE_CASE(channel, impossible_motion_is_refused),
    LTE_CASE(channel, a_square_channel_refuses_more_antennas),
};

static const struct CMUnitTest more[] = {
    LTE_CASE(channel, long_drops_are_ergodic),
};

int main(void)
{
    return RUN_CASES_AND_MORE("channel");
}
