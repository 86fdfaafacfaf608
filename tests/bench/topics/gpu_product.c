/* Topic product: matrices in every storage order, batches of Gram matrices, and cuBLAS. */
#include "kernels/methods/product/product_cuda.h"
#include "tests/bench/gpu_device.h"
#include "tests/bench/topics/gpu_topics.h"
#ifdef BENCH_HAVE_CUBLAS
#include "tests/bench/peers/gpu_libraries.h"
#endif

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* QUEUE_US: microseconds that queueing one call may take. */
enum { SIDE = 4096, WARM_UP = 2, REPETITIONS = 25, QUEUE_US = 30, N_ORDERS = 4 };

typedef enum { ROWS, HALVES, QUARTERS, BLOCKS } order;
static const char *const order_names[N_ORDERS] = {"row-major", "[2][n][n/2]", "[4][n][n/4]",
                                                  "[2][2][n/2][n/2]"};

typedef struct {
    const char *what;
    lte_element element;
    int n_batches, m, n, k;
    bool a_h;
    int n_orders; /* those that are timed */
} shape;

static const shape shapes[] = {
    {"float, 4096", LTE_FLOAT, 1, SIDE, SIDE, SIDE, false, N_ORDERS},
    {"complex, 4096", LTE_CFLOAT, 1, SIDE, SIDE, SIDE, false, N_ORDERS},
    {"float, 4095 x 4093 x 4091", LTE_FLOAT, 1, 4095, 4093, 4091, false, 1},
    {"complex, 1024", LTE_CFLOAT, 1, 1024, 1024, 1024, false, 1},
    {"float, 1024", LTE_FLOAT, 1, 1024, 1024, 1024, false, 1},
    {"1200 H'H, H 128 x 32", LTE_CFLOAT, 1200, 32, 32, 128, true, 1},
    {"1200 H'H, H 64 x 16", LTE_CFLOAT, 1200, 16, 16, 64, true, 1},
    {"1200 H'H, H 64 x 8", LTE_CFLOAT, 1200, 8, 8, 64, true, 1},
};

/* A matrix's storage and its view as [rows][columns], or [batches][rows][columns]. */
static lte_status type_of(const shape *s, order o, int rows, int columns, lte_array *view)
{
    const char *const element = s->element == LTE_FLOAT ? "float" : "cfloat";
    lte_array stored;
    const lte_array_name names[] = {{"A", &stored}, {NULL, NULL}};
    if (s->n_batches > 1)
        return lte_array_parse(view, NULL, "%s device [%d][%d][%d]", element, s->n_batches, rows,
                               columns);
    if (o == ROWS)
        return lte_array_parse(view, NULL, "%s device [%d][%d]", element, rows, columns);
    lte_status status =
        o == BLOCKS ? lte_array_parse(&stored, NULL, "%s device [2][2][%d][%d]", element, rows / 2,
                                      columns / 2)
                    : lte_array_parse(&stored, NULL, "%s device [%d][%d][%d]", element,
                                      o == HALVES ? 2 : 4, rows, columns / (o == HALVES ? 2 : 4));
    if (status)
        return status;
    return lte_array_parse(view, names, "%s device %s", element,
                           o == BLOCKS ? "[[#A_0][#A_2]][[#A_1][#A_3]]" : "[#A_1][[#A_0][#A_2]]");
}

static lte_status product_of(const shape *s, order o, lte_product *p)
{
    *p = (lte_product){.a_h = s->a_h};
    lte_status status = type_of(s, o, s->a_h ? s->k : s->m, s->a_h ? s->m : s->k, &p->a);
    if (!status)
        status = type_of(s, o, s->k, s->n, &p->b);
    return status ? status : type_of(s, o, s->m, s->n, &p->c);
}

static size_t bytes_of(const lte_array *a)
{
    const int64_t room = lte_array_room(a);
    return (size_t)(room < 1 ? 1 : room) * (size_t)lte_element_size(a->element);
}

/* Both factors and the product, row-major, and as often as there are calls in one order. */
typedef struct {
    bench_device *device;
    const shape *s;
    lte_product p, rows; /* the timed order, row-major */
    int n_calls;
    size_t a_size, b_size, c_size;
    float *a, *b, *c, *expected; /* in host memory */
    char *d_a, *d_b, *d_c;       /* [n_calls] */
    char *d_rows;                /* one matrix, row-major */
} buffers;

static void buffers_fini(buffers *x)
{
    (void)cudaFree(x->d_a);
    (void)cudaFree(x->d_b);
    (void)cudaFree(x->d_c);
    (void)cudaFree(x->d_rows);
    free(x->a);
    free(x->b);
    free(x->c);
    free(x->expected);
}

/* Uniform between -1 and 1. */
static void fill(float *x, size_t bytes, uint32_t by)
{
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        x[i] = (float)(int32_t)((uint32_t)i * 2654435761u * by ^ (uint32_t)(i >> 7) * 40503u) *
               0x1p-31f;
}

