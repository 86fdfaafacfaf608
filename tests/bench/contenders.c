#include "tests/bench/contenders.h"

#include <stdlib.h>
#include <string.h>

static void run_ours(const lte_contender *self, float *a, float *x, uint8_t *flag)
{
    (void)x;
    self->stages->invert(&self->link, 0, self->link.n_groups, a, flag);
}

static void run_peer(const lte_contender *self, float *a, float *x, uint8_t *flag)
{
    self->peer(self->link.n_tx, self->link.n_sc, (lte_cf32 *)a, (lte_cf32 *)x, flag);
}

static void run_copy(const lte_contender *self, float *a, float *x, uint8_t *flag)
{
    const size_t n = (size_t)self->link.n_tx;
    (void)flag;
    memcpy(x, a, (size_t)self->link.n_sc * n * n * sizeof(lte_cf32));
}

static lte_contender *add(lte_contender **end, const lte_link *link, lte_side side,
                          const char *name, const char *code)
{
    lte_contender *made = (*end)++;
    *made = (lte_contender){.side = side, .name = name, .code = code, .link = *link};
    return made;
}

static void add_eigen(lte_contender **end, const lte_link *link)
{
    static const struct {
        const char *stages, *code;
        lte_peer_invert_fn *run;
    } levels[] = {
#ifdef LTE_BENCH_EIGEN
#ifdef LTE_X86_LEVELS
        {"cpu:v3", "x86-64-v3", lte_eigen_v3},
        {"cpu:v4", "x86-64-v4", lte_eigen_v4},
#else
        {"cpu:ref", "baseline", lte_eigen_ref},
#endif
#else
        {"cpu:ref", "", NULL},
#endif
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (!lte_stages_find(levels[i].stages)->usable())
            continue;
        lte_contender *made = add(end, link, LTE_SIDE_EIGEN, "Eigen inverse()", levels[i].code);
        made->peer = levels[i].run;
        made->run = levels[i].run ? run_peer : NULL;
    }
}

int lte_contenders_of(const lte_link *link, lte_contender *list)
{
    lte_contender *end = list;
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        for (int i = 0; lte_stages_all[i]; i++) {
            if (!lte_stages_all[i]->usable())
                continue;
            lte_contender *made = add(&end, link, LTE_SIDE_OURS, lte_inverters[inverter].name,
                                      lte_stages_all[i]->name);
            made->stages = lte_stages_all[i];
            made->link.inverter = inverter;
            made->run = run_ours;
        }
    }
    lte_contender *lapack = add(&end, link, LTE_SIDE_LAPACK, "LAPACK cgetrf+cgetri", "library");
#ifdef LTE_BENCH_LAPACK
    lapack->peer = lte_lapack_invert;
    lapack->run = run_peer;
#endif
    (void)lapack;
    add_eigen(&end, link);
    add(&end, link, LTE_SIDE_COPY, "copy", "memcpy")->run = run_copy;
    return (int)(end - list);
}

lte_status lte_matrices_init(const lte_link *link, lte_noise noise, lte_matrices *matrices)
{
    const lte_stages *stages = lte_stages_best();
    const ptrdiff_t n = link->n_tx, n2 = n * n;
    matrices->bytes = (size_t)link->n_sc * (size_t)n2 * sizeof(lte_cf32);
    matrices->batch = aligned_alloc(64, matrices->bytes);
    matrices->native = aligned_alloc(64, matrices->bytes);
    float *h = aligned_alloc(64, matrices->bytes);
    if (!matrices->batch || !matrices->native || !h) {
        free(h);
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d matrices of order %d", link->n_sc,
                        link->n_tx);
    }
    stages->channel(link, 0, 0, link->n_groups, h);
    stages->gram(link, LTE_DETECTOR_mmse, noise, 0, link->n_groups, h, matrices->batch);
    free(h);
    for (ptrdiff_t sc = 0; sc < link->n_sc; sc++) {
        for (ptrdiff_t e = 0; e < n2; e++) {
            const ptrdiff_t element = sc / LTE_LANES * n2 + e;
            const float *re = &matrices->batch[element * 2 * LTE_LANES + sc % LTE_LANES];
            lte_cf32 *to = &matrices->native[sc * n2 + e % n * n + e / n];
            to->re = re[0];
            to->im = re[LTE_LANES];
        }
    }
    return LTE_OK;
}

void lte_matrices_fini(lte_matrices *matrices)
{
    free(matrices->batch);
    free(matrices->native);
}

void lte_contender_load(const lte_contender *self, const lte_matrices *matrices, float *a)
{
    if (self->side == LTE_SIDE_OURS)
        memcpy(a, matrices->batch, matrices->bytes);
    else
        memcpy(a, matrices->native, matrices->bytes);
}
