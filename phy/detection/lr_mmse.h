#ifndef LTE_PHY_LR_MMSE_H
#define LTE_PHY_LR_MMSE_H
/*
 * MMSE in a reduced lattice: the symbols are points of a lattice; with a shorter basis of the same
 * one, rounding to the nearest point is nearly as good as maximum likelihood.
 *
 *     flag = lte_lr_mmse_prepare(&plan, h, disturbance, invert, state, work);
 *     left = lte_lr_mmse_detect(&plan, state, y, &decision, work);
 *
 * With A half the distance between neighbours (phy/detection/qam.h), a symbol x is of a Gaussian
 * integer s = (x / A + 1 + i) / 2. Let [Q1; Q2] R be the sorted decomposition of the extended
 * channel matrix (phy/detection/mmse_sic.h), and R' what its reduction by T leaves of R
 * (phy/inversion/lattice.h), Q1' R' = Q1 R T. Then
 *
 *     z = round(T^-1 s~) = round(R'^-1 Q1'^H y / (2 A) + T^-1 (1 + i) / 2),   s = T z,
 *
 * s~ of the MMSE estimate; a layer's label is that of the symbol nearest to A (2 s - 1 - i).
 *
 * Source: Wuebben, Boehnke, Kuehn, Kammeyer, Near-maximum-likelihood detection of MIMO systems
 * using MMSE-based lattice reduction, IEEE ICC 2004.
 */

#include "phy/detection/mmse_sic.h"
#include "phy/inversion/lattice.h"

enum { LTE_LR_MMSE_SWAPS }; /* its parameter */

/* Elements of the work memory: the extended matrix, R and the inverse of T. */
#define LTE_LR_MMSE_WORK(n_rx, n_tx) (((n_rx) + 3 * (n_tx)) * (n_tx))

/*
 * The state: R'^-1 Q1'^H / (2 A) by antenna [n_rx][n_tx], T [n_tx][n_tx], and then, as of
 * phy/detection/tree.h, the layers, in n_tx of 2 n_tx real numbers; the next one is 1 where there
 * is a state. Behind them T^-1 (1 + i) / 2 [n_tx].
 */
#define LTE_LR_MMSE_STATE(n_rx, n_tx) (LTE_TREE_STATE(n_rx, n_tx) + (n_tx))

LTE_INLINE lte_cplx *lte_lr_mmse_shift(const lte_detector_plan *plan, lte_cplx *state)
{
    return &state[LTE_TREE_STATE(plan->n_rx, plan->n_tx)];
}

/* The filter R^-1 Q1^H times scale, from the last row on. */
LTE_INLINE void lte_lr_mmse_filter(int n_rx, int n_tx, lte_real scale, const lte_cplx *q,
                                   const lte_cplx *r, lte_cplx *filter)
{
    for (int i = n_tx - 1; i >= 0; i--) {
        const lte_real pivot = r_set(1.0f) / r[i * n_tx + i].re;
        for (int e = 0; e < n_rx; e++) {
            lte_cplx sum = c_scale(c_conj(q[e * n_tx + i]), scale);
            for (int j = i + 1; j < n_tx; j++)
                sum = c_nmac(sum, r[i * n_tx + j], filter[e * n_tx + j]);
            filter[e * n_tx + i] = c_scale(sum, pivot);
        }
    }
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_lr_mmse_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                         lte_disturbance disturbance, lte_inverse_fn *invert,
                                         lte_cplx *state, lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx, n_rows = n_rx + n_tx;
    lte_cplx *const r = &work[n_rows * n_tx], *const inverse = &r[n_tx * n_tx];
    lte_cplx *const shift = lte_lr_mmse_shift(plan, state);
    lte_real *const layer = lte_tree_layers(plan, state);
    const lte_real scale = r_set(0.5f / lte_qam_unit(plan->n_bits));
    const lte_lattice basis = {n_rows, n_tx, work, r, lte_tree_r(plan, state), inverse};
    (void)invert;
    lte_extend(n_rx, n_tx, h, disturbance.n0, work);
    const lte_mask flag =
        lte_sorted_qr(n_rows, n_tx, LTE_QR_WEAKEST_FIRST, 0.0f, NULL, work, r, layer);
    lte_lattice_begin(&basis);
    (void)lte_lattice_reduce(&basis, (int)plan->detector.value[LTE_LR_MMSE_SWAPS]);
    lte_lr_mmse_filter(n_rx, n_tx, scale, work, r, state);
    for (int i = 0; i < n_tx; i++) {
        lte_cplx sum = c_zero(); /* times (1 + i) / 2 */
        for (int j = 0; j < n_tx; j++) {
            sum.re = sum.re + (inverse[i * n_tx + j].re - inverse[i * n_tx + j].im);
            sum.im = sum.im + (inverse[i * n_tx + j].re + inverse[i * n_tx + j].im);
        }
        shift[i] = c_sel(flag, c_zero(), c_scale(sum, r_set(0.5f)));
        layer[i] = r_sel(flag, r_set((float)i), layer[i]);
    }
    layer[n_tx] = r_sel(flag, r_set(0.0f), r_set(1.0f));
    for (int e = 0; e < n_rows * n_tx; e++) /* the filter and T */
        state[e] = c_sel(flag, c_zero(), state[e]);
    return flag;
}

