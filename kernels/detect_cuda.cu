/* Stage 7 on a device: a thread takes one subcarrier of one symbol, the state made by each. */
#include "kernels/pack.cuh"

template <int N, int DET>
static __global__ void detect_kernel(lte_link link, int detector, lte_noise noise,
                                     const int64_t *residual, const float *h, const float *x,
                                     const float *y, uint32_t *label, uint8_t *flag)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), symbol = (int)blockIdx.y;
    const int n_rx = link.n_rx;
    if (sc >= link.n_groups * LTE_LANES)
        return;
    const ptrdiff_t re = (ptrdiff_t)(sc / LTE_LANES) * LTE_SLOT_SYMBOLS + symbol;
    const int m = matrix_lane(link.n_csi, sc, link.n_csi > 1 ? symbol : 0);
    const float n0 = effective_n0(link, noise, residual, sc);
    lte_cplx state[LTE_LINEAR_STATE(LTE_MAX_RX, N)], received[LTE_MAX_RX], estimate[N];
    uint32_t decided[N];
    for (int e = 0; e < n_rx * N; e++)
        state[e] = batch_load(batch_at(h, n_rx * N, m), e);
    for (int r = 0; r < n_rx; r++)
        received[r] = batch_load(y + re * n_rx * 2 * LTE_LANES + sc % LTE_LANES, r);
    if constexpr (DET == SOLVING) {
        lte_cplx inverse[N * N];
        for (int e = 0; e < N * N; e++)
            inverse[e] = batch_load(batch_at(x, N * N, m), e);
        lte_solve_finish(detector, n_rx, N, state, n0, false, inverse, state);
    } else {
        const lte_mask flagged = prepare<N, NO_INVERTER, DET>(DET, n_rx, state, n0, state);
        if (symbol < link.n_csi)
            flag[m] = (uint8_t)flagged;
    }
    lte_apply(detector, n_rx, N, state, received, estimate, NULL);
    demap(N, link.n_bits, estimate, decided);
    for (int k = 0; k < N; k++)
        label[(re * N + k) * LTE_LANES + sc % LTE_LANES] = symbol == link.pilot ? 0 : decided[k];
}

template <int DET>
static lte_status detect(const lte_link *link, int detector, lte_noise noise,
                         const int64_t *d_residual, const float *d_h, const float *d_x,
                         const float *d_y, uint32_t *d_label, uint8_t *d_flag, cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), LTE_SLOT_SYMBOLS);
#define DETECT(n)                                                                                  \
    detect_kernel<n, DET><<<grid, STAGE_BLOCK, 0, stream>>>(*link, detector, noise, d_residual,    \
                                                            d_h, d_x, d_y, d_label, d_flag)
    LTE_FOR_ORDER(link->n_tx, DETECT)
#undef DETECT
    return LTE_LAUNCHED(detect_kernel);
}

lte_status lte_detect_cuda(const lte_link *link, int detector, lte_noise noise,
                           const int64_t *d_residual, const float *d_h, const float *d_x,
                           const float *d_y, uint32_t *d_label, uint8_t *d_flag,
                           cudaStream_t stream)
{
#define DETECT(id)                                                                                 \
    if (detector == LTE_DETECTOR_##id)                                                             \
        return detect<LTE_DETECTOR_##id>(link, detector, noise, d_residual, d_h, d_x, d_y,         \
                                         d_label, d_flag, stream);
    LTE_FILTER_DETECTORS(DETECT)
#undef DETECT
    return detect<SOLVING>(link, detector, noise, d_residual, d_h, d_x, d_y, d_label, d_flag,
                           stream);
}
