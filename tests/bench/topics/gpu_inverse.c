/* Topic inverse-large: every version, the libraries and a copy, order by order. */
#include "kernels/cuda/inversion/inversion_versions.h"
#include "tests/bench/gpu_device.h"
#include "tests/bench/topics/gpu_kernels.h"
#include "tests/bench/topics/gpu_topics.h"
#include "tests/bench/large_matrices.h"
#ifdef BENCH_HAVE_CUBLAS
#include "tests/bench/peers/gpu_libraries.h"
#endif

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_CHECKED = 8, N_DIFFERENT = 64, MAX_REPETITIONS = 20 };

/* A batch of one order. */
typedef struct {
    int n, n_matrices;
} order;

static const order orders[] = {
    {9, 1000000}, {16, 1000000}, {24, 100000}, {32, 100000}, {48, 100000},
    {64, 100000}, {100, 20000},  {128, 20000}, {192, 4000},  {256, 2000},
};

/* What a contender works on; all in device memory. */
typedef struct {
    int n, n_matrices;
    size_t bytes;
    lte_cf32 *start, *a, *x; /* start: the matrices; libraries may destroy a */
    uint8_t *flag;
    int *pivot, *info;
    void **a_list, **x_list;
    void *work;
} buffers;

typedef struct contender contender;
struct contender {
    const char *name, *mapping;
    bool hermitian;                       /* is given Gram matrices */
    bool destroys;                        /* a must be made anew, which is not timed */
    const lte_inversion_version *version; /* NULL: a library, or the copy */
    const bench_libraries *libraries;
    lte_status (*run)(const contender *self, const buffers *b, cudaStream_t stream);
};

static lte_status run_ours(const contender *self, const buffers *b, cudaStream_t stream)
{
    return lte_inversion_cuda(
        self->version,
        &(lte_inverse_batch){LTE_CFLOAT, b->n, b->n_matrices, b->a, b->x, b->flag, b->work},
        stream);
}

static lte_status run_copy(const contender *self, const buffers *b, cudaStream_t stream)
{
    (void)self;
    return LTE_CUDA(cudaMemcpyAsync(b->x, b->a, b->bytes, cudaMemcpyDeviceToDevice, stream));
}

#ifdef BENCH_HAVE_CUBLAS

static const cuComplex *const *in(void *const *list)
{
    return (const cuComplex *const *)(const void *)list;
}

static cuComplex **out(void **list)
{
    return (cuComplex **)(void *)list;
}

static lte_status run_matinv(const contender *self, const buffers *b, cudaStream_t stream)
{
    const bench_libraries *l = self->libraries;
    (void)stream; /* the handle's */
    return l->matinv(l->cublas, b->n, in(b->a_list), b->n, out(b->x_list), b->n, b->info,
                     b->n_matrices) == CUBLAS_STATUS_SUCCESS
               ? LTE_OK
               : LTE_EDEVICE;
}

static lte_status run_getri(const contender *self, const buffers *b, cudaStream_t stream)
{
    const bench_libraries *l = self->libraries;
    (void)stream;
    return l->getrf(l->cublas, b->n, out(b->a_list), b->n, b->pivot, b->info, b->n_matrices) ==
                       CUBLAS_STATUS_SUCCESS &&
                   l->getri(l->cublas, b->n, in(b->a_list), b->n, b->pivot, out(b->x_list), b->n,
                            b->info, b->n_matrices) == CUBLAS_STATUS_SUCCESS
               ? LTE_OK
               : LTE_EDEVICE;
}

static lte_status run_potrf(const contender *self, const buffers *b, cudaStream_t stream)
{
    const bench_libraries *l = self->libraries;
    const cuComplex one = {1.0f, 0.0f};
    const int n = b->n, count = b->n_matrices;
    bench_gpu_identity(n, count, b->x, stream);
    return l->potrf(l->cusolver, CUBLAS_FILL_MODE_LOWER, n, out(b->a_list), n, b->info, count) ==
                       CUSOLVER_STATUS_SUCCESS &&
                   l->trsm(l->cublas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                           CUBLAS_DIAG_NON_UNIT, n, n, &one, in(b->a_list), n, out(b->x_list), n,
                           count) == CUBLAS_STATUS_SUCCESS &&
                   l->trsm(l->cublas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C,
                           CUBLAS_DIAG_NON_UNIT, n, n, &one, in(b->a_list), n, out(b->x_list), n,
                           count) == CUBLAS_STATUS_SUCCESS
               ? LTE_OK
               : LTE_EDEVICE;
}
#endif

