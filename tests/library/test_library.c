/* The library ltesim: the bits of the stages on every backend, and refusals of what is wrong. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "kernels/backends/program_parts.h"
#include "ltesim/ltesim.h"
#include "tests/lib/code_blocks.h"
#include "tests/library/plain_inverses.h"
#include "tests/lib/unit.h"

enum { COUNT = 1003, MOST_ORDER = 17, ZERO = 7, NOT_A_NUMBER = 300 };

/* Gram matrices with a heavy diagonal, of floats or doubles: one is zero, one has a NaN. */
static void *fill(int n, bool is_double)
{
    const size_t size = (size_t)COUNT * (size_t)(n * n) * 2;
    double *d = malloc(size * sizeof *d);
    float *f = malloc(size * sizeof *f);
    assert_non_null(d);
    assert_non_null(f);
    uint32_t random = 1;
    for (size_t i = 0; i < size; i++) {
        random = random * 1664525u + 1013904223u;
        d[i] = (double)(random >> 8) / (1 << 24) - 0.5;
    }
    for (size_t m = 0; m < COUNT; m++) {
        double *a = &d[m * (size_t)(n * n) * 2];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k <= i; k++) { /* Hermitian */
                a[(k * n + i) * 2] = a[(i * n + k) * 2];
                a[(k * n + i) * 2 + 1] = -a[(i * n + k) * 2 + 1];
            }
            a[(i * n + i) * 2] += n;
            a[(i * n + i) * 2 + 1] = 0.0;
        }
        if (m == ZERO)
            memset(a, 0, (size_t)(n * n) * 2 * sizeof *a);
        if (m == NOT_A_NUMBER)
            a[0] = (double)NAN;
    }
    for (size_t i = 0; i < size; i++)
        f[i] = (float)d[i];
    free(is_double ? (void *)f : (void *)d);
    return is_double ? (void *)d : (void *)f;
}

/* A backend's inverses of the first counts, apart and in place, are x. */
static void check_backend(const lte_inversion_plan *plan, size_t matrix, const char *a,
                          const char *x, const uint8_t *flag)
{
    static const int counts[] = {1, 128, COUNT};
    lte_inversion *inversion = NULL;
    assert_int_equal(lte_inversion_create(plan, &inversion), LTE_OK);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const size_t count = (size_t)counts[i], size = count * matrix;
        char *mine = malloc(size);
        uint8_t flags[COUNT];
        assert_non_null(mine);
        assert_int_equal(lte_inversion_run(inversion, counts[i], a, mine, flags), LTE_OK);
        assert_memory_equal(mine, x, size);
        assert_memory_equal(flags, flag, count);
        memcpy(mine, a, size);
        assert_int_equal(lte_inversion_run(inversion, counts[i], mine, mine, flags), LTE_OK);
        assert_memory_equal(mine, x, size);
        free(mine);
    }
    lte_inversion_free(inversion);
}

static void check_order(int inverter, int n, bool is_double)
{
    const size_t matrix = (size_t)(n * n) * (is_double ? 16 : 8);
    char *a = fill(n, is_double), *x = malloc(COUNT * matrix);
    uint8_t flag[COUNT];
    assert_non_null(x);
    invert_plainly(inverter, n, is_double ? LTE_CDOUBLE : LTE_CFLOAT, COUNT, a, x, flag);
    assert_int_equal(flag[0], 0);
    assert_int_equal(flag[ZERO], 1);
    assert_int_equal(flag[NOT_A_NUMBER], 1);
    for (int b = 0; lte_backends[b]; b++) {
        lte_inversion_plan plan = {.n = n,
                                   .precision =
                                       is_double ? LTE_DOUBLE_PRECISION : LTE_SINGLE_PRECISION,
                                   .inverter = lte_inverter_rows[inverter].name,
                                   .backend = lte_backends[b]->name};
        if (lte_backends[b]->n_devices() < 1)
            continue;
        for (plan.n_threads = 1; plan.n_threads <= 3; plan.n_threads += 2)
            check_backend(&plan, matrix, a, x, flag);
    }
    free(x);
    free(a);
}

