/* The CUDA devices in words: how many are usable, their size, driver and clocks. */
#include "kernels/backends/cuda/cuda_device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/launchers.h"

/* Oldest architecture: sums over a warp in one instruction. */
enum { OLDEST_MAJOR = 8, MOST_REASON = 256 };

static _Thread_local char reason[MOST_REASON];

static int attribute(enum cudaDeviceAttr what, int device)
{
    int value = 0;
    (void)cudaDeviceGetAttribute(&value, what, device);
    return value;
}

/* Compute capability, as 90 for 9.0. */
static int capability(int device)
{
    return 10 * attribute(cudaDevAttrComputeCapabilityMajor, device) +
           attribute(cudaDevAttrComputeCapabilityMinor, device);
}

/* Why the runtime knows no device: as cudaGetDeviceCount ended. */
static void explain_none(cudaError_t error)
{
    int driver = 0, runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    if (error == cudaErrorInsufficientDriver && driver > 0)
        (void)snprintf(reason, sizeof reason,
                       "the driver supports CUDA %d.%d, but this program was built with CUDA %d.%d",
                       driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    else if (driver == 0)
        (void)snprintf(reason, sizeof reason, "no NVIDIA driver");
    else
        (void)snprintf(reason, sizeof reason, "%s", cudaGetErrorString(error));
}

/* True if this program has code for device i; else why not. */
static bool has_code(int i)
{
    cudaError_t error = cudaSuccess;
    const int of = capability(i);
    if (of >= 10 * OLDEST_MAJOR)
        error = lte_loads_cuda(i);
    if (of >= 10 * OLDEST_MAJOR && error == cudaSuccess)
        return true;
    (void)snprintf(reason, sizeof reason, "cuda:%d has compute capability %d.%d: %s", i, of / 10,
                   of % 10,
                   error == cudaSuccess ? "8.0 or later is needed" : cudaGetErrorString(error));
    return false;
}

int lte_cuda_n_devices(void)
{
    int n = 0, usable = 0, loads[LTE_MAX_PLACES];
    const cudaError_t error = cudaGetDeviceCount(&n);
    reason[0] = '\0';
    if (error != cudaSuccess || n == 0) {
        (void)cudaGetLastError();
        explain_none(error);
        return 0;
    }
    /* code loads on all devices of one capability or on none */
    for (; usable < n && usable < LTE_MAX_PLACES; usable++) {
        int k = 0;
        while (k < usable && loads[k] != capability(usable))
            k++;
        if (k == usable && !has_code(usable))
            break;
        loads[usable] = capability(usable);
    }
    return usable;
}

const char *lte_cuda_why_none(void)
{
    (void)lte_cuda_n_devices();
    return reason;
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

/* What the system tells of a device on the bus, as "16" of its max_link_width; 0: nothing. */
static double link_value(int i, const char *name)
{
    char id[32] = "", path[128], line[64] = "";
    if (cudaDeviceGetPCIBusId(id, sizeof id, i) != cudaSuccess)
        return 0.0;
    for (char *c = id; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", id, name);
    FILE *file = fopen(path, "r");
    const bool told = file && fgets(line, sizeof line, file);
    if (file)
        (void)fclose(file);
    return told ? strtod(line, NULL) : 0.0;
}

/* Rates by clocks and widths: multiply-adds of all lanes, memory at both edges, 128 of 130 bits. */
static void put_rates(int i, int n_processors, lte_device *device)
{
    const double lanes = capability(i) == 80 ? 64.0 : 128.0; /* of a multiprocessor, for floats */
    device->flops_per_s = 2.0 * lanes * n_processors * 1e3 * attribute(cudaDevAttrClockRate, i);
    device->memory_bytes_per_s = 2.0 * 1e3 * attribute(cudaDevAttrMemoryClockRate, i) *
                                 attribute(cudaDevAttrGlobalMemoryBusWidth, i) / 8.0;
    device->bus_bytes_per_s = 1e9 * link_value(i, "max_link_speed") *
                              link_value(i, "max_link_width") * 128.0 / 130.0 / 8.0;
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
    put_rates(i, properties.multiProcessorCount, device);
    return LTE_OK;
}
