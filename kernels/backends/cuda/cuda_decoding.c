/* Code blocks on a CUDA device: where their arrays are, and what is copied. */
#include "kernels/backends/cuda/cuda_ops.h"

#include <stdlib.h>

#include "kernels/backends/cuda/cuda_batch.h"
#include "kernels/backends/cuda/cuda_memory.h"
#include "kernels/coding/turbo_cuda.h"
#include "phy/coding/turbo.h"

enum { BOUNDARY = 4 }; /* that the kernel wants */

struct lte_decoder {
    lte_turbo_plan plan;
    lte_cuda_batch batch;
    lte_turbo_cuda *turbo;
    lte_cuda_memory llr, bits, iterations;
};

static void decoder_free(lte_decoder *d)
{
    int device = 0;
    if (!d)
        return;
    (void)lte_cuda_batch_enter(&d->batch, &device);
    lte_turbo_cuda_free(d->turbo);
    lte_cuda_memory_fini(&d->llr);
    lte_cuda_memory_fini(&d->bits);
    lte_cuda_memory_fini(&d->iterations);
    if (d->batch.stream)
        (void)cudaStreamDestroy(d->batch.stream);
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
    made->batch = (lte_cuda_batch){.device = plan->device, .boundary = BOUNDARY};
    lte_status status = lte_cuda_batch_enter(&made->batch, &device);
    if (!status) {
        status = LTE_CUDA(cudaStreamCreate(&made->batch.stream));
        if (!status)
            status = lte_turbo_cuda_create(&made->plan, &made->turbo);
        status = lte_cuda_batch_leave(device, status);
    }
    if (status) {
        decoder_free(made);
        return status;
    }
    *decoder = made;
    return LTE_OK;
}

static lte_status decode_there(lte_decoder *d, int n, const int8_t *llr, uint8_t *bits,
                               uint8_t *iterations)
{
    const size_t count = (size_t)n, k = d->plan.block->k;
    const size_t size = count * 3 * (size_t)lte_code_block_stream(d->plan.block);
    void *d_llr = NULL, *d_bits = NULL, *d_iterations = NULL;
    lte_status status = lte_cuda_batch_place(&d->batch, &d->llr, llr, size, &d_llr);
    if (!status)
        status = lte_cuda_batch_place(&d->batch, &d->bits, bits, count * k, &d_bits);
    if (!status)
        status = lte_cuda_batch_place(&d->batch, &d->iterations, iterations, count, &d_iterations);
    if (!status)
        status = lte_cuda_batch_copy(&d->batch, d_llr, llr, size);
    if (!status)
        status = lte_turbo_cuda_run(d->turbo, n, d_llr, d_bits, d_iterations, d->batch.stream);
    if (!status)
        status = lte_cuda_batch_copy(&d->batch, bits, d_bits, count * k);
    if (!status)
        status = lte_cuda_batch_copy(&d->batch, iterations, d_iterations, count);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(d->batch.stream));
}

static lte_status decoder_decode(lte_decoder *d, int n, const int8_t *llr, uint8_t *bits,
                                 uint8_t *iterations)
{
    int device = 0;
    const lte_status status = lte_cuda_batch_enter(&d->batch, &device);
    return status ? status
                  : lte_cuda_batch_leave(device, decode_there(d, n, llr, bits, iterations));
}

const lte_decoder_ops lte_cuda_decoder_ops = {
    .create = decoder_create,
    .free = decoder_free,
    .decode = decoder_decode,
};
