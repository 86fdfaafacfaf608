#ifndef LTE_TESTS_LOG_MAP_H
#define LTE_TESTS_LOG_MAP_H
/*
 * The turbo decoder that others are held to: log-MAP in double over the whole block, without
 * windows, scales or rounding.
 *
 *     log_map_decode(block, 6, llr, bits);        // llr [3][k + 4], true ln P(0) / P(1)
 */

#include <math.h>
#include <stdlib.h>

#include "phy/coding/turbo.h"

/* ln(e^a + e^b). */
static inline double log_map_sum(double a, double b)
{
    const double most = a > b ? a : b, least = a > b ? b : a;
    return least < -1e300 ? most : most + log1p(exp(least - most));
}

/* What an encoder's trellis says of each bit beside a [k]; p [k], and tails x, z. */
static inline void log_map_half(int k, const double *a, const double *p, const double *x,
                                const double *z, double (*alpha)[LTE_TURBO_STATES], double *told)
{
    enum { N = LTE_TURBO_STATES, ALL = LTE_TURBO_MEMORY };
    double beta[N] = {0};
    for (int s = 0; s < N; s++)
        alpha[0][s] = beta[s] = s ? (double)-INFINITY : 0.0;
    for (int t = 0; t < k; t++) {
        for (int s = 0; s < N; s++)
            alpha[t + 1][s] = -INFINITY;
        for (int s = 0; s < N; s++) {
            for (int bit = 0; bit < 2; bit++) {
                const lte_turbo_branch b = lte_turbo_step(s, bit);
                const double weight = (bit ? 0.0 : a[t]) + (b.parity ? 0.0 : p[t]);
                alpha[t + 1][b.next] = log_map_sum(alpha[t + 1][b.next], alpha[t][s] + weight);
            }
        }
    }
    for (int t = k + ALL - 1; t >= 0; t--) {
        double before[N], best[2] = {-INFINITY, -INFINITY};
        for (int s = 0; s < N; s++) {
            before[s] = -INFINITY;
            for (int bit = 0; bit < 2; bit++) {
                const lte_turbo_branch b = lte_turbo_step(s, bit);
                const double at = t < k ? a[t] : x[t - k], zt = t < k ? p[t] : z[t - k];
                const double parity = b.parity ? 0.0 : zt;
                if (t >= k && bit != lte_turbo_closing(s))
                    continue;
                before[s] = log_map_sum(before[s], beta[b.next] + (bit ? 0.0 : at) + parity);
                if (t < k)
                    best[bit] = log_map_sum(best[bit], alpha[t][s] + beta[b.next] + parity);
            }
        }
        if (t < k)
            told[t] = best[0] - best[1];
        for (int s = 0; s < N; s++)
            beta[s] = before[s];
    }
}

/* False without memory. */
static inline int log_map_decode(const lte_code_block *block, int iterations, const double *llr,
                                 uint8_t *bits)
{
    const int k = block->k, stream = lte_code_block_stream(block);
    const size_t n = (size_t)k;
    double(*alpha)[LTE_TURBO_STATES] = malloc((n + 1) * sizeof *alpha);
    double *extrinsic = calloc(n + 1, sizeof(double)), *a = malloc((n + 1) * sizeof(double)),
           *told = malloc((n + 1) * sizeof(double));
    const int enough = alpha && extrinsic && a && told;
    for (int half = 0; enough && half < 2 * iterations; half++) {
        const int e = half % 2;
        double x[LTE_TURBO_MEMORY], z[LTE_TURBO_MEMORY];
        for (int t = 0; t < LTE_TURBO_MEMORY; t++) {
            x[t] = llr[lte_turbo_tail(block, e, t, 0)];
            z[t] = llr[lte_turbo_tail(block, e, t, 1)];
        }
        for (int t = 0; t < k; t++) {
            const int i = e ? lte_code_block_at(block, t) : t;
            a[t] = llr[i] + extrinsic[i];
        }
        log_map_half(k, a, llr + (1 + e) * stream, x, z, alpha, told);
        for (int t = 0; t < k; t++) {
            const int i = e ? lte_code_block_at(block, t) : t;
            bits[i] = a[t] + told[t] < 0.0;
            extrinsic[i] = told[t];
        }
    }
    free(alpha);
    free(extrinsic);
    free(a);
    free(told);
    return enough;
}

#endif
