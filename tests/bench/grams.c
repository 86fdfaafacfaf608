/* The matrices that are inverted, as the stages make them, and the residual of an inverse. */
#include "tests/bench/grams.h"
#include "kernels/cpu/stages.h"

#include <stdlib.h>

size_t bench_grams_bytes(const lte_link *link)
{
    const size_t n2 = (size_t)link->n_tx * (size_t)link->n_tx;
    return (size_t)link->carrier.n_groups * n2 * 2 * LTE_LANES * sizeof(float);
}

lte_status bench_grams_make(const lte_link *link, lte_noise noise, uint64_t slot, float *g)
{
    const lte_stages *stages = lte_stages_best();
    float *h = aligned_alloc(64, bench_grams_bytes(link));
    void *work = lte_stage_work_alloc(link);
    lte_status status = LTE_OK;
    if (!h || !work) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the channels of a slot");
        goto cleanup;
    }
    stages->channel(link, slot, 0, link->carrier.n_groups, h, work);
    stages->gram(link, lte_detector_usual(LTE_DETECTOR_mmse), noise, 0, link->carrier.n_groups, h,
                 g, work);
cleanup:
    free(h);
    free(work);
    return status;
}

void bench_gram_of(const lte_link *link, const float *batch, int sc, lte_cf32 *a)
{
    const ptrdiff_t n2 = (ptrdiff_t)link->n_tx * link->n_tx;
    for (ptrdiff_t e = 0; e < n2; e++) {
        const float *re = &batch[(sc / LTE_LANES * n2 + e) * 2 * LTE_LANES + sc % LTE_LANES];
        a[e].re = re[0];
        a[e].im = re[LTE_LANES];
    }
}

void bench_widen(int n, const lte_cf32 *a, double complex *wide)
{
    for (int e = 0; e < n * n; e++) {
        double *parts = (double *)&wide[e]; /* C11 6.2.5: an array of two */
        parts[0] = (double)a[e].re;
        parts[1] = (double)a[e].im;
    }
}

/* The largest row sum. */
static double norm(int n, const double complex *a)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += cabs(a[i * n + j]);
        if (!(sum <= largest))
            largest = sum;
    }
    return largest;
}

double bench_residual_of(int n, const double complex *a, const double complex *x)
{
    double complex r[LTE_MAX_ORDER * LTE_MAX_ORDER];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            r[i * n + j] = i == j;
            for (int k = 0; k < n; k++)
                r[i * n + j] -= a[i * n + k] * x[k * n + j];
        }
    }
    return norm(n, r) / (n * 0x1p-24 * norm(n, a) * norm(n, x));
}
