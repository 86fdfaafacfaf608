#ifndef LTE_PHY_KBEST_ROWS_H
#define LTE_PHY_KBEST_ROWS_H
/*
 * The k best children of the vectors of a level of K-best (phy/detection/kbest.h), in the order of
 * their metrics.
 *
 *     lte_kbest_lookup lookup = lte_kbest_lookup_at(k, n_words, memory);
 *     lte_kbest_list list = {&lookup, 1, ...};
 *     lte_kbest_level(&row, r, b, &list);
 *
 * The children of a vector stand in rows: one for each level of the real part, in which the levels
 * of the imaginary part come by rising distance (Schnorr-Euchner). The row of the nearest real part
 * of each vector is open from the start, in the order of the vectors; when the first child of a row
 * is kept, the row of the next real part of its vector opens behind all others. So the best child
 * that is left is always the first one of an open row. It is taken k times; of equal metrics that
 * of the row is taken that opened first. Where there is room for all children of a level but the
 * last, all are kept, in the order of vectors and labels.
 *
 * There are at most 2 k rows. The least of them is found by groups of 8, of which that alone is
 * searched again whose row has changed. All lanes do the same; which row a lane takes is an index
 * of its own, by which it looks up what it needs.
 *
 * Source: that of phy/detection/kbest.h, and for the order of children Schnorr, Euchner, Lattice
 * basis reduction, Math. Program. 66, 1994.
 */

#include "phy/detection/tree.h"

/* Labels that a word holds, and words of a vector. */
#define LTE_KBEST_LABELS(n_bits) (32 / (n_bits))
#define LTE_KBEST_WORDS(n_tx, n_bits)                                                              \
    (((n_tx) + LTE_KBEST_LABELS(n_bits) - 1) / LTE_KBEST_LABELS(n_bits))

/* Rows of children, whole groups of them, and the most groups of any k. */
enum { LTE_KBEST_GROUP_BITS = 3, LTE_KBEST_GROUP = 1 << LTE_KBEST_GROUP_BITS };
enum { LTE_KBEST_MOST_GROUPS = 16 };
#define LTE_KBEST_GROUPS(k) ((2 * (k) + LTE_KBEST_GROUP - 1) / LTE_KBEST_GROUP)
#define LTE_KBEST_ROWS(k) (LTE_KBEST_GROUPS(k) * LTE_KBEST_GROUP)

/* Words that a lane looks up. */
#define LTE_KBEST_LOOKUPS(k, n_words) ((3 + (n_words)) * (k) + 2 * LTE_KBEST_ROWS(k))

/* Elements of the work memory: these, and the best children with their words. */
#define LTE_KBEST_WORK(k, n_tx, n_bits)                                                            \
    ((LTE_KBEST_LOOKUPS(k, LTE_KBEST_WORDS(n_tx, n_bits)) + 3 * (k) + 1) / 2)

/* A metric that nothing has that is kept. */
#define LTE_KBEST_NONE 3e38f

/* Where word i of a lookup lies; a kernel may have it in memory that its threads share. */
#ifndef LTE_LOOKUP_PLACE
#define LTE_LOOKUP_PLACE(i) (i)
#endif

/* What a lane looks up by an index of its own. */
typedef struct {
    /* of the vectors [k]: what is left of the row at hand, the metric, the labels [n_words][k] */
    lte_word *left_re, *left_im, *metric, *word;
    /* of the rows [LTE_KBEST_ROWS(k)]: the metric of the first child left, and which it is */
    lte_word *least, *child;
} lte_kbest_lookup;

/* Vectors of labels with their metrics. */
typedef struct {
    lte_kbest_lookup *lookup;
    lte_word *next_metric, *next_child, *next_word; /* [k] each, of the children that are kept */
    int k, kept;                                    /* kept: how many there are */
} lte_kbest_list;

/* A row of R at hand, i; pivot: -r_ii. */
typedef struct {
    const lte_detector_plan *plan;
    int i;
    lte_real pivot, inverse;
} lte_kbest_row;

/*
 * A child in a word: which levels are taken, its levels, its vector, and whether it is the first of
 * its row. Levels taken are those of its row; of a first child, whose row has no other, those of
 * the real part, of which its vector has rows.
 */
enum { LTE_KBEST_UPPER = 6, LTE_KBEST_IM = 12, LTE_KBEST_RE = 17, LTE_KBEST_OF = 22 };
#define LTE_KBEST_FIRST (1u << 31)

