/* Code blocks that a program hands over, on the processor. */
#include <stdlib.h>

#include "kernels/backends/cpu/cpu_engine.h"
#include "kernels/coding/turbo_batch.h"

struct lte_decoder {
    lte_turbo_batch *batch;
};

static void decoder_free(lte_decoder *decoder)
{
    if (!decoder)
        return;
    lte_turbo_batch_free(decoder->batch);
    free(decoder);
}

static lte_status decoder_create(const lte_backend *self, const lte_decoder_plan *plan,
                                 lte_decoder **decoder)
{
    const int n_threads = plan->n_threads > 0 ? plan->n_threads : omp_get_num_procs();
    *decoder = NULL;
    lte_decoder *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a decoder");
    lte_status status =
        lte_turbo_batch_create(lte_turbo_of(self->name), &plan->turbo, n_threads, &made->batch);
    if (!status)
        status = lte_cpu_make_threads(n_threads);
    if (status) {
        decoder_free(made);
        return status;
    }
    *decoder = made;
    return LTE_OK;
}

static lte_status decoder_decode(lte_decoder *decoder, int n, const int8_t *llr, uint8_t *bits,
                                 uint8_t *iterations)
{
    lte_turbo_batch_run(decoder->batch, n, llr, bits, iterations);
    return LTE_OK;
}

const lte_decoder_ops lte_cpu_decoder_ops = {
    .create = decoder_create,
    .free = decoder_free,
    .decode = decoder_decode,
};
