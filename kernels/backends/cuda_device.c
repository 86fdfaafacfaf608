/* The CUDA devices in words: how many are usable, their size, driver and clocks. */
#include "kernels/backends/cuda_device.h"

#include <stdio.h>
#include <string.h>

#include "kernels/cuda_status.h"

/* Oldest architecture: sums over a warp in one instruction. */
enum { OLDEST_MAJOR = 8 };

int lte_cuda_n_devices(void)
{
    int n = 0, usable = 0;
    if (cudaGetDeviceCount(&n) != cudaSuccess) {
        (void)cudaGetLastError(); /* no driver or no device: nothing to report */
        return 0;
    }
    for (int i = 0; i < n; i++) {
        int major = 0;
        if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i) == cudaSuccess &&
            major >= OLDEST_MAJOR && usable == i)
            usable++;
    }
    return usable;
}

/* Version of the driver, as its kernel module tells it; else the CUDA version that it supports. */
static void driver_version(char *text, size_t size)
{
    char line[256] = "";
    int version = 0;
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (file) {
        if (!fgets(line, sizeof line, file))
            line[0] = '\0';
        (void)fclose(file);
    }
    for (const char *word = strtok(line, " \t\n"); word; word = strtok(NULL, " \t\n")) {
        if (word[0] >= '0' && word[0] <= '9' && strchr(word, '.')) {
            (void)snprintf(text, size, "%s", word);
            return;
        }
    }
    if (cudaDriverGetVersion(&version) == cudaSuccess)
        (void)snprintf(text, size, "CUDA %d.%d", version / 1000, version % 1000 / 10);
}

static int attribute(enum cudaDeviceAttr what, int device)
{
    int value = 0;
    (void)cudaDeviceGetAttribute(&value, what, device);
    return value;
}

lte_status lte_cuda_describe(int i, lte_device *device)
{
    struct cudaDeviceProp properties;
    memset(device, 0, sizeof *device);
    lte_status status = LTE_CUDA(cudaGetDeviceProperties(&properties, i));
    if (status)
        return status;
    (void)snprintf(device->name, sizeof device->name, "%.127s", properties.name);
    (void)snprintf(device->text, sizeof device->text,
                   "compute capability %d.%d, %d multiprocessors, %.4g GiB, L2 %.4g MiB",
                   properties.major, properties.minor, properties.multiProcessorCount,
                   (double)properties.totalGlobalMem / (double)((size_t)1 << 30),
                   properties.l2CacheSize / 1048576.0);
    driver_version(device->driver, sizeof device->driver);
    device->clock_mhz = attribute(cudaDevAttrClockRate, i) / 1000;
    device->memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate, i) / 1000;
    device->l2_bytes = (size_t)properties.l2CacheSize;
    return LTE_OK;
}
