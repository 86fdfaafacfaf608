#ifndef LTE_KERNELS_SEARCHES_CUH
#define LTE_KERNELS_SEARCHES_CUH
/*
 * The searches of kernels whose warps go in step, each a struct with
 *
 *     run<N, BITS>(plan, state, y, decision, work, lane)
 *
 * of N layers and BITS of a symbol, 0: as the plan says. The lanes of a resource element call it
 * together, all lanes of a warp at once. work lies in shared memory if it looks_up; state<N> is the
 * number of elements of the detector's state. One that shares has another run, begin and
 * shared_size: search_ml_llrs.cuh.
 */

#include "kernels/cuda/device/in_step.cuh" /* before all texts of phy */

#include "kernels/cuda/device/device.cuh"
#include "phy/detection/linear.h"
#include "phy/detection/tree.h"

namespace
{

/* Whether other lanes have something better: a metric, and of equal ones the smaller label. */
struct better_vector {
    float metric;
    uint64_t label;
    __device__ __forceinline__ bool take(int away)
    {
        const float other = __shfl_xor_sync(~0u, metric, away);
        const uint64_t its = __shfl_xor_sync(~0u, label, away);
        const bool better = other < metric || (other == metric && its < label);
        metric = better ? other : metric;
        label = better ? its : label;
        return better;
    }
};

/* By one lane, with the text of phy; LOOKS_UP: its work is what a lane looks up. */
template <lte_detector_detect_fn *DETECT, bool LOOKS_UP = false> struct search_alone {
    static constexpr bool shares = false;
    static constexpr bool looks_up = LOOKS_UP;
    template <int N> static constexpr int state = LTE_TREE_STATE(N, N);
    template <int N, int BITS>
    static __device__ __forceinline__ void run(const lte_detector_plan *plan, lte_cplx *state,
                                               const lte_cplx *y, const lte_decision *decision,
                                               lte_cplx *work, int)
    {
        (void)DETECT(plan, state, y, decision, work);
    }
};

template <lte_detector_detect_fn *DETECT> struct search_looking_up : search_alone<DETECT, true> {
};

/* A state that has linear estimates behind that of the tree. */
template <lte_detector_detect_fn *DETECT> struct search_with_estimates : search_alone<DETECT> {
    template <int N> static constexpr int state = LTE_TREE_STATE(N, N) + LTE_LINEAR_STATE(N, N);
};

} // namespace

#endif
