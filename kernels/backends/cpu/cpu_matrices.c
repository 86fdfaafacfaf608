/*
 * Batches of matrices that a program hands over, on the processor: those of an inverter over lanes
 * go through a thread's own batch, piece by piece; the others are inverted where they lie.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/cpu/cpu_engine.h"
#include "kernels/methods/inverse/inverse.h"

enum { PIECE = 8 * LTE_LANES }; /* matrices of a thread's batch: of order 8 they fit its L2 */

struct lte_matrices {
    const lte_stages *stages;
    const lte_inverse_level *level;
    lte_matrices_plan plan;
    int method;       /* LTE_INVERSE_* of an inverter that works on matrices one by one; else -1 */
    size_t work_size; /* of a thread's lanes */
    lte_pool pool;
    char *work;    /* [n_threads][work_size], or of lte_inverse */
    float *batch;  /* [n_threads] of PIECE matrices, in lanes */
    uint8_t *flag; /* [n_threads][PIECE] */
};

/* A link that has n_matrices of the plan's order on its subcarriers. */
static lte_status link_of(const lte_matrices_plan *plan, int n_matrices, lte_link *link)
{
    return lte_link_init_given(link, n_matrices, plan->n, plan->n, 2, plan->inverter);
}

/* The instruction set of a table of stages among those of large inverses: "v3" of "cpu:v3". */
static const lte_inverse_level *level_of(const lte_stages *stages)
{
    const lte_inverse_level *const *at = lte_inverse_levels;
    while (at[1] && strcmp((*at)->name, strchr(stages->name, ':') + 1) != 0)
        at++;
    return *at;
}

static void matrices_free(lte_matrices *m)
{
    if (!m)
        return;
    lte_pool_free(&m->pool);
    free(m);
}

static lte_status take_memory(lte_matrices *m)
{
    const size_t n_threads = (size_t)m->plan.n_threads;
    lte_link link;
    if (m->method >= 0) {
        m->work = lte_pool_take(&m->pool, lte_inverse_work(m->plan.n_threads));
        return lte_pool_check(&m->pool, "the inverses of a batch");
    }
    const lte_status status = link_of(&m->plan, PIECE, &link);
    if (status)
        return status;
    m->work_size = lte_stage_work(&link);
    m->work = lte_pool_take(&m->pool, n_threads * m->work_size);
    m->batch = lte_pool_zeros(&m->pool, n_threads * lte_layout_bytes(&link, LTE_BATCH_GRAM));
    m->flag = lte_pool_take(&m->pool, n_threads * PIECE);
    return lte_pool_check(&m->pool, "the lanes of a batch");
}

static lte_status matrices_create(const lte_backend *self, const lte_matrices_plan *plan,
                                  lte_matrices **matrices)
{
    *matrices = NULL;
    lte_matrices *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a batch of matrices");
    made->stages = self->stages;
    made->level = level_of(self->stages);
    made->plan = *plan;
    made->plan.n_threads = plan->n_threads > 0 ? plan->n_threads : omp_get_num_procs();
    made->method = lte_inverse_method(lte_inverter_rows[plan->inverter].name);
    lte_status status = take_memory(made);
    if (!status)
        status = lte_cpu_make_threads(made->plan.n_threads);
    if (status) {
        matrices_free(made);
        return status;
    }
    *matrices = made;
    return LTE_OK;
}

/* Up to PIECE matrices by the lanes of thread t. */
static lte_status invert_piece(const lte_matrices *m, int t, int n_matrices, const lte_cf32 *a,
                               lte_cf32 *x, uint8_t *flag)
{
    lte_link link;
    lte_status status = link_of(&m->plan, n_matrices, &link);
    if (status)
        return status;
    float *const batch = m->batch + (size_t)t * PIECE * 2 * (size_t)m->plan.n * (size_t)m->plan.n;
    uint8_t *const flags = m->flag + (size_t)t * PIECE;
    status = lte_layout_copy(&link, LTE_MATRICES_GRAM, a, LTE_BATCH_GRAM, batch);
    if (status)
        return status;
    m->stages->invert(&link, 0, link.carrier.n_groups, batch, flags,
                      m->work + (size_t)t * m->work_size);
    memcpy(flag, flags, (size_t)n_matrices);
    return lte_layout_copy(&link, LTE_BATCH_GRAM, batch, LTE_MATRICES_GRAM, x);
}

static lte_status invert_lanes(const lte_matrices *m, int n_matrices, const lte_cf32 *a,
                               lte_cf32 *x, uint8_t *flag)
{
    const int n_pieces = (int)(((int64_t)n_matrices + PIECE - 1) / PIECE);
    const size_t n2 = (size_t)m->plan.n * (size_t)m->plan.n;
    int worst = LTE_OK;
#pragma omp parallel for num_threads(m->plan.n_threads) schedule(static)                           \
    reduction(max                                                                                  \
              : worst) if (n_pieces > 1)
    for (int p = 0; p < n_pieces; p++) {
        const int first = p * PIECE;
        const int n = n_matrices - first < PIECE ? n_matrices - first : PIECE;
        const size_t at = (size_t)first * n2;
        const int status =
            (int)invert_piece(m, omp_get_thread_num(), n, a + at, x + at, flag + first);
        worst = status > worst ? status : worst;
    }
    return (lte_status)worst;
}

static lte_status matrices_invert(lte_matrices *m, int n_matrices, const void *a, void *x,
                                  uint8_t *flag)
{
    return m->method < 0 ? invert_lanes(m, n_matrices, a, x, flag)
                         : lte_inverse(m->level, m->method,
                                       &(lte_inverse_batch){m->plan.element, m->plan.n, n_matrices,
                                                            a, x, flag, m->work},
                                       m->plan.n_threads);
}

const lte_matrix_ops lte_cpu_matrix_ops = {
    .create = matrices_create,
    .free = matrices_free,
    .invert = matrices_invert,
};
