/* Stage 5 over lanes: loaded Gram matrices. */
#include "kernels/lanes_cpu.h"

LTE_INLINE void gram(int n_tx, const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                     const float *h, float *g)
{
    const int n_rx = link->n_rx;
    for (int i = g0 * link->n_csi; i < g1 * link->n_csi; i++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            lte_cplx channel[LTE_MAX_RX * LTE_MAX_TX], product[LTE_MAX_TX * LTE_MAX_TX];
            c_load_all(n_rx * n_tx, &h[(ptrdiff_t)i * n_rx * n_tx * 2 * LTE_LANES + lane], channel);
            const int sc = i / link->n_csi * LTE_LANES + lane;
            lte_gram(n_rx, n_tx, channel, product);
            lte_gram_load(n_tx, product, lte_loading(detector, noise_lanes(noise, sc)));
            c_store_all(n_tx * n_tx, &g[(ptrdiff_t)i * n_tx * n_tx * 2 * LTE_LANES + lane],
                        product);
        }
    }
}

static void gram_stage(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                       const float *h, float *g)
{
#define BODY(n) gram(n, link, detector, noise, g0, g1, h, g)
    LTE_FOR_ORDER(link->n_tx, BODY)
#undef BODY
}
