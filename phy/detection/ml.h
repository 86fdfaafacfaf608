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
 * added up from the last row, b_i less r_ij x_j for j from the last on. The tree of the labels of
 * the last row, of the one before it and so on is walked by rising labels, the same way in all
 * lanes; the point of row 0 is the nearest one, for which the slicer of phy/detection/qam.h stands.
 * A subtree that no lane needs is skipped: its metric so far is above the best, or with LLRs the
 * best and the clip. Of equal metrics the vector wins whose label is smaller in the last row, then
 * in the one before it, and so on. The first best one is that of successive decisions.
 *
 * Source: Agrell, Eriksson, Vardy, Zeger, Closest point search in lattices, IEEE Trans. Inf. Theory
 * 48, 2002; Studer, Boelcskei, Soft-input soft-output single tree-search sphere decoding, IEEE
 * Trans. Inf. Theory 56, 2010.
 */

#include "phy/detection/tree_walk.h"

enum { LTE_ML_DEMAPPER, LTE_ML_CLIP }; /* its parameters */

enum { LTE_ML_MOST_TX = LTE_MAX_ORDER };

/* A metric that no vector has. */
#define LTE_ML_NONE 3e38f

/* Elements of the state: that of phy/detection/tree.h. */
#define LTE_ML_STATE(n_rx, n_tx) LTE_TREE_STATE(n_rx, n_tx)

/* Elements of the work memory: those of a walk, and of each bit the least metrics, or sums. */
#define LTE_ML_WORK(n_tx, n_bits) (LTE_TREE_REST(n_tx) + 2 * (n_tx) * (n_bits))

/* Bits of all layers but one at most: a search may have to go all ways where noise is strong. */
enum { LTE_ML_WAY_BITS = 20 };

/* Bits of a vector, of all layers, with which exact LLRs are made; terms of a partial sum. */
enum { LTE_ML_EXACT_BITS = 16, LTE_ML_TERMS = 256 };

LTE_OUTLINE lte_mask lte_ml_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                    lte_disturbance disturbance, lte_inverse_fn *invert,
                                    lte_cplx *state, lte_cplx *work)
{
    (void)invert;
    (void)work;
    return lte_tree_prepare(plan, h, disturbance, state);
}

/* A search: where it is, which way is the same in all lanes, and what lanes have found. */
typedef struct {
    lte_tree_walk at;
    lte_real best, clip;            /* clip: 0 without LLRs */
    lte_word label[LTE_ML_MOST_TX]; /* of the best vector, by rows */
    lte_real *zero, *one;           /* [n_tx][n_bits], of max-log LLRs: least metrics; or NULL */
    lte_real *llr;                  /* [n_tx][n_bits], before they are cut */
    uint32_t path[LTE_ML_MOST_TX];  /* labels of the way, of rows from 1 on */
} lte_ml_search;

/* The first vector: each row's nearest symbol after those below are taken off. */
LTE_INLINE void lte_ml_begin(lte_ml_search *s)
{
    s->best = r_set(0.0f);
    for (int i = s->at.n_tx - 1; i >= 0; i--) {
        const lte_cplx rest = lte_tree_left(&s->at, i);
        s->label[i] = lte_tree_slice(&s->at, i, rest);
        const lte_cplx x = lte_qam_map(s->at.n_bits, s->label[i]);
        s->best = s->best + lte_tree_step(&s->at, i, rest, x);
        if (i > 0)
            lte_tree_take_off(&s->at, i, x);
    }
}

/* a < b of labels. */
LTE_INLINE lte_mask lte_ml_less(lte_word a, lte_word b)
{
    return w_eq((a - b) >> 31, w_set(1));
}

/* Whether the way with `last` in row 0 comes before the best vector. */
LTE_INLINE lte_mask lte_ml_is_before(const lte_ml_search *s, lte_word last)
{
    lte_mask before = m_none(), alike = m_not(m_none());
    for (int i = s->at.n_tx - 1; i >= 0; i--) {
        const lte_word here = i > 0 ? w_set(s->path[i]) : last;
        const lte_mask less = lte_ml_less(here, s->label[i]);
        before = m_or(before, m_and(alike, less));
        alike = m_and(alike, w_eq(here, s->label[i]));
    }
    return before;
}

/* least <- the smaller one */
LTE_INLINE void lte_ml_lower(lte_real *least, lte_real metric)
{
    *least = r_sel(r_lt(metric, *least), metric, *least);
}

/*
 * The least metrics of the bits of row 0 out of all levels of one dimension of it, the other one
 * being x's: none is below that of x, the nearest point.
 */
