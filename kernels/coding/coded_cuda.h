#ifndef LTE_KERNELS_CODING_CODED_CUDA_H
#define LTE_KERNELS_CODING_CODED_CUDA_H
/*
 * The processes of a code (kernels/coding/coded.h) on a device, many at once: what lte_code_run
 * does with one.
 *
 *     lte_coded_cuda *coded = NULL;
 *     status = lte_coded_cuda_create(&link, n_processes, n_detectors, d_memory, &coded);
 *     status = lte_coded_cuda_run(coded, &start, stream);
 *     lte_coded_cuda_free(coded);
 *
 * All turns are started one after the other; who takes part in the next, and with which block, is
 * found on the device. An entry is a process of one detector: process + n_processes detector. Those
 * that begin a block, and those that are decoded, are listed, so that kernels get them without
 * gaps. Their order in a list is not fixed, and nothing depends on it. With one transmission all
 * detectors are sent the same: one stream; else each has its own.
 */

#include "kernels/coding/coded.h"
#include "kernels/cuda/sweep/sweep_cuda.h"
#include "phy/coding/turbo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lte_coded_cuda lte_coded_cuda;

/*
 * Bytes of device memory that so many processes take; and those of their decoders, on the device
 * that is current.
 */
size_t lte_coded_cuda_bytes(const lte_link *link, int n_processes, int n_detectors);
lte_status lte_coded_cuda_decoder_bytes(const lte_link *link, size_t *bytes);

/*
 * Lays them out in d_memory of lte_coded_cuda_bytes, which stays its caller's and must outlive
 * them, and makes the decoders; the caller frees it when the stream has come to its end.
 *
 * Returns LTE_EINVAL for transport blocks that are no multiple of 8 bits, LTE_ENOMEM, LTE_EDEVICE.
 */
lte_status lte_coded_cuda_create(const lte_link *link, int n_processes, int n_detectors,
                                 void *d_memory, lte_coded_cuda **coded);
void lte_coded_cuda_free(lte_coded_cuda *coded);

/*
 * Starts whole groups of slots, as lte_sweep_cuda does slots: no more than processes and
 * detectors were asked for.
 */
lte_status lte_coded_cuda_run(lte_coded_cuda *coded, const lte_sweep_start *start,
                              cudaStream_t stream);

/*
 * The same of subframes that have been detected, in their first transmission: memory for so many.
 * Their LLRs go to lte_coded_cuda_llrs, [n][2] of lte_llr_planes, descrambled by
 * lte_coded_cuda_flips.
 */
lte_status lte_coded_cuda_receive(const lte_link *link, int n_subframes, lte_coded_cuda **coded);
int8_t *lte_coded_cuda_llrs(const lte_coded_cuda *coded);
const uint8_t *lte_coded_cuda_flips(const lte_coded_cuda *coded);

/* The steps of lte_block_decoder; subframes->bits is where the device can follow it. */
lte_status lte_coded_cuda_match(lte_coded_cuda *coded, const lte_subframes *subframes,
                                cudaStream_t stream);
lte_status lte_coded_cuda_decode(lte_coded_cuda *coded, const lte_subframes *subframes,
                                 cudaStream_t stream);
lte_status lte_coded_cuda_check(lte_coded_cuda *coded, const lte_subframes *subframes,
                                cudaStream_t stream);

/* ---- for the kernels ---- */

/* Words of a stream of a code block of k bits, as encoded. */
LTE_INLINE int lte_coded_stream_words(int k)
{
    return (k + LTE_TURBO_TAIL + 31) / 32;
}

/* One size of the code blocks of a codeword; n = 0: none. */
typedef struct {
    int n, k;
    int pitch; /* code blocks from a listed place to the next: n, or those of all */
    int tail[2][LTE_TURBO_MEMORY][2]; /* lte_turbo_tail */
    const uint16_t *permutation;      /* [k]  lte_code_block_at */
    int8_t *llr;                   /* [most][pitch][3][k + 4] of listed blocks, for the decoder */
    uint8_t *decoded, *iterations; /* [most][pitch][k]; [most][pitch] */
} lte_coded_size;

