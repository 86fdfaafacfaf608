/* Packing on a device: a block takes the labels of some subcarriers of a symbol. */
#include "kernels/base/labels.h"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

enum { PACKED = 64, PACK_BLOCK = 128 }; /* subcarriers of a block, a multiple of 16: whole bytes */

/* Labels of a block, and zeros to fill 32 bits. */
static __host__ __device__ int n_labels(int n_tx)
{
    return PACKED * n_tx + 32;
}

static __global__ void pack_kernel(lte_link link, const uint32_t *label, uint8_t *bits,
                                   size_t row_bytes)
{
    extern __shared__ __align__(4) uint8_t labels[];
    const int sc0 = (int)blockIdx.x * PACKED, symbol = (int)blockIdx.y, n_tx = link.n_tx;
    const int n_live = link.carrier.n_sc - sc0 < PACKED ? link.carrier.n_sc - sc0 : PACKED;
    for (int i = (int)threadIdx.x; i < n_labels(n_tx); i += PACK_BLOCK) {
        const int sc = sc0 + i / n_tx, k = i % n_tx;
        const ptrdiff_t at = lte_lane_at(LTE_SLOT_SYMBOLS, n_tx, sc, symbol, k);
        lte_label_put(link.n_bits, labels, i, i < n_live * n_tx ? label[at] : 0);
    }
    __syncthreads();
    write_labels(link.n_bits, {labels, 0, 1, n_tx, n_live, sc0}, bits + (size_t)symbol * row_bytes,
                 row_bytes, (int)threadIdx.x, PACK_BLOCK);
}

lte_status lte_pack_cuda(const lte_link *link, const uint32_t *d_label, uint8_t *d_bits,
                         cudaStream_t stream)
{
    const dim3 grid((unsigned)blocks_of(link->carrier.n_sc, PACKED), LTE_SLOT_SYMBOLS);
    const int bytes = n_labels(link->n_tx) * lte_label_bytes(link->n_bits);
    pack_kernel<<<grid, PACK_BLOCK, (size_t)bytes, stream>>>(*link, d_label, d_bits,
                                                             lte_packed_row(link));
    return LTE_LAUNCHED(pack_kernel);
}
