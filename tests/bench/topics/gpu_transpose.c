/* Topic transpose: both versions, cuBLAS and a copy. */
#include "kernels/methods/transpose/transpose_cuda.h"
#include "tests/bench/peers/copy_bench.h"
#include "tests/bench/topics/gpu_kernels.h"
#include "tests/bench/topics/gpu_topics.h"
#ifdef BENCH_HAVE_CUBLAS
#include "tests/bench/peers/gpu_libraries.h"
#endif

#include <stdlib.h>

typedef struct {
    const char *what;
    int element_size, n_rows, n_columns;
    const bench_libraries *libraries; /* of the device */
} matrix;

static const matrix matrices[] = {
    {"float, 4096 x 4096", 4, 4096, 4096, NULL},     {"complex, 4096 x 4096", 8, 4096, 4096, NULL},
    {"16 bytes, 4096 x 4096", 16, 4096, 4096, NULL}, {"float, 4097 x 4095", 4, 4097, 4095, NULL},
    {"complex, 4097 x 4095", 8, 4097, 4095, NULL},
};

static size_t bytes_of(const matrix *m)
{
    return (size_t)m->element_size * (size_t)m->n_rows * (size_t)m->n_columns;
}

static lte_status run_ours(const bench_copy_entry *self, const void *d_in, void *d_out,
                           cudaStream_t stream)
{
    const matrix *m = self->with;
    return lte_transpose_cuda(self->version, m->element_size, 1, m->n_rows, m->n_columns, d_in,
                              d_out, stream);
}

static lte_status run_memcpy(const bench_copy_entry *self, const void *d_in, void *d_out,
                             cudaStream_t stream)
{
    return LTE_CUDA(
        cudaMemcpyAsync(d_out, d_in, bytes_of(self->with), cudaMemcpyDeviceToDevice, stream));
}

static lte_status run_kernel(const bench_copy_entry *self, const void *d_in, void *d_out,
                             cudaStream_t stream)
{
    bench_gpu_copy((bytes_of(self->with) + 15) / 16 * 16, d_in, d_out, stream);
    return LTE_CUDA(cudaGetLastError());
}

#ifdef BENCH_HAVE_CUBLAS

/* X = A', column major: the matrices' rows are its columns. The second summand is nothing. */
static lte_status run_geam(const bench_copy_entry *self, const void *d_in, void *d_out,
                           cudaStream_t stream)
{
    const matrix *m = self->with;
    const bench_libraries *l = m->libraries;
    const int rows = m->n_rows, columns = m->n_columns;
    const float one = 1.0f, zero = 0.0f;
    const cuComplex one_c = {1.0f, 0.0f}, zero_c = {0.0f, 0.0f};
    const cuDoubleComplex one_z = {1.0, 0.0}, zero_z = {0.0, 0.0};
    cublasStatus_t status = CUBLAS_STATUS_NOT_SUPPORTED;
    (void)stream; /* the handle's */
    if (m->element_size == 4)
        status = l->sgeam(l->cublas, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, d_in, columns,
                          &zero, d_out, rows, d_out, rows);
    if (m->element_size == 8)
        status = l->cgeam(l->cublas, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one_c, d_in, columns,
                          &zero_c, d_out, rows, d_out, rows);
    if (m->element_size == 16)
        status = l->zgeam(l->cublas, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one_z, d_in, columns,
                          &zero_z, d_out, rows, d_out, rows);
    return status == CUBLAS_STATUS_SUCCESS ? LTE_OK : LTE_EDEVICE;
}

static const char *geam_absent(const bench_libraries *l)
{
    return l && l->cublas ? NULL : "library not here";
}
#else
static lte_status run_geam(const bench_copy_entry *self, const void *d_in, void *d_out,
                           cudaStream_t stream)
{
    (void)self;
    (void)d_in;
    (void)d_out;
    (void)stream;
    return LTE_EDEVICE;
}

static const char *geam_absent(const bench_libraries *l)
{
    (void)l;
    return "not built";
}
#endif

/* Floats from 1 to 2, which libraries multiply by one; so are doubles made of two of them. */
static void fill(uint32_t *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        word[i] = 0x3f800000u | ((uint32_t)i * 2654435761u) >> 9;
}

static const bench_copy_entry entries[] = {
    {.name = "version 1",
     .mapping = "thread per element, 16 x 16 tiles",
     .version = 1,
     .run = run_ours},
    {.name = "version 2",
     .mapping = "16 bytes a time, swizzled tiles",
     .version = 2,
     .run = run_ours},
    {.name = "cuBLAS geam", .mapping = "out of place", .side = BENCH_COPY_LIBRARY, .run = run_geam},
    {.name = "copy", .mapping = "cudaMemcpyAsync", .side = BENCH_COPY_CEILING, .run = run_memcpy},
    {.name = "copy", .mapping = "kernel, 16 bytes", .side = BENCH_COPY_CEILING, .run = run_kernel},
};
enum { N_ENTRIES = sizeof entries / sizeof *entries };

/* a is the matrix, x the transposed one. */
static lte_status run_entries(bench_device *device, const matrix *m, const void *a, const void *x,
                              int repetitions, json_t *rows)
{
    bench_copy_entry list[N_ENTRIES];
    const bench_copy_data data = {m->what, a, bytes_of(m), bytes_of(m)};
    for (int i = 0; i < N_ENTRIES; i++) {
        list[i] = entries[i];
        list[i].with = m;
        list[i].expected = list[i].side == BENCH_COPY_CEILING ? a : x;
        if (list[i].side == BENCH_COPY_LIBRARY)
            list[i].absent = geam_absent(device->libraries);
    }
    return bench_copy_run(device, &data, repetitions, list, N_ENTRIES, rows);
}

static lte_status run_matrix(bench_device *device, const matrix *chosen, int repetitions,
                             json_t *rows)
{
    matrix m = *chosen;
    const size_t bytes = bytes_of(&m);
    void *a = malloc(bytes), *x = malloc(bytes);
    lte_status status = LTE_OK;
    m.libraries = device->libraries;
    if (!a || !x) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a matrix of %zu bytes", bytes);
        goto cleanup;
    }
    fill(a, bytes / sizeof(uint32_t));
    status = lte_transpose(m.element_size, 1, m.n_rows, m.n_columns, a, x);
    if (!status)
        status = run_entries(device, &m, a, x, repetitions, rows);
cleanup:
    free(a);
    free(x);
    return status;
}

lte_status bench_gpu_transpose_run(const bench_options *options, json_t *rows)
{
    bench_device device;
    lte_status status = bench_device_open(&device);
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices && !status; i++)
        status =
            run_matrix(&device, &matrices[i], options->quick ? 5 : BENCH_COPY_REPETITIONS, rows);
    bench_device_close(&device);
    return status;
}
