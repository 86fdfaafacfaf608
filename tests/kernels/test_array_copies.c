/* Array types built from text, those that are refused, and copies between arrays. */
#include "tests/lib/array_types.h"

#include "kernels/methods/array/array_build.h"

static void types_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const lte_array a = type_of(NULL, "float [4][6]");
    const lte_array halves = type_of(NULL, "float [2][8][6]");
    const lte_array m = view_of(&halves, "float [#A_1][[#A_0][#A_2]]");
    const lte_array_name names[] = {{"A", &a}, {"M", &m}, {NULL, NULL}};
    static const struct {
        const char *text;
        lte_array_fault fault;
    } wrong[] = {
        {"float [0]", LTE_ARRAY_SIZE},
        {"float [-3][2]", LTE_ARRAY_SIZE},
        {"float [3][2][x]", LTE_ARRAY_EMPTY},
        {"float [7/2]", LTE_ARRAY_SIZE},
        {"float [7/0]", LTE_ARRAY_SIZE},
        {"float [2*]", LTE_ARRAY_SIZE},
        {"float [4294967296][4294967296]", LTE_ARRAY_OVERFLOW},
        {"float [9223372036854775807]", LTE_ARRAY_OVERFLOW},
        {"byte [9223372036854775808]", LTE_ARRAY_OVERFLOW},
        {"double [4294967296*268435456]", LTE_ARRAY_OVERFLOW},
        {"byte [4294967296*4294967296]", LTE_ARRAY_OVERFLOW},
        {"float "
         "[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]"
         "[1][1][1][1]",
         LTE_ARRAY_DEEP},
        {"float [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", LTE_ARRAY_DEEP},
        {"float", LTE_ARRAY_EMPTY},
        {"float []", LTE_ARRAY_EMPTY},
        {"float [[]]", LTE_ARRAY_EMPTY},
        {"float [3", LTE_ARRAY_EMPTY},
        {"float [3]]", LTE_ARRAY_EMPTY},
        {"float [[3]", LTE_ARRAY_EMPTY},
        {"float [3] 4", LTE_ARRAY_EMPTY},
        {"real [3]", LTE_ARRAY_KIND},
        {"[3]", LTE_ARRAY_KIND},
        {"float nowhere [3]", LTE_ARRAY_KIND},
        {"float [#B]", LTE_ARRAY_MISSING},
        {"float [#A_2]", LTE_ARRAY_MISSING},
        {"float [#A_0_0]", LTE_ARRAY_MISSING},
        {"float [#A_99999999999999999999]", LTE_ARRAY_MISSING},
        {"float [#A_]", LTE_ARRAY_MISSING},
        {"float [#]", LTE_ARRAY_MISSING},
        {"float [5 #A_0]", LTE_ARRAY_BEYOND},
        {"float [[2][4] #A_1]", LTE_ARRAY_BEYOND},
        {"float [4][#A_1]", LTE_ARRAY_MIXED},
        {"float [[1][#A_0] #A_1]", LTE_ARRAY_MIXED},
        {"float [[3][4] #M_1]", LTE_ARRAY_UNEVEN}, /* 6 + 6, in fours */
        {"float [7 #M_1]", LTE_ARRAY_UNEVEN},
    };
    lte_fail_handler handler = expect_failures();
    int n = 0;
    for (; n < (int)(sizeof wrong / sizeof *wrong); n++) {
        lte_array b;
        memset(&b, 0xa5, sizeof b);
        if (lte_array_parse(&b, names, "%s", wrong[n].text) != LTE_EINVAL ||
            b.fault != wrong[n].fault)
            fail_msg("%s: fault %d, not %d", wrong[n].text, (int)b.fault, (int)wrong[n].fault);
        assert_int_equal(b.dim[0].size, 0);
        assert_int_equal(lte_array_room(&b), 0);
        assert_int_equal(lte_at(&b, 1000), 0);
        void *x = &b;
        assert_int_equal(lte_array_check(&b), LTE_EINVAL);
        assert_int_equal(lte_array_create(&b, &x), LTE_EINVAL);
        assert_null(x);
    }
    assert_int_equal(*failures_seen(), 3 * n);
    int d;
    lte_array part;
    assert_int_equal(lte_array_find(&a, "2", &d), LTE_EINVAL);
    assert_int_equal(lte_array_find(&a, "0_", &d), LTE_EINVAL);
    assert_int_equal(lte_array_find(&a, "x", &d), LTE_EINVAL);
    assert_int_equal(lte_array_of_dim(&a, -1, &part), LTE_EINVAL);
    assert_int_equal(lte_array_of_dim(&a, a.n_dims, &part), LTE_EINVAL);
    void *x;
    const lte_array inside[] = {type_of(NULL, "float shared [3]"),
                                type_of(NULL, "float register [3]")};
    assert_int_equal(lte_array_create(&inside[0], &x), LTE_EINVAL); /* no memory of the host's */
    assert_int_equal(lte_array_create(&inside[1], &x), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(lte_array_parse(&part, names, "byte [9223372036854775807]"), LTE_OK);
    assert_int_equal(lte_array_parse(&part, names, "float [[3][2] #M_1]"), LTE_OK); /* of 6 + 6 */
    assert_int_equal(lte_array_parse(&part, names, "float [[5] #M_1]"), LTE_OK);
    assert_int_equal(lte_array_parse(&part, names, "float [%d/%d][2*3]", 128, 16), LTE_OK);
    assert_int_equal(part.dim[0].size, 48);
}

