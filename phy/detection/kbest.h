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

/* Labels that a word holds, and words of a vector. */
#define LTE_KBEST_LABELS(n_bits) (32 / (n_bits))
#define LTE_KBEST_WORDS(n_tx, n_bits)                                                              \
    (((n_tx) + LTE_KBEST_LABELS(n_bits) - 1) / LTE_KBEST_LABELS(n_bits))

/*
 * Elements of the work memory: vectors with where their children stand, the words of two levels,
 * and the best of the children.
 */
#define LTE_KBEST_WORK(k, n_tx, n_bits) ((k) * (LTE_KBEST_WORDS(n_tx, n_bits) + 4))

/* A metric that nothing has that is kept. */
#define LTE_KBEST_NONE 3e38f

/* Where the children of a vector stand: what is left of their row, and the levels around it. */
typedef struct {
    lte_cplx left;
    lte_real re_lower, im_lower;
} lte_kbest_children;

/* Vectors of labels with their metrics, ascending. */
typedef struct {
    lte_kbest_children *children; /* [k] */
    lte_real *metric;             /* [k] */
    lte_word *word;               /* [k][LTE_KBEST_WORDS(n_tx, n_bits)] */
    int kept;                     /* how many: 1 at first, then k */
} lte_kbest_list;

/*
 * The best children of a list's vectors, ascending: where a vector is one word, that with the label
 * of row i, else the label, and above it the vector that it is of.
 */
typedef struct {
    lte_real *metric; /* [k] */
    lte_word *child;  /* [k] */
    int k, tried;     /* tried: children that came to it */
} lte_kbest_best;

/* A row of R at hand, i, whose pivot is r_ii. */
typedef struct {
    const lte_detector_plan *plan;
    int i;
    lte_real pivot, inverse;
} lte_kbest_row;

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_kbest_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                       lte_disturbance disturbance, lte_inverse_fn *invert,
                                       lte_cplx *state, lte_cplx *work)
{
    (void)invert;
    (void)work;
    return lte_tree_prepare(plan, h, disturbance, state);
}

/* Puts a child among the first n where it is better than one of them; of equal ones behind. */
LTE_INLINE void lte_kbest_insert(int n, lte_real metric, lte_word child, lte_kbest_best *best)
{
    lte_mask better = r_lt(metric, best->metric[n - 1]);
    LTE_UNROLL
    for (int c = n - 1; c > 0; c--) { /* no place waits for another */
        const lte_mask before = r_lt(metric, best->metric[c - 1]);
        best->metric[c] = r_sel(before, best->metric[c - 1], r_min(best->metric[c], metric));
        best->child[c] = w_sel(before, best->child[c - 1], w_sel(better, child, best->child[c]));
        better = before;
    }
    best->metric[0] = r_min(best->metric[0], metric);
    best->child[0] = w_sel(better, child, best->child[0]);
}

/* Whether a vector is one word. */
LTE_INLINE bool lte_kbest_is_word(const lte_detector_plan *plan)
{
    return LTE_KBEST_WORDS(plan->n_tx, plan->n_bits) == 1;
}

/* Where in its word the label of row i is. */
LTE_INLINE int lte_kbest_shift(int n_bits, int i)
{
    return n_bits * (i % LTE_KBEST_LABELS(n_bits));
}

/* The label of row i of R in a vector. */
LTE_INLINE lte_word lte_kbest_label(int n_bits, int i, const lte_word *word)
{
    return (word[i / LTE_KBEST_LABELS(n_bits)] >> lte_kbest_shift(n_bits, i)) &
           w_set((1u << n_bits) - 1);
}

/* Puts the child of vector c with a symbol x where it is good enough. */
LTE_INLINE void lte_kbest_try(const lte_kbest_row *row, const lte_kbest_list *list, int c,
                              lte_mask good, lte_real metric, lte_cplx x, lte_kbest_best *best)
{
    const int n_bits = row->plan->n_bits;
    const lte_real come = r_sel(good, metric, r_set(LTE_KBEST_NONE));
    const lte_word label = lte_qam_slice(n_bits, x);
    const lte_word child = lte_kbest_is_word(row->plan)
                               ? list->word[c] | label << lte_kbest_shift(n_bits, row->i)
                               : label | w_set((uint32_t)c << 16);
    const int n = ++best->tried; /* so many there are at most */
    if (n <= best->k / 4)
        lte_kbest_insert(best->k / 4, come, child, best);
    else if (n <= best->k / 2)
        lte_kbest_insert(best->k / 2, come, child, best);
    else
        lte_kbest_insert(best->k, come, child, best);
}

