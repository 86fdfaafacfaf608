/*
 * Array types, thread arrays and products on the device against the host, bit for bit. Skipped
 * (exit 77) without a device. With LTE_TEST_SMALL set there are fewer and smaller ones.
 */

#include "tests/cuda/array_probe.h"
#include "tests/lib/device.h"
#include "kernels/backends/backend.h"
#include "kernels/methods/product/product_cuda.h"
#include "tests/lib/products.h"

enum { N_VERSIONS = 2 };

/* The factors on the device, each `offset` elements behind a boundary of 16 bytes. */
static void check(const problem *q, int offset)
{
    operands o;
    operands_init(&o, q);
    void *const work = aligned_alloc(64, lte_product_work(2));
    assert_non_null(work);
    memset(o.expected, 0xa5, o.c_size);
    assert_int_equal(lte_product_run(&o.p, 2, o.a, o.b, o.expected, work), LTE_OK);
    free(work);
    const size_t size = (size_t)lte_element_size(o.p.c.element), before = (size_t)offset * size;
    const size_t a_size = bytes_of(&o.p.a), b_size = bytes_of(&o.p.b);
    char *d_a = NULL, *d_b = NULL, *d_c = NULL;
    ok(cudaMalloc((void **)&d_a, before + a_size));
    ok(cudaMalloc((void **)&d_b, before + b_size));
    ok(cudaMalloc((void **)&d_c, before + o.c_size));
    ok(cudaMemcpy(d_a + before, o.a, a_size, cudaMemcpyHostToDevice));
    ok(cudaMemcpy(d_b + before, o.b, b_size, cudaMemcpyHostToDevice));
    lte_product p = o.p;
    p.a.memory = p.b.memory = p.c.memory = LTE_DEVICE;
    for (int version = 1; version <= N_VERSIONS; version++) {
        operands_poison(&o);
        ok(cudaMemcpy(d_c + before, o.c, o.c_size, cudaMemcpyHostToDevice));
        assert_int_equal(
            lte_product_cuda(version, &p, d_a + before, d_b + before, d_c + before, NULL), LTE_OK);
        ok(cudaDeviceSynchronize());
        ok(cudaMemcpy(o.c, d_c + before, o.c_size, cudaMemcpyDeviceToHost));
        operands_check(&o);
    }
    ok(cudaFree(d_a));
    ok(cudaFree(d_b));
    ok(cudaFree(d_c));
    operands_fini(&o);
}

static void every_order_equals_the_cpu(void **state)
{
    (void)state;
    for (int order = 0; order < N_ORDERS; order++) {
        for (int kind = 0; kind < N_KINDS; kind++) {
            if (small() && kind % 3 != 0)
                continue;
            const int b_order = (order + 1) % N_ORDERS, c_order = (order + 2) % N_ORDERS;
            check(&(problem){kind, order, order, order, 1, 64, 128, 64}, 0);
            check(&(problem){kind, order, b_order, c_order, 1, 64, 96, 80}, 0);
            if (!small()) /* in large tiles */
                check(&(problem){kind, order, b_order, c_order, 2, 896, 1152, 128}, 0);
        }
    }
}

static void any_size_equals_the_cpu(void **state)
{
    (void)state;
    static const int sizes[][4] = {/* n_batches, m, n, k */
                                   {1, 1, 1, 1},       {1, 1, 33, 2},      {1, 37, 1, 5},
                                   {3, 5, 7, 1},       {1, 13, 37, 300},   {5, 16, 16, 64},
                                   {1, 250, 270, 3},   {7, 8, 8, 64},      {3, 32, 32, 128},
                                   {1, 1003, 75, 33},  {70, 130, 132, 20}, {1, 1301, 1203, 45},
                                   {1, 1300, 1204, 44}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        if (small() && sizes[s][0] * sizes[s][1] > 500)
            continue;
        for (int kind = 0; kind < N_KINDS; kind++) {
            const problem q = {kind,        ROWS,        ROWS,        ROWS,
                               sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3]};
            check(&q, 0);
            check(&q, 1);
        }
    }
}

