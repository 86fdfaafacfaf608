/*
 * The stages: every table of a build against the reference loops bit for bit, the fused paths
 * against the stages, and the stages against their formulas in double.
 */

#include "tests/lib/matrices.h"
#include "tests/lib/batch.h"

#include "phy/channel/channel.h"
#include "phy/channel/correlation.h"
#include "phy/detection/demap.h"
#include "phy/channel/receive.h"
#include "phy/channel/taps.h"

enum { SLOT = 1003 };

static void assert_same_sent(const batch *a, const batch *b)
{
    assert_memory_equal(a->sent, b->sent, a->labels_size);
    assert_memory_equal(a->h, b->h, a->h_size);
    assert_memory_equal(a->y, b->y, a->y_size);
    assert_memory_equal(&a->power, &b->power, sizeof a->power);
}

static void assert_same_decided(const batch *a, const batch *b, int detector)
{
    if (lte_detector_rows[detector].inverts)
        assert_memory_equal(a->g, b->g, a->g_size);
    assert_memory_equal(a->flag, b->flag, a->flag_size);
    assert_memory_equal(a->decided, b->decided, a->labels_size);
    assert_memory_equal(a->bits, b->bits, a->bits_size);
    assert_memory_equal(a->errors, b->errors, a->errors_size);
}

/* The turned planes are the batches they came from, with zeros behind the last subcarrier. */
static void assert_turns_back(const lte_stages *stages, const batch *sent)
{
    const lte_link *link = &sent->link;
    const int n_h = link->n_h * link->n_rx * link->n_tx, n_y = link->n_rx * LTE_SLOT_SYMBOLS;
    batch b;
    batch_init(&b, link, 0x5a);
    stages->corner_turn(link, 0, link->n_groups, sent->h_planes, sent->y_planes, b.h, b.y);
    for (int sc = 0; sc < link->n_groups * LTE_LANES; sc++) {
        const bool live = sc < link->n_sc;
        for (int e = 0; e < 2 * n_h; e++) {
            const size_t at = label_at(2 * n_h, sc, e);
            assert_true(b.h[at] == (live ? sent->h[at] : 0.0f));
        }
        for (int e = 0; e < 2 * n_y; e++) {
            const size_t at = label_at(2 * n_y, sc, e);
            assert_true(b.y[at] == (live ? sent->y[at] : 0.0f));
        }
    }
    batch_fini(&b);
}

/* Planes to bits in one go, in two calls, are the bits of the stages. */
static void assert_fused_slot(const lte_stages *stages, const batch *decided, int detector,
                              lte_noise noise)
{
    const lte_link *link = &decided->link;
    const int middle = link->n_groups / 3;
    uint8_t *bits = poisoned(decided->bits_size, 0x5a);
    stages->slot(link, detector, noise, middle, link->n_groups, decided->h_planes,
                 decided->y_planes, bits, decided->work);
    for (int i = 0; i < middle * LTE_LANES * link->n_tx * link->n_bits / 8; i++)
        assert_int_equal(bits[i], 0x5a); /* the bytes of the other groups */
    stages->slot(link, detector, noise, 0, middle, decided->h_planes, decided->y_planes, bits,
                 decided->work);
    assert_memory_equal(bits, decided->bits, decided->bits_size);
    free(bits);
}

/* The fused sweep counts, in one call for all detectors, what the stages count one by one. */
static void assert_fused_sweep(const lte_stages *stages, const batch *decided, lte_noise noise)
{
    int detectors[LTE_N_DETECTORS];
    const int n = detectors_for(decided[0].link.n_tx, detectors);
    const size_t row_size = decided[0].errors_size;
    uint32_t *errors = poisoned((size_t)n * row_size, 0x5a);
    lte_power power;
    sweep_slot(stages, &decided[0].link, noise, detectors, n, SLOT, &power, errors);
    assert_memory_equal(&power, &decided[0].power, sizeof power);
    for (int d = 0; d < n; d++)
        assert_memory_equal(&errors[lte_counts_at(decided[0].link.n_counts, d)],
                            decided[detectors[d]].errors, row_size);
    free(errors);
}

/*
 * A slot that carries the labels of batches counts the same, and its LLRs have the signs of what is
 * decided, where they are not rounded to zero.
 */
static void assert_carried_slot(const lte_stages *stages, const batch *decided, lte_noise noise)
{
    lte_link link = decided[0].link;
    int detectors[LTE_N_DETECTORS], zeros = 0;
    const int n = detectors_for(link.n_tx, detectors), n_tx = link.n_tx, n_bits = link.n_bits;
    const size_t n_labels = LTE_SLOT_SYMBOLS * (size_t)n_tx * (size_t)link.n_sc;
    const size_t row_size = decided[0].errors_size, work_size = lte_sweep_work(&link, n);
    if (LTE_IS_LARGE(link.n_rx, n_tx))
        return;
    link.output = (lte_output){.demapper = LTE_DEMAPPER_max_log, .llr_scale = 64.0f};
    uint8_t *labels = poisoned(n_labels, 0x5a);
    uint32_t *errors = poisoned((size_t)n * row_size, 0x5a);
    int8_t *llrs = poisoned((size_t)(n * lte_llr_planes(&link)), 0x5a);
    void *work = poisoned(work_size, 0x5a);
    lte_power power;
    for (size_t i = 0; i < n_labels; i++) {
        const int row = (int)i / link.n_sc, sc = (int)i % link.n_sc;
        labels[i] = (uint8_t)decided[0]
                        .sent[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, row / n_tx, row % n_tx)];
    }
    stages->carry_slot(&link, noise, detectors, n, SLOT, labels, work, &power, errors, llrs);
    assert_memory_equal(&power, &decided[0].power, sizeof power);
    for (int d = 0; d < n; d++) {
        const batch *b = &decided[detectors[d]];
        const int8_t *llr = llrs + d * lte_llr_planes(&link);
        assert_memory_equal(&errors[lte_counts_at(link.n_counts, d)], b->errors, row_size);
        for (size_t i = 0; i < n_labels; i++) {
            const int row = (int)i / link.n_sc, sc = (int)i % link.n_sc;
            const uint32_t label =
                b->decided[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, row / n_tx, row % n_tx)];
            for (int bit = 0; bit < n_bits && row / n_tx != link.pilot; bit++) {
                const int8_t *const value = &llr[(row * n_bits + bit) * link.n_sc + sc];
                zeros += *value == 0;
                assert_true(*value == 0 || (*value < 0) == (label >> bit & 1));
            }
        }
    }
    assert_true(link.n_stored > 0 || 2 * (size_t)zeros < n_labels * (size_t)(n * n_bits));
    free(labels);
    free(errors);
    free(llrs);
    free(work);
}