LTE_INLINE lte_kbest_lookup lte_kbest_lookup_at(int k, int n_words, lte_word *memory)
{
    lte_kbest_lookup o;
    o.left_re = memory;
    o.left_im = o.left_re + LTE_LOOKUP_PLACE(k);
    o.metric = o.left_im + LTE_LOOKUP_PLACE(k);
    o.word = o.metric + LTE_LOOKUP_PLACE(k);
    o.least = o.word + LTE_LOOKUP_PLACE(k * n_words);
    o.child = o.least + LTE_LOOKUP_PLACE(LTE_KBEST_ROWS(k));
    return o;
}

/* A place that is that of all lanes, read and written; and one of each lane. */
LTE_INLINE lte_word lte_kbest_get(const lte_word *lookup, int i)
{
    return lookup[LTE_LOOKUP_PLACE(i)];
}
LTE_INLINE void lte_kbest_set(lte_word *lookup, int i, lte_word x)
{
    lookup[LTE_LOOKUP_PLACE(i)] = x;
}
LTE_INLINE lte_word lte_kbest_pick(const lte_word *lookup, lte_word i)
{
    return w_pick(lookup, LTE_LOOKUP_PLACE(i));
}
LTE_INLINE void lte_kbest_put(lte_word *lookup, lte_word i, lte_word x)
{
    w_put(lookup, LTE_LOOKUP_PLACE(i), x);
}

/* Where in its word the label of row i is. */
LTE_INLINE int lte_kbest_shift(int n_bits, int i)
{
    return n_bits * (i % LTE_KBEST_LABELS(n_bits));
}

/* The label of row i of R in vector c. */
LTE_INLINE lte_word lte_kbest_label(const lte_detector_plan *plan, int i, int c,
                                    const lte_kbest_list *list)
{
    const int n_bits = plan->n_bits;
    const lte_word word =
        lte_kbest_get(list->lookup->word, i / LTE_KBEST_LABELS(n_bits) * list->k + c);
    return (word >> lte_kbest_shift(n_bits, i)) & w_set((1u << n_bits) - 1);
}

/* The amplitude of a level, counted from the lowest one. */
LTE_INLINE lte_real lte_kbest_amplitude(int n_bits, lte_word level)
{
    const float top = (float)((1 << n_bits / 2) - 1);
    const lte_real number = r_from_bits(w_set(0x4b000000u) | level << 1); /* 2^23 + 2 level */
    return (number - r_set(0x1p23f + top)) * r_set(lte_qam_unit(n_bits));
}

/* What is left of one dimension of a row, r_ii x taken off. */
LTE_INLINE lte_real lte_kbest_distance(const lte_kbest_row *row, lte_real left, lte_word level)
{
    return r_fma(lte_kbest_amplitude(row->plan->n_bits, level), row->pivot, left);
}

/* The metric of a child, from that of its vector and what is left of the row at hand. */
LTE_INLINE lte_real lte_kbest_sum(lte_real metric, lte_real re, lte_real im)
{
    return metric + r_fma(im, im, re * re);
}

/* The label of the symbol of two levels: the bits in which each agrees with half of it. */
LTE_INLINE lte_word lte_kbest_symbol(int n_bits, lte_word re, lte_word im)
{
    const lte_word both = re | im << 16, differ = both ^ both >> 1 ^ w_set(~0u);
    lte_word label = w_set(0);
    LTE_UNROLL
    for (int bit = 0; bit < n_bits; bit++) {
        const int from = n_bits / 2 - 1 - bit / 2 + 16 * (bit % 2);
        label = label | ((differ >> from & w_set(1)) << bit);
    }
    return label;
}

/* The nearest level that is left of a dimension. */
typedef struct {
    lte_word lower, upper; /* the levels below and from there on are left, without it */
    lte_word level;
    lte_real distance;
    lte_mask is; /* there was one */
} lte_kbest_next;

/* lower, upper: levels 0 .. lower - 1 and upper .. are left of it. */
LTE_INLINE lte_kbest_next lte_kbest_next_level(const lte_kbest_row *row, lte_real left,
                                               lte_word lower, lte_word upper)
{
    const lte_word below = lower - w_set(1);
    const lte_real down = lte_kbest_distance(row, left, below);
    const lte_real up = lte_kbest_distance(row, left, upper);
    const lte_mask none_below = w_eq(lower, w_set(0));
    const lte_mask none_above = w_eq(upper, w_set(1u << row->plan->n_bits / 2));
    const lte_mask goes_up =
        m_or(none_below, m_and(m_not(none_above), r_lt(r_abs(up), r_abs(down))));
    lte_kbest_next o;
    o.lower = w_sel(goes_up, lower, below);
    o.upper = w_sel(goes_up, upper + w_set(1), upper);
    o.level = w_sel(goes_up, upper, below);
    o.distance = r_sel(goes_up, up, down);
    o.is = m_not(m_and(none_below, none_above));
    return o;
}

