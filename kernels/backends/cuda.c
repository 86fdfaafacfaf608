#include "kernels/backends/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda.h"
#include "kernels/backends/cuda_slots.h"

/* Oldest architecture: sums over a warp in one instruction. */
enum { OLDEST_MAJOR = 8 };

/* Slots of one launch: the most end a sweep within a blink of a signal, the fewest fill a GPU. */
enum { MOST_SLOTS = 65536, FEWEST_SLOTS = 256 };
static const size_t default_device_memory = (size_t)2 << 30;

struct lte_engine {
    lte_link link; /* what it refers to is on the device */
    void *d_correlation_factor, *d_stored, *d_reference, *d_weight, *d_estimation_error;
    int device;
    cudaStream_t stream;
    int most_slots;
    lte_sweep_memory memory;
    lte_power *d_power;   /* [most_slots] */
    lte_errors *d_errors; /* [most_slots][LTE_N_DETECTORS] */
    lte_power *power;     /* the same in pinned host memory */
    lte_errors *errors;
    /* the sweep under way; n_slots is 0 if there is none */
    int n_slots, n_detectors;
    lte_power *power_out;
    lte_errors *errors_out;
    lte_cuda_ticks *ticks;
    char choices[512];
};

static int n_devices(void)
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

static lte_status describe(int i, lte_device *device)
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

static void free_memory(lte_sweep_memory *memory)
{
    (void)cudaFree(memory->tap);
    (void)cudaFree(memory->pilots);
    (void)cudaFree(memory->h);
    (void)cudaFree(memory->residual);
    *memory = (lte_sweep_memory){0};
}

static void engine_free(lte_engine *engine)
{
    if (!engine)
        return;
    (void)cudaSetDevice(engine->device);
    lte_cuda_ticks_free(engine->ticks);
    if (engine->stream)
        (void)cudaStreamSynchronize(engine->stream);
    (void)cudaFree(engine->d_correlation_factor);
    (void)cudaFree(engine->d_stored);
    (void)cudaFree(engine->d_reference);
    (void)cudaFree(engine->d_weight);
    (void)cudaFree(engine->d_estimation_error);
    free_memory(&engine->memory);
    (void)cudaFree(engine->d_power);
    (void)cudaFree(engine->d_errors);
    (void)cudaFreeHost(engine->power);
    (void)cudaFreeHost(engine->errors);
    if (engine->stream)
        (void)cudaStreamDestroy(engine->stream);
    free(engine);
}

/* Bytes that a slot of a sweep takes, by what they are. */
typedef struct {
    size_t tap, pilots, h, residual, counts;
} slot_bytes;

static slot_bytes bytes_of_slot(const lte_link *link)
{
    const size_t planes = (size_t)link->n_rx * (size_t)link->n_sc * sizeof(lte_cf32);
    slot_bytes bytes = {.tap = lte_slot_taps(link) * sizeof(lte_cf32),
                        .counts = sizeof(lte_power) + LTE_N_DETECTORS * sizeof(lte_errors)};
    if (link->pilot >= 0) {
        bytes.pilots = planes;
        bytes.h = planes * (size_t)link->n_tx;
        bytes.residual = sizeof(int64_t);
    }
    return bytes;
}

/* True if there is memory for n slots; what there was of it is given back if not. */
static bool alloc_memory(lte_engine *engine, const slot_bytes *bytes, size_t n)
{
    const struct {
        void **memory;
        size_t size;
    } all[] = {
        {(void **)&engine->memory.tap, bytes->tap},
        {(void **)&engine->memory.pilots, bytes->pilots},
        {(void **)&engine->memory.h, bytes->h},
        {(void **)&engine->memory.residual, bytes->residual},
        {(void **)&engine->d_power, sizeof(lte_power)},
        {(void **)&engine->d_errors, LTE_N_DETECTORS * sizeof(lte_errors)},
    };
    bool enough = true;
    for (size_t i = 0; i < sizeof all / sizeof *all && enough; i++)
        enough = all[i].size == 0 || cudaMalloc(all[i].memory, n * all[i].size) == cudaSuccess;
    if (enough)
        return true;
    (void)cudaGetLastError();
    free_memory(&engine->memory);
    (void)cudaFree(engine->d_power);
    (void)cudaFree(engine->d_errors);
    engine->d_power = NULL;
    engine->d_errors = NULL;
    return false;
}

/*
 * Memory for as many slots of a sweep as the limit and the device allow, fewer where it runs out.
 */
