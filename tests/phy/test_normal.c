/*
 * The logarithm, sine and cosine of phy/base/normal.h against double, and the statistics of the
 * normals at the addresses that the channel and the noise take them from.
 */

#include "tests/lib/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "phy/channel/channel.h"
#include "phy/channel/draws.h"

static const double two_pi = 6.283185307179586476925;

/* The gap between floats at x, x != 0. */
static double ulp_at(double x)
{
    const float rounded = (float)x;
    return ldexp(1.0, ilogbf(rounded) - 23);
}

static double larger(double worst, double error)
{
    return error <= worst ? worst : error; /* so that NaN is taken */
}

static float uniform_of(uint32_t w)
{
    return fmaf((float)w, 0x1p-32f, 0x1p-33f);
}

/* Error of ln at the u of word w, in ulp. */
static double ln_error(uint32_t w)
{
    const float u = uniform_of(w);
    const double exact = log((double)u);
    if (u == 1.0f)
        return lte_ln(u) == 0.0f ? 0.0 : (double)NAN;
    return fabs((double)lte_ln(u) - exact) / ulp_at(exact);
}

/* Every float that a word can become: all words below 2^24, above them one per float. */
static void ln_is_within_1_ulp_wherever_a_word_leads(void **state)
{
    (void)state;
    double worst = larger(ln_error(0), ln_error(0xffffffff));
    for (uint32_t w = 1; w < 1u << 24; w++)
        worst = larger(worst, ln_error(w));
    for (uint32_t step = 1; step <= 128; step *= 2) {
        for (uint64_t w = (uint64_t)step << 24; w < (uint64_t)step << 25; w += 2 * step)
            worst = larger(worst, ln_error((uint32_t)w));
    }
    assert_near(worst, 0.0, 1.0);
}

/* sqrt(-ln u) must be a number, the largest radius that of u = 2^-33. */
static void uniforms_reach_from_2_pow_minus_33_to_1(void **state)
{
    (void)state;
    assert_true(uniform_of(0) == 0x1p-33f);
    assert_true(uniform_of(1) == 0x3p-33f);
    assert_true(uniform_of(0xffffffff) == 1.0f);
    assert_true(uniform_of(0x80000000) == 0.5f);
    assert_true(lte_ln(1.0f) == 0.0f);
    for (uint32_t w = 0xfffff000; w != 0; w++)
        assert_true(lte_ln(uniform_of(w)) <= 0.0f);
    const lte_cplx far = lte_normal(0, 0);
    assert_near(far.re, sqrt(33.0 * log(2.0)), 1e-6);
    assert_true(far.im == 0.0f);
    const lte_cplx origin = lte_normal(0xffffffff, 12345);
    assert_true(origin.re == 0.0f && origin.im == 0.0f);
}

/* sin(2 pi w / 2^32), the angle reduced to a quarter turn each way in whole numbers. */
static double exact_sine(uint32_t w)
{
    const int64_t half_turns = ((int64_t)w + 0x40000000) >> 31;
    const int64_t rest = (int64_t)w - half_turns * 0x80000000;
    const double sine = sin(two_pi * 0x1p-32 * (double)rest);
    return half_turns % 2 ? -sine : sine;
}

static double part_error(float value, double exact)
{
    if (exact == 0.0)
        return value == 0.0f ? 0.0 : (double)NAN;
    return fabs((double)value - exact) / ulp_at(exact);
}

/* The larger error of sine and cosine of word w, in ulp. */
static double turn_error(uint32_t w)
{
    lte_real sine, cosine;
    lte_sincos(w, &sine, &cosine);
    const double error = part_error(sine, exact_sine(w));
    return larger(error, part_error(cosine, exact_sine(w + 0x40000000u)));
}

static void sine_and_cosine_are_within_3_ulp(void **state)
{
    (void)state;
    double worst = 0.0;
    for (uint64_t w = 0; w < 1ull << 32; w += 127)
        worst = larger(worst, turn_error((uint32_t)w));
    for (uint32_t eighth = 0; eighth < 8; eighth++) { /* where the quadrant or the sign changes */
        for (uint32_t i = 0; i < 20000; i++)
            worst = larger(worst, turn_error((eighth << 29) + i - 10000u));
    }
    assert_near(worst, 0.0, 3.0);
}

