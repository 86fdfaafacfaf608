/* Stage 5 on a device: a thread per matrix. */
#include "kernels/cuda/device/device.cuh"
#include "phy/inversion/gram.h"
#include "kernels/cuda/stages/stages_cuda.h"

template <int N>
static __global__ void gram_kernel(lte_link link, float loading, lte_noise noise,
                                   const int64_t *residual, const float *h, float *g)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); /* any of the slot's matrices */
    const int n_rx = link.n_rx;
    if (i >= link.carrier.n_groups * link.receiver.n_csi * LTE_LANES)
        return;
    lte_cplx *const channel = thread_memory(n_rx * N);
    lte_cplx product[N * N];
    for (int e = 0; e < n_rx * N; e++)
        channel[e] = batch_load(batch_at(h, n_rx * N, i), e);
    lte_gram(n_rx, N, channel, product);
    const int sc = i / LTE_LANES / link.receiver.n_csi * LTE_LANES + i % LTE_LANES;
    lte_gram_load(N, product, loading * effective_n0(link, noise, residual, sc));
    for (int e = 0; e < N * N; e++)
        batch_store(batch_at(g, N * N, i), e, product[e]);
}

typedef void gram_fn(lte_link link, float loading, lte_noise noise, const int64_t *residual,
                     const float *h, float *g);

struct gram_instances {
    template <int N> static gram_fn *of(const lte_link *link)
    {
        (void)link;
        return gram_kernel<N>;
    }
};

lte_status lte_gram_cuda(const lte_link *link, lte_detector detector, lte_noise noise,
                         const int64_t *d_residual, const float *d_h, float *d_g,
                         cudaStream_t stream)
{
    gram_fn *const kernel = instance_for_order<gram_instances>(link);
    size_t bytes;
    const lte_status status =
        memory_of_block((const void *)kernel, STAGE_BLOCK, link->n_rx * link->n_tx, &bytes);
    if (status)
        return status;
    kernel<<<matrix_blocks(link), STAGE_BLOCK, bytes, stream>>>(
        *link, lte_detector_row_of(detector)->loading, noise, d_residual, d_h, d_g);
    return LTE_LAUNCHED(gram_kernel);
}
