#ifndef LTE_KERNELS_CODING_TURBO_CUDA_H
#define LTE_KERNELS_CODING_TURBO_CUDA_H
/*
 * The decoder of phy/coding/turbo_decoder.h on a device, for many code blocks of a size, with its
 * bits.
 *
 *     lte_turbo_cuda *decoder = NULL;
 *     lte_status status = lte_turbo_cuda_create(&plan, &decoder);
 *     status = lte_turbo_cuda_run(decoder, n, d_llr, d_bits, d_iterations, stream);
 *     lte_turbo_cuda_free(decoder);
 *
 * Arrays are those of lte_turbo_batch_run, in device memory.
 */

#include "kernels/base/cuda_status.h"
#include "phy/coding/turbo.h"
#include "phy/coding/turbo_decoder.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LTE_TURBO_CUDA_WINDOWS = 64, /* at most, a power of two */
    LTE_TURBO_CUDA_LENGTH = 127  /* steps of a window, at most; 2 LTE_TURBO_OVERLAP at least */
};

typedef struct lte_turbo_cuda lte_turbo_cuda;

/*
 * Takes the memory for such blocks on the device that is current; the caller frees it.
 *
 * Returns LTE_EINVAL for windows of another number or length and iterations out of range,
 * LTE_ENOMEM, LTE_EDEVICE.
 */
lte_status lte_turbo_cuda_create(const lte_turbo_plan *plan, lte_turbo_cuda **decoder);
void lte_turbo_cuda_free(lte_turbo_cuda *decoder);

/* The bytes of that memory. Returns what creating returns. */
lte_status lte_turbo_cuda_bytes(const lte_turbo_plan *plan, size_t *bytes);

/*
 * Starts the decoding of n code blocks on a stream; the next of this decoder must be on the same
 * one.
 *
 *   d_llr          [n][3][k + 4], on a boundary of 4 bytes
 *   d_bits         [n][k]         out, the same
 *   d_iterations   [n]            out
 */
lte_status lte_turbo_cuda_run(lte_turbo_cuda *decoder, int n, const int8_t *d_llr, uint8_t *d_bits,
                              uint8_t *d_iterations, cudaStream_t stream);

/*
 * The same for as many code blocks as a program on the device has put there: n_each for each of
 * *d_listed, most in all.
 */
lte_status lte_turbo_cuda_run_listed(lte_turbo_cuda *decoder, const uint32_t *d_listed, int n_each,
                                     int most, const int8_t *d_llr, uint8_t *d_bits,
                                     uint8_t *d_iterations, cudaStream_t stream);

/* ---- for the kernel ---- */

typedef struct {
    const int8_t *llr;
    uint8_t *bits, *iterations;
    int n;                  /* code blocks, at most */
    const uint32_t *listed; /* NULL, or *listed n_each: so many there are */
    int n_each;
    int k, windows, length, n_iterations;
    uint32_t per_length;              /* 2^32 / length, rounded up */
    int tail[2][LTE_TURBO_MEMORY][2]; /* lte_turbo_tail */
    uint32_t *work;                   /* [n_blocks][LTE_TURBO_CUDA_WORK] */
    const uint16_t *places; /* [2][LTE_TURBO_TABLE]: of bits in shared memory, of each encoder */
    const uint32_t *remainders; /* [LTE_TURBO_TABLE], of the second; NULL: all iterations */
} lte_turbo_job;

enum {
    LTE_TURBO_PARTS = LTE_TURBO_CUDA_LENGTH / LTE_TURBO_OVERLAP + 1, /* of a window, at most */
    LTE_TURBO_CHECKPOINTS = LTE_TURBO_PARTS * LTE_TURBO_STATES * LTE_TURBO_CUDA_WINDOWS, /* words */
    LTE_TURBO_CUDA_WORK = LTE_TURBO_CHECKPOINTS + LTE_TURBO_PARTS * LTE_TURBO_CUDA_WINDOWS,
    LTE_TURBO_TABLE = LTE_TURBO_CUDA_LENGTH * LTE_TURBO_CUDA_WINDOWS, /* [step][thread] */
    LTE_TURBO_BIT_ROW = 4 * (LTE_TURBO_CUDA_WINDOWS + 1)              /* bytes of a row */
};

/* Thread blocks of such a job that the device holds at once. */
lte_status lte_turbo_cuda_blocks(const lte_turbo_job *job, int *n_blocks);
lte_status lte_turbo_cuda_launch(const lte_turbo_job *job, int n_blocks, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
