#include "kernels/lane_count.h"

void LTE_V(lte_count)(const lte_link *link, int g0, int g1, const uint32_t *sent,
                      const uint32_t *decided, const uint8_t *flag, lte_errors *errors)
{
    const int n_tx = link->n_tx;
    lane_count count;
    lane_count_clear(&count);
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            const int n_live = live_lanes(link, g * LTE_LANES + lane);
            const lte_word live = live_word(n_live);
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                for (int k = 0; k < n_tx && symbol != link->pilot; k++) {
                    const ptrdiff_t i =
                        (((ptrdiff_t)g * LTE_SLOT_SYMBOLS + symbol) * n_tx + k) * LTE_LANES + lane;
                    tally_add(&count, k, w_load(&sent[i]), w_load(&decided[i]), live);
                }
            }
            for (int m = 0; m < link->n_csi; m++) {
                const uint8_t *here = &flag[((ptrdiff_t)g * link->n_csi + m) * LTE_LANES + lane];
                for (int i = 0; i < n_live; i++)
                    errors->flagged += here[i];
            }
        }
    }
    lane_count_sum(n_tx, &count, errors);
}
