/*
 * Thread arrays and the product of matrices: figures 5 to 18 of Cui, Li, Chen
 * (kernels/methods/array/array.h names them); every storage order, instruction set and number of
 * threads gives the bits of one sum after the other.
 */
#include <stdlib.h>

#include "tests/lib/products.h"

static lte_threads threads_of(const char *text)
{
    lte_threads threads;
    assert_int_equal(lte_threads_parse(&threads, "%s", text), LTE_OK);
    return threads;
}

/* What threads saw of themselves: [tid][tid, tid_0, tid_1, tid_0_1]. */
static void note_place(const lte_threads *threads, int64_t tid, void *with)
{
    int64_t(*seen)[4] = with;
    const int rows = lte_dim_in(&threads->dims, 0, 0);
    seen[tid][0] += tid;
    seen[tid][1] += lte_tid(threads, tid, rows);
    seen[tid][2] += lte_tid(threads, tid, lte_dim_in(&threads->dims, 0, 1));
    seen[tid][3] += lte_tid(threads, tid, lte_dim_in(&threads->dims, rows, 1));
}

/* Figures 5 and 6, and threads of a tree. */
static void every_thread_knows_its_place(void **state)
{
    (void)state;
    static const char *const kinds[] = {"serial", "openmp"};
    for (int kind = 0; kind < 2; kind++) {
        lte_threads threads;
        int64_t seen[4][4] = {{0}};
        assert_int_equal(lte_threads_parse(&threads, "%s [2][2]", kinds[kind]), LTE_OK);
        assert_int_equal(lte_detour(&threads, note_place, seen), LTE_OK);
        for (int tid = 0; tid < 4; tid++) {
            assert_int_equal(seen[tid][0], tid);
            assert_int_equal(seen[tid][1], tid / 2);
            assert_int_equal(seen[tid][2], tid % 2);
            assert_int_equal(seen[tid][3], 0); /* there is no such dimension */
        }
        int64_t nested[60][4] = {{0}};
        assert_int_equal(lte_threads_parse(&threads, "%s [[3][4]][5]", kinds[kind]), LTE_OK);
        assert_int_equal(lte_detour(&threads, note_place, nested), LTE_OK);
        for (int tid = 0; tid < 60; tid++) {
            assert_int_equal(nested[tid][0], tid);
            assert_int_equal(nested[tid][1], tid / 5);
            assert_int_equal(nested[tid][2], tid % 5);
            assert_int_equal(nested[tid][3], tid / 5 % 4);
        }
    }
}

/* Section 2.3: an array of blocks and threads has the numbers of a device's. */
static void cuda_threads_are_blocks_of_threads(void **state)
{
    (void)state;
    const lte_threads threads = threads_of("cuda [[128/16][128/16]][[16][16]]");
    assert_int_equal(threads.dims.dim[0].size, 64 * 256);
    const lte_array *const d = &threads.dims;
    const int blocks = lte_dim_in(d, 0, 0), block = lte_dim_in(d, 0, 1);
    const int64_t tid = (5 * 8 + 3) * 256 + 7 * 16 + 2;
    assert_int_equal(lte_tid(&threads, tid, lte_dim_in(d, blocks, 0)), 5);
    assert_int_equal(lte_tid(&threads, tid, lte_dim_in(d, blocks, 1)), 3);
    assert_int_equal(lte_tid(&threads, tid, lte_dim_in(d, block, 0)), 7);
    assert_int_equal(lte_tid(&threads, tid, lte_dim_in(d, block, 1)), 2);
}

/*
 * Figure 10's body: a quarter of the product for each of 2 x 2 threads; in figure 8, one has all.
 */
typedef struct {
    lte_array m;
    const float *a, *b;
    float *c;
} quarters;

