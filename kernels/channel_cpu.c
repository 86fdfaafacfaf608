#include "kernels/variant.h"

#define DRAWN_LANES(id, name, text)                                                                \
    static void id##_lanes(const lte_draws *draws, const lte_fading *fading, uint64_t slot,        \
                           lte_word sc, lte_cplx *h)                                               \
    {                                                                                              \
        (void)fading;                                                                              \
        lte_channel_##id(draws, slot, sc, h);                                                      \
    }
LTE_DRAWN_CHANNELS(DRAWN_LANES)

static void taps_lanes(const lte_draws *draws, const lte_fading *fading, uint64_t slot, lte_word sc,
                       lte_cplx *h)
{
    (void)slot;
    lte_channel_taps(draws, fading, sc, h);
}

#define DRAWN_ENTRY(id, name, text) id##_lanes,
#define TAPS_ENTRY(id, name, text) taps_lanes,
lte_channel_lanes_fn *const LTE_V(lte_channels)[LTE_N_CHANNELS] = {
    LTE_DRAWN_CHANNELS(DRAWN_ENTRY) LTE_TAP_CHANNELS(TAPS_ENTRY)};

void LTE_V(lte_taps)(const lte_link *link, uint64_t slot, lte_cf32 *tap)
{
    const int n = link->n_rx * link->n_tx;
    for (int l = 0; l < link->profile.n_taps; l++) {
        for (int b0 = 0; 2 * b0 < n; b0 += LTE_WIDTH) {
            float re[2][LTE_WIDTH], im[2][LTE_WIDTH];
            lte_cplx z[2];
            lte_draw_tap_pair(&link->draws, &link->profile, slot, l, w_iota((uint32_t)b0), z);
            for (int i = 0; i < 2; i++) {
                r_store(re[i], z[i].re);
                r_store(im[i], z[i].im);
            }
            for (int e = 2 * b0; e < n && e < 2 * (b0 + LTE_WIDTH); e++) {
                tap[l * n + e].re = re[e % 2][e / 2 - b0];
                tap[l * n + e].im = im[e % 2][e / 2 - b0];
            }
        }
    }
}

void LTE_V(lte_channel)(const lte_link *link, uint64_t slot, int g0, int g1, float *h)
{
    const int n = link->n_rx * link->n_tx;
    lte_cf32 tap[LTE_MAX_TAP_ENTRIES];
    const lte_fading fading = {&link->profile, tap};
    LTE_V(lte_taps)(link, slot, tap);
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            lte_cplx drawn[LTE_MAX_RX * LTE_MAX_TX];
            LTE_V(lte_channels)
            [link->channel](&link->draws, &fading, slot, w_iota((uint32_t)(g * LTE_LANES + lane)),
                            drawn);
            c_store_all(n, &h[(ptrdiff_t)g * n * 2 * LTE_LANES + lane], drawn);
        }
    }
}
