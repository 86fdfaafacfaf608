#ifndef LTE_KERNELS_SWEEP_CPU_H
#define LTE_KERNELS_SWEEP_CPU_H
/*
 * One slot of the sweep with all stages fused: a lane-wide group of subcarriers goes from its
 * draws to its error counts in the first-level cache. A file for each kind of output has its
 * instances: sweep_bits_cpu.c, sweep_llrs_cpu.c, sweep_carry_cpu.c.
 */
#include "kernels/count_cpu.h"

/* What the subcarriers in the lanes have besides, in the caller's work memory. */
typedef struct {
    stage_lanes stage;
    lte_cf32 *y_planes; /* [references][n_rx][n_sc] of reference symbols, if it estimates */
    lte_cf32 *h_planes; /* [references][n_rx][n_tx][n_sc] estimated */
    lte_cplx *y;        /* [7][n_rx] */
    lte_cplx *estimate; /* [n_csi][n_rx][n_tx], if the receiver makes one */
    lte_word *count;    /* [n_detectors][n_counts] */
} sweep_lanes;

/* The channel of symbol 0 to 6 of a slot whose taps are drawn. */
LTE_INLINE void channel_lanes(const lte_link *link, const sweep_lanes *lanes, uint64_t slot,
                              int symbol, int sc, lte_cplx *h)
{
    const ptrdiff_t n = (ptrdiff_t)link->profile.n_taps * link->n_rx * link->n_tx;
    const int m = matrix_of(link, symbol);
    const lte_fading fading = {&link->profile, &lanes->stage.tap[m * n]};
    lte_set_draws.channel(link, &fading, slot, m, sc, h);
}

/* Labels of a slot's planes. */
static void take_labels(const lte_link *link, const uint8_t *planes, int sc0, lte_word *label)
{
    const int n_live = live_lanes(link, sc0);
    for (int i = 0; i < LTE_SLOT_SYMBOLS * link->n_tx; i++) {
        uint32_t of_lane[LTE_WIDTH] = {0};
        for (int lane = 0; lane < n_live; lane++)
            of_lane[lane] = planes[i * link->n_sc + sc0 + lane];
        label[i] = w_load(of_lane);
    }
}

LTE_INLINE void transmit(int n_tx, const lte_link *link, lte_noise noise, uint64_t slot, int sc0,
                         const uint8_t *labels, const sweep_lanes *lanes, lte_power *power)
{
    const int n_rx = link->n_rx;
    if (labels)
        take_labels(link, labels, sc0, lanes->stage.label);
    else
        lte_set_draws.labels(link, slot, sc0, lanes->stage.label);
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_cplx few[LTE_MAX_ORDER], *const x = FEW_OR_MANY(n_tx, few, lanes->stage.x);
        lte_real signal, disturbance;
        if (symbol < link->n_h)
            channel_lanes(link, lanes, slot, symbol, sc0, &lanes->stage.h[symbol * n_rx * n_tx]);
        if (symbol == link->pilot)
            continue;
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            x[k] = lte_qam_map(link->n_bits, lanes->stage.label[symbol * n_tx + k]);
        lte_set_draws.noise(link, slot, sc0, symbol, lanes->stage.z);
        lte_receive(n_rx, n_tx, &lanes->stage.h[matrix_of(link, symbol) * n_rx * n_tx], x,
                    lanes->stage.z, r_set(noise.sigma), &lanes->y[symbol * n_rx], &signal,
                    &disturbance);
        if (symbol == 0)
            add_power(live_lanes(link, sc0), signal, disturbance, power);
    }
}

/* Adds what the LLRs of a symbol of layer k are worth; n_live lanes count. A call, as store_llrs. */
LTE_OUTLINE void count_llrs(int n_tx, const lte_link *link, int symbol, int k, lte_cplx x,
                            lte_real rho, lte_word sent, int n_live, lte_word live, lte_word *count)
{
    const lte_output *output = &link->output;
    const int n_bits = link->n_bits;
    lte_word *const cut = &count[lte_cut_at(n_tx, n_bits)];
    lte_real llr[LTE_MAX_BITS];
    lte_demap_soft(n_bits, output->demapper, x, rho, llr);
    for (int bit = 0; bit < n_bits; bit++) {
        const lte_real towards = r_flip(llr[bit], sent << (31 - bit));
        const lte_word value = lte_quantise(towards, output->llr_scale);
        lte_word *const lost = &count[lte_lost_at(n_tx, n_bits, k, bit)];
        *lost = *lost + (lte_loss(towards) & live);
        *cut = *cut + (lte_is_cut(value) & live);
        if (symbol > 0)
            continue;
        uint32_t values[LTE_WIDTH];
        w_store(values, value);
        for (int s = 0; s < LTE_N_LLR_SCALES; s++) {
            lte_word *const scaled = &count[lte_scaled_at(n_tx, n_bits, s)];
            uint32_t sum[LTE_WIDTH] = {0};
            for (int i = 0; i < n_live; i++)
                sum[0] += output->scale_losses[lte_scale_loss_at(s, (int)values[i])];
            *scaled = *scaled + w_load(sum);
        }
    }
}

