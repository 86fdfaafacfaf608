/* Stage 4 over lanes: planes to batches. */
#include "kernels/cpu/lanes_cpu.h"

/* Group g of planes [n][n_times][n_sc]. */
LTE_INLINE void turn_group(const lte_link *link, int g, int n_times, int n, const lte_cf32 *planes,
                           float *batch)
{
    for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
        const int sc = g * LTE_LANES + lane, n_live = live_lanes(link, sc);
        for (int i = 0; i < n_times; i++) {
            for (int e = 0; e < n; e++)
                c_store(&batch[lte_batch_at(n_times, n, sc, i, e)],
                        plane_lanes(&planes[lte_plane_at(n_times, link->n_sc, e, i)], sc, n_live));
        }
    }
}

static void corner_turn_stage(const lte_link *link, int g0, int g1, const lte_cf32 *h_planes,
                              const lte_cf32 *y_planes, float *h, float *y)
{
    for (int g = g0; g < g1; g++) {
        turn_group(link, g, link->n_csi, link->n_rx * link->n_tx, h_planes, h);
        turn_group(link, g, LTE_SLOT_SYMBOLS, link->n_rx, y_planes, y);
    }
}
