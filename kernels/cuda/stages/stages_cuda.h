#ifndef LTE_KERNELS_CUDA_STAGES_STAGES_CUDA_H
#define LTE_KERNELS_CUDA_STAGES_STAGES_CUDA_H
/*
 * The device's stages: launchers that start one stage for all subcarriers of a slot on a stream.
 *
 *     lte_status status = lte_taps_cuda(&link, slot, 1, d_tap, stream);
 *     status = lte_channel_cuda(&link, slot, d_tap, d_h, stream);
 *
 * What all launchers have in common: kernels/cuda/launchers.h.
 */

#include "kernels/base/cuda_status.h"
#include "kernels/link/slot_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stages; shapes in kernels/cpu/stages.h, all groups of the link at once. */
lte_status lte_source_cuda(const lte_link *link, uint64_t slot, uint32_t *d_label,
                           cudaStream_t stream);
/* Taps of slots first .. first + n_slots - 1: d_tap [n_slots][n_h][n_taps][n_rx][n_tx]  out. */
lte_status lte_taps_cuda(const lte_link *link, uint64_t first, int n_slots, lte_cf32 *d_tap,
                         cudaStream_t stream);
lte_status lte_channel_cuda(const lte_link *link, uint64_t slot, const lte_cf32 *d_tap, float *d_h,
                            cudaStream_t stream);
lte_status lte_receive_cuda(const lte_link *link, uint64_t slot, lte_noise noise, const float *d_h,
                            const uint32_t *d_label, float *d_y, lte_power *d_power,
                            cudaStream_t stream);
lte_status lte_corner_turn_cuda(const lte_link *link, const lte_cf32 *d_h_planes,
                                const lte_cf32 *d_y_planes, float *d_h, float *d_y,
                                cudaStream_t stream);
/* Where the estimates of slots go, in device memory. */
typedef struct {
    int n_slots;
    lte_cf32 *h; /* [n_slots][n_rx][n_tx][n_sc]  out: slot i at i mod n_slots, here and below */
    int64_t *residual; /* [n_slots]  zero; out: sums of lte_residual_units, if noise is estimated */
    /* [n_slots][7]  out, if the link refers to two symbols: then the slots are of whole subframes,
       and those of a subframe have the same residual; else NULL */
    lte_combination *combination;
    int64_t *next; /* NULL, or [n_slots]  out: zero, for the slots after these */
} lte_estimated;

/*
 * Estimates slots first .. first + n_slots - 1 from their planes of y as lte_slot_memory has them.
 *
 *   d_y   [n_in][n_rx][7][n_sc]: slot i at i mod n_in
 */
lte_status lte_estimate_cuda(const lte_link *link, lte_noise noise, const lte_cf32 *d_y,
                             uint64_t first, uint64_t n_in, const lte_estimated *to,
                             cudaStream_t stream);

/*
 * The same for slots of a sweep, whose reference symbols are sent and received first.
 *
 *   d_tap   those of lte_taps_cuda
 *   d_y     [n_slots][n_rx][n_sc]  out: the reference symbols
 */
lte_status lte_estimate_drawn_cuda(const lte_link *link, lte_noise noise, uint64_t first,
                                   const lte_cf32 *d_tap, lte_cf32 *d_y, const lte_estimated *to,
                                   cudaStream_t stream);

lte_status lte_gram_cuda(const lte_link *link, lte_detector detector, lte_noise noise,
                         const int64_t *d_residual, const float *d_h, float *d_g,
                         cudaStream_t stream);

/* What a detector reads and writes, in device memory: batches of all groups. */
typedef struct {
    const int64_t *residual; /* of the slot */
    const float *h, *x, *y;  /* x: inverses, of detectors that solve */
    uint32_t *label;         /* out */
    uint8_t *flag;           /* out, of detectors that do not solve */
} lte_detected;

lte_status lte_detect_cuda(const lte_link *link, lte_detector detector, lte_noise noise,
                           const lte_detected *d, cudaStream_t stream);
lte_status lte_pack_cuda(const lte_link *link, const uint32_t *d_label, uint8_t *d_bits,
                         cudaStream_t stream);
lte_status lte_count_cuda(const lte_link *link, const uint32_t *d_sent, const uint32_t *d_decided,
                          const uint8_t *d_flag, uint32_t *d_errors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
