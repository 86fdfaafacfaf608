#ifndef LTE_PHY_FSD_H
#define LTE_PHY_FSD_H
/*
 * The fixed-complexity sphere decoder: the `full` weakest layers are detected first, by trying all
 * their points, the others by successive decisions, and of these vectors the nearest one is taken.
 *
 *     flag = lte_fsd_prepare(&plan, h, disturbance, invert, state, work);
 *     left = lte_fsd_detect(&plan, state, y, &decision, work);
 *
 * Layers are put in order from the last row of R on: with S the layers that are left, the noise
 * behind zero forcing of layer k is n0 [(H_S'H_S)^-1]_kk. Of the first `full` rows it is the layer
 * with the most noise, then that with the least; of equal ones the lowest. Vectors and metrics are
 * those of phy/detection/tree.h; of equal metrics the smallest labels of the full rows win, the
 * last row leading.
 *
 * With p full layers the diversity is that of maximum likelihood if
 * (n_rx - n_tx)(p + 1) + (p + 1)^2 >= n_tx.
 *
 * Source: Barbero, Thompson, Fixing the complexity of the sphere decoder for MIMO detection, IEEE
 * Trans. Wireless Commun. 7, 2008; Jalden, Barbero, Ottersten, Thompson, The error probability of
 * the fixed-complexity sphere decoder, IEEE Trans. Signal Processing 57, 2009.
 */

#include "phy/detection/tree_walk.h"
#include "phy/inversion/cholesky.h"
#include "phy/inversion/gram.h"

enum { LTE_FSD_FULL }; /* its parameter; 0: as many as its diversity needs */

/* Bits of the full layers at most: 65,536 vectors. */
enum { LTE_FSD_MOST_BITS = 16 };

/* Elements of the work memory: a walk, or the inverse of a Gram matrix. */
#define LTE_FSD_WORK(n_tx) LTE_TREE_REST(n_tx)

/* Full layers that diversity needs. */
LTE_INLINE int lte_fsd_usual(int n_rx, int n_tx)
{
    int p = 0;
    while ((n_rx - n_tx) * (p + 1) + (p + 1) * (p + 1) < n_tx)
        p++;
    return p;
}

LTE_INLINE int lte_fsd_full(const lte_detector_plan *plan)
{
    const int full = (int)plan->detector.value[LTE_FSD_FULL];
    return full > 0 ? full : lte_fsd_usual(plan->n_rx, plan->n_tx);
}

/* Swaps places a and b of the columns of H, of the layers and of the inverse, where m holds. */
LTE_INLINE void lte_fsd_swap(int n_rx, int n_tx, int a, int b, lte_mask m, lte_cplx *h,
                             lte_real *layer, lte_cplx *g)
{
    const lte_real first = r_sel(m, layer[b], layer[a]);
    layer[b] = r_sel(m, layer[a], layer[b]);
    layer[a] = first;
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_rx; e++)
        lte_swap_where(m, &h[e * n_tx + a], &h[e * n_tx + b]);
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_tx; e++)
        lte_swap_where(m, &g[a * n_tx + e], &g[b * n_tx + e]);
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_tx; e++)
        lte_swap_where(m, &g[e * n_tx + a], &g[e * n_tx + b]);
}

/* Moves the layer of the most noise, or the least, of places 0 .. i to place i. */
LTE_INLINE void lte_fsd_choose(int n_rx, int n_tx, int i, bool most, lte_cplx *h, lte_real *layer,
                               lte_cplx *g)
{
    lte_real best = g[0].re, first = layer[0];
    lte_word at = w_set(0);
    LTE_UNROLL_DEVICE
    for (int k = 1; k <= i; k++) {
        const lte_real noise = g[k * n_tx + k].re;
        const lte_mask less = r_lt(noise, best), more = r_lt(best, noise);
        const lte_mask alike = m_and(m_not(m_or(less, more)), r_lt(layer[k], first));
        const lte_mask better = m_or(most ? more : less, alike);
        best = r_sel(better, noise, best);
        first = r_sel(better, layer[k], first);
        at = w_sel(better, w_set((uint32_t)k), at);
    }
    LTE_UNROLL_DEVICE
    for (int k = 0; k < i; k++) {
        const lte_mask here = w_eq(at, w_set((uint32_t)k));
        if (m_any(here))
            lte_fsd_swap(n_rx, n_tx, k, i, here, h, layer, g);
    }
}