static void inverses_have_the_bits_of_the_plain_loops(void **state)
{
    static const int orders[] = {1, 3, 4, 8, MOST_ORDER};
    (void)state;
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        const bool by_lanes = lte_inverter_rows[inverter].layout == LTE_LAYOUT_LANES;
        for (size_t i = 0; i < (is_short() ? 3 : sizeof orders / sizeof *orders); i++) {
            if (orders[i] <= lte_inverter_rows[inverter].max_order)
                check_order(inverter, orders[i], false);
            if (!by_lanes)
                check_order(inverter, orders[i], true);
        }
    }
}

/* The default inverter: n [3][3] of two, the second precision and order choose another. */
static void any_matrix_has_a_default_inverter(void **state)
{
    (void)state;
    for (int n = 1; n <= LTE_INVERSE_MAX_ORDER; n += 85) {
        for (int precision = 0; precision < 2; precision++) {
            const lte_inversion_plan plan = {.n = n, .precision = (lte_precision)precision};
            lte_inversion *inversion = NULL;
            assert_int_equal(lte_inversion_create(&plan, &inversion), LTE_OK);
            lte_inversion_free(inversion);
        }
    }
}

static void wrong_inversions_are_refused(void **state)
{
    const lte_inversion_plan wrong[] = {
        {.n = 0},
        {.n = LTE_INVERSE_MAX_ORDER + 1},
        {.n = 9, .inverter = "ldl"},
        {.n = 4, .inverter = "ldl", .precision = LTE_DOUBLE_PRECISION},
        {.n = 4, .inverter = "none"},
        {.n = 4, .backend = "none"},
        {.n = 4, .precision = (lte_precision)2},
        {.n = 4, .n_threads = -1},
    };
    const lte_inversion_plan right = {.n = 2, .n_threads = 1};
    enum { N_WRONG = sizeof wrong / sizeof *wrong };
    _Alignas(16) float a[64] = {1.0f};
    uint8_t flag[8];
    lte_inversion *inversion = NULL;
    (void)state;
    lte_fail_handler handler = expect_failures();
    for (int i = 0; i < N_WRONG; i++) {
        assert_int_equal(lte_inversion_create(&wrong[i], &inversion), LTE_EINVAL);
        assert_null(inversion);
    }
    assert_int_equal(lte_inversion_create(&right, &inversion), LTE_OK);
    assert_int_equal(lte_inversion_run(inversion, 0, a, a, flag), LTE_EINVAL);
    assert_int_equal(lte_inversion_run(inversion, 2, a, a + 8, flag), LTE_EINVAL);
    assert_int_equal(lte_inversion_run(inversion, 2, a + 1, a + 33, flag), LTE_EINVAL);
    assert_int_equal(lte_inversion_run(inversion, 2, NULL, a, flag), LTE_EINVAL);
    assert_int_equal(lte_inversion_run(inversion, 2, a, NULL, flag), LTE_EINVAL);
    assert_int_equal(lte_inversion_run(inversion, 2, a, a, NULL), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), N_WRONG + 6);
    lte_inversion_free(inversion);
    lte_inversion_free(NULL);
}

/* ---- detection ---- */

enum { N_SC = 75, N_RX = 4, N_TX = 3, N_BITS = 4, N_SLOTS = 3 };

/* What the stages decide of slots that they draw themselves. */
typedef struct {
    lte_link link;
    lte_noise noise;
    float *h, *y; /* as lte_detection_run wants them */
    uint8_t *bits;
    size_t row;
} drawn;