static void quarter_turns_are_exact(void **state)
{
    (void)state;
    static const float sines[4] = {0.0f, 1.0f, 0.0f, -1.0f};
    for (uint32_t quarter = 0; quarter < 4; quarter++) {
        lte_real sine, cosine;
        lte_sincos(quarter << 30, &sine, &cosine);
        assert_true(sine == sines[quarter]);
        assert_true(cosine == sines[(quarter + 1) % 4]);
    }
}

/* Normals of N_SLOTS slots in the order [slot][sc][antenna or entry]. */
enum { SEED = 2, N_SLOTS = 60, N_SC = 1200, N_PER_SC = 16, PER_SLOT = N_SC * N_PER_SC };
enum { N_NORMALS = N_SLOTS * PER_SLOT };

typedef struct {
    lte_cplx *channel; /* 4 x 4 */
    lte_cplx *noise;   /* 16 antennas, symbol 0 */
    lte_cplx *later;   /* 16 antennas, symbol 1 */
} normals;

static int draw_normals(void **state)
{
    static normals drawn;
    drawn.channel = malloc(N_NORMALS * sizeof(lte_cplx));
    drawn.noise = malloc(N_NORMALS * sizeof(lte_cplx));
    drawn.later = malloc(N_NORMALS * sizeof(lte_cplx));
    if (!drawn.channel || !drawn.noise || !drawn.later)
        return -1;
    const lte_draws draws = lte_draws_of(SEED, 4, 4, 4);
    const lte_draws wide = lte_draws_of(SEED, N_PER_SC, 4, 4);
    for (size_t i = 0; i < N_NORMALS; i += N_PER_SC) {
        const uint32_t sc = (uint32_t)(i / N_PER_SC % N_SC);
        lte_channel_rayleigh(&draws, i / PER_SLOT, sc, &drawn.channel[i]);
        lte_draw_noise(&wide, i / PER_SLOT, sc, 0, &drawn.noise[i]);
        lte_draw_noise(&wide, i / PER_SLOT, sc, 1, &drawn.later[i]);
    }
    *state = &drawn;
    return 0;
}

static int free_normals(void **state)
{
    const normals *drawn = *state;
    free(drawn->channel);
    free(drawn->noise);
    free(drawn->later);
    return 0;
}

/* Part 0 is real, part 1 imaginary; scaled to variance 1. */
static double part_of(lte_cplx z, int part)
{
    return sqrt(2.0) * (double)(part ? z.im : z.re);
}

/* Mean, variance, skewness and kurtosis of N(0, 1) within 4 standard errors. */
static void assert_moments(const lte_cplx *z, size_t n, int part)
{
    double sum[5] = {0};
    for (size_t i = 0; i < n; i++) {
        double x = part_of(z[i], part), power = 1.0;
        for (int k = 0; k <= 4; k++, power *= x)
            sum[k] += power;
    }
    const double mean = sum[1] / sum[0], square = sum[2] / sum[0];
    const double variance = square - mean * mean;
    const double cube = sum[3] / sum[0] - 3.0 * mean * square + 2.0 * mean * mean * mean;
    const double fourth = sum[4] / sum[0] - 4.0 * mean * sum[3] / sum[0] +
                          6.0 * mean * mean * square - 3.0 * mean * mean * mean * mean;
    assert_near(mean, 0.0, 4.0 * sqrt(1.0 / sum[0]));
    assert_near(variance, 1.0, 4.0 * sqrt(2.0 / sum[0]));
    assert_near(cube / pow(variance, 1.5), 0.0, 4.0 * sqrt(6.0 / sum[0]));
    assert_near(fourth / (variance * variance), 3.0, 4.0 * sqrt(24.0 / sum[0]));
}

static void moments_are_those_of_a_normal(void **state)
{
    const normals *drawn = *state;
    for (int part = 0; part < 2; part++) {
        assert_moments(drawn->channel, N_NORMALS, part);
        assert_moments(drawn->noise, N_NORMALS, part);
        assert_moments(drawn->later, N_NORMALS, part);
    }
}