/* Built by brackets: the same type as from the text. */
static void brackets_build_what_the_text_says(void **state)
{
    (void)state;
    lte_array a = lte_array_begin(LTE_FLOAT, LTE_DEVICE),
              b = lte_array_begin(LTE_FLOAT, LTE_DEVICE);
    lte_dim_open(&a);
    lte_dim_of(&a, 3);
    lte_dim_of(&a, 2);
    lte_dim_close(&a);
    lte_dim_of(&a, 4);
    lte_array_end(&a);
    lte_dim_ref(&b, &a, lte_dim_in(&a, 0, 1));
    lte_dim_open(&b);
    lte_dim_of(&b, 2);
    lte_dim_of(&b, 2);
    lte_dim_close_as(&b, &a, lte_dim_in(&a, 0, 0));
    lte_dim_of_as(&b, 2, &a, lte_dim_in(&a, lte_dim_in(&a, 0, 0), 0));
    lte_array_end(&b);
    const lte_array text = type_of(NULL, "float device [[3][2]][4]");
    const lte_array view = view_of(&text, "float device [#A_1][[2][2] #A_0][2 #A_0_0]");
    assert_int_equal(a.n_dims, text.n_dims);
    assert_int_equal(b.n_dims, view.n_dims);
    for (int d = 0; d < view.n_dims; d++) {
        assert_int_equal(b.dim[d].size, view.dim[d].size);
        assert_int_equal(b.dim[d].stride, view.dim[d].stride);
        assert_int_equal(b.dim[d].end, view.dim[d].end);
    }
}

