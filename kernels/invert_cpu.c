/* Stage 6 over lanes: inverses, a matrix in each lane. */
#include "kernels/lanes_cpu.h"

static void invert_stage(const lte_link *link, int g0, int g1, float *a, uint8_t *flag, void *work)
{
    const int n_tx = link->n_tx, n2 = n_tx * n_tx;
    lte_cplx *const matrix = lanes_in(link, work).g;
    for (int g = g0 * link->n_csi; g < g1 * link->n_csi; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            float *here = &a[(ptrdiff_t)g * n2 * 2 * LTE_LANES + lane];
            c_load_all(n2, here, matrix);
            flag_lanes(inverses[link->inverter](n_tx, matrix),
                       &flag[(ptrdiff_t)g * LTE_LANES + lane]);
            c_store_all(n2, here, matrix);
        }
    }
}
