#ifndef LTE_KERNELS_CUDA_SLOT_SLOT_CUDA_H
#define LTE_KERNELS_CUDA_SLOT_SLOT_CUDA_H
/*
 * The fused slot on a device: from planes to packed bits or LLRs in one launch, or by a kernel that
 * stays.
 *
 *     lte_status status = lte_slot_throughput_cuda(&link, &job, d_residual, first, stream);
 *
 * What all launchers have in common: kernels/cuda/launchers.h.
 */

#include "kernels/base/cuda_status.h"
#include "kernels/cuda/slot/doorbell_words.h"
#include "kernels/link/slot_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the latency kernels take a link and detector. */
bool lte_slot_latency_takes(const lte_link *link, lte_detector detector);

/*
 * The fused slot, one launch for the job's n_carriers slots from first on. Its memory must be such
 * that the device can follow the pointers: mapped host memory or its own.
 *
 *   latency      lanes share a subcarrier: least latency; receivers with one H a slot (n_csi = 1)
 *   throughput   a thread per subcarrier: most carriers
 *   d_residual   [n_h_in], if the noise is estimated
 */
lte_status lte_slot_latency_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, cudaStream_t stream);
lte_status lte_slot_throughput_cuda(const lte_link *link, const lte_slot_job *job,
                                    const int64_t *d_residual, uint64_t first, cudaStream_t stream);

/* The same of detectors that search: whether there is a kernel, and its launch. */
bool lte_slot_searching_takes(const lte_link *link, lte_detector detector);
lte_status lte_slot_searching_cuda(const lte_link *link, const lte_slot_job *job,
                                   const int64_t *d_residual, uint64_t first, cudaStream_t stream);

/* Theirs of the two below; a link that estimates has no blocks. */
lte_status lte_slot_searching_blocks(const lte_link *link, lte_detector detector, int n_carriers,
                                     int *n_blocks);
lte_status lte_slot_searching_persistent_cuda(const lte_link *link, const lte_slot_job *job,
                                              int n_blocks, lte_doorbell *doorbell,
                                              uint64_t *d_relay, uint64_t *d_shared,
                                              cudaStream_t stream);

/*
 * Words of a carrier that blocks of these share, d_shared: how many have their LLRs there, of each
 * so many subcarriers or, if blocks do not divide them, somewhat fewer; and the LLRs, on their way
 * to the host. 0: blocks write what they have.
 */
enum { LTE_SENT_SUBCARRIERS = 128 };
LTE_INLINE size_t lte_sent_counter_words(const lte_link *link)
{
    return (size_t)link->carrier.n_sc / LTE_SENT_SUBCARRIERS + 1; /* two of 32 bits a word */
}
LTE_INLINE size_t lte_sent_words(const lte_link *link)
{
    const bool sends = link->output.asked == LTE_GIVES_LLRS && link->carrier.n_sc % 4 == 0;
    return sends ? lte_sent_counter_words(link) + ((size_t)lte_llr_planes(link) + 7) / 8 : 0;
}

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
    const size_t n_rx = (size_t)link->n_rx, n_sc = (size_t)link->carrier.n_sc;
    const size_t n_sums = n_rx * (size_t)link->n_tx * (size_t)link->receiver.estimator.n_basis;
    const size_t n = lte_estimator_spans_carrier(&link->receiver.estimator)
                         ? n_sums * ((size_t)link->carrier.n_groups + 1)
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
lte_status lte_slot_persistent_blocks(const lte_link *link, lte_detector detector, int n_carriers,
                                      int *n_blocks);

#ifdef __cplusplus
}
#endif

#endif