/* llrs: planes [7][n_tx][n_bits][n_sc], or NULL. */
LTE_INLINE void detect_and_count(int n_tx, const lte_link *link, bool soft, bool carries,
                                 lte_noise noise, int detector, int sc, const sweep_lanes *lanes,
                                 lte_word live, lte_word *count, int8_t *llrs)
{
    const int n_rx = link->n_rx;
    const lte_cplx *const known = !lte_link_estimates(link) ? lanes->stage.h : lanes->estimate;
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_cplx few[LTE_MAX_ORDER], *const x = FEW_OR_MANY(n_tx, few, lanes->stage.x);
        lte_word labels[LTE_MAX_ORDER];
        lte_word *const decided = FEW_OR_MANY(n_tx, labels, lanes->stage.decided);
        if (symbol == link->pilot)
            continue;
        if (symbol < link->n_csi) {
            const lte_mask flag = lte_set_detectors.prepare(
                link, detector, &known[symbol * n_rx * n_tx], noise_lanes(noise, symbol, sc),
                soft || carries, lanes->stage.g, lanes->stage.state);
            lte_word *const flagged = &count[lte_flagged_at(n_tx)];
            *flagged = *flagged + (w_sel(flag, w_set(1), w_set(0)) & live);
        }
        apply_lanes(n_tx, link, detector, lanes->stage.state, &lanes->y[symbol * n_rx], x,
                    soft || carries ? lanes->stage.rho : NULL);
        for (int k = 0; soft && k < n_tx; k++)
            count_llrs(n_tx, link, symbol, k, x[k], lanes->stage.rho[k],
                       lanes->stage.label[symbol * n_tx + k], live_lanes(link, sc), live, count);
        for (int k = 0; carries && k < n_tx; k++)
            store_llrs(link, x[k], lanes->stage.rho[k], sc, live_lanes(link, sc),
                       &llrs[llr_row(link, symbol, k)]);
        lte_demap_hard(n_tx, link->n_bits, x, decided);
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            count_symbol(lanes->stage.label[symbol * n_tx + k], decided[k], live,
                         &count[lte_bits_at(k)], &count[lte_symbols_at(n_tx, k)]);
    }
}

/* Which of its planes a slot's reference symbol and its estimate have. */
static ptrdiff_t pilot_of(const lte_link *link, uint64_t slot)
{
    return (ptrdiff_t)(slot % (uint64_t)link->references);
}

/* The reference symbol of a slot whose taps are drawn, as received: y [n_rx][n_sc]. */
static void receive_pilot(const lte_link *link, lte_noise noise, uint64_t slot,
                          const sweep_lanes *lanes, lte_cf32 *y)
{
    const int n_rx = link->n_rx, n_sc = link->n_sc;
    const stage_lanes *stage = &lanes->stage;
    for (int sc = 0; sc < n_sc; sc += LTE_WIDTH) {
        lte_cplx x[LTE_MAX_ORDER];
        lte_real signal, disturbance;
        channel_lanes(link, lanes, slot, LTE_PILOT_SYMBOL, sc, stage->h);
        lte_set_draws.pilot(link, slot, sc, x, stage->z);
        lte_receive(n_rx, link->n_tx, stage->h, x, stage->z, r_set(noise.sigma), stage->y, &signal,
                    &disturbance);
        for (int rx = 0; rx < n_rx; rx++)
            plane_store(&y[rx * n_sc], sc, live_lanes(link, sc), stage->y[rx]);
    }
}

/*
 * What the receiver of a slot whose taps are drawn estimates, lanes->h_planes: out of its reference
 * symbol, or of both of its subframe. Returns the noise that it goes by; the taps are the slot's
 * again.
 */
