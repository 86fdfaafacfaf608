/*
 * One version of the published mapping inverts one batch, for a profiler to count its bytes.
 *
 *     traffic_cuda VERSION METHOD TYPE N [REPETITIONS]
 *
 * A block column of all matrices is TIMES_L2 times the L2, so that none is found there by the next
 * launch. Prints "matrices, counted bytes read, written", and with repetitions the mean of their
 * times in ms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/launchers.h"
#include "kernels/cuda/inversion/inversion_versions.h"
#include "tests/bench/large_matrices.h"

enum { TIMES_L2 = 4, N_DIFFERENT = 16 };

static const lte_inversion_version *version_of(const char *name, const char *method)
{
    const lte_inversion_version *v = lte_inversion_versions;
    while (v->name &&
           (strcmp(v->name, name) != 0 || strcmp(lte_inverter_rows[v->inverter].name, method) != 0))
        v++;
    return v->name ? v : NULL;
}

/* The few different matrices over and over. */
static lte_status fill(const void *matrices, size_t matrix, int count, char *d_a)
{
    lte_status status =
        LTE_CUDA(cudaMemcpy(d_a, matrices, N_DIFFERENT * matrix, cudaMemcpyHostToDevice));
    for (int filled = N_DIFFERENT; filled < count && !status;) {
        const int next = filled < count - filled ? filled : count - filled;
        status = LTE_CUDA(cudaMemcpy(d_a + (size_t)filled * matrix, d_a, (size_t)next * matrix,
                                     cudaMemcpyDeviceToDevice));
        filled += next;
    }
    return status;
}

/* A batch in device memory. */
typedef struct {
    int n, n_matrices;
    lte_element element;
    void *a, *x, *flag, *work;
} batch;

static lte_status init(const lte_inversion_version *v, batch *b)
{
    const size_t size = (size_t)lte_element_size(b->element);
    const size_t n2 = (size_t)b->n * (size_t)b->n, count = (size_t)b->n_matrices;
    lte_cf32 *matrices = malloc(N_DIFFERENT * n2 * sizeof *matrices);
    lte_status status = matrices ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for matrices");
    if (!status)
        status = LTE_CUDA(cudaMalloc(&b->a, count * n2 * size));
    if (!status)
        status = LTE_CUDA(cudaMalloc(&b->x, count * n2 * size));
    if (!status)
        status = LTE_CUDA(cudaMalloc(&b->flag, count));
    if (!status)
        status =
            LTE_CUDA(cudaMalloc(&b->work, lte_inversion_work(v, b->element, b->n, b->n_matrices)));
    if (!status) {
        bench_large_fill(b->n, N_DIFFERENT, false, matrices); /* as reals, twice what is needed */
        status = fill(matrices, n2 * size, b->n_matrices, b->a);
    }
    free(matrices);
    return status;
}

static lte_status invert(const lte_inversion_version *v, const batch *b, int times)
{
    lte_status status = LTE_OK;
    for (int r = 0; r < times && !status; r++)
        status = lte_inversion_cuda(
            v, &(lte_inverse_batch){b->element, b->n, b->n_matrices, b->a, b->x, b->flag, b->work},
            NULL);
    return status ? status : LTE_CUDA(cudaDeviceSynchronize());
}

static lte_status time_of(const lte_inversion_version *v, const batch *b, int repetitions)
{
    cudaEvent_t start, stop;
    float ms;
    lte_status status = LTE_CUDA(cudaEventCreate(&start));
    if (!status)
        status = LTE_CUDA(cudaEventCreate(&stop));
    if (!status)
        status = invert(v, b, 1); /* warms up */
    if (!status)
        status = LTE_CUDA(cudaEventRecord(start, NULL));
    if (!status)
        status = invert(v, b, repetitions);
    if (!status)
        status = LTE_CUDA(cudaEventRecord(stop, NULL));
    if (!status)
        status = LTE_CUDA(cudaEventSynchronize(stop));
    if (!status)
        status = LTE_CUDA(cudaEventElapsedTime(&ms, start, stop));
    if (!status)
        printf(" %.3f", (double)ms / repetitions);
    return status;
}

static lte_status run(const lte_inversion_version *v, lte_element element, int n, int repetitions)
{
    int l2_bytes = 0;
    double read, written;
    lte_status status = LTE_CUDA(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    if (!status)
        status = lte_inverse_traffic(lte_inversion_method(v), element, n, LTE_INVERSE_BLOCK, &read,
                                     &written);
    if (status)
        return status;
    batch b = {.n = n, .element = element};
    b.n_matrices =
        TIMES_L2 * (l2_bytes / (n * LTE_INVERSE_BLOCK * lte_element_size(element))) + N_DIFFERENT;
    printf("%d %.0f %.0f", b.n_matrices, read * b.n_matrices, written * b.n_matrices);
    status = init(v, &b);
    if (!status)
        status = repetitions > 0 ? time_of(v, &b, repetitions) : invert(v, &b, 1);
    printf("\n");
    (void)cudaFree(b.a);
    (void)cudaFree(b.x);
    (void)cudaFree(b.flag);
    (void)cudaFree(b.work);
    return status;
}

int main(int argc, char **argv)
{
    const lte_inversion_version *v = argc > 4 ? version_of(argv[1], argv[2]) : NULL;
    const int n = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 0;
    const int repetitions = argc > 5 ? (int)strtol(argv[5], NULL, 10) : 0;
    if (!v || !v->work || n < LTE_INVERSE_BLOCK || n > LTE_INVERSE_MAX_ORDER || repetitions < 0 ||
        (strcmp(argv[3], "real") != 0 && strcmp(argv[3], "complex") != 0)) {
        (void)fprintf(stderr, "usage: traffic_cuda VERSION METHOD real|complex N [REPETITIONS]\n");
        return 2;
    }
    const lte_element element = strcmp(argv[3], "real") == 0 ? LTE_FLOAT : LTE_CFLOAT;
    return run(v, element, n, repetitions) == LTE_OK ? 0 : 1;
}
