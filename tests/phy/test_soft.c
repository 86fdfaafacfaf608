/*
 * Soft bits: LLRs against sums in double, their signs against hard decisions, what they tell
 * against quadrature.
 */

#include "tests/lib/unit.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "phy/detection/demap.h"
#include "phy/theory/information.h"
#include "tests/lib/random.h"

enum { MOST_LEVELS = 16 };

static uint64_t random_state = 1948;

static double uniform(double low, double high)
{
    return low + (high - low) * random_uniform(&random_state);
}

static void exponentials_are_right_to_2_ulp(void **state)
{
    double worst = 0.0;
    (void)state;
    for (int i = 0; i < 2000000; i++) {
        const float x = (float)(-87.0 * uniform(0.0, 1.0) * uniform(0.0, 1.0));
        const double exact = exp((double)x);
        worst = fmax(worst, fabs((double)lte_exp(x) - exact) / exact / (double)FLT_EPSILON);
    }
    assert_true(worst <= 2.0);
    assert_true(lte_exp(0.0f) == 1.0f && lte_exp(-88.0f) == 0.0f);
    assert_true(lte_exp(-INFINITY) == 0.0f && lte_exp(NAN) == 0.0f);
}

/* ---- one dimension in double ---- */

typedef struct {
    int n; /* levels */
    double level[MOST_LEVELS];
    int bits[MOST_LEVELS]; /* bit j of the dimension at bit j */
} dimension;

static dimension dimension_of(int n_bits)
{
    dimension d = {.n = 1 << n_bits / 2};
    for (int l = 0; l < d.n; l++) {
        uint32_t label = 0;
        for (int j = 0; j < n_bits / 2; j++)
            label |= (uint32_t)(l >> j & 1) << 2 * j;
        d.level[l] = (double)lte_qam_level(n_bits, 0, label);
        d.bits[l] = l;
    }
    return d;
}

static double exact_llr(const dimension *d, int demapper, int j, double v, double rho)
{
    double best[2] = {INFINITY, INFINITY}, sum[2] = {0.0, 0.0};
    for (int l = 0; l < d->n; l++) {
        const double gap = (v - d->level[l]) * (v - d->level[l]);
        const int b = d->bits[l] >> j & 1;
        best[b] = fmin(best[b], gap);
    }
    for (int l = 0; l < d->n; l++) {
        const double gap = (v - d->level[l]) * (v - d->level[l]);
        const int b = d->bits[l] >> j & 1;
        sum[b] += exp(rho * (best[b] - gap));
    }
    const double nearest = rho * (best[1] - best[0]);
    return demapper == LTE_DEMAPPER_exact ? nearest + log(sum[0]) - log(sum[1]) : nearest;
}

/* Mostly where symbols are, sometimes far away, sometimes hardly off a threshold. */
static float draw_estimate(int n_bits, int i)
{
    const double unit = (double)lte_qam_unit(n_bits);
    if (i % 7 == 0)
        return (float)(unit * rint(uniform(-10.0, 10.0)) * (1.0 + 1e-7 * rint(uniform(-2, 2))));
    return (float)(i % 11 == 0 ? uniform(-10.0, 10.0) : uniform(-1.6, 1.6));
}

static void llrs_are_those_of_double(void **state)
{
    (void)state;
    for (int n_bits = 2; n_bits <= 8; n_bits += 2) {
        const dimension d = dimension_of(n_bits);
        for (int demapper = 0; demapper < LTE_N_DEMAPPERS; demapper++) {
            for (int i = 0; i < 60000; i++) {
                const float rho = (float)pow(10.0, uniform(-3.0, 5.0));
                const lte_cplx x = {draw_estimate(n_bits, i), draw_estimate(n_bits, i + 1)};
                float llr[LTE_MAX_BITS];
                lte_demap_soft(n_bits, demapper, x, rho, llr);
                for (int b = 0; b < n_bits; b++) {
                    const double v = (double)(b % 2 ? x.im : x.re);
                    const double exact = exact_llr(&d, demapper, b / 2, v, (double)rho);
                    const double size = 1.0 + fabs(exact) + 0.1 * (double)rho * fabs(v);
                    assert_near(llr[b], exact, 2e-4 * size);
                }
            }
        }
    }
}