static void multiply_quarter(const lte_threads *threads, int64_t tid, void *with)
{
    const quarters *const w = with;
    const lte_array *const m = &w->m;
    const int rows = lte_dim_in(m, 0, 0), columns = lte_dim_in(m, 0, 1);
    const int row_part = lte_dim_in(m, rows, 0), row = lte_dim_in(m, rows, 1);
    const int column_part = lte_dim_in(m, columns, 0), column = lte_dim_in(m, columns, 1);
    const int64_t tid_0 = lte_tid(threads, tid, lte_dim_in(&threads->dims, 0, 0));
    const int64_t tid_1 = lte_tid(threads, tid, lte_dim_in(&threads->dims, 0, 1));
    for (int64_t i = 0; i < m->dim[row].size; i++) {
        for (int64_t j = 0; j < m->dim[column].size; j++) {
            const float *const pa = w->a + lte_dim_at(m, row_part, tid_0) + lte_dim_at(m, row, i);
            const float *const pb =
                w->b + lte_dim_at(m, column_part, tid_1) + lte_dim_at(m, column, j);
            float sum = 0.0f;
            for (int64_t k = 0; k < m->dim[columns].size; k++)
                sum = fmaf(pa[lte_dim_at(m, columns, k)], pb[lte_dim_at(m, rows, k)], sum);
            w->c[lte_dim_at(m, row_part, tid_0) + lte_dim_at(m, row, i) +
                 lte_dim_at(m, column_part, tid_1) + lte_dim_at(m, column, j)] = sum;
        }
    }
}

static void figures_8_and_10_give_the_product(void **state)
{
    (void)state;
    enum { N = 64, ALL = N * N };
    static float a[ALL], b[ALL], c[ALL], expected[ALL];
    fill_floats(a, ALL, 1);
    fill_floats(b, ALL, 2);
    lte_product p = {.c = type_of("float [%d][%d]", N, N)};
    p.a = p.b = p.c;
    const lte_threads one = threads_of("serial [1][1]");
    assert_int_equal(lte_product_on(&one, &p, a, b, expected), LTE_OK);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            float sum = 0.0f;
            for (int k = 0; k < N; k++)
                sum = fmaf(a[i * N + k], b[k * N + j], sum);
            assert_memory_equal(&sum, &expected[i * N + j], sizeof sum);
        }
    }
    static const char *const arrays[] = {"serial [1][1]", "serial [2][2]", "openmp [2][2]",
                                         "openmp [4][1]"};
    for (int t = 0; t < 4; t++) {
        const lte_threads threads = threads_of(arrays[t]);
        const int64_t rows = threads.dims.dim[1].size, columns = threads.dims.dim[2].size;
        quarters w = {type_of("float [[%d][%d]][[%d][%d]]", (int)rows, N / (int)rows, (int)columns,
                              N / (int)columns),
                      a, b, c};
        memset(c, 0xa5, sizeof c);
        assert_int_equal(lte_detour(&threads, multiply_quarter, &w), LTE_OK);
        assert_memory_equal(c, expected, sizeof c);
    }
}

/* All storage orders, on one thread and many, plain and by every instruction set. */
static void check(const problem *q)
{
    operands o;
    operands_init(&o, q);
    operands_expect(&o);
    const lte_product_level *const *level = lte_product_levels;
    static const char *const arrays[] = {"openmp [3][2]", "serial [5]"};
    for (int t = 0; t < 2; t++) {
        const lte_threads threads = threads_of(arrays[t]);
        operands_poison(&o);
        assert_int_equal(lte_product_on(&threads, &o.p, o.a, o.b, o.c), LTE_OK);
        operands_check(&o);
    }
    for (; *level; level++) {
        if (!(*level)->usable())
            continue;
        for (int n_threads = 1; n_threads <= 3; n_threads += 2) {
            void *const work = aligned_alloc(64, (size_t)n_threads * (*level)->work);
            assert_non_null(work);
            lte_product_size size;
            assert_int_equal(lte_product_check(&o.p, &size), LTE_OK);
            operands_poison(&o);
            (*level)->run(&o.p, &size, n_threads, o.a, o.b, o.c, work);
            operands_check(&o);
            free(work);
        }
    }
    void *const work = aligned_alloc(64, lte_product_work(2));
    assert_non_null(work);
    operands_poison(&o);
    assert_int_equal(lte_product_run(&o.p, 2, o.a, o.b, o.c, work), LTE_OK);
    operands_check(&o);
    free(work);
    operands_fini(&o);
}

