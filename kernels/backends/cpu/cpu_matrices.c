/*
 * Batches of matrices that a program hands over, on the processor, piece by piece: those of an
 * inverter over lanes go through a thread's own batch; the others are inverted where they lie. A
 * piece with flagged matrices goes through a second pass. Where inverses take the place of their
 * matrices, these are kept for it.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/cpu/cpu_engine.h"
#include "kernels/backends/second_pass.h"
#include "kernels/methods/inverse/inverse.h"

enum {
    PIECE = 8 * LTE_LANES, /* matrices of a thread's batch: of order 8 they fit its L2 */
    MOST_BYTES = 1 << 21,  /* of a piece of other matrices, unless it is one matrix */
    AGAIN = LTE_LANES      /* matrices of a second pass that are inverted at a time */
};

struct lte_matrices {
    const lte_stages *stages;
    const lte_inverse_level *level;
    lte_matrices_plan plan;
    int method;       /* LTE_INVERSE_* of an inverter that works on matrices one by one; else -1 */
    int piece;        /* matrices that a thread takes at a time */
    size_t size;      /* of a matrix */
    size_t work_size; /* of a thread's lanes, or of lte_inverse */
    lte_pool pool;
    char *work;            /* [n_threads][work_size] */
    float *batch;          /* [n_threads] of PIECE matrices, in lanes */
    uint8_t *flag;         /* [n_threads][PIECE] */
    char *kept;            /* [n_threads][piece][n][n] matrices as they came */
    lte_second_pass *pass; /* [n_threads] */
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

/* Up to PIECE matrices by the lanes of thread t; kept: see invert_once. */
static lte_status invert_lanes(const lte_matrices *m, int t, int n_matrices, const void *a, void *x,
                               uint8_t *flag, char *kept)
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
    if (kept && memchr(flag, 1, (size_t)n_matrices))
        memcpy(kept, a, (size_t)n_matrices * m->size);
    return lte_layout_copy(&link, LTE_BATCH_GRAM, batch, LTE_MATRICES_GRAM, x);
}

/*
 * Up to a piece of matrices by thread t, without a second pass. kept: NULL, or where matrices are
 * copied that a second pass wants and x takes the place of.
 */
static lte_status invert_once(const lte_matrices *m, int t, int n_matrices, const void *a, void *x,
                              uint8_t *flag, char *kept)
{
    if (m->method < 0)
        return invert_lanes(m, t, n_matrices, a, x, flag, kept);
    if (kept)
        memcpy(kept, a, (size_t)n_matrices * m->size);
    return lte_inverse(m->level, m->method,
                       &(lte_inverse_batch){m->plan.element, m->plan.n, n_matrices, a, x, flag,
                                            m->work + (size_t)t * m->work_size},
                       1);
}

/* Of lte_second_pass. */
static lte_status invert_again(const lte_second_pass *pass, int n_matrices, void *b, uint8_t *flag)
{
    const lte_matrices *const m = pass->with;
    return invert_once(m, (int)(pass - m->pass), n_matrices, b, b, flag, NULL);
}

static lte_status invert_piece(const lte_matrices *m, int t, int n_matrices, const void *a, void *x,
                               uint8_t *flag)
{
    char *const kept = a == x ? m->kept + (size_t)t * (size_t)m->piece * m->size : NULL;
    int n_found;
    const lte_status status = invert_once(m, t, n_matrices, a, x, flag, kept);
    if (status || !memchr(flag, 1, (size_t)n_matrices))
        return status;
    return lte_second_pass_run(&m->pass[t], n_matrices, kept ? kept : a, x, flag, &n_found);
}

/* What second passes need; nothing is written to most of it before there is one. */
static void take_second(lte_matrices *m)
{
    const size_t n_threads = (size_t)m->plan.n_threads;
    m->kept = lte_pool_take(&m->pool, n_threads * (size_t)m->piece * m->size);
    m->pass = lte_pool_zeros(&m->pool, n_threads * sizeof *m->pass);
    for (size_t t = 0; t < n_threads && m->pass; t++)
        m->pass[t] = (lte_second_pass){.plan = &m->plan, .invert = invert_again, .with = m};
    if (m->pass)
        lte_second_pass_take(m->plan.n_threads, m->pass, m->piece < AGAIN ? m->piece : AGAIN,
                             &m->pool);
}

static lte_status take_memory(lte_matrices *m)
{
    const size_t n_threads = (size_t)m->plan.n_threads;
    lte_link link;
    take_second(m);
    if (m->method >= 0) {
        m->work_size = lte_inverse_work(1);
        m->work = lte_pool_take(&m->pool, n_threads * m->work_size);
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
    made->size =
        (size_t)plan->n * (size_t)plan->n * (size_t)lte_element_size((lte_element)plan->element);
    made->piece = made->method < 0 ? PIECE : made->size * LTE_LANES <= MOST_BYTES ? LTE_LANES : 1;
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

static lte_status matrices_invert(lte_matrices *m, int n_matrices, const void *a, void *x,
                                  uint8_t *flag)
{
    const int piece = m->piece, n_pieces = (int)(((int64_t)n_matrices + piece - 1) / piece);
    int worst = LTE_OK;
#pragma omp parallel for num_threads(m->plan.n_threads) schedule(static)                           \
    reduction(max                                                                                  \
              : worst) if (n_pieces > 1)
    for (int p = 0; p < n_pieces; p++) {
        const int first = p * piece;
        const int n = n_matrices - first < piece ? n_matrices - first : piece;
        const size_t at = (size_t)first * m->size;
        const int status = (int)invert_piece(m, omp_get_thread_num(), n, (const char *)a + at,
                                             (char *)x + at, flag + first);
        worst = status > worst ? status : worst;
    }
    return (lte_status)worst;
}

const lte_matrix_ops lte_cpu_matrix_ops = {
    .create = matrices_create,
    .free = matrices_free,
    .invert = matrices_invert,
};