static void signs_of_max_log_are_hard_decisions(void **state)
{
    (void)state;
    for (int n_bits = 2; n_bits <= 8; n_bits += 2) {
        for (int i = 0; i < 500000; i++) {
            const float rho = (float)pow(10.0, uniform(-30.0, 30.0));
            const lte_cplx x = {draw_estimate(n_bits, i), draw_estimate(n_bits, i + 1)};
            float llr[LTE_MAX_BITS];
            lte_word label;
            lte_demap_soft(n_bits, LTE_DEMAPPER_max_log, x, rho, llr);
            lte_demap_hard(1, n_bits, &x, &label);
            for (int b = 0; b < n_bits; b++) {
                if ((signbit(llr[b]) != 0) != (int)(label >> b & 1))
                    fail_msg("bit %d of %d, %a + %ai, SINR %g: %g", b, n_bits, (double)x.re,
                             (double)x.im, (double)rho, (double)llr[b]);
            }
        }
    }
}

static void what_is_not_finite_tells_nothing(void **state)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 0.0f, 1.0f};
    enum { N = sizeof strange / sizeof *strange };
    (void)state;
    for (int n_bits = 2; n_bits <= 8; n_bits += 2) {
        for (int i = 0; i < N * N * N * LTE_N_DEMAPPERS; i++) {
            const lte_cplx x = {strange[i % N], strange[i / N % N]};
            const float rho = strange[i / N / N % N];
            const bool finite = isfinite(x.re) && isfinite(x.im) && isfinite(rho) && rho > 0.0f;
            float llr[LTE_MAX_BITS];
            lte_demap_soft(n_bits, i / N / N / N, x, rho, llr);
            for (int b = 0; b < n_bits; b++) {
                assert_true(isfinite(llr[b]));
                assert_true(finite || llr[b] == 0.0f);
                const int v = (int)lte_quantise(llr[b], 8.0f);
                assert_true(v >= -LTE_MOST_LLR && v <= LTE_MOST_LLR);
            }
        }
    }
}

static void integers_are_the_nearest(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        const float llr = (float)uniform(-20.0, 20.0);
        const double x = fmax(fmin((double)(llr * 8.0f), 127.0), -127.0);
        assert_int_equal((int)lte_quantise(llr, 8.0f), (int)rint(x));
    }
    assert_int_equal((int)lte_quantise(0.1875f, 8.0f), 2); /* 1.5: the even one */
    assert_int_equal((int)lte_quantise(-0.3125f, 8.0f), -2);
}

/* True LLRs: E exp(-L) where the bit is 0, E exp(L) where it is 1, are 1. */
static void llrs_are_true(void **state)
{
    enum { SYMBOLS = 400000 };
    (void)state;
    for (int n_bits = 2; n_bits <= 8; n_bits += 2) {
        const float rho = (float)(0.5 * n_bits); /* so low that the means settle */
        double sum[LTE_MAX_BITS] = {0.0}, sum2[LTE_MAX_BITS] = {0.0};
        for (int i = 0; i < SYMBOLS; i++) {
            const uint32_t label =
                (uint32_t)(random_word(&random_state) >> 32) & ((1u << n_bits) - 1u);
            lte_cplx x = lte_qam_map(n_bits, label);
            float llr[LTE_MAX_BITS];
            x.re += (float)(random_normal(&random_state) / sqrt(2.0 * (double)rho));
            x.im += (float)(random_normal(&random_state) / sqrt(2.0 * (double)rho));
            lte_demap_soft(n_bits, LTE_DEMAPPER_exact, x, rho, llr);
            for (int b = 0; b < n_bits; b++) {
                const double odds = exp((label >> b & 1 ? 1.0 : -1.0) * (double)llr[b]);
                sum[b] += odds;
                sum2[b] += odds * odds;
            }
        }
        for (int b = 0; b < n_bits; b++) {
            const double mean = sum[b] / SYMBOLS;
            assert_near(mean, 1.0, 5.0 * sqrt((sum2[b] / SYMBOLS - mean * mean) / SYMBOLS));
        }
    }
}

/* ---- information, by integration over the noise of one dimension ---- */

/*
 * Of all bits of a dimension: in double, and, out, what is lost of LLRs and by scales of integers
 * made of them. told: the SINR that LLRs are made for, times rho.
 */
