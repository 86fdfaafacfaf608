/* The CUDA backend: its table and the engine; what an engine is made of says cuda_engine.h. */
#include "kernels/backends/backend.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/backends/cuda/cuda_ops.h"
#include "kernels/backends/cuda/cuda_device.h"
#include "kernels/backends/cuda/cuda_engine.h"

static const size_t default_device_memory = (size_t)2 << 30;

/*
 * After the kernels that use it, everything else in any order. Behind a kernel that does not end
 * every call would wait: then all is left to the end of the process.
 */
static void engine_free(lte_engine *engine)
{
    if (!engine)
        return;
    (void)cudaSetDevice(engine->device);
    (void)lte_cuda_persistent_stop(&engine->persistent);
    if (engine->persistent.lost)
        return;
    lte_cuda_periods_fini(engine);
    if (engine->stream)
        (void)cudaStreamSynchronize(engine->stream);
    lte_cuda_sweep_fini(&engine->sweep);
    lte_cuda_tables_fini(&engine->tables);
    if (engine->stream)
        (void)cudaStreamDestroy(engine->stream);
    free(engine);
}

static lte_status engine_init(lte_engine *engine, const lte_engine_options *options)
{
    const size_t limit = options->device_memory ? options->device_memory : default_device_memory;
    lte_status status = LTE_CUDA(cudaSetDevice(options->device));
    if (!status) /* a thread that sleeps comes back too late */
        status = LTE_CUDA(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceMapHost));
    if (!status)
        status = LTE_CUDA(cudaStreamCreateWithFlags(&engine->stream, cudaStreamNonBlocking));
    if (!status)
        status = lte_cuda_tables_init(&engine->link, engine->stream, &engine->tables);
    if (!status)
        status = lte_cuda_sweep_init(&engine->link, lte_engine_detectors(options), limit,
                                     &engine->sweep);
    return status ? status : lte_cuda_periods_init(engine);
}

static lte_status engine_create(const lte_backend *self, const lte_link *link,
                                const lte_engine_options *options, lte_engine **engine)
{
    char slots[480];
    (void)self;
    *engine = NULL;
    lte_engine *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for an engine");
    made->link = *link;
    made->wide = link->channel.wide;
    made->device = options->device;
    const lte_status status = engine_init(made, options);
    if (status) {
        engine_free(made);
        return status;
    }
    lte_cuda_periods_choice(made, slots, sizeof slots);
    (void)snprintf(made->choices, sizeof made->choices, "%s; %s", lte_sweep_cuda_choice(link),
                   slots);
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

/* Pinned, and followed by the device without a copy. */
static lte_status host_alloc(lte_engine *engine, size_t size, void **memory)
{
    *memory = NULL;
    const lte_status status = LTE_CUDA(cudaSetDevice(engine->device));
    return status
               ? status
               : LTE_CUDA(cudaHostAlloc(memory, size, cudaHostAllocMapped | cudaHostAllocPortable));
}

static void host_free(lte_engine *engine, void *memory)
{
    (void)cudaSetDevice(engine->device);
    if (!engine->persistent.lost)
        (void)cudaFreeHost(memory);
}

const lte_backend lte_backend_cuda = {
    .name = "cuda",
    .text = LTE_CUDA_TEXT,
    .stages = NULL,
    .sweep = &lte_cuda_sweep_ops,
    .slots = &lte_cuda_slot_ops,
    .matrices = &lte_cuda_matrix_ops,
    .methods = &lte_cuda_method_ops,
    .decoding = &lte_cuda_decoder_ops,
    .n_devices = lte_cuda_n_devices,
    .why_none = lte_cuda_why_none,
    .describe = lte_cuda_describe,
    .create = engine_create,
    .free = engine_free,
    .threads = threads,
    .choices = choices,
    .host_alloc = host_alloc,
    .host_free = host_free,
};
