#ifndef LTE_KERNELS_CUDA_DETECTOR_THREAD_CUH
#define LTE_KERNELS_CUDA_DETECTOR_THREAD_CUH
/*
 * The kernel of a detector whose state and work lie in device memory, and its launcher. An object
 * has one of these lines, after the detector's file, and so hangs on the text of no other:
 *
 *     LTE_DEVICE_SOLVING(mmse)
 *     LTE_DEVICE_OTHER(cg)
 *     LTE_DEVICE_SEARCHING(kbest)
 *
 * Threads are as many as there is memory for; each takes a unit, then the next that is left.
 */

#include "kernels/base/labels.h"
#include "kernels/cuda/detectors/detectors_cuda.h"
#include "kernels/cuda/large/large.cuh"
#include "phy/detection/matched.h"
#include "phy/inversion/inversion.h"

namespace
{

enum { DECIDE_BLOCK = 128 };

/* An inverter in a thread, as prepare_scaled of a detector that solves calls it. */
template <int INVERTER> __device__ __noinline__ lte_mask inverse_of(int n, lte_cplx *a)
{
    lte_mask flag = 1;
#define INVERT(id)                                                                                 \
    if (INVERTER == LTE_INVERTER_##id)                                                             \
        flag = lte_##id(n, a);
    LTE_INVERTERS(INVERT)
#undef INVERT
    return flag;
}

__device__ __forceinline__ lte_inverse_fn *inverse_for(const lte_link &link)
{
    lte_inverse_fn *invert = NULL;
#define TAKE(id)                                                                                   \
    if (link.receiver.inverter == LTE_INVERTER_##id)                                               \
        invert = inverse_of<LTE_INVERTER_##id>;
    LTE_INVERTERS(TAKE)
#undef TAKE
    return invert;
}

/* What a thread knows of matrix m of its unit. */
struct known_matrix {
    const lte_cplx *h, *x; /* x: the inverse, of a detector that needs one */
    float n0;
    uint8_t *flag; /* in of such a detector, out of the others */
};

__device__ __forceinline__ known_matrix matrix_of(const lte_decide_job &job, int unit, int m)
{
    const lte_link &link = job.link;
    const ptrdiff_t matrix = (ptrdiff_t)unit * link.receiver.n_csi + m;
    return {(const lte_cplx *)job.memory.h + matrix * link.n_rx * link.n_tx,
            (const lte_cplx *)job.memory.x + matrix * link.n_tx * link.n_tx,
            symbol_n0(link, job.units, job.noise, job.residual, unit, m), job.memory.flag + matrix};
}

/* The two functions of a detector as the kernel calls them; wide: of links with such a channel. */
typedef void prepare_fn(const lte_detector_plan *plan, const lte_link &link, const known_matrix &m,
                        lte_cplx *state, lte_cplx *work);
typedef lte_mask scaled_fn(const lte_detector_plan *plan, lte_mask lanes, const lte_cplx *h,
                           lte_disturbance disturbance, lte_inverse_fn *invert, lte_cplx *state,
                           lte_cplx *work);
typedef lte_mask detect_fn(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                           const lte_decision *decision, lte_cplx *work);

/* prepare by the functions of phy/detection/detector.h. */
template <lte_detector_prepare_fn *PREPARE, scaled_fn *SCALED>
__device__ __forceinline__ void prepared(const lte_detector_plan *plan, const lte_link &link,
                                         const known_matrix &m, lte_cplx *state, lte_cplx *work)
{
    const lte_disturbance noise = lte_white(m.n0);
    *m.flag = (uint8_t)(link.channel.wide ? SCALED(plan, 1, m.h, noise, NULL, state, work)
                                          : PREPARE(plan, m.h, noise, NULL, state, work));
}

/* prepare of a detector that solves, whose inverses are made before unless the channel is wide. */
__device__ __forceinline__ void solved(const lte_detector_plan *plan, const lte_link &link,
                                       const known_matrix &m, lte_cplx *state, lte_cplx *work)
{
    if (link.channel.wide)
        *m.flag = (uint8_t)lte_solving_prepare_scaled(plan, 1, m.h, lte_white(m.n0),
                                                      inverse_for(link), state, work);
    else
        lte_solving_finish(plan, m.h, lte_white(m.n0), m.x, state);
}

/* detect, and that of a detector that makes estimates, as lte_detect does it. */
template <lte_detector_detect_fn *DETECT>
__device__ __forceinline__ lte_mask searched(const lte_detector_plan *plan, lte_cplx *state,
                                             const lte_cplx *y, const lte_decision *decision,
                                             lte_cplx *work)
{
    return DETECT(plan, state, y, decision, work);
}

template <lte_detector_estimate_fn *ESTIMATE>
__device__ __forceinline__ lte_mask estimated(const lte_detector_plan *plan, lte_cplx *state,
                                              const lte_cplx *y, const lte_decision *decision,
                                              lte_cplx *work)
{
    lte_cplx *const x = work;
    float *const rho = (float *)(work + plan->n_tx);
    ESTIMATE(plan, state, y, x, plan->llrs ? rho : NULL);
    for (int k = 0; k < plan->n_tx; k++)
        lte_decide(plan, k, x[k], plan->llrs ? rho[k] : 0.0f, decision);
    return m_none();
}

template <prepare_fn *PREPARE, detect_fn *DETECT>
__global__
__launch_bounds__(DECIDE_BLOCK) void decide_units_kernel(const __grid_constant__ lte_decide_job job)
{
    const int t = (int)(blockIdx.x * DECIDE_BLOCK + threadIdx.x);
    const int n_units = job.units.n_slots * job.units.n_sc;
    const int n_rx = job.link.n_rx, n_tx = job.link.n_tx, n_bits = job.link.n_bits;
    const int n_csi = job.link.receiver.n_csi;
    lte_cplx *const state =
        (lte_cplx *)job.memory.scratch + t * (ptrdiff_t)lte_thread_scratch(&job.link);
    lte_cplx *const work = state + job.link.receiver.n_state;
    lte_word *const label = (lte_word *)(work + job.link.receiver.n_work);
    if (t >= job.memory.n_threads)
        return;
    for (int unit = t; unit < n_units; unit += job.memory.n_threads) {
        if (!lte_units_listen(&job.units, unit / job.units.n_sc))
            continue;
#pragma unroll 1
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            const ptrdiff_t at = (ptrdiff_t)unit * LTE_SLOT_SYMBOLS + symbol;
            if (symbol == job.link.receiver.pilot)
                continue;
            if (symbol < n_csi)
                PREPARE(&job.plan, job.link, matrix_of(job, unit, symbol), state, work);
            lte_decision decision;
            decision.label = label;
            decision.llr = job.plan.llrs ? job.memory.llr + at * n_tx * n_bits : NULL;
            decision.rho = NULL;
            const lte_mask left = DETECT(
                &job.plan, state, (const lte_cplx *)job.memory.y + at * n_rx, &decision, work);
            if (left)
                matrix_of(job, unit, n_csi > 1 ? symbol : 0).flag[0] |=
                    (uint8_t)(LTE_FLAG_UNFINISHED << symbol);
            for (int k = 0; k < n_tx; k++)
                lte_label_put(n_bits, job.memory.decided, at * n_tx + k, label[k]);
        }
    }
}

template <prepare_fn *PREPARE, detect_fn *DETECT>
lte_status decide_units(const lte_decide_job *job, cudaStream_t stream)
{
    const int blocks = blocks_of(job->memory.n_threads, DECIDE_BLOCK);
    decide_units_kernel<PREPARE, DETECT><<<blocks, DECIDE_BLOCK, 0, stream>>>(*job);
    return LTE_LAUNCHED(decide_units_kernel);
}

} // namespace

#define LTE_DEVICE_DETECTOR(id, ...)                                                               \
    extern "C" lte_status lte_##id##_decide_cuda(const lte_decide_job *job, cudaStream_t stream)   \
    {                                                                                              \
        return decide_units<__VA_ARGS__>(job, stream);                                             \
    }
#define LTE_DEVICE_SOLVING(id) LTE_DEVICE_DETECTOR(id, solved, estimated<lte_solving_estimate>)
#define LTE_DEVICE_OTHER(id)                                                                       \
    LTE_DEVICE_DETECTOR(id, prepared<lte_##id##_prepare, lte_##id##_prepare_scaled>,               \
                        estimated<lte_##id##_estimate>)
#define LTE_DEVICE_SEARCHING(id)                                                                   \
    LTE_DEVICE_DETECTOR(id, prepared<lte_##id##_prepare, lte_##id##_prepare_scaled>,               \
                        searched<lte_##id##_detect>)

#endif
