#ifndef LTE_KERNELS_SWEEP_CPU_H
#define LTE_KERNELS_SWEEP_CPU_H
/*
 * One slot of the sweep with all stages fused: a lane-wide group of subcarriers goes from its
 * draws to its error counts in the first-level cache. sweep_bits_cpu.c has an instance for each
 * order, sweep_soft_cpu.c one for all orders.
 */
#include "kernels/cpu/count_cpu.h"
#include "kernels/base/labels.h"

/* What the subcarriers in the lanes have besides, in the caller's work memory. */
typedef struct {
    stage_lanes stage;
    lte_cf32 *y_planes; /* [pilots][n_rx][n_sc] of reference symbols, if it estimates */
    lte_cf32 *h_planes; /* [pilots][n_rx][n_tx][n_sc] estimated */
    lte_cplx *y;        /* [7][n_rx] */
    lte_cplx *estimate; /* [n_csi][n_rx][n_tx], if the receiver makes one */
    lte_word *count;    /* [n_detectors][n_counts] */
    uint64_t slot;
} sweep_lanes;

/* The channel of symbol 0 to 6 of a slot whose taps are drawn. */
LTE_INLINE void channel_lanes(const lte_link *link, const sweep_lanes *lanes, uint64_t slot,
                              int symbol, int sc, lte_cplx *h)
{
    const ptrdiff_t n = (ptrdiff_t)link->channel.profile.n_taps * link->n_rx * link->n_tx;
    const int m = matrix_of(link, symbol);
    const lte_fading fading = {&link->channel.profile, &lanes->stage.tap[m * n]};
    lte_set_draws.channel(link, &fading, slot, m, sc, h);
}

/* Labels of a slot's planes. */
static void take_labels(const lte_link *link, const uint8_t *planes, int sc0, lte_word *label)
{
    const int n_live = live_lanes(link, sc0);
    for (int i = 0; i < LTE_SLOT_SYMBOLS * link->n_tx; i++) {
        uint32_t of_lane[LTE_WIDTH] = {0};
        for (int lane = 0; lane < n_live; lane++)
            of_lane[lane] = lte_label_at(link->n_bits, planes, i * link->carrier.n_sc + sc0 + lane);
        label[i] = w_load(of_lane);
    }
}

/* What is sent in lanes sc0, sc0 + 1, .. and received: lanes->stage.label, lanes->y. */
LTE_INLINE void transmit(int n_tx, const lte_link *link, lte_noise noise, int sc0,
                         const sweep_lanes *lanes, const lte_carried_slot *carried)
{
    const int n_rx = link->n_rx;
    const uint64_t slot = carried->slot;
    if (carried->labels)
        take_labels(link, carried->labels, sc0, lanes->stage.label);
    else
        lte_set_draws.labels(link, slot, sc0, lanes->stage.label);
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_cplx few[LTE_MAX_ORDER], *const x = FEW_OR_MANY(n_tx, few, lanes->stage.x);
        if (symbol < link->channel.n_h)
            channel_lanes(link, lanes, slot, symbol, sc0, &lanes->stage.h[symbol * n_rx * n_tx]);
        if (symbol == link->receiver.pilot)
            continue;
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            x[k] = lte_qam_map(link->n_bits, lanes->stage.label[symbol * n_tx + k]);
        lte_set_draws.noise(link, slot, sc0, symbol, lanes->stage.z);
        const lte_received power =
            lte_receive(n_rx, n_tx, &lanes->stage.h[matrix_of(link, symbol) * n_rx * n_tx], x,
                        lanes->stage.z, r_set(noise.sigma), &lanes->y[symbol * n_rx]);
        if (symbol == 0)
            add_power(live_lanes(link, sc0), power.signal, power.noise, carried->power);
    }
}

/* Which of its planes a slot's reference symbol and its estimate have. */
static ptrdiff_t pilot_of(const lte_link *link, uint64_t slot)
{
    return (ptrdiff_t)(slot % (uint64_t)link->receiver.pilots);
}