static void every_order_gives_the_same_bits(void **state)
{
    (void)state;
    for (int order = 0; order < N_ORDERS; order++) {
        for (int kind = 0; kind < N_KINDS; kind++) {
            check(&(problem){kind, order, (order + 1) % N_ORDERS, (order + 2) % N_ORDERS, 1,
                             is_short() ? 16 : 64, is_short() ? 48 : 96, is_short() ? 32 : 80});
        }
    }
}

static void any_size_gives_the_same_bits(void **state)
{
    (void)state;
    static const int sizes[][4] = {
        /* n_batches, m, n, k */
        {1, 1, 1, 1},  {1, 1, 33, 2},   {1, 37, 1, 5},    {3, 5, 7, 1},     {1, 13, 37, 300},
        {2, 8, 8, 64}, {5, 16, 16, 64}, {2, 32, 32, 128}, {1, 250, 270, 3}, {1, 121, 65, 257}};
    for (size_t s = 0; s < (is_short() ? 6 : sizeof sizes / sizeof *sizes); s++) {
        for (int kind = 0; kind < N_KINDS; kind++)
            check(&(problem){kind, ROWS, ROWS, ROWS, sizes[s][0], sizes[s][1], sizes[s][2],
                             sizes[s][3]});
    }
}

/* One factor for all batches; and a view that leaves columns out. */
static void a_factor_may_serve_every_batch(void **state)
{
    (void)state;
    enum { BATCHES = 4, M = 6, N = 5, K = 7 };
    static float a[M * (K + 2)], b[BATCHES * K * N], c[BATCHES * M * N], expected[BATCHES * M * N];
    fill_floats(a, M * (K + 2), 1);
    fill_floats(b, BATCHES * K * N, 2);
    const lte_array wide = type_of("float [%d][%d]", M, K + 2);
    const lte_array_name names[] = {{"A", &wide}, {NULL, NULL}};
    lte_product p = {.b = type_of("float [%d][%d][%d]", BATCHES, K, N),
                     .c = type_of("float [%d][%d][%d]", BATCHES, M, N)};
    assert_int_equal(lte_array_parse(&p.a, names, "float [#A_0][%d #A_1]", K), LTE_OK);
    for (int e = 0; e < BATCHES * M * N; e++) {
        const int batch = e / (M * N), i = e / N % M, j = e % N;
        expected[e] = 0.0f;
        for (int k = 0; k < K; k++)
            expected[e] = fmaf(a[i * (K + 2) + k], b[(batch * K + k) * N + j], expected[e]);
    }
    const lte_threads threads = threads_of("openmp [2][2]");
    assert_int_equal(lte_product_on(&threads, &p, a, b, c), LTE_OK);
    assert_memory_equal(c, expected, sizeof c);
    void *const work = aligned_alloc(64, lte_product_work(1));
    memset(c, 0, sizeof c);
    assert_int_equal(lte_product_run(&p, 1, a, b, c, work), LTE_OK);
    assert_memory_equal(c, expected, sizeof c);
    free(work);
}

