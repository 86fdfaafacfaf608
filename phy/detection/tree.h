#ifndef LTE_PHY_TREE_H
#define LTE_PHY_TREE_H
/*
 * What detectors have in common that search the tree of symbol vectors: the sorted decomposition
 * H P = Q R (phy/inversion/sorted_qr.h), the strongest layer in the last row, which is detected
 * first; and how what they find of its rows goes to the layers.
 *
 *     flag = lte_tree_prepare(&plan, h, disturbance, state);
 *     lte_cplx b = lte_tree_received(&plan, i, state, y);
 *     lte_tree_give_label(&plan, lte_tree_layers(&plan, state)[i], told, label, decision);
 *
 * With b = Q'y, all over sqrt(n0), the metric of a vector is
 *
 *     d = sum_i |b_i - sum_{j > i} r_ij x_j|^2 = (|y - H x|^2 - |y - Q Q'y|^2) / n0,
 *
 * added up from the last row, b_i less r_ij x_j for j from the last on.
 *
 * A layer whose column depends on those before it has q_i = 0 and r_ii = 0: its symbol adds nothing
 * in its own row. A silent layer, whose column is zero, stands in the first rows: r_ii is
 * -LTE_TREE_SILENT there, and b_i that times the symbol nearest to 0, which so is the only one that
 * a search takes. Its LLRs are 0.
 */

#include "phy/detection/detector.h"
#include "phy/inversion/powers_of_two.h"
#include "phy/inversion/sorted_qr.h"

/*
 * Elements of the state: Q' [n_rx][n_tx] and R [n_tx][n_tx] over sqrt(n0), and n_tx for the layers
 * [n_tx], which are half as large; behind them a detector may keep a number of its own.
 */
#define LTE_TREE_STATE(n_rx, n_tx) ((n_rx) * (n_tx) + (n_tx) * (n_tx) + (n_tx))

/*
 * Minus the pivot of a silent layer: its square times that of a distance between symbols is above
 * all metrics, and all sums of these are finite.
 */
#define LTE_TREE_SILENT 0x1p50f

/* Whether states may have silent layers: not those of kernels that are never given any. */
#ifndef LTE_TREE_HAS_SILENT
#define LTE_TREE_HAS_SILENT 1
#endif

/* The parts of a state. */
LTE_INLINE lte_cplx *lte_tree_r(const lte_detector_plan *plan, lte_cplx *state)
{
    return &state[plan->n_rx * plan->n_tx];
}
LTE_INLINE lte_real *lte_tree_layers(const lte_detector_plan *plan, lte_cplx *state)
{
    return (lte_real *)&lte_tree_r(plan, state)[plan->n_tx * plan->n_tx];
}

/* The state from Q and R of noise 1: over sqrt(n0), and zero where flag is, with layers as they
 * come. */
LTE_INLINE void lte_tree_scale(const lte_detector_plan *plan, lte_mask flag,
                               lte_disturbance disturbance, lte_cplx *state)
{
    const int n_elements = (plan->n_rx + plan->n_tx) * plan->n_tx;
    const lte_real scale = r_set(1.0f) / r_sqrt(disturbance.n0);
    lte_real *const layer = lte_tree_layers(plan, state);
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_elements; e++)
        state[e] = c_sel(flag, c_zero(), c_scale(state[e], scale));
    LTE_UNROLL_DEVICE
    for (int k = 0; k < plan->n_tx; k++)
        layer[k] = r_sel(flag, r_set((float)k), layer[k]);
}

/* The state; returns the mask of matrices that have none, whose R is zero. */
LTE_INLINE lte_mask lte_tree_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                     lte_disturbance disturbance, lte_cplx *state)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = h[e];
    const lte_mask flag = lte_sorted_qr(n_rx, n_tx, LTE_QR_WEAKEST_FIRST, LTE_QR_RESTS, NULL, state,
                                        lte_tree_r(plan, state), lte_tree_layers(plan, state));
    lte_tree_scale(plan, flag, disturbance, state);
    return flag;
}

/* What a channel matrix was divided by before its decomposition. */
typedef struct {
    lte_real s;                  /* the whole matrix, a power of two */
    lte_real factor[LTE_MAX_TX]; /* and then each column: 1, or a power of two of its own */
} lte_tree_scaling;

/*
 * The first n_rx n_tx elements of a state: H scaled as phy/inversion/powers_of_two.h says; in other
 * lanes than `lanes` H itself.
 */
