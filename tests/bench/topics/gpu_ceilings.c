/* What a slot on the device cannot be faster than: an empty kernel, and large copies. */
#include "tests/bench/topics/gpu_topics.h"
#include "tests/bench/gpu_device.h"
#include "tests/bench/topics/gpu_kernels.h"
#include "kernels/backends/clock.h"

/* COPY_BYTES: beyond the L2, and long enough that starting the copy does not count. */
enum { N_LAUNCHES = 2001, N_COPIES = 21, COPY_BYTES = 256 << 20 };

static lte_status time_launches(const bench_device *device, double *p50_us)
{
    static double sample[N_LAUNCHES];
    lte_status status = LTE_OK;
    for (int i = -100; i < N_LAUNCHES && !status; i++) {
        const double start = lte_seconds();
        bench_gpu_nothing(device->stream);
        status = LTE_CUDA(cudaStreamSynchronize(device->stream));
        if (i >= 0)
            sample[i] = 1e6 * (lte_seconds() - start);
    }
    if (!status)
        status = LTE_LAUNCHED(bench_gpu_nothing);
    if (status)
        return status;
    *p50_us = bench_percentiles_of(sample, N_LAUNCHES).median;
    return LTE_OK;
}

/* The median rate of copies from one address to another, each byte counted once. */
static lte_status time_copies(bench_device *device, void *to, const void *from, double *bytes_per_s)
{
    double sample[N_COPIES];
    lte_status status = LTE_OK;
    for (int i = -2; i < N_COPIES && !status; i++) {
        double us = 0.0;
        status = LTE_CUDA(cudaEventRecord(device->start, device->stream));
        if (!status)
            status =
                LTE_CUDA(cudaMemcpyAsync(to, from, COPY_BYTES, cudaMemcpyDefault, device->stream));
        if (!status)
            status = bench_device_stop(device, &us);
        if (i >= 0)
            sample[i] = COPY_BYTES / (1e-6 * us);
    }
    if (status)
        return status;
    *bytes_per_s = bench_percentiles_of(sample, N_COPIES).median;
    return LTE_OK;
}

lte_status bench_gpu_ceilings_measure(bench_gpu_ceilings *ceilings)
{
    void *host = NULL, *d_from = NULL, *d_to = NULL; /* COPY_BYTES each */
    bench_device device;
    *ceilings = (bench_gpu_ceilings){0};
    lte_status status = bench_device_open(&device);
    if (!status)
        status = LTE_CUDA(cudaMallocHost(&host, COPY_BYTES));
    if (!status)
        status = LTE_CUDA(cudaMalloc(&d_from, COPY_BYTES));
    if (!status)
        status = LTE_CUDA(cudaMalloc(&d_to, COPY_BYTES));
    if (!status)
        status = time_launches(&device, &ceilings->launch_us);
    if (!status)
        status = time_copies(&device, d_to, host, &ceilings->bus_bytes_per_s);
    if (!status)
        status = time_copies(&device, d_to, d_from, &ceilings->memory_bytes_per_s);
    ceilings->memory_bytes_per_s *= 2; /* read and written */
    (void)cudaFree(d_to);
    (void)cudaFree(d_from);
    (void)cudaFreeHost(host);
    bench_device_close(&device);
    return status;
}
