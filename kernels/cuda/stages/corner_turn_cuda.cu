/* Stage 4 on a device: a thread per subcarrier and plane. */
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

/* Block row y takes one plane: first those of H, then those of y. Beyond the carrier are zeros. */
static __global__ void corner_turn_kernel(lte_link link, const float2 *h_planes,
                                          const float2 *y_planes, float *h, float *y)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int n_planes = link.n_rx * link.n_tx * link.receiver.n_csi, first = (int)blockIdx.y;
    const bool of_h = first < n_planes;
    const int n = of_h ? link.n_rx * link.n_tx : link.n_rx, plane = of_h ? first : first - n_planes;
    const int n_times = of_h ? link.receiver.n_csi : LTE_SLOT_SYMBOLS, e = plane / n_times;
    lte_cplx x = c_zero();
    if (sc >= link.carrier.n_groups * LTE_LANES)
        return;
    if (sc < link.carrier.n_sc) {
        const float2 pair = (of_h ? h_planes : y_planes)[(ptrdiff_t)plane * link.carrier.n_sc + sc];
        x.re = pair.x;
        x.im = pair.y;
    }
    batch_store((of_h ? h : y) + lte_batch_at(n_times, n, sc, plane % n_times, e), 0, x);
}

lte_status lte_corner_turn_cuda(const lte_link *link, const lte_cf32 *d_h_planes,
                                const lte_cf32 *d_y_planes, float *d_h, float *d_y,
                                cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), (unsigned)(link->n_rx * (link->n_tx * link->receiver.n_csi +
                                                                 LTE_SLOT_SYMBOLS)));
    corner_turn_kernel<<<grid, STAGE_BLOCK, 0, stream>>>(*link, (const float2 *)d_h_planes,
                                                         (const float2 *)d_y_planes, d_h, d_y);
    return LTE_LAUNCHED(corner_turn_kernel);
}
