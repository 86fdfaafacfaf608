#include "kernels/device.cuh"

/* One thread takes one subcarrier of symbol blockIdx.y; the filter is formed by each of them. */
template <int N>
static __global__ void detect_kernel(lte_link link, int detector, lte_noise noise,
                                     const int64_t *residual, const float *h, const float *x,
                                     const float *y, uint32_t *label)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), symbol = (int)blockIdx.y;
    const int n_rx = link.n_rx;
    if (sc >= link.n_groups * LTE_LANES)
        return;
    const ptrdiff_t re = (ptrdiff_t)(sc / LTE_LANES) * LTE_SLOT_SYMBOLS + symbol;
    const int m = matrix_lane(link.n_csi, sc, link.n_csi > 1 ? symbol : 0);
    const float *received = y + re * n_rx * 2 * LTE_LANES + sc % LTE_LANES;
    lte_cplx inverse[N * N], row[N], w[N], estimate[N];
    float gain[N];
    uint32_t decided[N];
    for (int e = 0; e < N * N; e++)
        inverse[e] = batch_load(batch_at(x, N * N, m), e);
    gains_of(detector, N, inverse, effective_n0(link, noise, residual, sc), gain);
    for (int k = 0; k < N; k++)
        estimate[k] = c_zero();
#pragma unroll 1
    for (int r = 0; r < n_rx; r++) {
        for (int k = 0; k < N; k++)
            row[k] = batch_load(batch_at(h, n_rx * N, m), r * N + k);
        lte_filter_antenna(N, row, inverse, gain, w);
        lte_equalise_antenna(N, w, batch_load(received, r), estimate);
    }
    decide(N, link.n_bits, estimate, decided);
    for (int k = 0; k < N; k++)
        label[(re * N + k) * LTE_LANES + sc % LTE_LANES] = symbol == link.pilot ? 0 : decided[k];
}

lte_status lte_detect_cuda(const lte_link *link, int detector, lte_noise noise,
                           const int64_t *d_residual, const float *d_h, const float *d_x,
                           const float *d_y, uint32_t *d_label, cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), LTE_SLOT_SYMBOLS);
#define DETECT(n)                                                                                  \
    detect_kernel<n><<<grid, STAGE_BLOCK, 0, stream>>>(*link, detector, noise, d_residual, d_h,    \
                                                       d_x, d_y, d_label)
    LTE_FOR_ORDER(link->n_tx, DETECT)
#undef DETECT
    return LTE_LAUNCHED(detect_kernel);
}

/* One thread packs the symbols of 16 neighbouring subcarriers, which start on a byte. */
static __global__ void pack_kernel(lte_link link, const uint32_t *label, uint8_t *bits,
                                   size_t row_bytes)
{
    const int g = (int)(blockIdx.x * blockDim.x + threadIdx.x), symbol = (int)blockIdx.y;
    if (g >= link.n_groups)
        return;
    const uint32_t *in = label + ((ptrdiff_t)g * LTE_SLOT_SYMBOLS + symbol) * link.n_tx * LTE_LANES;
    const int left = link.n_sc - g * LTE_LANES, n_live = left < LTE_LANES ? left : LTE_LANES;
    uint8_t *out = bits + (size_t)symbol * row_bytes +
                   (size_t)g * LTE_LANES * (size_t)(link.n_tx * link.n_bits) / 8;
    uint32_t held = 0;
    int n_held = 0;
    for (int i = 0; i < n_live; i++) {
        for (int k = 0; k < link.n_tx; k++) {
            held |= in[k * LTE_LANES + i] << n_held;
            n_held += link.n_bits;
            for (; n_held >= 8; n_held -= 8, held >>= 8)
                *out++ = (uint8_t)held;
        }
    }
    if (n_held > 0)
        *out = (uint8_t)held;
}

lte_status lte_pack_cuda(const lte_link *link, const uint32_t *d_label, uint8_t *d_bits,
                         cudaStream_t stream)
{
    const dim3 grid((unsigned)blocks_of(link->n_groups, WARP), LTE_SLOT_SYMBOLS);
    pack_kernel<<<grid, WARP, 0, stream>>>(*link, d_label, d_bits, lte_packed_row(link));
    return LTE_LAUNCHED(pack_kernel);
}