static lte_status alloc_slots(lte_engine *engine, size_t limit)
{
    const slot_bytes bytes = bytes_of_slot(&engine->link);
    const size_t one = bytes.tap + bytes.pilots + bytes.h + bytes.residual + bytes.counts;
    const size_t fit = limit / one;
    size_t n = fit < MOST_SLOTS ? fit : MOST_SLOTS;
    if (n < 1)
        return LTE_FAIL(LTE_ENOMEM,
                        "a sweep needs at least %zu bytes of device memory; %zu are allowed", one,
                        limit);
    for (; !alloc_memory(engine, &bytes, n); n /= 2) {
        if (n <= 1) {
            size_t left = 0, total = 0;
            (void)cudaMemGetInfo(&left, &total);
            return LTE_FAIL(LTE_ENOMEM,
                            "a sweep asked for %zu bytes of device memory; %zu of %zu are free",
                            one, left, total);
        }
    }
    engine->most_slots = (int)n;
    lte_status status = LTE_CUDA(cudaMallocHost((void **)&engine->power, n * sizeof(lte_power)));
    if (!status)
        status = LTE_CUDA(
            cudaMallocHost((void **)&engine->errors, n * LTE_N_DETECTORS * sizeof(lte_errors)));
    return status;
}

/* In the stream's order: a plain copy may still be on its way when the stream's kernels start. */
static lte_status copy_table(const void *table, size_t size, cudaStream_t stream, void **d_table)
{
    lte_status status = LTE_CUDA(cudaMalloc(d_table, size));
    return status
               ? status
               : LTE_CUDA(cudaMemcpyAsync(*d_table, table, size, cudaMemcpyHostToDevice, stream));
}

/* What the link refers to, on the device. */
static lte_status copy_tables(lte_engine *engine)
{
    lte_link *link = &engine->link;
    lte_pilots *pilots = &link->pilots;
    const size_t n = (size_t)link->n_rx * (size_t)link->n_tx, n_tx = (size_t)link->n_tx;
    const size_t n_sets = (size_t)pilots->n_sets, window = (size_t)pilots->window;
    lte_status status = LTE_OK;
    if (link->correlation_factor) {
        status = copy_table(link->correlation_factor, n * n * sizeof *link->correlation_factor,
                            engine->stream, &engine->d_correlation_factor);
        link->correlation_factor = engine->d_correlation_factor;
    }
    if (!status && link->n_stored > 0) {
        const size_t size = link->n_stored * lte_planes_size(link) * sizeof(lte_cf32);
        status = copy_table(link->stored, size, engine->stream, &engine->d_stored);
        link->stored = engine->d_stored;
    }
    if (status || link->pilot < 0)
        return status;
    status = copy_table(pilots->reference, n_tx * (size_t)link->n_sc * sizeof(lte_cf32),
                        engine->stream, &engine->d_reference);
    if (!status)
        status = copy_table(pilots->weight, n_sets * n_tx * window * window * sizeof(lte_cf32),
                            engine->stream, &engine->d_weight);
    if (!status)
        status = copy_table(pilots->estimation_error,
                            n_sets * (size_t)link->n_groups * LTE_LANES * sizeof(float),
                            engine->stream, &engine->d_estimation_error);
    pilots->reference = engine->d_reference;
    pilots->weight = engine->d_weight;
    pilots->estimation_error = engine->d_estimation_error;
    return status;
}

static lte_status engine_create(const lte_backend *self, const lte_link *link,
                                const lte_engine_options *options, lte_engine **engine)
{
    (void)self;
    *engine = NULL;
    lte_engine *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for an engine");
    made->link = *link;
    made->device = options->device;
    lte_status status = LTE_CUDA(cudaSetDevice(options->device));
    if (!status) /* a thread that sleeps comes back too late */
        status = LTE_CUDA(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceMapHost));
    if (!status)
        status = LTE_CUDA(cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking));
    if (!status)
        status = copy_tables(made);
    if (!status)
        status = alloc_slots(made, options->device_memory ? options->device_memory
                                                          : default_device_memory);
    if (!status)
        status = lte_cuda_ticks_create(&made->link, made->stream, &made->ticks);
    if (status) {
        engine_free(made);
        return status;
    }
    (void)snprintf(made->choices, sizeof made->choices, "%s; %s", lte_sweep_cuda_choice(link),
                   lte_cuda_ticks_choice(made->ticks));
    *engine = made;
    return LTE_OK;
}

