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
 * added up from the last row. Of equal metrics that one is better which is tried first: the nearest
 * child of each vector, then the others, by the order of phy/detection/tree_levels.h. LLRs are
 * max-log over the k vectors that are left, and at most `clip` either way, which also stands for a
 * bit that is the same in all of them.
 *
 * Source: Guo, Nilsson, Algorithm and implementation of the K-best sphere decoding for MIMO
 * detection, IEEE J. Sel. Areas Commun. 24, 2006.
 */

#include "phy/detection/tree.h"
#include "phy/detection/tree_levels.h"

enum { LTE_KBEST_K, LTE_KBEST_CLIP }; /* its parameters */

/* Words of a vector, of two labels each. */
#define LTE_KBEST_WORDS(n_tx) (((n_tx) + 1) / 2)

/* Elements of the work memory: two lists, the new one's children, and where those stand. */
#define LTE_KBEST_WORK(k, n_tx) ((k) * (LTE_KBEST_WORDS(n_tx) + 7))

/* A metric that nothing has that is kept. */
#define LTE_KBEST_NONE 3e38f

/*
 * Vectors of labels with their metrics, ascending; the label of row i of R is in word i / 2, of an
 * even one in the lower half.
 */
typedef struct {
    lte_real *metric; /* [k] */
    lte_word *word;   /* [k][LTE_KBEST_WORDS(n_tx)] */
    lte_word *child;  /* [k]  while it is made: the label of a row, and the vector that it is of */
    int kept;  /* how many: 1 at first, then k; 1 of the last row if labels alone are asked for */
    int tried; /* children that came to it */
} lte_kbest_list;

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_kbest_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                       lte_disturbance disturbance, lte_inverse_fn *invert,
                                       lte_cplx *state, lte_cplx *work)
{
    (void)invert;
    (void)work;
    return lte_tree_prepare(plan, h, disturbance, state);
}

/* Puts a child into a list of n where it is better than one that is there; of equal ones behind. */
LTE_INLINE void lte_kbest_insert(int n, lte_real metric, lte_word child, lte_real *metrics,
                                 lte_word *children)
{
    lte_mask better = r_lt(metric, metrics[n - 1]);
    if (!m_any(better))
        return;
    for (int i = n - 1; i > 0; i--) { /* no place waits for another */
        const lte_mask before = r_lt(metric, metrics[i - 1]);
        metrics[i] = r_sel(before, metrics[i - 1], r_sel(better, metric, metrics[i]));
        children[i] = w_sel(before, children[i - 1], w_sel(better, child, children[i]));
        better = before;
    }
    metrics[0] = r_sel(better, metric, metrics[0]);
    children[0] = w_sel(better, child, children[0]);
}

/* The label of row i of R in a vector. */
LTE_INLINE lte_word lte_kbest_label(int i, const lte_word *word)
{
    return (word[i / 2] >> (16 * (i % 2))) & w_set(0xffff);
}

/* Puts the child of vector c with a symbol x of row i where it is good enough. */
LTE_INLINE void lte_kbest_try(int n_bits, int c, lte_mask good, lte_real metric, lte_cplx x,
                              lte_kbest_list *to)
{
    to->tried++;
    lte_kbest_insert(to->tried < to->kept ? to->tried : to->kept,
                     r_sel(good, metric, r_set(LTE_KBEST_NONE)),
                     lte_qam_slice(n_bits, x) | w_set((uint32_t)c << 16), to->metric, to->child);
}

/* What is left of row i for the children of vector c of a list. */
LTE_INLINE lte_cplx lte_kbest_left(const lte_detector_plan *plan, int i, const lte_cplx *row,
                                   lte_cplx b, const lte_kbest_list *from, int c)
{
    const lte_word *const word = &from->word[c * LTE_KBEST_WORDS(plan->n_tx)];
    for (int j = plan->n_tx - 1; j > i; j--)
        b = c_nmac(b, row[j], lte_qam_map(plan->n_bits, lte_kbest_label(j, word)));
    return b;
}

/* Where the children of a vector stand: what is left of their row, and which levels. */
typedef struct {
    lte_cplx left;
    lte_real re, squared; /* its nearest level of the real part, and what that adds to the metric */
    lte_real re_lower, re_upper, im_lower, im_upper, im_all; /* im_all: where those begin */
} lte_kbest_children;

