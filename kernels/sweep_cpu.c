/*
 * One slot of the sweep with all stages fused: a lane-wide group of subcarriers goes from its
 * draws to its error counts in the first-level cache.
 */
#include "kernels/lane_count.h"
#include "kernels/transmit.h"

/* Labels, channel and received vectors of the subcarriers in the lanes. */
typedef struct {
    lte_word label[LTE_SLOT_SYMBOLS][LTE_MAX_TX];
    lte_cplx h[LTE_SLOT_SYMBOLS][LTE_MAX_RX * LTE_MAX_TX]; /* n_h of them */
    lte_cplx y[LTE_SLOT_SYMBOLS][LTE_MAX_RX];
    lte_cplx estimate[LTE_MAX_RX * LTE_MAX_TX];               /* if the receiver makes one */
    lte_cplx gram[LTE_SLOT_SYMBOLS][LTE_MAX_TX * LTE_MAX_TX]; /* n_csi of them */
} lanes_of_slot;

/* The channel of symbol 0 to 6 of a slot whose taps are drawn. */
LTE_INLINE void channel_lanes(const lte_link *link, const lte_cf32 *tap, uint64_t slot, int symbol,
                              int sc, lte_cplx *h)
{
    const ptrdiff_t n = (ptrdiff_t)link->profile.n_taps * link->n_rx * link->n_tx;
    const int m = matrix_of(link, symbol);
    const lte_fading fading = {&link->profile, &tap[m * n]};
    draw_channel(link, &fading, slot, m, sc, h);
}

LTE_INLINE void transmit(int n_tx, const lte_link *link, const lte_cf32 *tap, lte_noise noise,
                         uint64_t slot, int sc0, lanes_of_slot *lanes, lte_power *power)
{
    const lte_word sc = w_iota((uint32_t)sc0);
    lte_word drawn[LTE_SLOT_SYMBOLS * LTE_MAX_TX];
    lte_draw_labels(&link->draws, slot, sc, drawn);
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_cplx x[LTE_MAX_TX], z[LTE_MAX_RX];
        lte_real signal, disturbance;
        if (symbol < link->n_h)
            channel_lanes(link, tap, slot, symbol, sc0, lanes->h[symbol]);
        if (symbol == link->pilot)
            continue;
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++) {
            lanes->label[symbol][k] = drawn[symbol * n_tx + k];
            x[k] = lte_qam_map(link->n_bits, lanes->label[symbol][k]);
        }
        lte_draw_noise(&link->draws, slot, sc, symbol, z);
        lte_receive(link->n_rx, n_tx, lanes->h[matrix_of(link, symbol)], x, z, r_set(noise.sigma),
                    lanes->y[symbol], &signal, &disturbance);
        if (symbol == 0)
            add_power(live_lanes(link, sc0), signal, disturbance, power);
    }
}

/* What the receiver takes for the channel of a symbol. */
LTE_INLINE const lte_cplx *receiver_channel(const lte_link *link, const lanes_of_slot *lanes,
                                            int symbol)
{
    return link->pilot < 0 ? lanes->h[symbol] : lanes->estimate;
}

LTE_INLINE void detect_and_count(int n_tx, const lte_link *link, lte_real n0, int detector,
                                 const lanes_of_slot *lanes, lte_word live, lane_count *count)
{
    const lte_detector_lanes *rule = &LTE_V(lte_detectors)[detector];
    lte_cplx w[LTE_MAX_RX * LTE_MAX_TX];
    for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
        lte_word decided[LTE_MAX_TX];
        if (symbol < link->n_csi) {
            lte_cplx g[LTE_MAX_TX * LTE_MAX_TX];
            lte_real gain[LTE_MAX_TX];
            for (int i = 0; i < n_tx * n_tx; i++)
                g[i] = lanes->gram[symbol][i];
            lte_gram_load(n_tx, g, rule->loading(n0));
            lte_mask flag = LTE_V(lte_inverters)[link->inverter][n_tx](g);
            count->flagged = count->flagged + (w_sel(flag, w_set(1), w_set(0)) & live);
            lte_gains(n_tx, g, rule->gain, n0, gain);
            lte_filter(link->n_rx, n_tx, receiver_channel(link, lanes, symbol), g, gain, w);
        }
        if (symbol == link->pilot)
            continue;
        lte_detect(link->n_rx, n_tx, link->n_bits, w, lanes->y[symbol], decided);
        LTE_UNROLL
        for (int k = 0; k < n_tx; k++)
            tally_add(count, k, lanes->label[symbol][k], decided[k], live);
    }
}

