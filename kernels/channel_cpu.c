#include "kernels/variant.h"

#define CHANNEL_LANES(id, name, text)                                                              \
    static void id##_lanes(const lte_draws *draws, uint64_t slot, lte_word sc, lte_cplx *h)        \
    {                                                                                              \
        lte_channel_##id(draws, slot, sc, h);                                                      \
    }
LTE_CHANNELS(CHANNEL_LANES)

#define CHANNEL_ENTRY(id, name, text) id##_lanes,
lte_channel_lanes_fn *const LTE_V(lte_channels)[LTE_N_CHANNELS] = {LTE_CHANNELS(CHANNEL_ENTRY)};

void LTE_V(lte_channel)(const lte_link *link, uint64_t slot, int g0, int g1, float *h)
{
    const int n = link->n_rx * link->n_tx;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            lte_cplx drawn[LTE_MAX_RX * LTE_MAX_TX];
            LTE_V(lte_channels)
            [link->channel](&link->draws, slot, w_iota((uint32_t)(g * LTE_LANES + lane)), drawn);
            c_store_all(n, &h[(ptrdiff_t)g * n * 2 * LTE_LANES + lane], drawn);
        }
    }
}
