#ifndef LTE_PHY_TREE_WALK_H
#define LTE_PHY_TREE_WALK_H
/*
 * A walk through the tree of symbol vectors (phy/detection/tree.h), which goes the same way in all
 * lanes: what is left of b when the symbols of the rows below are taken off, and metrics so far.
 *
 *     lte_tree_walk walk;
 *     lte_tree_start(&plan, state, y, rest, &walk);
 *     lte_cplx rest = lte_tree_left(&plan, &walk, i);
 *     walk.above[i] = walk.above[i + 1] + lte_tree_step(&plan, &walk, i, rest, x);
 *     lte_tree_take_off(&plan, &walk, i, x);              // then on to row i - 1
 */

#include "phy/detection/tree.h"

/* Layers that it goes through at most, and elements of its memory. */
enum { LTE_TREE_MOST_TX = LTE_MAX_ORDER };
#define LTE_TREE_REST(n_tx) ((n_tx) * (n_tx))

typedef struct {
    lte_real above[LTE_TREE_MOST_TX + 1]; /* metrics of the rows from i on */
    lte_real inverse[LTE_TREE_MOST_TX];   /* lte_tree_inverse of r_ii */
    const lte_cplx *r;
    lte_cplx *rest; /* [i][row]: what is left of a row <= i when those from i + 1 on are decided */
    lte_mask told;  /* lanes that have something to search */
} lte_tree_walk;

/* Begins at the last row; rest [LTE_TREE_REST(n_tx)]. */
LTE_INLINE void lte_tree_start(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                               lte_cplx *rest, lte_tree_walk *walk)
{
    const int n_tx = plan->n_tx;
    walk->r = lte_tree_r(plan, state);
    walk->rest = rest;
    walk->above[n_tx] = r_set(0.0f);
    walk->told = lte_tree_has_layers(plan, state);
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++) {
        const lte_cplx b = lte_tree_received(plan, i, state, y);
        walk->told = m_and(walk->told, m_and(r_finite(b.re), r_finite(b.im)));
        walk->inverse[i] = lte_tree_inverse(walk->r[i * n_tx + i].re);
        rest[(n_tx - 1) * n_tx + i] = b;
    }
}

/* What is left of row i, whose rows below are decided. */
LTE_INLINE lte_cplx lte_tree_left(const lte_detector_plan *plan, const lte_tree_walk *walk, int i)
{
    return walk->rest[i * plan->n_tx + i];
}

/* r_ii. */
LTE_INLINE lte_real lte_tree_pivot(const lte_detector_plan *plan, const lte_tree_walk *walk, int i)
{
    return walk->r[i * plan->n_tx + i].re;
}

/* The rest of rows above i once row i has symbol x, out of what it was: rows 0 .. i - 1. */
LTE_INLINE void lte_tree_take_off(const lte_detector_plan *plan, lte_tree_walk *walk, int i,
                                  lte_cplx x)
{
    const lte_cplx *const from = &walk->rest[i * plan->n_tx];
    lte_cplx *const to = &walk->rest[(i - 1) * plan->n_tx];
    LTE_UNROLL_DEVICE
    for (int row = 0; row < i; row++)
        to[row] = c_nmac(from[row], walk->r[row * plan->n_tx + i], x);
}

/* What row i adds to a metric with symbol x. */
LTE_INLINE lte_real lte_tree_step(const lte_detector_plan *plan, const lte_tree_walk *walk, int i,
                                  lte_cplx rest, lte_cplx x)
{
    return c_abs2(c_add_scaled(rest, x, r_neg(lte_tree_pivot(plan, walk, i))));
}

/* The nearest label of row i to a rest. */
LTE_INLINE lte_word lte_tree_slice(const lte_detector_plan *plan, const lte_tree_walk *walk, int i,
                                   lte_cplx rest)
{
    return lte_qam_slice(plan->n_bits, c_scale(rest, walk->inverse[i]));
}

#endif
