#ifndef LTE_TESTS_LIB_TIES_H
#define LTE_TESTS_LIB_TIES_H
/*
 * Trees in which many vectors have the same metric: where symbols are, R and b are small integers.
 *
 *     make_ties(&plan, sc, state, y);      // for each sc another one
 */

#include <string.h>

#include "phy/channel/channel.h"
#include "phy/detection/tree.h"

enum { TIES_MOST_TX = 5 };

/* The state of a search (phy/detection/tree.h), Q being I, and y [n_rx]. */
static void make_ties(const lte_detector_plan *plan, uint32_t sc, lte_cplx *state, lte_cplx *y)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const float unit = lte_qam_unit(plan->n_bits);
    const lte_draws draws = lte_draws_of(18, n_rx, n_tx, 8);
    lte_cplx *const r = lte_tree_r(plan, state);
    memset(state, 0, (size_t)LTE_TREE_STATE(n_rx, n_tx) * sizeof *state);
    memset(y, 0, (size_t)n_rx * sizeof *y);
    for (int i = 0; i < n_tx; i++) {
        const lte_words w = lte_draw(&draws, sc, LTE_DRAW_PAYLOAD, (uint32_t)i);
        state[i * n_tx + i].re = 1.0f;
        y[i] = (lte_cplx){(float)(w.v[0] % 5) - 2.0f, (float)(w.v[1] % 5) - 2.0f};
        lte_tree_layers(plan, state)[i] = (float)i;
        for (int j = i; j < n_tx; j++) {
            const lte_words v =
                lte_draw(&draws, sc, LTE_DRAW_NOISE, (uint32_t)(i * TIES_MOST_TX + j));
            r[i * n_tx + j].re = (i == j ? 1.0f : (float)(v.v[0] % 3) - 1.0f) / unit;
            r[i * n_tx + j].im = i == j ? 0.0f : ((float)(v.v[1] % 3) - 1.0f) / unit;
        }
    }
}

#endif