static inline lte_noise estimate_slot(const lte_link *link, lte_noise noise, uint64_t slot,
                                      const sweep_lanes *lanes, void *work)
{
    const int n_sc = link->n_sc;
    receive_pilot(link, noise, slot, lanes,
                  &lanes->y_planes[pilot_of(link, slot) * link->n_rx * n_sc]);
    if (link->references == 1)
        return lte_stages_estimate(&lte_set_stages, link, noise, lanes->y_planes, n_sc,
                                   lanes->h_planes, work);
    const uint64_t other = lte_other_slot(slot);
    lte_set_draws.taps(link, other, &lanes->stage);
    receive_pilot(link, noise, other, lanes,
                  &lanes->y_planes[pilot_of(link, other) * link->n_rx * n_sc]);
    lte_set_draws.taps(link, slot, &lanes->stage);
    return lte_stages_estimate_subframe(&lte_set_stages, link, noise, lanes->y_planes, n_sc,
                                        lanes->h_planes, work);
}

/* What the receiver of lanes sc, sc + 1, .. takes for H: lanes->estimate, if it estimates. */
static void know_lanes(const lte_link *link, lte_noise noise, uint64_t slot, int sc,
                       const sweep_lanes *lanes)
{
    const int n = link->n_rx * link->n_tx, n_sc = link->n_sc, n_live = live_lanes(link, sc);
    if (link->references == 1) {
        for (int e = 0; e < n && lte_link_estimates(link); e++)
            lanes->estimate[e] = plane_lanes(&lanes->h_planes[e * n_sc], sc, n_live);
        return;
    }
    const lte_cf32 *own = &lanes->h_planes[pilot_of(link, slot) * n * n_sc];
    const lte_cf32 *other = &lanes->h_planes[pilot_of(link, lte_other_slot(slot)) * n * n_sc];
    for (int e = 0; e < n; e++) {
        const lte_cplx here = plane_lanes(&own[e * n_sc], sc, n_live);
        const lte_cplx there = plane_lanes(&other[e * n_sc], sc, n_live);
        for (int l = 0; l < link->n_csi; l++)
            lanes->estimate[l * n + e] = lte_combined_h(noise.combination[l], here, there);
    }
}

/*
 * soft: LLRs are counted; carries: they go to llrs, and labels are those of the caller. Both are
 * constants, for each pair a function of its own: as a branch the one would cost the other registers.
 */
LTE_INLINE void sweep_slot(int n_tx, bool soft, bool carries, const lte_link *link, lte_noise noise,
                           const int *detectors, int n_detectors, uint64_t slot,
                           const uint8_t *labels, void *work, lte_power *power, uint32_t *errors,
                           int8_t *llrs)
{
    const int n_rx = link->n_rx, n = n_rx * n_tx, n_sc = link->n_sc;
    const int n_counts = (int)lte_counts_at(link->n_counts, n_detectors);
    const bool estimates = lte_link_estimates(link);
    const int n_planes = estimates ? link->references * n_sc : 0;
    char *at = work;
    sweep_lanes lanes;
    lanes.stage = take_lanes(link, &at);
    lanes.y_planes = take(&at, n_planes * n_rx, sizeof *lanes.y_planes);
    lanes.h_planes = take(&at, n_planes * n, sizeof *lanes.h_planes);
    lanes.y = take(&at, LTE_SLOT_SYMBOLS * n_rx, sizeof *lanes.y);
    lanes.estimate = take(&at, estimates ? link->n_csi * n : 0, sizeof *lanes.estimate);
    lanes.count = take(&at, n_counts, sizeof *lanes.count);
    lte_noise effective = noise;
    lte_combination combination[LTE_SLOT_SYMBOLS];
    lte_set_draws.taps(link, slot, &lanes.stage);
    for (int i = 0; i < n_counts; i++)
        lanes.count[i] = w_set(0);
    if (estimates)
        effective = estimate_slot(link, noise, slot, &lanes, work);
    if (link->references > 1)
        lte_link_combine(link, slot, &effective, combination);
    for (int sc = 0; sc < n_sc; sc += LTE_WIDTH) {
        const lte_word live = live_word(live_lanes(link, sc));
        transmit(n_tx, link, noise, slot, sc, carries ? labels : NULL, &lanes, power);
        know_lanes(link, effective, slot, sc, &lanes);
        for (int d = 0; d < n_detectors; d++) {
            lte_word *const count = &lanes.count[lte_counts_at(link->n_counts, d)];
            int8_t *const own = carries ? &llrs[d * lte_llr_planes(link)] : NULL;
            detect_and_count(n_tx, link, soft, carries, effective, detectors[d], sc, &lanes, live,
                             count, own);
        }
    }
    for (int i = 0; i < n_counts; i++)
        errors[i] = lane_sum(lanes.count[i]);
}

#endif
