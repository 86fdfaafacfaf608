#include "tests/bench/gpu_ceilings.h"
#include "tests/bench/bench.h"
#include "kernels/cuda.h"
#include "tests/bench/race_kernels.h"

/* COPY_BYTES: beyond the L2, and long enough that starting the copy does not count. */
enum { N_LAUNCHES = 2001, N_COPIES = 21, COPY_BYTES = 256 << 20 };

typedef struct {
    cudaStream_t stream;
    cudaEvent_t start, stop;
    void *host, *d_from, *d_to; /* COPY_BYTES each */
} bench;

static lte_status bench_init(bench *b)
{
    *b = (bench){.stream = NULL};
    lte_status status = LTE_CUDA(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking));
    if (!status)
        status = LTE_CUDA(cudaEventCreate(&b->start));
    if (!status)
        status = LTE_CUDA(cudaEventCreate(&b->stop));
    if (!status)
        status = LTE_CUDA(cudaMallocHost(&b->host, COPY_BYTES));
    if (!status)
        status = LTE_CUDA(cudaMalloc(&b->d_from, COPY_BYTES));
    if (!status)
        status = LTE_CUDA(cudaMalloc(&b->d_to, COPY_BYTES));
    return status;
}

static void bench_fini(bench *b)
{
    (void)cudaFree(b->d_to);
    (void)cudaFree(b->d_from);
    (void)cudaFreeHost(b->host);
    if (b->stop)
        (void)cudaEventDestroy(b->stop);
    if (b->start)
        (void)cudaEventDestroy(b->start);
    if (b->stream)
        (void)cudaStreamDestroy(b->stream);
}

static lte_status time_launches(const bench *b, double *p50_us)
{
    static double sample[N_LAUNCHES];
    lte_status status = LTE_OK;
    for (int i = -100; i < N_LAUNCHES && !status; i++) {
        const double start = lte_now_us();
        lte_race_nothing(b->stream);
        status = LTE_CUDA(cudaStreamSynchronize(b->stream));
        if (i >= 0)
            sample[i] = lte_now_us() - start;
    }
    if (!status)
        status = LTE_LAUNCHED(lte_race_nothing);
    if (status)
        return status;
    *p50_us = bench_spread_of(sample, N_LAUNCHES).median;
    return LTE_OK;
}

/* The median rate of copies from one address to another, each byte counted once. */
static lte_status time_copies(const bench *b, const void *from, double *bytes_per_s)
{
    double sample[N_COPIES];
    lte_status status = LTE_OK;
    for (int i = -2; i < N_COPIES && !status; i++) {
        float ms = 0;
        status = LTE_CUDA(cudaEventRecord(b->start, b->stream));
        if (!status)
            status =
                LTE_CUDA(cudaMemcpyAsync(b->d_to, from, COPY_BYTES, cudaMemcpyDefault, b->stream));
        if (!status)
            status = LTE_CUDA(cudaEventRecord(b->stop, b->stream));
        if (!status)
            status = LTE_CUDA(cudaStreamSynchronize(b->stream));
        if (!status)
            status = LTE_CUDA(cudaEventElapsedTime(&ms, b->start, b->stop));
        if (i >= 0)
            sample[i] = COPY_BYTES / (1e-3 * (double)ms);
    }
    if (status)
        return status;
    *bytes_per_s = bench_spread_of(sample, N_COPIES).median;
    return LTE_OK;
}

lte_status lte_gpu_ceilings_measure(lte_gpu_ceilings *ceilings)
{
    bench b;
    *ceilings = (lte_gpu_ceilings){0};
    lte_status status = bench_init(&b);
    if (!status)
        status = time_launches(&b, &ceilings->launch_us);
    if (!status)
        status = time_copies(&b, b.host, &ceilings->bus_bytes_per_s);
    if (!status)
        status = time_copies(&b, b.d_from, &ceilings->memory_bytes_per_s);
    ceilings->memory_bytes_per_s *= 2; /* read and written */
    bench_fini(&b);
    return status;
}
