#ifndef LTE_KERNELS_DETECT_STAGE_CUH
#define LTE_KERNELS_DETECT_STAGE_CUH
/*
 * Stage 7 on a device: a thread takes one subcarrier of one symbol, the state made by each.
 *
 *     #include "phy/detection/cg.h"
 *     LTE_GENERAL_DETECTOR(cg)
 *     LTE_STAGE_DETECTOR(cg)
 */

#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/stages/stages_cuda.h"
#include "phy/detection/solving.h"

/* Elements of a thread: H, of which the state is made in place, and y. */
static inline __host__ __device__ int elements(const lte_link &link, int n_state)
{
    return n_state + link.n_rx;
}

/* loading, parameter and n_state: of the detector. */
template <int N, int DET>
static __global__ void detect_kernel(lte_link link, float loading, int parameter, int n_state,
                                     lte_noise noise, lte_detected d)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), symbol = (int)blockIdx.y;
    const int n_rx = link.n_rx, n_tx = layers_of<N>(link);
    if (sc >= link.carrier.n_groups * LTE_LANES)
        return;
    const int m = matrix_lane(link.receiver.n_csi, sc, link.receiver.n_csi > 1 ? symbol : 0);
    const float n0 = effective_n0(link, noise, d.residual, sc);
    lte_cplx *const state = thread_memory(elements(link, n_state)), *const received =
                                                                        state + n_state;
    lte_cplx estimate[layer_room(N)];
    uint32_t decided[layer_room(N)];
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = batch_load(batch_at(d.h, n_rx * n_tx, m), e);
    for (int r = 0; r < n_rx; r++)
        received[r] = batch_load(d.y + lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, sc, symbol, 0), r);
    if constexpr (DET == SOLVING) {
        lte_cplx inverse[N * N];
        for (int e = 0; e < N * N; e++)
            inverse[e] = batch_load(batch_at(d.x, N * N, m), e);
        lte_solve_finish(loading * n0, n_rx, N, state, n0, false, inverse, state);
    } else {
        const lte_mask flagged = detector<DET>::template prepare<N, NO_INVERTER>(
            loading, parameter, n_rx, n_tx, link.receiver.inverter, state, n0, state);
        if (symbol < link.receiver.n_csi)
            d.flag[m] = (uint8_t)flagged;
    }
    detector<DET>::template apply<N>(n_rx, n_tx, parameter, state, received, estimate);
    demap_layers<N>(n_tx, link.n_bits, estimate, decided);
#pragma unroll
    for (int k = 0; k < layer_room(N); k++) {
        if (k < n_tx)
            d.label[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k)] =
                symbol == link.receiver.pilot ? 0 : decided[k];
    }
}

typedef void detect_stage_fn(lte_link link, float loading, int parameter, int n_state,
                             lte_noise noise, lte_detected d);

/* The kernel of one of LTE_OTHER_DETECTORS, of any order. */
#define LTE_STAGE_DETECTOR(id)                                                                     \
    extern "C" detect_stage_fn *lte_detect_##id(void)                                              \
    {                                                                                              \
        return detect_kernel<ANY_ORDER, LTE_DETECTOR_##id>;                                        \
    }

#endif
