/* Stage 4 over lanes: planes to batches. */
#include "kernels/lanes_cpu.h"

static void corner_turn_stage(const lte_link *link, int g0, int g1, const lte_cf32 *h_planes,
                              const lte_cf32 *y_planes, float *h, float *y)
{
    const int n = link->n_rx * link->n_tx, n_csi = link->n_csi, n_rx = link->n_rx,
              n_sc = link->n_sc;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            const int sc = g * LTE_LANES + lane, n_live = live_lanes(link, sc);
            for (int e = 0; e < n; e++) {
                for (int i = 0; i < n_csi; i++)
                    c_store(&h[lte_batch_at(n_csi, n, sc, i, e)],
                            plane_lanes(&h_planes[lte_plane_at(n_csi, n_sc, e, i)], sc, n_live));
            }
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                for (int rx = 0; rx < n_rx; rx++) {
                    const ptrdiff_t plane = lte_plane_at(LTE_SLOT_SYMBOLS, n_sc, rx, symbol);
                    c_store(&y[lte_batch_at(LTE_SLOT_SYMBOLS, n_rx, sc, symbol, rx)],
                            plane_lanes(&y_planes[plane], sc, n_live));
                }
            }
        }
    }
}
