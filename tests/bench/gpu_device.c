/* The GPU that is measured: opened, its stream timed, described. */
#include "tests/bench/gpu_device.h"
#include "tests/bench/command.h"
#include "tests/bench/topics/gpu_kernels.h"
#include "tests/bench/topics/gpu_topics.h"
#include "tests/bench/tables/report.h"

#include <string.h>

const char *bench_device_absent(void)
{
    int n = 0;
    if (cudaGetDeviceCount(&n) == cudaSuccess && n > 0)
        return NULL;
    (void)cudaGetLastError();
    return "no usable GPU";
}

lte_status bench_device_open(bench_device *device)
{
    int l2_bytes = 0;
    *device = (bench_device){0};
    lte_status status = LTE_CUDA(cudaSetDevice(0));
    if (!status)
        status = LTE_CUDA(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    if (!status)
        status = LTE_CUDA(cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking));
    if (!status)
        status = LTE_CUDA(cudaEventCreate(&device->start));
    if (!status)
        status = LTE_CUDA(cudaEventCreate(&device->stop));
    device->l2_bytes = (size_t)l2_bytes;
#ifdef BENCH_HAVE_CUBLAS
    if (!status)
        status = bench_libraries_open(device->stream, &device->libraries);
#endif
    return status;
}

void bench_device_close(bench_device *device)
{
#ifdef BENCH_HAVE_CUBLAS
    bench_libraries_close(device->libraries);
#endif
    if (device->stop)
        (void)cudaEventDestroy(device->stop);
    if (device->start)
        (void)cudaEventDestroy(device->start);
    if (device->stream)
        (void)cudaStreamDestroy(device->stream);
}

lte_status bench_device_start(bench_device *device, int queue_us)
{
    bench_gpu_delay(100 + queue_us, device->stream);
    return LTE_CUDA(cudaEventRecord(device->start, device->stream));
}

lte_status bench_device_stop(bench_device *device, double *us)
{
    float ms = 0.0f;
    lte_status status = LTE_CUDA(cudaEventRecord(device->stop, device->stream));
    if (!status)
        status = LTE_CUDA(cudaEventSynchronize(device->stop));
    if (!status)
        status = LTE_CUDA(cudaEventElapsedTime(&ms, device->start, device->stop));
    *us = 1e3 * (double)ms;
    return status;
}

size_t bench_device_calls(const bench_device *device, size_t call_bytes)
{
    const size_t n = 3 * device->l2_bytes / call_bytes + 1;
    return n < 8 ? 8 : n;
}

/* What only the driver's own tool tells; "" where there is none. */
static void ask_driver(const char *bus, const char *query, char *text, size_t size)
{
    char option[128];
    bench_command_end end;
    (void)snprintf(option, sizeof option, "--query-gpu=%s", query);
    const char *const argv[] = {"nvidia-smi", "-i", bus, option, "--format=csv,noheader", NULL};
    if (bench_command_run(argv, text, size, &end) || end.exit_code != 0)
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static void version_text(int version, char *text, size_t size)
{
    (void)snprintf(text, size, "%d.%d", version / 1000, version % 1000 / 10);
}

json_t *bench_machine_gpu(void)
{
    struct cudaDeviceProp properties;
    int clock_khz = 0, memory_khz = 0, runtime = 0, supported = 0;
    char bus[32] = "", driver[64], clocks[128], runtime_text[16], supported_text[16];
    char libraries[128] = "none";
    bench_device device;
    (void)cudaDeviceGetPCIBusId(bus, (int)sizeof bus, 0);
    /* first of all, since clocks sink soon after the work */
    ask_driver(bus, "clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.limit", clocks,
               sizeof clocks);
    ask_driver(bus, "driver_version", driver, sizeof driver);
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
        return NULL;
    if (bench_device_open(&device)) {
        bench_device_close(&device);
        return NULL;
    }
    (void)cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0);
    (void)cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, 0);
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cudaDriverGetVersion(&supported);
    version_text(runtime, runtime_text, sizeof runtime_text);
    version_text(supported, supported_text, sizeof supported_text);
#ifdef BENCH_HAVE_CUBLAS
    bench_libraries_text(device.libraries, libraries, sizeof libraries);
#endif
    bench_device_close(&device);
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:s}", "name",
                     properties.name, "multiprocessors", properties.multiProcessorCount, "l2_bytes",
                     properties.l2CacheSize, "memory_mb", (int)(properties.totalGlobalMem >> 20),
                     "clock_mhz", clock_khz / 1000, "memory_clock_mhz", memory_khz / 1000, "clocks",
                     clocks, "driver", driver[0] ? driver : "unknown", "driver_supports_cuda",
                     supported_text, "toolkit", BENCH_CUDA_VERSION, "runtime", runtime_text,
                     "libraries", libraries);
}
