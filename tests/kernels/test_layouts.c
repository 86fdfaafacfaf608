/*
 * Layouts of a link: the types against the formulas of their sizes and offsets, copies between any
 * two against indices written out, and that what takes planes and what takes the turned layout
 * give the same bits.
 */
#include "tests/lib/batch.h"

#include "kernels/link/layouts.h"
#include "kernels/methods/product/product.h"
#include "kernels/link/slot_memory.h"

enum { POISON = 0xa5 };

/* Odd numbers of everything; one group and none whole, whole groups, and some with a rest. */
static const struct {
    int n_sc, n_rx, n_tx, n_h;
} links[] = {{75, 3, 2, 1}, {75, 3, 2, 7}, {5, 2, 1, 7},
             {48, 4, 4, 1}, {1, 1, 1, 1},  {1200, 8, 8, 1}};

enum { N_LINKS = sizeof links / sizeof *links };

static lte_link link_at(int i)
{
    lte_link link =
        link_of(links[i].n_sc, links[i].n_rx, links[i].n_tx, 6, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
    if (links[i].n_h > 1)
        assert_int_equal(lte_link_set_doppler(&link, 70.0, 8), LTE_OK);
    return link;
}

/* Offset of an element of a slot by one index a dimension. */
static int64_t at(const lte_array *a, int slot, const int *index)
{
    int64_t offset = lte_dim_at(a, lte_dim_in(a, 0, 0), slot);
    for (int i = 0; lte_dim_in(a, 0, i + 1) >= 0; i++)
        offset += lte_dim_at(a, lte_dim_in(a, 0, i + 1), index[i]);
    return offset;
}

/* sizes: of a slot's dimensions, then 0. */
static void check_shape(const lte_link *link, lte_layout_id layout, lte_element element,
                        const int *sizes)
{
    const lte_array a = lte_layout_of(link, layout, 3);
    size_t size = (size_t)lte_element_size(element);
    int n = 0;
    assert_int_equal(lte_array_check(&a), LTE_OK);
    assert_int_equal(a.element, element);
    assert_int_equal(a.dim[lte_dim_in(&a, 0, 0)].size, 3);
    for (; sizes[n] > 0; n++) {
        assert_int_equal(a.dim[lte_dim_in(&a, 0, n + 1)].size, sizes[n]);
        size *= (size_t)sizes[n];
    }
    assert_int_equal(lte_dim_in(&a, 0, n + 1), -1);
    assert_true(lte_dim_is_contiguous(&a, 0));
    assert_int_equal(lte_layout_bytes(link, layout), size);
}

static void every_layout_has_its_tree(void **state)
{
    (void)state;
    for (int i = 0; i < N_LINKS; i++) {
        const lte_link link = link_at(i);
        const int rx = link.n_rx, tx = link.n_tx, h = link.channel.n_h, sc = link.carrier.n_sc;
        const int groups = (sc + 15) / 16, row = (sc * tx * 6 + 7) / 8;
        check_shape(&link, LTE_PLANES_H, LTE_CFLOAT, (const int[]){rx, tx, h, sc, 0});
        check_shape(&link, LTE_PLANES_CSI, LTE_CFLOAT, (const int[]){rx, tx, h, sc, 0});
        check_shape(&link, LTE_PLANES_Y, LTE_CFLOAT, (const int[]){rx, 7, sc, 0});
        check_shape(&link, LTE_BATCH_H, LTE_FLOAT, (const int[]){groups, h, rx, tx, 2, 16, 0});
        check_shape(&link, LTE_BATCH_CSI, LTE_FLOAT, (const int[]){groups, h, rx, tx, 2, 16, 0});
        check_shape(&link, LTE_BATCH_GRAM, LTE_FLOAT, (const int[]){groups, h, tx, tx, 2, 16, 0});
        check_shape(&link, LTE_BATCH_FLAG, LTE_BYTE, (const int[]){groups, h, 16, 0});
        check_shape(&link, LTE_BATCH_Y, LTE_FLOAT, (const int[]){groups, 7, rx, 2, 16, 0});
        check_shape(&link, LTE_BATCH_LABEL, LTE_U32, (const int[]){groups, 7, tx, 16, 0});
        check_shape(&link, LTE_MATRICES_CSI, LTE_CFLOAT, (const int[]){h, sc, rx, tx, 0});
        check_shape(&link, LTE_MATRICES_GRAM, LTE_CFLOAT, (const int[]){h, sc, tx, tx, 0});
        check_shape(&link, LTE_MATRICES_Y, LTE_CFLOAT, (const int[]){7, sc, rx, 0});
        check_shape(&link, LTE_UNITS_CSI, LTE_CFLOAT, (const int[]){sc, h, rx, tx, 0});
        check_shape(&link, LTE_UNITS_Y, LTE_CFLOAT, (const int[]){sc, 7, rx, 0});
        check_shape(&link, LTE_UNITS_GRAM, LTE_CFLOAT, (const int[]){sc, h, tx, tx, 0});
        check_shape(&link, LTE_UNITS_FLAG, LTE_BYTE, (const int[]){sc, h, 0});
        check_shape(&link, LTE_UNITS_H, LTE_CFLOAT, (const int[]){sc, h, rx, tx, 0});
        check_shape(&link, LTE_UNITS_POWER, LTE_CFLOAT, (const int[]){sc, rx, 2, 0});
        check_shape(&link, LTE_UNITS_LABEL, LTE_BYTE, (const int[]){sc, 7, tx, 1, 0});
        check_shape(&link, LTE_BITS, LTE_BYTE, (const int[]){7, row, 0});
    }
    lte_link link = link_at(1); /* a receiver that estimates works with one matrix */
    link.receiver.n_csi = 1;
    check_shape(&link, LTE_PLANES_H, LTE_CFLOAT, (const int[]){3, 2, 7, 75, 0});
    check_shape(&link, LTE_PLANES_CSI, LTE_CFLOAT, (const int[]){3, 2, 1, 75, 0});
    check_shape(&link, LTE_BATCH_GRAM, LTE_FLOAT, (const int[]){5, 1, 2, 2, 2, 16, 0});
}

/* What inner loops and slots of a ring go by, against the types. */
static void offsets_of_inner_loops_are_those_of_the_types(void **state)
{
    (void)state;
    enum { SLOTS = 3 };
    for (int i = 0; i < N_LINKS - 1; i++) {
        lte_link link = link_at(i);
        const int n_rx = link.n_rx, n_tx = link.n_tx, n_h = link.channel.n_h,
                  n_sc = link.carrier.n_sc;
        const int n = n_rx * n_tx;
        const lte_array h_planes = lte_layout_of(&link, LTE_PLANES_CSI, SLOTS);
        const lte_array y_planes = lte_layout_of(&link, LTE_PLANES_Y, SLOTS);
        const lte_array h = lte_layout_of(&link, LTE_BATCH_CSI, SLOTS);
        const lte_array g = lte_layout_of(&link, LTE_BATCH_GRAM, SLOTS);
        const lte_array y = lte_layout_of(&link, LTE_BATCH_Y, SLOTS);
        const lte_array label = lte_layout_of(&link, LTE_BATCH_LABEL, SLOTS);
        const lte_array flag = lte_layout_of(&link, LTE_BATCH_FLAG, SLOTS);
        const lte_array bits = lte_layout_of(&link, LTE_BITS, SLOTS);
        for (int sc = 0; sc < n_sc; sc += 1 + n_sc / 40) {
            const int group = sc / 16, lane = sc % 16;
            for (int m = 0; m < n_h; m++) {
                assert_int_equal(lte_lane_at(n_h, 1, sc, m, 0),
                                 at(&flag, 0, (const int[]){group, m, lane}));
                for (int e = 0; e < n; e++) {
                    const int rx = e / n_tx, tx = e % n_tx;
                    assert_int_equal(lte_batch_at(n_h, n, sc, m, e),
                                     at(&h, 0, (const int[]){group, m, rx, tx, 0, lane}));
                    assert_int_equal(lte_batch_at(n_h, n, sc, m, e) + LTE_LANES,
                                     at(&h, 0, (const int[]){group, m, rx, tx, 1, lane}));
                    assert_int_equal(lte_plane_at(n_h, n_sc, e, m) + sc,
                                     at(&h_planes, 0, (const int[]){rx, tx, m, sc}));
                }
                for (int e = 0; e < n_tx * n_tx; e++)
                    assert_int_equal(
                        lte_batch_at(n_h, n_tx * n_tx, sc, m, e),
                        at(&g, 0, (const int[]){group, m, e / n_tx, e % n_tx, 0, lane}));
            }
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                for (int rx = 0; rx < n_rx; rx++) {
                    assert_int_equal(lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, sc, symbol, rx),
                                     at(&y, 0, (const int[]){group, symbol, rx, 0, lane}));
                    assert_int_equal(lte_plane_at(LTE_SLOT_SYMBOLS, n_sc, rx, symbol) + sc,
                                     at(&y_planes, 0, (const int[]){rx, symbol, sc}));
                }
                for (int k = 0; k < n_tx; k++)
                    assert_int_equal(lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k),
                                     at(&label, 0, (const int[]){group, symbol, k, lane}));
            }
        }
        static lte_cf32 planes[1];
        static uint8_t rows[1];
        const lte_slot_memory ring = {.h = planes,
                                      .y = planes,
                                      .bits = rows,
                                      .n_h_in = SLOTS,
                                      .n_in = SLOTS,
                                      .n_out = SLOTS,
                                      .row_bytes = lte_packed_row(&link),
                                      .out_bytes = lte_layout_bytes(&link, LTE_BITS),
                                      .parts = 1};
        link.channel.stored = planes;
        link.channel.n_stored = SLOTS;
        for (int s = 0; s < 2 * SLOTS; s++) {
            const uintptr_t slot = (uintptr_t)(s % SLOTS), base = (uintptr_t)planes;
            assert_int_equal((uintptr_t)lte_slot_memory_h(&link, &ring, (uint64_t)s) - base,
                             slot * lte_layout_bytes(&link, LTE_PLANES_CSI));
            assert_int_equal((uintptr_t)lte_slot_memory_y(&link, &ring, (uint64_t)s) - base,
                             slot * lte_layout_bytes(&link, LTE_PLANES_Y));
            assert_int_equal((uintptr_t)lte_stored_planes(&link, (uint64_t)s) - base,
                             slot * lte_layout_bytes(&link, LTE_PLANES_H));
            assert_int_equal((uintptr_t)lte_slot_memory_bits(&ring, (uint64_t)s) - (uintptr_t)rows,
                             slot * (uintptr_t)lte_dim_at(&bits, lte_dim_in(&bits, 0, 0), 1));
        }
    }
}

