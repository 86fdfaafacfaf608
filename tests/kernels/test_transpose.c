/* Transposition of any shape, and the corner turn of a slot, element by element. */
#include "tests/lib/batch.h"

#include "kernels/methods/transpose/transpose.h"

enum { GUARD = 64, POISON = 0xa5 };

static const int sizes[] = {4, 8, 16};
static const int shapes[][2] = {{1, 1},   {1, 1003},  {1003, 1}, {16, 16},
                                {17, 33}, {1003, 75}, {64, 128}};

static void assert_poisoned(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(bytes[i], POISON);
}

static void check_shape(size_t size, int n_batches, int n_rows, int n_columns)
{
    const size_t matrix = (size_t)n_rows * (size_t)n_columns * size;
    const size_t all = (size_t)n_batches * matrix;
    uint8_t *a = poisoned(all, 0), *back = poisoned(all, POISON);
    uint8_t *around = poisoned(all + 2 * (size_t)GUARD, POISON), *x = around + GUARD;
    random_bytes(a, all);
    assert_int_equal(lte_transpose((int)size, n_batches, n_rows, n_columns, a, x), LTE_OK);
    for (size_t b = 0; b < (size_t)n_batches; b++) {
        for (size_t i = 0; i < (size_t)n_rows; i++) {
            for (size_t j = 0; j < (size_t)n_columns; j++)
                assert_memory_equal(&x[b * matrix + (j * (size_t)n_rows + i) * size],
                                    &a[b * matrix + (i * (size_t)n_columns + j) * size], size);
        }
    }
    assert_poisoned(around, GUARD);
    assert_poisoned(x + all, GUARD);
    assert_int_equal(lte_transpose((int)size, n_batches, n_columns, n_rows, x, back), LTE_OK);
    assert_memory_equal(a, back, all);
    free(a);
    free(back);
    free(around);
}

static void every_element_goes_where_it_belongs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            check_shape((size_t)sizes[i], 1, shapes[s][0], shapes[s][1]);
            check_shape((size_t)sizes[i], 3, shapes[s][0], shapes[s][1]);
        }
    }
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    _Alignas(16) static char a[64];
    _Alignas(16) static char x[64];
    static const struct {
        int size, n_batches, n_rows, n_columns;
    } counts[] = {{0, 1, 1, 1},
                  {2, 1, 1, 1},
                  {12, 1, 1, 1},
                  {-4, 1, 1, 1},
                  {32, 1, 1, 1},
                  {4, 0, 1, 1},
                  {4, 1, 0, 1},
                  {4, 1, 1, 0},
                  {4, 1, -1, -1},
                  {4, INT32_MAX, INT32_MAX, INT32_MAX},
                  {16, 1 << 20, 1 << 20, 1 << 20}};
    lte_fail_handler handler = expect_failures();
    memset(x, POISON, sizeof x);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_int_equal(lte_transpose(counts[i].size, counts[i].n_batches, counts[i].n_rows,
                                       counts[i].n_columns, a, x),
                         LTE_EINVAL);
    assert_int_equal(lte_transpose(4, 1, 2, 3, a, a), LTE_EINVAL); /* in place, or partly so */
    assert_int_equal(lte_transpose(4, 1, 2, 3, a, a + 20), LTE_EINVAL);
    assert_int_equal(lte_transpose(4, 1, 2, 3, a + 20, a), LTE_EINVAL);
    assert_int_equal(lte_transpose(4, 2, 1, 3, a, a + 20), LTE_EINVAL);
    assert_int_equal(lte_transpose(8, 1, 1, 1, a + 4, x), LTE_EINVAL); /* not aligned */
    assert_int_equal(lte_transpose(16, 1, 1, 1, a, x + 8), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(),
                     sizeof counts / sizeof *counts + 6); /* each announced once */
    assert_poisoned((const uint8_t *)x, sizeof x);
    assert_int_equal(lte_transpose(4, 1, 2, 3, a, a + 24), LTE_OK); /* one behind the other */
    assert_int_equal(lte_transpose(4, 1, 2, 3, a + 24, a), LTE_OK);
}

/* Odd numbers of everything; still channels have one matrix, moving ones one for each symbol. */
static lte_link link_with(int n_h)
{
    lte_link link = link_of(75, 3, 2, 4, LTE_CHANNEL_eva, LTE_INVERTER_ldl);
    if (n_h > 1)
        assert_int_equal(lte_link_set_doppler(&link, 70.0, 8), LTE_OK);
    assert_int_equal(link.channel.n_h, n_h);
    return link;
}

/* Planes of any numbers, and the matrices that they turn to. */
typedef struct {
    lte_link link;
    size_t n, n_rx, n_h, n_sc, h_size, y_size; /* bytes */
    lte_cf32 *h_planes, *y_planes, *h, *y;
} turned;

