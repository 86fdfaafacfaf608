/* Stage 8 over lanes: errors, kept per lane until a batch ends. */
#include "kernels/cpu/count_cpu.h"

/* One layer of groups g0 .. g1 - 1. */
static void count_layer(const lte_link *link, int g0, int g1, int k, const uint32_t *sent,
                        const uint32_t *decided, uint32_t *errors)
{
    lte_word bits = w_set(0), symbols = w_set(0);
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            const int sc = g * LTE_LANES + lane;
            const lte_word live = live_word(live_lanes(link, sc));
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                const ptrdiff_t i = lte_lane_at(LTE_SLOT_SYMBOLS, link->n_tx, sc, symbol, k);
                if (symbol != link->pilot)
                    count_symbol(w_load(&sent[i]), w_load(&decided[i]), live, &bits, &symbols);
            }
        }
    }
    errors[lte_bits_at(k)] += lane_sum(bits);
    errors[lte_symbols_at(link->n_tx, k)] += lane_sum(symbols);
}

static void count_stage(const lte_link *link, int g0, int g1, const uint32_t *sent,
                        const uint32_t *decided, const uint8_t *flag, uint32_t *errors)
{
    const int end = g1 * LTE_LANES < link->n_sc ? g1 * LTE_LANES : link->n_sc;
    for (int k = 0; k < link->n_tx; k++)
        count_layer(link, g0, g1, k, sent, decided, errors);
    for (int sc = g0 * LTE_LANES; sc < end; sc++) {
        for (int m = 0; m < link->n_csi; m++) {
            if (m != link->pilot)
                errors[lte_flagged_at(link->n_tx)] += flag[lte_lane_at(link->n_csi, 1, sc, m, 0)];
        }
    }
}