LTE_INLINE void lte_ml_count_last(lte_ml_search *s, int first, lte_cplx rest, lte_cplx x,
                                  lte_real metric)
{
    const int half = s->at.n_bits / 2;
    for (uint32_t l = 0; l < 1u << half; l++) {
        uint32_t label = 0; /* bit i of l is bit 2 i of the label */
        for (int i = 0; i < half; i++)
            label |= (l >> i & 1) << 2 * i;
        const lte_real level = lte_qam_level(s->at.n_bits, 0, w_set(label));
        lte_cplx other = {level, x.im};
        if (first) {
            other.re = x.re;
            other.im = level;
        }
        const lte_real d = s->at.above[1] + lte_tree_step(&s->at, 0, rest, other);
        const lte_real more = r_sel(r_lt(d, metric), metric, d);
        for (int i = 0; i < half; i++)
            lte_ml_lower(&(l >> i & 1 ? s->one : s->zero)[2 * i + first], more);
    }
}

/* A way down to row 0. */
LTE_INLINE void lte_ml_end(lte_ml_search *s)
{
    const lte_cplx rest = lte_tree_left(&s->at, 0);
    const lte_word last = lte_tree_slice(&s->at, 0, rest);
    const lte_cplx x = lte_qam_map(s->at.n_bits, last);
    const lte_real metric = s->at.above[1] + lte_tree_step(&s->at, 0, rest, x);
    const lte_mask above = r_lt(s->best, metric), below = r_lt(metric, s->best);
    const lte_mask better =
        m_any(m_not(m_or(above, below)))
            ? m_or(below, m_and(m_not(m_or(above, below)), lte_ml_is_before(s, last)))
            : below;
    if (m_any(better)) {
        s->best = r_sel(better, metric, s->best);
        for (int i = 1; i < s->at.n_tx; i++)
            s->label[i] = w_sel(better, w_set(s->path[i]), s->label[i]);
        s->label[0] = w_sel(better, last, s->label[0]);
    }
    if (!s->zero)
        return;
    for (int i = 1; i < s->at.n_tx; i++) {
        for (int bit = 0; bit < s->at.n_bits; bit++) {
            lte_real *const of = s->path[i] >> bit & 1 ? s->one : s->zero;
            lte_ml_lower(&of[i * s->at.n_bits + bit], metric);
        }
    }
    lte_ml_count_last(s, 0, rest, x, metric);
    lte_ml_count_last(s, 1, rest, x, metric);
}

/* Whether lanes may find something below a metric: the best vector, or what an LLR is made of. */
LTE_INLINE lte_mask lte_ml_needs(const lte_ml_search *s, lte_real metric)
{
    return m_or(r_lt(metric - s->best, s->clip), m_not(r_lt(s->best, metric)));
}

/* Walks the tree. */
LTE_INLINE void lte_ml_walk(lte_ml_search *s)
{
    const uint32_t n_labels = 1u << s->at.n_bits;
    int i = s->at.n_tx - 1;
    if (i == 0) {
        lte_ml_end(s);
        return;
    }
    s->path[i] = 0;
    while (i < s->at.n_tx) {
        if (s->path[i] == n_labels) {
            if (++i < s->at.n_tx)
                s->path[i]++;
            continue;
        }
        const lte_cplx x = lte_qam_map(s->at.n_bits, w_set(s->path[i]));
        const lte_real metric =
            s->at.above[i + 1] + lte_tree_step(&s->at, i, lte_tree_left(&s->at, i), x);
        if (!m_any(m_and(s->at.told, lte_ml_needs(s, metric)))) {
            s->path[i]++;
            continue;
        }
        s->at.above[i] = metric;
        lte_tree_take_off(&s->at, i, x);
        if (i == 1) {
            lte_ml_end(s);
            s->path[1]++;
        } else {
            s->path[--i] = 0;
        }
    }
}

/*
 * exp(best - d) of the vectors of a way, added to sums of the bits of row 0, sum[bit][b]; returns
 * that of all of them.
 */
LTE_INLINE lte_real lte_ml_sum_last(const lte_ml_search *s, lte_real (*sum)[2])
{
    lte_real all = r_set(0.0f);
    for (uint32_t a = 0; a < 1u << s->at.n_bits; a++) {
        const lte_cplx x = lte_qam_map(s->at.n_bits, w_set(a));
        const lte_real d = s->at.above[1] + lte_tree_step(&s->at, 0, lte_tree_left(&s->at, 0), x);
        const lte_real term = lte_exp(s->best - d);
        all = all + term;
        for (int bit = 0; bit < s->at.n_bits; bit++)
            sum[bit][a >> bit & 1] = sum[bit][a >> bit & 1] + term;
    }
    return all;
}

/*
 * Sums over all vectors: sum[row][bit][b] of exp(best - d) where a bit is b, in the order of the
 * walk, by partial sums of LTE_ML_TERMS; of rows from 1 on a term is the sum over row 0.
 */
