#ifndef LTE_KERNELS_LANES_CPU_H
#define LTE_KERNELS_LANES_CPU_H
/*
 * What the stages of a processor share: lanes out of batches and planes and back, and which of them
 * count; and what the pieces of an instruction set take of each other.
 *
 * Each piece is a file that is compiled once for every instruction set, with LTE_SET_HEADER naming
 * the header of its lanes and names (set_v3.h, ..):
 *
 *     table_cpu        the table lte_stages
 *     stages_cpu       draws, reception, estimates, corner turn, packer, counts
 *     detectors_cpu    inverters, Gram matrices, the states and the general detectors
 *     scaled_cpu       states of channels far from 1
 *     detect_cpu       stage 7
 *     sweep_*_cpu      the fused slot of a sweep: bits; LLRs, which are counted or written
 *     slot_*_cpu       the fused slot of a deadline run: bits; LLRs
 *
 * Loops over layers are fastest for an order that the compiler knows, and each order takes its time
 * to compile. So they are where they count: what is done once for a matrix is a function of its own
 * for all pieces; the fused slots to bits have the loops inlined, those to LLRs, which take far
 * longer, know the order at run time.
 *
 * A piece includes this header first. To add an instruction set: its header of lanes (real_v3.h),
 * of names (set_v3.h), its row in levels.c, and its line in kernels/CMakeLists.txt.
 */

#ifndef LTE_SET_HEADER
#define LTE_SET_HEADER "kernels/cpu/set_ref.h"
#endif
#include LTE_SET_HEADER

#include "kernels/base/order.h"
#include "kernels/cpu/stages.h"
#include "phy/channel/channel.h"
#include "phy/channel/correlate.h"
#include "phy/detection/count.h"
#include "phy/detection/demap.h"
#include "phy/detection/detection.h"
#include "phy/inversion/inversion.h"
#include "phy/channel/receive.h"
#include "phy/channel/taps.h"

/* What the lanes of a stage have, in the caller's work memory. */
typedef struct {
    float *sum;        /* [pilots][n_groups + 1][n_rx][2][n_tx][padded], for lte_stages_estimate */
    float *unknown;    /* [n_rx][2][n_tx][padded], likewise */
    lte_cf32 *tap;     /* [n_h][n_taps][n_rx][n_tx] of the slot */
    lte_word *label;   /* [7][n_tx] */
    uint32_t *group;   /* [7][n_tx][LTE_LANES], labels of a whole group */
    lte_cplx *h;       /* [n_h][n_rx][n_tx] */
    lte_cplx *state;   /* of a detector, with its SINR */
    lte_cplx *work;    /* of a detector */
    lte_cplx *g;       /* [n_tx][n_tx] */
    lte_cplx *y, *z;   /* [n_rx] */
    lte_cplx *x;       /* [n_tx] of many layers, as the next two: FEW_OR_MANY */
    lte_word *decided; /* [n_tx] */
    lte_real *rho;     /* [n_tx] */
    lte_real *llr;     /* [n_tx][n_bits] */
    float *matched;    /* [n_tx][2][n_sc + LTE_WIDTH], if the receiver estimates */
} stage_lanes;

/* The next n elements of size bytes, from *at on, which moves on by whole cache lines. */
LTE_INLINE void *take(char **at, int n, size_t size)
{
    void *taken = *at;
    *at += ((size_t)n * size + 63) / 64 * 64;
    return taken;
}

/* The lanes of a stage in work memory from *at on; lte_stage_work counts the same. */
LTE_INLINE stage_lanes take_lanes(const lte_link *link, char **at)
{
    const int n_rx = link->n_rx, n_tx = link->n_tx, n_labels = LTE_SLOT_SYMBOLS * n_tx;
    stage_lanes s;
    s.sum = take(at, (int)(link->receiver.pilots * lte_sums_size(link)), sizeof *s.sum);
    s.unknown = take(at, (int)(n_rx * lte_unknowns_size(link)), sizeof *s.unknown);
    s.tap = take(at, (int)lte_slot_taps(link), sizeof *s.tap);
    s.label = take(at, n_labels, sizeof *s.label);
    s.group = take(at, n_labels * LTE_LANES, sizeof *s.group);
    s.h = take(at, link->channel.n_h * n_rx * n_tx, sizeof *s.h);
    s.state = take(at, link->receiver.n_state, sizeof *s.state);
    s.work = take(at, link->receiver.n_work, sizeof *s.work);
    s.g = take(at, n_tx * n_tx, sizeof *s.g);
    s.y = take(at, n_rx, sizeof *s.y);
    s.z = take(at, n_rx, sizeof *s.z);
    s.x = take(at, n_tx, sizeof *s.x);
    s.decided = take(at, n_tx, sizeof *s.decided);
    s.rho = take(at, n_tx, sizeof *s.rho);
    s.llr = take(at, n_tx * link->n_bits, sizeof *s.llr);
    s.matched = take(at, lte_link_estimates(link) ? n_tx * 2 * (link->carrier.n_sc + LTE_WIDTH) : 0,
                     sizeof *s.matched);
    return s;
}
LTE_INLINE stage_lanes lanes_in(const lte_link *link, void *work)
{
    char *at = work;
    return take_lanes(link, &at);
}