/*
 * Puts the columns of h [n_rx][n_tx] in order; g [n_tx][n_tx] is the inverse of H'H and is lost.
 * Of the layers that are left when place i goes, the inverse is G_kj - G_ki G_ij / G_ii.
 */
LTE_INLINE void lte_fsd_order(int n_rx, int n_tx, int full, lte_cplx *h, lte_real *layer,
                              lte_cplx *g)
{
    LTE_UNROLL_DEVICE
    for (int k = 0; k < n_tx; k++)
        layer[k] = r_set((float)k);
    LTE_UNROLL_DEVICE
    for (int i = n_tx - 1; i > 0; i--) {
        lte_fsd_choose(n_rx, n_tx, i, i >= n_tx - full, h, layer, g);
        const lte_real inverse = r_set(1.0f) / g[i * n_tx + i].re;
        LTE_UNROLL_DEVICE
        for (int k = 0; k < i; k++) {
            const lte_cplx part = c_scale(g[k * n_tx + i], inverse);
            LTE_UNROLL_DEVICE
            for (int j = 0; j < i; j++)
                g[k * n_tx + j] = c_nmac(g[k * n_tx + j], part, g[i * n_tx + j]);
        }
    }
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_fsd_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                     lte_disturbance disturbance, lte_inverse_fn *invert,
                                     lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    lte_real places[LTE_TREE_MOST_TX];
    (void)invert;
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = h[e];
    lte_gram(n_rx, n_tx, h, work);
    lte_mask flag = lte_cholesky(n_tx, work);
    lte_fsd_order(n_rx, n_tx, lte_fsd_full(plan), state, lte_tree_layers(plan, state), work);
    flag = m_or(flag,
                lte_sorted_qr(n_rx, n_tx, LTE_QR_AS_GIVEN, state, lte_tree_r(plan, state), places));
    lte_tree_scale(plan, flag, disturbance, state);
    return flag;
}

/* The metric of the vector whose full rows are `way` of labels, the last row leading; label [n_tx]
   out. */
LTE_INLINE lte_real lte_fsd_try(const lte_detector_plan *plan, lte_tree_walk *walk, int full,
                                uint32_t way, lte_word *label)
{
    const int n_tx = plan->n_tx, n_bits = plan->n_bits, first = n_tx - full;
    LTE_UNROLL_DEVICE
    for (int i = n_tx - 1; i >= 0; i--) {
        const lte_cplx rest = lte_tree_left(plan, walk, i);
        label[i] = i >= first ? w_set(way >> (i - first) * n_bits & ((1u << n_bits) - 1))
                              : lte_tree_slice(plan, walk, i, rest);
        const lte_cplx x = lte_qam_map(n_bits, label[i]);
        walk->above[i] = walk->above[i + 1] + lte_tree_step(plan, walk, i, rest, x);
        if (i > 0)
            lte_tree_take_off(plan, walk, i, x);
    }
    return walk->above[0];
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_fsd_detect(const lte_detector_plan *plan, lte_cplx *state,
                                    const lte_cplx *y, const lte_decision *decision, lte_cplx *work)
{
    const int n_tx = plan->n_tx, full = lte_fsd_full(plan);
    lte_word best[LTE_TREE_MOST_TX], label[LTE_TREE_MOST_TX];
    lte_tree_walk walk;
    lte_tree_start(plan, state, y, work, &walk);
    lte_real least = lte_fsd_try(plan, &walk, full, 0, best);
    for (uint32_t way = 1; way < 1u << full * plan->n_bits; way++) {
        const lte_real metric = lte_fsd_try(plan, &walk, full, way, label);
        const lte_mask better = r_lt(metric, least);
        least = r_sel(better, metric, least);
        LTE_UNROLL_DEVICE
        for (int i = 0; i < n_tx; i++)
            best[i] = w_sel(better, label[i], best[i]);
    }
    lte_tree_give_nothing(plan, decision);
    LTE_UNROLL_DEVICE
    for (int i = 0; i < n_tx; i++)
        lte_tree_give_label(plan, lte_tree_layers(plan, state)[i], walk.told, best[i], decision);
    return m_none();
}

#endif