/* 1200 Gram matrices H'H of massive MIMO. */
static void gram_matrices_equal_the_cpu(void **state)
{
    (void)state;
    static const int shapes[][2] = {{128, 32}, {64, 16}, {64, 8}};
    for (int s = 0; s < 3; s++)
        check(&(problem){COMPLEX_A_H, ROWS, ROWS, ROWS, small() ? 5 : 1200, shapes[s][1],
                         shapes[s][1], shapes[s][0]},
              0);
}

/* Gram matrices from planes [rx][tx][sc] as they come, and from one matrix a subcarrier. */
static void gram_of_planes_equals_gram_of_matrices(void **state)
{
    (void)state;
    enum { N_SC = 300, N_RX = 8, N_TX = 4, N = N_RX * N_TX * N_SC, N_G = N_TX * N_TX * N_SC };
    const lte_array planes = type_of("cfloat device [8][4][300]");
    const lte_array_name names[] = {{"A", &planes}, {NULL, NULL}};
    const lte_array matrices = type_of("cfloat device [300][8][4]");
    lte_product p = {.c = type_of("cfloat device [300][4][4]"), .a_h = true};
    static lte_cf32 h[N], g[2][N_G];
    lte_array seen;
    fill_floats(&h[0].re, (size_t)2 * N, 1);
    memset(g[0], 0xa5, sizeof g[0]);
    memset(g[1], 0x5a, sizeof g[1]);
    assert_int_equal(lte_array_parse(&seen, names, "cfloat device [#A_2][#A_0][#A_1]"), LTE_OK);
    lte_cf32 *d_planes = on_device(h, sizeof h), *d_turned = on_device(h, sizeof h);
    assert_int_equal(lte_array_copy_cuda(&seen, d_planes, &matrices, d_turned, NULL), LTE_OK);
    for (int version = 1; version <= N_VERSIONS; version++) {
        for (int turned = 0; turned < 2; turned++) {
            lte_cf32 *d_g = on_device(g[turned], sizeof g[turned]);
            const void *const from = turned ? d_turned : d_planes;
            p.a = p.b = turned ? matrices : seen;
            assert_int_equal(lte_product_cuda(version, &p, from, from, d_g, NULL), LTE_OK);
            to_host(g[turned], d_g, sizeof g[turned]);
        }
        assert_memory_equal(g[0], g[1], sizeof g[0]);
    }
    ok(cudaFree(d_planes));
    ok(cudaFree(d_turned));
}

/* Figure 11: the plain product moves to the device by its thread array alone. */
static void thread_arrays_of_any_shape_equal_the_cpu(void **state)
{
    (void)state;
    static const char *const arrays[] = {"cuda [2][2]", "cuda [64][64]", "cuda [[4][4]][[16][16]]",
                                         "cuda [1][1000]"};
    operands o;
    operands_init(&o, &(problem){COMPLEX, BLOCKS, HALVES, ROWS, 1, 64, 64, 64});
    operands_expect(&o);
    lte_product p = o.p;
    p.a.memory = p.b.memory = LTE_DEVICE;
    p.c.memory = LTE_PINNED;
    void *a, *b, *c;
    assert_int_equal(lte_array_create(&p.a, &a), LTE_OK);
    assert_int_equal(lte_array_create(&p.b, &b), LTE_OK);
    assert_int_equal(lte_array_create(&p.c, &c), LTE_OK);
    ok(cudaMemcpy(a, o.a, bytes_of(&p.a), cudaMemcpyHostToDevice));
    ok(cudaMemcpy(b, o.b, bytes_of(&p.b), cudaMemcpyHostToDevice));
    for (size_t t = 0; t < sizeof arrays / sizeof *arrays; t++) {
        lte_threads threads;
        memset(c, 0xa5, o.c_size);
        assert_int_equal(lte_threads_parse(&threads, "%s", arrays[t]), LTE_OK);
        assert_int_equal(lte_product_on(&threads, &p, a, b, c), LTE_OK);
        assert_memory_equal(c, o.expected, o.c_size);
    }
    lte_array_destroy(&p.a, a);
    lte_array_destroy(&p.b, b);
    lte_array_destroy(&p.c, c);
    operands_fini(&o);
}

/* The paper's size. */
enum { SIDE = 1024 };

typedef lte_status multiplier(const lte_product *p, const float *d_a, const float *d_b, float *d_c);

