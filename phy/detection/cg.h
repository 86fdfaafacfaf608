#ifndef LTE_PHY_CG_H
#define LTE_PHY_CG_H
/*
 * MMSE by conjugate gradients: a number of their steps from x = 0 towards A x = z of
 * phy/detection/iterating.h. In exact arithmetic n_tx steps reach the solution, in massive MIMO a
 * few come near it.
 *
 * Lengths and weights of the steps depend on z, so the filter P does, too. Gains and SINRs are
 * those of the P that the steps from two probes make together, z = H'H v for
 *
 *     v_k = 1   and   v_k = i^(k (k + 1) / 2),
 *
 * which have their power in the eigenvectors of A as z has it. Probes that are solved, to the
 * precision of a float, take no more steps.
 *
 *     flag = lte_cg_prepare(&plan, h, disturbance, invert, state, work);
 *     lte_cg_estimate(&plan, state, y, x, rho);
 *
 * Source: Yin, Wu, Cavallaro, Studer, Conjugate gradient-based soft-output detection and precoding
 * in massive MIMO systems, IEEE GLOBECOM 2014.
 */

#include "phy/detection/iterating.h"

/* The length of a step, or the weight of the last direction: a / b, zero where b is not > 0. */
LTE_INLINE lte_real lte_cg_ratio(lte_real a, lte_real b)
{
    return r_sel(r_lt(r_set(0.0f), b), a / b, r_set(0.0f));
}

/* Re(a'b) over layers in their order; a, b [n_tx]. */
LTE_INLINE lte_real lte_cg_product(int n_tx, const lte_cplx *a, const lte_cplx *b)
{
    lte_real sum = r_set(0.0f);
    for (int k = 0; k < n_tx; k++)
        sum = sum + c_dot(a[k], b[k]);
    return sum;
}

/* Lengths of steps, and weights of the last direction in the next one. */
typedef struct {
    lte_real length[LTE_MOST_ITERATIONS], weight[LTE_MOST_ITERATIONS];
} lte_cg_steps;

/* A probe is solved when the power of its rest is below this share of its first power. */
#define LTE_CG_SOLVED 0x1p-40f

enum { LTE_CG_PROBES = 2 };

/* image [n_tx] <- A direction */
LTE_INLINE void lte_cg_image(int n_tx, const lte_cplx *a, const lte_cplx *direction,
                             lte_cplx *image)
{
    for (int k = 0; k < n_tx; k++) {
        image[k] = c_zero();
        for (int j = 0; j < n_tx; j++)
            image[k] = c_mac(image[k], a[k * n_tx + j], direction[j]);
    }
}

/* The rest and the direction behind a step; vectors [n_tx]. */
LTE_INLINE void lte_cg_go(int n_tx, lte_real length, const lte_cplx *image, lte_cplx *rest)
{
    for (int k = 0; k < n_tx; k++)
        rest[k] = c_add_scaled(rest[k], image[k], r_neg(length));
}
LTE_INLINE void lte_cg_turn(int n_tx, lte_real weight, const lte_cplx *rest, lte_cplx *direction)
{
    for (int k = 0; k < n_tx; k++)
        direction[k] = c_add_scaled(rest[k], direction[k], weight);
}

/*
 * Solves A x = z by `iterations` steps from x = 0. On entry rest holds z, which is lost. All
 * vectors have [n_tx] elements.
 */
LTE_INLINE void lte_cg_solve(int n_tx, int iterations, const lte_cplx *a, lte_cplx *rest,
                             lte_cplx *direction, lte_cplx *image, lte_cplx *x)
{
    for (int k = 0; k < n_tx; k++) {
        x[k] = c_zero();
        direction[k] = rest[k];
    }
    lte_real left = lte_cg_product(n_tx, rest, rest);
    for (int i = 0; i < iterations; i++) {
        lte_cg_image(n_tx, a, direction, image);
        const lte_real length = lte_cg_ratio(left, lte_cg_product(n_tx, direction, image));
        for (int k = 0; k < n_tx; k++)
            x[k] = c_add_scaled(x[k], direction[k], length);
        lte_cg_go(n_tx, length, image, rest);
        const lte_real next = lte_cg_product(n_tx, rest, rest);
        lte_cg_turn(n_tx, lte_cg_ratio(next, left), rest, direction);
        left = next;
    }
}

/* Element j of a probe. */
LTE_INLINE lte_cplx lte_cg_probe(int probe, int j)
{
    const int quarter = probe ? j * (j + 1) / 2 % 4 : 0;
    lte_cplx v;
    v.re = r_set(quarter == 0 ? 1.0f : quarter == 2 ? -1.0f : 0.0f);
    v.im = r_set(quarter == 1 ? 1.0f : quarter == 3 ? -1.0f : 0.0f);
    return v;
}

/* Element k of z = (A - n0 I) v of a probe; row k of A. */
LTE_INLINE lte_cplx lte_cg_probed(int n_tx, int probe, int k, const lte_cplx *row, lte_real n0)
{
    lte_cplx z = c_zero();
    for (int j = 0; j < n_tx; j++) {
        lte_cplx g = row[j];
        g.re = j == k ? g.re - n0 : g.re;
        z = c_mac(z, g, lte_cg_probe(probe, j));
    }
    return z;
}

/* The length of a step of probes that began with a power of `first`. */
LTE_INLINE lte_real lte_cg_length(lte_real first, lte_real left, lte_real along)
{
    const lte_mask solved = m_not(r_lt(first * r_set(LTE_CG_SOLVED), left));
    return r_sel(solved, r_set(0.0f), lte_cg_ratio(left, along));
}

