/*
 * The fused slot of a sweep with LLRs: they are counted, or written for the decoder of a code,
 * whose labels are then the caller's. LLRs take so long that an order known at run time costs
 * nothing.
 */
#include "kernels/cpu/sweep_cpu.h"

/* Adds what is lost by scales of an integer LLR in live lanes, towards the bit that was sent. */
static void add_scale_losses(const lte_output *output, int n_live, lte_word value,
                             uint32_t sum[LTE_N_LLR_SCALES])
{
    uint32_t values[LTE_WIDTH];
    w_store(values, value);
    for (int i = 0; i < n_live; i++) {
        const uint32_t *const lost = &output->scale_losses[lte_scale_loss_at(0, (int)values[i])];
        for (int s = 0; s < LTE_N_LLR_SCALES; s++)
            sum[s] += lost[s];
    }
}

/* Adds what the LLRs [n_bits] of a symbol of layer k are worth. */
static void count_llrs(const detected_lanes *d, int symbol, int k, const lte_real *llr)
{
    const lte_link *const link = d->link;
    const lte_output *output = &link->output;
    const int n_tx = link->n_tx, n_bits = link->n_bits, n_live = live_lanes(link, d->sc);
    const bool scaled = symbol == 0 && k < LTE_MAX_ORDER;
    const lte_word sent = d->lanes->stage.label[symbol * n_tx + k];
    lte_word *const cut = &d->count[lte_cut_at(n_tx, n_bits)];
    uint32_t sum[LTE_N_LLR_SCALES] = {0}, one[LTE_WIDTH] = {0};
    for (int bit = 0; bit < n_bits; bit++) {
        const lte_real towards = r_flip(llr[bit], sent << (31 - bit));
        const lte_word value = lte_quantise(towards, output->llr_scale);
        lte_word *const lost = &d->count[lte_lost_at(n_tx, n_bits, k, bit)];
        *lost = *lost + (lte_loss(towards) & d->live);
        *cut = *cut + (lte_is_cut(value) & d->live);
        if (scaled)
            add_scale_losses(output, n_live, value, sum);
    }
    for (int s = 0; s < LTE_N_LLR_SCALES && scaled; s++) {
        lte_word *const count = &d->count[lte_scaled_at(n_tx, n_bits, s)];
        one[0] = sum[s];
        *count = *count + w_load(one);
    }
}

/* Those of `live` that carry data in a symbol; *some: there are any on the carrier. */
static lte_word data_lanes(const lte_link *link, uint64_t slot, int symbol, int sc, lte_word live,
                           bool *some)
{
    const unsigned data = link->carrier.grid.data[slot % 2][symbol], all = (1u << LTE_RB_SC) - 1;
    uint32_t lane[LTE_WIDTH];
    *some = data != 0;
    if (data == all)
        return live;
    for (int i = 0; i < LTE_WIDTH; i++)
        lane[i] = data >> (sc + i) % LTE_RB_SC & 1 ? ~UINT32_C(0) : 0;
    return live & w_load(lane);
}

/*
 * Decides a symbol, the llr of the stage, and counts what is decided wrongly of its data. False if
 * it has none: nothing is detected then.
 */
static bool detect_symbol(const detected_lanes *d, int symbol)
{
    const lte_link *const link = d->link;
    const int n_tx = link->n_tx;
    const stage_lanes *const stage = &d->lanes->stage;
    const lte_decision decision = {.label = stage->decided, .llr = stage->llr};
    bool some;
    const lte_word data = data_lanes(link, d->lanes->slot, symbol, d->sc, d->live, &some);
    prepare_lanes(d, symbol);
    if (!some)
        return false;
    const lte_mask left = lte_set_detectors.detect(
        &d->plan, stage->state, &d->lanes->y[symbol * link->n_rx], &decision, stage->work);
    count_element(n_tx, &stage->label[symbol * n_tx], stage->decided, data, d->count);
    count_mask(left, data, &d->count[lte_unfinished_at(n_tx)]);
    return true;
}

/* With llrs they are written there, else counted. */
static void detect_llrs(int n_tx, const detected_lanes *d)
{
    const lte_link *const link = d->link;
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        if (symbol == link->receiver.pilot || !detect_symbol(d, symbol))
            continue;
        for (int k = 0; k < n_tx; k++) {
            const lte_real *const llr = &d->lanes->stage.llr[k * link->n_bits];
            if (d->llrs)
                store_llrs(link, llr, d->sc, live_lanes(link, d->sc),
                           &d->llrs[llr_row(link, symbol, k)]);
            else
                count_llrs(d, symbol, k, llr);
        }
    }
}

void lte_set_sweep_carry(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                         int n_detectors, const lte_carried_slot *carried, void *work)
{
    const slot_detectors all = {detectors, n_detectors, LTE_GIVES_LLRS};
    sweep_slot(link->n_tx, detect_llrs, link, noise, all, carried, work);
}

void lte_set_sweep_llrs(const lte_link *link, lte_noise noise, const lte_detector *detectors,
                        int n_detectors, uint64_t slot, void *work, lte_power *power,
                        uint32_t *errors)
{
    const lte_carried_slot drawn = {.slot = slot, .power = power, .errors = errors};
    lte_set_sweep_carry(link, noise, detectors, n_detectors, &drawn, work);
}
