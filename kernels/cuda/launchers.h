#ifndef LTE_KERNELS_CUDA_H
#define LTE_KERNELS_CUDA_H
/*
 * What the device's stages offer to the CUDA backend (kernels/backends/cuda*.c): launchers that
 * start one stage for all subcarriers of a slot on a stream, and the fused sweep and slot.
 *
 *     lte_status status = LTE_CUDA(cudaMalloc((void **)&d_h, size));
 *     status = lte_taps_cuda(&link, slot, 1, d_tap, stream);
 *     status = lte_channel_cuda(&link, slot, d_tap, d_h, stream);
 *
 * Batches lie as kernels/link/link.h says, in device memory (d_); there, too, must be what the link
 * refers to. d_residual is that of the slot, of lte_estimate_cuda; NULL if the receiver knows the
 * noise. Every launcher returns LTE_EDEVICE if the launch failed; what a kernel does wrong shows
 * when the stream is waited for.
 */

#include "kernels/coding/coded.h"
#include "kernels/base/cuda_status.h"
#include "kernels/cuda/slot/doorbell_words.h"
#include "kernels/cuda/large/large_cuda.h"
#include "kernels/link/slot_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* cudaSuccess if this program's code loads on a device, which is the current one then. */
cudaError_t lte_loads_cuda(int device);

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
/*
 * Estimates slots first .. first + n_slots - 1 from their planes of y as lte_slot_memory has them.
 *
 *   d_y          [n_in][n_rx][7][n_sc]: slot i at i mod n_in
 *   d_h          [n_slots][n_rx][n_tx][n_sc]  out: slot i at i mod n_slots, here and below
 *   d_residual   [n_slots]  zero; out: sums of lte_residual_units, if the noise is estimated
 *   d_combination   [n_slots][7]  out, if the link refers to two symbols: then first and n_slots are
 *                   of whole subframes, whose slots have the same residual; else NULL
 *   d_next       NULL, or [n_slots]  out: zero, for the slots after these
 */
lte_status lte_estimate_cuda(const lte_link *link, lte_noise noise, const lte_cf32 *d_y,
                             uint64_t first, uint64_t n_in, int n_slots, lte_cf32 *d_h,
                             int64_t *d_residual, lte_combination *d_combination, int64_t *d_next,
                             cudaStream_t stream);

/*
 * The same for slots of a sweep, whose reference symbols are sent and received first.
 *
 *   d_tap   those of lte_taps_cuda
 *   d_y     [n_slots][n_rx][n_sc]  out: the reference symbols
 */
lte_status lte_pilots_cuda(const lte_link *link, lte_noise noise, uint64_t first, int n_slots,
                           const lte_cf32 *d_tap, lte_cf32 *d_y, lte_cf32 *d_h, int64_t *d_residual,
                           lte_combination *d_combination, cudaStream_t stream);

lte_status lte_gram_cuda(const lte_link *link, int detector, lte_noise noise,
                         const int64_t *d_residual, const float *d_h, float *d_g,
                         cudaStream_t stream);
lte_status lte_invert_cuda(const lte_link *link, float *d_a, uint8_t *d_flag, cudaStream_t stream);
lte_status lte_detect_cuda(const lte_link *link, int detector, lte_noise noise,
                           const int64_t *d_residual, const float *d_h, const float *d_x,
                           const float *d_y, uint32_t *d_label, uint8_t *d_flag,
                           cudaStream_t stream);
lte_status lte_pack_cuda(const lte_link *link, const uint32_t *d_label, uint8_t *d_bits,
                         cudaStream_t stream);
lte_status lte_count_cuda(const lte_link *link, const uint32_t *d_sent, const uint32_t *d_decided,
                          const uint8_t *d_flag, uint32_t *d_errors, cudaStream_t stream);

/*
 * Device memory that the slots of a sweep take on their way; of receivers with two reference symbols
 * for LTE_SPARE_SLOTS slots more: those that complete the first and the last subframe.
 */
enum { LTE_SPARE_SLOTS = 2 };
typedef struct {
    lte_cf32 *tap;     /* [n_slots][lte_slot_taps], if the channel has some */
    lte_cf32 *pilots;  /* [n_slots][n_rx][n_sc], if the receiver estimates, as the next two */
    lte_cf32 *h;       /* [n_slots][n_rx][n_tx][n_sc] */
    int64_t *residual; /* [n_slots] */
    lte_combination *combination; /* [n_slots][7], if they go by two reference symbols */
    lte_large_memory large;       /* of links in batches: of n_large slots, or, where that is 1, */
    int n_large, sc_large;        /* of sc_large subcarriers */
} lte_sweep_memory;

/*
 * The fused sweep: slots first .. first + n_slots - 1 for detectors [n_detectors].
 *
 *   d_power    [n_slots]                                    out
 *   d_errors   [n_slots][n_detectors][n_counts]   out
 */