/* E|h|^2 = 1, and E z^2 = 0: the parts have one variance and no correlation. */
static void power_is_1_and_the_parts_are_alike(void **state)
{
    const normals *drawn = *state;
    const lte_cplx *sets[] = {drawn->channel, drawn->noise};
    for (int s = 0; s < 2; s++) {
        double power = 0.0, difference = 0.0, product = 0.0;
        for (size_t i = 0; i < N_NORMALS; i++) {
            const double re = (double)sets[s][i].re, im = (double)sets[s][i].im;
            power += re * re + im * im;
            difference += re * re - im * im;
            product += 2.0 * re * im;
        }
        const double bound = 4.0 / sqrt((double)N_NORMALS);
        assert_near(power / N_NORMALS, 1.0, bound);
        assert_near(difference / N_NORMALS, 0.0, bound);
        assert_near(product / N_NORMALS, 0.0, bound);
    }
}

/* Draws of one part above (sign 1) or below (sign -1) so many sigmas, over fresh slots. */
static void tails_are_those_of_a_normal(void **state)
{
    (void)state;
    enum { N_TAIL_SLOTS = 512, FIRST_SLOT = 1000 };
    const lte_draws draws = lte_draws_of(SEED, 4, 4, 4);
    double count[2][2][3] = {0}; /* [part][above, below][3, 4, 5 sigma] */
    for (uint64_t slot = FIRST_SLOT; slot < FIRST_SLOT + N_TAIL_SLOTS; slot++) {
        for (uint32_t sc = 0; sc < N_SC; sc++) {
            lte_cplx h[N_PER_SC];
            lte_channel_rayleigh(&draws, slot, sc, h);
            for (int e = 0; e < N_PER_SC; e++) {
                for (int part = 0; part < 2; part++) {
                    const double x = part_of(h[e], part);
                    for (int k = 0; fabs(x) > k + 3 && k < 3; k++)
                        count[part][x < 0.0][k] += 1.0;
                }
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        const double expected = (double)N_TAIL_SLOTS * PER_SLOT * 0.5 * erfc((k + 3) / sqrt(2.0));
        for (int i = 0; i < 4; i++)
            assert_near(count[i / 2][i % 2][k], expected, 4.0 * sqrt(expected));
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double normal_cdf(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}

static double exponential_cdf(double x)
{
    return -expm1(-x);
}

/* Kolmogorov-Smirnov: sqrt(n) times the largest gap is below 1.95 in 999 of 1000 samples. */
static void assert_law(double *x, size_t n, double (*cdf)(double x))
{
    qsort(x, n, sizeof *x, compare_doubles);
    double gap = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double p = cdf(x[i]);
        gap = larger(gap, fabs(p - (double)i / (double)n));
        gap = larger(gap, fabs((double)(i + 1) / (double)n - p));
    }
    assert_near(sqrt((double)n) * gap, 0.0, 1.95);
}

static void kolmogorov_smirnov_accepts(const lte_cplx *z)
{
    double *x = malloc(N_NORMALS * sizeof *x);
    assert_non_null(x);
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < N_NORMALS; i++)
            x[i] = part_of(z[i], part);
        assert_law(x, N_NORMALS, normal_cdf);
    }
    for (size_t i = 0; i < N_NORMALS; i++)
        x[i] = (double)z[i].re * (double)z[i].re + (double)z[i].im * (double)z[i].im;
    assert_law(x, N_NORMALS, exponential_cdf);
    free(x);
}

static void kolmogorov_smirnov_accepts_the_channel(void **state)
{
    kolmogorov_smirnov_accepts(((const normals *)*state)->channel);
}

static void kolmogorov_smirnov_accepts_the_noise(void **state)
{
    kolmogorov_smirnov_accepts(((const normals *)*state)->noise);
}

/* No part of a goes with a part of b, and neither do their powers: 4.5 standard errors. */
static void assert_unrelated(const lte_cplx *a, const lte_cplx *b, size_t n)
{
    double parts[2][2] = {{0.0}}, powers = 0.0;
    for (size_t i = 0; i < n; i++) {
        double power[2] = {0.0};
        for (int k = 0; k < 2; k++) {
            for (int l = 0; l < 2; l++)
                parts[k][l] += part_of(a[i], k) * part_of(b[i], l);
            power[0] += 0.5 * part_of(a[i], k) * part_of(a[i], k);
            power[1] += 0.5 * part_of(b[i], k) * part_of(b[i], k);
        }
        powers += (power[0] - 1.0) * (power[1] - 1.0);
    }
    const double bound = 4.5 / sqrt((double)n);
    for (int k = 0; k < 4; k++)
        assert_near(parts[k / 2][k % 2] / (double)n, 0.0, bound);
    assert_near(powers / (double)n, 0.0, bound);
}

static void antennas_are_unrelated(void **state)
{
    const normals *drawn = *state;
    for (size_t lag = 1; lag < N_PER_SC; lag += lag) {
        assert_unrelated(drawn->channel, drawn->channel + lag, N_NORMALS - lag);
        assert_unrelated(drawn->noise, drawn->noise + lag, N_NORMALS - lag);
    }
}

static void subcarriers_are_unrelated(void **state)
{
    const normals *drawn = *state;
    for (size_t lag = N_PER_SC; lag <= 3 * N_PER_SC; lag += N_PER_SC) {
        assert_unrelated(drawn->channel, drawn->channel + lag, N_NORMALS - lag);
        assert_unrelated(drawn->noise, drawn->noise + lag, N_NORMALS - lag);
    }
}

static void slots_are_unrelated(void **state)
{
    const normals *drawn = *state;
    for (size_t lag = PER_SLOT; lag <= 2 * PER_SLOT; lag += PER_SLOT) {
        assert_unrelated(drawn->channel, drawn->channel + lag, N_NORMALS - lag);
        assert_unrelated(drawn->noise, drawn->noise + lag, N_NORMALS - lag);
    }
}

static void channel_noise_and_symbols_are_unrelated(void **state)
{
    const normals *drawn = *state;
    assert_unrelated(drawn->channel, drawn->noise, N_NORMALS);
    assert_unrelated(drawn->channel, drawn->later, N_NORMALS);
    assert_unrelated(drawn->noise, drawn->later, N_NORMALS);
}

/* Blocks of one number: those of subcarrier 7 sc in the channel, of symbol 0 of sc in the noise. */
static void purposes_are_unrelated(void **state)
{
    const normals *drawn = *state;
    enum { N_PAIRED = N_SC / LTE_SLOT_SYMBOLS, N_PAIRS = N_SLOTS * N_PAIRED * N_PER_SC };
    lte_cplx *channel = malloc(N_PAIRS * sizeof *channel), *noise = malloc(N_PAIRS * sizeof *noise);
    assert_non_null(channel);
    assert_non_null(noise);
    for (size_t i = 0; i < N_PAIRS / N_PER_SC; i++) {
        const size_t first = i / N_PAIRED * PER_SLOT, sc = i % N_PAIRED;
        memcpy(&channel[i * N_PER_SC], &drawn->channel[first + LTE_SLOT_SYMBOLS * sc * N_PER_SC],
               N_PER_SC * sizeof *channel);
        memcpy(&noise[i * N_PER_SC], &drawn->noise[first + sc * N_PER_SC],
               N_PER_SC * sizeof *noise);
    }
    assert_unrelated(channel, noise, N_PAIRS);
    free(channel);
    free(noise);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(normal, ln_is_within_1_ulp_wherever_a_word_leads),
    LTE_CASE(normal, uniforms_reach_from_2_pow_minus_33_to_1),
    LTE_CASE(normal, sine_and_cosine_are_within_3_ulp),
    LTE_CASE(normal, quarter_turns_are_exact),
    LTE_CASE(normal, moments_are_those_of_a_normal),
    LTE_CASE(normal, power_is_1_and_the_parts_are_alike),
    LTE_CASE(normal, tails_are_those_of_a_normal),
    LTE_CASE(normal, kolmogorov_smirnov_accepts_the_channel),
    LTE_CASE(normal, kolmogorov_smirnov_accepts_the_noise),
    LTE_CASE(normal, antennas_are_unrelated),
    LTE_CASE(normal, subcarriers_are_unrelated),
    LTE_CASE(normal, slots_are_unrelated),
    LTE_CASE(normal, channel_noise_and_symbols_are_unrelated),
    LTE_CASE(normal, purposes_are_unrelated),
};

int main(void)
{
    return cmocka_run_group_tests_name("normal", cases, draw_normals, free_normals);
}
