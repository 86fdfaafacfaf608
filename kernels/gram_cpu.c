/* Stage 5 over lanes: loaded Gram matrices. */
#include "kernels/lanes_cpu.h"

LTE_INLINE void gram(int n_tx, const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                     const float *h, float *g, const stage_lanes *lanes)
{
    const int n_rx = link->n_rx;
    for (int i = g0 * link->n_csi; i < g1 * link->n_csi; i++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            c_load_all(n_rx * n_tx, &h[(ptrdiff_t)i * n_rx * n_tx * 2 * LTE_LANES + lane],
                       lanes->h);
            const int sc = i / link->n_csi * LTE_LANES + lane;
            lte_gram(n_rx, n_tx, lanes->h, lanes->g);
            lte_gram_load(n_tx, lanes->g,
                          lte_loading(detector, noise_lanes(noise, i % link->n_csi, sc)));
            c_store_all(n_tx * n_tx, &g[(ptrdiff_t)i * n_tx * n_tx * 2 * LTE_LANES + lane],
                        lanes->g);
        }
    }
}

static void gram_stage(const lte_link *link, int detector, lte_noise noise, int g0, int g1,
                       const float *h, float *g, void *work)
{
    const stage_lanes lanes = lanes_in(link, work);
#define BODY(n) gram(n, link, detector, noise, g0, g1, h, g, &lanes)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