static lte_status by_a_thread_an_element(const lte_product *p, const float *d_a, const float *d_b,
                                         float *d_c)
{
    lte_threads threads;
    assert_int_equal(lte_threads_parse(&threads, "cuda [1024][1024]"), LTE_OK);
    return lte_product_on(&threads, p, d_a, d_b, d_c);
}

static lte_status as_in_the_guide(const lte_product *p, const float *d_a, const float *d_b,
                                  float *d_c)
{
    (void)p;
    return lte_probe_guide(SIDE, d_a, d_b, d_c, NULL);
}

/*
 * Matrices of a type, row major as all of figures 12 to 14, against the fast product of the host.
 */
static void check_square(const char *type, multiplier *multiply)
{
    const size_t n = (size_t)SIDE * SIDE, size = n * sizeof(float);
    float *a = malloc(size), *b = malloc(size), *c = malloc(size), *expected = malloc(size);
    void *const work = aligned_alloc(64, lte_product_work(2));
    assert_true(a && b && c && expected && work);
    fill_floats(a, n, 1);
    fill_floats(b, n, 2);
    memset(c, 0xa5, size);
    lte_product p = {.a = type_of("float [1024][1024]")};
    p.b = p.c = p.a;
    assert_int_equal(lte_product_run(&p, 2, a, b, expected, work), LTE_OK);
    float *d_a = on_device(a, size), *d_b = on_device(b, size), *d_c = on_device(c, size);
    p.a = p.b = p.c = type_of("%s", type);
    assert_int_equal(multiply(&p, d_a, d_b, d_c), LTE_OK);
    to_host(c, d_c, size);
    assert_memory_equal(c, expected, size);
    ok(cudaFree(d_a));
    ok(cudaFree(d_b));
    free(a);
    free(b);
    free(c);
    free(expected);
    free(work);
}

static void figure_12_has_a_thread_an_element(void **state)
{
    (void)state;
    if (small())
        skip();
    check_square("float device [[1024][1]][[1024][1]]", by_a_thread_an_element);
}

static void figure_13_leaves_out_dimensions_of_one(void **state)
{
    (void)state;
    if (small())
        skip();
    check_square("float device [1024][1024]", by_a_thread_an_element);
}

static void figure_14_is_the_kernel_of_the_guide(void **state)
{
    (void)state;
    check_square("float device [1024][1024]", as_in_the_guide);
}

static void threads_are_numbered_by_block(void **state)
{
    (void)state;
    enum { BLOCKS_N = 6, THREADS_N = 35 };
    lte_threads threads;
    static int64_t seen[BLOCKS_N * THREADS_N][4];
    assert_int_equal(lte_threads_parse(&threads, "cuda [[2][3]][[5][7]]"), LTE_OK);
    int64_t *d_seen = on_device(seen, sizeof seen);
    assert_int_equal(lte_probe_places(&threads, d_seen, NULL), LTE_OK);
    to_host(seen, d_seen, sizeof seen);
    for (int tid = 0; tid < BLOCKS_N * THREADS_N; tid++) {
        assert_int_equal(seen[tid][0], tid / THREADS_N);
        assert_int_equal(seen[tid][1], tid % THREADS_N);
        assert_int_equal(seen[tid][2], tid / THREADS_N);
        assert_int_equal(seen[tid][3], tid % THREADS_N);
    }
}

static void figure_7_transposes(void **state)
{
    (void)state;
    enum { N = 128 };
    static lte_cf32 x[N][N], y[N][N];
    fill_floats(&x[0][0].re, (size_t)2 * N * N, 1);
    lte_cf32 *d_x = on_device(x, sizeof x), *d_y = on_device(y, sizeof y);
    assert_int_equal(lte_probe_turn(d_x, d_y, NULL), LTE_OK);
    to_host(y, d_y, sizeof y);
    ok(cudaFree(d_x));
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            assert_memory_equal(&y[j][i], &x[i][j], sizeof x[i][j]);
    }
}