/* All stages of a table and its fused paths against batches of the reference, one a detector. */
static void compare_table(const lte_stages *stages, const void *arg)
{
    const batch *reference = arg;
    const lte_link *link = &reference[0].link;
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    batch b;
    batch_init(&b, link, 0x5a);
    batch_send(&b, stages, SLOT, noise);
    assert_same_sent(&reference[0], &b);
    assert_turns_back(stages, &b);
    assert_fused_sweep(stages, reference, noise);
    assert_carried_slot(stages, reference, noise);
    for (int d = 0; d < LTE_N_DETECTORS; d++) {
        if (link->n_tx > lte_detector_rows[d].max_tx)
            continue;
        batch_decide(&b, stages, d, noise);
        assert_same_decided(&reference[d], &b, d);
        assert_fused_slot(stages, &reference[d], d, noise);
    }
    batch_fini(&b);
}

static void compare_tables(const lte_link *link)
{
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    batch reference[LTE_N_DETECTORS];
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
        batch_init(&reference[detector], link, 0xa5);
        batch_send(&reference[detector], lte_stages_all[0], SLOT, noise);
        if (link->n_tx <= lte_detector_rows[detector].max_tx)
            batch_decide(&reference[detector], lte_stages_all[0], detector, noise);
    }
    for_each_table(compare_table, reference);
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++)
        batch_fini(&reference[detector]);
}

static void compare_shapes(int n_sc, int n_bits, int inverter)
{
    for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
        const int n_rx[] = {n_tx, n_tx + 1, LTE_FEW_RX};
        for (int i = 0; i < 3; i++) {
            const lte_link link = link_of(n_sc, n_rx[i], n_tx, n_bits, LTE_CHANNEL_rayleigh,
                                          inverter_for(inverter, n_tx));
            compare_tables(&link);
        }
    }
}

/* Every modulation and every inverter; in the long form each with each. */
static void compare_modulations(int n_sc)
{
    enum { N_MODULATIONS = LTE_MAX_BITS / 2 };
    for (int i = 0; i < N_MODULATIONS; i++) {
        for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
            if (is_long() || inverter % N_MODULATIONS == i)
                compare_shapes(n_sc, 2 * i + 2, inverter);
        }
    }
}

static void tables_agree_on_many_subcarriers(void **state)
{
    (void)state;
    compare_shapes(share_of(1003), 6, LTE_INVERTER_gauss_jordan);
}

/* Two groups of lanes and a half. */
static void tables_agree_on_40_subcarriers(void **state)
{
    (void)state;
    compare_modulations(40);
}

static void tables_agree_on_large_arrays(void **state)
{
    (void)state;
    static const int shapes[][2] = {{17, 1}, {20, 4}, {64, 8}, {9, 9}, {33, 16}, {40, 21}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes * LTE_N_INVERTERS; i++) {
        const int *const shape = shapes[i / LTE_N_INVERTERS], inverter = (int)i % LTE_N_INVERTERS;
        const int n_rx = shape[0], n_tx = shape[1];
        if (lte_inverter_rows[inverter].max_order < n_tx)
            continue;
        lte_link link =
            link_of(37, n_rx, n_tx, 4, i % 2 ? LTE_CHANNEL_epa : LTE_CHANNEL_rayleigh, inverter);
        compare_tables(&link);
        if (link.profile.n_taps == 0)
            continue;
        assert_int_equal(lte_link_set_doppler(&link, 70.0, 4), LTE_OK);
        compare_tables(&link);
    }
}

static void tables_agree_on_1_subcarrier(void **state)
{
    (void)state;
    compare_modulations(1);
}

static void tables_agree_on_a_20_mhz_carrier(void **state)
{
    (void)state;
    const lte_link link = link_of(1200, 4, 4, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_gauss_jordan);
    compare_tables(&link);
}

#define COUNT(id) +1
enum { N_MADE = 0 LTE_DRAWN_CHANNELS(COUNT) LTE_TAP_CHANNELS(COUNT) }; /* here, not elsewhere */