/* Kinds of arrays that copies go between, and the place of a number's real part, in floats. */
enum { OF_H, OF_GRAM, OF_Y, N_KINDS };
static const lte_layout_id of_kind[N_KINDS][6] = {
    [OF_H] = {LTE_PLANES_H, LTE_PLANES_CSI, LTE_BATCH_H, LTE_BATCH_CSI, LTE_MATRICES_CSI,
              LTE_UNITS_CSI},
    [OF_GRAM] = {LTE_BATCH_GRAM, LTE_MATRICES_GRAM, LTE_UNITS_GRAM, LTE_N_LAYOUTS},
    [OF_Y] = {LTE_PLANES_Y, LTE_BATCH_Y, LTE_MATRICES_Y, LTE_UNITS_Y, LTE_N_LAYOUTS},
};

static size_t place_of(const lte_link *link, lte_layout_id layout, int n_times, int n, int m, int e,
                       int sc, int part)
{
    const size_t s = (size_t)sc, i = (size_t)m, t = (size_t)n_times, c = (size_t)e, of = (size_t)n;
    const size_t n_sc = (size_t)link->carrier.n_sc, p = (size_t)part;
    if (layout <= LTE_PLANES_Y)
        return 2 * ((c * t + i) * n_sc + s) + p;
    if (layout <= LTE_BATCH_LABEL)
        return ((((s / 16) * t + i) * of + c) * 2 + p) * 16 + s % 16;
    if (layout <= LTE_MATRICES_Y)
        return 2 * ((i * n_sc + s) * of + c) + p;
    return 2 * ((s * t + i) * of + c) + p;
}