/*
 * What a slot sends and receives, which stages and fused paths share: one instance in a set.
 * Definitions: stages_cpu.
 */
typedef struct {
    /* Labels [7][n_tx] of lanes sc, sc + 1, .. */
    void (*labels)(const lte_link *link, uint64_t slot, int sc, lte_word *label);
    /* Noise z [n_rx] of a symbol. */
    void (*noise)(const lte_link *link, uint64_t slot, int sc, int symbol, lte_cplx *z);
    /* Reference symbols x [n_tx] and their noise z [n_rx]. */
    void (*pilot)(const lte_link *link, uint64_t slot, int sc, lte_cplx *x, lte_cplx *z);
    /* lte_receive of a symbol. */
    lte_received (*receive)(const lte_link *link, const lte_cplx *h, const lte_cplx *x,
                            const lte_cplx *z, float sigma, lte_cplx *y);
    /* The taps of a slot into lanes->tap. */
    void (*taps)(const lte_link *link, uint64_t slot, const stage_lanes *lanes);
    /* Channel matrix i of the slot, h [n_rx][n_tx]. */
    void (*channel)(const lte_link *link, const lte_fading *fading, uint64_t slot, int i, int sc,
                    lte_cplx *h);
} lte_lane_draws;
extern const lte_lane_draws lte_set_draws;

/* Inverters and detectors for an order known at run time. Definitions: detectors_cpu. */
typedef struct {
    /* lte_prepare by one of LTE_INVERTER_*. */
    lte_mask (*prepare)(const lte_detector_plan *plan, int inverter, const lte_cplx *h, lte_real n0,
                        lte_cplx *state, lte_cplx *work);
    /* lte_finish. */
    void (*finish)(const lte_detector_plan *plan, const lte_cplx *h, lte_real n0, const lte_cplx *x,
                   lte_cplx *state);
    /* lte_detect. */
    lte_mask (*detect)(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                       const lte_decision *decision, lte_cplx *work);
    lte_gram_fn *gram;
    lte_invert_fn *invert;
} lte_lane_detectors;
extern const lte_lane_detectors lte_set_detectors;

/* lte_prepare_scaled, by an inverter's function. Definition: scaled_cpu. */
typedef lte_mask lte_scaled_fn(const lte_detector_plan *plan, lte_mask lanes, const lte_cplx *h,
                               lte_real n0, lte_inverse_fn *invert, lte_cplx *state,
                               lte_cplx *work);
extern lte_scaled_fn lte_set_prepare_scaled;

/* The other pieces; types: kernels/cpu/stages.h. */
extern const lte_stages lte_set_stages;
extern lte_source_fn lte_set_source;
extern lte_channel_fn lte_set_channel;
extern lte_receive_fn lte_set_receive;
extern lte_correlate_fn lte_set_correlate;
extern lte_fit_fn lte_set_fit;
extern lte_estimate_fn lte_set_estimate;
extern lte_combine_fn lte_set_combine;
extern lte_corner_turn_fn lte_set_corner_turn;
extern lte_count_fn lte_set_count;
extern lte_pack_fn lte_set_pack;
extern lte_detect_fn lte_set_detect;
extern lte_sinr_fn lte_set_sinr;
extern lte_flag_fn lte_set_flag;
extern lte_sweep_slot_fn lte_set_sweep_bits, lte_set_sweep_llrs;
extern lte_carry_slot_fn lte_set_sweep_carry;
extern lte_slot_fn lte_set_slot_bits, lte_set_slot_llrs;

/* Where n values of layers stand: few, an array that then lies in registers, or many of them. */
#define FEW_OR_MANY(n, few, many) ((n) <= LTE_MAX_ORDER ? (few) : (many))

/*
 * The labels [n_tx] of a symbol of which lanes have the state and lanes->y what is received. A
 * filter is a part of the caller, its estimates in registers; every other detector has one instance
 * in a set.
 */