static void tables_agree_on_every_channel(void **state)
{
    (void)state;
    for (int channel = 0; channel < N_MADE; channel++) {
        for (int n = 1; n <= LTE_MAX_ORDER; n++) {
            if (!is_long() && n % 2 != channel % 2)
                continue;
            lte_link link = link_of(37, n, n, 8, channel, inverter_for(n, n));
            compare_tables(&link);
            if (link.profile.n_taps == 0)
                continue;
            assert_int_equal(lte_link_set_doppler(&link, 300.0, 4), LTE_OK);
            compare_tables(&link);
            link = link_of(37, LTE_FEW_RX, n, 2, channel, inverter_for(n, n));
            assert_int_equal(lte_link_set_doppler(&link, 5.0, 10000), LTE_OK);
            compare_tables(&link);
        }
    }
    float factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
    for (int channel = 0; channel < N_MADE; channel++) {
        for (int n = 1; n <= LTE_MAX_ORDER; n *= 2) { /* antennas that correlate */
            const lte_correlation c = {.alpha = 0.7, .beta = 0.4};
            if (lte_channel_rows[channel].not_correlated)
                continue;
            lte_link link = link_of(37, LTE_MAX_ORDER, n, 4, channel, inverter_for(n, n));
            assert_int_equal(lte_correlation_factor(&c, LTE_MAX_ORDER, n, factor), LTE_OK);
            link.correlation_factor = factor;
            compare_tables(&link);
            if (link.profile.n_taps > 0)
                assert_int_equal(lte_link_set_doppler(&link, 300.0, 4), LTE_OK);
            compare_tables(&link);
        }
    }
}

/* A link of n_stored slots of numbers that are all different: element i of all is i - i j / 2. */
static lte_link stored_link(int n_sc, int n_rx, int n_tx, int n_h, uint64_t n_stored, lte_cf32 **h)
{
    lte_link link = link_of(n_sc, n_rx, n_tx, 4, LTE_CHANNEL_file, inverter_for(n_tx, n_tx));
    const size_t n = (size_t)n_stored * (size_t)(n_rx * n_tx * n_h) * (size_t)n_sc;
    *h = malloc(n * sizeof **h);
    assert_non_null(*h);
    for (size_t i = 0; i < n; i++) {
        (*h)[i].re = 0x1p-16f * (float)i;
        (*h)[i].im = -0x1p-17f * (float)i;
    }
    assert_int_equal(lte_link_set_channel_data(&link, *h, n_stored, n_h), LTE_OK);
    return link;
}