/* A copy through types, element by element, and lte_transpose where the types say so. */
static void copies_go_by_index(void **state)
{
    (void)state;
    static const struct {
        const char *base, *from, *to;
        int64_t n_batches, n_rows, n_columns; /* of the transposition; 0: it is none */
    } cases[] = {
        {"float [30][20]", "float [#A_1][#A_0]", "float [20][30]", 1, 30, 20},
        {"float [30][20]", "float [#A_0][#A_1]", "float [30][20]", 0, 0, 0},
        {"float [7][30][20]", "float [#A_0][#A_2][#A_1]", "float [7][20][30]", 7, 30, 20},
        {"float [2][30][10]", "float [#A_1][[#A_0][#A_2]]", "float [30][20]", 0, 0, 0},
        {"float [5][6][4][5]", "float [[#A_2][#A_3]][[#A_0][#A_1]]", "float [20][30]", 1, 30, 20},
        {"float [30][21]", "float [#A_0][20 #A_1]", "float [30][20]", 0, 0, 0},
        {"float [30][21]", "float [20 #A_1][#A_0]", "float [20][30]", 0, 0, 0},
        {"float [8][9][10]", "float [#A_1][#A_2][#A_0]", "float [9][10][8]", 1, 8, 90},
        {"float [8][9][10]", "float [#A_2][#A_1][#A_0]", "float [10][9][8]", 0, 0, 0},
        {"float [8][9][10]", "float [#A_1][#A_0][#A_2]", "float [9][8][10]", 0, 0, 0},
        {"float [30][21]", "float [[5][6] #A_0][20 #A_1]", "float [[5][6]][20]", 0, 0, 0},
        {"float [6][5]", "float [#A_1][[2][3] #A_0]", "float [5][[3][2]]", 1, 6, 5},
        {"float [1][1]", "float [#A_1][#A_0]", "float [1][1]", 0, 0, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const lte_array base = type_of(NULL, cases[c].base), from = view_of(&base, cases[c].from),
                        to = type_of(NULL, cases[c].to);
        const size_t n_in = (size_t)lte_array_room(&base), n_out = (size_t)lte_array_room(&to);
        lte_steps steps, order;
        assert_true(n_out > 0);
        float *x, *y, *z;
        assert_int_equal(lte_array_create(&to, (void **)&z), LTE_OK);
        assert_int_equal(lte_array_create(&base, (void **)&x), LTE_OK);
        assert_int_equal(lte_array_create(&to, (void **)&y), LTE_OK);
        for (size_t i = 0; i < n_in; i++)
            x[i] = (float)i;
        assert_int_equal(lte_array_copy(&from, x, &to, y), LTE_OK);
        for (int64_t i = 0; i < to.dim[0].size; i++)
            assert_int_equal((int64_t)y[lte_at(&to, i)], lte_at(&from, i));
        assert_true(lte_array_steps(&from, &to, &steps));
        assert_int_equal(lte_steps_order(4, &steps, x, y, &order), LTE_OK);
        if (cases[c].n_rows > 0) {
            const int64_t b = cases[c].n_batches, r = cases[c].n_rows, k = cases[c].n_columns;
            const lte_step *const last = &order.step[order.n - 1];
            assert_int_equal(order.n, b > 1 ? 3 : 2);
            assert_true(last[0].size == k && last[0].from == 1 && last[0].to == r);
            assert_true(last[-1].size == r && last[-1].from == k && last[-1].to == 1);
            assert_int_equal(lte_transpose(4, (int)b, (int)r, (int)k, x, z), LTE_OK);
            assert_memory_equal(y, z, n_out * sizeof *y);
        }
        lte_array_destroy(&base, x);
        lte_array_destroy(&to, y);
        lte_array_destroy(&to, z);
    }
}

/* Two threes in one array, three twos in the other: no steps go through both. */
static void copies_of_other_parts_go_by_index(void **state)
{
    (void)state;
    const lte_array twos = type_of(NULL, "float [3][7][2]"),
                    threes = type_of(NULL, "float [2][7][3]");
    const lte_array from = view_of(&threes, "float [#A_1][[#A_0][#A_2]]");
    const lte_array to = view_of(&twos, "float [#A_1][[#A_0][#A_2]]");
    float x[42], y[42];
    for (int i = 0; i < 42; i++)
        x[i] = (float)i;
    assert_int_equal(lte_array_copy(&from, x, &to, y), LTE_OK);
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 6; j++)
            assert_int_equal((int)y[(j / 2 * 7 + i) * 2 + j % 2], (j / 3 * 7 + i) * 3 + j % 3);
    }
}

/*
 * Between rows and planes that are longer than what is copied: what lies between stays. Numbers of
 * several parts need stand no better than their parts.
 */