/*
 * The nearest child of vector c of a list, whose rows from i + 1 on are decided and that leave
 * `left` of row i, to the best of the next.
 */
LTE_INLINE void lte_kbest_nearest(int n_bits, lte_real pivot, lte_real inverse, lte_cplx left,
                                  lte_real metric, int c, lte_kbest_children *children,
                                  lte_kbest_list *to)
{
    lte_tree_levels re = lte_tree_levels_of(n_bits, pivot, inverse, left.re);
    lte_tree_levels im = lte_tree_levels_of(n_bits, pivot, inverse, left.im);
    children->im_all = im.lower;
    const lte_tree_level first = lte_tree_next_level(&re), second = lte_tree_next_level(&im);
    const lte_cplx distance = {first.distance, second.distance}, x = {first.x, second.x};
    children->left = left;
    children->re = first.x;
    children->squared = first.distance * first.distance;
    children->re_lower = re.lower;
    children->re_upper = re.upper;
    children->im_lower = im.lower;
    children->im_upper = im.upper;
    lte_kbest_try(n_bits, c, m_and(first.is, second.is), metric + c_abs2(distance), x, to);
}

/*
 * Its other children, by rising distance of their real part, then of their imaginary part, until
 * none is good enough in any lane.
 */
LTE_INLINE void lte_kbest_others(int n_bits, lte_real pivot, lte_real metric, int c,
                                 const lte_kbest_children *children, lte_kbest_list *to)
{
    const lte_real *const worst = &to->metric[to->kept - 1];
    lte_tree_levels re = lte_tree_levels_from(n_bits, pivot, children->left.re);
    lte_tree_levels im = lte_tree_levels_from(n_bits, pivot, children->left.im);
    lte_cplx x = {children->re, children->re};
    lte_real squared = children->squared;
    lte_mask is = m_not(m_none());
    re.lower = children->re_lower;
    re.upper = children->re_upper;
    im.lower = children->im_lower;
    im.upper = children->im_upper;
    for (;;) {
        for (;;) {
            const lte_tree_level second = lte_tree_next_level(&im);
            const lte_real sum = metric + r_fma(second.distance, second.distance, squared);
            const lte_mask good = m_and(m_and(is, second.is), r_lt(sum, *worst));
            x.im = second.x;
            if (!m_any(good))
                break;
            lte_kbest_try(n_bits, c, good, sum, x, to);
        }
        const lte_tree_level first = lte_tree_next_level(&re);
        squared = first.distance * first.distance;
        x.re = first.x;
        is = first.is;
        if (!m_any(m_and(is, r_lt(metric + squared, *worst))))
            return;
        im.lower = children->im_all;
        im.upper = im.lower + r_set(2.0f);
    }
}

/* Word w of a vector of a list, of which each lane has its own. */
LTE_INLINE lte_word lte_kbest_word(int n_words, int w, lte_word parent, const lte_kbest_list *list)
{
    lte_word word = list->word[w];
    for (int p = 1; p < list->kept; p++)
        word = w_sel(w_eq(parent, w_set((uint32_t)p)), list->word[p * n_words + w], word);
    return word;
}

/* The vectors of a list's children, whose rows from i on are decided, out of those before. */
LTE_INLINE void lte_kbest_follow(const lte_detector_plan *plan, int i, const lte_kbest_list *from,
                                 lte_kbest_list *to)
{
    const int n_words = LTE_KBEST_WORDS(plan->n_tx);
    for (int c = 0; c < to->kept; c++) {
        const lte_word parent = to->child[c] >> 16, label = to->child[c] & w_set(0xffff);
        lte_word *const word = &to->word[c * n_words];
        for (int w = (i + 1) / 2; w < n_words; w++)
            word[w] = lte_kbest_word(n_words, w, parent, from);
        word[i / 2] = i % 2 == 1 ? label << 16 : label | word[i / 2];
    }
}