/* The nearest level of all. */
LTE_INLINE lte_kbest_next lte_kbest_first_level(const lte_kbest_row *row, lte_real left)
{
    const int n_bits = row->plan->n_bits;
    const float most = (float)(1 << n_bits / 2);
    /* what lies below it in levels, to a whole number: in the last bits of a number at 2^23 */
    const lte_real half = r_set(0.5f / lte_qam_unit(n_bits)), whole = r_set(0x1p23f);
    lte_real below = r_fma(left * row->inverse, half, r_set(0.5f * most));
    below = r_neg(r_min(r_neg(r_min(below, r_set(most))), r_set(0.0f)));
    const lte_word upper = r_bits(below + whole) & w_set(63);
    return lte_kbest_next_level(row, left, upper, upper);
}

/* What is left of row i of R, r, for vector c. */
LTE_INLINE lte_cplx lte_kbest_left(const lte_kbest_row *row, const lte_cplx *r, lte_cplx b,
                                   const lte_kbest_list *list, int c)
{
    LTE_UNROLL_DEVICE
    for (int j = row->plan->n_tx - 1; j > row->i; j--)
        b = c_nmac(b, r[j], lte_qam_map(row->plan->n_bits, lte_kbest_label(row->plan, j, c, list)));
    return b;
}

/* Opens the first row of vector c. */
LTE_INLINE void lte_kbest_open(const lte_kbest_row *row, lte_cplx left, const lte_kbest_list *list,
                               int c)
{
    const lte_kbest_lookup *const at = list->lookup;
    const lte_kbest_next re = lte_kbest_first_level(row, left.re);
    const lte_kbest_next im = lte_kbest_first_level(row, left.im);
    const lte_real metric = r_from_bits(lte_kbest_get(at->metric, c));
    lte_kbest_set(at->left_re, c, r_bits(left.re));
    lte_kbest_set(at->left_im, c, r_bits(left.im));
    lte_kbest_set(at->least, c, r_bits(lte_kbest_sum(metric, re.distance, im.distance)));
    lte_kbest_set(at->child, c,
                  re.lower | re.upper << LTE_KBEST_UPPER | im.level << LTE_KBEST_IM |
                      re.level << LTE_KBEST_RE |
                      w_set((uint32_t)c << LTE_KBEST_OF | LTE_KBEST_FIRST));
}

/* A row and its first child's metric. */
typedef struct {
    lte_real metric;
    lte_word at;
} lte_kbest_least;

/* That of two which is less; of equal ones the first. */
LTE_INLINE lte_kbest_least lte_kbest_lesser(lte_kbest_least first, lte_kbest_least second)
{
    const lte_mask less = r_lt(second.metric, first.metric);
    lte_kbest_least o;
    o.metric = r_min(first.metric, second.metric);
    o.at = w_sel(less, second.at, first.at);
    return o;
}

/* The least of the group of rows that begins with one, of each lane. */
LTE_INLINE lte_kbest_least lte_kbest_of_group(const lte_kbest_lookup *lookup, lte_word begin)
{
    lte_kbest_least least[LTE_KBEST_GROUP];
    LTE_UNROLL
    for (int i = 0; i < LTE_KBEST_GROUP; i++) { /* counted from its begin */
        least[i].at = w_set((uint32_t)i);
        least[i].metric = r_from_bits(lte_kbest_pick(lookup->least + LTE_LOOKUP_PLACE(i), begin));
    }
    LTE_UNROLL
    for (int n = 1; n < LTE_KBEST_GROUP; n *= 2) {
        LTE_UNROLL
        for (int i = 0; i + n < LTE_KBEST_GROUP; i += 2 * n)
            least[i] = lte_kbest_lesser(least[i], least[i + n]);
    }
    least[0].at = least[0].at + begin;
    return least[0];
}