static turned turned_of(int n_h)
{
    turned t = {.link = link_with(n_h)};
    t.n_rx = (size_t)t.link.n_rx;
    t.n = t.n_rx * (size_t)t.link.n_tx;
    t.n_h = (size_t)n_h;
    t.n_sc = (size_t)t.link.carrier.n_sc;
    t.h_size = t.n * t.n_h * t.n_sc * sizeof *t.h;
    t.y_size = t.n_rx * LTE_SLOT_SYMBOLS * t.n_sc * sizeof *t.y;
    t.h_planes = poisoned(t.h_size, 0);
    t.y_planes = poisoned(t.y_size, 0);
    t.h = poisoned(t.h_size, POISON);
    t.y = poisoned(t.y_size, POISON);
    random_bytes(t.h_planes, t.h_size);
    random_bytes(t.y_planes, t.y_size);
    assert_int_equal(lte_layout_copy(&t.link, LTE_PLANES_CSI, t.h_planes, LTE_MATRICES_CSI, t.h),
                     LTE_OK);
    assert_int_equal(lte_layout_copy(&t.link, LTE_PLANES_Y, t.y_planes, LTE_MATRICES_Y, t.y),
                     LTE_OK);
    return t;
}

static void turned_fini(turned *t)
{
    free(t->h_planes);
    free(t->y_planes);
    free(t->h);
    free(t->y);
}

static void corner_turn_makes_one_matrix_per_resource_element(void **state)
{
    (void)state;
    for (int n_h = 1; n_h <= LTE_SLOT_SYMBOLS; n_h += LTE_SLOT_SYMBOLS - 1) {
        turned t = turned_of(n_h);
        for (size_t sc = 0; sc < t.n_sc; sc++) {
            for (size_t i = 0; i < t.n_h; i++) {
                for (size_t e = 0; e < t.n; e++)
                    assert_memory_equal(&t.h[(i * t.n_sc + sc) * t.n + e],
                                        &t.h_planes[(e * t.n_h + i) * t.n_sc + sc], sizeof *t.h);
            }
            for (size_t symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                for (size_t rx = 0; rx < t.n_rx; rx++)
                    assert_memory_equal(&t.y[(symbol * t.n_sc + sc) * t.n_rx + rx],
                                        &t.y_planes[(rx * LTE_SLOT_SYMBOLS + symbol) * t.n_sc + sc],
                                        sizeof *t.y);
            }
        }
        turned_fini(&t);
    }
}

/* A batch is the transposed of its lanes' matrices, in units of one float. */
static void batches_hold_the_transposed_of_the_same_matrices(void **state)
{
    (void)state;
    for (int n_h = 1; n_h <= LTE_SLOT_SYMBOLS; n_h += LTE_SLOT_SYMBOLS - 1) {
        turned t = turned_of(n_h);
        batch b;
        batch_init(&b, &t.link, POISON);
        lte_cf32 *h = poisoned(b.h_size, 0), *y = poisoned(b.y_size, 0);
        const int n_groups = t.link.carrier.n_groups, n = (int)t.n, n_rx = (int)t.n_rx;
        lte_stages_best()->corner_turn(&t.link, 0, n_groups, t.h_planes, t.y_planes, b.h, b.y);
        assert_int_equal(lte_transpose(sizeof(float), n_groups * n_h, 2 * n, LTE_LANES, b.h, h),
                         LTE_OK);
        assert_int_equal(
            lte_transpose(sizeof(float), n_groups * LTE_SLOT_SYMBOLS, 2 * n_rx, LTE_LANES, b.y, y),
            LTE_OK);
        for (size_t sc = 0; sc < t.n_sc; sc++) {
            const size_t group = sc / LTE_LANES, lane = sc % LTE_LANES;
            for (size_t i = 0; i < t.n_h; i++)
                assert_memory_equal(&h[((group * t.n_h + i) * LTE_LANES + lane) * t.n],
                                    &t.h[(i * t.n_sc + sc) * t.n], t.n * sizeof *h);
            for (size_t symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
                assert_memory_equal(
                    &y[((group * LTE_SLOT_SYMBOLS + symbol) * LTE_LANES + lane) * t.n_rx],
                    &t.y[(symbol * t.n_sc + sc) * t.n_rx], t.n_rx * sizeof *y);
        }
        free(h);
        free(y);
        batch_fini(&b);
        turned_fini(&t);
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(transpose, every_element_goes_where_it_belongs),
    LTE_CASE(transpose, wrong_arguments_are_refused),
    LTE_CASE(transpose, corner_turn_makes_one_matrix_per_resource_element),
    LTE_CASE(transpose, batches_hold_the_transposed_of_the_same_matrices),
};

int main(void)
{
    return cmocka_run_group_tests_name("transpose", cases, NULL, NULL);
}