enum { MAX_CONTENDERS = 16 };

/* The copy first, then this project's versions, then what libraries are here. */
static int contenders_of(const bench_device *device, int n, contender *list)
{
    int count = 0;
    list[count++] = (contender){.name = "copy", .mapping = "cudaMemcpyAsync", .run = run_copy};
    for (const lte_inversion_version *v = lte_inversion_versions; v->name; v++) {
        if (lte_inversion_method(v) >= 0 && lte_inversion_takes(v, LTE_CFLOAT, n) &&
            count < MAX_CONTENDERS - 3)
            list[count++] = (contender){.name = v->name,
                                        .mapping = v->mapping,
                                        .hermitian = lte_inverter_rows[v->inverter].hermitian,
                                        .version = v,
                                        .run = run_ours};
    }
#ifdef BENCH_HAVE_CUBLAS
    const bench_libraries *l = device->libraries;
    if (l && l->cublas && n <= 32)
        list[count++] = (contender){.name = "cuBLAS matinvBatched",
                                    .mapping = "pivoted",
                                    .libraries = l,
                                    .run = run_matinv};
    if (l && l->cublas)
        list[count++] = (contender){.name = "cuBLAS getrf+getri",
                                    .mapping = "pivoted, in place",
                                    .destroys = true,
                                    .libraries = l,
                                    .run = run_getri};
    if (l && l->cusolver)
        list[count++] = (contender){.name = "cuSOLVER potrf + 2 trsm",
                                    .mapping = "Cholesky, with identities",
                                    .hermitian = true,
                                    .destroys = true,
                                    .libraries = l,
                                    .run = run_potrf};
#else
    (void)device;
#endif
    return count;
}

static void buffers_fini(buffers *b)
{
    (void)cudaFree(b->start);
    (void)cudaFree(b->a);
    (void)cudaFree(b->x);
    (void)cudaFree(b->flag);
    (void)cudaFree(b->pivot);
    (void)cudaFree(b->info);
    (void)cudaFree(b->a_list);
    (void)cudaFree(b->x_list);
    (void)cudaFree(b->work);
}

/* In every case b is for buffers_fini. */
static lte_status buffers_init(const order *o, cudaStream_t stream, buffers *b)
{
    const size_t count = (size_t)o->n_matrices, matrix = (size_t)(o->n * o->n) * sizeof(lte_cf32);
    size_t work = 16;
    *b = (buffers){.n = o->n, .n_matrices = o->n_matrices, .bytes = count * matrix};
    for (const lte_inversion_version *v = lte_inversion_versions; v->name; v++) {
        const size_t size = lte_inversion_work(v, LTE_CFLOAT, o->n, o->n_matrices);
        work = size > work ? size : work;
    }
    const struct {
        void **to;
        size_t bytes;
    } all[] = {{(void **)&b->start, b->bytes},
               {(void **)&b->a, b->bytes},
               {(void **)&b->x, b->bytes},
               {(void **)&b->flag, count},
               {(void **)&b->pivot, count * (size_t)o->n * sizeof(int)},
               {(void **)&b->info, count * sizeof(int)},
               {(void **)&b->a_list, count * sizeof(void *)},
               {(void **)&b->x_list, count * sizeof(void *)},
               {&b->work, work}};
    lte_status status = LTE_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++)
        status = LTE_CUDA(cudaMalloc(all[i].to, all[i].bytes));
    if (status)
        return status;
    bench_gpu_list(o->n_matrices, b->a, matrix, b->a_list, stream);
    bench_gpu_list(o->n_matrices, b->x, matrix, b->x_list, stream);
    return LTE_CUDA(cudaGetLastError());
}