LTE_INLINE void lte_ml_sums(lte_ml_search *s, lte_real (*sum)[2], lte_real (*part)[2])
{
    const int n_sums = s->at.n_tx * s->at.n_bits, free_bits = (s->at.n_tx - 1) * s->at.n_bits;
    const uint32_t n_labels = 1u << s->at.n_bits, n_ways = 1u << free_bits;
    const uint32_t together = n_labels < LTE_ML_TERMS ? LTE_ML_TERMS / n_labels : 1;
    for (int e = 0; e < n_sums; e++)
        sum[e][0] = sum[e][1] = part[e][0] = part[e][1] = r_set(0.0f);
    for (uint32_t way = 0; way < n_ways; way++) {
        for (int i = s->at.n_tx - 1; i > 0; i--) { /* the last row leads */
            s->path[i] = way >> (i - 1) * s->at.n_bits & (n_labels - 1);
            const lte_cplx x = lte_qam_map(s->at.n_bits, w_set(s->path[i]));
            s->at.above[i] =
                s->at.above[i + 1] + lte_tree_step(&s->at, i, lte_tree_left(&s->at, i), x);
            lte_tree_take_off(&s->at, i, x);
        }
        const lte_real all = lte_ml_sum_last(s, part);
        for (int i = 1; i < s->at.n_tx; i++) {
            for (int bit = 0; bit < s->at.n_bits; bit++) {
                lte_real *const of = &part[i * s->at.n_bits + bit][s->path[i] >> bit & 1];
                *of = *of + all;
            }
        }
        if ((way + 1) % together && way + 1 < n_ways)
            continue;
        for (int e = 0; e < n_sums; e++) {
            for (int b = 0; b < 2; b++) {
                sum[e][b] = sum[e][b] + part[e][b];
                part[e][b] = r_set(0.0f);
            }
        }
    }
}

/* ln of a sum; of none a number below all clips. */
LTE_INLINE lte_real lte_ml_ln(lte_real sum)
{
    return r_sel(r_lt(r_set(0x1p-126f), sum), lte_ln(sum), r_set(-1e3f));
}

/* Hands labels and LLRs of row i to the layer that it is of. */
LTE_INLINE void lte_ml_give(const lte_detector_plan *plan, const lte_ml_search *s, int i,
                            lte_real layer, const lte_decision *to)
{
    lte_tree_give_label(plan, layer, s->at.told, s->label[i], to);
    for (int bit = 0; to->llr && bit < s->at.n_bits; bit++) {
        const lte_real llr = lte_tree_clip(s->llr[i * s->at.n_bits + bit], s->clip);
        lte_tree_give_llr(plan, layer, s->at.told, bit, llr, to);
    }
}

/* LLRs of all rows. */
LTE_INLINE void lte_ml_llrs(lte_ml_search *s, bool exact, lte_real *numbers)
{
    const int n = s->at.n_tx * s->at.n_bits;
    lte_real(*const sum)[2] = (lte_real(*)[2])numbers, (*const part)[2] = &sum[n];
    if (exact)
        lte_ml_sums(s, sum, part);
    for (int e = 0; e < n; e++) /* where they are not read again */
        s->llr[e] = exact ? lte_ml_ln(sum[e][0]) - lte_ml_ln(sum[e][1]) : s->one[e] - s->zero[e];
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_ml_detect(const lte_detector_plan *plan, lte_cplx *state,
                                   const lte_cplx *y, const lte_decision *decision, lte_cplx *work)
{
    const int n_tx = plan->n_tx, n_llrs = n_tx * plan->n_bits;
    const bool exact = decision->llr && plan->demapper == LTE_DEMAPPER_exact;
    const bool searched = decision->llr && !exact;
    lte_real *const numbers = (lte_real *)&work[LTE_TREE_REST(n_tx)]; /* [4 n_llrs] */
    lte_ml_search s;
    lte_tree_start(plan, state, y, work, &s.at);
    s.clip = r_set(searched ? (float)plan->detector.value[LTE_ML_CLIP] : 0.0f);
    s.zero = searched ? numbers : NULL;
    s.one = searched ? numbers + n_llrs : NULL;
    s.llr = numbers;
    for (int e = 0; searched && e < 2 * n_llrs; e++)
        numbers[e] = r_set(LTE_ML_NONE);
    lte_ml_begin(&s);
    lte_ml_walk(&s);
    if (decision->llr)
        lte_ml_llrs(&s, exact, numbers);
    s.clip = r_set((float)plan->detector.value[LTE_ML_CLIP]);
    lte_tree_give_nothing(plan, decision);
    for (int i = 0; i < n_tx; i++)
        lte_ml_give(plan, &s, i, lte_tree_layers(plan, state)[i], decision);
    return m_none();
}

#endif
