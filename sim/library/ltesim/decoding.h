#ifndef LTESIM_DECODING_H
#define LTESIM_DECODING_H
/*
 * The turbo code of LTE: its encoder, what rate matching sends, and decoding of many code blocks.
 *
 *     lte_decoding *decoding = NULL;
 *     lte_decoding_plan plan = {0};
 *     plan.k = 6144;
 *     lte_status status = lte_decoding_create(&plan, &decoding);
 *     status = lte_decoding_run(decoding, n, llr, bits, iterations);
 *     lte_decoding_free(decoding);
 *
 * A code block of k bits has three streams of k + 4 elements: its bits, the parity of the first
 * encoder and that of the second, each with a part of the tail behind. Sources: TS 36.212, 5.1.3
 * and 5.1.4.1.
 */

#include <stdint.h>

#include "ltesim/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The CRC that ends a block's decoding early; it is not taken off. */
typedef enum { LTE_STOP_NEVER, LTE_STOP_CRC24A, LTE_STOP_CRC24B } lte_decoding_stop;

/* What is to be decoded; zeros are the defaults. */
typedef struct {
    int k;          /* bits of a code block, one of the 188 sizes from 40 to 6144; required */
    int iterations; /* at most, 1 to 32; 0: 6 */
    lte_decoding_stop stop; /* before that */
    int n_threads;          /* of processors, 1 to 1024; 0: as many as there are processors */
    const char *backend;    /* as of an lte_inversion_plan; NULL: "cpu" */
} lte_decoding_plan;

typedef struct lte_decoding lte_decoding;

/*
 * Takes the memory for such blocks; the caller frees it. One thread at a time may run it.
 *
 * Returns LTE_EINVAL for a size, number or name that there is not, LTE_ENOMEM, and LTE_EDEVICE for
 * a backend that this machine does not have.
 */
LTE_API lte_status lte_decoding_create(const lte_decoding_plan *plan, lte_decoding **decoding);

/*
 * Decodes n code blocks, with the same bits on every backend: max-log-MAP in integers, extrinsic
 * values times 3/4, windows of a block side by side.
 *
 *   llr          [n][3][k + 4]  ln P(0) / P(1) times any scale, 8 is a good one, -127 to 127; 0:
 *                nothing is known
 *   bits         [n][k]         out, a byte each
 *   iterations   [n]            out: that each took
 *
 * On a CUDA backend each array may lie in host memory, or on the device, where nothing is copied.
 *
 * Returns LTE_EINVAL for n below 1 and arrays that are NULL, LTE_ENOMEM, LTE_EDEVICE.
 */
LTE_API lte_status lte_decoding_run(lte_decoding *decoding, int n, const int8_t *llr, uint8_t *bits,
                                    uint8_t *iterations);

/* free(NULL) is fine. */
LTE_API void lte_decoding_free(lte_decoding *decoding);

/* Encodes a block: bits [k], a byte each, d [3][k + 4]  out. Returns LTE_EINVAL for another k. */
LTE_API lte_status lte_turbo_encode_block(int k, const uint8_t *bits, uint8_t *d);

/*
 * The n elements that are sent of an encoded block, by a redundancy version 0 to 3 and the whole
 * circular buffer: sent[e] = d[order[e]], and back soft[order[e]] += llr[e].
 *
 *   filler   bits at the head of the block that are not sent
 *   order    [n]  out: places in d
 *
 * Returns LTE_EINVAL for what is out of range.
 */
LTE_API lte_status lte_rate_match(int k, int filler, int version, int n, uint32_t *order);

#ifdef __cplusplus
}
#endif

#endif
