/* Stage 1 on a device: a thread per subcarrier. */
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/stages/stages_cuda.h"

static __global__ void source_kernel(lte_link link, uint64_t slot, uint32_t *label)
{
    const int sc = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (sc >= link.carrier.n_groups * LTE_LANES)
        return;
    const int n = LTE_SLOT_SYMBOLS * link.n_tx, per_word = link.channel.draws.payload_per_word;
    uint32_t *out = label + lte_lane_at(1, n, sc, 0, 0);
    lte_words w;
    for (int q = 0; q < n; q++) {
        const int word = q / per_word;
        if (q % (4 * per_word) == 0)
            w = lte_draw(&link.channel.draws, slot, LTE_DRAW_PAYLOAD,
                         (uint32_t)sc * link.channel.draws.payload_blocks + (uint32_t)word / 4);
        const int k = word % 4;
        const uint32_t current = k == 0 ? w.v[0] : k == 1 ? w.v[1] : k == 2 ? w.v[2] : w.v[3];
        out[q * LTE_LANES] = lte_payload_label(&link.channel.draws, current, q % per_word);
    }
}

lte_status lte_source_cuda(const lte_link *link, uint64_t slot, uint32_t *d_label,
                           cudaStream_t stream)
{
    source_kernel<<<stage_blocks(link), STAGE_BLOCK, 0, stream>>>(*link, slot, d_label);
    return LTE_LAUNCHED(source_kernel);
}
