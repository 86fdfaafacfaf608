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
 * with the most noise, then that with the least; of equal ones the lowest. Where H'H has no
 * inverse, that of H'H + d I stands for it, d = 2^-20 of its largest element: columns that depend
 * on others have the most noise. Silent layers, whose columns are zero, come last. Vectors and
 * metrics are those of phy/detection/tree.h; of equal metrics the smallest labels of the full rows
 * win, the last row leading.
 *
 * With p full layers the diversity is that of maximum likelihood if
 * (n_rx - n_tx)(p + 1) + (p + 1)^2 >= n_rx, the diversity of n_rx antennas.
 *
 * Source: Barbero, Thompson, Fixing the complexity of the sphere decoder for MIMO detection, IEEE
 * Trans. Wireless Commun. 7, 2008; Jalden, Barbero, Ottersten, Thompson, The error probability of
 * the fixed-complexity sphere decoder, IEEE Trans. Signal Processing 57, 2009.
 */

#include "phy/detection/tree_walk.h"
#include "phy/inversion/cholesky.h"
#include "phy/inversion/gram.h"
#include "phy/inversion/layer_order.h"

enum { LTE_FSD_FULL }; /* its parameter; 0: as many as its diversity needs */

/* Bits of the full layers at most: 65,536 vectors. */
enum { LTE_FSD_MOST_BITS = 16 };

/* Elements of the work memory: a walk, or the inverse of a Gram matrix. */
#define LTE_FSD_WORK(n_tx) LTE_TREE_REST(n_tx)

/* Full layers that diversity needs. */
LTE_INLINE int lte_fsd_usual(int n_rx, int n_tx)
{
    int p = 0;
    while ((n_rx - n_tx) * (p + 1) + (p + 1) * (p + 1) < n_rx)
        p++;
    return p;
}

LTE_INLINE int lte_fsd_full(const lte_detector_plan *plan)
{
    const int full = (int)plan->detector.value[LTE_FSD_FULL];
    return full > 0 ? full : lte_fsd_usual(plan->n_rx, plan->n_tx);
}

/* Relative to the largest element of H'H: what is added to its diagonal if it has no inverse. */
#define LTE_FSD_LOADING 0x1p-20f

/* The largest element of the diagonal of g [n][n], of those that are finite. */
LTE_INLINE lte_real lte_fsd_largest(int n, const lte_cplx *g)
{
    lte_real most = r_set(0.0f);
    LTE_UNROLL_DEVICE
    for (int k = 0; k < n; k++)
        most = r_sel(r_lt(most, g[k * n + k].re), g[k * n + k].re, most);
    return most;
}

/* g [n_tx][n_tx] <- (H'H + d I)^-1, with d in `lanes` alone: see the head of this file. */
LTE_COLD void lte_fsd_loaded_inverse(int n_rx, int n_tx, const lte_cplx *h, lte_mask lanes,
                                     lte_cplx *g)
{
    lte_gram(n_rx, n_tx, h, g);
    const lte_real loading = lte_fsd_largest(n_tx, g) * r_set(LTE_FSD_LOADING);
    lte_gram_load(n_tx, g, r_sel(lanes, loading, r_set(0.0f)));
    (void)lte_cholesky(n_tx, g);
}

/*
 * g [n_tx][n_tx] <- (H'H)^-1, loaded where that has none. Silent layers, whose diagonal is 0, are
 * marked if marks says so: -1 there.
 */
LTE_INLINE void lte_fsd_inverse(int n_rx, int n_tx, const lte_cplx *h, bool marks, lte_cplx *g)
{
    lte_real power[LTE_TREE_MOST_TX];
    lte_gram(n_rx, n_tx, h, g);
    LTE_UNROLL_DEVICE
    for (int k = 0; marks && k < n_tx; k++)
        power[k] = g[k * n_tx + k].re;
    const lte_mask none = lte_cholesky(n_tx, g);
    if (!m_any(none))
        return;
    lte_fsd_loaded_inverse(n_rx, n_tx, h, none, g);
    LTE_UNROLL_DEVICE
    for (int k = 0; marks && k < n_tx; k++)
        g[k * n_tx + k].re = r_sel(r_lt(r_set(0.0f), power[k]), g[k * n_tx + k].re, r_set(-1.0f));
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_fsd_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                     lte_disturbance disturbance, lte_inverse_fn *invert,
                                     lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_ordered_columns columns = {n_rx, n_tx, state, lte_tree_layers(plan, state),
                                         work, NULL};
    lte_real places[LTE_TREE_MOST_TX];
    (void)invert;
    LTE_UNROLL_DEVICE
    for (int e = 0; e < n_rx * n_tx; e++)
        state[e] = h[e];
    lte_fsd_inverse(n_rx, n_tx, h, false, work);
    lte_order_layers(&columns, lte_fsd_full(plan));
    const lte_mask flag = lte_sorted_qr(n_rx, n_tx, LTE_QR_AS_GIVEN, LTE_QR_RESTS, NULL, state,
                                        lte_tree_r(plan, state), places);
    lte_tree_scale(plan, flag, disturbance, state);
    return flag;
}

/* is_extreme and prepare_scaled of phy/detection/detector.h. */
LTE_INLINE lte_mask lte_fsd_is_extreme(const lte_detector_plan *plan, lte_mask flag, lte_real n0,
                                       lte_cplx *state, const lte_cplx *work)
{
    (void)work;
    return lte_tree_is_extreme(plan, flag, n0, state);
}
LTE_COLD lte_mask lte_fsd_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                         const lte_cplx *h, lte_disturbance disturbance,
                                         lte_inverse_fn *invert, lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    lte_tree_scaling by;
    lte_real places[LTE_TREE_MOST_TX];
    (void)invert;
    lte_tree_begin_scaled(plan, lanes, h, state, &by);
    const lte_ordered_columns columns = {n_rx, n_tx,     state, lte_tree_layers(plan, state),
                                         work, by.factor};
    lte_fsd_inverse(n_rx, n_tx, state, true, work);
    lte_order_layers(&columns, lte_fsd_full(plan));
    const lte_mask flag = lte_sorted_qr(n_rx, n_tx, LTE_QR_AS_GIVEN, LTE_QR_RESTS, NULL, state,
                                        lte_tree_r(plan, state), places);
    lte_tree_finish_scaled(plan, lanes, flag, disturbance, &by, state);
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