LTE_INLINE lte_mask decide_lanes(int n_tx, const lte_detector_plan *plan, const lte_cplx *y,
                                 const stage_lanes *lanes, lte_word *label)
{
    lte_cplx few[LTE_MAX_ORDER], *const x = FEW_OR_MANY(n_tx, few, lanes->x);
    if (plan->filters) {
        lte_linear_estimate(plan->n_rx, n_tx, lanes->state, y, x, NULL);
        lte_demap_hard(n_tx, plan->n_bits, x, label);
        return m_none();
    }
    const lte_decision decision = {.label = lanes->decided};
    const lte_mask left = lte_set_detectors.detect(plan, lanes->state, y, &decision, lanes->work);
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        label[k] = lanes->decided[k];
    return left;
}

/* The channel matrix, 0 to n_h - 1, of a symbol. */
LTE_INLINE int matrix_of(const lte_link *link, int symbol)
{
    return link->channel.n_h > 1 ? symbol : 0;
}

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

/* The noise that the detector of lanes sc, sc + 1, .. goes by in symbol l. */
LTE_INLINE lte_real noise_lanes(lte_noise noise, int l, int sc)
{
    const lte_real n0 = r_set(noise.n0);
    if (!noise.estimation_error)
        return n0;
    const lte_real error = r_load(&noise.estimation_error[sc]);
    return noise.combination ? lte_combined_n0(noise.combination[l], noise.n0, error)
                             : lte_effective_n0(n0, error);
}

/* Subcarriers that lanes sc, sc + 1, .. of a link hold: 0 to LTE_WIDTH. */
LTE_INLINE int live_lanes(const lte_link *link, int sc)
{
    int left = link->carrier.n_sc - sc;
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

/* Sets a bit more where m is. */
LTE_INLINE void add_flag(lte_mask m, uint8_t bit, uint8_t *flag)
{
    uint32_t flags[LTE_WIDTH];
    w_store(flags, w_sel(m, w_set(1), w_set(0)));
    for (int i = 0; i < LTE_WIDTH; i++)
        flag[i] = (uint8_t)(flag[i] | (flags[i] ? bit : 0));
}

/* Flags [LTE_WIDTH] of the lanes: 1 where m holds, else 0. */
LTE_INLINE void flag_lanes(lte_mask m, uint8_t *flag)
{
    for (int i = 0; i < LTE_WIDTH; i++)
        flag[i] = 0;
    add_flag(m, LTE_FLAG_NO_STATE, flag);
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

/* Lanes to places sc, sc + 1, .. of a plane. */
LTE_INLINE void plane_store(lte_cf32 *plane, int sc, int n_live, lte_cplx x)
{
    float re[LTE_WIDTH], im[LTE_WIDTH];
    r_store(re, x.re);
    r_store(im, x.im);
    for (int i = 0; i < n_live; i++) {
        plane[sc + i].re = re[i];
        plane[sc + i].im = im[i];
    }
}

/* Lanes sc, sc + 1, .. of a plane [n_sc]; lanes behind its end are zero. */
LTE_INLINE lte_cplx plane_lanes(const lte_cf32 *plane, int sc, int n_live)
{
    lte_cplx o;
    if (n_live == LTE_WIDTH) {
        r_load_pairs(&plane[sc].re, &o.re, &o.im);
    } else {
        float pairs[2 * LTE_WIDTH] = {0};
        for (int i = 0; i < n_live; i++) {
            pairs[2 * i] = plane[sc + i].re;
            pairs[2 * i + 1] = plane[sc + i].im;
        }
        r_load_pairs(pairs, &o.re, &o.im);
    }
    return o;
}

/* Where the planes [n_bits][n_sc] of layer k are in the LLRs of a slot. */
LTE_INLINE ptrdiff_t llr_row(const lte_link *link, int symbol, int k)
{
    return (ptrdiff_t)(symbol * link->n_tx + k) * link->n_bits * link->carrier.n_sc;
}

/* The LLRs [n_bits] of a symbol as integers, to their planes [n_bits][n_sc]. */
LTE_OUTLINE void store_llrs(const lte_link *link, const lte_real *llr, int sc, int n_live,
                            int8_t *planes)
{
    for (int bit = 0; bit < link->n_bits; bit++) {
        uint32_t of_lane[LTE_WIDTH];
        w_store(of_lane, lte_quantise(llr[bit], link->output.llr_scale));
        for (int lane = 0; lane < n_live; lane++)
            planes[bit * link->carrier.n_sc + sc + lane] = (int8_t)of_lane[lane];
    }
}

#endif
