/* Stage 8 on a device: a thread per subcarrier and layer. */
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

/* One thread takes layer blockIdx.y of one subcarrier. */
static __global__ void count_kernel(lte_link link, const uint32_t *sent, const uint32_t *decided,
                                    const uint8_t *flag, uint32_t *errors)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), k = (int)blockIdx.y;
    uint32_t bits = 0, symbols = 0, flagged = 0;
    if (sc < link.carrier.n_sc) {
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            const ptrdiff_t i = lte_lane_at(LTE_SLOT_SYMBOLS, link.n_tx, sc, symbol, k);
            const uint32_t wrong = symbol == link.receiver.pilot ? 0 : sent[i] ^ decided[i];
            bits += lte_bits_set(wrong);
            symbols += wrong != 0;
        }
        for (int m = 0; m < link.receiver.n_csi && k == 0; m++)
            flagged += flag[matrix_lane(link.receiver.n_csi, sc, m)];
    }
    bits = __reduce_add_sync(~0u, bits);
    symbols = __reduce_add_sync(~0u, symbols);
    flagged = __reduce_add_sync(~0u, flagged);
    if (threadIdx.x % WARP == 0) {
        atomicAdd(&errors[lte_bits_at(k)], bits);
        atomicAdd(&errors[lte_symbols_at(link.n_tx, k)], symbols);
        atomicAdd(&errors[lte_flagged_at(link.n_tx)], flagged);
    }
}

lte_status lte_count_cuda(const lte_link *link, const uint32_t *d_sent, const uint32_t *d_decided,
                          const uint8_t *d_flag, uint32_t *d_errors, cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), (unsigned)link->n_tx);
    count_kernel<<<grid, STAGE_BLOCK, 0, stream>>>(*link, d_sent, d_decided, d_flag, d_errors);
    return LTE_LAUNCHED(count_kernel);
}
