/* Stage 4 on a device: a thread per subcarrier and plane. */
#include "kernels/device.cuh"

/* One element of subcarrier sc, zero beyond the carrier. */
static __device__ void corner_turn_element(int n_sc, int sc, const lte_cf32 *plane, float *out)
{
    lte_cplx x = c_zero();
    if (sc < n_sc) {
        const float2 pair = ((const float2 *)plane)[sc];
        x.re = pair.x;
        x.im = pair.y;
    }
    batch_store(out, 0, x);
}

/* Block row y takes one plane: first those of H, then those of y. */
static __global__ void corner_turn_kernel(lte_link link, const lte_cf32 *h_planes,
                                          const lte_cf32 *y_planes, float *h, float *y)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int n = link.n_rx * link.n_tx, n_y = LTE_SLOT_SYMBOLS * link.n_rx;
    const int n_planes = n * link.n_csi, plane = (int)blockIdx.y;
    if (sc >= link.n_groups * LTE_LANES)
        return;
    if (plane < n_planes) {
        const int e = plane / link.n_csi, m = plane % link.n_csi;
        corner_turn_element(link.n_sc, sc, h_planes + (ptrdiff_t)plane * link.n_sc,
                            batch_at(h, n, matrix_lane(link.n_csi, sc, m)) + e * 2 * LTE_LANES);
    } else {
        const int e = plane - n_planes, symbol = e / link.n_rx, rx = e % link.n_rx;
        corner_turn_element(link.n_sc, sc,
                            y_planes + (ptrdiff_t)(rx * LTE_SLOT_SYMBOLS + symbol) * link.n_sc,
                            batch_at(y, n_y, sc) + e * 2 * LTE_LANES);
    }
}

lte_status lte_corner_turn_cuda(const lte_link *link, const lte_cf32 *d_h_planes,
                                const lte_cf32 *d_y_planes, float *d_h, float *d_y,
                                cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link),
                    (unsigned)(link->n_rx * (link->n_tx * link->n_csi + LTE_SLOT_SYMBOLS)));
    corner_turn_kernel<<<grid, STAGE_BLOCK, 0, stream>>>(*link, d_h_planes, d_y_planes, d_h, d_y);
    return LTE_LAUNCHED(corner_turn_kernel);
}