static void draw(int detector, drawn *d)
{
    assert_int_equal(lte_link_init(&d->link, N_SC, N_RX, N_TX, N_BITS, LTE_CHANNEL_rayleigh,
                                   LTE_INVERTER_gauss_jordan, 5),
                     LTE_OK);
    const lte_link *link = &d->link;
    const size_t h_size = lte_layout_bytes(link, LTE_MATRICES_CSI);
    const size_t y_size = lte_layout_bytes(link, LTE_MATRICES_Y);
    const size_t bits_size = lte_layout_bytes(link, LTE_BITS);
    d->noise = lte_noise_of(N_TX, 30.0);
    d->h = malloc(N_SLOTS * h_size);
    d->y = malloc(N_SLOTS * y_size);
    d->bits = calloc(N_SLOTS, bits_size);
    float *h = calloc(1, lte_layout_bytes(link, LTE_BATCH_H));
    float *y = calloc(1, lte_layout_bytes(link, LTE_BATCH_Y));
    float *x = calloc(1, lte_layout_bytes(link, LTE_BATCH_GRAM));
    uint8_t *flag = malloc(lte_layout_bytes(link, LTE_BATCH_FLAG));
    uint32_t *label = malloc(lte_layout_bytes(link, LTE_BATCH_LABEL));
    void *work = lte_stage_work_alloc(link);
    for (size_t slot = 0; slot < N_SLOTS; slot++) {
        const lte_stages *s = &lte_stages_ref;
        lte_power power = {0, 0};
        s->source(link, slot, 0, link->carrier.n_groups, label, work);
        s->channel(link, slot, 0, link->carrier.n_groups, h, work);
        s->receive(link, slot, d->noise, lte_groups_of(0, link->carrier.n_groups, work), h, label,
                   y, &power);
        lte_stages_detect(s, link, lte_detector_usual(detector), d->noise,
                          lte_groups_of(0, link->carrier.n_groups, work), h, y,
                          &(lte_decided){x, label, flag});
        s->pack(link, 0, link->carrier.n_groups, label, d->bits + slot * bits_size);
        assert_int_equal(
            lte_layout_copy(link, LTE_BATCH_CSI, h, LTE_MATRICES_CSI, (char *)d->h + slot * h_size),
            LTE_OK);
        assert_int_equal(
            lte_layout_copy(link, LTE_BATCH_Y, y, LTE_MATRICES_Y, (char *)d->y + slot * y_size),
            LTE_OK);
    }
    void *const batches[] = {h, y, x, flag, label, work};
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++)
        free(batches[i]);
    d->row = bits_size / LTE_SLOT_SYMBOLS;
}

static void slots_have_the_bits_of_the_stages(void **state)
{
    (void)state;
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
        drawn d;
        draw(detector, &d);
        const size_t bits_size = LTE_SLOT_SYMBOLS * d.row;
        for (int b = 0; lte_backends[b]; b++) {
            const lte_detection_plan plan = {.n_sc = N_SC,
                                             .n_rx = N_RX,
                                             .n_tx = N_TX,
                                             .n_bits = N_BITS,
                                             .n_slots = N_SLOTS,
                                             .detector = lte_detector_rows[detector].name,
                                             .backend = lte_backends[b]->name,
                                             .n_threads = 2};
            lte_detection *detection = NULL;
            if (lte_backends[b]->n_devices() < 1)
                continue;
            if (!lte_backends[b]->stages && !lte_detector_rows[detector].on_devices) {
                assert_int_equal(lte_detection_create(&plan, &detection), LTE_EINVAL);
                continue;
            }
            assert_int_equal(lte_detection_create(&plan, &detection), LTE_OK);
            assert_int_equal(lte_detection_row(detection), d.row);
            for (int n = 1; n <= N_SLOTS; n++) {
                uint8_t *bits = malloc((size_t)n * bits_size);
                assert_int_equal(lte_detection_run(detection, n, d.noise.n0, d.h, d.y, bits),
                                 LTE_OK);
                assert_memory_equal(bits, d.bits, (size_t)n * bits_size);
                free(bits);
            }
            lte_detection_free(detection);
        }
        free(d.bits);
        free(d.y);
        free(d.h);
    }
}

