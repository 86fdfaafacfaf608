#ifndef LTE_PHY_ML_H
#define LTE_PHY_ML_H
/*
 * Exact maximum likelihood: the vector of symbols that is nearest to what is received, and max-log
 * LLRs of all bits, exact up to a clip.
 *
 *     flag = lte_ml_prepare(&plan, h, disturbance, invert, state, work);
 *     left = lte_ml_detect(&plan, state, y, &decision, work);
 *
 * With the sorted decomposition H P = Q R (phy/inversion/sorted_qr.h) and b = Q'y, all over
 * sqrt(n0), the metric of a vector is
 *
 *     d = sum_i |b_i - sum_{j > i} r_ij x_j|^2 = (|y - H x|^2 - |y - Q Q'y|^2) / n0,
 *
 * added up from the last row, b_i less r_ij x_j for j from the last on. A subtree of the labels of
 * the last row, of the one before it and so on is skipped where its metric so far is above the
 * best, or with LLRs the best and the clip. Of equal metrics the vector wins whose label is smaller
 * in the last row, then in the one before it, and so on. Lanes search in step,
 * phy/detection/ml/ml_ranks.h, or each by itself within a budget of nodes,
 * phy/detection/ml/ml_depth.h. Both find the same where that is not spent.
 *
 * Source: Agrell, Eriksson, Vardy, Zeger, Closest point search in lattices, IEEE Trans. Inf. Theory
 * 48, 2002; Studer, Boelcskei, Soft-input soft-output single tree-search sphere decoding, IEEE
 * Trans. Inf. Theory 56, 2010.
 */

#include "phy/detection/ml/ml_depth.h"
#include "phy/detection/ml/ml_ranks.h"
#include "phy/detection/ml/ml_sums.h"

enum { LTE_ML_DEMAPPER, LTE_ML_CLIP, LTE_ML_BUDGET }; /* its parameters */

/* Elements of the state: that of phy/detection/tree.h. */
#define LTE_ML_STATE(n_rx, n_tx) LTE_TREE_STATE(n_rx, n_tx)

/* Elements of the work memory: those of a walk, and of each bit the least metrics, or sums. */
#define LTE_ML_WORK(n_tx, n_bits) (LTE_TREE_REST(n_tx) + 2 * (n_tx) * (n_bits))

LTE_OUTLINE lte_mask lte_ml_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                    lte_disturbance disturbance, lte_inverse_fn *invert,
                                    lte_cplx *state, lte_cplx *work)
{
    (void)invert;
    (void)work;
    return lte_tree_prepare(plan, h, disturbance, state);
}

/* is_extreme and prepare_scaled of phy/detection/detector.h. */
LTE_INLINE lte_mask lte_ml_is_extreme(const lte_detector_plan *plan, lte_mask flag, lte_real n0,
                                      lte_cplx *state, const lte_cplx *work)
{
    (void)work;
    return lte_tree_is_extreme(plan, flag, n0, state);
}
LTE_INLINE lte_mask lte_ml_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                          const lte_cplx *h, lte_disturbance disturbance,
                                          lte_inverse_fn *invert, lte_cplx *state, lte_cplx *work)
{
    (void)invert;
    (void)work;
    return lte_tree_prepare_scaled(plan, lanes, h, disturbance, state);
}

/* Hands labels and LLRs, as far as they are asked for, to the layers that they are of. */
LTE_INLINE void lte_ml_give(const lte_detector_plan *plan, lte_mask told, const lte_ml_found *found,
                            const lte_real *llr, lte_cplx *state, const lte_decision *to)
{
    const lte_real *const layers = lte_tree_layers(plan, state);
    const lte_real clip = r_set((float)plan->detector.value[LTE_ML_CLIP]);
    lte_tree_give_nothing(plan, to);
    LTE_UNROLL_DEVICE
    for (int i = 0; i < plan->n_tx; i++) {
        const lte_mask heard = m_and(told, m_not(lte_tree_is_silent(plan, i, state)));
        lte_tree_give_label(plan, layers[i], told, found->label[i], to);
        LTE_UNROLL_DEVICE
        for (int bit = 0; to->llr && bit < plan->n_bits; bit++)
            lte_tree_give_llr(plan, layers[i], heard, bit,
                              lte_tree_clip(llr[i * plan->n_bits + bit], clip), to);
    }
}

/* Before they are cut, of all bits by rows: from the least metrics of a search, */
LTE_INLINE void lte_ml_llrs(const lte_detector_plan *plan, const lte_ml_found *found, lte_real *llr)
{
    LTE_UNROLL_DEVICE
    for (int e = 0; e < plan->n_tx * plan->n_bits; e++) /* where it is not read again */
        llr[e] = found->one[e] - found->zero[e];
}

/*
 * or exact ones; numbers [4 n_tx n_bits], LLRs are the first of them. Returns lanes of which a sum
 * is so small that its logarithm is not to be used: +-LTE_ML_NO_SUM stands for these LLRs.
 */
