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
 * in the last row, then in the one before it, and so on. Each lane goes a way of its own,
 * phy/detection/ml/ml_depth.h, or, where LLRs need most of few vectors, all lanes the same,
 * phy/detection/ml/ml_walk.h. Both find the same.
 *
 * Source: Agrell, Eriksson, Vardy, Zeger, Closest point search in lattices, IEEE Trans. Inf. Theory
 * 48, 2002; Studer, Boelcskei, Soft-input soft-output single tree-search sphere decoding, IEEE
 * Trans. Inf. Theory 56, 2010.
 */

#include "phy/detection/ml/ml_depth.h"
#include "phy/detection/ml/ml_sums.h"

enum { LTE_ML_DEMAPPER, LTE_ML_CLIP, LTE_ML_BUDGET }; /* its parameters */

/* Elements of the state: that of phy/detection/tree.h. */
#define LTE_ML_STATE(n_rx, n_tx) LTE_TREE_STATE(n_rx, n_tx)

/* Elements of the work memory: those of a walk, and of each bit the least metrics, or sums. */
#define LTE_ML_WORK(n_tx, n_bits) (LTE_TREE_REST(n_tx) + 2 * (n_tx) * (n_bits))

/* Bits of all layers but one up to which lanes go the same way for LLRs: then they need most. */
enum { LTE_ML_WAY_BITS = 6 };

LTE_OUTLINE lte_mask lte_ml_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                    lte_disturbance disturbance, lte_inverse_fn *invert,
                                    lte_cplx *state, lte_cplx *work)
{
    (void)invert;
    (void)work;
    return lte_tree_prepare(plan, h, disturbance, state);
}

/* The nodes that a search may enter; 0: any. */
LTE_INLINE uint32_t lte_ml_budget(const lte_detector_plan *plan)
{
    return (uint32_t)plan->detector.value[LTE_ML_BUDGET];
}

/* LLRs of all rows, before they are cut. numbers: sums, or the least metrics and then the LLRs. */
LTE_INLINE void lte_ml_llrs(lte_ml_walk *walk, bool exact, lte_real *numbers)
{
    const int n = walk->at.n_tx * walk->at.n_bits;
    lte_real(*const sum)[2] = (lte_real(*)[2])numbers, (*const part)[2] = &sum[n];
    if (exact)
        lte_ml_sums(walk, sum, part);
    for (int e = 0; e < n; e++) /* where they are not read again */
        numbers[e] =
            exact ? lte_ml_ln(sum[e][0]) - lte_ml_ln(sum[e][1]) : numbers[n + e] - numbers[e];
}

/* Hands labels and LLRs, as far as they are asked for, to the layers that they are of. */
LTE_INLINE void lte_ml_give(const lte_detector_plan *plan, lte_mask told, const lte_ml_found *found,
                            const lte_real *llr, const lte_real *layers, const lte_decision *to)
{
    const lte_real clip = r_set((float)plan->detector.value[LTE_ML_CLIP]);
    lte_tree_give_nothing(plan, to);
    for (int i = 0; i < plan->n_tx; i++) {
        lte_tree_give_label(plan, layers[i], told, found->label[i], to);
        for (int bit = 0; to->llr && bit < plan->n_bits; bit++)
            lte_tree_give_llr(plan, layers[i], told, bit,
                              lte_tree_clip(llr[i * plan->n_bits + bit], clip), to);
    }
}

/* A search of each lane for itself; arguments as lte_ml_detect. */
LTE_INLINE lte_mask lte_ml_detect_apart(const lte_detector_plan *plan, lte_cplx *state,
                                        const lte_cplx *y, const lte_decision *decision,
                                        lte_cplx *work)
{
    const int n = plan->n_tx * plan->n_bits;
    lte_real *const numbers = (lte_real *)&work[LTE_TREE_REST(plan->n_tx)];
    lte_ml_depth s;
    lte_tree_start(plan, state, y, work, &s.at);
    lte_ml_find_nothing(plan, (float)plan->detector.value[LTE_ML_CLIP],
                        decision->llr ? numbers : NULL, &s.found);
    const lte_mask unfinished = lte_ml_depth_all(&s, lte_ml_budget(plan));
    for (int e = 0; decision->llr && e < n; e++)
        numbers[e] = numbers[n + e] - numbers[e];
    lte_ml_give(plan, s.at.told, &s.found, numbers, lte_tree_layers(plan, state), decision);
    return unfinished;
}

/* A search of all lanes together. */
LTE_INLINE void lte_ml_detect_together(const lte_detector_plan *plan, lte_cplx *state,
                                       const lte_cplx *y, const lte_decision *decision,
                                       lte_cplx *work)
{
    const bool exact = decision->llr && plan->demapper == LTE_DEMAPPER_exact;
    lte_real *const numbers = (lte_real *)&work[LTE_TREE_REST(plan->n_tx)]; /* [4 n_llrs] */
    lte_ml_walk s;
    lte_tree_start(plan, state, y, work, &s.at);
    lte_ml_find_nothing(plan, (float)plan->detector.value[LTE_ML_CLIP],
                        decision->llr && !exact ? numbers : NULL, &s.found);
    lte_ml_walk_all(&s);
    if (decision->llr)
        lte_ml_llrs(&s, exact, numbers);
    lte_ml_give(plan, s.at.told, &s.found, numbers, lte_tree_layers(plan, state), decision);
}

/*
 * Whether lanes go their own ways: for labels they do, which need few of them, and never where
 * exact LLRs are asked for, which need all.
 */
LTE_INLINE bool lte_ml_goes_apart(const lte_detector_plan *plan, const lte_decision *decision)
{
    const bool exact = decision->llr && plan->demapper == LTE_DEMAPPER_exact;
    const bool few = decision->llr && plan->n_bits * (plan->n_tx - 1) <= LTE_ML_WAY_BITS;
    return !exact && (!few || lte_ml_budget(plan) > 0);
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_ml_detect(const lte_detector_plan *plan, lte_cplx *state,
                                   const lte_cplx *y, const lte_decision *decision, lte_cplx *work)
{
    if (lte_ml_goes_apart(plan, decision))
        return lte_ml_detect_apart(plan, state, y, decision, work);
    lte_ml_detect_together(plan, state, y, decision, work);
    return m_none();
}

#endif