/* LLRs have the signs of the decided bits, and the same numbers on every backend. */
static void slots_have_llrs(void **state)
{
    enum { N = N_SC * N_TX * N_BITS };
    static int8_t first[N_SLOTS * LTE_SLOT_SYMBOLS * N], llr[N_SLOTS * LTE_SLOT_SYMBOLS * N];
    drawn d;
    bool any = false;
    (void)state;
    draw(LTE_DETECTOR_mmse, &d);
    for (int b = 0; lte_backends[b]; b++) {
        const lte_detection_plan plan = {.n_sc = N_SC,
                                         .n_rx = N_RX,
                                         .n_tx = N_TX,
                                         .n_bits = N_BITS,
                                         .n_slots = N_SLOTS,
                                         .inverter = "gauss-jordan",
                                         .backend = lte_backends[b]->name,
                                         .demapper = "max-log",
                                         .llr_scale = 4.0f};
        lte_detection *detection = NULL;
        if (lte_backends[b]->n_devices() < 1)
            continue;
        assert_int_equal(lte_detection_create(&plan, &detection), LTE_OK);
        assert_int_equal(lte_detection_row(detection), d.row);
        assert_int_equal(
            lte_detection_run_llr(detection, N_SLOTS, d.noise.n0, d.h, d.y, any ? llr : first),
            LTE_OK);
        if (any)
            assert_memory_equal(llr, first, sizeof first);
        any = true;
        lte_detection_free(detection);
    }
    assert_true(any);
    int zeros = 0, wrong = 0;
    for (size_t i = 0; i < sizeof first; i++) {
        const size_t row = i / N, at = i % N;
        const int bit = d.bits[row * d.row + at / 8] >> at % 8 & 1;
        zeros += first[i] == 0;
        wrong += first[i] != 0 && (first[i] < 0) != bit;
    }
    assert_int_equal(wrong, 0);
    assert_in_range(zeros, 0, sizeof first / 50);
    free(d.bits);
    free(d.y);
    free(d.h);
}

static void bits_and_llrs_are_apart(void **state)
{
    lte_detection_plan plan = {.n_sc = 72, .n_rx = 2, .n_tx = 1, .n_bits = 2};
    _Alignas(8) static float h[72 * 2 * 2], y[7 * 72 * 2 * 2];
    static int8_t llr[7 * 72 * 2];
    lte_detection *detection = NULL;
    (void)state;
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_detection_create(&plan, &detection), LTE_OK);
    assert_int_equal(lte_detection_run_llr(detection, 1, 0.1f, h, y, llr), LTE_EINVAL);
    lte_detection_free(detection);
    plan.demapper = "exact";
    assert_int_equal(lte_detection_create(&plan, &detection), LTE_OK);
    assert_int_equal(lte_detection_run(detection, 1, 0.1f, h, y, (uint8_t *)llr), LTE_EINVAL);
    lte_detection_free(detection);
    plan.llr_scale = 65.0f;
    assert_int_equal(lte_detection_create(&plan, &detection), LTE_EINVAL);
    plan.llr_scale = 0.0f;
    plan.demapper = "none";
    assert_int_equal(lte_detection_create(&plan, &detection), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 4);
}