static int threads(const lte_engine *engine)
{
    (void)engine;
    return 1;
}

static const char *choices(const lte_engine *engine)
{
    return engine->choices;
}

static void sweep_slots(const lte_engine *engine, int *fewest, int *most)
{
    *most = engine->most_slots;
    *fewest = FEWEST_SLOTS < *most ? FEWEST_SLOTS : *most;
}

static lte_status sweep_start(lte_engine *engine, lte_noise noise, const int *detectors,
                              int n_detectors, uint64_t first, int n_slots, lte_power *power,
                              lte_errors *errors)
{
    const size_t n = (size_t)n_slots;
    lte_status status = LTE_CUDA(cudaSetDevice(engine->device));
    if (!status)
        status = lte_sweep_cuda(&engine->link, noise, detectors, n_detectors, first, n_slots,
                                &engine->memory, engine->d_power, engine->d_errors, engine->stream);
    if (!status)
        status = LTE_CUDA(cudaMemcpyAsync(engine->power, engine->d_power, n * sizeof *power,
                                          cudaMemcpyDeviceToHost, engine->stream));
    if (!status)
        status = LTE_CUDA(cudaMemcpyAsync(engine->errors, engine->d_errors,
                                          n * (size_t)n_detectors * sizeof *errors,
                                          cudaMemcpyDeviceToHost, engine->stream));
    if (status)
        return status;
    engine->n_slots = n_slots;
    engine->n_detectors = n_detectors;
    engine->power_out = power;
    engine->errors_out = errors;
    return LTE_OK;
}

static lte_status sweep_wait(lte_engine *engine)
{
    const size_t n = (size_t)engine->n_slots;
    if (n == 0)
        return LTE_OK;
    engine->n_slots = 0;
    lte_status status = LTE_CUDA(cudaStreamSynchronize(engine->stream));
    if (status)
        return status;
    memcpy(engine->power_out, engine->power, n * sizeof *engine->power);
    memcpy(engine->errors_out, engine->errors,
           n * (size_t)engine->n_detectors * sizeof *engine->errors);
    return LTE_OK;
}

/* Pinned, and followed by the device without a copy. */
static lte_status host_alloc(lte_engine *engine, size_t size, void **memory)
{
    *memory = NULL;
    lte_status status = LTE_CUDA(cudaSetDevice(engine->device));
    if (!status)
        status = LTE_CUDA(cudaHostAlloc(memory, size, cudaHostAllocMapped | cudaHostAllocPortable));
    return status;
}

static void host_free(lte_engine *engine, void *memory)
{
    (void)cudaSetDevice(engine->device);
    (void)cudaFreeHost(memory);
}

/* A run of ticks sets its device once, here: until tick_end the thread keeps to it. */
static lte_status tick_begin(lte_engine *engine, const lte_tick_plan *plan, int n_threads,
                             bool *cached)
{
    (void)n_threads;
    const lte_status status = LTE_CUDA(cudaSetDevice(engine->device));
    return status ? status : lte_cuda_ticks_begin(engine->ticks, plan, cached);
}

static lte_status tick(lte_engine *engine, uint64_t first, double release_s, double *completed_s)
{
    return lte_cuda_ticks_run(engine->ticks, first, release_s, completed_s);
}

static lte_status tick_end(lte_engine *engine)
{
    return lte_cuda_ticks_end(engine->ticks);
}

static lte_status tick_stages(lte_engine *engine, uint64_t i, double *us)
{
    return lte_cuda_ticks_stages(engine->ticks, i, us);
}

static lte_status tick_inversion(lte_engine *engine, int n, double *us)
{
    return lte_cuda_ticks_inversion(engine->ticks, n, us);
}

const lte_backend lte_backend_cuda = {
    .name = "cuda",
    .text = "NVIDIA GPU, compute capability 8.0 or later",
    .stages = NULL,
    .ahead = true,
    .n_placements = LTE_N_PLACEMENTS,
    .n_devices = n_devices,
    .describe = describe,
    .create = engine_create,
    .free = engine_free,
    .threads = threads,
    .choices = choices,
    .sweep_slots = sweep_slots,
    .sweep_start = sweep_start,
    .sweep_wait = sweep_wait,
    .host_alloc = host_alloc,
    .host_free = host_free,
    .tick_begin = tick_begin,
    .tick = tick,
    .tick_end = tick_end,
    .tick_stages = tick_stages,
    .tick_inversion = tick_inversion,
};
