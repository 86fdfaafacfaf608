/* Code blocks on a CUDA device: where their arrays are, and what is copied. */
#include "kernels/backends/cuda_decoding.h"

#include <stdlib.h>

#include "kernels/backends/cuda_memory.h"
#include "kernels/coding/turbo_cuda.h"
#include "phy/coding/turbo.h"

enum { BOUNDARY = 4 }; /* that the kernel wants */

struct lte_decoder {
    lte_turbo_plan plan;
    int device;
    cudaStream_t stream; /* waits for the default one */
    lte_turbo_cuda *turbo;
    lte_cuda_memory llr, bits, iterations;
};

/* Makes the decoder's device current and remembers the caller's. */
static lte_status enter(const lte_decoder *d, int *device)
{
    const lte_status status = LTE_CUDA(cudaGetDevice(device));
    return status ? status : LTE_CUDA(cudaSetDevice(d->device));
}

static lte_status leave(int device, lte_status status)
{
    const lte_status left = LTE_CUDA(cudaSetDevice(device));
    return status ? status : left;
}

static void decoder_free(lte_decoder *d)
{
    int device = 0;
    if (!d)
        return;
    (void)enter(d, &device);
    lte_turbo_cuda_free(d->turbo);
    lte_cuda_memory_fini(&d->llr);
    lte_cuda_memory_fini(&d->bits);
    lte_cuda_memory_fini(&d->iterations);
    if (d->stream)
        (void)cudaStreamDestroy(d->stream);
    (void)cudaSetDevice(device);
    free(d);
}

static lte_status decoder_create(const lte_backend *self, const lte_decoder_plan *plan,
                                 lte_decoder **decoder)
{
    int device = 0;
    (void)self;
    *decoder = NULL;
    lte_decoder *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a decoder");
    made->plan = plan->turbo;
    made->device = plan->device;
    lte_status status = enter(made, &device);
    if (!status) {
        status = LTE_CUDA(cudaStreamCreate(&made->stream));
        if (!status)
            status = lte_turbo_cuda_create(&made->plan, &made->turbo);
        status = leave(device, status);
    }
    if (status) {
        decoder_free(made);
        return status;
    }
    *decoder = made;
    return LTE_OK;
}

/* Where the device finds an array of a size: *there. */
static lte_status place(const lte_decoder *d, lte_cuda_memory *memory, const void *array,
                        size_t size, void **there)
{
    if (lte_cuda_memory_holds(d->device, array) && (uintptr_t)array % BOUNDARY == 0) {
        *there = (void *)array;
        return LTE_OK;
    }
    const lte_status status = lte_cuda_memory_grow(memory, size);
    *there = memory->at;
    return status;
}

static lte_status copy(const lte_decoder *d, void *to, const void *from, size_t size)
{
    return to == from ? LTE_OK
                      : LTE_CUDA(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, d->stream));
}

static lte_status decode_there(lte_decoder *d, int n, const int8_t *llr, uint8_t *bits,
                               uint8_t *iterations)
{
    const size_t count = (size_t)n, k = d->plan.block->k;
    const size_t size = count * 3 * (size_t)lte_code_block_stream(d->plan.block);
    void *d_llr = NULL, *d_bits = NULL, *d_iterations = NULL;
    lte_status status = place(d, &d->llr, llr, size, &d_llr);
    if (!status)
        status = place(d, &d->bits, bits, count * k, &d_bits);
    if (!status)
        status = place(d, &d->iterations, iterations, count, &d_iterations);
    if (!status)
        status = copy(d, d_llr, llr, size);
    if (!status)
        status = lte_turbo_cuda_run(d->turbo, n, d_llr, d_bits, d_iterations, d->stream);
    if (!status)
        status = copy(d, bits, d_bits, count * k);
    if (!status)
        status = copy(d, iterations, d_iterations, count);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(d->stream));
}

static lte_status decoder_decode(lte_decoder *d, int n, const int8_t *llr, uint8_t *bits,
                                 uint8_t *iterations)
{
    int device = 0;
    const lte_status status = enter(d, &device);
    return status ? status : leave(device, decode_there(d, n, llr, bits, iterations));
}

const lte_decoder_ops lte_cuda_decoder_ops = {
    .create = decoder_create,
    .free = decoder_free,
    .decode = decoder_decode,
};
