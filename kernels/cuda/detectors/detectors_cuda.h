#ifndef LTE_KERNELS_CUDA_DETECTORS_CUDA_H
#define LTE_KERNELS_CUDA_DETECTORS_CUDA_H
/*
 * Every detector on a device, by its text in phy/detection: a thread takes the symbols of a
 * subcarrier and has the detector's state and work in device memory. It is the path of what no
 * faster kernel takes, and it takes all: sweeps and slots, bits, LLRs and codes, arrays of any size
 * and every inverter.
 *
 *     status = lte_decide_slots_cuda(&link, &job, d_residual, first, n_slots, &memory, stream);
 *
 * Each detector has an object of its own, made from the list (kernels/device_objects.cmake), and a
 * launcher in lte_decide_units. What it decides lies in the memory of large arrays
 * (kernels/cuda/large/large_cuda.h) until a kernel for all detectors counts it, packs it or hands
 * it over.
 */

#include "kernels/cuda/large/large_cuda.h"

/* Whether there is memory for states of a link's detectors, those that no faster kernel takes. */
static inline bool lte_link_keeps_states(const lte_link *link)
{
    bool keeps = link->receiver.searches;
    keeps = keeps || (link->output.asked == LTE_GIVES_LLRS && !lte_link_fits_threads(link));
    for (int id = LTE_N_SOLVING_DETECTORS; id < LTE_N_ESTIMATING_DETECTORS; id++)
        keeps =
            keeps || (lte_link_in_batches(link) && !lte_large_takes(link, lte_detector_usual(id)));
    return keeps;
}

/*
 * Complex elements of a thread: the state and the work of the largest detector, and labels [n_tx]
 * as words. Threads that `bytes` of memory are for, up to n_units of them; at least a block.
 */
LTE_INLINE size_t lte_thread_scratch(const lte_link *link)
{
    return (size_t)(link->receiver.n_state + link->receiver.n_work) + (size_t)(link->n_tx + 1) / 2;
}
static inline int lte_scratch_threads(const lte_link *link, size_t n_units, size_t bytes)
{
    const size_t fill = 1 << 16, block = 128;
    const size_t fit = bytes / (lte_thread_scratch(link) * sizeof(lte_cf32));
    const size_t most = fit < fill ? fit : fill;
    return (int)(n_units < most ? n_units : most > block ? most / block * block : block);
}

typedef lte_status lte_decide_fn(const lte_decide_job *job, cudaStream_t stream);

#ifdef __cplusplus
extern "C" {
#endif

extern lte_decide_fn *const lte_decide_units[LTE_N_DETECTORS];

/*
 * The slots of a deadline run from first on, of a link that gives LLRs or bits; as
 * lte_large_slots_cuda, and the last stage of it alone, for matrices and inverses in memory.
 */
lte_status lte_decide_slots_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, int n_slots,
                                 const lte_large_memory *memory, cudaStream_t stream);
lte_status lte_decide_made_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                const lte_large_memory *memory, cudaStream_t stream);

/*
 * The slots at hand of a sweep: decided, and counted as lte_large_count_cuda does, with LLRs as
 * well if the link counts them.
 *
 *   job       all but the matrices that the detector needs, which are made
 *   d_flips   NULL, or of slots that carry a code [20][7][n_tx][n_sc]: then
 *   d_llrs    [n_processes][2] of lte_llr_planes  out
 */
lte_status lte_decide_count_cuda(const lte_link *link, const lte_decide_job *job, int n_columns,
                                 uint32_t *d_errors, const uint8_t *d_flips, int8_t *d_llrs,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