/* Keeps the t-th child, that of row `from`, which goes on; the next one of its vector opens. */
LTE_INLINE void lte_kbest_keep(const lte_kbest_row *row, int t, lte_kbest_least from,
                               const lte_kbest_list *list, lte_kbest_least *opened)
{
    const lte_kbest_lookup *const lookup = list->lookup;
    const int n_bits = row->plan->n_bits;
    const lte_word child = lte_kbest_pick(lookup->child, from.at), levels = w_set(31);
    const lte_word of = child >> LTE_KBEST_OF & w_set(511), taken = w_set(63);
    const lte_word lower = child & taken, upper = child >> LTE_KBEST_UPPER & taken;
    const lte_word im = child >> LTE_KBEST_IM & levels, re = child >> LTE_KBEST_RE & levels;
    const lte_mask is_first = w_eq(child >> 31, w_set(1));
    const lte_cplx left = {r_from_bits(lte_kbest_pick(lookup->left_re, of)),
                           r_from_bits(lte_kbest_pick(lookup->left_im, of))};
    const lte_real metric = r_from_bits(lte_kbest_pick(lookup->metric, of));
    const lte_cplx x = {lte_kbest_amplitude(n_bits, re), lte_kbest_amplitude(n_bits, im)};
    list->next_metric[t] = r_bits(from.metric);
    list->next_child[t] = of << 16 | lte_kbest_symbol(n_bits, re, im);

    const lte_mask kept = r_lt(from.metric, r_set(LTE_KBEST_NONE)); /* there was one left */
    const lte_kbest_next next = lte_kbest_next_level(row, left.im, w_sel(is_first, im, lower),
                                                     w_sel(is_first, im + w_set(1), upper));
    const lte_real re_distance = r_fma(x.re, row->pivot, left.re);
    lte_kbest_put(
        lookup->least, from.at,
        r_bits(r_sel(m_and(kept, next.is), lte_kbest_sum(metric, re_distance, next.distance),
                     r_set(LTE_KBEST_NONE))));
    lte_kbest_put(lookup->child, from.at,
                  next.lower | next.upper << LTE_KBEST_UPPER | next.level << LTE_KBEST_IM |
                      re << LTE_KBEST_RE | of << LTE_KBEST_OF);

    const lte_mask first = m_and(kept, is_first);
    const lte_kbest_next other = lte_kbest_next_level(row, left.re, lower, upper);
    opened->at = w_set((uint32_t)(list->k + t));
    opened->metric = r_sel(m_and(first, other.is),
                           lte_kbest_sum(metric, other.distance, r_fma(x.im, row->pivot, left.im)),
                           r_set(LTE_KBEST_NONE));
    lte_kbest_set(lookup->least, list->k + t, r_bits(opened->metric));
    lte_kbest_set(lookup->child, list->k + t,
                  other.lower | other.upper << LTE_KBEST_UPPER | im << LTE_KBEST_IM |
                      other.level << LTE_KBEST_RE | of << LTE_KBEST_OF | w_set(LTE_KBEST_FIRST));
}

/* The best children of the vectors, whose first rows are open. */
LTE_INLINE void lte_kbest_choose(const lte_kbest_row *row, const lte_kbest_list *list)
{
    const lte_kbest_lookup *const lookup = list->lookup;
    const int n_groups = LTE_KBEST_GROUPS(list->k);
    lte_kbest_least group[LTE_KBEST_MOST_GROUPS];
    LTE_UNROLL_DEVICE
    for (int at = list->kept; at < LTE_KBEST_ROWS(list->k); at++) {
        lte_kbest_set(lookup->least, at, r_bits(r_set(LTE_KBEST_NONE)));
        lte_kbest_set(lookup->child, at, w_set(0));
    }
    LTE_UNROLL_DEVICE
    for (int g = 0; g < n_groups; g++)
        group[g] = lte_kbest_of_group(lookup, w_set((uint32_t)(g * LTE_KBEST_GROUP)));
    LTE_ROLL_DEVICE
    for (int t = 0; t < list->k; t++) {
        lte_kbest_least least = group[0], opened;
        LTE_UNROLL_DEVICE
        for (int g = 1; g < n_groups; g++)
            least = lte_kbest_lesser(least, group[g]);
        lte_kbest_keep(row, t, least, list, &opened);
        const lte_word changed = least.at >> LTE_KBEST_GROUP_BITS,
                       opens = opened.at >> LTE_KBEST_GROUP_BITS;
        const lte_kbest_least again = lte_kbest_of_group(lookup, changed << LTE_KBEST_GROUP_BITS);
        LTE_UNROLL_DEVICE
        for (int g = 0; g < n_groups; g++) {
            const lte_mask is = w_eq(changed, w_set((uint32_t)g));
            group[g].metric = r_sel(is, again.metric, group[g].metric);
            group[g].at = w_sel(is, again.at, group[g].at);
            if (g < list->k / LTE_KBEST_GROUP)
                continue;
            const lte_mask less =
                m_and(w_eq(opens, w_set((uint32_t)g)), r_lt(opened.metric, group[g].metric));
            group[g].metric = r_sel(less, opened.metric, group[g].metric);
            group[g].at = w_sel(less, opened.at, group[g].at);
        }
    }
}