static void tables_agree_on_stored_channels(void **state)
{
    (void)state;
    for (int n = 1; n <= LTE_MAX_ORDER; n++) {
        for (int i = 0; i < 4; i++) {
            lte_cf32 *h = NULL;
            const lte_link link =
                stored_link(i < 2 ? 37 : 1, i % 2 ? LTE_FEW_RX : n, n, i % 2 ? 7 : 1, 2, &h);
            compare_tables(&link);
            free(h);
        }
    }
}

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
        lte_stages_best()->channel(&link, SLOT, 0, link.n_groups, b.h, b.work);
        for (int i = 0; i < n_h * n; i++) {
            const int symbol = i / n, e = i % n;
            const ptrdiff_t plane = (ptrdiff_t)(SLOT % N_STORED) * n * n_h + e * n_h + symbol;
            for (int sc = 0; sc < link.n_groups * LTE_LANES; sc++) {
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
    const lte_fading fading = {&link->profile, tap};
    const int n = link->n_rx * link->n_tx;
    for (int l = 0; l < link->profile.n_taps; l++) {
        for (int b = 0; 2 * b < n; b++) {
            lte_cplx z[2];
            lte_draw_tap_pair(&link->draws, &link->profile, SLOT, l, (lte_word)b, z);
            for (int e = 2 * b; e < n && e < 2 * b + 2; e++) {
                tap[l * n + e].re = z[e % 2].re;
                tap[l * n + e].im = z[e % 2].im;
            }
        }
    }
    lte_channel_taps(&link->draws, &fading, sc, h);
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
        lte_stages_best()->channel(&link, SLOT, 0, link.n_groups, b.h, b.work);
        for (int sc = 0; sc < link.n_sc; sc++) {
            lte_cplx h[LTE_FEW_RX * LTE_MAX_ORDER];
            if (draw[channel])
                draw[channel](&link.draws, SLOT, (lte_word)sc, h);
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
    const size_t n_full_groups = 72 / LTE_LANES, n_groups = (size_t)narrow.n_groups;
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
        lte_draw_noise(&link.draws, SLOT, (lte_word)sc, symbol, z);
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
     * to them.
     */
    double (*estimate)(int n_rx, int n_tx, const double complex *h, double n0,
                       const double complex *y, double complex *x);
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
                          const double complex *y, double complex *x)
{
    return solve_in_double(n_rx, n_tx, h, no_loading(n0), y, x);
}

static double estimate_mmse(int n_rx, int n_tx, const double complex *h, double n0,
                            const double complex *y, double complex *x)
{
    return solve_in_double(n_rx, n_tx, h, noise_loading(n0), y, x);
}

/* h_k'y / |h_k|^2: sums of n_rx terms, which may cancel. */
static double estimate_mrc(int n_rx, int n_tx, const double complex *h, double n0,
                           const double complex *y, double complex *x)
{
    double size = 0.0;
    (void)n0;
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
 * x_k / (1 - n0 / a_kk); returns what float may add after a few steps, each with sums of n terms.
 */
static double take_gains(int n, int n_tx, const double complex *a, double n0, double complex *x)
{
    double size = 0.0;
    for (int k = 0; k < n_tx; k++) {
        x[k] /= 1.0 - n0 / creal(a[k * n_tx + k]);
        size = fmax(size, cabs(x[k]));
    }
    return 1e-6 + 32.0 * n * 0x1p-24 * fmax(1.0, size);
}

static double estimate_cg(int n_rx, int n_tx, const double complex *h, double n0,
                          const double complex *y, double complex *x)
{
    double complex a[MATRIX_SIZE], rest[MATRIX_ORDER], p[MATRIX_ORDER], q[MATRIX_ORDER];
    equations(n_rx, n_tx, h, n0, y, a, rest);
    memcpy(p, rest, sizeof p);
    for (int k = 0; k < n_tx; k++)
        x[k] = 0.0;
    for (int i = 0; i < lte_detector_parameter(LTE_DETECTOR_cg); i++) {
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
    return take_gains(n_rx + n_tx, n_tx, a, n0, x);
}

static double estimate_neumann(int n_rx, int n_tx, const double complex *h, double n0,
                               const double complex *y, double complex *x)
{
    double complex a[MATRIX_SIZE], z[MATRIX_ORDER], next[MATRIX_ORDER];
    equations(n_rx, n_tx, h, n0, y, a, z);
    for (int k = 0; k < n_tx; k++)
        x[k] = 0.0;
    for (int i = 0; i <= lte_detector_parameter(LTE_DETECTOR_neumann); i++) {
        for (int k = 0; k < n_tx; k++) {
            double complex rest = z[k];
            for (int j = 0; j < n_tx; j++)
                rest -= a[k * n_tx + j] * x[j];
            next[k] = x[k] + rest / a[k * n_tx + k];
        }
        memcpy(x, next, (size_t)n_tx * sizeof *x);
    }
    return take_gains(n_rx + n_tx, n_tx, a, n0, x);
}

static const oracle in_double[] = {
    [LTE_DETECTOR_zf] = {no_loading, estimate_zf},
    [LTE_DETECTOR_mmse] = {noise_loading, estimate_mmse},
    [LTE_DETECTOR_mrc] = {NULL, estimate_mrc},
    [LTE_DETECTOR_cg] = {NULL, estimate_cg},
    [LTE_DETECTOR_neumann] = {NULL, estimate_neumann},
};
_Static_assert(sizeof in_double / sizeof *in_double == LTE_N_DETECTORS,
               "each detector has its formula in double");

static void gram_is_hermitian_and_loaded(const batch *b, double loading)
{
    const int n_tx = b->link.n_tx, n_rx = b->link.n_rx;
    for (int sc = 0; sc < b->link.n_sc; sc++) {
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
            assert_true(formula->estimate != NULL); /* not in the table */
            assert_int_equal(lte_detector_rows[detector].inverts, formula->loading != NULL);
            if (!formula->loading || n_tx > lte_detector_rows[detector].max_tx)
                continue;
            lte_stages_best()->gram(&link, detector, noise, 0, link.n_groups, b.h, b.g, b.work);
            gram_is_hermitian_and_loaded(&b, formula->loading((double)noise.n0));
        }
        batch_fini(&b);
    }
}

static lte_noise noise_of_n0(double n0)
{
    const lte_noise noise = {(float)n0, (float)sqrt(n0), NULL, NULL};
    return noise;
}

enum { LARGE_RX = 40 };

/* Estimates of one resource element in double; returns a bound on what float may add to them. */
static double estimate(const batch *b, int detector, double n0, int sc, int symbol,
                       double complex *x)
{
    const int n_rx = b->link.n_rx, n_h = n_rx * b->link.n_tx;
    double complex h[LARGE_RX * MATRIX_ORDER], y[LARGE_RX];
    for (int e = 0; e < n_h; e++)
        h[e] = element(b->h, n_h, sc, e);
    for (int rx = 0; rx < n_rx; rx++)
        y[rx] = element(b->y, LTE_SLOT_SYMBOLS * n_rx, sc, symbol * n_rx + rx);
    return in_double[detector].estimate(n_rx, b->link.n_tx, h, n0, y, x);
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
    batch_decide(&b, lte_stages_best(), detector, noise);
    for (int i = 0; i < link.n_sc * LTE_SLOT_SYMBOLS; i++) {
        const int sc = i / LTE_SLOT_SYMBOLS, symbol = i % LTE_SLOT_SYMBOLS;
        double complex x[MATRIX_ORDER];
        const double margin = estimate(&b, detector, (double)noise.n0, sc, symbol, x);
        for (int tx = 0; tx < n_tx; tx++) {
            const double re = creal(x[tx]), im = cimag(x[tx]);
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
    assert_true(open <= link.n_sc * LTE_SLOT_SYMBOLS * n_tx / 20);
    batch_fini(&b);
}

static void decisions_are_those_of_the_formulas(void **state)
{
    (void)state;
    for (int i = 0; i < LTE_N_DETECTORS * LTE_N_INVERTERS; i++) {
        const int detector = i / LTE_N_INVERTERS, inverter = i % LTE_N_INVERTERS;
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

/* Groups first .. end - 1 of an array hold the whole's bytes, all others are untouched. */
static void assert_groups(const void *part, const void *whole, size_t size, int n_groups, int first,
                          int end)
{
    const size_t group = size / (size_t)n_groups;
    const uint8_t *p = part, *w = whole;
    for (size_t i = 0; i < size; i++) {
        const bool inside = i >= (size_t)first * group && i < (size_t)end * group;
        assert_int_equal(p[i], inside ? w[i] : 0x5a);
    }
}

enum { N_GROUPS = 5, FIRST = 1, END = 3 };

/* Those behind the receiver, of one detector; a and b have been sent. */
static void detect_in_groups(const lte_stages *stages, int detector, lte_noise noise, batch *a,
                             batch *b)
{
    const lte_link *link = &a->link;
    batch_decide(a, stages, detector, noise);
    if (lte_detector_rows[detector].inverts) {
        memset(b->g, 0x5a, b->g_size);
        memset(b->flag, 0x5a, b->flag_size);
        stages->gram(link, detector, noise, FIRST, END, a->h, b->g, b->work);
        stages->invert(link, FIRST, END, b->g, b->flag, b->work);
        assert_groups(b->g, a->g, a->g_size, N_GROUPS, FIRST, END);
        assert_groups(b->flag, a->flag, a->flag_size, N_GROUPS, FIRST, END);
    }
    memset(b->flag, 0x5a, b->flag_size);
    memset(b->decided, 0x5a, b->labels_size);
    lte_stages_detect(stages, link, detector, noise, FIRST, END, a->h, a->y, b->g, b->flag,
                      b->decided, b->work);
    assert_groups(b->flag, a->flag, a->flag_size, N_GROUPS, FIRST, END);
    assert_groups(b->decided, a->decided, a->labels_size, N_GROUPS, FIRST, END);
    const size_t size = a->labels_size / sizeof(uint32_t) * sizeof(float);
    float *whole = poisoned(size, 0xa5), *part = poisoned(size, 0x5a);
    stages->sinr(link, detector, noise, 0, N_GROUPS, a->h, a->y, whole, b->work);
    stages->sinr(link, detector, noise, FIRST, END, a->h, a->y, part, b->work);
    assert_groups(part, whole, size, N_GROUPS, FIRST, END);
    free(whole);
    free(part);
}

static void keep_to_the_groups(const lte_stages *stages, const void *arg)
{
    const lte_link link =
        link_of(N_GROUPS * LTE_LANES, 4, 3, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    const lte_noise noise = lte_noise_of(3, 10.0);
    int detectors[LTE_N_DETECTORS];
    const int n_detectors = detectors_for(3, detectors);
    batch a, b;
    (void)arg;
    batch_init(&a, &link, 0xa5);
    batch_init(&b, &link, 0x5a);
    batch_send(&a, stages, SLOT, noise);
    stages->source(&link, SLOT, FIRST, END, b.sent, b.work);
    assert_groups(b.sent, a.sent, a.labels_size, N_GROUPS, FIRST, END);
    stages->channel(&link, SLOT, FIRST, END, b.h, b.work);
    assert_groups(b.h, a.h, a.h_size, N_GROUPS, FIRST, END);
    stages->receive(&link, SLOT, noise, FIRST, END, a.h, a.sent, b.y, &b.power, b.work);
    assert_groups(b.y, a.y, a.y_size, N_GROUPS, FIRST, END);
    assert_true(b.power.signal > 0 && b.power.signal < a.power.signal);
    stages->receive(&link, SLOT, noise, 0, FIRST, a.h, a.sent, b.y, &b.power, b.work);
    stages->receive(&link, SLOT, noise, END, N_GROUPS, a.h, a.sent, b.y, &b.power, b.work);
    assert_memory_equal(&b.power, &a.power, sizeof a.power);
    memset(b.h, 0x5a, b.h_size);
    memset(b.y, 0x5a, b.y_size);
    stages->corner_turn(&link, FIRST, END, a.h_planes, a.y_planes, b.h, b.y);
    assert_groups(b.h, a.h, a.h_size, N_GROUPS, FIRST, END);
    assert_groups(b.y, a.y, a.y_size, N_GROUPS, FIRST, END);
    for (int d = 0; d < n_detectors; d++)
        detect_in_groups(stages, detectors[d], noise, &a, &b);
    const size_t row = lte_packed_row(&link);
    stages->pack(&link, FIRST, END, a.decided, b.bits);
    for (size_t symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
        assert_groups(&b.bits[symbol * row], &a.bits[symbol * row], row, N_GROUPS, FIRST, END);
    stages->count(&link, FIRST, END, a.sent, a.decided, a.flag, b.errors);
    assert_true(b.errors[lte_bits_at(0)] > 0 &&
                b.errors[lte_bits_at(0)] < a.errors[lte_bits_at(0)]);
    stages->count(&link, 0, FIRST, a.sent, a.decided, a.flag, b.errors);
    stages->count(&link, END, N_GROUPS, a.sent, a.decided, a.flag, b.errors);
    assert_memory_equal(b.errors, a.errors, a.errors_size);
    batch_fini(&a);
    batch_fini(&b);
}

static void stages_keep_to_their_groups(void **state)
{
    (void)state;
    for_each_table(keep_to_the_groups, NULL);
}

/* Bits of [symbol][subcarrier][layer][bit], lowest first, each symbol from a new byte on. */
static void check_packed(const batch *b)
{
    const lte_link *link = &b->link;
    const size_t row_bits = 8 * lte_packed_row(link);
    size_t n_used = 0;
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        size_t at = (size_t)symbol * row_bits;
        for (int sc = 0; sc < link->n_sc; sc++) {
            for (int tx = 0; tx < link->n_tx; tx++) {
                const uint32_t label = b->decided[label_at(LTE_SLOT_SYMBOLS * link->n_tx, sc,
                                                           symbol * link->n_tx + tx)];
                for (int bit = 0; bit < link->n_bits; bit++, at++)
                    assert_int_equal((b->bits[at / 8] >> (at % 8)) & 1, (label >> bit) & 1);
            }
        }
        n_used = at - (size_t)symbol * row_bits;
        for (; at % row_bits != 0; at++)
            assert_int_equal((b->bits[at / 8] >> (at % 8)) & 1, 0);
    }
    assert_true(row_bits >= n_used && row_bits < n_used + 8);
    assert_int_equal(b->bits_size, LTE_SLOT_SYMBOLS * row_bits / 8);
}

/* Bits by layer, symbols by layer, flagged matrices: a row has a place for each and no other. */
static void counts_of_a_row_have_places_of_their_own(void **state)
{
    (void)state;
    for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
        int seen[LTE_N_HARD_COUNTS(LTE_MAX_ORDER)] = {0};
        for (int k = 0; k < n_tx; k++) {
            assert_int_equal(lte_bits_at(k) - lte_bits_at(0), k);
            assert_int_equal(lte_symbols_at(n_tx, k) - lte_symbols_at(n_tx, 0), k);
            seen[lte_bits_at(k)]++;
            seen[lte_symbols_at(n_tx, k)]++;
        }
        seen[lte_flagged_at(n_tx)]++;
        assert_int_equal(lte_counts_at(LTE_N_HARD_COUNTS(n_tx), 3), 3 * LTE_N_HARD_COUNTS(n_tx));
        for (int i = 0; i < LTE_N_HARD_COUNTS(n_tx); i++)
            assert_int_equal(seen[i], 1);
    }
}

static void check_counted(const batch *b)
{
    const int n_tx = b->link.n_tx;
    uint32_t expected[LTE_N_HARD_COUNTS(LTE_MAX_ORDER)] = {0};
    for (int sc = 0; sc < b->link.n_sc; sc++) {
        for (int e = 0; e < LTE_SLOT_SYMBOLS * n_tx; e++) {
            const size_t at = label_at(LTE_SLOT_SYMBOLS * n_tx, sc, e);
            const uint32_t wrong = b->sent[at] ^ b->decided[at];
            expected[lte_bits_at(e % n_tx)] += (uint32_t)__builtin_popcount(wrong);
            expected[lte_symbols_at(n_tx, e % n_tx)] += wrong != 0;
        }
        expected[lte_flagged_at(n_tx)] += b->flag[label_at(1, sc, 0)];
    }
    assert_memory_equal(b->errors, expected, b->errors_size);
}

static void bits_are_packed_and_errors_counted_by_layer(void **state)
{
    (void)state;
    for (int n_tx = 1; n_tx <= LTE_MAX_ORDER; n_tx++) {
        for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
            const lte_link link =
                link_of(75, n_tx, n_tx, n_bits, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
            const lte_noise noise = lte_noise_of(n_tx, 3.0);
            batch b;
            batch_init(&b, &link, 0xa5);
            batch_send(&b, lte_stages_best(), SLOT, noise);
            batch_decide(&b, lte_stages_best(), LTE_DETECTOR_zf, noise);
            assert_true(b.errors[lte_bits_at(n_tx - 1)] > 0);
            check_packed(&b);
            check_counted(&b);
            b.flag[3] = b.flag[74] = 1;
            b.flag[75] = 1; /* a spare lane */
            memset(b.errors, 0, b.errors_size);
            lte_stages_best()->count(&link, 0, link.n_groups, b.sent, b.decided, b.flag, b.errors);
            check_counted(&b);
            assert_int_equal(b.errors[lte_flagged_at(n_tx)], 2);
            batch_fini(&b);
        }
    }
}

/* All at once, in either order, against each alone. */
static void order_of_detectors_changes_no_count(const lte_stages *stages, const void *arg)
{
    int all[LTE_N_DETECTORS], turned[LTE_N_DETECTORS];
    const int n = detectors_for(4, all);
    enum { N_COUNTS = LTE_N_HARD_COUNTS(4) };
    uint32_t one[LTE_N_DETECTORS][N_COUNTS], other[LTE_N_DETECTORS][N_COUNTS], alone[N_COUNTS];
    lte_power first, power;
    (void)arg;
    for (int d = 0; d < n; d++)
        turned[n - 1 - d] = all[d];
    for (int i = 0; i < LTE_N_INVERTERS; i++) {
        const lte_link link = link_of(203, 4, 4, 4, LTE_CHANNEL_rayleigh, inverter_for(i, 4));
        const lte_noise noise = lte_noise_of(4, 10.0);
        sweep_slot(stages, &link, noise, all, n, SLOT, &first, one[0]);
        sweep_slot(stages, &link, noise, turned, n, SLOT, &power, other[0]);
        assert_memory_equal(&power, &first, sizeof power);
        for (int d = 0; d < n; d++) {
            sweep_slot(stages, &link, noise, &all[d], 1, SLOT, &power, alone);
            assert_memory_equal(&power, &first, sizeof power);
            assert_memory_equal(one[d], other[n - 1 - d], sizeof alone);
            assert_memory_equal(one[d], alone, sizeof alone);
            for (int k = 0; k < d; k++)
                assert_memory_not_equal(one[d], one[k], sizeof alone);
        }
    }
}

static void detectors_do_not_disturb_each_other(void **state)
{
    (void)state;
    for_each_table(order_of_detectors_changes_no_count, NULL);
}

/* One resource element, symbol < 0 meaning all, decides as zero does; no other decision differs. */
static void assert_only_zeroed(const batch *clean, const batch *spoiled, int bad_sc, int bad_symbol)
{
    const lte_link *link = &clean->link;
    const lte_cplx zero = {0.0f, 0.0f};
    for (int sc = 0; sc < link->n_sc; sc++) {
        for (int e = 0; e < LTE_SLOT_SYMBOLS * link->n_tx; e++) {
            const size_t at = label_at(LTE_SLOT_SYMBOLS * link->n_tx, sc, e);
            const bool bad = sc == bad_sc && (bad_symbol < 0 || e / link->n_tx == bad_symbol);
            const uint32_t expected = bad ? lte_qam_slice(link->n_bits, zero) : clean->decided[at];
            assert_int_equal(spoiled->decided[at], expected);
        }
    }
}

static void decide_from_planes(batch *b, const lte_stages *stages, int detector, lte_noise noise)
{
    stages->corner_turn(&b->link, 0, b->link.n_groups, b->h_planes, b->y_planes, b->h, b->y);
    batch_decide(b, stages, detector, noise);
    assert_fused_slot(stages, b, detector, noise);
}

static const double not_finite[] = {(double)NAN, (double)INFINITY, (double)-INFINITY};
enum { N_NOT_FINITE = 3, BAD_SC = 21, N_BAD_SC = 37 };

/* The same slot twice, the first decided: the second is there to be spoiled. */
static void twins(const lte_link *link, const lte_stages *stages, int detector, lte_noise noise,
                  batch *clean, batch *b)
{
    batch_init(clean, link, 0xa5);
    batch_init(b, link, 0x5a);
    batch_send(clean, stages, SLOT, noise);
    batch_send(b, stages, SLOT, noise);
    decide_from_planes(clean, stages, detector, noise);
}

static void spoil_channel(const lte_stages *stages, const lte_link *link, int detector)
{
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    const int n_h = link->n_rx * link->n_tx;
    batch clean, b;
    twins(link, stages, detector, noise, &clean, &b);
    for (int e = 0; e < n_h; e++) {
        lte_cf32 *entry = &b.h_planes[(ptrdiff_t)e * link->n_sc + BAD_SC];
        const lte_cf32 good = *entry;
        for (int i = 0; i < 2 * N_NOT_FINITE; i++) {
            if (!is_long() && i != e % (2 * N_NOT_FINITE))
                continue;
            *entry = good;
            if (i % 2)
                entry->im = (float)not_finite[i / 2];
            else
                entry->re = (float)not_finite[i / 2];
            decide_from_planes(&b, stages, detector, noise);
            for (int sc = 0; sc < link->n_sc; sc++)
                assert_int_equal(b.flag[label_at(1, sc, 0)], sc == BAD_SC);
            assert_only_zeroed(&clean, &b, BAD_SC, -1);
        }
        *entry = good;
    }
    batch_fini(&clean);
    batch_fini(&b);
}

static void spoil_received(const lte_stages *stages, const lte_link *link, int detector)
{
    const lte_noise noise = lte_noise_of(link->n_tx, 30.0);
    batch clean, b;
    twins(link, stages, detector, noise, &clean, &b);
    for (int plane = 0; plane < link->n_rx * LTE_SLOT_SYMBOLS; plane++) {
        lte_cf32 *entry = &b.y_planes[(ptrdiff_t)plane * link->n_sc + BAD_SC];
        const lte_cf32 good = *entry;
        for (int i = 0; i < N_NOT_FINITE; i++) {
            if (!is_long() && i != plane % N_NOT_FINITE)
                continue;
            entry->re = (float)not_finite[i];
            decide_from_planes(&b, stages, detector, noise);
            assert_memory_equal(b.flag, clean.flag, b.flag_size);
            assert_only_zeroed(&clean, &b, BAD_SC, plane % LTE_SLOT_SYMBOLS);
        }
        *entry = good;
    }
    batch_fini(&clean);
    batch_fini(&b);
}

typedef void spoil_link(const lte_stages *stages, const lte_link *link, int detector);

static void spoil_everywhere(const lte_stages *stages, const void *arg)
{
    spoil_link *const *spoil = arg;
    static const int shapes[][2] = {{1, 1}, {2, 1}, {2, 2}, {3, 3}, {5, 4}, {8, 8}};
    for (int s = 0; s < 6; s++) {
        for (int i = 0; i < LTE_N_INVERTERS * LTE_N_DETECTORS; i++) {
            const int detector = i / LTE_N_INVERTERS, inverter = i % LTE_N_INVERTERS;
            if (shapes[s][1] > most_layers(detector, inverter) || !is_a_case(detector, inverter))
                continue;
            const lte_link link =
                link_of(N_BAD_SC, shapes[s][0], shapes[s][1], 6, LTE_CHANNEL_rayleigh, inverter);
            (*spoil)(stages, &link, detector);
        }
    }
}

static void channel_that_is_not_finite_decides_as_zero(void **state)
{
    (void)state;
    spoil_link *const spoil = spoil_channel;
    for_each_table(spoil_everywhere, &spoil);
}

static void received_that_is_not_finite_decides_as_zero(void **state)
{
    (void)state;
    spoil_link *const spoil = spoil_received;
    for_each_table(spoil_everywhere, &spoil);
}

/* A channel of zeros has no inverse or filter; a loading gives it one, with mu = 0. */
static void silent_channel_decides_as_zero(const lte_stages *stages, const void *arg)
{
    (void)arg;
    for (int i = 0; i < LTE_N_INVERTERS * LTE_N_DETECTORS; i++) {
        const int detector = i / LTE_N_INVERTERS, inverter = i % LTE_N_INVERTERS;
        const lte_noise noise = noise_of_n0(0.25);
        const bool loaded =
            lte_detector_rows[detector].has_gram && lte_detector_rows[detector].loading > 0.0f;
        if (4 > most_layers(detector, inverter))
            continue;
        const lte_link link = link_of(N_BAD_SC, 4, 4, 6, LTE_CHANNEL_rayleigh, inverter);
        batch clean, b;
        batch_init(&clean, &link, 0xa5);
        batch_init(&b, &link, 0x5a);
        batch_send(&clean, stages, SLOT, noise);
        batch_send(&b, stages, SLOT, noise);
        decide_from_planes(&clean, stages, detector, noise);
        for (int e = 0; e < 16; e++)
            b.h_planes[e * N_BAD_SC + BAD_SC] = (lte_cf32){0.0f, 0.0f};
        decide_from_planes(&b, stages, detector, noise);
        assert_int_equal(b.flag[label_at(1, BAD_SC, 0)], !loaded);
        assert_only_zeroed(&clean, &b, BAD_SC, -1);
        batch_fini(&clean);
        batch_fini(&b);
    }
}

static void channel_of_zeros_decides_as_zero(void **state)
{
    (void)state;
    for_each_table(silent_channel_decides_as_zero, NULL);
}

static void tables_are_found_by_name(void **state)
{
    (void)state;
    assert_string_equal(lte_stages_all[0]->name, "cpu:ref");
    for (int t = 0; lte_stages_all[t]; t++)
        assert_ptr_equal(lte_stages_find(lte_stages_all[t]->name), lte_stages_all[t]);
    assert_true(lte_stages_all[0]->usable());
    assert_true(lte_stages_best()->usable());
    assert_null(lte_stages_find("cpu"));
    assert_null(lte_stages_find(""));
}

static void links_outside_the_limits_are_refused(void **state)
{
    (void)state;
    static const int bad[][6] = {
        {0, 4, 4, 4, 0, 0},      {-1, 4, 4, 4, 0, 0},
        {72, 4, 0, 4, 0, 0},     {72, 16, 9, 4, 0, 0},
        {72, 256, 129, 4, 0, 0}, {72, 3, 4, 4, 0, 0},
        {72, 257, 4, 4, 0, 0},   {72, 4, 4, 0, 0, 0},
        {72, 4, 4, 3, 0, 0},     {72, 4, 4, 10, 0, 0},
        {72, 4, 4, 4, -1, 0},    {72, 4, 4, 4, LTE_N_CHANNELS, 0},
        {72, 4, 4, 4, 0, -1},    {72, 4, 4, 4, 0, LTE_N_INVERTERS},
    };
    enum { N_BAD = sizeof bad / sizeof bad[0] };
    lte_fail_handler handler = expect_failures();
    for (size_t i = 0; i < N_BAD; i++) {
        lte_link link;
        const int *b = bad[i];
        assert_int_equal(lte_link_init(&link, b[0], b[1], b[2], b[3], b[4], b[5], 1), LTE_EINVAL);
    }
    const lte_cf32 h[LTE_SLOT_SYMBOLS] = {{0}};
    lte_link drawn = link_of(1, 1, 1, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    lte_link stored = link_of(1, 1, 1, 4, LTE_CHANNEL_file, LTE_INVERTER_ldl);
    assert_int_equal(lte_link_set_channel_data(&drawn, h, 1, 1), LTE_EINVAL);
    assert_int_equal(lte_link_set_channel_data(&stored, h, 0, 1), LTE_EINVAL);
    assert_int_equal(lte_link_set_channel_data(&stored, NULL, 1, 1), LTE_EINVAL);
    assert_int_equal(lte_link_set_channel_data(&stored, h, 1, 2), LTE_EINVAL);
    assert_int_equal(lte_link_set_doppler(&stored, 70.0, 8), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), N_BAD + 5);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(stages, tables_agree_on_many_subcarriers),
    LTE_CASE(stages, tables_agree_on_40_subcarriers),
    LTE_CASE(stages, tables_agree_on_1_subcarrier),
    LTE_CASE(stages, tables_agree_on_large_arrays),
    LTE_CASE(stages, tables_agree_on_a_20_mhz_carrier),
    LTE_CASE(stages, tables_agree_on_every_channel),
    LTE_CASE(stages, tables_agree_on_stored_channels),
    LTE_CASE(stages, stored_channel_is_taken_as_it_lies),
    LTE_CASE(stages, channel_stage_draws_the_channel_of_the_scenario),
    LTE_CASE(stages, draws_do_not_depend_on_the_carrier),
    LTE_CASE(stages, received_is_h_x_plus_noise),
    LTE_CASE(stages, power_is_rounded_to_even_units),
    LTE_CASE(stages, gram_is_h_h_plus_the_loading),
    LTE_CASE(stages, decisions_are_those_of_the_formulas),
    LTE_CASE(stages, counts_of_a_row_have_places_of_their_own),
    LTE_CASE(stages, bits_are_packed_and_errors_counted_by_layer),
    LTE_CASE(stages, stages_keep_to_their_groups),
    LTE_CASE(stages, detectors_do_not_disturb_each_other),
    LTE_CASE(stages, channel_that_is_not_finite_decides_as_zero),
    LTE_CASE(stages, received_that_is_not_finite_decides_as_zero),
    LTE_CASE(stages, channel_of_zeros_decides_as_zero),
    LTE_CASE(stages, tables_are_found_by_name),
    LTE_CASE(stages, links_outside_the_limits_are_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("stages", cases, NULL, NULL);
}