/* A codeword: its tables, and what there is of it in each block. */
typedef struct {
    int bits, all_bits; /* of the transport block; with its CRC */
    int n_blocks;       /* code blocks */
    int filler;
    int n_bits, sent, encoded; /* of a QAM symbol; G; elements of all code blocks */
    int words;                 /* of d */
    int pitch;                 /* bytes from one transport block to the next */
    lte_coded_size size[2];
    const uint32_t *place;  /* [T][sent]: where bits that are sent are in d, by bits; */
    const uint32_t *symbol; /* [sent / n_bits] */
    /* [T][encoded]: where the LLR of an element is in the planes of a subframe, LTE_CODE_NOWHERE,
       or LTE_CODE_MANY + a place in many: */
    const uint32_t *source;
    const uint32_t *many; /* [T][2 sent]: how many LLRs there are of it, and where */
    lte_harq_word *harq;  /* [entries] */
    uint8_t *transport;   /* [streams][pitch] bits with their CRC */
    uint32_t *d;          /* [streams][words]: encoded bits, each stream of a code block from a new
                                  word on, its first bit the lowest */
    int32_t *soft;        /* [entries][encoded]; NULL of one transmission */
    uint32_t *begun, *n_begun; /* [streams]: entries whose block is new; [1] */
    uint32_t *list, *n_listed; /* [entries]: those that are decoded; [1] */
} lte_coded_word;

/* What all kernels of a start get. */
typedef struct {
    lte_draws draws;
    int n_tx, n_counts;
    int n_sc, n_bits, pilot;
    lte_grid grid;
    int n_elements; /* of a subframe that carry data */
    int n_codewords, n_processes, n_detectors, n_streams, n_slots;
    lte_code_plan plan;
    int turn;
    uint64_t first;       /* slot, of a group */
    ptrdiff_t planes;     /* lte_llr_planes */
    int slot_label_bytes; /* of the labels [7][n_tx][n_sc] of a slot */
    const uint8_t
        *flips; /* [10][2] of labels: the scrambling of all codewords, by subframes of a frame */
    const uint32_t *remainders[2]; /* x^i modulo CRC24A and CRC24B, of the i-th bit from the end */
    uint8_t *listens;              /* [entries] */
    uint8_t *labels;               /* [n_streams][n_processes][2][7][n_tx][n_sc] */
    int8_t *llrs;                  /* [entries][2] of planes */
    lte_power *stream_power;       /* [n_streams][n_slots] */
    lte_power *power;              /* [n_slots] */
    uint32_t *errors;              /* [slots][n_detectors][n_counts] */
    const uint32_t *losses;        /* [LTE_LLR_VALUES] of records; NULL: none */
    lte_coded_word word[LTE_MOST_CODEWORDS];
} lte_coded_job;

/*
 * The steps of a turn, in their order, q a codeword, or the first of n_words; before the first
 * turn and behind the last one.
 */
lte_status lte_coded_begin_cuda(const lte_coded_job *job, cudaStream_t stream);
lte_status lte_coded_list_cuda(const lte_coded_job *job, cudaStream_t stream);
lte_status lte_coded_draw_cuda(const lte_coded_job *job, cudaStream_t stream);
lte_status lte_coded_send_cuda(const lte_coded_job *job, cudaStream_t stream);
lte_status lte_coded_record_cuda(const lte_coded_job *job, cudaStream_t stream);
lte_status lte_coded_combine_cuda(const lte_coded_job *job, int q, int n_words,
                                  cudaStream_t stream);
lte_status lte_coded_judge_cuda(const lte_coded_job *job, int q, cudaStream_t stream);
lte_status lte_coded_end_cuda(const lte_coded_job *job, cudaStream_t stream);

/*
 * Where the blocks of subframes go: those of codeword q at[q] bytes behind where the subframe
 * begins.
 */
typedef struct {
    lte_subframes subframes;
    size_t pitch, at[LTE_MOST_CODEWORDS]; /* bytes */
} lte_coded_delivery;

/*
 * CRCs and bits of what was decoded, of all codewords; number m of the subframes has listed place
 * m.
 */
lte_status lte_coded_deliver_cuda(const lte_coded_job *job, const lte_coded_delivery *delivery,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
