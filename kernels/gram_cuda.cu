/* Stage 5 on a device: a thread per matrix. */
#include "kernels/device.cuh"

template <int N>
static __global__ void gram_kernel(lte_link link, int detector, lte_noise noise,
                                   const int64_t *residual, const float *h, float *g)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); /* any of the slot's matrices */
    const int n_rx = link.n_rx;
    if (i >= link.n_groups * link.n_csi * LTE_LANES)
        return;
    lte_cplx channel[LTE_MAX_RX * N], product[N * N];
    for (int e = 0; e < n_rx * N; e++)
        channel[e] = batch_load(batch_at(h, n_rx * N, i), e);
    lte_gram(n_rx, N, channel, product);
    const int sc = i / LTE_LANES / link.n_csi * LTE_LANES + i % LTE_LANES;
    lte_gram_load(N, product, lte_loading(detector, effective_n0(link, noise, residual, sc)));
    for (int e = 0; e < N * N; e++)
        batch_store(batch_at(g, N * N, i), e, product[e]);
}

lte_status lte_gram_cuda(const lte_link *link, int detector, lte_noise noise,
                         const int64_t *d_residual, const float *d_h, float *d_g,
                         cudaStream_t stream)
{
#define GRAM(n)                                                                                    \
    gram_kernel<n><<<matrix_blocks(link), STAGE_BLOCK, 0, stream>>>(*link, detector, noise,        \
                                                                    d_residual, d_h, d_g)
    LTE_FOR_ORDER(link->n_tx, GRAM)
#undef GRAM
    return LTE_LAUNCHED(gram_kernel);
}