/* What the children of vector c begin with; r: row i of R. */
LTE_INLINE void lte_kbest_begin(const lte_kbest_row *row, const lte_cplx *r, lte_cplx b,
                                const lte_kbest_list *list, int c)
{
    const int n_tx = row->plan->n_tx, n_bits = row->plan->n_bits;
    const lte_word *const word = &list->word[c * LTE_KBEST_WORDS(n_tx, n_bits)];
    lte_kbest_children *const children = &list->children[c];
    LTE_UNROLL_DEVICE
    for (int j = n_tx - 1; j > row->i; j--)
        b = c_nmac(b, r[j], lte_qam_map(n_bits, lte_kbest_label(n_bits, j, word)));
    children->left = b;
    children->re_lower = lte_tree_levels_of(n_bits, row->pivot, row->inverse, b.re).lower;
    children->im_lower = lte_tree_levels_of(n_bits, row->pivot, row->inverse, b.im).lower;
}

/* The levels of a vector's children of one dimension. */
LTE_INLINE lte_tree_levels lte_kbest_levels(const lte_kbest_row *row, lte_real left, lte_real lower)
{
    lte_tree_levels levels = lte_tree_levels_from(row->plan->n_bits, row->pivot, left);
    levels.lower = lower;
    levels.upper = lower + r_set(2.0f);
    return levels;
}

/* The nearest child of vector c: its metric, where there is one, and its symbol. */
LTE_INLINE lte_mask lte_kbest_nearest(const lte_kbest_row *row, const lte_kbest_list *list, int c,
                                      lte_real *metric, lte_cplx *x)
{
    const lte_kbest_children *const of = &list->children[c];
    const lte_tree_levels re = lte_kbest_levels(row, of->left.re, of->re_lower);
    const lte_tree_levels im = lte_kbest_levels(row, of->left.im, of->im_lower);
    const lte_tree_level first = lte_tree_nearest_level(&re), second = lte_tree_nearest_level(&im);
    const lte_cplx distance = {first.distance, second.distance};
    x->re = first.x;
    x->im = second.x;
    *metric = list->metric[c] + c_abs2(distance);
    return m_and(first.is, second.is);
}

/*
 * Its other children, by rising distance of their real part, then of their imaginary part, until
 * none is good enough in any lane.
 */
LTE_INLINE void lte_kbest_others(const lte_kbest_row *row, const lte_kbest_list *list, int c,
                                 lte_kbest_best *best)
{
    const lte_kbest_children *const of = &list->children[c];
    lte_tree_levels re = lte_kbest_levels(row, of->left.re, of->re_lower);
    lte_tree_levels im = lte_kbest_levels(row, of->left.im, of->im_lower);
    const lte_real metric = list->metric[c];
    bool nearest = true; /* which is among the best */
    for (;;) {
        const lte_tree_level first = lte_tree_next_level(&re);
        const lte_real squared = first.distance * first.distance;
        if (!lte_any_lane(m_and(first.is, r_lt(metric + squared, best->metric[best->k - 1]))))
            return;
        if (nearest)
            (void)lte_tree_next_level(&im);
        for (nearest = false;;) {
            const lte_tree_level second = lte_tree_next_level(&im);
            const lte_real sum = metric + r_fma(second.distance, second.distance, squared);
            const lte_mask good =
                m_and(m_and(first.is, second.is), r_lt(sum, best->metric[best->k - 1]));
            const lte_cplx x = {first.x, second.x};
            if (!lte_any_lane(good))
                break;
            lte_kbest_try(row, list, c, good, sum, x, best);
        }
        im.lower = of->im_lower;
        im.upper = im.lower + r_set(2.0f);
    }
}

/* Word w of vector `parent` of a list, of which each lane has its own. */
LTE_INLINE lte_word lte_kbest_word(int n_words, int w, lte_word parent, const lte_kbest_list *list)
{
    lte_word word = list->word[w];
    for (int p = 1; p < list->kept; p++)
        word = w_sel(w_eq(parent, w_set((uint32_t)p)), list->word[p * n_words + w], word);
    return word;
}

