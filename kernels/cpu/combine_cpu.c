/* Stage 3c over lanes: a matrix for every symbol out of the estimates of a subframe. */
#include "kernels/cpu/lanes_cpu.h"

static void combine_stage(const lte_link *link, const lte_combination *c, int g0, int g1,
                          const lte_cf32 *own, const lte_cf32 *other, lte_cf32 *h)
{
    const int n_sc = link->n_sc, end = g1 * LTE_LANES < n_sc ? g1 * LTE_LANES : n_sc;
    for (int e = 0; e < link->n_rx * link->n_tx; e++) {
        const ptrdiff_t plane = lte_plane_at(1, n_sc, e, 0);
        for (int sc = g0 * LTE_LANES; sc < end; sc += LTE_WIDTH) {
            const int n_live = live_lanes(link, sc);
            const lte_cplx here = plane_lanes(&own[plane], sc, n_live);
            const lte_cplx there = plane_lanes(&other[plane], sc, n_live);
            for (int l = 0; l < LTE_SLOT_SYMBOLS; l++)
                plane_store(&h[lte_plane_at(LTE_SLOT_SYMBOLS, n_sc, e, l)], sc, n_live,
                            lte_combined_h(c[l], here, there));
        }
    }
}
