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
                    c_store(&h[(((ptrdiff_t)g * n_csi + i) * n + e) * 2 * LTE_LANES + lane],
                            plane_lanes(&h_planes[((ptrdiff_t)e * n_csi + i) * n_sc], sc, n_live));
            }
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                const ptrdiff_t re = (ptrdiff_t)g * LTE_SLOT_SYMBOLS + symbol;
                for (int rx = 0; rx < n_rx; rx++) {
                    const ptrdiff_t plane = (ptrdiff_t)rx * LTE_SLOT_SYMBOLS + symbol;
                    c_store(&y[(re * n_rx + rx) * 2 * LTE_LANES + lane],
                            plane_lanes(&y_planes[plane * n_sc], sc, n_live));
                }
            }
        }
    }
}
