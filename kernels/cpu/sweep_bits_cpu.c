/* The fused slot of a sweep that counts wrong bits. */
#include "kernels/cpu/sweep_cpu.h"

LTE_INLINE void detect_bits(int n_tx, const detected_lanes *d)
{
    const stage_lanes *const stage = &d->lanes->stage;
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_word few[LTE_MAX_ORDER];
        lte_word *const decided = FEW_OR_MANY(n_tx, few, stage->decided);
        if (symbol == d->link->receiver.pilot)
            continue;
        prepare_lanes(d, symbol);
        const lte_mask left =
            decide_lanes(n_tx, &d->plan, &d->lanes->y[symbol * d->link->n_rx], stage, decided);
        count_element(n_tx, &stage->label[symbol * n_tx], decided, d->live, d->count);
        if (!d->plan.filters)
            count_mask(left, d->live, &d->count[lte_unfinished_at(n_tx)]);
    }
}

void lte_set_sweep_bits(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                        int n_detectors, uint64_t slot, void *work, lte_power *power,
                        uint32_t *errors)
{
    const lte_carried_slot drawn = {.slot = slot, .power = power, .errors = errors};
    const slot_detectors all = {detectors, n_detectors, LTE_GIVES_LABELS};
#define BODY(n) sweep_slot(n, detect_bits, link, noise, all, &drawn, work)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