/* Lanes to places sc, sc + 1, .. of a plane. */
static void plane_store(lte_cf32 *plane, int sc, int n_live, lte_cplx x)
{
    float re[LTE_WIDTH], im[LTE_WIDTH];
    r_store(re, x.re);
    r_store(im, x.im);
    for (int i = 0; i < n_live; i++) {
        plane[sc + i].re = re[i];
        plane[sc + i].im = im[i];
    }
}

/*
 * The reference symbol of a slot and what the receiver makes of it: y [n_rx][n_sc] received,
 * h [n_rx][n_tx][n_sc] estimated. Returns the noise that it goes by.
 */
static lte_noise estimate_slot(const lte_link *link, const lte_cf32 *tap, lte_noise noise,
                               uint64_t slot, lte_cf32 *y, lte_cf32 *h)
{
    const int n_rx = link->n_rx, n_sc = link->n_sc;
    for (int sc = 0; sc < n_sc; sc += LTE_WIDTH) {
        lte_cplx channel[LTE_MAX_RX * LTE_MAX_TX], x[LTE_MAX_TX], z[LTE_MAX_RX], at[LTE_MAX_RX];
        lte_real signal, disturbance;
        channel_lanes(link, tap, slot, LTE_PILOT_SYMBOL, sc, channel);
        send_pilot(link, slot, sc, x, z);
        lte_receive(n_rx, link->n_tx, channel, x, z, r_set(noise.sigma), at, &signal, &disturbance);
        for (int rx = 0; rx < n_rx; rx++)
            plane_store(&y[rx * n_sc], sc, live_lanes(link, sc), at[rx]);
    }
    return lte_stages_estimate(&LTE_V(lte_stages), link, noise, y, n_sc, h);
}

LTE_INLINE void sweep_slot(int n_tx, const lte_link *link, lte_noise noise, const int *detectors,
                           int n_detectors, uint64_t slot, void *work, lte_power *power,
                           lte_errors *errors)
{
    const int n = link->n_rx * n_tx, n_sc = link->n_sc;
    lte_cf32 *const pilots = work, *const estimates = pilots + link->n_rx * n_sc;
    lte_noise known = noise;
    lane_count count[LTE_N_DETECTORS];
    lanes_of_slot lanes;
    lte_cf32 tap[LTE_MAX_SLOT_TAPS];
    LTE_V(lte_taps)(link, slot, tap);
    for (int d = 0; d < n_detectors; d++)
        lane_count_clear(&count[d]);
    if (link->pilot >= 0)
        known = estimate_slot(link, tap, noise, slot, pilots, estimates);
    for (int sc = 0; sc < n_sc; sc += LTE_WIDTH) {
        const lte_word live = live_word(live_lanes(link, sc));
        transmit(n_tx, link, tap, noise, slot, sc, &lanes, power);
        for (int e = 0; e < n && link->pilot >= 0; e++)
            lanes.estimate[e] = plane_lanes(&estimates[e * n_sc], sc, live_lanes(link, sc));
        for (int i = 0; i < link->n_csi; i++)
            lte_gram(link->n_rx, n_tx, receiver_channel(link, &lanes, i), lanes.gram[i]);
        for (int d = 0; d < n_detectors; d++)
            detect_and_count(n_tx, link, noise_lanes(known, sc), detectors[d], &lanes, live,
                             &count[d]);
    }
    for (int d = 0; d < n_detectors; d++)
        lane_count_sum(n_tx, &count[d], &errors[d]);
}

void LTE_V(lte_sweep_slot)(const lte_link *link, lte_noise noise, const int *detectors,
                           int n_detectors, uint64_t slot, void *work, lte_power *power,
                           lte_errors *errors)
{
    *power = (lte_power){0, 0};
    for (int d = 0; d < n_detectors; d++)
        errors[d] = (lte_errors){0};
#define BODY(n) sweep_slot(n, link, noise, detectors, n_detectors, slot, work, power, errors)
    LTE_FOR_ORDER(link->n_tx, BODY)
#undef BODY
}