/* What the processor makes of the row-major factors. */
static lte_status expect(buffers *x)
{
    const int n_threads = omp_get_max_threads();
    lte_product p = x->rows;
    p.a.memory = p.b.memory = p.c.memory = LTE_PAGEABLE;
    void *work = aligned_alloc(64, lte_product_work(n_threads));
    if (!work)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a product");
    lte_status status = lte_product_run(&p, n_threads, x->a, x->b, x->expected, work);
    free(work);
    return status;
}

/* In every case x is for buffers_fini. */
static lte_status buffers_init(bench_device *device, const shape *s, buffers *x)
{
    *x = (buffers){.device = device, .s = s};
    lte_status status = product_of(s, ROWS, &x->rows);
    if (status)
        return status;
    x->a_size = bytes_of(&x->rows.a);
    x->b_size = bytes_of(&x->rows.b);
    x->c_size = bytes_of(&x->rows.c);
    if (x->a_size == 0 || x->b_size == 0 || x->c_size == 0)
        return LTE_FAIL(LTE_EINVAL, "matrices of nothing");
    const size_t all = x->a_size + x->b_size + x->c_size;
    const size_t most = x->a_size > x->c_size ? x->a_size : x->c_size;
    x->n_calls = (int)(3 * device->l2_bytes / all + 1);
    const size_t n = (size_t)x->n_calls;
    x->a = malloc(x->a_size);
    x->b = malloc(x->b_size);
    x->c = malloc(x->c_size);
    x->expected = malloc(x->c_size);
    if (!x->a || !x->b || !x->c || !x->expected)
        return LTE_FAIL(LTE_ENOMEM, "no memory for matrices of %zu bytes", all);
    fill(x->a, x->a_size, 1);
    fill(x->b, x->b_size, 3);
    status = LTE_CUDA(cudaMalloc((void **)&x->d_a, n * x->a_size));
    if (!status)
        status = LTE_CUDA(cudaMalloc((void **)&x->d_b, n * x->b_size));
    if (!status)
        status = LTE_CUDA(cudaMalloc((void **)&x->d_c, n * x->c_size));
    if (!status)
        status = LTE_CUDA(cudaMalloc((void **)&x->d_rows, most > x->b_size ? most : x->b_size));
    return status ? status : expect(x);
}

/* A factor to every call's memory, in the timed order. */
static lte_status put(buffers *x, const float *from, const lte_array *rows, const lte_array *type,
                      char *to)
{
    const size_t size = bytes_of(rows);
    cudaStream_t stream = x->device->stream;
    lte_status status =
        LTE_CUDA(cudaMemcpyAsync(x->d_rows, from, size, cudaMemcpyHostToDevice, stream));
    for (int i = 0; i < x->n_calls && !status; i++)
        status = lte_array_copy_cuda(rows, x->d_rows, type, to + (size_t)i * size, stream);
    return status;
}

static lte_status run_ours(const buffers *x, int call)
{
    const size_t i = (size_t)call;
    return lte_product_cuda(2, &x->p, x->d_a + i * x->a_size, x->d_b + i * x->b_size,
                            x->d_c + i * x->c_size, x->device->stream);
}

#ifdef BENCH_HAVE_CUBLAS
/* Row-major is the transposed of column-major: c' = b' op(a)'. */
static lte_status run_library(const buffers *x, int call)
{
    const shape *s = x->s;
    const bench_libraries *l = x->device->libraries;
    const size_t i = (size_t)call;
    const void *const a = x->d_a + i * x->a_size, *const b = x->d_b + i * x->b_size;
    void *const c = x->d_c + i * x->c_size;
    const float one = 1.0f, zero = 0.0f;
    const cuComplex one_c = {1.0f, 0.0f}, zero_c = {0.0f, 0.0f};
    const cublasOperation_t op = s->a_h ? CUBLAS_OP_C : CUBLAS_OP_N;
    const int m = s->m, n = s->n, k = s->k, lda = s->a_h ? m : k;
    const long long a_step = (long long)m * k, b_step = (long long)k * n, c_step = (long long)m * n;
    cublasStatus_t status;
    if (s->n_batches > 1)
        status = l->cgemm_batched(l->cublas, CUBLAS_OP_N, op, n, m, k, &one_c, b, n, b_step, a, lda,
                                  a_step, &zero_c, c, n, c_step, s->n_batches);
    else if (s->element == LTE_CFLOAT)
        status = l->cgemm(l->cublas, CUBLAS_OP_N, op, n, m, k, &one_c, b, n, a, lda, &zero_c, c, n);
    else
        status = l->sgemm(l->cublas, CUBLAS_OP_N, op, n, m, k, &one, b, n, a, lda, &zero, c, n);
    return status == CUBLAS_STATUS_SUCCESS ? LTE_OK : LTE_EDEVICE;
}

static const char *library_absent(const bench_libraries *l)
{
    return l && l->cublas ? NULL : "library not here";
}
#else
static lte_status run_library(const buffers *x, int call)
{
    (void)x;
    (void)call;
    return LTE_EDEVICE;
}

static const char *library_absent(const bench_libraries *l)
{
    (void)l;
    return "not built";
}
#endif

typedef lte_status run_fn(const buffers *x, int call);

