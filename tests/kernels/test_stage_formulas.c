/* Stages against their formulas in double: draws, reception, Gram matrices, decisions. */
#include "tests/detection/iterated_filters.h"
#include "tests/lib/stages.h"

#include "phy/channel/channel.h"
#include "phy/channel/receive.h"
#include "phy/channel/taps.h"

enum { LARGE_RX = 40 };

/* Of three slots, SLOT has that of SLOT mod 3; spare lanes are zero. */
static void stored_channel_is_taken_as_it_lies(void **state)
{
    (void)state;
    enum { N_SC = 37, N_STORED = 3 };
    for (int n_h = 1; n_h <= LTE_SLOT_SYMBOLS; n_h += LTE_SLOT_SYMBOLS - 1) {
        const int n = 4 * 3;
        lte_cf32 *h = NULL;
        const lte_link link = stored_link(N_SC, 4, 3, n_h, N_STORED, &h);
        batch b;
        batch_init(&b, &link, 0xa5);
        lte_stages_best()->channel(&link, SLOT, 0, link.carrier.n_groups, b.h, b.work);
        for (int i = 0; i < n_h * n; i++) {
            const int symbol = i / n, e = i % n;
            const ptrdiff_t plane = (ptrdiff_t)(SLOT % N_STORED) * n * n_h + e * n_h + symbol;
            for (int sc = 0; sc < link.carrier.n_groups * LTE_LANES; sc++) {
                const lte_cf32 expected = sc < N_SC ? h[plane * N_SC + sc] : (lte_cf32){0};
                assert_true(b.h[batch_at(n_h * n, sc, i)] == expected.re);
                assert_true(b.h[batch_at(n_h * n, sc, i) + LTE_LANES] == expected.im);
            }
        }
        batch_fini(&b);
        free(h);
    }
}

static void of_taps(const lte_link *link, lte_word sc, lte_cplx *h)
{
    lte_cf32 tap[LTE_MAX_TAPS * LTE_FEW_RX * LTE_MAX_ORDER];
    const lte_fading fading = {&link->channel.profile, tap};
    const int n = link->n_rx * link->n_tx;
    for (int l = 0; l < link->channel.profile.n_taps; l++) {
        for (int b = 0; 2 * b < n; b++) {
            lte_cplx z[2];
            lte_draw_tap_pair(&link->channel.draws, &link->channel.profile, SLOT, l, (lte_word)b,
                              z);
            for (int e = 2 * b; e < n && e < 2 * b + 2; e++) {
                tap[l * n + e].re = z[e % 2].re;
                tap[l * n + e].im = z[e % 2].im;
            }
        }
    }
    lte_channel_taps(&link->channel.draws, &fading, sc, h);
}

/*
 * Entries of H are those of phy/channel/channel.h and phy/channel/taps.h, subcarrier by subcarrier.
 */
static void channel_stage_draws_the_channel_of_the_scenario(void **state)
{
    (void)state;
    static void (*const draw[LTE_N_CHANNELS])(const lte_draws *, uint64_t, lte_word, lte_cplx *) = {
        [LTE_CHANNEL_rayleigh] = lte_channel_rayleigh,
        [LTE_CHANNEL_awgn] = lte_channel_awgn,
    };
    for (int channel = 0; channel < N_MADE; channel++) {
        const lte_link link = link_of(72, 3, 3, 4, channel, LTE_INVERTER_ldl);
        batch b;
        batch_init(&b, &link, 0xa5);
        lte_stages_best()->channel(&link, SLOT, 0, link.carrier.n_groups, b.h, b.work);
        for (int sc = 0; sc < link.carrier.n_sc; sc++) {
            lte_cplx h[LTE_FEW_RX * LTE_MAX_ORDER];
            if (draw[channel])
                draw[channel](&link.channel.draws, SLOT, (lte_word)sc, h);
            else
                of_taps(&link, (lte_word)sc, h);
            for (int e = 0; e < 9; e++) {
                assert_true(b.h[batch_at(9, sc, e)] == h[e].re);
                assert_true(b.h[batch_at(9, sc, e) + LTE_LANES] == h[e].im);
            }
        }
        batch_fini(&b);
    }
}

