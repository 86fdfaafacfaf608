/* The entries of the race: this project's versions, the libraries, the copies. */
#include "tests/bench/peers/race_buffers.h"
#include "tests/bench/topics/gpu_kernels.h"
#ifdef BENCH_HAVE_CUBLAS
#include "tests/bench/peers/gpu_libraries.h"
#endif

static lte_status run_ours(const bench_race_entry *self, const bench_race_call *call,
                           cudaStream_t stream)
{
    return lte_inversion_cuda(
        self->version,
        &(lte_inverse_batch){LTE_CFLOAT, call->n, call->count, call->a, call->x, call->flag, NULL},
        stream);
}

static size_t bytes_of(const bench_race_call *call)
{
    return (size_t)call->count * (size_t)call->n * (size_t)call->n * sizeof(lte_cf32);
}

static lte_status run_memcpy(const bench_race_entry *self, const bench_race_call *call,
                             cudaStream_t stream)
{
    (void)self;
    return LTE_CUDA(
        cudaMemcpyAsync(call->x, call->a, bytes_of(call), cudaMemcpyDeviceToDevice, stream));
}

static lte_status run_kernel(const bench_race_entry *self, const bench_race_call *call,
                             cudaStream_t stream)
{
    (void)self;
    bench_gpu_copy(bytes_of(call), call->a, call->x, stream);
    return LTE_CUDA(cudaGetLastError());
}

#ifdef BENCH_HAVE_CUBLAS

/*
 * Libraries take column-major matrices through lists of addresses. Row major they are the
 * transposed ones, whose inverses are transposed too: nothing but the lists must be converted.
 */
typedef struct {
    cuComplex **a, **x;
} lists;

/* The native lists, or those of this call, with a copy of a where it would be destroyed. */
static bool lists_of(const bench_race_entry *self, const bench_race_call *call, bool destroys,
                     cudaStream_t stream, lists *out)
{
    const size_t matrix = bytes_of(call) / (size_t)call->count;
    out->a = (cuComplex **)call->a_list;
    out->x = (cuComplex **)call->x_list;
    if (!self->charged)
        return true;
    out->a = (cuComplex **)call->local_list;
    out->x = (cuComplex **)(call->local_list + call->count);
    if (destroys && cudaMemcpyAsync(call->scratch, call->a, bytes_of(call),
                                    cudaMemcpyDeviceToDevice, stream) != cudaSuccess)
        return false;
    bench_gpu_list(call->count, destroys ? call->scratch : call->a, matrix, (void **)out->a,
                   stream);
    bench_gpu_list(call->count, call->x, matrix, (void **)out->x, stream);
    return cudaGetLastError() == cudaSuccess;
}

/* const of a list's elements, which C does not convert by itself. */
static const cuComplex *const *in(cuComplex *const *list)
{
    return (const cuComplex *const *)list;
}

/* Library failures are shown in the table, not announced: capturing may well be refused. */
static lte_status run_matinv(const bench_race_entry *self, const bench_race_call *call,
                             cudaStream_t stream)
{
    const bench_libraries *l = self->libraries;
    const int n = call->n;
    lists at;
    const bool good = lists_of(self, call, false, stream, &at) &&
                      l->matinv(l->cublas, n, in(at.a), n, at.x, n, call->info, call->count) ==
                          CUBLAS_STATUS_SUCCESS;
    return good ? LTE_OK : LTE_EDEVICE;
}

static lte_status run_lu(const bench_race_entry *self, const bench_race_call *call,
                         cudaStream_t stream)
{
    const bench_libraries *l = self->libraries;
    const int n = call->n;
    int *pivot = self->general ? call->pivot : NULL; /* NULL: no pivoting */
    lists at;
    const bool good =
        lists_of(self, call, true, stream, &at) &&
        l->getrf(l->cublas, n, at.a, n, pivot, call->info, call->count) == CUBLAS_STATUS_SUCCESS &&
        l->getri(l->cublas, n, in(at.a), n, pivot, at.x, n, call->info, call->count) ==
            CUBLAS_STATUS_SUCCESS;
    return good ? LTE_OK : LTE_EDEVICE;
}