/* The reference symbol of a slot whose taps are drawn, as received: y [n_rx][n_sc]. */
static void receive_pilot(const lte_link *link, lte_noise noise, uint64_t slot,
                          const sweep_lanes *lanes, lte_cf32 *y)
{
    const int n_rx = link->n_rx, n_sc = link->carrier.n_sc;
    const stage_lanes *stage = &lanes->stage;
    for (int sc = 0; sc < n_sc; sc += LTE_WIDTH) {
        lte_cplx x[LTE_MAX_ORDER];
        channel_lanes(link, lanes, slot, LTE_PILOT_SYMBOL, sc, stage->h);
        lte_set_draws.pilot(link, slot, sc, x, stage->z);
        (void)lte_set_draws.receive(link, stage->h, x, stage->z, noise.sigma, stage->y);
        for (int rx = 0; rx < n_rx; rx++)
            plane_store(&y[rx * n_sc], sc, live_lanes(link, sc), stage->y[rx]);
    }
}

/* What estimates of this set are made of. */
static const lte_stages estimating = {
    .correlate = lte_set_correlate, .fit = lte_set_fit, .estimate = lte_set_estimate};

/*
 * What the receiver of a slot whose taps are drawn estimates, lanes->h_planes: out of its reference
 * symbol, or of both of its subframe. Returns the noise that it goes by; the taps are the slot's
 * again.
 */
static inline lte_noise estimate_slot(const lte_link *link, lte_noise noise, uint64_t slot,
                                      const sweep_lanes *lanes, void *work)
{
    const int n_sc = link->carrier.n_sc;
    receive_pilot(link, noise, slot, lanes,
                  &lanes->y_planes[pilot_of(link, slot) * link->n_rx * n_sc]);
    if (link->receiver.pilots == 1)
        return lte_stages_estimate(&estimating, link, noise, lanes->y_planes, n_sc, lanes->h_planes,
                                   work);
    const uint64_t other = lte_other_slot(slot);
    lte_set_draws.taps(link, other, &lanes->stage);
    receive_pilot(link, noise, other, lanes,
                  &lanes->y_planes[pilot_of(link, other) * link->n_rx * n_sc]);
    lte_set_draws.taps(link, slot, &lanes->stage);
    return lte_stages_estimate_subframe(&estimating, link, noise, lanes->y_planes, n_sc,
                                        lanes->h_planes, work);
}

/* What the receiver of lanes sc, sc + 1, .. takes for H: lanes->estimate, if it estimates. */
static void know_lanes(const lte_link *link, lte_noise noise, uint64_t slot, int sc,
                       const sweep_lanes *lanes)
{
    const int n = link->n_rx * link->n_tx, n_sc = link->carrier.n_sc, n_live = live_lanes(link, sc);
    if (link->receiver.pilots == 1) {
        for (int e = 0; e < n && lte_link_estimates(link); e++)
            lanes->estimate[e] = plane_lanes(&lanes->h_planes[e * n_sc], sc, n_live);
        return;
    }
    const lte_cf32 *own = &lanes->h_planes[pilot_of(link, slot) * n * n_sc];
    const lte_cf32 *other = &lanes->h_planes[pilot_of(link, lte_other_slot(slot)) * n * n_sc];
    for (int e = 0; e < n; e++) {
        const lte_cplx here = plane_lanes(&own[e * n_sc], sc, n_live);
        const lte_cplx there = plane_lanes(&other[e * n_sc], sc, n_live);
        for (int l = 0; l < link->receiver.n_csi; l++)
            lanes->estimate[l * n + e] = lte_combined_h(noise.combination[l], here, there);
    }
}

/* What the receiver of lanes sc, sc + 1, .. takes for H: [n_csi][n_rx][n_tx]. */
LTE_INLINE const lte_cplx *known_channel(const lte_link *link, const sweep_lanes *lanes)
{
    return lte_link_estimates(link) ? lanes->estimate : lanes->stage.h;
}

/* Lanes sc, sc + 1, .. of a slot and a detector, which has counts of its own. */
typedef struct {
    const lte_link *link;
    lte_noise noise; /* what the detector goes by */
    lte_detector_plan plan;
    int sc;
    const sweep_lanes *lanes;
    lte_word live;   /* those that count */
    lte_word *count; /* [n_counts] */
    int8_t *llrs;    /* planes [7][n_tx][n_bits][n_sc], if they are written; else NULL */
} detected_lanes;