static void wrong_slots_are_refused(void **state)
{
    const lte_detection_plan right = {.n_sc = 72, .n_rx = 2, .n_tx = 1, .n_bits = 2};
    lte_detection_plan wrong[9];
    enum { N_WRONG = sizeof wrong / sizeof *wrong };
    _Alignas(8) static float h[72 * 2 * 2 + 1], y[7 * 72 * 2 * 2 + 1];
    uint8_t bits[7 * 18];
    lte_detection *detection = NULL;
    (void)state;
    for (int i = 0; i < N_WRONG; i++)
        wrong[i] = right;
    wrong[0].n_sc = 0;
    wrong[1].n_sc = LTE_MAX_SC + 1;
    wrong[2].n_rx = 0;
    wrong[3].n_tx = 129;
    wrong[4].n_bits = 3;
    wrong[5].n_slots = -1;
    wrong[6].detector = "none";
    wrong[7].inverter = "none";
    wrong[8].backend = "none";
    lte_fail_handler handler = expect_failures();
    for (int i = 0; i < N_WRONG; i++) {
        assert_int_equal(lte_detection_create(&wrong[i], &detection), LTE_EINVAL);
        assert_null(detection);
    }
    assert_int_equal(lte_detection_create(&right, &detection), LTE_OK);
    assert_int_equal(lte_detection_run(detection, 0, 0.1f, h, y, bits), LTE_EINVAL);
    assert_int_equal(lte_detection_run(detection, 2, 0.1f, h, y, bits), LTE_EINVAL);
    assert_int_equal(lte_detection_run(detection, 1, 0.0f, h, y, bits), LTE_EINVAL);
    assert_int_equal(lte_detection_run(detection, 1, (float)NAN, h, y, bits), LTE_EINVAL);
    assert_int_equal(lte_detection_run(detection, 1, 0.1f, h + 1, y, bits), LTE_EINVAL);
    assert_int_equal(lte_detection_run(detection, 1, 0.1f, NULL, y, bits), LTE_EINVAL);
    assert_int_equal(lte_detection_run(detection, 1, 0.1f, h, NULL, bits), LTE_EINVAL);
    assert_int_equal(lte_detection_run(detection, 1, 0.1f, h, y, NULL), LTE_EINVAL);
    lte_detection_free(detection);
    wrong[0] = right;
    wrong[0].demapper = "exact";
    assert_int_equal(lte_detection_create(&wrong[0], &detection), LTE_OK);
    assert_int_equal(lte_detection_run_llr(detection, 1, 0.1f, h, y, NULL), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), N_WRONG + 9);
    lte_detection_free(detection);
    lte_detection_free(NULL);
}

static void the_version_is_that_of_the_headers(void **state)
{
    char text[32];
    (void)state;
    (void)snprintf(text, sizeof text, "%d.%d.%d", LTE_VERSION_MAJOR, LTE_VERSION_MINOR,
                   LTE_VERSION_PATCH);
    assert_string_equal(lte_version(), text);
    assert_string_equal(lte_version(), LTE_VERSION);
}

/* ---- code blocks ---- */

/*
 * Every backend of this machine has the bits of the plain decoder, over sizes, stops and threads.
 */
static void blocks_have_the_bits_of_the_plain_decoder(void **state)
{
    enum { BLOCKS = 37 };
    static const int sizes[] = {40, 512, 1056, 6144};
    static uint8_t bits[BLOCKS * MOST_K], plain[BLOCKS * MOST_K], used[BLOCKS], plain_used[BLOCKS];
    static int8_t llr[BLOCKS * MOST_D];
    uint64_t random_state = 5;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const lte_code_block *block = lte_code_block_of(sizes[i]);
        const lte_turbo_plan turbo = {.block = block,
                                      .windows = lte_code_block_windows(block),
                                      .iterations = i == 0 ? 6 : 3,
                                      .crc = i % 2 ? LTE_CRC_24B : 0};
        draw_code_blocks(block, LTE_CRC_24B, BLOCKS, &random_state, llr);
        void *work = malloc(lte_turbo_work(&turbo));
        assert_non_null(work);
        for (int b = 0; b < BLOCKS; b++)
            plain_used[b] = (uint8_t)lte_turbo_decode(
                &turbo, llr + (ptrdiff_t)b * 3 * lte_code_block_stream(block), work,
                plain + (ptrdiff_t)b * block->k);
        free(work);
        for (int k = 0; lte_backends[k]; k++) {
            const lte_decoding_plan plan = {.k = sizes[i],
                                            .iterations = i == 0 ? 0 : 3,
                                            .stop = i % 2 ? LTE_STOP_CRC24B : LTE_STOP_NEVER,
                                            .backend = lte_backends[k]->name,
                                            .n_threads = 1 + k % 3};
            lte_decoding *decoding = NULL;
            if (lte_backends[k]->n_devices() == 0)
                continue;
            assert_int_equal(lte_decoding_create(&plan, &decoding), LTE_OK);
            memset(bits, 2, sizeof bits);
            assert_int_equal(lte_decoding_run(decoding, BLOCKS, llr, bits, used), LTE_OK);
            lte_decoding_free(decoding);
            assert_memory_equal(bits, plain, (size_t)BLOCKS * block->k);
            assert_memory_equal(used, plain_used, BLOCKS);
        }
    }
}