static double integrate(int n_bits, int demapper, double rho, double told, double llr_scale,
                        const uint32_t *table, double *lost, double *sums)
{
    enum { STEPS = 4000 };
    const dimension d = dimension_of(n_bits);
    const double sigma = sqrt(0.5 / rho), width = 16.0 * sigma / STEPS;
    double exact = 0.0;
    *lost = 0.0;
    for (int s = 0; s < LTE_N_LLR_SCALES; s++)
        sums[s] = 0.0;
    for (int l = 0; l < d.n; l++) {
        for (int i = 0; i < STEPS; i++) {
            const double z = -8.0 + 16.0 * (i + 0.5) / STEPS, v = d.level[l] + sigma * z;
            const double weight =
                exp(-0.5 * z * z) / sqrt(2.0 * M_PI) * width / sigma / (double)d.n;
            float llr[LTE_MAX_BITS];
            lte_demap_soft(n_bits, demapper, (lte_cplx){(float)v, 0.0f}, (float)(told * rho), llr);
            for (int j = 0; j < n_bits / 2; j++) {
                const int towards = d.bits[l] >> j & 1 ? -1 : 1;
                const double x = towards * exact_llr(&d, LTE_DEMAPPER_exact, j, v, rho);
                const int integer = towards * (int)lte_quantise(llr[2 * j], (float)llr_scale);
                exact += weight * (1.0 - (fmax(-x, 0.0) + log1p(exp(-fabs(x)))) / M_LN2);
                *lost += weight * lte_loss(towards > 0 ? llr[2 * j] : -llr[2 * j]);
                for (int s = 0; s < LTE_N_LLR_SCALES; s++)
                    sums[s] += weight * table[lte_scale_loss_at(s, integer)];
            }
        }
    }
    return exact;
}

/* The best scale from sums of losses. */
static lte_llr_scale best_of(const double *sums)
{
    uint64_t whole[LTE_N_LLR_SCALES];
    for (int s = 0; s < LTE_N_LLR_SCALES; s++)
        whole[s] = (uint64_t)(sums[s] * 1e9);
    return lte_best_llr_scale(whole);
}

static void information_is_that_of_quadrature(void **state)
{
    enum { SCALE = 8, COARSE = 2 };
    uint32_t table[LTE_SCALE_LOSSES], coarse[LTE_SCALE_LOSSES];
    (void)state;
    lte_scale_losses(SCALE, table);
    lte_scale_losses(COARSE, coarse);
    for (int n_bits = 2; n_bits <= 8; n_bits += 2) {
        for (int rho_db = -5; rho_db <= 30; rho_db += 5) {
            for (int demapper = 0; demapper < LTE_N_DEMAPPERS; demapper++) {
                double sums[LTE_N_LLR_SCALES], lost;
                const double rho = pow(10.0, rho_db / 10.0);
                const double exact =
                    integrate(n_bits, demapper, rho, 1.0, SCALE, table, &lost, sums);
                const double told = 0.5 * n_bits - lost / LTE_LOSS_UNITS;
                if (demapper == LTE_DEMAPPER_exact) {
                    assert_near(2.0 * told, 2.0 * exact, 3e-4);
                    if (exact < 0.98 * n_bits / 2)
                        assert_near(best_of(sums).s, 1.0, 0.02);
                    (void)integrate(n_bits, demapper, rho, 1.0, COARSE, coarse, &lost, sums);
                    if (exact < 0.8 * n_bits / 2)
                        assert_near(best_of(sums).s, 1.0, 0.05);
                } else {
                    assert_true(told <= exact + 3e-4 && told > exact - 0.05 * n_bits);
                }
            }
        }
    }
}

/*
 * QPSK LLRs made for an SINR that is f times the true one are f times too large: the best scale is
 * 1 / f, up to the ends. The SNR is such that few of the larger LLRs are cut.
 */
static void wrong_sinrs_show_as_scales(void **state)
{
    enum { SCALE = 8 };
    static const double factors[] = {20.0, 14.0, 9.0, 5.0, 2.5, 0.7, 0.45, 0.3, 0.2};
    uint32_t table[LTE_SCALE_LOSSES];
    (void)state;
    lte_scale_losses(SCALE, table);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        const double f = factors[i], rho = fmin(1.0, 1.5 / (f * f));
        double sums[LTE_N_LLR_SCALES], lost;
        (void)integrate(2, LTE_DEMAPPER_exact, rho, f, SCALE, table, &lost, sums);
        const lte_llr_scale best = best_of(sums);
        assert_int_equal(best.bound, f > 16.0 ? -1 : f < 0.25 ? 1 : 0);
        assert_near(best.s * fmin(fmax(f, 0.25), 16.0), 1.0, best.bound ? 1e-12 : 0.03);
    }
}

/* LLRs of 0 lose a bit each whatever their scale, which so is not known. */
static void llrs_of_zero_have_no_scale(void **state)
{
    static const double scales[] = {1.0, 1.7, 5.1, 7.9, 8.0, 64.0};
    (void)state;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        uint32_t table[LTE_SCALE_LOSSES];
        uint64_t loss[LTE_N_LLR_SCALES];
        lte_scale_losses(scales[i], table);
        for (int s = 0; s < LTE_N_LLR_SCALES; s++)
            loss[s] = UINT64_C(1000) * table[lte_scale_loss_at(s, 0)];
        assert_true(loss[0] > 0);
        assert_true(isnan(lte_best_llr_scale(loss).s));
        assert_int_equal(lte_best_llr_scale(loss).bound, 0);
    }
}