static void check_copy(const lte_link *link, int kind, lte_layout_id from, lte_layout_id to)
{
    const int n_times = kind == OF_Y ? LTE_SLOT_SYMBOLS : link->channel.n_h;
    const int n = kind == OF_H      ? link->n_rx * link->n_tx
                  : kind == OF_GRAM ? link->n_tx * link->n_tx
                                    : link->n_rx;
    const size_t x_size = lte_layout_bytes(link, from), y_size = lte_layout_bytes(link, to);
    uint32_t *x = poisoned(x_size, 0), *y = poisoned(y_size, POISON);
    uint32_t *expected = poisoned(y_size, POISON);
    random_bytes(x, x_size);
    for (int m = 0; m < n_times; m++) {
        for (int e = 0; e < n; e++) {
            for (int i = 0; i < 2 * link->carrier.n_sc; i++)
                expected[place_of(link, to, n_times, n, m, e, i / 2, i % 2)] =
                    x[place_of(link, from, n_times, n, m, e, i / 2, i % 2)];
        }
    }
    assert_int_equal(lte_layout_copy(link, from, x, to, y), LTE_OK);
    assert_memory_equal(y, expected, y_size);
    free(x);
    free(y);
    free(expected);
}

static void copies_go_between_any_two_layouts(void **state)
{
    (void)state;
    for (int i = 0; i < N_LINKS; i++) {
        const lte_link link = link_at(i);
        for (int kind = 0; kind < N_KINDS; kind++) {
            for (int a = 0; a < 6 && of_kind[kind][a] != LTE_N_LAYOUTS; a++) {
                for (int b = 0; b < 6 && of_kind[kind][b] != LTE_N_LAYOUTS; b++)
                    check_copy(&link, kind, of_kind[kind][a], of_kind[kind][b]);
            }
        }
    }
}