/* Lanes out of a float's range (phy/detection/detector.h), from R' in the work memory. */
LTE_INLINE lte_mask lte_lr_mmse_is_extreme(const lte_detector_plan *plan, lte_mask flag,
                                           lte_real n0, lte_cplx *state, const lte_cplx *work)
{
    const int n_tx = plan->n_tx;
    const lte_cplx *const r = &work[(plan->n_rx + n_tx) * n_tx];
    lte_mask extreme = m_or(flag, lte_is_extreme_noise(n0, LTE_USUAL_RANGE));
    (void)state;
    for (int i = 0; i < n_tx; i++)
        extreme = m_or(extreme,
                       lte_is_extreme(r[i * n_tx + i].re * r[i * n_tx + i].re, LTE_EXTREME_POWER));
    return extreme;
}
LTE_INLINE lte_mask lte_lr_mmse_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                               const lte_cplx *h, lte_disturbance disturbance,
                                               lte_inverse_fn *invert, lte_cplx *state,
                                               lte_cplx *work)
{
    return lte_prepare_at_scale(plan, lanes, lte_lr_mmse_prepare, h, disturbance, invert, state,
                                work);
}

/* The nearest whole number, of halves the upper one: the symbol that the slicer takes. */
LTE_INLINE lte_real lte_lr_mmse_round(lte_real x)
{
    const lte_real whole = lte_whole(x);
    return r_sel(r_lt(x - whole, r_set(0.5f)), whole, whole + r_set(1.0f));
}

/* Arguments as phy/detection/detector.h. */
LTE_OUTLINE lte_mask lte_lr_mmse_detect(const lte_detector_plan *plan, lte_cplx *state,
                                        const lte_cplx *y, const lte_decision *decision,
                                        lte_cplx *work)
{
    const int n_rx = plan->n_rx, n_tx = plan->n_tx;
    const lte_cplx *const t = lte_tree_r(plan, state), *const shift =
                                                           lte_lr_mmse_shift(plan, state);
    const lte_real unit = r_set(lte_qam_unit(plan->n_bits)), twice = unit + unit;
    lte_mask told = r_lt(r_set(0.0f), lte_tree_layers(plan, state)[n_tx]);
    for (int i = 0; i < n_tx; i++) {
        lte_cplx z = shift[i];
        for (int e = 0; e < n_rx; e++)
            z = c_mac(z, state[e * n_tx + i], y[e]);
        told = m_and(told, m_and(r_finite(z.re), r_finite(z.im)));
        work[i].re = lte_lr_mmse_round(z.re);
        work[i].im = lte_lr_mmse_round(z.im);
    }
    lte_tree_give_nothing(plan, decision);
    for (int i = 0; i < n_tx; i++) {
        lte_cplx s = c_zero();
        for (int j = 0; j < n_tx; j++)
            s = c_mac(s, t[i * n_tx + j], work[j]);
        const lte_cplx x = {s.re * twice - unit, s.im * twice - unit};
        lte_tree_give_label(plan, lte_tree_layers(plan, state)[i], told,
                            lte_qam_slice(plan->n_bits, x), decision);
    }
    return m_none();
}

#endif