lte_status lte_sweep_cuda(const lte_link *link, lte_noise noise, const int *detectors,
                          int n_detectors, uint64_t first, int n_slots,
                          const lte_sweep_memory *memory, lte_power *d_power, uint32_t *d_errors,
                          cudaStream_t stream);

/*
 * What slots carry of a code, transmission after transmission: block b has two slots from lte_code_slot on. One
 * that nobody listens to is not sent. LLRs of bits that scrambling changes are stored with the other sign.
 */
typedef struct {
    lte_code_plan plan;
    int transmission, n_blocks;
    const uint8_t *listens; /* [n_blocks][n_detectors] */
    const uint8_t *sent;    /* [n_blocks] */
    const uint8_t *flips;   /* [10][2][7][n_tx][n_sc]: bits of labels that scrambling changes */
    const uint8_t *labels;  /* [n_blocks][2][7][n_tx][n_sc] */
    int8_t *llrs;           /* [n_blocks][n_detectors][2] of lte_llr_planes  out */
} lte_carried;

/*
 * The same for slots that carry a code, in two steps: what all transmissions have in common, counts being zero
 * then, noise what the others need; the slots of one of them.
 */
lte_status lte_sweep_prepare_cuda(const lte_link *link, lte_noise *noise, int n_detectors,
                                  uint64_t first, int n_slots, const lte_sweep_memory *memory,
                                  lte_power *d_power, uint32_t *d_errors, cudaStream_t stream);
lte_status lte_sweep_carry_cuda(const lte_link *link, lte_noise noise, const int *detectors,
                                int n_detectors, uint64_t first, const lte_carried *carried,
                                const lte_sweep_memory *memory, lte_power *d_power,
                                uint32_t *d_errors, cudaStream_t stream);

/*
 * Whether the fused sweep, and lte_slot_throughput_cuda, take a link with two reference symbols and
 * a detector: the others go by batches.
 */
bool lte_both_fuse(const lte_link *link, int detector);

/* The version of the fused sweep that a link takes, in words. */
const char *lte_sweep_cuda_choice(const lte_link *link);

/*
 * The fused slot, one launch for the job's n_carriers slots from first on. Its memory must be such
 * that the device can follow the pointers: mapped host memory or its own.
 *
 *   latency      lanes share a subcarrier: least latency; receivers with one H a slot (n_csi = 1)
 *   throughput   a thread per subcarrier: most carriers
 *   d_residual   [n_h_in], if the noise is estimated
 */
/* True if the latency kernels take a link and detector; the throughput kernel takes any, and LLRs. */
bool lte_slot_latency_takes(const lte_link *link, int detector);
lte_status lte_slot_latency_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, cudaStream_t stream);
lte_status lte_slot_throughput_cuda(const lte_link *link, const lte_slot_job *job,
                                    const int64_t *d_residual, uint64_t first, cudaStream_t stream);

/*
 * The persistent kernel: waits for the doorbell, runs a period's slots as lte_slot_latency_cuda,
 * every block says done, waits again. Ends with LTE_DOORBELL_QUIT.
 *
 *   link       n_csi = 1; one that estimates reads no h
 *   n_blocks   of lte_slot_persistent_blocks
 *   d_relay    where the first block passes the doorbell's word on to the others
 *   d_shared   [n_carriers][lte_shared_words]  where blocks that estimate tell each other of the
 *              reference symbol
 *
 * Both lie in device memory, zero before the kernel starts. No notification may come before
 * all blocks have answered the last one: what they tell each other counts on it.
 */
lte_status lte_slot_persistent_cuda(const lte_link *link, const lte_slot_job *job, int n_blocks,
                                    lte_doorbell *doorbell, uint64_t *d_relay, uint64_t *d_shared,
                                    cudaStream_t stream);

enum { LTE_COUNTER_WORDS = 8 }; /* where the residuals of a carrier's blocks add up */
LTE_INLINE size_t lte_shared_words(const lte_link *link)
{
    const size_t n_rx = (size_t)link->n_rx, n_sc = (size_t)link->n_sc;
    const size_t n_sums = n_rx * (size_t)link->n_tx * (size_t)link->pilots.n_basis;
    const size_t n = lte_pilots_span_carrier(&link->pilots) ? n_sums * ((size_t)link->n_groups + 1)
                                                            : n_rx * n_sc;
    return LTE_COUNTER_WORDS + 2 * n;
}

/*
 * Blocks of the persistent kernel: those that can be on the device at once, or fewer if there is no
 * work for more. Blocks that estimate wait for each other, so either all are there or *n_blocks is
 * 0 and periods are launched.
 *
 * Returns LTE_EDEVICE if not one fits of a link that does not estimate.
 */
lte_status lte_slot_persistent_blocks(const lte_link *link, int n_carriers, int *n_blocks);

#ifdef __cplusplus
}
#endif

#endif