/* The best children become the list, whose rows from i on are decided; words: of the next list. */
LTE_INLINE void lte_kbest_follow(const lte_kbest_row *row, const lte_kbest_best *best,
                                 lte_word **words, lte_kbest_list *list)
{
    const int n_bits = row->plan->n_bits, n_words = LTE_KBEST_WORDS(row->plan->n_tx, n_bits);
    const int of_row = row->i / LTE_KBEST_LABELS(n_bits);
    LTE_UNROLL_DEVICE
    for (int c = 0; c < best->k; c++)
        list->metric[c] = best->metric[c];
    if (lte_kbest_is_word(row->plan)) {
        LTE_UNROLL_DEVICE
        for (int c = 0; c < best->k; c++)
            list->word[c] = best->child[c];
    } else {
        lte_word *const before = list->word;
        for (int c = 0; c < best->k; c++) {
            const lte_word label = best->child[c] & w_set(0xffff);
            lte_word *const word = &(*words)[c * n_words];
            word[of_row] = w_set(0);
            for (int w = (row->i + 1) / LTE_KBEST_LABELS(n_bits); w < n_words; w++)
                word[w] = lte_kbest_word(n_words, w, best->child[c] >> 16, list);
            word[of_row] = word[of_row] | label << lte_kbest_shift(n_bits, row->i);
        }
        list->word = *words;
        *words = before;
    }
    list->kept = best->k;
}

/* The best children of a row: the nearest ones first, which are a bound for all. */
LTE_INLINE void lte_kbest_level(const lte_kbest_row *row, const lte_cplx *r, lte_cplx b,
                                const lte_kbest_list *list, lte_kbest_best *best)
{
    const int last = best->k - 1;
    LTE_UNROLL_DEVICE
    for (int c = 0; c < best->k; c++) {
        best->metric[c] = r_set(LTE_KBEST_NONE);
        best->child[c] = w_set(0);
    }
    best->tried = 0;
    LTE_ROLL_DEVICE
    for (int c = 0; c < list->kept && lte_any_lane(r_lt(list->metric[c], best->metric[last]));
         c++) {
        lte_real metric;
        lte_cplx x;
        lte_kbest_begin(row, r, b, list, c);
        const lte_mask is = lte_kbest_nearest(row, list, c, &metric, &x);
        lte_kbest_try(row, list, c, is, metric, x, best);
    }
    if (best->k == 1) /* others are not nearer */
        return;
    LTE_ROLL_DEVICE
    for (int c = 0; c < list->kept && lte_any_lane(r_lt(list->metric[c], best->metric[last])); c++)
        lte_kbest_others(row, list, c, best);
}