LTE_COLD void lte_tree_begin_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                    const lte_cplx *h, lte_cplx *state, lte_tree_scaling *by)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_real s = lte_channel_scale(n_rx, n_tx, h, lanes, r_set(0.0f));
    const lte_real raise = r_sel(lanes, r_set(LTE_SCALED_MOST), r_set(1.0f));
    lte_scale_channel(n_rx, n_tx, h, s, raise, state);
    by->s = s / raise;
    for (int k = 0; k < n_tx; k++) {
        const lte_real most = lte_largest_of_column(n_rx, n_tx, k, state);
        const lte_mask weak = m_and(r_lt(r_set(0.0f), most), r_lt(most, r_set(LTE_SCALED_LEAST)));
        by->factor[k] = r_sel(m_and(lanes, weak), lte_power_of_two(most), r_set(1.0f));
    }
    lte_divide_columns(n_rx, n_tx, by->factor, state);
}

/*
 * The state from the decomposition of what lte_tree_begin_scaled made of H, whose factors stand
 * with their columns: over sqrt(n0), at least 2^-60 of the channel; rows of silent layers marked.
 * Zero where flag is.
 */
LTE_COLD void lte_tree_finish_scaled(const lte_detector_plan *plan, lte_mask lanes, lte_mask flag,
                                     lte_disturbance disturbance, const lte_tree_scaling *by,
                                     lte_cplx *state)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    lte_cplx *const r = lte_tree_r(plan, state);
    lte_real *const layer = lte_tree_layers(plan, state);
    const lte_real least = r_set(0x1p-60f * LTE_SCALED_MOST),
                   sigma = r_sqrt(disturbance.n0) / by->s;
    const lte_mask below = m_and(lanes, r_lt(sigma, least));
    const lte_real scale = r_set(1.0f) / r_sel(below, least, sigma);
    lte_mask silent = m_and(lanes, m_not(flag));
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = c_sel(flag, c_zero(), c_scale(state[e], scale / by->s));
    for (int i = 0; i < n_tx; i++) {
        silent = m_and(silent, m_not(r_lt(r_set(0.0f), r[i * n_tx + i].re)));
        for (int j = i; j < n_tx; j++)
            r[i * n_tx + j] =
                c_sel(flag, c_zero(), c_scale(r[i * n_tx + j], scale * by->factor[j]));
        r[i * n_tx + i].re = r_sel(silent, r_set(-LTE_TREE_SILENT), r[i * n_tx + i].re);
        layer[i] = r_sel(flag, r_set((float)i), layer[i]);
    }
}

/*
 * lte_tree_prepare of any finite H and any n0 > 0: in lanes where lte_tree_is_extreme asks for it;
 * in others it is the same as lte_tree_prepare. h is not the state.
 */
LTE_COLD lte_mask lte_tree_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                          const lte_cplx *h, lte_disturbance disturbance,
                                          lte_cplx *state)
{
    lte_tree_scaling by;
    lte_tree_begin_scaled(plan, lanes, h, state, &by);
    const lte_mask flag =
        lte_sorted_qr(plan->n_rx, plan->n_tx, LTE_QR_WEAKEST_FIRST, LTE_QR_RESTS, by.factor, state,
                      lte_tree_r(plan, state), lte_tree_layers(plan, state));
    lte_tree_finish_scaled(plan, lanes, flag, disturbance, &by, state);
    return flag;
}

/* Lanes whose state of lte_tree_prepare, with or without flag, may have left a float's range. */
LTE_INLINE lte_mask lte_tree_is_extreme(const lte_detector_plan *plan, lte_mask flag, lte_real n0,
                                        lte_cplx *state)
{
    const lte_cplx *const r = lte_tree_r(plan, state);
    lte_mask extreme = m_or(flag, lte_is_extreme_noise(n0, LTE_USUAL_RANGE));
    for (int i = 0; i < plan->n_tx; i++) {
        const lte_real pivot = r[i * plan->n_tx + i].re;
        extreme = m_or(extreme, lte_is_extreme(pivot * pivot * n0, LTE_EXTREME_POWER));
    }
    return extreme;
}

/* 1 / r_ii, 0 where no symbol is the nearest one, as the row does not depend on it. */
LTE_INLINE lte_real lte_tree_inverse(lte_real pivot)
{
    return r_sel(r_lt(r_set(0x1p-126f), r_abs(pivot)), r_set(1.0f) / pivot, r_set(0.0f));
}

