#ifndef LTE_PHY_KBEST_H
#define LTE_PHY_KBEST_H
/*
 * K-best: a search through the tree of symbol vectors, layer after layer from the strongest on,
 * that keeps the k best of each level. Where k is the number of all vectors of all layers but one,
 * or more, what it decides is the maximum-likelihood decision.
 *
 *     flag = lte_kbest_prepare(&plan, h, disturbance, invert, state, work);
 *     left = lte_kbest_detect(&plan, state, y, &decision, work);
 *
 * With the sorted decomposition H P = Q R (phy/inversion/sorted_qr.h) and b = Q'y, all over
 * sqrt(n0), the metric of a vector is
 *
 *     d = sum_i |b_i - sum_{j >= i} r_ij x_j|^2 = (|y - H x|^2 - |y - Q Q'y|^2) / n0,
 *
 * added up from the last row. How the best children of a level are found, and which of equal ones
 * is better: phy/detection/kbest_rows.h. LLRs are max-log over the k vectors that are left, and at
 * most `clip` either way, which also stands for a bit that is the same in all of them.
 *
 * A clip that is not given follows from the matrix. Within a metric of D around what is received
 * lie about (pi D / d^2)^n / (n! prod_i r_ii^2) of the vectors of n layers, where d is the distance
 * of neighbouring symbols. The list has k, and says nothing of vectors beyond its D; the clip grows
 * with the root of D / n:
 *
 *     clip = 2 d sqrt((k n! prod_i r_ii^2)^(1/n) / n), at most 16,
 *
 * and 16 where the list has all vectors. (d r_ii)^2 counts as 1/64 where it is less, so that of
 * layers that depend on each other the LLRs of others stay; silent layers do not count. It was
 * compared with each clip from 1 to 16 (tests/bench/results/kbest_clips.txt). At low SNR the LLRs
 * of MMSE say more than these with any clip.
 *
 * Source: Guo, Nilsson, Algorithm and implementation of the K-best sphere decoding for MIMO
 * detection, IEEE J. Sel. Areas Commun. 24, 2006.
 */

#include "phy/detection/kbest_rows.h"

enum { LTE_KBEST_K, LTE_KBEST_CLIP }; /* its parameters; clip 0: by the rule */

/* Whether its clip is not given, and it gives LLRs. */
LTE_INLINE bool lte_kbest_rules(const lte_detector_plan *plan)
{
    return plan->llrs && !(plan->detector.value[LTE_KBEST_CLIP] > 0.0);
}

/* Where the state has that clip: behind the layers, which take half of their elements. */
LTE_INLINE lte_real *lte_kbest_clip(const lte_detector_plan *plan, lte_cplx *state)
{
    return &lte_tree_layers(plan, state)[plan->n_tx];
}

/* The most that it is, and the bounds of (d r_ii)^2; far above the upper one it is the most. */
#define LTE_KBEST_MOST_CLIP 16.0f
#define LTE_KBEST_LEAST_POWER 0x1p-6f
#define LTE_KBEST_MOST_POWER 0x1p40f

/* The clip that follows from R. */
LTE_INLINE lte_real lte_kbest_rule(const lte_detector_plan *plan, lte_cplx *state)
{
    const lte_cplx *const r = lte_tree_r(plan, state);
    const float d = 2.0f * lte_qam_unit(plan->n_bits);
    const int k = (int)plan->detector.value[LTE_KBEST_K];
    lte_real n = r_set(0.0f), sum = lte_ln(r_set((float)k)); /* ln(k n! prod_i (d r_ii)^2) */
    int fits = 0; /* bits of which a list of k has all vectors */
    while (2 << fits <= k)
        fits++;
    LTE_UNROLL_DEVICE
    for (int i = 0; i < plan->n_tx; i++) {
        const lte_mask silent = lte_tree_is_silent(plan, i, state);
        const lte_real step = r[i * plan->n_tx + i].re * r_set(d);
        const lte_real power = r_min(step * step, r_set(LTE_KBEST_MOST_POWER));
        const lte_real least = r_set(LTE_KBEST_LEAST_POWER), next = n + r_set(1.0f);
        const lte_real more = lte_ln(r_sel(r_lt(power, least), least, power) * next);
        n = r_sel(silent, n, next);
        sum = r_sel(silent, sum, sum + more);
    }
    const lte_mask all =
        r_lt(n * r_set((float)plan->n_bits), r_set((float)fits + 0.5f)); /* or no layer */
    const lte_real layers = r_sel(r_lt(n, r_set(1.0f)), r_set(1.0f), n);
    const float most = LTE_KBEST_MOST_CLIP;
    const lte_real square = sum / layers - lte_ln(layers * r_set(most * most / 4.0f));
    const lte_real rule = r_set(most) * lte_exp(r_min(r_set(0.5f) * square, r_set(0.0f)));
    return r_sel(all, r_set(most), rule);
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_kbest_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                       lte_disturbance disturbance, lte_inverse_fn *invert,
                                       lte_cplx *state, lte_cplx *work)
{
    (void)invert;
    (void)work;
    const lte_mask flag = lte_tree_prepare(plan, h, disturbance, state);
    if (lte_kbest_rules(plan))
        *lte_kbest_clip(plan, state) = lte_kbest_rule(plan, state);
    return flag;
}