/* Batches of a narrow carrier are the beginning of a wide one's. */
static void draws_do_not_depend_on_the_carrier(void **state)
{
    (void)state;
    const lte_link narrow = link_of(72, 4, 3, 6, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    const lte_link wide = link_of(1003, 4, 3, 6, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    const lte_noise noise = lte_noise_of(3, 10.0);
    const size_t n_full_groups = 72 / LTE_LANES, n_groups = (size_t)narrow.carrier.n_groups;
    batch a, b;
    batch_init(&a, &narrow, 0xa5);
    batch_init(&b, &wide, 0x5a);
    batch_send(&a, lte_stages_best(), SLOT, noise);
    batch_send(&b, lte_stages_best(), SLOT, noise);
    assert_memory_equal(a.sent, b.sent, a.labels_size / n_groups * n_full_groups);
    assert_memory_equal(a.h, b.h, a.h_size / n_groups * n_full_groups);
    assert_memory_equal(a.y, b.y, a.y_size / n_groups * n_full_groups);
    batch_fini(&a);
    batch_fini(&b);
}

/* Element e of n of subcarrier sc of a batch. */
static double complex element(const float *x, int n, int sc, int e)
{
    const float *p = &x[batch_at(n, sc, e)];
    return CMPLX((double)p[0], (double)p[LTE_LANES]);
}

static double abs2(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

static double complex symbol_of(int n_bits, uint32_t label)
{
    const lte_cplx x = lte_qam_map(n_bits, label);
    return CMPLX((double)x.re, (double)x.im);
}

/* y = H x + sqrt(n0) z and the powers of symbol 0, in double. */
static void received_is_h_x_plus_noise(void **state)
{
    (void)state;
    enum { N_SC = 1003, N_RX = 5, N_TX = 3, N_Y = LTE_SLOT_SYMBOLS * N_RX };
    const lte_link link = link_of(N_SC, N_RX, N_TX, 6, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    const double snr = 7.0, n0 = N_TX / snr;
    double signal = 0.0, disturbance = 0.0;
    batch b;
    batch_init(&b, &link, 0xa5);
    batch_send(&b, lte_stages_best(), SLOT, lte_noise_of(N_TX, snr));
    for (int i = 0; i < N_SC * LTE_SLOT_SYMBOLS; i++) {
        const int sc = i / LTE_SLOT_SYMBOLS, symbol = i % LTE_SLOT_SYMBOLS;
        lte_cplx z[LTE_FEW_RX];
        lte_draw_noise(&link.channel.draws, SLOT, (lte_word)sc, symbol, z);
        for (int rx = 0; rx < N_RX; rx++) {
            double complex hx = 0.0;
            for (int tx = 0; tx < N_TX; tx++) {
                const int layer = symbol * N_TX + tx;
                hx += element(b.h, N_RX * N_TX, sc, rx * N_TX + tx) *
                      symbol_of(6, b.sent[label_at(LTE_SLOT_SYMBOLS * N_TX, sc, layer)]);
            }
            const double complex n = sqrt(n0) * CMPLX((double)z[rx].re, (double)z[rx].im);
            assert_near(cabs(element(b.y, N_Y, sc, symbol * N_RX + rx) - hx - n), 0.0, 4e-6);
            signal += symbol == 0 ? abs2(hx) : 0.0;
            disturbance += symbol == 0 ? abs2(n) : 0.0;
        }
    }
    assert_near((double)b.power.signal * 0x1p-20, signal, 1e-6 * signal);
    assert_near((double)b.power.noise * 0x1p-20, disturbance, 1e-6 * disturbance);
    assert_near(signal / disturbance, snr, 0.1 * snr); /* 1003 resource elements */
    batch_fini(&b);
}

static void power_is_rounded_to_even_units(void **state)
{
    (void)state;
    static const double units[] = {0.0,           0.25,   0.5,          0.75,       1.5,
                                   2.5,           3.5,    0x1p22,       4194303.5,  4194304.5,
                                   8388607.5,     0x1p23, 8388609.0,    16777214.0, 0x1p24,
                                   0x1.fffffep40, 0x1p53, 0x1.fffffep61};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const float power = (float)(units[i] * 0x1p-20);
        assert_true((double)power * 0x1p20 == units[i]);
        assert_true((double)lte_power_units(power) == rint(units[i]));
    }
    assert_true(lte_power_units(0x1.000002p-21f) == 1);
    assert_true(lte_power_units(0x1p42f) == (int64_t)1 << 62);
    assert_true(lte_power_units(INFINITY) == (int64_t)1 << 62);
    assert_true(lte_power_units(NAN) == (int64_t)1 << 62);
}

/* A detector in double. */
typedef struct {
    double (*loading)(double n0); /* of the Gram matrix; NULL: it inverts none */
    /*
     * Estimates x [n_tx] of y [n_rx] through h [n_rx][n_tx]; returns a bound on what float may add
     * to them, of layer k times `times`[k], which is 1 before.
     */
    double (*estimate)(int n_rx, int n_tx, const double complex *h, double n0,
                       const double complex *y, double complex *x, double *times);
} oracle;

static double no_loading(double n0)
{
    (void)n0;
    return 0.0;
}

static double noise_loading(double n0)
{
    return n0;
}

/* The sum over antennas of conj(column i of H) times an [n_rx], of stride n. */
static double complex matched(int n_rx, int n_tx, const double complex *h, int i,
                              const double complex *a, int n)
{
    double complex sum = 0.0;
    for (int rx = 0; rx < n_rx; rx++)
        sum += conj(h[rx * n_tx + i]) * a[(ptrdiff_t)rx * n];
    return sum;
}

/* (H'H + loading I)^-1 H'y / mu, mu_k = 1 - loading x_kk. */
static double solve_in_double(int n_rx, int n_tx, const double complex *h, double loading,
                              const double complex *y, double complex *x)
{
    double complex g[MATRIX_SIZE], inverse[MATRIX_SIZE];
    double size = 0.0;
    for (int i = 0; i < n_tx; i++) {
        for (int j = 0; j < n_tx; j++)
            g[i * n_tx + j] = matched(n_rx, n_tx, h, i, &h[j], n_tx) + (i == j ? loading : 0.0);
    }
    invert_in_double(n_tx, g, inverse);
    for (int i = 0; i < n_tx; i++) {
        double complex sum = 0.0;
        for (int j = 0; j < n_tx; j++)
            sum += inverse[i * n_tx + j] * matched(n_rx, n_tx, h, j, y, 1);
        const double mu = 1.0 - loading * creal(inverse[i * n_tx + i]);
        x[i] = sum / mu;
        size = fmax(size, cabs(x[i]) / mu);
    }
    const int n2 = n_tx * n_tx;
    return 1e-6 + 32.0 * 0x1p-24 * norm_of(n2, g) * norm_of(n2, inverse) * size;
}

static double estimate_zf(int n_rx, int n_tx, const double complex *h, double n0,
                          const double complex *y, double complex *x, double *times)
{
    (void)times;
    return solve_in_double(n_rx, n_tx, h, no_loading(n0), y, x);
}

static double estimate_mmse(int n_rx, int n_tx, const double complex *h, double n0,
                            const double complex *y, double complex *x, double *times)
{
    (void)times;
    return solve_in_double(n_rx, n_tx, h, noise_loading(n0), y, x);
}

/* h_k'y / |h_k|^2: sums of n_rx terms, which may cancel. */
static double estimate_mrc(int n_rx, int n_tx, const double complex *h, double n0,
                           const double complex *y, double complex *x, double *times)
{
    double size = 0.0;
    (void)n0;
    (void)times;
    for (int k = 0; k < n_tx; k++) {
        const double power = creal(matched(n_rx, n_tx, h, k, &h[k], n_tx));
        x[k] = matched(n_rx, n_tx, h, k, y, 1) / power;
        size = fmax(size, norm_of(n_rx, y) / sqrt(power));
    }
    return 1e-6 + 2.0 * (n_rx + 4) * 0x1p-24 * size;
}

/* A = H'H + n0 I and z = H'y. */
static void equations(int n_rx, int n_tx, const double complex *h, double n0,
                      const double complex *y, double complex *a, double complex *z)
{
    for (int i = 0; i < n_tx; i++) {
        for (int j = 0; j < n_tx; j++)
            a[i * n_tx + j] = matched(n_rx, n_tx, h, i, &h[j], n_tx) + (i == j ? n0 : 0.0);
        z[i] = matched(n_rx, n_tx, h, i, y, 1);
    }
}

/*
 * x_k over the gain of its filter, if that is positive; returns what float may add after a few
 * steps, each with sums of n terms: more, the smaller the gain is.
 */
static double take_gains(int id, int n, int n_tx, const double complex *a, double n0,
                         double complex *x, double *times)
{
    double complex filter[FILTER_TX * FILTER_TX];
    double size = 0.0;
    assert_true(n_tx <= FILTER_TX);
    iterated_filter(id, n_tx, (int)lte_detector_usual(id).value[0], a, n0, filter);
    for (int k = 0; k < n_tx; k++) {
        double b = 0.0, rho;
        measure_filter(n_tx, k, a, n0, filter, &b, &rho);
        size = fmax(size, cabs(x[k]));
        x[k] /= b > 0.0 ? b : 1.0;
        times[k] = (1.0 + cabs(x[k])) / fmin(1.0, fabs(b));
    }
    return 1e-6 + 32.0 * n * 0x1p-24 * fmax(1.0, size);
}

static double estimate_cg(int n_rx, int n_tx, const double complex *h, double n0,
                          const double complex *y, double complex *x, double *times)
{
    double complex a[MATRIX_SIZE], rest[MATRIX_ORDER], p[MATRIX_ORDER], q[MATRIX_ORDER];
    equations(n_rx, n_tx, h, n0, y, a, rest);
    memcpy(p, rest, sizeof p);
    for (int k = 0; k < n_tx; k++)
        x[k] = 0.0;
    for (int i = 0; i < (int)lte_detector_usual(LTE_DETECTOR_cg).value[0]; i++) {
        double left = 0.0, along = 0.0, next = 0.0;
        for (int k = 0; k < n_tx; k++) {
            q[k] = 0.0;
            for (int j = 0; j < n_tx; j++)
                q[k] += a[k * n_tx + j] * p[j];
            left += creal(conj(rest[k]) * rest[k]);
            along += creal(conj(p[k]) * q[k]);
        }
        for (int k = 0; k < n_tx; k++) {
            x[k] += left / along * p[k];
            rest[k] -= left / along * q[k];
            next += creal(conj(rest[k]) * rest[k]);
        }
        for (int k = 0; k < n_tx; k++)
            p[k] = rest[k] + next / left * p[k];
        if (sqrt(next) < 1e-12)
            break;
    }
    return take_gains(LTE_DETECTOR_cg, n_rx + n_tx, n_tx, a, n0, x, times);
}

static double estimate_neumann(int n_rx, int n_tx, const double complex *h, double n0,
                               const double complex *y, double complex *x, double *times)
{
    double complex a[MATRIX_SIZE], z[MATRIX_ORDER], next[MATRIX_ORDER];
    equations(n_rx, n_tx, h, n0, y, a, z);
    for (int k = 0; k < n_tx; k++)
        x[k] = 0.0;
    for (int i = 0; i <= (int)lte_detector_usual(LTE_DETECTOR_neumann).value[0]; i++) {
        for (int k = 0; k < n_tx; k++) {
            double complex rest = z[k];
            for (int j = 0; j < n_tx; j++)
                rest -= a[k * n_tx + j] * x[j];
            next[k] = x[k] + rest / a[k * n_tx + k];
        }
        memcpy(x, next, (size_t)n_tx * sizeof *x);
    }
    return take_gains(LTE_DETECTOR_neumann, n_rx + n_tx, n_tx, a, n0, x, times);
}

static const oracle in_double[] = {
    [LTE_DETECTOR_zf] = {no_loading, estimate_zf},
    [LTE_DETECTOR_mmse] = {noise_loading, estimate_mmse},
    [LTE_DETECTOR_mrc] = {NULL, estimate_mrc},
    [LTE_DETECTOR_cg] = {NULL, estimate_cg},
    [LTE_DETECTOR_neumann] = {NULL, estimate_neumann},
    [LTE_DETECTOR_kbest] = {NULL, NULL},    /* makes no estimates: tests/phy/test_kbest.c */
    [LTE_DETECTOR_ml] = {NULL, NULL},       /* the same: tests/phy/test_ml.c */
    [LTE_DETECTOR_mmse_sic] = {NULL, NULL}, /* and these: tests/phy/test_searches.c */
    [LTE_DETECTOR_fsd] = {NULL, NULL},
    [LTE_DETECTOR_lr_mmse] = {NULL, NULL},
};
_Static_assert(sizeof in_double / sizeof *in_double == LTE_N_DETECTORS,
               "each detector has its formula in double");

static void gram_is_hermitian_and_loaded(const batch *b, double loading)
{
    const int n_tx = b->link.n_tx, n_rx = b->link.n_rx;
    for (int sc = 0; sc < b->link.carrier.n_sc; sc++) {
        for (int e = 0; e < n_tx * n_tx; e++) {
            const int i = e / n_tx, j = e % n_tx;
            double complex exact = i == j ? loading : 0.0;
            double size = cabs(exact);
            for (int rx = 0; rx < n_rx; rx++) {
                const double complex left = element(b->h, n_rx * n_tx, sc, rx * n_tx + i);
                const double complex right = element(b->h, n_rx * n_tx, sc, rx * n_tx + j);
                exact += conj(left) * right;
                size += cabs(left) * cabs(right);
            }
            const double complex g = element(b->g, n_tx * n_tx, sc, e);
            assert_near(cabs(g - exact), 0.0, (2 * n_rx + 1) * 0x1p-24 * size);
            assert_true(g == conj(element(b->g, n_tx * n_tx, sc, j * n_tx + i)));
        }
    }
}

static void gram_is_h_h_plus_the_loading(void **state)
{
    (void)state;
    static const int shapes[][2] = {{1, 1}, {2, 2}, {5, 3}, {4, 4}, {16, 7}, {8, 8}};
    for (int s = 0; s < 6; s++) {
        const int n_rx = shapes[s][0], n_tx = shapes[s][1];
        const lte_link link = link_of(101, n_rx, n_tx, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
        const lte_noise noise = lte_noise_of(n_tx, 2.0);
        batch b;
        batch_init(&b, &link, 0xa5);
        batch_send(&b, lte_stages_best(), SLOT, noise);
        for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
            const oracle *formula = &in_double[detector];
            assert_int_equal(formula->estimate != NULL,
                             (lte_detector_rows[detector].outputs & LTE_GIVES_SINR) != 0);
            assert_int_equal(lte_detector_needs(lte_detector_usual(detector), LTE_NEEDS_INVERSE),
                             formula->loading != NULL);
            if (!formula->loading || n_tx > lte_detector_rows[detector].max_tx)
                continue;
            lte_stages_best()->gram(&link, lte_detector_usual(detector), noise, 0,
                                    link.carrier.n_groups, b.h, b.g, b.work);
            gram_is_hermitian_and_loaded(&b, formula->loading((double)noise.n0));
        }
        batch_fini(&b);
    }
}

/* Estimates of one resource element in double; returns a bound on what float may add to them. */
static double estimate(const batch *b, int detector, double n0, int sc, int symbol,
                       double complex *x, double *times)
{
    const int n_rx = b->link.n_rx, n_h = n_rx * b->link.n_tx;
    double complex h[LARGE_RX * MATRIX_ORDER], y[LARGE_RX];
    for (int e = 0; e < n_h; e++)
        h[e] = element(b->h, n_h, sc, e);
    for (int rx = 0; rx < n_rx; rx++)
        y[rx] = element(b->y, LTE_SLOT_SYMBOLS * n_rx, sc, symbol * n_rx + rx);
    return in_double[detector].estimate(n_rx, b->link.n_tx, h, n0, y, x, times);
}

/* Decisions are those of the formula, where rounding cannot decide. */
static void check_decisions(int n_rx, int n_tx, int n_bits, int detector, int inverter, double n0)
{
    const lte_link link = link_of(203, n_rx, n_tx, n_bits, LTE_CHANNEL_rayleigh, inverter);
    const lte_noise noise = noise_of_n0(n0);
    int open = 0;
    batch b;
    batch_init(&b, &link, 0xa5);
    batch_send(&b, lte_stages_best(), SLOT, noise);
    batch_decide(&b, lte_stages_best(), lte_detector_usual(detector), noise);
    for (int i = 0; i < link.carrier.n_sc * LTE_SLOT_SYMBOLS; i++) {
        const int sc = i / LTE_SLOT_SYMBOLS, symbol = i % LTE_SLOT_SYMBOLS;
        double complex x[MATRIX_ORDER];
        double times[MATRIX_ORDER];
        for (int tx = 0; tx < n_tx; tx++)
            times[tx] = 1.0;
        const double most = estimate(&b, detector, (double)noise.n0, sc, symbol, x, times);
        for (int tx = 0; tx < n_tx; tx++) {
            const double re = creal(x[tx]), im = cimag(x[tx]), margin = most * times[tx];
            const lte_cplx low = {(float)(re - margin), (float)(im - margin)};
            const lte_cplx high = {(float)(re + margin), (float)(im + margin)};
            const uint32_t label = lte_qam_slice(n_bits, low);
            if (label == lte_qam_slice(n_bits, high))
                assert_int_equal(
                    b.decided[label_at(LTE_SLOT_SYMBOLS * n_tx, sc, symbol * n_tx + tx)], label);
            else
                open++;
        }
    }
    assert_true(open <= link.carrier.n_sc * LTE_SLOT_SYMBOLS * n_tx / 20);
    batch_fini(&b);
}

static void decisions_are_those_of_the_formulas(void **state)
{
    (void)state;
    for (int i = 0; i < LTE_N_DETECTORS * LTE_N_INVERTERS; i++) {
        const int detector = i / LTE_N_INVERTERS, inverter = i % LTE_N_INVERTERS;
        if (!in_double[detector].estimate)
            continue;
        for (int n_tx = 1; n_tx <= most_layers(detector, inverter); n_tx++) {
            check_decisions(n_tx, n_tx, 4, detector, inverter, 0.3);
            check_decisions(n_tx + 2, n_tx, 6, detector, inverter, 0.02);
        }
        check_decisions(LARGE_RX, LTE_MAX_ORDER, 4, detector, inverter, 0.5);
        for (int n_tx = 9; n_tx <= lte_inverter_rows[inverter].max_order && n_tx < MATRIX_ORDER;
             n_tx += 7)
            check_decisions(LARGE_RX, n_tx, 4, detector, inverter, 0.5);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(stages, stored_channel_is_taken_as_it_lies),
    LTE_CASE(stages, channel_stage_draws_the_channel_of_the_scenario),
    LTE_CASE(stages, draws_do_not_depend_on_the_carrier),
    LTE_CASE(stages, received_is_h_x_plus_noise),
    LTE_CASE(stages, power_is_rounded_to_even_units),
    LTE_CASE(stages, gram_is_h_h_plus_the_loading),
    LTE_CASE(stages, decisions_are_those_of_the_formulas),
};

int main(void)
{
    return cmocka_run_group_tests_name("stages", cases, NULL, NULL);
}
