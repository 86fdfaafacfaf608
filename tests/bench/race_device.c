/* The device of the race, opened and described. */
#include "tests/bench/command.h"
#include "tests/bench/race.h"
#include "tests/bench/race_kernels.h"
#include "tests/bench/race_topics.h"
#include "tests/bench/report.h"

#include <string.h>

const char *lte_race_absent(void)
{
    int n = 0;
    if (cudaGetDeviceCount(&n) == cudaSuccess && n > 0)
        return NULL;
    (void)cudaGetLastError();
    return "no usable GPU";
}

lte_status lte_race_open(lte_race *race)
{
    int l2_bytes = 0;
    *race = (lte_race){0};
    lte_status status = LTE_CUDA(cudaSetDevice(0));
    if (!status)
        status = LTE_CUDA(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0));
    if (!status)
        status = LTE_CUDA(cudaStreamCreateWithFlags(&race->stream, cudaStreamNonBlocking));
    if (!status)
        status = LTE_CUDA(cudaEventCreate(&race->start));
    if (!status)
        status = LTE_CUDA(cudaEventCreate(&race->stop));
    race->l2_bytes = (size_t)l2_bytes;
#ifdef LTE_BENCH_CUBLAS
    if (!status)
        status = lte_race_libraries_open(race->stream, &race->libraries);
#endif
    return status;
}

void lte_race_close(lte_race *race)
{
#ifdef LTE_BENCH_CUBLAS
    lte_race_libraries_close(race->libraries);
#endif
    if (race->stop)
        (void)cudaEventDestroy(race->stop);
    if (race->start)
        (void)cudaEventDestroy(race->start);
    if (race->stream)
        (void)cudaStreamDestroy(race->stream);
}

lte_status lte_race_start(lte_race *race, int queue_us)
{
    lte_race_delay(100 + queue_us, race->stream);
    return LTE_CUDA(cudaEventRecord(race->start, race->stream));
}

lte_status lte_race_stop(lte_race *race, double *us)
{
    float ms = 0.0f;
    lte_status status = LTE_CUDA(cudaEventRecord(race->stop, race->stream));
    if (!status)
        status = LTE_CUDA(cudaEventSynchronize(race->stop));
    if (!status)
        status = LTE_CUDA(cudaEventElapsedTime(&ms, race->start, race->stop));
    *us = 1e3 * (double)ms;
    return status;
}

/* What only the driver's own tool tells; "" where there is none. */
static void ask_driver(const char *bus, const char *query, char *text, size_t size)
{
    char option[128];
    lte_command_end end;
    (void)snprintf(option, sizeof option, "--query-gpu=%s", query);
    const char *const argv[] = {"nvidia-smi", "-i", bus, option, "--format=csv,noheader", NULL};
    if (lte_command_run(argv, text, size, &end) || end.exit_code != 0)
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static void version_text(int version, char *text, size_t size)
{
    (void)snprintf(text, size, "%d.%d", version / 1000, version % 1000 / 10);
}

json_t *lte_machine_gpu(void)
{
    struct cudaDeviceProp properties;
    int clock_khz = 0, memory_khz = 0, runtime = 0, supported = 0;
    char bus[32] = "", driver[64], clocks[128], runtime_text[16], supported_text[16];
    char libraries[128] = "none";
    lte_race race;
    (void)cudaDeviceGetPCIBusId(bus, (int)sizeof bus, 0);
    /* first of all, since clocks sink soon after the work */
    ask_driver(bus, "clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,power.limit", clocks,
               sizeof clocks);
    ask_driver(bus, "driver_version", driver, sizeof driver);
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
        return NULL;
    if (lte_race_open(&race)) {
        lte_race_close(&race);
        return NULL;
    }
    (void)cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0);
    (void)cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, 0);
    (void)cudaRuntimeGetVersion(&runtime);
    (void)cudaDriverGetVersion(&supported);
    version_text(runtime, runtime_text, sizeof runtime_text);
    version_text(supported, supported_text, sizeof supported_text);
#ifdef LTE_BENCH_CUBLAS
    lte_race_libraries_text(race.libraries, libraries, sizeof libraries);
#endif
    lte_race_close(&race);
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:s}", "name",
                     properties.name, "multiprocessors", properties.multiProcessorCount, "l2_bytes",
                     properties.l2CacheSize, "memory_mb", (int)(properties.totalGlobalMem >> 20),
                     "clock_mhz", clock_khz / 1000, "memory_clock_mhz", memory_khz / 1000, "clocks",
                     clocks, "driver", driver[0] ? driver : "unknown", "driver_supports_cuda",
                     supported_text, "toolkit", LTE_HAVE_CUDA, "runtime", runtime_text, "libraries",
                     libraries);
}
