#ifndef LTE_PHY_ML_SUMS_H
#define LTE_PHY_ML_SUMS_H
/*
 * Exact LLRs of a vector of few bits: logarithms of sums over all vectors, once the best is known.
 *
 *     lte_ml_sums(&plan, &walk, best, sum, part);
 *     llr = lte_ml_ln(sum[e][0]) - lte_ml_ln(sum[e][1]);
 */

#include "phy/base/exponential.h"
#include "phy/detection/ml/ml_found.h"

/* Bits of a vector, of all layers, with which exact LLRs are made; terms of a partial sum. */
enum { LTE_ML_EXACT_BITS = 16, LTE_ML_TERMS = 256 };

/*
 * exp(best - d) of the vectors of a way, added to sums of the bits of row 0, sum[bit][b]; returns
 * that of all of them.
 */
LTE_INLINE lte_real lte_ml_sum_last(const lte_detector_plan *plan, const lte_tree_walk *at,
                                    lte_real best, lte_real (*sum)[2])
{
    lte_real all = r_set(0.0f);
    for (uint32_t a = 0; a < 1u << plan->n_bits; a++) {
        const lte_cplx x = lte_qam_map(plan->n_bits, w_set(a));
        const lte_real d = at->above[1] + lte_tree_step(plan, at, 0, lte_tree_left(plan, at, 0), x);
        const lte_real term = lte_exp(best - d);
        all = all + term;
        for (int bit = 0; bit < plan->n_bits; bit++)
            sum[bit][a >> bit & 1] = sum[bit][a >> bit & 1] + term;
    }
    return all;
}

/*
 * Sums over all vectors: sum[row][bit][b] of exp(best - d) where a bit is b, by rising labels, the
 * last row's leading, by partial sums of LTE_ML_TERMS; of rows from 1 on a term is the sum over row
 * 0.
 */
LTE_INLINE void lte_ml_sums(const lte_detector_plan *plan, lte_tree_walk *at, lte_real best,
                            lte_real (*sum)[2], lte_real (*part)[2])
{
    const int n_sums = plan->n_tx * plan->n_bits, free_bits = (plan->n_tx - 1) * plan->n_bits;
    const uint32_t n_labels = 1u << plan->n_bits, n_ways = 1u << free_bits;
    const uint32_t together = n_labels < LTE_ML_TERMS ? LTE_ML_TERMS / n_labels : 1;
    uint32_t path[LTE_ML_MOST_TX]; /* labels of the rows from 1 on */
    for (int e = 0; e < n_sums; e++)
        sum[e][0] = sum[e][1] = part[e][0] = part[e][1] = r_set(0.0f);
    for (uint32_t way = 0; way < n_ways; way++) {
        for (int i = plan->n_tx - 1; i > 0; i--) { /* the last row leads */
            path[i] = way >> (i - 1) * plan->n_bits & (n_labels - 1);
            const lte_cplx x = lte_qam_map(plan->n_bits, w_set(path[i]));
            at->above[i] =
                at->above[i + 1] + lte_tree_step(plan, at, i, lte_tree_left(plan, at, i), x);
            lte_tree_take_off(plan, at, i, x);
        }
        const lte_real all = lte_ml_sum_last(plan, at, best, part);
        for (int i = 1; i < plan->n_tx; i++) {
            for (int bit = 0; bit < plan->n_bits; bit++) {
                lte_real *const of = &part[i * plan->n_bits + bit][path[i] >> bit & 1];
                *of = *of + all;
            }
        }
        if ((way + 1) % together && way + 1 < n_ways)
            continue;
        for (int e = 0; e < n_sums; e++) {
            for (int b = 0; b < 2; b++) {
                sum[e][b] = sum[e][b] + part[e][b];
                part[e][b] = r_set(0.0f);
            }
        }
    }
}

/*
 * Sums below 2^-100 have lost terms: those below exp(-87) of the best one are 0. LTE_ML_LEAST_LN is
 * -ln of that bound, LTE_ML_NO_SUM what stands for an LLR of such a sum, beyond all others.
 */
#define LTE_ML_LEAST_LN 69.0f
#define LTE_ML_NO_SUM 4e3f
LTE_INLINE lte_mask lte_ml_is_small(lte_real sum)
{
    return r_lt(sum, r_set(0x1p-100f));
}

/* ln of a sum; of none a number below all clips. */
LTE_INLINE lte_real lte_ml_ln(lte_real sum)
{
    return r_sel(r_lt(r_set(0x1p-126f), sum), lte_ln(sum), r_set(-1e3f));
}

#endif
