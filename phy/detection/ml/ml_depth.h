#ifndef LTE_PHY_ML_DEPTH_H
#define LTE_PHY_ML_DEPTH_H
/*
 * The search for the nearest vector that each lane goes on its own: depth first by rising distance
 * (Schnorr-Euchner), with a bound on the nodes that it may enter, or without.
 *
 *     lte_ml_depth search;
 *     lte_tree_start(&plan, state, y, work, &search.at);
 *     lte_ml_find_nothing(&plan, clip, numbers, &search.found);
 *     unfinished = lte_ml_depth_all(&plan, &search, budget);             // 0: without a bound
 *
 * A row is decided in two steps, the level of the real part and then that of the imaginary part. Of
 * each the levels are tried by rising distance, from the nearest one outwards on either side; once
 * a lane needs none of these, it needs none further out, and goes back a step. Row 0 takes the
 * nearest point. A node is a symbol taken in one of the other rows: the first vector, that of
 * successive decisions, takes n_tx - 1 of them. A lane that has entered as many as it may ends with
 * the best vector that it has.
 *
 * What is found does not depend on the order but where lanes end early: it is that of
 * phy/detection/ml/ml_ranks.h. The metric of a step of the real part, without the imaginary one's,
 * is never above that of both, in floats, too: rounded sums and products keep the order.
 *
 * Source: Agrell, Eriksson, Vardy, Zeger, Closest point search in lattices, IEEE Trans. Inf. Theory
 * 48, 2002; Schnorr, Euchner, Lattice basis reduction, Math. Program. 66, 1994.
 */

#include "phy/detection/ml/ml_found.h"
#include "phy/detection/tree_levels.h"

typedef struct {
    lte_tree_walk at;
    lte_ml_found found;
    /* of rows: the symbol taken, its label, and the real part of what it adds, squared */
    lte_cplx x[LTE_ML_MOST_TX];
    lte_word way[LTE_ML_MOST_TX];
    lte_real square[LTE_ML_MOST_TX];
    /* of steps, 2 i + 1 the real part of row i and 2 i the imaginary one: what is left of them */
    lte_real lower[2 * LTE_ML_MOST_TX], upper[2 * LTE_ML_MOST_TX];
    lte_word step, nodes;
    lte_mask unfinished;
    uint32_t most; /* nodes; 0: any */
} lte_ml_depth;

/* What is left of its row. */
LTE_INLINE lte_real lte_ml_depth_left(const lte_detector_plan *plan, const lte_ml_depth *s,
                                      int step)
{
    const lte_cplx rest = lte_tree_left(plan, &s->at, step / 2);
    return step % 2 ? rest.re : rest.im;
}

/* On to a step: all its levels are left. */
LTE_INLINE void lte_ml_depth_enter(const lte_detector_plan *plan, lte_ml_depth *s, int step,
                                   lte_mask lanes)
{
    const lte_tree_levels all =
        lte_tree_levels_of(plan->n_bits, lte_tree_pivot(plan, &s->at, step / 2),
                           s->at.inverse[step / 2], lte_ml_depth_left(plan, s, step));
    s->lower[step] = r_sel(lanes, all.lower, s->lower[step]);
    s->upper[step] = r_sel(lanes, all.upper, s->upper[step]);
}

/* On to row i, whose rows below are decided. */
LTE_INLINE void lte_ml_depth_enter_row(const lte_detector_plan *plan, lte_ml_depth *s, int i,
                                       lte_mask lanes)
{
    const int n_tx = plan->n_tx;
    lte_cplx rest = s->at.rest[(n_tx - 1) * n_tx + i];
    for (int j = n_tx - 1; j > i; j--)
        rest = c_nmac(rest, s->at.r[i * n_tx + j], s->x[j]);
    s->at.rest[i * n_tx + i] = c_sel(lanes, rest, s->at.rest[i * n_tx + i]);
    if (i > 0)
        lte_ml_depth_enter(plan, s, 2 * i + 1, lanes);
}

/* Vectors that end where lanes have taken a symbol of row 1. */
LTE_INLINE void lte_ml_depth_end(const lte_detector_plan *plan, lte_ml_depth *s, lte_mask lanes)
{
    lte_ml_found *const found = &s->found;
    lte_ml_end end =
        lte_ml_nearest(plan, &s->at, lte_tree_left(plan, &s->at, 0), s->at.above[1], &s->way[0]);
    end.metric = r_sel(lanes, end.metric, r_set(LTE_ML_NONE));
    lte_ml_take(plan, found, s->way, end.metric);
    found->bound = found->best;
    if (!found->zero)
        return;
    for (int i = 1; i < plan->n_tx; i++)
        lte_ml_lower_row(plan, found, i, s->way[i], end.metric);
    lte_ml_lower_end(plan, found, &s->at, &end);
}

