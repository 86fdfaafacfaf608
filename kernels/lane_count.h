#ifndef LTE_KERNELS_LANE_COUNT_H
#define LTE_KERNELS_LANE_COUNT_H
/* Error counts kept per lane until a batch ends; included by the <stage>_cpu.c files that count. */

#include "kernels/variant.h"

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
LTE_INLINE void tally_add(lane_count *count, int k, lte_word sent, lte_word decided, lte_word live)
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

#endif
