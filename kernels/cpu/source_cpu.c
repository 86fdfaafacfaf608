/* Stage 1 over lanes: payload labels. */
#include "kernels/cpu/lanes_cpu.h"

/* Labels [7][n_tx] of lanes sc, sc + 1, .. : one instance, which both paths call. */
static void draw_labels(const lte_link *link, uint64_t slot, int sc, lte_word *label)
{
    lte_draw_labels(&link->draws, slot, w_iota((uint32_t)sc), label);
}

static void source_stage(const lte_link *link, uint64_t slot, int g0, int g1, uint32_t *label,
                         void *work)
{
    const int n = LTE_SLOT_SYMBOLS * link->n_tx;
    lte_word *const drawn = lanes_in(link, work).label;
    for (int g = g0; g < g1; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            draw_labels(link, slot, g * LTE_LANES + lane, drawn);
            for (int i = 0; i < n; i++)
                w_store(&label[((ptrdiff_t)g * n + i) * LTE_LANES + lane], drawn[i]);
        }
    }
}
