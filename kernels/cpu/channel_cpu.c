/* Stage 2 over lanes: channel matrices. */
#include "kernels/cpu/lanes_cpu.h"

/*
 * One lane-wide group of channels, of subcarriers sc, sc + 1, ..
 *
 *   fading   the taps, if the channel has some
 *   i        which of the slot's n_h
 */
typedef void channel_lanes_fn(const lte_link *link, const lte_fading *fading, uint64_t slot, int i,
                              int sc, lte_cplx *h);

#define DRAWN_LANES(id)                                                                            \
    static void id##_lanes(const lte_link *link, const lte_fading *fading, uint64_t slot, int i,   \
                           int sc, lte_cplx *h)                                                    \
    {                                                                                              \
        (void)fading;                                                                              \
        (void)i;                                                                                   \
        lte_channel_##id(&link->draws, slot, w_iota((uint32_t)sc), h);                             \
    }
LTE_DRAWN_CHANNELS(DRAWN_LANES)

static void taps_lanes(const lte_link *link, const lte_fading *fading, uint64_t slot, int i, int sc,
                       lte_cplx *h)
{
    (void)slot;
    (void)i;
    lte_channel_taps(&link->draws, fading, w_iota((uint32_t)sc), h);
}

static void stored_lanes(const lte_link *link, const lte_fading *fading, uint64_t slot, int i,
                         int sc, lte_cplx *h)
{
    const lte_cf32 *planes = lte_stored_planes(link, slot);
    const int n_live = live_lanes(link, sc);
    (void)fading;
    for (int e = 0; e < link->n_rx * link->n_tx; e++)
        h[e] = plane_lanes(&planes[lte_plane_at(link->n_h, link->n_sc, e, i)], sc, n_live);
}

#define DRAWN_ENTRY(id) id##_lanes,
#define TAPS_ENTRY(id) taps_lanes,
#define STORED_ENTRY(id) stored_lanes,
static channel_lanes_fn *const channels[LTE_N_CHANNELS] = {
    LTE_DRAWN_CHANNELS(DRAWN_ENTRY) LTE_TAP_CHANNELS(TAPS_ENTRY) LTE_STORED_CHANNELS(STORED_ENTRY)};

/* The channel of a lane-wide group, its antennas correlated. Taps are so already. */
static void draw_channel(const lte_link *link, const lte_fading *fading, uint64_t slot, int i,
                         int sc, lte_cplx *h)
{
    channels[link->channel](link, fading, slot, i, sc, h);
    if (link->correlation_factor && link->profile.n_taps == 0)
        lte_correlate(link->n_rx * link->n_tx, link->correlation_factor, h);
}

/* Lanes of z to places at, at + stride, ... as far as they are before end. */
static void scatter(lte_cplx z, lte_cf32 *tap, int at, int stride, int end)
{
    float re[LTE_WIDTH], im[LTE_WIDTH];
    r_store(re, z.re);
    r_store(im, z.im);
    for (int i = 0; i < LTE_WIDTH && at + i * stride < end; i++) {
        tap[at + i * stride].re = re[i];
        tap[at + i * stride].im = im[i];
    }
}

static void resting_taps(const lte_link *link, uint64_t slot, int l, lte_cf32 *tap)
{
    const int n = link->n_rx * link->n_tx;
    for (int b = 0; 2 * b < n; b += LTE_WIDTH) {
        lte_cplx z[2];
        lte_draw_tap_pair(&link->draws, &link->profile, slot, l, w_iota((uint32_t)b), z);
        scatter(z[0], tap, 2 * b, 2, n);
        scatter(z[1], tap, 2 * b + 1, 2, n);
    }
}

static void moving_taps(const lte_link *link, uint64_t slot, int l, lte_cf32 *tap)
{
    const int n = link->n_rx * link->n_tx;
    for (int e = 0; e < n; e += LTE_WIDTH) {
        lte_cplx z[LTE_SLOT_SYMBOLS];
        lte_draw_moving_tap(&link->draws, &link->profile, &link->doppler, slot, l,
                            w_iota((uint32_t)e), z);
        for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++)
            scatter(z[symbol], &tap[(ptrdiff_t)symbol * link->profile.n_taps * n], e, 1, n);
    }
}

/* Correlates the entries of n_sets taps [n_sets][n], a set in each lane; z [n]  work. */
static void correlate_taps(const lte_link *link, int n_sets, lte_cf32 *tap, lte_cplx *z)
{
    const int n = link->n_rx * link->n_tx;
    for (int first = 0; first < n_sets; first += LTE_WIDTH) {
        const int left = n_sets - first, n_here = left < LTE_WIDTH ? left : LTE_WIDTH;
        lte_cf32 *sets = &tap[(ptrdiff_t)first * n];
        for (int e = 0; e < n; e++) {
            float re[LTE_WIDTH] = {0.0f}, im[LTE_WIDTH] = {0.0f};
            for (int i = 0; i < n_here; i++) {
                re[i] = sets[i * n + e].re;
                im[i] = sets[i * n + e].im;
            }
            z[e].re = r_load(re);
            z[e].im = r_load(im);
        }
        lte_correlate(n, link->correlation_factor, z);
        for (int e = 0; e < n; e++)
            scatter(z[e], sets, e, n, n_here * n);
    }
}

/* The taps of a slot, [n_h][n_taps][n_rx][n_tx], if the channel has some. */
static void draw_taps(const lte_link *link, uint64_t slot, const stage_lanes *lanes)
{
    for (int l = 0; l < link->profile.n_taps; l++) {
        lte_cf32 *here = &lanes->tap[(ptrdiff_t)l * link->n_rx * link->n_tx];
        if (link->n_h == 1)
            resting_taps(link, slot, l, here);
        else
            moving_taps(link, slot, l, here);
    }
    if (link->correlation_factor)
        correlate_taps(link, link->n_h * link->profile.n_taps, lanes->tap, lanes->h);
}

static void channel_stage(const lte_link *link, uint64_t slot, int g0, int g1, float *h, void *work)
{
    const int n = link->n_rx * link->n_tx, n_h = link->n_h;
    const stage_lanes lanes = lanes_in(link, work);
    draw_taps(link, slot, &lanes);
    for (int g = g0; g < g1; g++) {
        for (int i = 0; i < n_h; i++) {
            const lte_fading fading = {&link->profile,
                                       &lanes.tap[(ptrdiff_t)i * link->profile.n_taps * n]};
            for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
                const int sc = g * LTE_LANES + lane;
                draw_channel(link, &fading, slot, i, sc, lanes.h);
                c_store_all(n, &h[lte_batch_at(n_h, n, sc, i, 0)], lanes.h);
            }
        }
    }
}