/* start: the N_DIFFERENT matrices over and over; the copies double each time. */
static lte_status fill(const buffers *b, const lte_cf32 *matrices, cudaStream_t stream)
{
    const size_t matrix = (size_t)(b->n * b->n) * sizeof *matrices;
    char *const start = (char *)b->start;
    size_t filled = matrix * N_DIFFERENT < b->bytes ? matrix * N_DIFFERENT : b->bytes;
    lte_status status =
        LTE_CUDA(cudaMemcpyAsync(start, matrices, filled, cudaMemcpyHostToDevice, stream));
    while (filled < b->bytes && !status) {
        const size_t next = filled < b->bytes - filled ? filled : b->bytes - filled;
        status = LTE_CUDA(
            cudaMemcpyAsync(start + filled, start, next, cudaMemcpyDeviceToDevice, stream));
        filled += next;
    }
    return status;
}

static lte_status renew(const buffers *b, cudaStream_t stream)
{
    return LTE_CUDA(cudaMemcpyAsync(b->a, b->start, b->bytes, cudaMemcpyDeviceToDevice, stream));
}

/*
 * Runs it once over an output of NaNs and says what is wrong, or NULL: our last matrices must have
 * the CPU's bits, those of libraries a residual of at most 4.
 */
static const char *check(const bench_device *device, const contender *c, const buffers *b,
                         const lte_cf32 *matrices, lte_cf32 *x, double *residual)
{
    const size_t n2 = (size_t)b->n * (size_t)b->n, count = (size_t)b->n_matrices;
    const lte_inverse_level *level = lte_inverse_best();
    lte_cf32 *expected = malloc(N_CHECKED * n2 * sizeof *x);
    void *work = aligned_alloc(64, lte_inverse_work(1));
    const char *wrong = expected && work ? NULL : "no memory";
    uint8_t flag[N_CHECKED];
    *residual = 0.0;
    if (!wrong && (cudaMemsetAsync(b->x, 0xff, b->bytes, device->stream) != cudaSuccess ||
                   renew(b, device->stream) || c->run(c, b, device->stream) ||
                   cudaMemcpyAsync(x, b->x + (count - N_CHECKED) * n2, N_CHECKED * n2 * sizeof *x,
                                   cudaMemcpyDeviceToHost, device->stream) != cudaSuccess ||
                   cudaStreamSynchronize(device->stream) != cudaSuccess))
        wrong = "failed";
    for (size_t i = 0; i < N_CHECKED && !wrong; i++) {
        const lte_cf32 *const a = matrices + (count - N_CHECKED + i) % N_DIFFERENT * n2;
        const double r = bench_large_residual(b->n, a, x + i * n2);
        *residual = r > *residual || r != r ? r : *residual;
        if (c->version && (lte_inverse(level, lte_inversion_method(c->version),
                                       &(lte_inverse_batch){LTE_CFLOAT, b->n, 1, a,
                                                            expected + i * n2, &flag[i], work},
                                       1) ||
                           memcmp(expected + i * n2, x + i * n2, n2 * sizeof *x) != 0))
            wrong = "WRONG";
    }
    if (!wrong && c->run != run_copy && !(*residual <= 4.0))
        wrong = "WRONG";
    free(expected);
    free(work);
    return wrong;
}

static lte_status time_once(bench_device *device, const contender *c, const buffers *b, double *us)
{
    lte_status status = c->destroys ? renew(b, device->stream) : LTE_OK;
    if (!status)
        status = bench_device_start(device, 200);
    if (!status)
        status = c->run(c, b, device->stream);
    if (!status)
        status = bench_device_stop(device, us);
    return status;
}

static json_t *row_of(const order *o, const contender *c, const char *wrong, double residual)
{
    double read, written;
    json_t *row = json_pack("{s:i, s:i, s:s, s:s, s:s, s:s}", "n", o->n, "batch", o->n_matrices,
                            "contender", c->name, "mapping", c->mapping, "method",
                            c->version           ? lte_inverter_rows[c->version->inverter].name
                            : c->run == run_copy ? ""
                            : c->hermitian       ? "cholesky"
                                                 : "lu",
                            "state", wrong ? wrong : "good");
    if (row && c->run != run_copy)
        bench_row_real(row, "residual_over_n_u_a_x", residual);
    if (row && c->version && !c->hermitian && o->n >= LTE_INVERSE_BLOCK && c->version->work &&
        !lte_inverse_traffic(lte_inversion_method(c->version), LTE_CFLOAT, o->n, LTE_INVERSE_BLOCK,
                             &read, &written))
        bench_row_real(row, "counted_gb", (read + written) * o->n_matrices * 1e-9);
    return row;
}

