#ifndef LTE_PHY_DEMAP_H
#define LTE_PHY_DEMAP_H
/*
 * From estimates to bits: hard decisions, and log-likelihood ratios, soft bits.
 *
 *     lte_demap_hard(n_tx, n_bits, x, label);
 *     lte_demap_soft(n_bits, LTE_DEMAPPER_exact, x[k], rho[k], llr);
 *     lte_word v = lte_quantise(llr[i], 8.0f);
 *
 * Estimates and their SINR come from a detector (phy/detection/detection.h), whichever it is.
 */

#include "phy/base/exponential.h"
#include "phy/base/limits.h"
#include "phy/base/normal.h"
#include "phy/detection/qam.h"

/* How LLRs are made: id, and what --list says. */
#define LTE_DEMAPPERS(X)                                                                           \
    X(exact, "exact", "exact log-likelihood ratios")                                               \
    X(max_log, "max-log", "max-log, from the nearest symbols only")
#define LTE_DEMAPPER_ID(id, name, text) LTE_DEMAPPER_##id,
enum { LTE_DEMAPPERS(LTE_DEMAPPER_ID) LTE_N_DEMAPPERS };
#undef LTE_DEMAPPER_ID

enum {
    LTE_MOST_LLR = 127, /* of a quantised one, either way */
    LTE_FEW_BITS = 8 /* with more of them a device's code stays loops: it is larger than the rest */
};

/*
 * Labels of the nearest symbols; an estimate that is not finite counts as zero.
 *
 *   x       [n]  estimates
 *   label   [n]  out
 */
LTE_INLINE void lte_demap_hard(int n, int n_bits, const lte_cplx *x, lte_word *label)
{
    LTE_UNROLL
    for (int k = 0; k < n; k++) {
        lte_mask finite = m_and(r_finite(x[k].re), r_finite(x[k].im));
        label[k] = lte_qam_slice(n_bits, c_sel(finite, x[k], c_zero()));
    }
}

/* One dimension of a symbol by the folds of lte_qam_decide. */
typedef struct {
    lte_word sign[LTE_MAX_BITS / 2]; /* the top bit: the decision */
    lte_real
        distance[LTE_MAX_BITS / 2]; /* to where it changes: half a step before the other levels */
    lte_real nearest;               /* to the nearest level */
} lte_folds;

LTE_INLINE lte_folds lte_fold(int n_bits, lte_real v)
{
    const lte_word top = w_set(0x80000000u), none = w_set(0);
    float threshold = lte_qam_unit(n_bits) * (float)(1 << (n_bits / 2 - 1));
    lte_real rest = r_abs(v);
    lte_folds f;
    f.sign[0] = w_sel(r_lt(v, r_set(0.0f)), top, none);
    f.distance[0] = rest;
    LTE_UNROLL
    for (int j = 1; j < n_bits / 2; j++, threshold *= 0.5f) {
        f.sign[j] = w_sel(r_lt(r_set(threshold), rest), top, none);
        rest = r_abs(rest - r_set(threshold));
        f.distance[j] = rest;
    }
    f.nearest = r_abs(rest - r_set(lte_qam_unit(n_bits)));
    return f;
}

/*
 * ln of the sum over the levels whose bit j is b, relative to the one at distance `best`:
 *
 *     ln sum_a exp(-rho ((v - a)^2 - best^2))
 */
LTE_INLINE lte_real lte_ln_sum(int n_bits, int j, uint32_t b, lte_real v, lte_real rho,
                               lte_real best)
{
    const int half = n_bits / 2;
    lte_real sum = r_set(0.0f);
#define LTE_ADD_LEVEL(l)                                                                           \
    uint32_t label = 0; /* bit i of l is bit 2 i of the label */                                   \
    if ((l >> j & 1) != b)                                                                         \
        continue;                                                                                  \
    for (int i = 0; i < half; i++)                                                                 \
        label |= (l >> i & 1) << 2 * i;                                                            \
    const lte_real d = r_abs(v - lte_qam_level(n_bits, 0, w_set(label)));                          \
    const lte_real more = rho * ((d - best) * (d + best)); /* >= 0, but for rounding */            \
    sum = sum + lte_exp(r_sel(r_lt(more, r_set(0.0f)), r_set(0.0f), r_neg(more)));
    if (n_bits > LTE_FEW_BITS) {
        LTE_ROLL_DEVICE
        for (uint32_t l = 0; l < 1u << half; l++) {
            LTE_ADD_LEVEL(l)
        }
        return lte_ln(sum);
    }
    for (uint32_t l = 0; l < 1u << half; l++) {
        LTE_ADD_LEVEL(l)
    }
#undef LTE_ADD_LEVEL
    return lte_ln(sum);
}

