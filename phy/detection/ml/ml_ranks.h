#ifndef LTE_PHY_ML_RANKS_H
#define LTE_PHY_ML_RANKS_H
/*
 * The search for the nearest vector in which all lanes go by ranks: the k-th nearest level of each
 * step is that of every lane, whichever level it is.
 *
 *     lte_ml_ranks search;
 *     lte_tree_start(&plan, state, y, work, &search.at);
 *     lte_ml_find_nothing(&plan, clip, numbers, &search.found);
 *     lte_ml_ranks_all(&plan, &search);
 *
 * Rows, steps and the order of levels are those of phy/detection/ml/ml_depth.h; a step ends where
 * no lane needs its next level. So what is at hand stays in registers, and the lanes of a vector or
 * of a warp do the same. What is found is the same.
 *
 * Source: that of phy/detection/ml/ml_depth.h.
 */

#include "phy/detection/ml/ml_found.h"
#include "phy/detection/tree_levels.h"

/* A row is a part of the one below it; of a kernel that takes any order each is a call. */
#if defined(__CUDACC__) && !defined(LTE_INLINE_ALL)
#define LTE_ML_RANKS_PART LTE_OUTLINE
#else
#define LTE_ML_RANKS_PART LTE_INLINE
#endif

typedef struct {
    lte_tree_walk at;
    lte_ml_found found;
    lte_word way[LTE_ML_MOST_TX]; /* labels of the symbols taken, by rows */
    /* Of kernels (kernels/cuda/device/search_ml.cuh): how many lanes share the search, the steps
     * that are left before it stops, and lanes that needed more then. */
    int lanes, steps;
    lte_mask left;
} lte_ml_ranks;

/* After a vector, the best metric that is known; and whether a step that lanes need is taken. Each
 * lane knows its own, and all are taken, but in kernels. */
#ifndef LTE_ML_RANKS_BOUND
#define LTE_ML_RANKS_BOUND(s) ((s)->found.best)
#define LTE_ML_RANKS_GOES_ON(s, needed) lte_any_lane(needed)
#endif

/* Vectors that end with the symbol of row 1 at hand; returns their metrics. */
LTE_ML_RANKS_PART lte_real lte_ml_ranks_end(const lte_detector_plan *plan, lte_ml_ranks *s)
{
    const lte_ml_end end =
        lte_ml_nearest(plan, &s->at, lte_tree_left(plan, &s->at, 0), s->at.above[1], &s->way[0]);
    lte_ml_take(plan, &s->found, s->way, end.metric);
    s->found.bound = LTE_ML_RANKS_BOUND(s);
    if (s->found.zero)
        lte_ml_lower_end(plan, &s->found, &s->at, &end);
    return end.metric;
}

/*
 * Row i, whose rows below are decided, and then the rows above it; returns the least metrics. Lanes
 * that do not need a symbol go on with a metric above all others.
 */
#define LTE_ML_RANKS_ROW(i, next)                                                                  \
    LTE_ML_RANKS_PART lte_real lte_ml_ranks_row_##i(const lte_detector_plan *plan,                 \
                                                    lte_ml_ranks *s)                               \
    {                                                                                              \
        lte_real best = r_set(LTE_ML_NONE);                                                        \
        const lte_cplx rest = lte_tree_left(plan, &s->at, i);                                      \
        lte_tree_levels re = lte_tree_levels_of(plan->n_bits, lte_tree_pivot(plan, &s->at, i),     \
                                                s->at.inverse[i], rest.re);                        \
        for (;;) {                                                                                 \
            const lte_tree_level a = lte_tree_next_level(&re);                                     \
            const lte_real squared = a.distance * a.distance;                                      \
            const lte_real least = s->at.above[i + 1] + squared;                                   \
            const lte_mask here = m_and(a.is, lte_ml_needs(&s->found, least));                     \
            if (!LTE_ML_RANKS_GOES_ON(s, here))                                                    \
                break;                                                                             \
            lte_tree_levels im = lte_tree_levels_of(plan->n_bits, lte_tree_pivot(plan, &s->at, i), \
                                                    s->at.inverse[i], rest.im);                    \
            for (;;) {                                                                             \
                const lte_tree_level b = lte_tree_next_level(&im);                                 \
                const lte_real metric =                                                            \
                    s->at.above[i + 1] + r_fma(b.distance, b.distance, squared);                   \
                const lte_mask taken = m_and(m_and(a.is, b.is), lte_ml_needs(&s->found, metric));  \
                if (!LTE_ML_RANKS_GOES_ON(s, taken))                                               \
                    break;                                                                         \
                const lte_cplx x = {a.x, b.x};                                                     \
                s->at.above[i] = r_sel(taken, metric, r_set(LTE_ML_PASSED));                       \
                s->way[i] = lte_qam_slice(plan->n_bits, x);                                        \
                lte_tree_take_off(plan, &s->at, i, x);                                             \
                const lte_real below = next(plan, s);                                              \
                if (s->found.zero)                                                                 \
                    lte_ml_lower_row(plan, &s->found, i, s->way[i], below);                        \
                lte_ml_lower(&best, below);                                                        \
            }                                                                                      \
        }                                                                                          \
        return best;                                                                               \
    }
LTE_ML_RANKS_ROW(1, lte_ml_ranks_end)
LTE_ML_RANKS_ROW(2, lte_ml_ranks_row_1)
LTE_ML_RANKS_ROW(3, lte_ml_ranks_row_2)
LTE_ML_RANKS_ROW(4, lte_ml_ranks_row_3)
LTE_ML_RANKS_ROW(5, lte_ml_ranks_row_4)
LTE_ML_RANKS_ROW(6, lte_ml_ranks_row_5)
LTE_ML_RANKS_ROW(7, lte_ml_ranks_row_6)
#undef LTE_ML_RANKS_ROW

/* The rows from `row` on upwards, those below it being decided; returns the least metric. */
LTE_INLINE lte_real lte_ml_ranks_from(const lte_detector_plan *plan, lte_ml_ranks *s, int row)
{
    lte_real least = r_set(LTE_ML_NONE);
#define FROM(i, search)                                                                            \
    if (row == i)                                                                                  \
        least = search(plan, s);
    FROM(0, lte_ml_ranks_end)
    FROM(1, lte_ml_ranks_row_1)
    FROM(2, lte_ml_ranks_row_2)
    FROM(3, lte_ml_ranks_row_3)
    FROM(4, lte_ml_ranks_row_4)
    FROM(5, lte_ml_ranks_row_5)
    FROM(6, lte_ml_ranks_row_6)
    FROM(7, lte_ml_ranks_row_7)
#undef FROM
    return least;
}

/* Searches all rows. */
LTE_INLINE void lte_ml_ranks_all(const lte_detector_plan *plan, lte_ml_ranks *s)
{
    s->at.above[plan->n_tx] = r_sel(s->at.told, r_set(0.0f), r_set(LTE_ML_PASSED));
    (void)lte_ml_ranks_from(plan, s, plan->n_tx - 1);
}

#endif