/* The LLR of a bit of row i: the least metric where it is 1 minus the least where it is 0. */
LTE_INLINE lte_real lte_kbest_llr(const lte_detector_plan *plan, int i, int bit,
                                  const lte_kbest_list *list)
{
    const int k = (int)plan->detector.value[LTE_KBEST_K], n_words = LTE_KBEST_WORDS(plan->n_tx);
    const lte_real none = r_set(LTE_KBEST_NONE);
    const lte_real most = r_set((float)plan->detector.value[LTE_KBEST_CLIP]);
    lte_real zero = none, one = none;
    for (int c = k - 1; c >= 0; c--) { /* the last is the least */
        const lte_word label = lte_kbest_label(i, &list->word[c * n_words]);
        const lte_mask is_one = w_eq((label >> bit) & w_set(1), w_set(1));
        const lte_mask there = r_lt(list->metric[c], none);
        one = r_sel(m_and(there, is_one), list->metric[c], one);
        zero = r_sel(m_and(there, m_not(is_one)), list->metric[c], zero);
    }
    return lte_tree_clip(one - zero, most);
}

/* Hands the labels and LLRs of row i of R to the layer that it is of. */
LTE_INLINE void lte_kbest_give(const lte_detector_plan *plan, int i, lte_cplx *state,
                               const lte_kbest_list *list, const lte_decision *to)
{
    const int n_tx = plan->n_tx, n_bits = plan->n_bits;
    const lte_real layer = lte_tree_layers(plan, state)[i];
    const lte_mask told = m_and(r_lt(r_set(0.0f), lte_tree_r(plan, state)[i * n_tx + i].re),
                                r_lt(list->metric[0], r_set(LTE_KBEST_NONE)));
    lte_tree_give_label(plan, layer, told, lte_kbest_label(i, list->word), to);
    for (int bit = 0; to->llr && bit < n_bits; bit++)
        lte_tree_give_llr(plan, layer, told, bit, lte_kbest_llr(plan, i, bit, list), to);
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_kbest_detect(const lte_detector_plan *plan, lte_cplx *state,
                                      const lte_cplx *y, const lte_decision *decision,
                                      lte_cplx *work)
{
    const int n_tx = plan->n_tx, k = (int)plan->detector.value[LTE_KBEST_K];
    const int n_words = LTE_KBEST_WORDS(n_tx);
    const lte_cplx *const r = lte_tree_r(plan, state);
    lte_word *const words = (lte_word *)&work[k];
    lte_kbest_children *const children = (lte_kbest_children *)&work[k * (n_words + 2)]; /* [k] */
    lte_kbest_list list[2];
    for (int i = 0; i < 2; i++) {
        list[i].metric = (lte_real *)work + i * k;
        list[i].child = words;
        list[i].word = words + k + i * k * n_words;
    }
    lte_tree_give_nothing(plan, decision);
    list[0].kept = 1;
    list[0].metric[0] = r_set(0.0f);
    for (int w = 0; w < n_words; w++)
        list[0].word[w] = w_set(0);
    for (int i = n_tx - 1, from = 0; i >= 0; i--, from = !from) {
        const lte_kbest_list *const of = &list[from];
        lte_kbest_list *const to = &list[!from];
        const lte_cplx b = lte_tree_received(plan, i, state, y);
        const lte_real pivot = r[i * n_tx + i].re, inverse = r_set(1.0f) / pivot;
        to->kept = i > 0 || decision->llr ? k : 1;
        to->tried = 0;
        for (int c = 0; c < to->kept; c++) {
            to->metric[c] = r_set(LTE_KBEST_NONE);
            to->child[c] = w_set(0);
        }
        for (int turn = 0; turn < 2;
             turn++) { /* the nearest ones first: they are a bound for all */
            const lte_real *const worst = &to->metric[to->kept - 1];
            for (int c = 0; c < of->kept && m_any(r_lt(of->metric[c], *worst)); c++) {
                if (turn == 0)
                    lte_kbest_nearest(plan->n_bits, pivot, inverse,
                                      lte_kbest_left(plan, i, &r[i * n_tx], b, of, c),
                                      of->metric[c], c, &children[c], to);
                else
                    lte_kbest_others(plan->n_bits, pivot, of->metric[c], c, &children[c], to);
            }
        }
        lte_kbest_follow(plan, i, of, to);
    }
    for (int i = 0; i < n_tx; i++)
        lte_kbest_give(plan, i, state, &list[n_tx % 2], decision);
    return m_none();
}

#endif
