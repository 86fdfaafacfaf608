/* Stage 8 on a device: a thread per subcarrier and layer. */
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

/* Wrong vectors of a subcarrier, [7][n_tx] of labels. */
static __device__ __forceinline__ uint32_t wrong_vectors(const lte_link &link, int sc,
                                                         const uint32_t *sent,
                                                         const uint32_t *decided)
{
    uint32_t vectors = 0;
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        uint32_t any = 0;
        for (int k = 0; k < link.n_tx && symbol != link.receiver.pilot; k++) {
            const ptrdiff_t i = lte_lane_at(LTE_SLOT_SYMBOLS, link.n_tx, sc, symbol, k);
            any |= sent[i] ^ decided[i];
        }
        vectors += any != 0;
    }
    return vectors;
}

/* One thread takes layer blockIdx.y of one subcarrier; that of layer 0 what is of all of them. */
static __global__ void count_kernel(lte_link link, const uint32_t *sent, const uint32_t *decided,
                                    const uint8_t *flag, uint32_t *errors)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x), k = (int)blockIdx.y;
    uint32_t bits = 0, symbols = 0, flagged = 0, vectors = 0, unfinished = 0;
    if (sc < link.carrier.n_sc) {
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
            const ptrdiff_t i = lte_lane_at(LTE_SLOT_SYMBOLS, link.n_tx, sc, symbol, k);
            const uint32_t wrong = symbol == link.receiver.pilot ? 0 : sent[i] ^ decided[i];
            bits += lte_bits_set(wrong);
            symbols += wrong != 0;
        }
        if (k == 0)
            vectors = wrong_vectors(link, sc, sent, decided);
        for (int m = 0; m < link.receiver.n_csi && k == 0; m++) {
            if (m == link.receiver.pilot)
                continue;
            const uint32_t seen = flag[matrix_lane(link.receiver.n_csi, sc, m)];
            flagged += seen & LTE_FLAG_NO_STATE;
            unfinished += lte_bits_set(seen / LTE_FLAG_UNFINISHED);
        }
    }
    bits = __reduce_add_sync(~0u, bits);
    symbols = __reduce_add_sync(~0u, symbols);
    flagged = __reduce_add_sync(~0u, flagged);
    vectors = __reduce_add_sync(~0u, vectors);
    unfinished = __reduce_add_sync(~0u, unfinished);
    if (threadIdx.x % WARP == 0) {
        atomicAdd(&errors[lte_bits_at(k)], bits);
        atomicAdd(&errors[lte_symbols_at(link.n_tx, k)], symbols);
        atomicAdd(&errors[lte_flagged_at(link.n_tx)], flagged);
        atomicAdd(&errors[lte_vectors_at(link.n_tx)], vectors);
        atomicAdd(&errors[lte_unfinished_at(link.n_tx)], unfinished);
    }
}

lte_status lte_count_cuda(const lte_link *link, const uint32_t *d_sent, const uint32_t *d_decided,
                          const uint8_t *d_flag, uint32_t *d_errors, cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), (unsigned)link->n_tx);
    count_kernel<<<grid, STAGE_BLOCK, 0, stream>>>(*link, d_sent, d_decided, d_flag, d_errors);
    return LTE_LAUNCHED(count_kernel);
}
