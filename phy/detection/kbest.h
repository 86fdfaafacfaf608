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
 * added up from the last row. LLRs are max-log over the k vectors that are left, and at most `clip`
 * either way, which also stands for a bit that is the same in all of them.
 *
 * Source: Guo, Nilsson, Algorithm and implementation of the K-best sphere decoding for MIMO
 * detection, IEEE J. Sel. Areas Commun. 24, 2006.
 */

#include "phy/detection/detector.h"
#include "phy/inversion/sorted_qr.h"

enum { LTE_KBEST_K, LTE_KBEST_CLIP }; /* its parameters */

/* Elements of the state: Q' [n_rx][n_tx] and R [n_tx][n_tx] over sqrt(n0), the layers [n_tx]. */
#define LTE_KBEST_STATE(n_rx, n_tx) ((n_rx) * (n_tx) + (n_tx) * (n_tx) + (n_tx))

/* And of the work memory: two lists of k. */
#define LTE_KBEST_WORK(k) (4 * (k))

/* A metric that nothing has that is kept. */
#define LTE_KBEST_NONE 3e38f

/* Vectors of labels with their metrics, ascending: 8 bits a layer, of the last row's lowest. */
typedef struct {
    lte_real *metric;     /* [k] */
    lte_word *low, *high; /* [k] of four layers each */
} lte_kbest_list;

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_kbest_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                       lte_disturbance disturbance, lte_inverse_fn *invert,
                                       lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx, n_h = n_rx * n_tx, n_r = n_tx * n_tx;
    const lte_real scale = r_set(1.0f) / r_sqrt(disturbance.n0);
    lte_real layer[LTE_MAX_ORDER];
    (void)invert;
    (void)work;
    for (int e = 0; e < n_h; e++)
        state[e] = h[e];
    const lte_mask flag =
        lte_sorted_qr(n_rx, n_tx, LTE_QR_WEAKEST_FIRST, state, &state[n_h], layer);
    for (int e = 0; e < n_h + n_r; e++)
        state[e] = c_sel(flag, c_zero(), c_scale(state[e], scale));
    for (int k = 0; k < n_tx; k++) {
        state[n_h + n_r + k].re = r_sel(flag, r_set((float)k), layer[k]);
        state[n_h + n_r + k].im = r_set(0.0f);
    }
    return flag;
}

/* Puts a vector into a list where it is better than one that is there; of equal ones behind. */
LTE_INLINE void lte_kbest_insert(int k, const lte_kbest_list *to, lte_real metric, lte_word low,
                                 lte_word high)
{
    if (!m_any(r_lt(metric, to->metric[k - 1])))
        return;
    for (int i = 0; i < k; i++) {
        const lte_mask better = r_lt(metric, to->metric[i]);
        const lte_real worse = r_sel(better, to->metric[i], metric);
        const lte_word low_out = w_sel(better, to->low[i], low);
        const lte_word high_out = w_sel(better, to->high[i], high);
        to->metric[i] = r_sel(better, metric, to->metric[i]);
        to->low[i] = w_sel(better, low, to->low[i]);
        to->high[i] = w_sel(better, high, to->high[i]);
        metric = worse;
        low = low_out;
        high = high_out;
    }
}

/* The label of row i of R in a vector. */
LTE_INLINE lte_word lte_kbest_label(int n_bits, int i, lte_word low, lte_word high)
{
    return ((i < 4 ? low : high) >> (8 * (i % 4))) & w_set((1u << n_bits) - 1);
}

/* The children of one vector, whose rows from i + 1 on are decided, into the list of the next. */
LTE_INLINE void lte_kbest_expand(const lte_detector_plan *plan, int i, const lte_cplx *row,
                                 lte_cplx b, lte_real metric, lte_word low, lte_word high,
                                 const lte_kbest_list *to)
{
    const int n_bits = plan->n_bits, shift = 8 * (i % 4);
    for (int j = i + 1; j < plan->n_tx; j++)
        b = c_nmac(b, row[j], lte_qam_map(n_bits, lte_kbest_label(n_bits, j, low, high)));
    for (uint32_t a = 0; a < 1u << n_bits; a++) {
        const lte_cplx rest = c_add_scaled(b, lte_qam_map(n_bits, w_set(a)), r_neg(row[i].re));
        const lte_word label = w_set(a << shift);
        lte_kbest_insert((int)plan->detector.value[LTE_KBEST_K], to, metric + c_abs2(rest),
                         i < 4 ? low | label : low, i < 4 ? high : high | label);
    }
}

