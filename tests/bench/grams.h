#ifndef LTE_TESTS_BENCH_GRAMS_H
#define LTE_TESTS_BENCH_GRAMS_H
/*
 * The matrices that are inverted, as the stages make them, and how good an inverse is.
 *
 *     float *g = aligned_alloc(64, bench_grams_bytes(&link));
 *     lte_status status = bench_grams_make(&link, noise, slot, g);
 *     lte_cf32 a[16];
 *     bench_gram_of(&link, g, sc, a);
 */

#include <complex.h>

#include "kernels/link/link.h"

/* Bytes of the batch of a slot's n_tx x n_tx matrices, or of H if n_rx = n_tx. */
size_t bench_grams_bytes(const lte_link *link);

/*
 * MMSE-loaded Gram matrices of a slot's channels, n_rx = n_tx.
 *
 *   g   [n_groups][n_tx][n_tx][2][LTE_LANES]  out
 *
 * Returns LTE_ENOMEM.
 */
lte_status bench_grams_make(const lte_link *link, lte_noise noise, uint64_t slot, float *g);

/* Matrix of subcarrier sc of a batch: a [n_tx][n_tx], row major. */
void bench_gram_of(const lte_link *link, const float *batch, int sc, lte_cf32 *a);

/* Both [n][n]. */
void bench_widen(int n, const lte_cf32 *a, double complex *wide);

/*
 * |I - A X| / (n u |A| |X|),  |.| the largest row sum, u = 2^-24
 *
 *   a, x   [n][n], row major, n up to LTE_MAX_ORDER
 *
 * Not finite if a or x is not.
 */
double bench_residual_of(int n, const double complex *a, const double complex *x);

#endif
