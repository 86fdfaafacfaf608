/* Batches of code blocks on threads, and the plain decoder as a version. */
#include "kernels/coding/turbo_batch.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/levels.h"

static void begin_plain(const lte_turbo_plan *plan, void *work)
{
    (void)plan;
    (void)work;
}

static void decode_plain(const lte_turbo_plan *plan, int n, const int8_t *llr, void *work,
                         uint8_t *bits, uint8_t *iterations)
{
    (void)n; /* 1 */
    *iterations = (uint8_t)lte_turbo_decode(plan, llr, work, bits);
}

const lte_turbo_version lte_turbo_ref = {.name = "cpu:ref",
                                         .usable = lte_has_ref,
                                         .lanes = 1,
                                         .work = lte_turbo_work,
                                         .begin = begin_plain,
                                         .decode = decode_plain};

const lte_turbo_version *lte_turbo_best(void)
{
    const lte_turbo_version *best = lte_turbo_versions[0];
    for (int i = 0; lte_turbo_versions[i]; i++) {
        if (lte_turbo_versions[i]->usable())
            best = lte_turbo_versions[i];
    }
    return best;
}

const lte_turbo_version *lte_turbo_of(const char *backend)
{
    const lte_turbo_version *const *at = lte_turbo_versions;
    while (at[1] && strcmp((*at)->name, backend) != 0)
        at++;
    return *at;
}

struct lte_turbo_batch {
    const lte_turbo_version *version;
    lte_turbo_plan plan;
    int n_threads;
    size_t work_size; /* of a thread */
    char *work;       /* [n_threads][work_size] */
};

enum { BOUNDARY = 64 };

lte_status lte_turbo_batch_create(const lte_turbo_version *version, const lte_turbo_plan *plan,
                                  int n_threads, lte_turbo_batch **batch)
{
    *batch = NULL;
    const lte_status status = lte_turbo_check(plan);
    if (status)
        return status;
    lte_turbo_batch *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a decoder");
    made->version = version;
    made->plan = *plan;
    made->n_threads = n_threads;
    made->work_size = (version->work(plan) + BOUNDARY - 1) / BOUNDARY * BOUNDARY;
    made->work = aligned_alloc(BOUNDARY, (size_t)n_threads * made->work_size);
    if (!made->work) {
        free(made);
        return LTE_FAIL(LTE_ENOMEM, "no memory for a decoder of %d threads", n_threads);
    }
    for (int t = 0; t < n_threads; t++)
        version->begin(plan, made->work + (size_t)t * made->work_size);
    *batch = made;
    return LTE_OK;
}

void lte_turbo_batch_free(lte_turbo_batch *batch)
{
    if (!batch)
        return;
    free(batch->work);
    free(batch);
}

void lte_turbo_batch_run(lte_turbo_batch *batch, int n, const int8_t *llr, uint8_t *bits,
                         uint8_t *iterations)
{
    const lte_turbo_version *v = batch->version;
    const lte_turbo_plan *plan = &batch->plan;
    const size_t k = plan->block->k, length = 3 * (size_t)lte_code_block_stream(plan->block);
#pragma omp parallel num_threads(batch->n_threads) if (batch->n_threads > 1)
    {
        char *work = batch->work + (size_t)omp_get_thread_num() * batch->work_size;
#pragma omp for schedule(dynamic)
        for (int first = 0; first < n; first += v->lanes) {
            const int here = n - first < v->lanes ? n - first : v->lanes;
            v->decode(plan, here, llr + (size_t)first * length, work, bits + (size_t)first * k,
                      iterations + first);
        }
    }
}
