/* Everything that inverts on the CPU: this project's inverters, the libraries, a copy. */
#include "tests/bench/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void run_ours(const bench_entry *self, float *a, float *x, uint8_t *flag)
{
    (void)x;
    self->stages->invert(&self->link, 0, self->link.carrier.n_groups, a, flag, self->work);
}

static void run_peer(const bench_entry *self, float *a, float *x, uint8_t *flag)
{
    self->peer(self->link.n_tx, self->link.carrier.n_sc, (lte_cf32 *)a, (lte_cf32 *)x, flag);
}

static void run_mkl(const bench_entry *self, float *a, float *x, uint8_t *flag)
{
    (void)x;
    bench_mkl_invert(self->link.n_tx, self->link.carrier.n_sc, a, flag);
}

static void run_copy(const bench_entry *self, float *a, float *x, uint8_t *flag)
{
    const size_t n = (size_t)self->link.n_tx;
    (void)flag;
    memcpy(x, a, (size_t)self->link.carrier.n_sc * n * n * sizeof(lte_cf32));
}

static bench_entry *add(bench_entry **end, const lte_link *link, bench_side side, const char *name,
                        const char *code)
{
    bench_entry *made = (*end)++;
    *made = (bench_entry){.side = side, .name = name, .code = code, .link = *link};
    return made;
}

static void add_eigen(bench_entry **end, const lte_link *link)
{
    static const struct {
        const char *stages, *code;
        bench_invert_fn *run;
    } levels[] = {
#ifdef BENCH_HAVE_EIGEN
#ifdef __x86_64__
        {"cpu:v3", "x86-64-v3", bench_eigen_v3},
        {"cpu:v4", "x86-64-v4", bench_eigen_v4},
#else
        {"cpu:ref", "baseline", bench_eigen_ref},
#endif
#else
        {"cpu:ref", "", NULL},
#endif
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const lte_stages *stages = lte_stages_find(levels[i].stages);
        if (!stages || !stages->usable()) /* this program may have no such table */
            continue;
        bench_entry *made = add(end, link, BENCH_SIDE_EIGEN, "Eigen inverse()", levels[i].code);
        made->peer = levels[i].run;
        made->run = levels[i].run ? run_peer : NULL;
    }
}

int bench_entries_of(const lte_link *link, void *work, bench_entry *list)
{
    bench_entry *end = list;
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        for (int i = 0; lte_stages_all[i]; i++) {
            if (!lte_stages_all[i]->usable())
                continue;
            bench_entry *made = add(&end, link, BENCH_SIDE_OURS, lte_inverter_rows[inverter].name,
                                    lte_stages_all[i]->name);
            made->stages = lte_stages_all[i];
            made->link.receiver.inverter = inverter;
            made->work = work;
            made->run = run_ours;
        }
    }
    bench_entry *lapack = add(&end, link, BENCH_SIDE_LAPACK, "LAPACK cgetrf+cgetri", "library");
#ifdef BENCH_HAVE_LAPACK
    lapack->peer = bench_lapack_invert;
    lapack->run = run_peer;
#endif
    (void)lapack;
    add_eigen(&end, link);
    bench_entry *mkl = add(&end, link, BENCH_SIDE_MKL, "MKL cgetrfnp+cgetrinp, compact", "library");
    mkl->run = bench_mkl_open() ? run_mkl : NULL;
    add(&end, link, BENCH_SIDE_COPY, "copy", "memcpy")->run = run_copy;
    return (int)(end - list);
}

/* x <- a', [n][n]. */
static void transpose(int n, const lte_cf32 *a, lte_cf32 *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            x[j * n + i] = a[i * n + j];
    }
}

lte_status bench_matrices_init(const lte_link *link, lte_noise noise, bench_matrices *matrices)
{
    const ptrdiff_t n2 = (ptrdiff_t)link->n_tx * link->n_tx;
    matrices->bytes = bench_grams_bytes(link);
    matrices->batch = aligned_alloc(64, matrices->bytes);
    matrices->native = aligned_alloc(64, matrices->bytes);
    if (!matrices->batch || !matrices->native)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d matrices of order %d", link->carrier.n_sc,
                        link->n_tx);
    lte_status status = bench_grams_make(link, noise, 0, matrices->batch);
    for (int sc = 0; sc < link->carrier.n_sc && !status; sc++) {
        lte_cf32 a[LTE_MAX_ORDER * LTE_MAX_ORDER];
        bench_gram_of(link, matrices->batch, sc, a);
        transpose(link->n_tx, a, &matrices->native[sc * n2]);
    }
    return status;
}

void bench_matrices_fini(bench_matrices *matrices)
{
    free(matrices->batch);
    free(matrices->native);
}

void bench_entry_load(const bench_entry *self, const bench_matrices *matrices, float *a)
{
    if (self->side == BENCH_SIDE_OURS)
        memcpy(a, matrices->batch, matrices->bytes);
    else if (self->side == BENCH_SIDE_MKL) /* what does not fit is seen as wrong */
        (void)bench_mkl_pack(self->link.n_tx, self->link.carrier.n_sc, matrices->native, a,
                             matrices->bytes);
    else
        memcpy(a, matrices->native, matrices->bytes);
}

/* Matrix sc in either layout, to double and row major. */
static void widen(const lte_link *link, const float *from, bool batch, int sc, double complex *to)
{
    const int n = link->n_tx;
    lte_cf32 a[LTE_MAX_ORDER * LTE_MAX_ORDER];
    if (batch)
        bench_gram_of(link, from, sc, a);
    else
        transpose(n, (const lte_cf32 *)from + (ptrdiff_t)sc * n * n, a);
    bench_widen(n, a, to);
}

double bench_entry_residual(const bench_entry *self, const bench_matrices *matrices, const float *a,
                            const float *x)
{
    const lte_link *link = &self->link;
    const float *found = self->side == BENCH_SIDE_EIGEN ? x : a;
    double worst = 0.0;
    lte_cf32 *unpacked = NULL;
    if (self->side == BENCH_SIDE_MKL) {
        unpacked = malloc(matrices->bytes);
        if (!unpacked)
            return (double)INFINITY;
        bench_mkl_unpack(link->n_tx, link->carrier.n_sc, a, unpacked);
        found = (const float *)unpacked;
    }
    for (int sc = 0; sc < link->carrier.n_sc; sc++) {
        double complex wide_a[LTE_MAX_ORDER * LTE_MAX_ORDER], wide_x[LTE_MAX_ORDER * LTE_MAX_ORDER];
        widen(link, matrices->batch, true, sc, wide_a);
        widen(link, found, self->side == BENCH_SIDE_OURS, sc, wide_x);
        const double here = bench_residual_of(link->n_tx, wide_a, wide_x);
        worst = !isfinite(here) ? (double)INFINITY : here > worst ? here : worst;
    }
    free(unpacked);
    return worst;
}