/* is_extreme and prepare_scaled of phy/detection/detector.h. */
LTE_INLINE lte_mask lte_kbest_is_extreme(const lte_detector_plan *plan, lte_mask flag, lte_real n0,
                                         lte_cplx *state, const lte_cplx *work)
{
    (void)work;
    return lte_tree_is_extreme(plan, flag, n0, state);
}
LTE_INLINE lte_mask lte_kbest_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                             const lte_cplx *h, lte_disturbance disturbance,
                                             lte_inverse_fn *invert, lte_cplx *state,
                                             lte_cplx *work)
{
    (void)invert;
    (void)work;
    const lte_mask flag = lte_tree_prepare_scaled(plan, lanes, h, disturbance, state);
    if (lte_kbest_rules(plan))
        *lte_kbest_clip(plan, state) = lte_kbest_rule(plan, state);
    return flag;
}

/*
 * The LLRs of row i, within `most` either way: of each bit the least metric where it is 1 minus the
 * least where it is 0. llr [n_bits].
 */
LTE_INLINE void lte_kbest_llrs(const lte_detector_plan *plan, int i, lte_real most,
                               const lte_kbest_list *list, lte_real *llr)
{
    const lte_real none = r_set(LTE_KBEST_NONE);
    lte_real zero[LTE_MAX_BITS], one[LTE_MAX_BITS];
    LTE_UNROLL_DEVICE
    for (int bit = 0; bit < plan->n_bits; bit++)
        zero[bit] = one[bit] = none;
    LTE_UNROLL_DEVICE
    for (int c = list->kept - 1; c >= 0; c--) { /* the last is the least */
        const lte_word label = lte_kbest_label(plan, i, c, list);
        const lte_real metric = r_from_bits(lte_kbest_get(list->lookup->metric, c));
        const lte_mask there = r_lt(metric, none);
        LTE_UNROLL_DEVICE
        for (int bit = 0; bit < plan->n_bits; bit++) {
            const lte_mask is = w_eq(label & w_set(1u << bit), w_set(0));
            one[bit] = r_sel(m_and(there, m_not(is)), metric, one[bit]);
            zero[bit] = r_sel(m_and(there, is), metric, zero[bit]);
        }
    }
    LTE_UNROLL_DEVICE
    for (int bit = 0; bit < plan->n_bits; bit++)
        llr[bit] = lte_tree_clip(one[bit] - zero[bit], most);
}

/* Hands the label and the LLRs of row i of R to the layer that it is of; told: there is a state. */
LTE_INLINE void lte_kbest_give(const lte_detector_plan *plan, int i, lte_mask told, lte_cplx *state,
                               const lte_kbest_list *list, const lte_decision *to)
{
    const lte_real layer = lte_tree_layers(plan, state)[i];
    const lte_mask heard = m_and(told, m_not(lte_tree_is_silent(plan, i, state)));
    lte_real llr[LTE_MAX_BITS];
    lte_tree_give_label(plan, layer, told, lte_kbest_label(plan, i, 0, list), to);
    if (!to->llr)
        return;
    const lte_real most = lte_kbest_rules(plan)
                              ? *lte_kbest_clip(plan, state)
                              : r_set((float)plan->detector.value[LTE_KBEST_CLIP]);
    lte_kbest_llrs(plan, i, most, list, llr);
    LTE_UNROLL_DEVICE
    for (int bit = 0; bit < plan->n_bits; bit++)
        lte_tree_give_llr(plan, layer, heard, bit, llr[bit], to);
}

/* Row i: the list becomes that of its vectors. */
LTE_INLINE void lte_kbest_step(const lte_detector_plan *plan, int i, lte_cplx *state,
                               const lte_cplx *y, bool alone, lte_kbest_list *list)
{
    const lte_cplx *const r = &lte_tree_r(plan, state)[i * plan->n_tx];
    const lte_kbest_row row = {plan, i, r_neg(r[i].re), lte_tree_inverse(r[i].re)};
    lte_kbest_level(&row, r, lte_tree_received(plan, i, state, y), alone, list);
}

