/* Turbo decoding of a program's own code blocks. */
#include "ltesim/decoding.h"

#include <stdlib.h>

#include "phy/coding/crc.h"
#include "phy/coding/rate_matching.h"
#include "phy/coding/turbo.h"
#include "sim/library/choices.h"

struct lte_decoding {
    const lte_decoder_ops *ops;
    lte_decoder *decoder;
};

/* The block of k bits exactly, or NULL with a failure. */
static const lte_code_block *block_of(int k)
{
    const lte_code_block *block = k > 0 ? lte_code_block_of(k) : NULL;
    if (block && block->k == k)
        return block;
    (void)LTE_FAIL(LTE_EINVAL, "k=%d (40 to 512 by 8, to 1024 by 16, to 2048 by 32, to 6144 by 64)",
                   k);
    return NULL;
}

lte_status lte_decoding_create(const lte_decoding_plan *plan, lte_decoding **decoding)
{
    enum { USUAL_ITERATIONS = 6 };
    static const uint32_t stops[] = {0, LTE_CRC_24A, LTE_CRC_24B};
    const lte_backend *backend;
    const lte_code_block *block = block_of(plan->k);
    *decoding = NULL;
    if (!block)
        return LTE_EINVAL;
    if ((int)plan->stop < 0 || (int)plan->stop > LTE_STOP_CRC24B)
        return LTE_FAIL(LTE_EINVAL, "stop=%d (0 to 2)", (int)plan->stop);
    lte_decoder_plan chosen = {
        .turbo = {.block = block,
                  .windows = lte_code_block_windows(block),
                  .iterations = plan->iterations ? plan->iterations : USUAL_ITERATIONS,
                  .crc = stops[plan->stop]},
        .n_threads = plan->n_threads};
    lte_status status = lte_turbo_check(&chosen.turbo);
    if (!status)
        status = lte_choose_backend(plan->backend, plan->n_threads, &backend, &chosen.device);
    if (status)
        return status;
    lte_decoding *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a decoder");
    made->ops = backend->decoding;
    status = made->ops->create(backend, &chosen, &made->decoder);
    if (status)
        free(made);
    else
        *decoding = made;
    return status;
}

lte_status lte_decoding_run(lte_decoding *decoding, int n, const int8_t *llr, uint8_t *bits,
                            uint8_t *iterations)
{
    lte_status status = lte_need_array("llr", llr);
    if (!status)
        status = lte_need_array("bits", bits);
    if (!status)
        status = lte_need_array("iterations", iterations);
    if (status)
        return status;
    if (n < 1)
        return LTE_FAIL(LTE_EINVAL, "n=%d (1 or more)", n);
    return decoding->ops->decode(decoding->decoder, n, llr, bits, iterations);
}

void lte_decoding_free(lte_decoding *decoding)
{
    if (!decoding)
        return;
    decoding->ops->free(decoding->decoder);
    free(decoding);
}

lte_status lte_turbo_encode_block(int k, const uint8_t *bits, uint8_t *d)
{
    const lte_code_block *block = block_of(k);
    lte_status status = block ? lte_need_array("bits", bits) : LTE_EINVAL;
    if (!status)
        status = lte_need_array("d", d);
    if (!status)
        lte_turbo_encode(block, bits, d);
    return status;
}

lte_status lte_rate_match(int k, int filler, int version, int n, uint32_t *order)
{
    const lte_code_block *block = block_of(k);
    const lte_rate_matching m = {.block = block, .filler = filler, .version = version};
    const lte_status status = block ? lte_need_array("order", order) : LTE_EINVAL;
    return status ? status : lte_rate_matching_order(&m, n, order);
}