static void what_is_no_product_is_refused(void **state)
{
    (void)state;
    static float x[4096];
    const lte_array a = type_of("float [8][6]"), b = type_of("float [6][4]"),
                    c = type_of("float [8][4]"), z = type_of("cfloat [6][4]"),
                    d = type_of("double [8][4]"), four = type_of("float [1][1][8][4]"),
                    one = type_of("float [32]"), batched = type_of("float [3][8][4]"),
                    two = type_of("float [2][8][6]"), there = type_of("float device [8][4]"),
                    column = type_of("float [8]");
    lte_array twice, none = a;
    const lte_array_name names[] = {{"A", &column}, {NULL, NULL}};
    assert_int_equal(lte_array_parse(&twice, names, "float [#A_0][4 #A_0]"), LTE_OK);
    none.fault = LTE_ARRAY_SIZE;
    const lte_product wrong[] = {
        {.a = a, .b = a, .c = c},
        {.a = b, .b = b, .c = c},
        {.a = a, .b = b, .c = c, .a_h = true},
        {.a = a, .b = b, .c = c, .b_h = true},
        {.a = a, .b = z, .c = c},
        {.a = a, .b = b, .c = d},
        {.a = a, .b = b, .c = four},
        {.a = a, .b = b, .c = one},
        {.a = one, .b = b, .c = c},
        {.a = two, .b = b, .c = batched},
        {.a = none, .b = b, .c = c},
        {.a = a, .b = b, .c = twice},
        {.a = a, .b = b, .c = there},
    };
    const lte_threads threads = threads_of("serial [1][1]");
    float *const work = aligned_alloc(64, lte_product_work(1));
    lte_fail_handler handler = expect_failures();
    int n = 0;
    for (; n < (int)(sizeof wrong / sizeof *wrong); n++) {
        assert_int_equal(lte_product_on(&threads, &wrong[n], x, x + 256, x + 512), LTE_EINVAL);
        assert_int_equal(lte_product_run(&wrong[n], 1, x, x + 256, x + 512, work), LTE_EINVAL);
    }
    const lte_product p = {.a = a, .b = b, .c = c};
    assert_int_equal(lte_product_run(&p, 1, x, x + 256, x + 47, work), LTE_EINVAL);  /* c over a */
    assert_int_equal(lte_product_run(&p, 1, x, x + 256, x + 225, work), LTE_EINVAL); /* over b */
    assert_int_equal(lte_product_run(&p, 1, (char *)x + 2, x + 256, x + 512, work), LTE_EINVAL);
    assert_int_equal(lte_product_run(&p, 0, x, x + 256, x + 512, work), LTE_EINVAL);
    assert_int_equal(lte_product_run(&p, 1, x, x + 256, x + 512, work + 1), LTE_EINVAL);
    assert_int_equal(*failures_seen(), 2 * n + 5);
    lte_threads t;
    assert_int_equal(lte_threads_parse(&t, "pthd [2][2]"), LTE_EINVAL);
    assert_int_equal(lte_threads_parse(&t, "openmp [0]"), LTE_EINVAL);
    assert_int_equal(lte_threads_parse(&t, "cuda [4]"), LTE_EINVAL);
    assert_int_equal(lte_threads_parse(&t, "cuda [4][4][4]"), LTE_EINVAL);
    assert_int_equal(lte_threads_parse(&t, "cuda [4][1025]"), LTE_EINVAL);
    assert_int_equal(lte_threads_parse(&t, "cuda [2147483648][1]"), LTE_EINVAL);
    int64_t seen[4][4];
    const lte_threads cuda = threads_of("cuda [2][2]"), mpi = threads_of("mpi [2][2]");
    assert_int_equal(lte_detour(&cuda, note_place, seen), LTE_EINVAL);
    assert_int_equal(lte_detour(&mpi, note_place, seen),
                     LTE_EDEVICE); /* not started, or not here */
    assert_int_equal(lte_product_on(&cuda, &p, x, x + 256, x + 512), LTE_EINVAL); /* host memory */
    (void)lte_fail_handler_set(handler);
    assert_int_equal(lte_product_run(&p, 1, x, x + 256, x + 48, work), LTE_OK);
    free(work);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(product, every_thread_knows_its_place),
    LTE_CASE(product, cuda_threads_are_blocks_of_threads),
    LTE_CASE(product, figures_8_and_10_give_the_product),
    LTE_CASE(product, every_order_gives_the_same_bits),
    LTE_CASE(product, any_size_gives_the_same_bits),
    LTE_CASE(product, a_factor_may_serve_every_batch),
    LTE_CASE(product, what_is_no_product_is_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("product", cases, NULL, NULL);
}
