#ifndef LTE_KERNELS_CODING_BLOCKS_H
#define LTE_KERNELS_CODING_BLOCKS_H
/*
 * Subframes of a code against the clock: from LLRs of both slots to the bits of the transport
 * blocks, of many subframes at once, each in its first transmission. On a processor, shared by
 * threads:
 *
 *     lte_block_decoder *decoder = NULL;
 *     lte_status status =
 *         lte_block_decoder_create(&link, version, n_threads, n_subframes, &decoder);
 *     #pragma omp parallel num_threads(n)        // up to n_threads
 *     {
 *         lte_block_match(decoder, &subframes, llrs);     // each ends with a barrier
 *         lte_block_decode(decoder, &subframes);
 *         lte_block_check(decoder, &subframes);
 *     }
 *     lte_block_decoder_free(decoder);
 */

#include "kernels/coding/coded.h"
#include "kernels/coding/turbo_batch.h"
#include "kernels/link/slot_memory.h"

/*
 * What is delivered of a subframe: of each codeword its bits, the first in bit 0 of a byte, behind
 * them a byte that is 1 where all its CRCs hold, else 0. Where codeword q begins, and the bytes of
 * all.
 */
size_t lte_block_at(const lte_code *code, int q);
size_t lte_block_bytes(const lte_code *code);

typedef struct lte_block_decoder lte_block_decoder;

/* Takes the memory for so many threads and subframes; the caller frees it. Returns LTE_ENOMEM. */
lte_status lte_block_decoder_create(const lte_link *link, const lte_turbo_version *version,
                                    int n_threads, int n_subframes, lte_block_decoder **decoder);
void lte_block_decoder_free(lte_block_decoder *decoder);

/* Bytes that it takes, about. */
double lte_block_decoder_bytes(const lte_code *code, int n_threads, int n_subframes);

/*
 * The steps; all threads of a team call each. Descrambling and rate matching; the decoder; CRCs and
 * bits.
 *
 *   llrs   [n][2] of lte_llr_planes  in; descrambled then
 */
void lte_block_match(lte_block_decoder *decoder, const lte_subframes *subframes, int8_t *llrs);
void lte_block_decode(lte_block_decoder *decoder, const lte_subframes *subframes);
void lte_block_check(lte_block_decoder *decoder, const lte_subframes *subframes);

#endif