/* The LLR of bit j of one dimension by its folds f. */
LTE_INLINE lte_real lte_soft_bit(int n_bits, int j, int demapper, const lte_folds *f, lte_real v,
                                 lte_real rho)
{
    const lte_real unit = r_set(lte_qam_unit(n_bits));
    const lte_real far = f->distance[j] + unit; /* to the nearest level that has the other bit */
    const lte_real gap =
        r_sel(r_lt(f->distance[j], unit), f->distance[j] + f->distance[j], far - f->nearest);
    lte_real x = r_flip(rho * (gap * (far + f->nearest)), f->sign[j]);
    if (demapper == LTE_DEMAPPER_exact && n_bits > 2) {
        const lte_mask one = m_not(w_eq(f->sign[j], w_set(0)));
        const lte_real best0 = r_sel(one, far, f->nearest);
        const lte_real best1 = r_sel(one, f->nearest, far);
        x = x + (lte_ln_sum(n_bits, j, 0, v, rho, best0) - lte_ln_sum(n_bits, j, 1, v, rho, best1));
    }
    return x;
}

/* Bits first, first + 2, .. of one dimension: llr[bit]. */
LTE_INLINE void lte_soft_dimension(int n_bits, int first, int demapper, lte_real v, lte_real rho,
                                   lte_real *llr)
{
    const lte_folds f = lte_fold(n_bits, v);
    if (n_bits > LTE_FEW_BITS) {
        LTE_ROLL_DEVICE
        for (int j = 0; j < n_bits / 2; j++)
            llr[first + 2 * j] = lte_soft_bit(n_bits, j, demapper, &f, v, rho);
        return;
    }
    LTE_UNROLL
    for (int j = 0; j < n_bits / 2; j++)
        llr[first + 2 * j] = lte_soft_bit(n_bits, j, demapper, &f, v, rho);
}

/* An estimate and its SINR as they count: both within bounds, zeros where nothing is told. */
typedef struct {
    lte_cplx x;
    lte_real rho;
} lte_told;

LTE_INLINE lte_told lte_tell(lte_cplx x, lte_real rho)
{
    const lte_real most_rho = r_set(1e20f), most = r_set(1e6f);
    const lte_mask positive = m_and(r_lt(r_set(0.0f), rho), r_finite(rho));
    const lte_mask finite = m_and(m_and(r_finite(x.re), r_finite(x.im)), positive);
    const lte_cplx told = c_sel(finite, x, c_zero());
    lte_told o;
    o.rho = r_sel(finite, r_sel(r_lt(most_rho, rho), most_rho, rho), r_set(0.0f));
    o.x.re = r_sel(r_lt(most, r_abs(told.re)), r_flip(most, r_bits(told.re)), told.re);
    o.x.im = r_sel(r_lt(most, r_abs(told.im)), r_flip(most, r_bits(told.im)), told.im);
    return o;
}

/*
 * Log-likelihood ratios L_i = ln P(b_i = 0) / P(b_i = 1) of a symbol seen as x^ = x + e, e normal
 * of variance 1 / rho: of the real part for even i, of the imaginary part for odd ones, with its
 * levels a
 *
 *     exact      L = ln sum_{b_i = 0} exp(-rho (v - a)^2) - ln sum_{b_i = 1} exp(-rho (v - a)^2)
 *     max-log    L = rho (min_{b_i = 1} (v - a)^2 - min_{b_i = 0} (v - a)^2)
 *
 * The sign bit of the latter is the decision of lte_demap_hard, always. Where an estimate is not
 * finite, or its SINR not above zero, nothing is told: zeros. SINRs count up to 1e20, estimates up
 * to 1e6.
 *
 *   llr   [n_bits]  out, all finite
 */
LTE_INLINE void lte_demap_soft(int n_bits, int demapper, lte_cplx x, lte_real rho, lte_real *llr)
{
    const lte_told told = lte_tell(x, rho);
    lte_soft_dimension(n_bits, 0, demapper, told.x.re, told.rho, llr);
    lte_soft_dimension(n_bits, 1, demapper, told.x.im, told.rho, llr);
}

/*
 * An LLR times a scale as an integer, to the nearest, even ones first, at most LTE_MOST_LLR either
 * way.
 */
LTE_INLINE lte_word lte_quantise(lte_real llr, float scale)
{
    const lte_real most = r_set((float)LTE_MOST_LLR), whole = r_set(0x1.8p23f);
    const lte_real x = llr * r_set(scale);
    const lte_real cut = r_sel(r_lt(most, r_abs(x)), r_flip(most, r_bits(x)), x);
    return r_bits(cut + whole) - w_set(0x4b400000u);
}

/* 1 where an integer is as large as it can be: its LLR was that large, or larger. */
LTE_INLINE lte_word lte_is_cut(lte_word value)
{
    const lte_mask most = w_eq(value, w_set(LTE_MOST_LLR));
    const lte_mask least = w_eq(value, w_set((uint32_t)-LTE_MOST_LLR));
    return w_sel(m_or(most, least), w_set(1), w_set(0));
}

#endif