/* Times of all that are good, in turn, and their rows. */
static lte_status race(bench_device *device, const order *o, const buffers *b,
                       const contender *list, int n_list, bool hermitian, json_t **row,
                       int repetitions)
{
    static double us[MAX_CONTENDERS][MAX_REPETITIONS];
    lte_status status = renew(b, device->stream);
    for (int r = -1; r < repetitions && !status; r++) { /* the first one warms up */
        for (int i = 0; i < n_list && !status; i++) {
            if (row[i])
                status = time_once(device, &list[i], b, &us[i][r < 0 ? 0 : r]);
            if (row[i] && list[i].destroys && !status)
                status = renew(b, device->stream);
        }
    }
    if (status)
        return status;
    double copy = 0.0, library = INFINITY;
    bench_percentiles spread[MAX_CONTENDERS];
    for (int i = 0; i < n_list; i++) {
        if (!row[i])
            continue;
        spread[i] = bench_percentiles_of(us[i], repetitions);
        if (i == 0)
            copy = spread[i].median;
        else if (!list[i].version && spread[i].median < library)
            library = spread[i].median;
    }
    for (int i = 0; i < n_list; i++) {
        if (!row[i])
            continue;
        const double flops = (hermitian ? 4.0 : 8.0) * pow(o->n, 3) * o->n_matrices;
        bench_row_percentiles(row[i], "us", spread[i]);
        bench_row_real(row[i], "over_copy", spread[i].median / copy);
        if (i > 0)
            bench_row_real(row[i], "tflops", flops / spread[i].median * 1e-6);
        if (!list[i].version)
            continue;
        bench_row_real(row[i], "library_over_this", library / spread[i].median);
        if (lte_inversion_choose(list[i].version->inverter, LTE_CFLOAT, o->n, o->n_matrices) !=
            list[i].version)
            continue;
        (void)json_object_set_new(row[i], "chosen", json_string("chosen"));
    }
    return LTE_OK;
}

/* Everyone who inverts such matrices: Hermitian ones, or general ones. */
static lte_status run_kind(bench_device *device, const order *o, const buffers *b, bool hermitian,
                           int repetitions, json_t *rows)
{
    const size_t n2 = (size_t)o->n * (size_t)o->n;
    lte_cf32 *matrices = malloc(N_DIFFERENT * n2 * sizeof *matrices);
    lte_cf32 *x = malloc(N_CHECKED * n2 * sizeof *x);
    contender list[MAX_CONTENDERS];
    json_t *row[MAX_CONTENDERS] = {NULL};
    const int n_list = contenders_of(device, o->n, list);
    lte_status status = LTE_OK;
    if (!matrices || !x) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for matrices of order %d", o->n);
        goto cleanup;
    }
    bench_large_fill(o->n, N_DIFFERENT, hermitian, matrices);
    status = fill(b, matrices, device->stream);
    for (int i = 0; i < n_list && !status; i++) {
        double residual;
        if (i > 0 && list[i].hermitian != hermitian)
            continue;
        const char *wrong = check(device, &list[i], b, matrices, x, &residual);
        json_t *made = row_of(o, &list[i], i == 0 ? NULL : wrong, residual);
        if (!made || json_array_append_new(rows, made) != 0)
            status = LTE_FAIL(LTE_ENOMEM, "no memory for the figures");
        row[i] = !wrong || i == 0 ? made : NULL; /* what is wrong is not timed */
    }
    if (!status)
        status = race(device, o, b, list, n_list, hermitian, row, repetitions);
cleanup:
    free(matrices);
    free(x);
    return status;
}

lte_status bench_gpu_inverse_run(const bench_options *options, json_t *rows)
{
    bench_device device;
    lte_status status = bench_device_open(&device);
    for (size_t i = 0; i < sizeof orders / sizeof *orders && !status; i++) {
        buffers b = {0};
        status = buffers_init(&orders[i], device.stream, &b);
        for (int hermitian = 0; hermitian < 2 && !status; hermitian++)
            status = run_kind(&device, &orders[i], &b, hermitian != 0,
                              options->quick ? 3 : MAX_REPETITIONS, rows);
        buffers_fini(&b);
    }
    bench_device_close(&device);
    return status;
}
