#include "kernels/device.cuh"

static __global__ void channel_kernel(lte_link link, uint64_t slot, float *h)
{
    __shared__ lte_cplx tap[LTE_MAX_TAP_ENTRIES];
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int n = link.n_rx * link.n_tx;
    draw_taps(link, slot, (int)threadIdx.x, (int)blockDim.x, tap);
    __syncthreads();
    if (sc >= link.n_groups * LTE_LANES)
        return;
    lte_cplx drawn[LTE_MAX_RX * LTE_MAX_TX]; /* in local memory: any shape */
    draw_channel(link, tap, slot, (uint32_t)sc, drawn);
    for (int e = 0; e < n; e++)
        batch_store(batch_at(h, n, sc), e, drawn[e]);
}

lte_status lte_channel_cuda(const lte_link *link, uint64_t slot, float *d_h, cudaStream_t stream)
{
    channel_kernel<<<stage_blocks(link), STAGE_BLOCK, 0, stream>>>(*link, slot, d_h);
    return LTE_LAUNCHED(channel_kernel);
}
