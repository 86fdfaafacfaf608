#ifndef LTE_KERNELS_VARIANT_H
#define LTE_KERNELS_VARIANT_H
/*
 * What every <stage>_cpu.c includes: it is compiled once per instruction set, each time with
 * LTE_VARIANT naming the set (ref, v3, v4) and LTE_REAL_HEADER its lanes, and
 *
 *     void LTE_V(lte_source)(...)
 *
 * defines lte_source_ref, lte_source_v3 or lte_source_v4.
 */

#include "phy/channel.h"
#include "phy/count.h"
#include "phy/detect.h"
#include "phy/gram.h"
#include "phy/ldl.h"
#include "phy/correlate.h"
#include "phy/receive.h"
#include "phy/taps.h"
#include "kernels/order.h"
#include "kernels/stages.h"

#ifndef LTE_VARIANT
#define LTE_VARIANT ref
#endif
#define LTE_JOIN(a, b) a##_##b
#define LTE_JOIN_EXPANDED(a, b) LTE_JOIN(a, b)
#define LTE_V(name) LTE_JOIN_EXPANDED(name, LTE_VARIANT)

/* The table of all of these; from stages_cpu.c. */
extern const lte_stages LTE_V(lte_stages);

/* From stages.c, which runs on any processor. */
bool LTE_V(lte_usable)(void);

lte_source_fn LTE_V(lte_source);
lte_channel_fn LTE_V(lte_channel);
lte_receive_fn LTE_V(lte_receive);
lte_corner_turn_fn LTE_V(lte_corner_turn);
lte_gram_fn LTE_V(lte_gram);
lte_invert_fn LTE_V(lte_invert);
lte_detect_fn LTE_V(lte_detect);
lte_estimate_fn LTE_V(lte_estimate);
lte_count_fn LTE_V(lte_count);
lte_pack_fn LTE_V(lte_pack);
lte_sweep_slot_fn LTE_V(lte_sweep_slot);
lte_slot_fn LTE_V(lte_slot);

/* Inverts one lane-wide group of n x n matrices, n being the second index; from invert_cpu.c. */
typedef lte_mask lte_invert_lanes_fn(lte_cplx *a);
extern lte_invert_lanes_fn *const LTE_V(lte_inverters)[LTE_N_INVERTERS][LTE_MAX_TX + 1];

/*
 * One lane-wide group of channels, of subcarriers sc, sc + 1, ..; from channel_cpu.c.
 *
 *   fading   the taps, if the channel has some
 *   i        which of the slot's n_h
 */
typedef void lte_channel_lanes_fn(const lte_link *link, const lte_fading *fading, uint64_t slot,
                                  int i, int sc, lte_cplx *h);
extern lte_channel_lanes_fn *const LTE_V(lte_channels)[LTE_N_CHANNELS];

/* The channel matrix, 0 to n_h - 1, of a symbol. */
LTE_INLINE int matrix_of(const lte_link *link, int symbol)
{
    return link->n_h > 1 ? symbol : 0;
}

/* The taps of a slot, [n_h][n_taps][n_rx][n_tx], if the channel has some; from channel_cpu.c. */
enum { LTE_MAX_SLOT_TAPS = LTE_SLOT_SYMBOLS * LTE_MAX_TAP_ENTRIES };
void LTE_V(lte_taps)(const lte_link *link, uint64_t slot, lte_cf32 *tap);

/* The channel of a lane-wide group, its antennas correlated. Taps are so already. */
LTE_INLINE void draw_channel(const lte_link *link, const lte_fading *fading, uint64_t slot, int i,
                             int sc, lte_cplx *h)
{
    LTE_V(lte_channels)[link->channel](link, fading, slot, i, sc, h);
    if (link->correlation_factor && link->profile.n_taps == 0)
        lte_correlate(link->n_rx * link->n_tx, link->correlation_factor, h);
}

/* What sets a detector apart; from gram_cpu.c. */
typedef struct {
    lte_real (*loading)(lte_real n0);
    lte_real (*gain)(lte_real x_kk, lte_real n0);
} lte_detector_lanes;
extern const lte_detector_lanes LTE_V(lte_detectors)[LTE_N_DETECTORS];

/* Lanes of a batch element from lane on, p being the element's real part. */
LTE_INLINE lte_cplx c_load(const float *p)
{
    lte_cplx o = {r_load(p), r_load(p + LTE_LANES)};
    return o;
}
LTE_INLINE void c_store(float *p, lte_cplx x)
{
    r_store(p, x.re);
    r_store(p + LTE_LANES, x.im);
}
/* All n elements of a matrix, from p [n][2][LTE_LANES] at a lane. */
LTE_INLINE void c_load_all(int n, const float *p, lte_cplx *x)
{
    for (int i = 0; i < n; i++)
        x[i] = c_load(p + (ptrdiff_t)i * 2 * LTE_LANES);
}
LTE_INLINE void c_store_all(int n, float *p, const lte_cplx *x)
{
    for (int i = 0; i < n; i++)
        c_store(p + (ptrdiff_t)i * 2 * LTE_LANES, x[i]);
}

/* The noise that the detector of lanes sc, sc + 1, .. goes by. */
LTE_INLINE lte_real noise_lanes(lte_noise noise, int sc)
{
    const lte_real n0 = r_set(noise.n0);
    return noise.estimation_error ? lte_effective_n0(n0, r_load(&noise.estimation_error[sc])) : n0;
}

/* Subcarriers that lanes sc, sc + 1, .. of a link hold: 0 to LTE_WIDTH. */
LTE_INLINE int live_lanes(const lte_link *link, int sc)
{
    int left = link->n_sc - sc;
    return left < 0 ? 0 : left < LTE_WIDTH ? left : LTE_WIDTH;
}

/* All ones in the first n_live lanes. */
LTE_INLINE lte_word live_word(int n_live)
{
    uint32_t lane[LTE_WIDTH];
    for (int i = 0; i < LTE_WIDTH; i++)
        lane[i] = i < n_live ? 0xffffffffu : 0;
    return w_load(lane);
}

/* Adds the first n_live lanes of symbol 0's powers. */
LTE_INLINE void add_power(int n_live, lte_real signal, lte_real noise, lte_power *power)
{
    float s[LTE_WIDTH], n[LTE_WIDTH];
    r_store(s, signal);
    r_store(n, noise);
    for (int i = 0; i < n_live; i++) {
        power->signal += lte_power_units(s[i]);
        power->noise += lte_power_units(n[i]);
    }
}

#endif
