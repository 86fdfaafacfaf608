/* The matrices of the race, in host memory, and how good their inverses are. */
#include "tests/bench/peers/race.h"
#include "tests/bench/grams.h"
#include "tests/lib/matrices.h"

#include <stdlib.h>

enum { N_SLOTS = 10, N_OTHERS = 1003 };

/* fill NULL: out of the CPU's stages. Odd counts leave no kernel a full last block. */
static const struct {
    const char *name;
    bool general;
    matrix_fill *fill;
} kinds[] = {
    {"Rayleigh Gram, 20 dB", false, NULL},
    {"correlated Gram, 30 dB", false, fill_correlated},
    {"graded Gram", false, fill_graded_gram},
    {"general", true, fill_general},
    {"graded", true, fill_graded},
    {"near-singular", true, fill_near_singular},
    {"permutations", true, fill_permutation},
};
_Static_assert(sizeof kinds / sizeof *kinds <= BENCH_MAX_RACE_SETS, "room for every kind");

/* MMSE-loaded Gram matrices of N_SLOTS slots: a [N_SLOTS * LTE_MAX_SC][n][n]. */
static lte_status fill_slots(int n, lte_cf32 *a)
{
    const ptrdiff_t n2 = (ptrdiff_t)n * n;
    const lte_noise noise = lte_noise_of(n, 100.0); /* 20 dB */
    lte_link link;
    lte_status status = lte_link_init(&link, LTE_MAX_SC, n, n, 4, LTE_CHANNEL_rayleigh, 0, 1);
    if (status)
        return status;
    float *g = aligned_alloc(64, bench_grams_bytes(&link));
    if (!g)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the matrices of a slot");
    for (uint64_t slot = 0; slot < N_SLOTS && !status; slot++) {
        status = bench_grams_make(&link, noise, slot, g);
        for (int sc = 0; sc < link.carrier.n_sc && !status; sc++, a += n2)
            bench_gram_of(&link, g, sc, a);
    }
    free(g);
    return status;
}

static void narrow(int n, const double complex *wide, lte_cf32 *a)
{
    for (int e = 0; e < n * n; e++) {
        a[e].re = (float)creal(wide[e]);
        a[e].im = (float)cimag(wide[e]);
    }
}

static void fill_random(int n, int count, matrix_fill *fill, unsigned long seed, lte_cf32 *a)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937); /* without memory GSL ends the program */
    const ptrdiff_t n2 = (ptrdiff_t)n * n;
    gsl_rng_set(rng, seed);
    for (int i = 0; i < count; i++) {
        double complex wide[MATRIX_SIZE];
        fill(rng, n, wide);
        narrow(n, wide, &a[i * n2]);
    }
    gsl_rng_free(rng);
}

lte_status bench_race_sets_init(int n, bench_race_set *sets, int *n_sets)
{
    const size_t matrix = (size_t)n * (size_t)n * sizeof(lte_cf32);
    lte_status status = LTE_OK;
    *n_sets = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !status; i++) {
        bench_race_set *set = &sets[(*n_sets)++];
        set->name = kinds[i].name;
        set->general = kinds[i].general;
        set->count = kinds[i].fill ? N_OTHERS : N_SLOTS * LTE_MAX_SC;
        set->a = malloc((size_t)set->count * matrix);
        if (!set->a)
            status = LTE_FAIL(LTE_ENOMEM, "no memory for %d matrices", set->count);
        else if (kinds[i].fill)
            fill_random(n, set->count, kinds[i].fill, 1 + (unsigned long)i, set->a);
        else
            status = fill_slots(n, set->a);
    }
    return status;
}

void bench_race_sets_fini(bench_race_set *sets, int n_sets)
{
    for (int i = 0; i < n_sets; i++)
        free(sets[i].a);
}

double bench_race_residual(int n, int count, const lte_cf32 *a, const lte_cf32 *x, bool either)
{
    const ptrdiff_t n2 = (ptrdiff_t)n * n;
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        double complex wide_a[MATRIX_SIZE], wide_x[MATRIX_SIZE];
        bench_widen(n, &a[i * n2], wide_a);
        bench_widen(n, &x[i * n2], wide_x);
        double here = bench_residual_of(n, wide_a, wide_x);
        if (!isfinite(here))
            return (double)INFINITY;
        const double other = either ? bench_residual_of(n, wide_x, wide_a) : here;
        here = other < here ? other : here;
        worst = here > worst ? here : worst;
    }
    return worst;
}

void bench_race_inverses(int n, const bench_race_set *set, lte_cf32 *x)
{
    const ptrdiff_t n2 = (ptrdiff_t)n * n;
    for (int i = 0; i < set->count; i++) {
        double complex wide_a[MATRIX_SIZE], wide_x[MATRIX_SIZE];
        bench_widen(n, &set->a[i * n2], wide_a);
        invert_in_double(n, wide_a, wide_x);
        narrow(n, wide_x, &x[i * n2]);
    }
}