/* (Q'y)_i, sums beginning with b. */
LTE_INLINE lte_cplx lte_tree_product(const lte_detector_plan *plan, int i, const lte_cplx *q,
                                     const lte_cplx *y, lte_cplx b)
{
    LTE_UNROLL_DEVICE
    for (int e = 0; e < plan->n_rx; e++)
        b = c_cmac(b, q[e * plan->n_tx + i], y[e]);
    return b;
}

/* b_i of a state: (Q'y)_i, of a silent layer r_ii times its symbol. */
LTE_INLINE lte_cplx lte_tree_received(const lte_detector_plan *plan, int i, lte_cplx *state,
                                      const lte_cplx *y)
{
    lte_cplx b = c_zero();
#if LTE_TREE_HAS_SILENT
    const lte_real pivot = lte_tree_r(plan, state)[i * plan->n_tx + i].re;
    const lte_mask silent = r_lt(pivot, r_set(0.0f));
    if (m_any(silent)) {
        const lte_cplx nearest = lte_qam_map(plan->n_bits, lte_qam_slice(plan->n_bits, c_zero()));
        b = c_sel(silent, c_scale(nearest, pivot), b);
    }
#endif
    return lte_tree_product(plan, i, state, y, b);
}

/* Lanes of which row i is of a silent layer. */
LTE_INLINE lte_mask lte_tree_is_silent(const lte_detector_plan *plan, int i, lte_cplx *state)
{
#if LTE_TREE_HAS_SILENT
    return r_lt(lte_tree_r(plan, state)[i * plan->n_tx + i].re, r_set(0.0f));
#else
    (void)plan;
    (void)i;
    (void)state;
    return m_none();
#endif
}

/* Lanes of which a state has a layer that is heard: else there is nothing to search. */
LTE_INLINE lte_mask lte_tree_has_layers(const lte_detector_plan *plan, lte_cplx *state)
{
    lte_mask any = m_none();
    LTE_UNROLL_DEVICE
    for (int i = 0; i < plan->n_tx; i++)
        any = m_or(any, r_lt(r_set(0.0f), lte_tree_r(plan, state)[i * plan->n_tx + i].re));
    return any;
}

/* Whether a row of R is of layer l. */
LTE_INLINE lte_mask lte_tree_is_of(lte_real layer, int l)
{
    return w_eq(r_bits(layer), r_bits(r_set((float)l)));
}

/* Labels and LLRs before the first row is handed over. */
LTE_INLINE void lte_tree_give_nothing(const lte_detector_plan *plan, const lte_decision *to)
{
    LTE_UNROLL_DEVICE
    for (int l = 0; to->label && l < plan->n_tx; l++)
        to->label[l] = w_set(0);
    LTE_UNROLL_DEVICE
    for (int e = 0; to->llr && e < plan->n_tx * plan->n_bits; e++)
        to->llr[e] = r_set(0.0f);
}

/* A row's label to its layer; where nothing is told, that of zero. */
LTE_INLINE void lte_tree_give_label(const lte_detector_plan *plan, lte_real layer, lte_mask told,
                                    lte_word label, const lte_decision *to)
{
    const lte_word given = w_sel(told, label, lte_qam_slice(plan->n_bits, c_zero()));
    LTE_UNROLL_DEVICE
    for (int l = 0; to->label && l < plan->n_tx; l++)
        to->label[l] = w_sel(lte_tree_is_of(layer, l), given, to->label[l]);
}

/* An LLR within `most` either way. */
LTE_INLINE lte_real lte_tree_clip(lte_real llr, lte_real most)
{
    return r_sel(r_lt(most, llr), most, r_sel(r_lt(llr, r_neg(most)), r_neg(most), llr));
}

/* The LLR of a row's bit to its layer; where nothing is told it stays. */
LTE_INLINE void lte_tree_give_llr(const lte_detector_plan *plan, lte_real layer, lte_mask told,
                                  int bit, lte_real llr, const lte_decision *to)
{
    LTE_UNROLL_DEVICE
    for (int l = 0; l < plan->n_tx; l++) {
        lte_real *const of_layer = &to->llr[l * plan->n_bits + bit];
        *of_layer = r_sel(m_and(told, lte_tree_is_of(layer, l)), llr, *of_layer);
    }
}

#endif