static void copies_between_other_layouts_are_refused(void **state)
{
    (void)state;
    static float x[16384], y[16384];
    lte_link link = link_at(1);
    link.receiver.n_csi = 1;
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_layout_copy(&link, LTE_PLANES_H, x, LTE_PLANES_CSI, y), LTE_EINVAL);
    assert_int_equal(lte_layout_copy(&link, LTE_PLANES_H, x, LTE_MATRICES_Y, y), LTE_EINVAL);
    assert_int_equal(lte_layout_copy(&link, LTE_BATCH_FLAG, x, LTE_BATCH_LABEL, y), LTE_EINVAL);
    assert_int_equal(lte_layout_copy(&link, LTE_PLANES_Y, x, LTE_MATRICES_Y, x + 2), LTE_EINVAL);
    assert_int_equal(lte_layout_copy(&link, LTE_BATCH_FLAG, x, LTE_BITS, y), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 5);
}

/* The stage is the same copy, and zeros in the lanes that no subcarrier has. */
static void the_corner_turn_is_the_copy_from_planes_to_batches(void **state)
{
    (void)state;
    for (int i = 0; i < N_LINKS; i++) {
        const lte_link link = link_at(i);
        const size_t h_size = lte_layout_bytes(&link, LTE_BATCH_CSI);
        const size_t y_size = lte_layout_bytes(&link, LTE_BATCH_Y);
        batch b;
        batch_init(&b, &link, POISON);
        random_bytes(b.h_planes, lte_layout_bytes(&link, LTE_PLANES_CSI));
        random_bytes(b.y_planes, lte_layout_bytes(&link, LTE_PLANES_Y));
        float *h = poisoned(h_size, 0), *y = poisoned(y_size, 0);
        assert_int_equal(lte_layout_copy(&link, LTE_PLANES_CSI, b.h_planes, LTE_BATCH_CSI, h),
                         LTE_OK);
        assert_int_equal(lte_layout_copy(&link, LTE_PLANES_Y, b.y_planes, LTE_BATCH_Y, y), LTE_OK);
        for (int t = 0; lte_stages_all[t]; t++) {
            if (!lte_stages_all[t]->usable())
                continue;
            memset(b.h, POISON, h_size);
            memset(b.y, POISON, y_size);
            lte_stages_all[t]->corner_turn(&link, 0, link.carrier.n_groups, b.h_planes, b.y_planes,
                                           b.h, b.y);
            assert_memory_equal(b.h, h, h_size);
            assert_memory_equal(b.y, y, y_size);
        }
        free(h);
        free(y);
        batch_fini(&b);
    }
}