/* Norm of the difference over that of the expected product; NaN counts as far off. */
static double error_of(const buffers *x)
{
    double apart = 0.0, all = 0.0;
    for (size_t i = 0; i < x->c_size / sizeof *x->c; i++) {
        const double d = (double)x->c[i] - (double)x->expected[i];
        apart += d * d;
        all += (double)x->expected[i] * (double)x->expected[i];
    }
    return sqrt(apart / all);
}

/* Ours: every bit of the last call; the library's: the norm of its error. */
static lte_status check(buffers *x, run_fn *run, bool ours, bool *wrong)
{
    cudaStream_t stream = x->device->stream;
    const size_t last = (size_t)(x->n_calls - 1) * x->c_size;
    lte_status status =
        LTE_CUDA(cudaMemsetAsync(x->d_c, 0xff, (size_t)x->n_calls * x->c_size, stream));
    *wrong = false;
    for (int i = 0; i < x->n_calls && !status && !*wrong; i++)
        *wrong = run(x, i) != LTE_OK;
    (void)cudaGetLastError(); /* of a library's failed launch; fetching shows what is worse */
    if (!status)
        status = lte_array_copy_cuda(ours ? &x->p.c : &x->rows.c, x->d_c + last, &x->rows.c,
                                     x->d_rows, stream);
    if (!status)
        status =
            LTE_CUDA(cudaMemcpyAsync(x->c, x->d_rows, x->c_size, cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(stream));
    if (!status)
        *wrong =
            *wrong || (ours ? memcmp(x->c, x->expected, x->c_size) != 0 : !(error_of(x) <= 1e-5));
    return status;
}

static lte_status time_calls(buffers *x, run_fn *run, double *us)
{
    lte_status status = bench_device_start(x->device, QUEUE_US * x->n_calls);
    for (int i = 0; i < x->n_calls && !status; i++)
        status = run(x, i);
    if (!status)
        status = bench_device_stop(x->device, us);
    *us /= x->n_calls;
    return status;
}

typedef struct {
    const char *name, *order, *absent;
    bool wrong;
    bench_percentiles us;
} entry;

static void add_row(const buffers *x, const entry *e, const entry *library, json_t *rows)
{
    const shape *s = x->s;
    const double flops = (s->element == LTE_FLOAT ? 2.0 : 8.0) * s->n_batches * s->m * s->n * s->k;
    json_t *row = json_pack("{s:s, s:s, s:s, s:s}", "what", s->what, "contender", e->name, "order",
                            e->order, "state",
                            e->absent  ? e->absent
                            : e->wrong ? "wrong, not timed"
                                       : "timed");
    (void)json_array_append_new(rows, row);
    if (e->us.samples == 0)
        return;
    bench_row_percentiles(row, "us", e->us);
    bench_row_real(row, "tflops", 1e-6 * flops / e->us.median);
    if (e == library || library->us.samples == 0)
        return;
    bench_row_real(row, "library_us", library->us.median);
    bench_row_real(row, "library_over_this", library->us.median / e->us.median);
}

/*
 * Ours in one order and the library, row-major, in turn; library: the figures of the first order.
 */
static lte_status run_order(buffers *x, order o, int repetitions, entry *library, json_t *rows)
{
    double sample[2][REPETITIONS];
    entry ours = {.name = "version 2", .order = order_names[o]};
    run_fn *const runs[] = {run_ours, run_library};
    entry *const entries[] = {&ours, library};
    const int n_entries = o == ROWS && !library->absent ? 2 : 1;
    lte_status status = product_of(x->s, o, &x->p);
    if (!status)
        status = put(x, x->a, &x->rows.a, &x->p.a, x->d_a);
    if (!status)
        status = put(x, x->b, &x->rows.b, &x->p.b, x->d_b);
    for (int i = 0; i < n_entries && !status; i++)
        status = check(x, runs[i], i == 0, &entries[i]->wrong);
    for (int r = -WARM_UP; r < repetitions && !status; r++) {
        for (int i = 0; i < n_entries && !status; i++) {
            const int next = (i + r + WARM_UP) % n_entries;
            double us = 0.0;
            if (!entries[next]->wrong)
                status = time_calls(x, runs[next], &us);
            if (r >= 0)
                sample[next][r] = us;
        }
    }
    for (int i = 0; i < n_entries && !status; i++)
        entries[i]->us = bench_percentiles_of(sample[i], entries[i]->wrong ? 0 : repetitions);
    if (!status && o == ROWS)
        add_row(x, library, library, rows);
    if (!status)
        add_row(x, &ours, library, rows);
    return status;
}

lte_status bench_gpu_product_run(const bench_options *options, json_t *rows)
{
    bench_device device;
    lte_status status = bench_device_open(&device);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !status; i++) {
        buffers x;
        entry library = {.name = "cuBLAS gemm", .order = order_names[ROWS]};
        library.absent = library_absent(device.libraries);
        status = buffers_init(&device, &shapes[i], &x);
        for (int o = 0; o < shapes[i].n_orders && !status; o++)
            status = run_order(&x, (order)o, options->quick ? 5 : REPETITIONS, &library, rows);
        buffers_fini(&x);
    }
    bench_device_close(&device);
    return status;
}
