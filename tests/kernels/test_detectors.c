/*
 * The detectors, a matrix at a time: their SINR against its definition, what they keep, what they
 * flag, and what they make of layers that do not disturb each other.
 */
#include <complex.h>
#include <math.h>

#include "tests/lib/batch.h"

/* inverses [LTE_N_INVERTERS], of any order */
#include "kernels/cpu/inverters_cpu.h"
#include "phy/channel/channel.h"

enum { SLOT = 1003, STATE = LTE_ITERATING_STATE(LTE_FEW_RX, LTE_MAX_ORDER) };

/* lte_prepare for orders that the compiler knows. */
static lte_mask prepare(int detector, int inverter, int n_rx, int n_tx, const lte_cplx *h, float n0,
                        bool with_sinr, lte_cplx *state)
{
    lte_cplx work[LTE_MAX_ORDER * LTE_MAX_ORDER + 2];
    lte_detector_plan plan =
        lte_detector_plan_of(lte_detector_usual(detector), n_rx, n_tx, 4, with_sinr);
    lte_mask flag = m_none();
#define PREPARE(n)                                                                                 \
    plan.n_tx = n;                                                                                 \
    flag = lte_prepare(&plan, h, lte_white(n0), inverses[inverter], state, work)
    LTE_FOR_ORDER(n_tx, PREPARE)
#undef PREPARE
    return flag;
}

/* lte_estimate for 16QAM. */
static void estimate(int detector, int n_rx, int n_tx, lte_cplx *state, const lte_cplx *y,
                     lte_cplx *x, lte_real *rho)
{
    lte_detector_plan plan = lte_detector_plan_of(lte_detector_usual(detector), n_rx, n_tx, 4, rho);
#define ESTIMATE(n)                                                                                \
    plan.n_tx = n;                                                                                 \
    lte_estimate(&plan, state, y, x, rho)
    LTE_FOR_ORDER(n_tx, ESTIMATE)
#undef ESTIMATE
}

/* Whether silence has an inverse: the detector loads its Gram matrix. */
static bool is_loaded(int detector)
{
    return (lte_detector_rows[detector].needs & LTE_NEEDS_GRAM) &&
           lte_detector_rows[detector].loading > 0.0f;
}

/* Whether it keeps a filter W; others iterate or search: tests/phy. */
static bool is_filter(int detector)
{
    return lte_detector_rows[detector].filters;
}

static bool makes_estimates(int detector)
{
    return lte_detector_rows[detector].outputs & LTE_GIVES_SINR;
}

/*
 * Calls visit for every pair of a detector that makes estimates and an inverter; those that invert
 * nothing have one.
 */
typedef void pair_visit(int detector, int inverter);

static void for_each_pair(pair_visit *visit)
{
    for (int d = 0; d < LTE_N_DETECTORS; d++) {
        for (int i = 0;
             makes_estimates(d) &&
             i < ((lte_detector_rows[d].needs & LTE_NEEDS_INVERSE) ? LTE_N_INVERTERS : 1);
             i++)
            visit(d, i);
    }
}

static void for_each_filter(pair_visit *visit)
{
    for (int d = 0; d < LTE_N_DETECTORS; d++) {
        for (int i = 0;
             is_filter(d) &&
             i < ((lte_detector_rows[d].needs & LTE_NEEDS_INVERSE) ? LTE_N_INVERTERS : 1);
             i++)
            visit(d, i);
    }
}

/* sinr_k = |w_k h_k|^2 / (sum_(j != k) |w_k h_j|^2 + n0 |w_k|^2), w_k row k of the filter. */
static double sinr_by_definition(int n_rx, int n_tx, const lte_cplx *h, const lte_cplx *w,
                                 double n0, int k)
{
    double signal = 0.0, rest = 0.0;
    for (int j = 0; j < n_tx; j++) {
        double re = 0.0, im = 0.0;
        for (int r = 0; r < n_rx; r++) {
            const lte_cplx a = w[r * n_tx + k], b = h[r * n_tx + j];
            re += (double)a.re * (double)b.re - (double)a.im * (double)b.im;
            im += (double)a.re * (double)b.im + (double)a.im * (double)b.re;
        }
        *(j == k ? &signal : &rest) += re * re + im * im;
    }
    for (int r = 0; r < n_rx; r++) {
        const lte_cplx a = w[r * n_tx + k];
        rest += n0 * ((double)a.re * (double)a.re + (double)a.im * (double)a.im);
    }
    return signal / rest;
}

typedef struct {
    int n_rx, n_tx;
    lte_cplx h[LTE_FEW_RX * LTE_MAX_ORDER];
} channel;