/*
 * The state of a detector for the data symbols from `symbol` on, if that one has a channel matrix
 * of its own; counts the lanes of `live` that are flagged.
 */
LTE_INLINE void prepare_lanes(const detected_lanes *d, int symbol)
{
    const lte_link *const link = d->link;
    const stage_lanes *const stage = &d->lanes->stage;
    if (symbol >= link->receiver.n_csi)
        return;
    const lte_cplx *const h = &known_channel(link, d->lanes)[symbol * link->n_rx * link->n_tx];
    const lte_mask flag =
        lte_set_detectors.prepare(&d->plan, link->receiver.inverter, h,
                                  noise_lanes(d->noise, symbol, d->sc), stage->state, stage->work);
    count_mask(flag, d->live, &d->count[lte_flagged_at(link->n_tx)]);
}

/* Detects what lanes have received and counts what is wrong; n_tx: what the compiler may know. */
typedef void detect_lanes_fn(int n_tx, const detected_lanes *d);

/* Detectors of a slot. */
typedef struct {
    const lte_detector *list; /* [n] */
    int n;
    unsigned asked; /* LTE_GIVES_* */
} slot_detectors;

/* A slot as lte_sweep_slot_fn and lte_carry_slot_fn; detect is inlined. */
LTE_INLINE void sweep_slot(int n_tx, detect_lanes_fn *detect, const lte_link *link, lte_noise noise,
                           slot_detectors detectors, const lte_carried_slot *carried, void *work)
{
    const int n_detectors = detectors.n;
    const uint64_t slot = carried->slot;
    const int n_rx = link->n_rx, n = n_rx * n_tx, n_sc = link->carrier.n_sc;
    const int n_counts = (int)lte_counts_at(link->output.n_counts, n_detectors);
    const bool estimates = lte_link_estimates(link);
    const int n_planes = estimates ? link->receiver.pilots * n_sc : 0;
    char *at = work;
    *carried->power = (lte_power){0, 0};
    sweep_lanes lanes;
    lanes.slot = slot;
    lanes.stage = take_lanes(link, &at);
    lanes.y_planes = take(&at, n_planes * n_rx, sizeof *lanes.y_planes);
    lanes.h_planes = take(&at, n_planes * n, sizeof *lanes.h_planes);
    lanes.y = take(&at, LTE_SLOT_SYMBOLS * n_rx, sizeof *lanes.y);
    lanes.estimate = take(&at, estimates ? link->receiver.n_csi * n : 0, sizeof *lanes.estimate);
    lanes.count = take(&at, n_counts, sizeof *lanes.count);
    lte_noise effective = noise;
    lte_combination combination[LTE_SLOT_SYMBOLS];
    lte_set_draws.taps(link, slot, &lanes.stage);
    for (int i = 0; i < n_counts; i++)
        lanes.count[i] = w_set(0);
    if (estimates)
        effective = estimate_slot(link, noise, slot, &lanes, work);
    if (link->receiver.pilots > 1)
        lte_link_combine(link, slot, &effective, combination);
    for (int sc = 0; sc < n_sc; sc += LTE_WIDTH) {
        const lte_word live = live_word(live_lanes(link, sc));
        transmit(n_tx, link, noise, sc, &lanes, carried);
        know_lanes(link, effective, slot, sc, &lanes);
        for (int d = 0; d < n_detectors; d++) {
            const detected_lanes of_detector = {
                .link = link,
                .noise = effective,
                .plan = lte_link_plan(link, detectors.list[d], detectors.asked),
                .sc = sc,
                .lanes = &lanes,
                .live = live,
                .count = &lanes.count[lte_counts_at(link->output.n_counts, d)],
                .llrs = carried->llrs ? &carried->llrs[d * lte_llr_planes(link)] : NULL};
            detect(n_tx, &of_detector);
        }
    }
    for (int i = 0; i < n_counts; i++)
        carried->errors[i] = lane_sum(lanes.count[i]);
}

#endif