/* A symbol of 1200 subcarriers, 8 layers and 1024QAM, all of whose bits are wrong beyond doubt. */
static void sums_of_a_symbol_are_words(void **state)
{
    static const double scales[] = {1.0, 2.0, 4.0, 8.0, 16.0, 64.0};
    (void)state;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        uint32_t table[LTE_SCALE_LOSSES], most = 0;
        lte_scale_losses(scales[i], table);
        for (int v = 0; v < LTE_SCALE_LOSSES; v++)
            most = table[v] > most ? table[v] : most;
        assert_true((uint64_t)most * LTE_MAX_SC * LTE_MAX_ORDER * LTE_MAX_BITS <= UINT32_MAX);
        for (int s = 1; s < LTE_N_LLR_SCALES; s++)
            assert_true(table[lte_scale_loss_at(s, -127)] * lte_scale_loss_weight(s) >
                        table[lte_scale_loss_at(s - 1, -127)] * lte_scale_loss_weight(s - 1));
    }
}

static void losses_are_rounded_logarithms(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        const float x = (float)uniform(-30.0, 30.0);
        const double bits = (fmax(-(double)x, 0.0) + log1p(exp(-fabs((double)x)))) / M_LN2;
        assert_near(lte_loss(x), fmin(bits * LTE_LOSS_UNITS, LTE_MOST_LOSS), 0.55);
    }
    assert_int_equal(lte_loss(INFINITY), 0);
    assert_int_equal(lte_loss(-INFINITY), LTE_MOST_LOSS);
    assert_near(lte_information(3 * LTE_LOSS_UNITS, 4), 0.25, 1e-12);
}

/* Losses with their minimum at a scale. */
static void put_losses(double best, uint64_t *loss)
{
    for (int s = 0; s < LTE_N_LLR_SCALES; s++) {
        const double octaves = 0.5 * s - 4.0 - log2(best), two = octaves * octaves;
        loss[s] = (uint64_t)(1e12 * (1.0 + two + 0.1 * two * two)) / lte_scale_loss_weight(s);
    }
}

static void the_best_scale_is_found(void **state)
{
    enum { LAST = LTE_N_LLR_SCALES - 1 };
    static const double beyond[] = {0.01, 0.03, 0.061, 4.1, 8.0, 30.0};
    uint64_t loss[LTE_N_LLR_SCALES];
    (void)state;
    for (int i = 0; i <= 139; i++) { /* 0.065 to 3.95 */
        const double best = 0.065 * pow(1.03, i);
        put_losses(best, loss);
        assert_near(lte_best_llr_scale(loss).s / best, 1.0, 1e-6);
        assert_int_equal(lte_best_llr_scale(loss).bound, 0);
    }
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        put_losses(beyond[i], loss);
        const lte_llr_scale best = lte_best_llr_scale(loss);
        assert_int_equal(best.bound, beyond[i] > 1.0 ? 1 : -1);
        assert_true(best.s == (beyond[i] > 1.0 ? 4.0 : 0.0625));
    }
    for (int zero = 1; zero <= LAST; zero++) { /* nothing is lost from there on */
        for (int s = 0; s <= LAST; s++)
            loss[s] = s < zero ? UINT64_C(1) << 2 * (zero - s) : 0;
        assert_true(lte_best_llr_scale(loss).s == 4.0);
        assert_int_equal(lte_best_llr_scale(loss).bound, 1);
    }
    const uint64_t none[LTE_N_LLR_SCALES] = {0};
    assert_true(isnan(lte_best_llr_scale(none).s));
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(soft, exponentials_are_right_to_2_ulp),
        LTE_CASE(soft, llrs_are_those_of_double),
        LTE_CASE(soft, signs_of_max_log_are_hard_decisions),
        LTE_CASE(soft, what_is_not_finite_tells_nothing),
        LTE_CASE(soft, integers_are_the_nearest),
        LTE_CASE(soft, llrs_are_true),
        LTE_CASE(soft, losses_are_rounded_logarithms),
        LTE_CASE(soft, sums_of_a_symbol_are_words),
        LTE_CASE(soft, information_is_that_of_quadrature),
        LTE_CASE(soft, wrong_sinrs_show_as_scales),
        LTE_CASE(soft, llrs_of_zero_have_no_scale),
        LTE_CASE(soft, the_best_scale_is_found),
    };
    return cmocka_run_group_tests_name("soft", cases, NULL, NULL);
}