static channel rayleigh(int n_rx, int n_tx, int sc)
{
    channel c = {.n_rx = n_rx, .n_tx = n_tx};
    const lte_draws draws = lte_draws_of(3, n_rx, n_tx, 4);
    lte_channel_rayleigh(&draws, SLOT, (lte_word)sc, c.h);
    return c;
}

static void check_sinr(int detector, int inverter)
{
    for (int i = 0; i < 25 * most_layers(detector, inverter); i++) {
        const int n_tx = i / 25 + 1, n_rx = n_tx + 1;
        const float n0 = i % 2 ? 0.5f : 0.02f;
        const channel c = rayleigh(n_rx, n_tx, i);
        const lte_cplx y[LTE_FEW_RX] = {{0}};
        lte_cplx w[STATE], x[LTE_MAX_ORDER];
        lte_real rho[LTE_MAX_ORDER];
        assert_int_equal(prepare(detector, inverter, n_rx, n_tx, c.h, n0, true, w), 0);
        estimate(detector, n_rx, n_tx, w, y, x, rho);
        for (int k = 0; k < n_tx; k++) {
            const double expected = sinr_by_definition(n_rx, n_tx, c.h, w, (double)n0, k);
            assert_near(rho[k], expected, 1e-4 * expected);
        }
    }
}

static void sinr_is_that_of_the_filter(void **state)
{
    (void)state;
    for_each_filter(check_sinr);
}

/* Whatever the loading, and whatever the gain of a layer. */
static void sinr_knows_its_loading(void **state)
{
    (void)state;
    static const float times_n0[] = {0.0f, 0.25f, 1.0f, 4.0f};
    enum { N_RX = 5, N_TX = 4 };
    for (int i = 0; i < 400; i++) {
        const float n0 = i % 2 ? 0.5f : 0.02f, loading = times_n0[i / 2 % 4] * n0;
        const lte_real gain[N_TX] = {1.0f, 2.0f, 0.5f, 3.0f};
        const channel c = rayleigh(N_RX, N_TX, i);
        lte_cplx x[N_TX * N_TX], w[N_RX * N_TX];
        lte_gram(N_RX, N_TX, c.h, x);
        lte_gram_load(N_TX, x, loading);
        assert_int_equal(lte_ldl(N_TX, x), 0);
        lte_filter(N_RX, N_TX, c.h, x, gain, w);
        for (ptrdiff_t k = 0; k < N_TX; k++) {
            const double expected = sinr_by_definition(N_RX, N_TX, c.h, w, (double)n0, (int)k);
            assert_near(lte_linear_sinr(N_TX, (int)k, &x[k * N_TX], loading, n0), expected,
                        1e-4 * expected);
        }
    }
    const lte_cplx none = {0.0f, 0.0f}, all_loading = {2.0f, 0.0f};
    assert_true(lte_linear_sinr(1, 0, &none, 0.0f, 0.5f) == 0.0f);
    assert_true(lte_linear_sinr(1, 0, &all_loading, 0.5f, 0.5f) == 0.0f);
}

/* Of every subcarrier and symbol, to the last bit. */
static void compare_sinr(const lte_stages *stages, const lte_link *link, int detector)
{
    const int n_rx = link->n_rx, n_tx = link->n_tx, n_h = n_rx * n_tx;
    const lte_noise noise = lte_noise_of(n_tx, 30.0);
    batch b;
    batch_init(&b, link, 0xa5);
    batch_send(&b, stages, SLOT, noise);
    float *rho = poisoned(b.labels_size, 0x5a); /* as many */
    stages->sinr(link, lte_detector_usual(detector), noise,
                 lte_groups_of(0, link->carrier.n_groups, b.work), b.h, b.y, rho);
    for (int i = 0; i < link->carrier.n_sc * LTE_SLOT_SYMBOLS; i++) {
        const int sc = i / LTE_SLOT_SYMBOLS, symbol = i % LTE_SLOT_SYMBOLS;
        const int m = link->receiver.n_csi > 1 ? symbol : 0;
        const lte_cplx y[LTE_FEW_RX] = {{0}};
        lte_cplx h[LTE_FEW_RX * LTE_MAX_ORDER], w[STATE], x[LTE_MAX_ORDER];
        lte_real expected[LTE_MAX_ORDER];
        for (int e = 0; e < n_h; e++) {
            const float *entry = &b.h[batch_at(link->receiver.n_csi * n_h, sc, m * n_h + e)];
            h[e].re = entry[0];
            h[e].im = entry[LTE_LANES];
        }
        (void)prepare(detector, link->receiver.inverter, n_rx, n_tx, h, noise.n0, true, w);
        estimate(detector, n_rx, n_tx, w, y, x, expected);
        for (int k = 0; k < n_tx; k++) {
            const size_t at = label_at(LTE_SLOT_SYMBOLS * n_tx, sc, symbol * n_tx + k);
            assert_true(rho[at] == expected[k] && rho[at] >= 0.0f);
            assert_true(rho[at] > 0.0f || detector == LTE_DETECTOR_neumann); /* it may diverge */
        }
    }
    free(rho);
    batch_fini(&b);
}

