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
 */

#include "phy/detection/detector.h"
#include "phy/inversion/sorted_qr.h"

/* Elements of the state: Q' [n_rx][n_tx] and R [n_tx][n_tx] over sqrt(n0), the layers [n_tx]. */
#define LTE_TREE_STATE(n_rx, n_tx) ((n_rx) * (n_tx) + (n_tx) * (n_tx) + (n_tx))

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
    const lte_mask flag = lte_sorted_qr(n_rx, n_tx, LTE_QR_WEAKEST_FIRST, state,
                                        lte_tree_r(plan, state), lte_tree_layers(plan, state));
    lte_tree_scale(plan, flag, disturbance, state);
    return flag;
}

/* b_i = (Q'y)_i. */
LTE_INLINE lte_cplx lte_tree_received(const lte_detector_plan *plan, int i, const lte_cplx *q,
                                      const lte_cplx *y)
{
    lte_cplx b = c_zero();
    LTE_UNROLL_DEVICE
    for (int e = 0; e < plan->n_rx; e++)
        b = c_cmac(b, q[e * plan->n_tx + i], y[e]);
    return b;
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
