#ifndef LTE_PHY_ML_FOUND_H
#define LTE_PHY_ML_FOUND_H
/*
 * What a search for the nearest vector (phy/detection/ml.h) has found, whichever way it goes.
 *
 *     lte_ml_found found;
 *     lte_ml_find_nothing(&plan, clip, numbers, &found);
 *     if (m_any(lte_ml_needs(&found, metric))) ...          // something below may be new
 *     end = lte_ml_nearest(&plan, &walk, rest, above, &way[0]);    // a vector
 *     lte_ml_take(&plan, &found, way, end.metric);
 *
 * Of equal metrics the vector wins whose label is smaller in the last row, then in the one before
 * it, and so on; the point of row 0 is the nearest one, for which the slicer of phy/detection/qam.h
 * stands. Searches may take the vectors in any order.
 */

#include "phy/detection/tree_walk.h"

enum { LTE_ML_MOST_TX = LTE_TREE_MOST_TX };

/* A metric that no vector has, and one of vectors that a lane does not need. */
#define LTE_ML_NONE 3e38f
#define LTE_ML_PASSED 3.3e38f

/* What lanes have found. */
typedef struct {
    lte_real best, clip;            /* clip: 0 without LLRs */
    lte_real bound;                 /* the best that is known: where lanes share a search, of all */
    lte_word label[LTE_ML_MOST_TX]; /* of the best vector, by rows */
    lte_real *zero, *one;           /* [n_tx][n_bits], of max-log LLRs: least metrics; or NULL */
} lte_ml_found;

/* numbers [2][n_tx][n_bits]: those of LLRs; NULL: there are none. */
LTE_INLINE void lte_ml_find_nothing(const lte_detector_plan *plan, float clip, lte_real *numbers,
                                    lte_ml_found *found)
{
    const int n_llrs = plan->n_tx * plan->n_bits;
    found->best = found->bound = r_set(LTE_ML_NONE);
    found->clip = r_set(numbers ? clip : 0.0f);
    found->zero = numbers;
    found->one = numbers ? numbers + n_llrs : NULL;
    LTE_UNROLL_DEVICE
    for (int i = 0; i < plan->n_tx; i++)
        found->label[i] = w_set(0);
    LTE_UNROLL_DEVICE
    for (int e = 0; numbers && e < 2 * n_llrs; e++)
        numbers[e] = r_set(LTE_ML_NONE);
}

/* Whether lanes may find something below a metric: the best vector, or what an LLR is made of. */
LTE_INLINE lte_mask lte_ml_needs(const lte_ml_found *found, lte_real metric)
{
    const lte_mask best = m_not(r_lt(found->bound, metric));
    return found->zero ? m_or(r_lt(metric - found->bound, found->clip), best) : best;
}

/* a < b of labels. */
LTE_INLINE lte_mask lte_ml_less(lte_word a, lte_word b)
{
    return w_eq((a - b) >> 31, w_set(1));
}

/* Whether a vector, labels by rows [n_tx], comes before the best one. */
LTE_INLINE lte_mask lte_ml_is_before(const lte_detector_plan *plan, const lte_ml_found *found,
                                     const lte_word *way)
{
    lte_mask before = m_none(), alike = m_not(m_none());
    LTE_UNROLL_DEVICE
    for (int i = plan->n_tx - 1; i >= 0; i--) {
        before = m_or(before, m_and(alike, lte_ml_less(way[i], found->label[i])));
        alike = m_and(alike, w_eq(way[i], found->label[i]));
    }
    return before;
}

/* least <- the smaller one */
LTE_INLINE void lte_ml_lower(lte_real *least, lte_real metric)
{
    *least = r_min(metric, *least);
}

/* The bits of row i have symbols of it, labels, in vectors of which the best has this metric. */
LTE_INLINE void lte_ml_lower_row(const lte_detector_plan *plan, lte_ml_found *found, int i,
                                 lte_word label, lte_real metric)
{
    LTE_UNROLL_DEVICE
    for (int bit = 0; bit < plan->n_bits; bit++) {
        const lte_mask one = w_eq((label >> bit) & w_set(1), w_set(1));
        const int e = i * plan->n_bits + bit;
        lte_ml_lower(&found->one[e], r_sel(one, metric, r_set(LTE_ML_NONE)));
        lte_ml_lower(&found->zero[e], r_sel(one, r_set(LTE_ML_NONE), metric));
    }
}

/* The end of a vector. */
typedef struct {
    lte_cplx rest, x; /* what is left of row 0, and its nearest symbol */
    lte_real metric;  /* of the vector */
} lte_ml_end;

/* That of the nearest point of row 0, its label *last; above: the metric of the rows from 1 on. */
LTE_INLINE lte_ml_end lte_ml_nearest(const lte_detector_plan *plan, const lte_tree_walk *at,
                                     lte_cplx rest, lte_real above, lte_word *last)
{
    lte_ml_end end;
    *last = lte_tree_slice(plan, at, 0, rest);
    end.rest = rest;
    end.x = lte_qam_map(plan->n_bits, *last);
    end.metric = above + lte_tree_step(plan, at, 0, rest, end.x);
    return end;
}

/*
 * The least metrics of the bits of row 0 out of all levels of one dimension of it, the other one
 * being that of the nearest point: none is below that one's.
 */
LTE_INLINE void lte_ml_find_levels(const lte_detector_plan *plan, lte_ml_found *found,
                                   const lte_tree_walk *at, int first, lte_real above,
                                   const lte_ml_end *end)
{
    const int half = plan->n_bits / 2;
    LTE_UNROLL_DEVICE
    for (uint32_t l = 0; l < 1u << half; l++) {
        uint32_t label = 0; /* bit i of l is bit 2 i of the label */
        LTE_UNROLL_DEVICE
        for (int i = 0; i < half; i++)
            label |= (l >> i & 1) << 2 * i;
        const lte_real level = lte_qam_level(plan->n_bits, 0, w_set(label));
        lte_cplx other = {level, end->x.im};
        if (first) {
            other.re = end->x.re;
            other.im = level;
        }
        const lte_real d = above + lte_tree_step(plan, at, 0, end->rest, other);
        const lte_real more = r_sel(r_lt(d, end->metric), end->metric, d);
        LTE_UNROLL_DEVICE
        for (int i = 0; i < half; i++)
            lte_ml_lower(&(l >> i & 1 ? found->one : found->zero)[2 * i + first], more);
    }
}

/* What the bits of row 0 have of the end of a vector, in every symbol of its row. */
LTE_INLINE void lte_ml_lower_end(const lte_detector_plan *plan, lte_ml_found *found,
                                 const lte_tree_walk *at, const lte_ml_end *end)
{
    lte_ml_find_levels(plan, found, at, 0, at->above[1], end);
    lte_ml_find_levels(plan, found, at, 1, at->above[1], end);
}

/* Takes a vector if it is better, labels way [n_tx] by rows; the bound is for its caller. */
LTE_INLINE void lte_ml_take(const lte_detector_plan *plan, lte_ml_found *found, const lte_word *way,
                            lte_real metric)
{
    const lte_mask above = r_lt(found->best, metric), below = r_lt(metric, found->best);
    const lte_mask equal = m_not(m_or(above, below));
    const lte_mask better =
        m_any(equal) ? m_or(below, m_and(equal, lte_ml_is_before(plan, found, way))) : below;
    if (!m_any(better))
        return;
    found->best = r_sel(better, metric, found->best);
    LTE_UNROLL_DEVICE
    for (int i = 0; i < plan->n_tx; i++)
        found->label[i] = w_sel(better, way[i], found->label[i]);
}

#endif