/* A layout's slot seen as [time and sc][row][column], by the letters of its dimensions. */
static lte_array seen_as(const lte_link *link, lte_layout_id layout, const char *view)
{
    lte_array stored = lte_layout_of(link, layout, 1), a;
    const lte_array_name names[] = {{"A", &stored}, {NULL, NULL}};
    assert_int_equal(lte_array_parse(&a, names, "cfloat %s", view), LTE_OK);
    return a;
}

/* c = a' b for every subcarrier, by the plain product on one thread and by the fast one. */
static void multiply(const lte_array *a, const void *x, const lte_array *b, const void *y,
                     const lte_array *c, lte_cf32 *z, size_t size)
{
    const lte_product p = {.a = *a, .b = *b, .c = *c, .a_h = true};
    lte_threads one;
    void *work = poisoned(lte_product_work(2), 0);
    lte_cf32 *plain = poisoned(size, POISON);
    memset(z, POISON, size);
    assert_int_equal(lte_threads_parse(&one, "serial [1][1]"), LTE_OK);
    assert_int_equal(lte_product_on(&one, &p, x, y, plain), LTE_OK);
    assert_int_equal(lte_product_run(&p, 2, x, y, z, work), LTE_OK);
    assert_memory_equal(plain, z, size);
    free(plain);
    free(work);
}

/*
 * Gram matrices H'H and matched filters H'y from the antennas' planes as they come, without a
 * corner turn, and from one matrix a subcarrier: one text, the same bits. The stage, which turns
 * to batches, has them, too (the lower triangle; it mirrors the upper one).
 */
