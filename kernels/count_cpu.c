/* Stage 8 over lanes: errors, kept per lane until a batch ends. */
#include "kernels/lanes_cpu.h"

typedef struct {
    lte_word bits[LTE_MAX_TX];
    lte_word symbols[LTE_MAX_TX];
    lte_word flagged;
} lane_count;

LTE_INLINE void lane_count_clear(lane_count *count)
{
    for (int k = 0; k < LTE_MAX_TX; k++)
        count->bits[k] = count->symbols[k] = w_set(0);
    count->flagged = w_set(0);
}

/* One symbol of layer k; live masks the lanes that count. */
LTE_INLINE void lane_count_add(lane_count *count, int k, lte_word sent, lte_word decided,
                               lte_word live)
{
    lte_word wrong = (sent ^ decided) & live;
    count->bits[k] = count->bits[k] + lte_bits_set(wrong);
    count->symbols[k] = count->symbols[k] + w_sel(w_eq(wrong, w_set(0)), w_set(0), w_set(1));
}

LTE_INLINE uint32_t lane_sum(lte_word x)
{
    uint32_t lane[LTE_WIDTH], sum = 0;
    w_store(lane, x);
    for (int i = 0; i < LTE_WIDTH; i++)
        sum += lane[i];
    return sum;
}

LTE_INLINE void lane_count_sum(int n_tx, const lane_count *count, lte_errors *errors)
{
    for (int k = 0; k < n_tx; k++) {
        errors->bit_errors[k] += lane_sum(count->bits[k]);
        errors->symbol_errors[k] += lane_sum(count->symbols[k]);
    }
    errors->flagged += lane_sum(count->flagged);
}

static void count_stage(const lte_link *link, int g0, int g1, const uint32_t *sent,
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
                    lane_count_add(&count, k, w_load(&sent[i]), w_load(&decided[i]), live);
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