LTE_INLINE lte_mask lte_ml_exact_llrs(const lte_detector_plan *plan, lte_tree_walk *at,
                                      lte_real best, lte_real *numbers)
{
    const int n = plan->n_tx * plan->n_bits;
    lte_real(*const sum)[2] = (lte_real(*)[2])numbers, (*const part)[2] = &sum[n];
    lte_mask small = m_none();
    lte_ml_sums(plan, at, best, sum, part);
    for (int e = 0; e < n; e++) {
        const lte_mask none = m_or(lte_ml_is_small(sum[e][0]), lte_ml_is_small(sum[e][1]));
        const lte_real llr = lte_ml_ln(sum[e][0]) - lte_ml_ln(sum[e][1]);
        numbers[e] = r_sel(none, r_flip(r_set(LTE_ML_NO_SUM), r_bits(llr)), llr);
        small = m_or(small, none);
    }
    return small;
}

/* A search before its first step; with the least metrics of LLRs if soft. */
LTE_INLINE void lte_ml_begin(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                             bool soft, lte_cplx *work, lte_tree_walk *at, lte_ml_found *found)
{
    lte_real *const numbers = (lte_real *)&work[LTE_TREE_REST(plan->n_tx)];
    lte_tree_start(plan, state, y, work, at);
    lte_ml_find_nothing(plan, (float)plan->detector.value[LTE_ML_CLIP], soft ? numbers : NULL,
                        found);
}

/* What it has found to the layers; LLRs that it has no metrics of lie in the work memory. */
LTE_INLINE void lte_ml_end_search(const lte_detector_plan *plan, lte_cplx *state, lte_cplx *work,
                                  const lte_tree_walk *at, const lte_ml_found *found,
                                  const lte_decision *to)
{
    lte_real *const numbers = (lte_real *)&work[LTE_TREE_REST(plan->n_tx)];
    if (found->one)
        lte_ml_llrs(plan, found, numbers);
    lte_ml_give(plan, at->told, found, numbers, state, to);
}

/* Within a budget of nodes, lte_ml_detect. */
LTE_INLINE lte_mask lte_ml_detect_within(const lte_detector_plan *plan, uint32_t budget,
                                         lte_cplx *state, const lte_cplx *y,
                                         const lte_decision *decision, lte_cplx *work)
{
    lte_ml_depth s;
    lte_ml_begin(plan, state, y, decision->llr, work, &s.at, &s.found);
    const lte_mask unfinished = lte_ml_depth_all(plan, &s, budget);
    lte_ml_end_search(plan, state, work, &s.at, &s.found, decision);
    return unfinished;
}

/* The best vector, and its max-log LLRs: lte_ml_detect without a budget. */
LTE_INLINE lte_mask lte_ml_search(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                                  const lte_decision *decision, lte_cplx *work)
{
    lte_ml_ranks s;
    lte_ml_begin(plan, state, y, decision->llr, work, &s.at, &s.found);
    lte_ml_ranks_all(plan, &s);
    lte_ml_end_search(plan, state, work, &s.at, &s.found, decision);
    return m_none();
}

/*
 * The max-log LLRs of another search in the place of those that have no sum. A smaller clip than
 * LTE_ML_LEAST_LN cuts both to the same.
 */
LTE_COLD void lte_ml_replace_small(const lte_detector_plan *plan, lte_cplx *state,
                                   const lte_cplx *y, lte_cplx *work, lte_real *numbers)
{
    const int n = plan->n_tx * plan->n_bits;
    lte_ml_ranks s;
    lte_tree_start(plan, state, y, work, &s.at);
    lte_ml_find_nothing(plan, (float)plan->detector.value[LTE_ML_CLIP], numbers + 2 * n, &s.found);
    lte_ml_ranks_all(plan, &s);
    for (int e = 0; e < n; e++) {
        const lte_mask none = w_eq(r_bits(r_abs(numbers[e])), r_bits(r_set(LTE_ML_NO_SUM)));
        numbers[e] = r_sel(none, s.found.one[e] - s.found.zero[e], numbers[e]);
    }
}

/* The best vector, and exact LLRs. */
LTE_INLINE lte_mask lte_ml_search_and_sum(const lte_detector_plan *plan, lte_cplx *state,
                                          const lte_cplx *y, const lte_decision *decision,
                                          lte_cplx *work)
{
    lte_real *const numbers = (lte_real *)&work[LTE_TREE_REST(plan->n_tx)];
    lte_ml_ranks s;
    lte_ml_begin(plan, state, y, false, work, &s.at, &s.found);
    lte_ml_ranks_all(plan, &s);
    const lte_mask small = lte_ml_exact_llrs(plan, &s.at, s.found.best, numbers);
    if ((float)plan->detector.value[LTE_ML_CLIP] > LTE_ML_LEAST_LN && m_any(small))
        lte_ml_replace_small(plan, state, y, work, numbers);
    lte_ml_end_search(plan, state, work, &s.at, &s.found, decision);
    return m_none();
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_ml_detect(const lte_detector_plan *plan, lte_cplx *state,
                                   const lte_cplx *y, const lte_decision *decision, lte_cplx *work)
{
    const uint32_t budget = (uint32_t)plan->detector.value[LTE_ML_BUDGET];
    if (budget > 0)
        return lte_ml_detect_within(plan, budget, state, y, decision, work);
    if (decision->llr && plan->demapper == LTE_DEMAPPER_exact)
        return lte_ml_search_and_sum(plan, state, y, decision, work);
    return lte_ml_search(plan, state, y, decision, work);
}

#endif
