/*
 * One slot of the sweep with all stages fused: a lane-wide group of subcarriers goes from its
 * draws to its error counts in the first-level cache.
 */
#include "kernels/tally.h"

/* Labels, channel and received vectors of the subcarriers in the lanes. */
typedef struct {
    lte_word label[LTE_SLOT_SYMBOLS][LTE_MAX_TX];
    lte_cplx h[LTE_SLOT_SYMBOLS][LTE_MAX_RX * LTE_MAX_TX]; /* n_h of them */
    lte_cplx y[LTE_SLOT_SYMBOLS][LTE_MAX_RX];
    lte_cplx gram[LTE_SLOT_SYMBOLS][LTE_MAX_TX * LTE_MAX_TX];
} lanes_of_slot;

LTE_INLINE void transmit(int n_tx, const lte_link *link, const lte_cf32 *tap, lte_noise noise,
                         uint64_t slot, int sc0, lanes_of_slot *lanes, lte_power *power)
{
    const lte_word sc = w_iota((uint32_t)sc0);
    lte_word drawn[LTE_SLOT_SYMBOLS * LTE_MAX_TX];
    lte_draw_labels(&link->draws, slot, sc, drawn);
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_cplx x[LTE_MAX_TX], z[LTE_MAX_RX];
        lte_real signal, disturbance;
        const int i = symbol < link->n_h ? symbol : 0;
        if (symbol < link->n_h) {
            const lte_fading fading = {
                &link->profile, &tap[(ptrdiff_t)i * link->profile.n_taps * link->n_rx * n_tx]};
            draw_channel(link, &fading, slot, i, sc0, lanes->h[i]);
        }
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++) {
            lanes->label[symbol][k] = drawn[symbol * n_tx + k];
            x[k] = lte_qam_map(link->n_bits, lanes->label[symbol][k]);
        }
        lte_draw_noise(&link->draws, slot, sc, symbol, z);
        lte_receive(link->n_rx, n_tx, lanes->h[i], x, z, r_set(noise.sigma), lanes->y[symbol],
                    &signal, &disturbance);
        if (symbol == 0)
            add_power(live_lanes(link, sc0), signal, disturbance, power);
    }
}

LTE_INLINE void detect_and_count(int n_tx, const lte_link *link, lte_noise noise, int detector,
                                 const lanes_of_slot *lanes, lte_word live, lane_tally *tally)
{
    const lte_detector_lanes *rule = &LTE_V(lte_detectors)[detector];
    const lte_real n0 = r_set(noise.n0);
    lte_cplx w[LTE_MAX_RX * LTE_MAX_TX];
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_word decided[LTE_MAX_TX];
        if (symbol < link->n_h) {
            lte_cplx g[LTE_MAX_TX * LTE_MAX_TX];
            lte_real gain[LTE_MAX_TX];
            for (int i = 0; i < n_tx * n_tx; i++)
                g[i] = lanes->gram[symbol][i];
            lte_gram_load(n_tx, g, rule->loading(n0));
            lte_mask flag = LTE_V(lte_inverters)[link->inverter][n_tx](g);
            tally->flagged = tally->flagged + (w_sel(flag, w_set(1), w_set(0)) & live);
            lte_gains(n_tx, g, rule->gain, n0, gain);
            lte_filter(link->n_rx, n_tx, lanes->h[symbol], g, gain, w);
        }
        lte_detect(link->n_rx, n_tx, link->n_bits, w, lanes->y[symbol], decided);
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            tally_add(tally, k, lanes->label[symbol][k], decided[k], live);
    }
}

LTE_INLINE void sweep_slot(int n_tx, const lte_link *link, lte_noise noise, const int *detectors,
                           int n_detectors, uint64_t slot, lte_power *power, lte_errors *errors)
{
    lane_tally tally[LTE_N_DETECTORS];
    lanes_of_slot lanes;
    lte_cf32 tap[LTE_MAX_SLOT_TAPS];
    LTE_V(lte_taps)(link, slot, tap);
    for (int d = 0; d < n_detectors; d++)
        tally_clear(&tally[d]);
    for (int sc = 0; sc < link->n_sc; sc += LTE_WIDTH) {
        const lte_word live = live_word(live_lanes(link, sc));
        transmit(n_tx, link, tap, noise, slot, sc, &lanes, power);
        for (int i = 0; i < link->n_h; i++)
            lte_gram(link->n_rx, n_tx, lanes.h[i], lanes.gram[i]);
        for (int d = 0; d < n_detectors; d++)
            detect_and_count(n_tx, link, noise, detectors[d], &lanes, live, &tally[d]);
    }
    for (int d = 0; d < n_detectors; d++)
        tally_sum(n_tx, &tally[d], &errors[d]);
}

void LTE_V(lte_sweep_slot)(const lte_link *link, lte_noise noise, const int *detectors,
                           int n_detectors, uint64_t slot, lte_power *power, lte_errors *errors)
{
    *power = (lte_power){0, 0};
    for (int d = 0; d < n_detectors; d++)
        errors[d] = (lte_errors){0};
#define BODY(n) sweep_slot(n, link, noise, detectors, n_detectors, slot, power, errors)
    LTE_FOR_ORDER(link->n_tx, BODY)
#undef BODY
}