/* The LLR of a bit of row i: the least metric where it is 1 minus the least where it is 0. */
LTE_INLINE lte_real lte_kbest_llr(int k, int i, int bit, float clip, const lte_kbest_list *list)
{
    const lte_real none = r_set(LTE_KBEST_NONE), most = r_set(clip);
    lte_real zero = none, one = none;
    for (int c = k - 1; c >= 0; c--) { /* the last is the least */
        const lte_word word = (i < 4 ? list->low[c] : list->high[c]) >> (8 * (i % 4) + bit);
        const lte_mask is_one = w_eq(word & w_set(1), w_set(1));
        const lte_mask there = r_lt(list->metric[c], none);
        one = r_sel(m_and(there, is_one), list->metric[c], one);
        zero = r_sel(m_and(there, m_not(is_one)), list->metric[c], zero);
    }
    const lte_real gap = one - zero;
    return r_sel(r_lt(most, gap), most, r_sel(r_lt(gap, r_neg(most)), r_neg(most), gap));
}

/* Whether a row of R is of layer l. */
LTE_INLINE lte_mask lte_kbest_is_of(lte_cplx layer, int l)
{
    return w_eq(r_bits(layer.re), r_bits(r_set((float)l)));
}

/* Hands the labels and LLRs of row i of R to the layer that it is of. */
LTE_INLINE void lte_kbest_give(const lte_detector_plan *plan, int i, const lte_cplx *state,
                               const lte_kbest_list *list, const lte_decision *to)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx, n_bits = plan->n_bits;
    const int k = (int)plan->detector.value[LTE_KBEST_K];
    const float clip = (float)plan->detector.value[LTE_KBEST_CLIP];
    const lte_cplx *const r = &state[n_rx * n_tx], *const layer = &r[n_tx * n_tx];
    const lte_mask told =
        m_and(r_lt(r_set(0.0f), r[i * n_tx + i].re), r_lt(list->metric[0], r_set(LTE_KBEST_NONE)));
    const lte_word label = w_sel(told, lte_kbest_label(n_bits, i, list->low[0], list->high[0]),
                                 lte_qam_slice(n_bits, c_zero()));
    for (int l = 0; to->label && l < n_tx; l++)
        to->label[l] = w_sel(lte_kbest_is_of(layer[i], l), label, to->label[l]);
    for (int bit = 0; to->llr && bit < n_bits; bit++) {
        const lte_real llr = r_sel(told, lte_kbest_llr(k, i, bit, clip, list), r_set(0.0f));
        for (int l = 0; l < n_tx; l++) {
            lte_real *const of_layer = &to->llr[l * n_bits + bit];
            *of_layer = r_sel(lte_kbest_is_of(layer[i], l), llr, *of_layer);
        }
    }
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_kbest_detect(const lte_detector_plan *plan, lte_cplx *state,
                                      const lte_cplx *y, const lte_decision *decision,
                                      lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx, k = (int)plan->detector.value[LTE_KBEST_K];
    const lte_cplx *const r = &state[n_rx * n_tx];
    lte_kbest_list list[2];
    for (int i = 0; i < 2; i++) {
        list[i].metric = (lte_real *)&work[2 * i * k];
        list[i].low = (lte_word *)(list[i].metric + k);
        list[i].high = list[i].low + k;
    }
    for (int l = 0; decision->label && l < n_tx; l++)
        decision->label[l] = w_set(0);
    for (int e = 0; decision->llr && e < n_tx * plan->n_bits; e++)
        decision->llr[e] = r_set(0.0f);
    list[0].metric[0] = r_set(0.0f);
    list[0].low[0] = list[0].high[0] = w_set(0);
    for (int i = n_tx - 1, n = 1, from = 0; i >= 0; i--, n = k, from = !from) {
        const lte_kbest_list *const to = &list[!from];
        lte_cplx b = c_zero();
        for (int e = 0; e < n_rx; e++)
            b = c_cmac(b, state[e * n_tx + i], y[e]);
        for (int c = 0; c < k; c++) {
            to->metric[c] = r_set(LTE_KBEST_NONE);
            to->low[c] = to->high[c] = w_set(0);
        }
        for (int c = 0; c < n && m_any(r_lt(list[from].metric[c], r_set(LTE_KBEST_NONE))); c++)
            lte_kbest_expand(plan, i, &r[i * n_tx], b, list[from].metric[c], list[from].low[c],
                             list[from].high[c], to);
    }
    for (int i = 0; i < n_tx; i++)
        lte_kbest_give(plan, i, state, &list[n_tx % 2], decision);
    return m_none();
}

#endif