/* The search; list: of one vector, with memory for k. */
LTE_INLINE void lte_kbest_search(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                                 const lte_decision *decision, lte_kbest_list *list)
{
    const int n_tx = plan->n_tx, n_words = LTE_KBEST_WORDS(n_tx, plan->n_bits);
    lte_kbest_set(list->lookup->metric, 0, w_set(0));
    LTE_UNROLL_DEVICE
    for (int w = 0; w < n_words * list->k; w++)
        lte_kbest_set(list->lookup->word, w, w_set(0));
    LTE_UNROLL_DEVICE
    for (int i = n_tx - 1; i > 0; i--)
        lte_kbest_step(plan, i, state, y, false, list);
    lte_kbest_step(plan, 0, state, y, !decision->llr, list);
    lte_tree_give_nothing(plan, decision);
    const lte_real best = r_from_bits(lte_kbest_get(list->lookup->metric, 0));
    const lte_mask told =
        m_and(lte_tree_has_layers(plan, state), r_lt(best, r_set(LTE_KBEST_NONE)));
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++)
        lte_kbest_give(plan, i, told, state, list, decision);
}

enum { LTE_KBEST_USUAL = 16 }; /* its k, known to compilers */

/* Whether lte_kbest_detect_usual takes a detector: of the usual k and vectors of one word. */
LTE_INLINE bool lte_kbest_is_usual(lte_detector detector, int n_tx, int n_bits)
{
    return detector.value[LTE_KBEST_K] == LTE_KBEST_USUAL && LTE_KBEST_WORDS(n_tx, n_bits) == 1;
}

/* As lte_kbest_detect, of such ones; work: what is looked up. */
LTE_INLINE lte_mask lte_kbest_detect_usual(const lte_detector_plan *plan, lte_cplx *state,
                                           const lte_cplx *y, const lte_decision *decision,
                                           lte_cplx *work)
{
    lte_word metric[LTE_KBEST_USUAL], child[LTE_KBEST_USUAL], word[LTE_KBEST_USUAL];
    lte_kbest_lookup lookup = lte_kbest_lookup_at(LTE_KBEST_USUAL, 1, (lte_word *)work);
    lte_kbest_list list = {&lookup, metric, child, word, LTE_KBEST_USUAL, 1};
    lte_kbest_search(plan, state, y, decision, &list);
    return m_none();
}

/* That of a modulation that compilers know, too. */
#define LTE_KBEST_OF_BITS(bits)                                                                    \
    LTE_OUTLINE void lte_kbest_detect_##bits(const lte_detector_plan *plan, lte_cplx *state,       \
                                             const lte_cplx *y, const lte_decision *decision)      \
    {                                                                                              \
        lte_cplx work[(LTE_KBEST_LOOKUPS(LTE_KBEST_USUAL, 1) + 1) / 2];                            \
        lte_detector_plan known = *plan;                                                           \
        known.n_bits = bits;                                                                       \
        (void)lte_kbest_detect_usual(&known, state, y, decision, work);                            \
    }
LTE_KBEST_OF_BITS(2)
LTE_KBEST_OF_BITS(4)
LTE_KBEST_OF_BITS(6)
LTE_KBEST_OF_BITS(8)
#undef LTE_KBEST_OF_BITS

/* Of any. */
LTE_INLINE void lte_kbest_detect_any(const lte_detector_plan *plan, lte_cplx *state,
                                     const lte_cplx *y, const lte_decision *decision,
                                     lte_cplx *work)
{
    const int k = (int)plan->detector.value[LTE_KBEST_K];
    const int n_words = LTE_KBEST_WORDS(plan->n_tx, plan->n_bits);
    lte_word *const memory = (lte_word *)work, *const next = memory + LTE_KBEST_LOOKUPS(k, n_words);
    lte_kbest_lookup lookup = lte_kbest_lookup_at(k, n_words, memory);
    lte_kbest_list list = {&lookup, next, next + k, next + 2 * k, k, 1};
    lte_kbest_search(plan, state, y, decision, &list);
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_kbest_detect(const lte_detector_plan *plan, lte_cplx *state,
                                      const lte_cplx *y, const lte_decision *decision,
                                      lte_cplx *work)
{
    const bool is_usual = lte_kbest_is_usual(plan->detector, plan->n_tx, plan->n_bits);
    const int known = is_usual ? plan->n_bits : 0;
    if (known == 2)
        lte_kbest_detect_2(plan, state, y, decision);
    else if (known == 4)
        lte_kbest_detect_4(plan, state, y, decision);
    else if (known == 6)
        lte_kbest_detect_6(plan, state, y, decision);
    else if (known == 8)
        lte_kbest_detect_8(plan, state, y, decision);
    else
        lte_kbest_detect_any(plan, state, y, decision, work);
    return m_none();
}

#endif