/* A = L L', L Y = I, L' X = Y. */
static lte_status run_cholesky(const bench_race_entry *self, const bench_race_call *call,
                               cudaStream_t stream)
{
    const bench_libraries *l = self->libraries;
    const cuComplex one = {1.0f, 0.0f};
    const int n = call->n, count = call->count;
    lists at;
    if (!lists_of(self, call, true, stream, &at))
        return LTE_EDEVICE;
    if (self->charged)
        bench_gpu_identity(n, count, call->x, stream);
    const bool good = cudaGetLastError() == cudaSuccess &&
                      l->potrf(l->cusolver, CUBLAS_FILL_MODE_LOWER, n, at.a, n, call->info,
                               count) == CUSOLVER_STATUS_SUCCESS &&
                      l->trsm(l->cublas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                              CUBLAS_DIAG_NON_UNIT, n, n, &one, in(at.a), n, at.x, n,
                              count) == CUBLAS_STATUS_SUCCESS &&
                      l->trsm(l->cublas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C,
                              CUBLAS_DIAG_NON_UNIT, n, n, &one, in(at.a), n, at.x, n,
                              count) == CUBLAS_STATUS_SUCCESS;
    return good ? LTE_OK : LTE_EDEVICE;
}

static const char *absent(const bench_race_entry *entry, const bench_libraries *l)
{
    const bool here = l && l->cublas && (entry->run != run_cholesky || l->cusolver);
    return here ? NULL : "library not here";
}
#else
#define run_matinv NULL
#define run_lu NULL
#define run_cholesky NULL

static const char *absent(const bench_race_entry *entry, const bench_libraries *l)
{
    (void)entry;
    (void)l;
    return "not built";
}
#endif

#define LIBRARY(label, text, pivots, converts, rhs, function)                                      \
    {                                                                                              \
        .side = BENCH_RACE_LIBRARY, .name = (label), .mapping = (text), .general = (pivots),       \
        .charged = (converts), .identity = (rhs), .run = (function)                                \
    }
static const bench_race_entry theirs[] = {
    LIBRARY("cuBLAS matinvBatched", "pivoted", true, false, false, run_matinv),
    LIBRARY("cuBLAS matinvBatched", "pivoted; with the lists", true, true, false, run_matinv),
    LIBRARY("cuBLAS getrf+getri", "pivoted, in place", true, false, false, run_lu),
    LIBRARY("cuBLAS getrf+getri", "pivoted; with lists and copy", true, true, false, run_lu),
    LIBRARY("cuBLAS getrf+getri", "no pivoting, in place", false, false, false, run_lu),
    LIBRARY("cuBLAS getrf+getri", "no pivoting; with lists and copy", false, true, false, run_lu),
    LIBRARY("cuSOLVER potrf + 2 trsm", "Cholesky, in place", false, false, true, run_cholesky),
    LIBRARY("cuSOLVER potrf + 2 trsm", "Cholesky; with lists, copy, identities", false, true, false,
            run_cholesky),
};
static const bench_race_entry copies[] = {
    {.side = BENCH_RACE_COPY, .name = "copy", .mapping = "cudaMemcpyAsync", .run = run_memcpy},
    {.side = BENCH_RACE_COPY, .name = "copy", .mapping = "kernel, 16 bytes", .run = run_kernel},
};

int bench_race_entries_of(const bench_device *device, bench_race_entry *list)
{
    int n = 0;
    for (const lte_inversion_version *v = lte_inversion_versions; v->name; v++) {
        if (lte_inversion_method(v) < 0 && n < BENCH_MAX_RACE_ENTRIES - 10)
            list[n++] = (bench_race_entry){.side = BENCH_RACE_OURS,
                                           .name = v->name,
                                           .mapping = v->mapping,
                                           .general = v->inverter == LTE_INVERTER_gauss_jordan,
                                           .version = v,
                                           .run = run_ours};
    }
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++, n++) {
        list[n] = theirs[i];
        list[n].libraries = device->libraries;
        list[n].absent = absent(&theirs[i], device->libraries);
    }
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        list[n++] = copies[i];
    return n;
}

lte_status bench_race_entries_check(bench_device *device, int n, const bench_race_set *sets,
                                    int n_sets, bench_race_entry *list, int n_list)
{
    lte_status status = LTE_OK;
    for (int s = 0; s < n_sets && !status; s++) {
        bench_buffers *buffers = NULL;
        status = bench_buffers_create(device, n, sets[s].count, 1, &sets[s], &buffers);
        for (int i = 0; i < n_list && !status; i++) {
            if (!list[i].absent && (list[i].general || !sets[s].general))
                status = bench_buffers_check(buffers, &list[i], sets[s].count);
        }
        bench_buffers_free(buffers);
    }
    return status;
}