/* All children of the vectors are kept, as there is room for them. */
LTE_INLINE void lte_kbest_keep_all(const lte_kbest_row *row, const lte_cplx *r, lte_cplx b,
                                   const lte_kbest_list *list)
{
    const int n_bits = row->plan->n_bits;
    int t = 0;
    LTE_ROLL_DEVICE
    for (int c = 0; c < list->kept; c++) {
        const lte_cplx left = lte_kbest_left(row, r, b, list, c);
        const lte_real metric = r_from_bits(lte_kbest_get(list->lookup->metric, c));
        LTE_ROLL_DEVICE
        for (uint32_t label = 0; label < 1u << n_bits; label++, t++) {
            const lte_cplx x = lte_qam_map(n_bits, w_set(label));
            const lte_cplx rest = c_add_scaled(left, x, row->pivot);
            list->next_metric[t] = r_bits(lte_kbest_sum(metric, rest.re, rest.im));
            list->next_child[t] = w_set((uint32_t)c << 16 | label);
        }
    }
}

/* The nearest child of each vector, and of these the best: the only one that is kept. */
LTE_INLINE void lte_kbest_keep_one(const lte_kbest_row *row, const lte_cplx *r, lte_cplx b,
                                   const lte_kbest_list *list)
{
    const int n_bits = row->plan->n_bits;
    lte_real best = r_set(LTE_KBEST_NONE);
    lte_word child = w_set(0);
    LTE_ROLL_DEVICE
    for (int c = 0; c < list->kept; c++) {
        const lte_cplx left = lte_kbest_left(row, r, b, list, c);
        const lte_kbest_next re = lte_kbest_first_level(row, left.re);
        const lte_kbest_next im = lte_kbest_first_level(row, left.im);
        const lte_real metric = lte_kbest_sum(r_from_bits(lte_kbest_get(list->lookup->metric, c)),
                                              re.distance, im.distance);
        const lte_mask better = r_lt(metric, best);
        best = r_sel(better, metric, best);
        child =
            w_sel(better, w_set((uint32_t)c << 16) | re.level << LTE_KBEST_UPPER | im.level, child);
    }
    list->next_metric[0] = r_bits(best);
    list->next_child[0] =
        (child & w_set(0xffffu << 16)) |
        lte_kbest_symbol(n_bits, child >> LTE_KBEST_UPPER & w_set(31), child & w_set(31));
}

/* The children [n] that are kept become the list. */
LTE_INLINE void lte_kbest_follow(const lte_kbest_row *row, int n, lte_kbest_list *list)
{
    const lte_kbest_lookup *const lookup = list->lookup;
    const int n_bits = row->plan->n_bits, own = row->i / LTE_KBEST_LABELS(n_bits);
    const int n_words = LTE_KBEST_WORDS(row->plan->n_tx, n_bits);
    LTE_UNROLL_DEVICE
    for (int w = own; w < n_words; w++) {
        lte_word *const word = lookup->word + LTE_LOOKUP_PLACE(w * list->k);
        LTE_UNROLL_DEVICE
        for (int t = 0; t < n; t++) {
            const lte_word child = list->next_child[t], label = child & w_set(0xffff);
            list->next_word[t] = lte_kbest_pick(word, child >> 16);
            if (w == own)
                list->next_word[t] = list->next_word[t] | label << lte_kbest_shift(n_bits, row->i);
        }
        LTE_UNROLL_DEVICE
        for (int t = 0; t < n; t++)
            lte_kbest_set(word, t, list->next_word[t]);
    }
    LTE_UNROLL_DEVICE
    for (int t = 0; t < n; t++)
        lte_kbest_set(lookup->metric, t, list->next_metric[t]);
    list->kept = n;
}

/* Row i: the list becomes that of the best children of its vectors; alone: of the best one. */
LTE_INLINE void lte_kbest_level(const lte_kbest_row *row, const lte_cplx *r, lte_cplx b, bool alone,
                                lte_kbest_list *list)
{
    const int all = list->kept << row->plan->n_bits;
    if (alone) {
        lte_kbest_keep_one(row, r, b, list);
    } else if (row->i > 0 && all <= list->k) {
        lte_kbest_keep_all(row, r, b, list);
    } else {
        LTE_ROLL_DEVICE
        for (int c = 0; c < list->kept; c++)
            lte_kbest_open(row, lte_kbest_left(row, r, b, list, c), list, c);
        lte_kbest_choose(row, list);
    }
    lte_kbest_follow(row, alone ? 1 : row->i > 0 && all <= list->k ? all : list->k, list);
}

#endif