/* The LLR of a bit of row i: the least metric where it is 1 minus the least where it is 0. */
LTE_INLINE lte_real lte_kbest_llr(const lte_detector_plan *plan, int i, int bit,
                                  const lte_kbest_list *list)
{
    const int n_words = LTE_KBEST_WORDS(plan->n_tx, plan->n_bits);
    const int of_row = i / LTE_KBEST_LABELS(plan->n_bits);
    const lte_word is_one = w_set(1u << (lte_kbest_shift(plan->n_bits, i) + bit));
    const lte_real none = r_set(LTE_KBEST_NONE);
    const lte_real most = r_set((float)plan->detector.value[LTE_KBEST_CLIP]);
    lte_real zero = none, one = none;
    LTE_UNROLL_DEVICE
    for (int c = list->kept - 1; c >= 0; c--) { /* the last is the least */
        const lte_mask is = w_eq(list->word[c * n_words + of_row] & is_one, is_one);
        const lte_mask there = r_lt(list->metric[c], none);
        one = r_sel(m_and(there, is), list->metric[c], one);
        zero = r_sel(m_and(there, m_not(is)), list->metric[c], zero);
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
    lte_tree_give_label(plan, layer, told, lte_kbest_label(n_bits, i, list->word), to);
    LTE_UNROLL_DEVICE
    for (int bit = 0; to->llr && bit < n_bits; bit++)
        lte_tree_give_llr(plan, layer, told, bit, lte_kbest_llr(plan, i, bit, list), to);
}

/* Row i: the list becomes that of its vectors. */
LTE_INLINE void lte_kbest_step(const lte_detector_plan *plan, int i, lte_cplx *state,
                               const lte_cplx *y, lte_kbest_best *best, lte_word **words,
                               lte_kbest_list *list)
{
    const lte_cplx *const r = &lte_tree_r(plan, state)[i * plan->n_tx];
    const lte_kbest_row row = {plan, i, r[i].re, r_set(1.0f) / r[i].re};
    lte_kbest_level(&row, r, lte_tree_received(plan, i, state, y), list, best);
    lte_kbest_follow(&row, best, words, list);
}

/* The search; best: room for k children. */
LTE_INLINE void lte_kbest_search(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                                 const lte_decision *decision, lte_cplx *work, lte_kbest_best best)
{
    const int n_tx = plan->n_tx, k = best.k;
    const int n_words = LTE_KBEST_WORDS(n_tx, plan->n_bits);
    lte_kbest_list list = {(lte_kbest_children *)work, (lte_real *)&work[2 * k], NULL, 1};
    list.word = (lte_word *)(list.metric + k);
    lte_word *words = list.word + k * n_words;
    list.metric[0] = r_set(0.0f);
    LTE_UNROLL_DEVICE
    for (int w = 0; w < n_words; w++)
        list.word[w] = w_set(0);
    LTE_UNROLL_DEVICE
    for (int i = n_tx - 1; i > 0; i--)
        lte_kbest_step(plan, i, state, y, &best, &words, &list);
    if (!decision->llr)
        best.k = 1;
    lte_kbest_step(plan, 0, state, y, &best, &words, &list);
    lte_tree_give_nothing(plan, decision);
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++)
        lte_kbest_give(plan, i, state, &list, decision);
}

enum { LTE_KBEST_USUAL = 16 }; /* its k, known to compilers */

/* As lte_kbest_detect, of the usual k and vectors of one word. */
LTE_INLINE lte_mask lte_kbest_detect_usual(const lte_detector_plan *plan, lte_cplx *state,
                                           const lte_cplx *y, const lte_decision *decision,
                                           lte_cplx *work)
{
    lte_real metric[LTE_KBEST_USUAL];
    lte_word child[LTE_KBEST_USUAL];
    const lte_kbest_best best = {metric, child, LTE_KBEST_USUAL, 0};
    lte_kbest_search(plan, state, y, decision, work, best);
    return m_none();
}

/* That of a modulation that compilers know, too. */
#define LTE_KBEST_OF_BITS(bits)                                                                    \
    LTE_OUTLINE void lte_kbest_detect_##bits(const lte_detector_plan *plan, lte_cplx *state,       \
                                             const lte_cplx *y, const lte_decision *decision,      \
                                             lte_cplx *work)                                       \
    {                                                                                              \
        lte_detector_plan known = *plan;                                                           \
        known.n_bits = bits;                                                                       \
        (void)lte_kbest_detect_usual(&known, state, y, decision, work);                            \
    }
LTE_KBEST_OF_BITS(2)
LTE_KBEST_OF_BITS(4)
LTE_KBEST_OF_BITS(6)
LTE_KBEST_OF_BITS(8)
#undef LTE_KBEST_OF_BITS

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_kbest_detect(const lte_detector_plan *plan, lte_cplx *state,
                                      const lte_cplx *y, const lte_decision *decision,
                                      lte_cplx *work)
{
    const int k = (int)plan->detector.value[LTE_KBEST_K];
    lte_real *const metric = (lte_real *)&work[k * (3 + LTE_KBEST_WORDS(plan->n_tx, plan->n_bits))];
    const lte_kbest_best best = {metric, (lte_word *)(metric + k), k, 0};
    const int known = k == LTE_KBEST_USUAL && lte_kbest_is_word(plan) ? plan->n_bits : 0;
    if (known == 2)
        lte_kbest_detect_2(plan, state, y, decision, work);
    else if (known == 4)
        lte_kbest_detect_4(plan, state, y, decision, work);
    else if (known == 6)
        lte_kbest_detect_6(plan, state, y, decision, work);
    else if (known == 8)
        lte_kbest_detect_8(plan, state, y, decision, work);
    else
        lte_kbest_search(plan, state, y, decision, work, best);
    return m_none();
}

#endif