/* Lanes that may enter one node more; the others end. */
LTE_INLINE lte_mask lte_ml_depth_pays(const lte_detector_plan *plan, lte_ml_depth *s,
                                      lte_mask lanes)
{
    const lte_mask spent = s->most > 0 ? m_and(lanes, w_eq(s->nodes, w_set(s->most))) : m_none();
    const lte_mask pays = m_and(lanes, m_not(spent));
    s->unfinished = m_or(s->unfinished, spent);
    s->step = w_sel(spent, w_set(2 * (uint32_t)plan->n_tx), s->step);
    s->nodes = s->nodes + w_sel(pays, w_set(1), w_set(0));
    return pays;
}

/* A step of the lanes that are there. */
LTE_INLINE void lte_ml_depth_step(const lte_detector_plan *plan, lte_ml_depth *s, int step,
                                  lte_mask lanes)
{
    const int i = step / 2;
    const bool of_real = step % 2;
    lte_tree_levels levels = lte_tree_levels_from(plan->n_bits, lte_tree_pivot(plan, &s->at, i),
                                                  lte_ml_depth_left(plan, s, step));
    levels.lower = s->lower[step];
    levels.upper = s->upper[step];
    const lte_tree_level next = lte_tree_nearest_level(&levels);
    const lte_real squared = next.distance * next.distance;
    const lte_real metric = s->at.above[i + 1] +
                            (of_real ? squared : r_fma(next.distance, next.distance, s->square[i]));
    lte_mask taken = m_and(lanes, m_and(next.is, lte_ml_needs(&s->found, metric)));
    s->step = w_sel(m_and(lanes, m_not(taken)), w_set((uint32_t)step + 1), s->step);
    if (!of_real)
        taken = lte_ml_depth_pays(plan, s, taken);
    if (!m_any(taken))
        return;
    lte_tree_take_level(&next, taken, &levels);
    s->lower[step] = levels.lower;
    s->upper[step] = levels.upper;
    if (of_real) {
        s->x[i].re = r_sel(taken, next.x, s->x[i].re);
        s->square[i] = r_sel(taken, squared, s->square[i]);
        lte_ml_depth_enter(plan, s, step - 1, taken);
    } else {
        s->x[i].im = r_sel(taken, next.x, s->x[i].im);
        s->at.above[i] = r_sel(taken, metric, s->at.above[i]);
        s->way[i] = w_sel(taken, lte_qam_slice(plan->n_bits, s->x[i]), s->way[i]);
        lte_ml_depth_enter_row(plan, s, i - 1, taken);
    }
    if (step > 2)
        s->step = w_sel(taken, w_set((uint32_t)step - 1), s->step);
    else
        lte_ml_depth_end(plan, s, taken);
}

/* Goes all ways that lanes need; returns those that ended before, of most > 0 nodes. */
LTE_INLINE lte_mask lte_ml_depth_all(const lte_detector_plan *plan, lte_ml_depth *s, uint32_t most)
{
    const int n_tx = plan->n_tx, top = 2 * n_tx;
    s->most = most;
    s->nodes = w_set(0);
    s->unfinished = m_none();
    for (int i = 0; i < n_tx; i++) {
        s->x[i] = c_zero();
        s->way[i] = w_set(0);
        s->square[i] = s->at.above[i] = r_set(0.0f);
    }
    for (int step = 0; step < top; step++)
        s->lower[step] = s->upper[step] = r_set(0.0f);
    lte_ml_depth_enter_row(plan, s, n_tx - 1, s->at.told);
    if (n_tx == 1) {
        lte_ml_depth_end(plan, s, s->at.told);
        return m_none();
    }
    s->step = w_sel(s->at.told, w_set((uint32_t)top - 1), w_set((uint32_t)top));
    while (m_any(m_not(w_eq(s->step, w_set((uint32_t)top))))) {
        for (int step = top - 1; step > 1; step--) {
            const lte_mask lanes = w_eq(s->step, w_set((uint32_t)step));
            if (m_any(lanes))
                lte_ml_depth_step(plan, s, step, lanes);
        }
    }
    return s->unfinished;
}

#endif
