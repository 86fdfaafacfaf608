/* The fused slot of a sweep that counts wrong bits. */
#include "kernels/cpu/sweep_cpu.h"

LTE_INLINE void detect_bits(int n_tx, const lte_link *link, lte_noise noise,
                            const lte_detector_plan *plan, int sc, const sweep_lanes *lanes,
                            lte_word live, lte_word *count, int place, int8_t *llrs)
{
    (void)place;
    (void)llrs;
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_word few[LTE_MAX_ORDER];
        lte_word *const decided = FEW_OR_MANY(n_tx, few, lanes->stage.decided);
        if (symbol == link->receiver.pilot)
            continue;
        prepare_lanes(link, noise, plan, sc, symbol, lanes, live, count);
        decide_lanes(n_tx, plan, &lanes->y[symbol * link->n_rx], &lanes->stage, decided);
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            count_symbol(lanes->stage.label[symbol * n_tx + k], decided[k], live,
                         &count[lte_bits_at(k)], &count[lte_symbols_at(n_tx, k)]);
    }
}

void lte_set_sweep_bits(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                        int n_detectors, uint64_t slot, void *work, lte_power *power,
                        uint32_t *errors)
{
#define BODY(n)                                                                                    \
    sweep_slot(n, detect_bits, false, link, noise, detectors, n_detectors, slot, NULL, work,       \
               power, errors, NULL)
    LTE_FOR_ANY_ORDER(link->n_tx, BODY)
#undef BODY
}
