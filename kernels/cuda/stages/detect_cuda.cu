/* Stage 7 on a device: a thread takes one subcarrier of one symbol, the state made by each. */
#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/device/solving_detectors.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

/* Elements of a thread: H, of which the state is made in place, and y. */
static __host__ __device__ int elements(const lte_link &link, int n_state)
{
    return n_state + link.n_rx;
}

template <int N, int DET>
static __global__ void detect_kernel(lte_link link, float loading, int which, int parameter,
                                     int n_state, lte_noise noise, const int64_t *residual,
                                     const float *h, const float *x, const float *y,
                                     uint32_t *label, uint8_t *flag)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), symbol = (int)blockIdx.y;
    const int n_rx = link.n_rx, n_tx = layers_of<N>(link);
    if (sc >= link.n_groups * LTE_LANES)
        return;
    const int m = matrix_lane(link.n_csi, sc, link.n_csi > 1 ? symbol : 0);
    const float n0 = effective_n0(link, noise, residual, sc);
    lte_cplx *const state = thread_memory(elements(link, n_state)), *const received =
                                                                        state + n_state;
    lte_cplx estimate[layer_room(N)];
    uint32_t decided[layer_room(N)];
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = batch_load(batch_at(h, n_rx * n_tx, m), e);
    for (int r = 0; r < n_rx; r++)
        received[r] = batch_load(y + lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, sc, symbol, 0), r);
    if constexpr (DET == SOLVING) {
        lte_cplx inverse[N * N];
        for (int e = 0; e < N * N; e++)
            inverse[e] = batch_load(batch_at(x, N * N, m), e);
        lte_solve_finish(loading * n0, n_rx, N, state, n0, false, inverse, state);
    } else {
        const lte_mask flagged = detector<DET>::template prepare<N, NO_INVERTER>(
            loading, n_rx, n_tx, which, state, n0, state);
        if (symbol < link.n_csi)
            flag[m] = (uint8_t)flagged;
    }
    detector<DET>::template apply<N>(n_rx, n_tx, which, link.n_bits, parameter, state, received,
                                     estimate);
    demap_layers<N>(n_tx, link.n_bits, estimate, decided);
#pragma unroll
    for (int k = 0; k < layer_room(N); k++) {
        if (k < n_tx)
            label[lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k)] =
                symbol == link.pilot ? 0 : decided[k];
    }
}

typedef void detect_fn(lte_link link, float loading, int which, int parameter, int n_state,
                       lte_noise noise, const int64_t *residual, const float *h, const float *x,
                       const float *y, uint32_t *label, uint8_t *flag);

template <int DET> struct detection {
    template <int N> static detect_fn *of(const lte_link *link)
    {
        (void)link;
        return detect_kernel<N, DET>;
    }
};

static detect_fn *kernel_for(const lte_link *link, lte_detector detector)
{
    return lte_detector_solves(detector.id) ? instance_for_order<detection<SOLVING>>(link)
                                            : instance_for_order_or_any<detection<OTHER>>(link);
}

lte_status lte_detect_cuda(const lte_link *link, lte_detector detector, lte_noise noise,
                           const int64_t *d_residual, const float *d_h, const float *d_x,
                           const float *d_y, uint32_t *d_label, uint8_t *d_flag,
                           cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), LTE_SLOT_SYMBOLS);
    const lte_detector_row *row = lte_detector_row_of(detector);
    const lte_detector_plan plan = lte_link_plan(link, detector, false);
    const int n_state = row->state(&plan);
    detect_fn *const kernel = kernel_for(link, detector);
    size_t bytes;
    const lte_status status =
        memory_of_block((const void *)kernel, STAGE_BLOCK, elements(*link, n_state), &bytes);
    if (status)
        return status;
    kernel<<<grid, STAGE_BLOCK, bytes, stream>>>(*link, row->loading, asked_for(link, detector),
                                                 (int)detector.value[0], n_state, noise, d_residual,
                                                 d_h, d_x, d_y, d_label, d_flag);
    return LTE_LAUNCHED(detect_kernel);
}