static void wrong_blocks_are_refused(void **state)
{
    static const lte_decoding_plan wrong[] = {{.k = 0},
                                              {.k = 41},
                                              {.k = 6145},
                                              {.k = 40, .iterations = 33},
                                              {.k = 40, .iterations = -1},
                                              {.k = 40, .stop = (lte_decoding_stop)3},
                                              {.k = 40, .backend = "none"},
                                              {.k = 40, .n_threads = -1}};
    static const lte_decoding_plan right = {.k = 40, .n_threads = 1};
    enum { N = sizeof wrong / sizeof *wrong };
    lte_decoding *decoding = NULL;
    uint32_t order[8];
    uint8_t d[3 * 44], bits[40] = {0}, used;
    int8_t llr[3 * 44] = {0};
    (void)state;
    lte_fail_handler handler = expect_failures();
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(lte_decoding_create(&wrong[i], &decoding), LTE_EINVAL);
        assert_null(decoding);
    }
    assert_int_equal(lte_turbo_encode_block(39, bits, d), LTE_EINVAL);
    assert_int_equal(lte_rate_match(39, 0, 0, 8, order), LTE_EINVAL);
    assert_int_equal(lte_rate_match(40, 0, 4, 8, order), LTE_EINVAL);
    assert_int_equal(lte_turbo_encode_block(40, NULL, d), LTE_EINVAL);
    assert_int_equal(lte_turbo_encode_block(40, bits, NULL), LTE_EINVAL);
    assert_int_equal(lte_rate_match(40, 0, 0, 8, NULL), LTE_EINVAL);
    assert_int_equal(lte_decoding_create(&right, &decoding), LTE_OK);
    assert_int_equal(lte_decoding_run(decoding, 1, NULL, bits, &used), LTE_EINVAL);
    assert_int_equal(lte_decoding_run(decoding, 1, llr, NULL, &used), LTE_EINVAL);
    assert_int_equal(lte_decoding_run(decoding, 1, llr, bits, NULL), LTE_EINVAL);
    lte_decoding_free(decoding);
    assert_int_equal(*failures_seen(), N + 9);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(lte_rate_match(40, 0, 0, 8, order), LTE_OK);
    assert_int_equal(lte_turbo_encode_block(40, bits, d), LTE_OK);
    lte_decoding_free(NULL);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(library, inverses_have_the_bits_of_the_plain_loops),
        LTE_CASE(library, any_matrix_has_a_default_inverter),
        LTE_CASE(library, wrong_inversions_are_refused),
        LTE_CASE(library, slots_have_the_bits_of_the_stages),
        LTE_CASE(library, slots_have_llrs),
        LTE_CASE(library, bits_and_llrs_are_apart),
        LTE_CASE(library, wrong_slots_are_refused),
        LTE_CASE(library, blocks_have_the_bits_of_the_plain_decoder),
        LTE_CASE(library, wrong_blocks_are_refused),
        LTE_CASE(library, the_version_is_that_of_the_headers),
    };
    return cmocka_run_group_tests_name("library", cases, NULL, NULL);
}