/* The steps that all probes take together: each sum runs over all probes. room: that of a state. */
LTE_INLINE void lte_cg_learn(int n_tx, int iterations, const lte_cplx *a, lte_real n0,
                             lte_cplx *room, lte_cg_steps *steps)
{
    lte_cplx *const rest = room, *const direction = &rest[LTE_CG_PROBES * n_tx],
                    *const image = &direction[LTE_CG_PROBES * n_tx];
    lte_real first = r_set(0.0f);
    for (int v = 0; v < LTE_CG_PROBES; v++) {
        for (int k = 0; k < n_tx; k++)
            direction[v * n_tx + k] = rest[v * n_tx + k] =
                lte_cg_probed(n_tx, v, k, &a[k * n_tx], n0);
        first = first + lte_cg_product(n_tx, &rest[v * n_tx], &rest[v * n_tx]);
    }
    lte_real left = first;
    for (int i = 0; i < iterations; i++) {
        lte_real along = r_set(0.0f), next = r_set(0.0f);
        for (int v = 0; v < LTE_CG_PROBES; v++) {
            lte_cg_image(n_tx, a, &direction[v * n_tx], &image[v * n_tx]);
            along = along + lte_cg_product(n_tx, &direction[v * n_tx], &image[v * n_tx]);
        }
        steps->length[i] = lte_cg_length(first, left, along);
        for (int v = 0; v < LTE_CG_PROBES; v++) {
            lte_cg_go(n_tx, steps->length[i], &image[v * n_tx], &rest[v * n_tx]);
            next = next + lte_cg_product(n_tx, &rest[v * n_tx], &rest[v * n_tx]);
        }
        steps->weight[i] = lte_cg_ratio(next, left);
        for (int v = 0; v < LTE_CG_PROBES; v++)
            lte_cg_turn(n_tx, steps->weight[i], &rest[v * n_tx], &direction[v * n_tx]);
        left = next;
    }
}

/* As lte_cg_solve, with steps that are given. */
LTE_INLINE void lte_cg_follow(int n_tx, int iterations, const lte_cplx *a,
                              const lte_cg_steps *steps, lte_cplx *rest, lte_cplx *direction,
                              lte_cplx *image, lte_cplx *x)
{
    for (int k = 0; k < n_tx; k++) {
        x[k] = c_zero();
        direction[k] = rest[k];
    }
    for (int i = 0; i < iterations; i++) {
        lte_cg_image(n_tx, a, direction, image);
        for (int k = 0; k < n_tx; k++)
            x[k] = c_add_scaled(x[k], direction[k], steps->length[i]);
        lte_cg_go(n_tx, steps->length[i], image, rest);
        lte_cg_turn(n_tx, steps->weight[i], rest, direction);
    }
}

/* The state has LTE_ITERATING_STATE(n_rx, n_tx) elements. */
LTE_OUTLINE lte_mask lte_cg_prepare(const lte_detector_plan *plan, const lte_cplx *h,
                                    lte_disturbance disturbance, lte_inverse_fn *invert,
                                    lte_cplx *state, lte_cplx *work)
{
    const int n_tx = plan->n_tx, iterations = (int)plan->detector.value[0];
    const lte_iterating s = lte_iterating_of(plan->n_rx, n_tx, state);
    lte_cplx *const rest = s.room, *const direction = &rest[n_tx], *const image = &direction[n_tx],
                    *const p = &image[n_tx];
    const lte_mask flag = lte_iterating_begin(plan, h, disturbance.n0, state);
    lte_cg_steps steps;
    (void)invert;
    (void)work;
    lte_cg_learn(n_tx, iterations, s.a, disturbance.n0, s.room, &steps);
    for (int k = 0; k < n_tx; k++) {
        lte_iterating_unit(n_tx, k, rest);
        lte_cg_follow(n_tx, iterations, s.a, &steps, rest, direction, image, p);
        lte_iterating_keep(n_tx, k, disturbance.n0, p, &s);
    }
    return lte_iterating_end(plan, flag, state);
}

/* is_extreme and prepare_scaled of phy/detection/detector.h. */
LTE_INLINE lte_mask lte_cg_is_extreme(const lte_detector_plan *plan, lte_mask flag, lte_real n0,
                                      lte_cplx *state, const lte_cplx *work)
{
    (void)work;
    return lte_iterating_is_extreme(plan, flag, n0, state);
}
LTE_INLINE lte_mask lte_cg_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes,
                                          const lte_cplx *h, lte_disturbance disturbance,
                                          lte_inverse_fn *invert, lte_cplx *state, lte_cplx *work)
{
    return lte_prepare_at_scale(plan, lanes, lte_cg_prepare, h, disturbance, invert, state, work);
}

/* Arguments as lte_estimate; changes only the room of the state. */
LTE_OUTLINE void lte_cg_estimate(const lte_detector_plan *plan, lte_cplx *state, const lte_cplx *y,
                                 lte_cplx *x, lte_real *rho)
{
    const int n_tx = plan->n_tx;
    const lte_iterating s = lte_iterating_of(plan->n_rx, n_tx, state);
    lte_matched_filter(plan->n_rx, n_tx, s.h, y, s.room);
    lte_cg_solve(n_tx, (int)plan->detector.value[0], s.a, s.room, &s.room[n_tx], &s.room[2 * n_tx],
                 x);
    lte_iterating_finish(n_tx, &s, x, rho);
}

#endif
