/* Topic reference: both versions of both reference matrices, and a fill. */
#include "kernels/methods/reference/reference_cuda.h"
#include "tests/bench/peers/copy_bench.h"
#include "tests/bench/topics/gpu_kernels.h"
#include "tests/bench/topics/gpu_topics.h"

#include <stdlib.h>

enum { SIDE = 4096, LENGTH = 1193, ELEMENTS = SIDE * SIDE, BYTES = ELEMENTS * 8 };

/* The parameters of both matrices. */
typedef struct {
    lte_sar sar;
    lte_zc zc;
    lte_zc_row rows[SIDE];
    lte_zc_row *d_rows;
} sets;

static lte_status run_sar(const bench_copy_entry *self, const void *d_in, void *d_out,
                          cudaStream_t stream)
{
    const sets *s = self->with;
    float *re = d_out;
    (void)d_in;
    return lte_reference_sar_cuda(self->version, &s->sar, SIDE, SIDE, re, re + ELEMENTS, stream);
}

static lte_status run_zc(const bench_copy_entry *self, const void *d_in, void *d_out,
                         cudaStream_t stream)
{
    const sets *s = self->with;
    (void)d_in;
    return lte_reference_zc_cuda(self->version, &s->zc, s->d_rows, SIDE, SIDE, d_out, stream);
}

static lte_status run_memset(const bench_copy_entry *self, const void *d_in, void *d_out,
                             cudaStream_t stream)
{
    (void)self;
    (void)d_in;
    return LTE_CUDA(cudaMemsetAsync(d_out, 0, BYTES, stream));
}

static lte_status run_fill(const bench_copy_entry *self, const void *d_in, void *d_out,
                           cudaStream_t stream)
{
    (void)self;
    (void)d_in;
    bench_gpu_fill(BYTES, d_out, stream);
    return LTE_CUDA(cudaGetLastError());
}

/* One of the two; x: what it must hold. */
static lte_status run_matrix(bench_device *device, const sets *s, bool zc, const void *x,
                             int repetitions, json_t *rows)
{
    bench_copy_entry list[] = {
        {.name = "version 1",
         .mapping = "thread per element, 16 x 16 a block",
         .version = 1,
         .run = zc ? run_zc : run_sar},
        {.name = "version 2",
         .mapping = "16 bytes a time of 16 rows",
         .version = 2,
         .run = zc ? run_zc : run_sar},
        {.name = "fill",
         .mapping = "cudaMemsetAsync",
         .side = BENCH_COPY_CEILING,
         .run = run_memset},
        {.name = "fill",
         .mapping = "kernel, 16 bytes",
         .side = BENCH_COPY_CEILING,
         .run = run_fill},
    };
    enum { N = sizeof list / sizeof *list };
    const bench_copy_data data = {zc ? "Zadoff-Chu, complex" : "azimuth, two planes", NULL, 0,
                                  BYTES};
    for (int i = 0; i < N; i++) {
        list[i].with = s;
        list[i].expected = list[i].side == BENCH_COPY_CEILING ? NULL : x;
    }
    return bench_copy_run(device, &data, repetitions, list, N, rows);
}

static void sets_init(sets *s)
{
    s->sar = (lte_sar){.range = 850e3,
                       .range_step = 7.5,
                       .speed = 7100.0,
                       .wavelength = 0.031,
                       .interval = 1.0 / 1700.0,
                       .centre = 0.5 * SIDE};
    s->zc = lte_zc_of(LENGTH);
    for (uint32_t m = 0; m < SIDE; m++)
        s->rows[m] = (lte_zc_row){1 + m % (LENGTH - 1), m * 13 % LENGTH, m % 12};
}

lte_status bench_gpu_reference_run(const bench_options *options, json_t *rows)
{
    const int repetitions = options->quick ? 5 : BENCH_COPY_REPETITIONS;
    bench_device device;
    sets *s = calloc(1, sizeof *s);
    float *x = malloc(BYTES);
    lte_status status = bench_device_open(&device);
    if (status)
        goto cleanup;
    if (!s || !x) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a reference matrix");
        goto cleanup;
    }
    sets_init(s);
    status = LTE_CUDA(cudaMalloc((void **)&s->d_rows, sizeof s->rows));
    if (!status)
        status = LTE_CUDA(cudaMemcpyAsync(s->d_rows, s->rows, sizeof s->rows,
                                          cudaMemcpyHostToDevice, device.stream));
    if (!status)
        status = lte_reference_sar(&s->sar, SIDE, SIDE, x, x + ELEMENTS);
    if (!status)
        status = run_matrix(&device, s, false, x, repetitions, rows);
    if (!status)
        status = lte_reference_zc(&s->zc, s->rows, SIDE, SIDE, (lte_cf32 *)(void *)x);
    if (!status)
        status = run_matrix(&device, s, true, x, repetitions, rows);
cleanup:
    if (s)
        (void)cudaFree(s->d_rows);
    free(s);
    free(x);
    bench_device_close(&device);
    return status;
}