/* Every element size, by index, as a transposition and as a whole. */
static void copies_equal_those_of_the_host(void **state)
{
    (void)state;
    static const char *const elements[] = {"byte", "float", "cfloat", "cdouble"};
    static const char *const views[] = {"[#A_1][#A_0]", "[#A_1][[6][5] #A_0]",
                                        "[#A_1][[5][2][3] #A_0]", "[#A_0][#A_1]"};
    for (int e = 0; e < 4; e++) {
        for (int v = 0; v < 4; v++) {
            lte_array base = type_of("%s [30][21]", elements[e]), from, to;
            const lte_array_name names[] = {{"A", &base}, {NULL, NULL}};
            assert_int_equal(lte_array_parse(&from, names, "%s %s", elements[e], views[v]), LTE_OK);
            to = type_of("%s [21][%s]", elements[e], v == 0 ? "30" : "[30]");
            if (v == 3) /* as a whole */
                to = base;
            if (v == 2) /* in parts */
                assert_int_equal(lte_array_parse(&to, names, "%s [21 #A_1][#A_0]", elements[e]),
                                 LTE_OK);
            const size_t size = bytes_of(&base);
            float *x = malloc(size), *y = malloc(size), *z = malloc(size);
            assert_true(x && y && z);
            memset(y, 0xa5, size);
            fill_floats(x, size / sizeof *x, 1);
            assert_int_equal(lte_array_copy(&from, x, &to, y), LTE_OK);
            memset(z, 0xa5, size);
            void *d_x = on_device(x, size), *d_y = on_device(z, size);
            from.memory = to.memory = LTE_DEVICE;
            assert_int_equal(lte_array_copy_cuda(&from, d_x, &to, d_y, NULL), LTE_OK);
            to_host(z, d_y, size);
            ok(cudaFree(d_x));
            assert_memory_equal(y, z, size);
            free(x);
            free(y);
            free(z);
        }
    }
}

static void what_the_device_cannot_do_is_refused(void **state)
{
    (void)state;
    float *d = on_device((float[96]){0}, 96 * sizeof *d);
    lte_product p = {.a = type_of("float device [8][4]"),
                     .b = type_of("float device [4][8]"),
                     .c = type_of("float device [8][8]")};
    const lte_array shared = type_of("float shared [8][4]"), host = type_of("float [8][4]");
    lte_threads serial;
    assert_int_equal(lte_threads_parse(&serial, "serial [2][2]"), LTE_OK);
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_product_cuda(0, &p, d, d, d + 32, NULL), LTE_EINVAL);
    assert_int_equal(lte_product_cuda(N_VERSIONS + 1, &p, d, d, d + 32, NULL), LTE_EINVAL);
    assert_int_equal(lte_product_cuda(2, &p, d, d, d + 31, NULL), LTE_EINVAL);
    assert_int_equal(lte_product_on(&serial, &p, d, d, d + 32), LTE_EINVAL);
    assert_int_equal(lte_product_on_cuda(&serial, &p, d, d, d + 32, NULL), LTE_EINVAL);
    assert_int_equal(lte_array_copy_cuda(&shared, d, &p.a, d, NULL), LTE_EINVAL);
    assert_int_equal(lte_array_copy_cuda(&host, d, &p.a, d, NULL), LTE_EINVAL);
    assert_int_equal(lte_array_copy_cuda(&p.b, d, &p.a, d, NULL), LTE_EINVAL);
    p.a.memory = LTE_PAGEABLE;
    assert_int_equal(lte_product_cuda(2, &p, d, d, d + 32, NULL), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 9);
    ok(cudaFree(d));
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(cuda_product, every_order_equals_the_cpu),
        LTE_CASE(cuda_product, any_size_equals_the_cpu),
        LTE_CASE(cuda_product, gram_matrices_equal_the_cpu),
        LTE_CASE(cuda_product, thread_arrays_of_any_shape_equal_the_cpu),
        LTE_CASE(cuda_product, figure_12_has_a_thread_an_element),
        LTE_CASE(cuda_product, figure_13_leaves_out_dimensions_of_one),
        LTE_CASE(cuda_product, figure_14_is_the_kernel_of_the_guide),
        LTE_CASE(cuda_product, gram_of_planes_equals_gram_of_matrices),
        LTE_CASE(cuda_product, threads_are_numbered_by_block),
        LTE_CASE(cuda_product, figure_7_transposes),
        LTE_CASE(cuda_product, copies_equal_those_of_the_host),
        LTE_CASE(cuda_product, what_the_device_cannot_do_is_refused),
    };
    return LTE_RUN_GPU_CASES("cuda_product", cases);
}
