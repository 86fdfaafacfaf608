#ifndef LTE_PHY_ML_WALK_H
#define LTE_PHY_ML_WALK_H
/*
 * The search for the nearest vector that goes the same way in all lanes: every vector of labels by
 * rising labels, the last row's leading, but for subtrees that no lane needs.
 *
 *     lte_ml_walk walk;
 *     lte_tree_start(&plan, state, y, work, &walk.at);
 *     lte_ml_find_nothing(&plan, clip, numbers, &walk.found);
 *     lte_ml_walk_all(&walk);
 *
 * It begins with the vector of successive decisions, so that there is a bound.
 */

#include "phy/detection/ml/ml_found.h"

/* Where it is, and what lanes have found. */
typedef struct {
    lte_tree_walk at;
    lte_ml_found found;
    uint32_t path[LTE_ML_MOST_TX]; /* labels of the way, of rows from 1 on */
} lte_ml_walk;

/* The first vector: each row's nearest symbol after those below are taken off. */
LTE_INLINE void lte_ml_walk_first(lte_ml_walk *s)
{
    lte_word way[LTE_ML_MOST_TX];
    lte_real metric = r_set(0.0f);
    for (int i = s->at.n_tx - 1; i >= 0; i--) {
        const lte_cplx rest = lte_tree_left(&s->at, i);
        way[i] = lte_tree_slice(&s->at, i, rest);
        const lte_cplx x = lte_qam_map(s->at.n_bits, way[i]);
        metric = metric + lte_tree_step(&s->at, i, rest, x);
        if (i > 0)
            lte_tree_take_off(&s->at, i, x);
    }
    s->found.best = metric;
    for (int i = 0; i < s->at.n_tx; i++)
        s->found.label[i] = way[i];
}

/* A way down to row 0. */
LTE_INLINE void lte_ml_walk_end(lte_ml_walk *s)
{
    lte_ml_found *const found = &s->found;
    lte_word way[LTE_ML_MOST_TX];
    const lte_ml_end end =
        lte_ml_nearest(&s->at, lte_tree_left(&s->at, 0), s->at.above[1], &way[0]);
    for (int i = 1; i < found->n_tx; i++)
        way[i] = w_set(s->path[i]);
    lte_ml_take(found, way, end.metric);
    if (!found->zero)
        return;
    for (int i = 1; i < found->n_tx; i++) {
        for (int bit = 0; bit < found->n_bits; bit++) {
            lte_real *const of = s->path[i] >> bit & 1 ? found->one : found->zero;
            lte_ml_lower(&of[i * found->n_bits + bit], end.metric);
        }
    }
    lte_ml_find_levels(found, &s->at, 0, s->at.above[1], &end);
    lte_ml_find_levels(found, &s->at, 1, s->at.above[1], &end);
}

/* Walks the tree, once it is there and nothing is found. */
LTE_INLINE void lte_ml_walk_all(lte_ml_walk *s)
{
    const uint32_t n_labels = 1u << s->at.n_bits;
    int i = s->at.n_tx - 1;
    lte_ml_walk_first(s);
    if (i == 0) {
        lte_ml_walk_end(s);
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
        if (!m_any(m_and(s->at.told, lte_ml_needs(&s->found, metric)))) {
            s->path[i]++;
            continue;
        }
        s->at.above[i] = metric;
        lte_tree_take_off(&s->at, i, x);
        if (i == 1) {
            lte_ml_walk_end(s);
            s->path[1]++;
        } else {
            s->path[--i] = 0;
        }
    }
}

#endif