static void compare_sinrs(const lte_stages *stages, const void *arg)
{
    (void)arg;
    for (int i = 0; i < LTE_N_DETECTORS * LTE_N_INVERTERS; i++) {
        const int detector = i / LTE_N_INVERTERS, inverter = i % LTE_N_INVERTERS;
        for (int n_tx = 1; makes_estimates(detector) && n_tx <= most_layers(detector, inverter);
             n_tx += is_short() ? 3 : 1) {
            lte_link link = link_of(37, n_tx + n_tx % 3, n_tx, 4, LTE_CHANNEL_eva, inverter);
            compare_sinr(stages, &link, detector);
            assert_int_equal(lte_link_set_doppler(&link, 300.0, 4), LTE_OK);
            compare_sinr(stages, &link, detector);
        }
    }
}

static void sinr_stage_is_prepare_and_apply(void **state)
{
    (void)state;
    for_each_table(compare_sinrs, NULL);
}

/* Behind W [n_rx][n_tx] there is nothing without the SINR, and W is the same; one H is flagged. */
static void check_state(int detector, int inverter)
{
    for (int i = 0; i < 2 * most_layers(detector, inverter); i++) {
        const int n_tx = i / 2 + 1, n_rx = n_tx + 1, n_w = n_rx * n_tx;
        const bool spoilt = i % 2;
        channel c = rayleigh(n_rx, n_tx, i);
        lte_cplx with[STATE], without[STATE];
        if (spoilt)
            c.h[0].re = NAN;
        memset(with, 0x5a, sizeof with);
        memset(without, 0x5a, sizeof without);
        assert_int_equal(prepare(detector, inverter, n_rx, n_tx, c.h, 0.1f, true, with) != 0,
                         spoilt);
        (void)prepare(detector, inverter, n_rx, n_tx, c.h, 0.1f, false, without);
        assert_memory_equal(with, without, (size_t)n_w * sizeof *with);
        for (size_t k = (size_t)n_w * sizeof *without; k < sizeof without; k++)
            assert_int_equal(((uint8_t *)without)[k], 0x5a);
        for (int k = 0; k < n_tx; k++)
            assert_true(spoilt ? with[n_w + k].re == 0.0f : with[n_w + k].re > 0.0f);
    }
}

static void state_without_sinr_ends_with_the_filter(void **state)
{
    (void)state;
    for_each_filter(check_state);
}

/* A layer that is not received leaves no filter for any layer, but by a loading for the others. */
static void check_column_of_zeros(int detector, int inverter)
{
    enum { N_RX = 4, N_TX = 3 };
    const bool loaded = is_loaded(detector);
    for (int layer = 0; layer < N_TX && N_TX <= most_layers(detector, inverter); layer++) {
        channel c = rayleigh(N_RX, N_TX, layer);
        lte_cplx y[N_RX], w[STATE], x[N_TX];
        lte_real rho[N_TX];
        for (int rx = 0; rx < N_RX; rx++) {
            y[rx] = c.h[rx * N_TX];
            c.h[rx * N_TX + layer] = c_zero();
        }
        assert_int_equal(prepare(detector, inverter, N_RX, N_TX, c.h, 0.25f, true, w) != 0,
                         !loaded);
        estimate(detector, N_RX, N_TX, w, y, x, rho);
        for (int k = 0; k < N_TX; k++) {
            const bool silent = !loaded || k == layer;
            assert_int_equal(x[k].re == 0.0f && x[k].im == 0.0f, silent);
            assert_int_equal(rho[k] == 0.0f, silent);
        }
    }
}

static void column_of_zeros_is_flagged_without_a_loading(void **state)
{
    (void)state;
    for_each_pair(check_column_of_zeros);
}

