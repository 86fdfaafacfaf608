#include "kernels/variant.h"

#define DETECTOR_LANES(id, name, text)                                                             \
    static lte_real id##_loading(lte_real n0)                                                      \
    {                                                                                              \
        return lte_##id##_loading(n0);                                                             \
    }                                                                                              \
    static lte_real id##_gain(lte_real x_kk, lte_real n0)                                          \
    {                                                                                              \
        return lte_##id##_gain(x_kk, n0);                                                          \
    }
LTE_DETECTORS(DETECTOR_LANES)

#define DETECTOR_ENTRY(id, name, text) {id##_loading, id##_gain},
const lte_detector_lanes LTE_V(lte_detectors)[LTE_N_DETECTORS] = {LTE_DETECTORS(DETECTOR_ENTRY)};

LTE_INLINE void gram(int n_tx, const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                     const float *h, float *g)
{
    const int n_rx = link->n_rx;
    for (int i = g0 * link->n_csi; i < g1 * link->n_csi; i++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            lte_cplx channel[LTE_MAX_RX * LTE_MAX_TX], product[LTE_MAX_TX * LTE_MAX_TX];
            c_load_all(n_rx * n_tx, &h[(ptrdiff_t)i * n_rx * n_tx * 2 * LTE_LANES + lane], channel);
            const int sc = i / link->n_csi * LTE_LANES + lane;
            const lte_real loading = LTE_V(lte_detectors)[detector].loading(noise_lanes(noise, sc));
            lte_gram(n_rx, n_tx, channel, product);
            lte_gram_load(n_tx, product, loading);
            c_store_all(n_tx * n_tx, &g[(ptrdiff_t)i * n_tx * n_tx * 2 * LTE_LANES + lane],
                        product);
        }
    }
}

void LTE_V(lte_gram)(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                     const float *h, float *g)
{
#define BODY(n) gram(n, link, detector, noise, g0, g1, h, g)
    LTE_FOR_ORDER(link->n_tx, BODY)
#undef BODY
}