static void copies_leave_what_lies_between(void **state)
{
    (void)state;
    static const struct {
        const char *x, *from, *y, *to;
    } cases[] = {
        {"[6][5]", "[#A_1][#A_0]", "[5][6]", "[#A_0][#A_1]"},
        {"[6][5]", "[#A_1][#A_0]", "[5][7]", "[#A_0][6 #A_1]"},
        {"[6][7]", "[5 #A_1][#A_0]", "[5][6]", "[#A_0][#A_1]"},
        {"[3][6][5]", "[#A_0][#A_2][#A_1]", "[3][8][6]", "[#A_0][5 #A_1][#A_2]"},
        {"[3][8][5]", "[#A_0][#A_2][6 #A_1]", "[3][5][6]", "[#A_0][#A_1][#A_2]"},
        {"[3][6][5]", "[#A_0][#A_1][#A_2]", "[3][8][7]", "[#A_0][6 #A_1][5 #A_2]"},
    };
    static const char *const elements[] = {"byte", "u32", "cfloat", "cdouble"};
    for (size_t i = 0; i < 4 * sizeof cases / sizeof *cases; i++) {
        const char *const element = elements[i % 4];
        lte_array a, b, from, to;
        const lte_array_name of_x[] = {{"A", &a}, {NULL, NULL}}, of_y[] = {{"A", &b}, {NULL, NULL}};
        assert_int_equal(lte_array_parse(&a, NULL, "%s %s", element, cases[i / 4].x), LTE_OK);
        assert_int_equal(lte_array_parse(&b, NULL, "%s %s", element, cases[i / 4].y), LTE_OK);
        assert_int_equal(lte_array_parse(&from, of_x, "%s %s", element, cases[i / 4].from), LTE_OK);
        assert_int_equal(lte_array_parse(&to, of_y, "%s %s", element, cases[i / 4].to), LTE_OK);
        static _Alignas(16) uint8_t x[169 * 16], y[169 * 16], expected[169 * 16];
        const size_t size = (size_t)lte_element_size(a.element), part = size > 8 ? 8 : 4;
        for (size_t first = 0; first <= part; first += part) {
            for (size_t k = 0; k < sizeof x; k++)
                x[k] = (uint8_t)(k * 7 + k / 251);
            memset(y, 0xa5, sizeof y);
            memset(expected, 0xa5, sizeof expected);
            for (int64_t k = 0; k < to.dim[0].size; k++)
                memcpy(&expected[first + (size_t)lte_at(&to, k) * size],
                       &x[first + (size_t)lte_at(&from, k) * size], size);
            assert_int_equal(lte_array_copy(&from, x + first, &to, y + first), LTE_OK);
            assert_memory_equal(y, expected, sizeof y);
        }
    }
}

static void copies_between_other_types_are_refused(void **state)
{
    (void)state;
    static float x[64], y[64];
    const lte_array a = type_of(NULL, "float [4][6]"), turned = type_of(NULL, "float [6][4]"),
                    one = type_of(NULL, "float [24]"), u = type_of(NULL, "u32 [4][6]"),
                    three = type_of(NULL, "float [4][6][1]"),
                    tile = type_of(NULL, "float shared [4][6]"), row = type_of(NULL, "float [4]"),
                    twice = view_of(&row, "float [#A_0][#A_0]"),
                    four = type_of(NULL, "float [4][4]");
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_array_copy(&a, x, &turned, y), LTE_EINVAL);
    assert_int_equal(lte_array_copy(&a, x, &one, y), LTE_EINVAL);
    assert_int_equal(lte_array_copy(&a, x, &u, y), LTE_EINVAL);
    assert_int_equal(lte_array_copy(&a, x, &three, y), LTE_EINVAL);
    assert_int_equal(lte_array_copy(&a, x, &tile, y), LTE_EINVAL);
    assert_int_equal(lte_array_copy(&four, x, &twice, y), LTE_EINVAL); /* two at the same place */
    assert_int_equal(lte_array_copy(&a, x, &a, x + 23), LTE_EINVAL);
    assert_int_equal(lte_array_copy(&a, x + 23, &a, x), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 8);
    assert_int_equal(lte_array_copy(&twice, x, &four, y), LTE_OK);
    assert_int_equal(lte_array_copy(&a, x, &a, x + 24), LTE_OK);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(array, types_that_do_not_fit_are_refused),
    LTE_CASE(array, brackets_build_what_the_text_says),
    LTE_CASE(array, copies_go_by_index),
    LTE_CASE(array, copies_of_other_parts_go_by_index),
    LTE_CASE(array, copies_leave_what_lies_between),
    LTE_CASE(array, copies_between_other_types_are_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("array", cases, NULL, NULL);
}