static void gram_and_filter_take_planes_and_the_turned_layout(void **state)
{
    (void)state;
    const lte_link link = link_of(75, 5, 3, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl);
    const size_t g_size = lte_layout_bytes(&link, LTE_MATRICES_GRAM);
    const size_t z_size = (size_t)(75 * 3 * 7) * sizeof(lte_cf32);
    batch b;
    batch_init(&b, &link, POISON);
    batch_send(&b, lte_stages_best(), 3, lte_noise_of(3, 100.0));
    lte_cf32 *h = poisoned(lte_layout_bytes(&link, LTE_MATRICES_CSI), 0);
    lte_cf32 *y = poisoned(lte_layout_bytes(&link, LTE_MATRICES_Y), 0);
    assert_int_equal(lte_layout_copy(&link, LTE_PLANES_CSI, b.h_planes, LTE_MATRICES_CSI, h),
                     LTE_OK);
    assert_int_equal(lte_layout_copy(&link, LTE_PLANES_Y, b.y_planes, LTE_MATRICES_Y, y), LTE_OK);
    const lte_array h_planes = seen_as(&link, LTE_PLANES_CSI, "[[#A_3][#A_4]][#A_1][#A_2]");
    const lte_array y_planes = seen_as(&link, LTE_PLANES_Y, "[#A_3][#A_1][#A_2]");
    const lte_array h_turned = seen_as(&link, LTE_MATRICES_CSI, "[[#A_1][#A_2]][#A_3][#A_4]");
    const lte_array y_turned = seen_as(&link, LTE_MATRICES_Y, "[#A_2][#A_3][#A_1]");
    const lte_array g_type = seen_as(&link, LTE_MATRICES_GRAM, "[[#A_1][#A_2]][#A_3][#A_4]");
    lte_array z_type;
    assert_int_equal(lte_array_parse(&z_type, NULL, "cfloat [75][3][7]"), LTE_OK);
    lte_cf32 *g = poisoned(g_size, 0), *g_of_planes = poisoned(g_size, 0);
    lte_cf32 *z = poisoned(z_size, 0), *z_of_planes = poisoned(z_size, 0);
    multiply(&h_turned, h, &h_turned, h, &g_type, g, g_size);
    multiply(&h_planes, b.h_planes, &h_planes, b.h_planes, &g_type, g_of_planes, g_size);
    assert_memory_equal(g, g_of_planes, g_size);
    multiply(&h_turned, h, &y_turned, y, &z_type, z, z_size);
    multiply(&h_planes, b.h_planes, &y_planes, b.y_planes, &z_type, z_of_planes, z_size);
    assert_memory_equal(z, z_of_planes, z_size);
    lte_stages_best()->gram(&link, lte_detector_usual(LTE_DETECTOR_zf), lte_noise_of(3, 100.0), 0,
                            link.carrier.n_groups, b.h, b.g, b.work);
    assert_int_equal(lte_layout_copy(&link, LTE_BATCH_GRAM, b.g, LTE_MATRICES_GRAM, g_of_planes),
                     LTE_OK);
    for (int i = 0; i < 75 * 9; i++) {
        if (i % 9 / 3 > i % 3)
            assert_memory_equal(&g[i], &g_of_planes[i], sizeof *g);
    }
    free(h);
    free(y);
    free(g);
    free(g_of_planes);
    free(z);
    free(z_of_planes);
    batch_fini(&b);
}

/* The fused slot reads planes, the stages batches: the same packed bits, for every table. */
static void slots_of_planes_equal_stages_of_batches(void **state)
{
    (void)state;
    for (int i = 0; i < N_LINKS - 1; i++) {
        const lte_link link = link_at(i);
        const lte_noise noise = lte_noise_of(link.n_tx, 30.0);
        batch b;
        batch_init(&b, &link, POISON);
        const lte_stages *best = lte_stages_best();
        batch_send(&b, best, 5, noise);
        best->corner_turn(&link, 0, link.carrier.n_groups, b.h_planes, b.y_planes, b.h, b.y);
        batch_decide(&b, best, lte_detector_usual(LTE_DETECTOR_mmse), noise);
        uint8_t *bits = poisoned(b.bits_size, POISON);
        for (int t = 0; lte_stages_all[t]; t++) {
            if (!lte_stages_all[t]->usable())
                continue;
            memset(bits, POISON, b.bits_size);
            lte_stages_all[t]->slot(&link, lte_detector_usual(LTE_DETECTOR_mmse), noise,
                                    lte_groups_of(0, link.carrier.n_groups, b.work), b.h_planes,
                                    b.y_planes, bits);
            assert_memory_equal(bits, b.bits, b.bits_size);
        }
        free(bits);
        batch_fini(&b);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(layouts, every_layout_has_its_tree),
    LTE_CASE(layouts, offsets_of_inner_loops_are_those_of_the_types),
    LTE_CASE(layouts, copies_go_between_any_two_layouts),
    LTE_CASE(layouts, copies_between_other_layouts_are_refused),
    LTE_CASE(layouts, the_corner_turn_is_the_copy_from_planes_to_batches),
    LTE_CASE(layouts, gram_and_filter_take_planes_and_the_turned_layout),
    LTE_CASE(layouts, slots_of_planes_equal_stages_of_batches),
};

int main(void)
{
    return cmocka_run_group_tests_name("layouts", cases, NULL, NULL);
}