/* Within some units of the last place: h_k' / |h_k|^2, and the SINR |h_k|^2 / n0. */
static void check_matched(int detector, int inverter, const channel *c)
{
    const int n_rx = c->n_rx, n_tx = c->n_tx;
    const lte_cplx y[LTE_FEW_RX] = {{0}};
    lte_cplx w[STATE], x[LTE_MAX_ORDER];
    lte_real rho[LTE_MAX_ORDER];
    assert_int_equal(prepare(detector, inverter, n_rx, n_tx, c->h, 0.25f, true, w), 0);
    estimate(detector, n_rx, n_tx, w, y, x, rho);
    for (int k = 0; k < n_tx; k++) {
        double power = 0.0;
        for (int rx = 0; rx < n_rx; rx++)
            power += (double)c_abs2(c->h[rx * n_tx + k]);
        for (int rx = 0; rx < n_rx; rx++) {
            const lte_cplx h = c->h[rx * n_tx + k], made = w[rx * n_tx + k];
            assert_near(made.re, (double)h.re / power, 16 * 0x1p-24 / sqrt(power));
            assert_near(made.im, -(double)h.im / power, 16 * 0x1p-24 / sqrt(power));
        }
        assert_near(rho[k], power / 0.25, 1e-5 * power / 0.25);
    }
}

/* So MRC, ZF and unbiased MMSE are one detector there, but for rounding. */
static void check_undisturbed(int detector, int inverter)
{
    for (int n_rx = 1; n_rx <= LTE_FEW_RX; n_rx++) {
        const channel one = rayleigh(n_rx, 1, n_rx);
        check_matched(detector, inverter, &one);
    }
    for (int n = 1; n <= most_layers(detector, inverter); n++) {
        channel c = {.n_rx = n, .n_tx = n};
        const lte_draws draws = lte_draws_of(3, n, n, 4);
        lte_channel_awgn(&draws, SLOT, 0, c.h);
        check_matched(detector, inverter, &c);
    }
}

static void layers_that_nothing_disturbs_have_the_matched_filter(void **state)
{
    (void)state;
    for_each_filter(check_undisturbed);
}

/* A layer has the filter that it would have alone, to the last bit. */
static void mrc_knows_no_other_layer(void **state)
{
    (void)state;
    for (int n_tx = 2; n_tx <= LTE_MAX_ORDER; n_tx++) {
        const channel all = rayleigh(n_tx, n_tx, n_tx);
        lte_cplx w[STATE], own[STATE];
        assert_int_equal(prepare(LTE_DETECTOR_mrc, 0, n_tx, n_tx, all.h, 0.25f, false, w), 0);
        for (int k = 0; k < n_tx; k++) {
            lte_cplx h[LTE_FEW_RX];
            for (int rx = 0; rx < n_tx; rx++)
                h[rx] = all.h[rx * n_tx + k];
            assert_int_equal(prepare(LTE_DETECTOR_mrc, 0, n_tx, 1, h, 0.25f, false, own), 0);
            for (int rx = 0; rx < n_tx; rx++)
                assert_memory_equal(&w[rx * n_tx + k], &own[rx], sizeof *own);
        }
    }
}

static void rows_are_whole(void **state)
{
    (void)state;
    for (int d = 0; d < LTE_N_DETECTORS; d++) {
        const lte_detector_row *row = &lte_detector_rows[d];
        const lte_detector_plan plan = {
            .detector = lte_detector_usual(d), .n_rx = 2, .n_tx = 2, .n_bits = 2};
        assert_true(row->source && row->source[0]);
        assert_int_equal(lte_detector_takes(&plan), LTE_OK);
        assert_true(row->name && row->name[0] && row->text && row->text[0]);
        for (int i = 0; i < d; i++)
            assert_string_not_equal(row->name, lte_detector_rows[i].name);
        assert_true(row->max_tx >= 1 && row->max_tx <= LTE_MAX_TX);
        assert_true(row->law >= 0 && row->law < LTE_N_SINR_LAWS);
        assert_true(row->detect_flops(&plan) > 0.0);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(detectors, rows_are_whole),
    LTE_CASE(detectors, sinr_is_that_of_the_filter),
    LTE_CASE(detectors, sinr_knows_its_loading),
    LTE_CASE(detectors, sinr_stage_is_prepare_and_apply),
    LTE_CASE(detectors, state_without_sinr_ends_with_the_filter),
    LTE_CASE(detectors, column_of_zeros_is_flagged_without_a_loading),
    LTE_CASE(detectors, layers_that_nothing_disturbs_have_the_matched_filter),
    LTE_CASE(detectors, mrc_knows_no_other_layer),
};

int main(void)
{
    return cmocka_run_group_tests_name("detectors", cases, NULL, NULL);
}
