/*
 * Batches of matrices that a program hands over, on a CUDA device. Flagged matrices come to the
 * host for a second pass, piece by piece, and are inverted on the device once more.
 */
#include "kernels/backends/cuda/cuda_ops.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/backends/cuda/cuda_batch.h"
#include "kernels/backends/cuda/cuda_memory.h"
#include "kernels/backends/second_pass.h"
#include "kernels/base/cuda_status.h"
#include "kernels/cuda/inversion/inversion_versions.h"

enum {
    BOUNDARY = 16,         /* that the versions want */
    PIECE_BYTES = 1 << 22, /* of a piece of a second pass */
    MOST_PIECE = 2048      /* matrices of one */
};

/* What second passes need in host memory; there is none before the first. */
typedef struct {
    lte_pool pool;
    lte_second_pass pass;
    char *a, *x; /* [pass.most][n][n] */
} second_memory;

struct lte_matrices {
    lte_matrices_plan plan;
    lte_cuda_batch batch;
    lte_cuda_memory a, x, flag, work;
    lte_cuda_memory kept;     /* the matrices, where x takes their place on the device */
    lte_cuda_memory b, again; /* matrices and flags of a second pass */
    uint8_t *flags;           /* [n_flags] those of an array that the host does not read */
    size_t n_flags;
    second_memory second;
};

static void matrices_free(lte_matrices *m)
{
    int device = 0;
    if (!m)
        return;
    (void)lte_cuda_batch_enter(&m->batch, &device);
    lte_cuda_memory_fini(&m->a);
    lte_cuda_memory_fini(&m->x);
    lte_cuda_memory_fini(&m->flag);
    lte_cuda_memory_fini(&m->work);
    lte_cuda_memory_fini(&m->kept);
    lte_cuda_memory_fini(&m->b);
    lte_cuda_memory_fini(&m->again);
    if (m->batch.stream)
        (void)cudaStreamDestroy(m->batch.stream);
    (void)cudaSetDevice(device);
    lte_pool_free(&m->second.pool);
    free(m->flags);
    free(m);
}

static lte_status matrices_create(const lte_backend *self, const lte_matrices_plan *plan,
                                  lte_matrices **matrices)
{
    int device = 0;
    (void)self;
    *matrices = NULL;
    lte_matrices *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a batch of matrices");
    made->plan = *plan;
    made->batch = (lte_cuda_batch){.device = plan->device, .boundary = BOUNDARY};
    lte_status status = lte_cuda_batch_enter(&made->batch, &device);
    if (!status)
        status = lte_cuda_batch_leave(device, LTE_CUDA(cudaStreamCreate(&made->batch.stream)));
    if (status) {
        matrices_free(made);
        return status;
    }
    *matrices = made;
    return LTE_OK;
}

static lte_status launch(lte_matrices *m, int n_matrices, const void *d_a, void *d_x,
                         uint8_t *d_flag)
{
    const lte_matrices_plan *p = &m->plan;
    const lte_inversion_version *version =
        lte_inversion_choose(p->inverter, p->element, p->n, n_matrices);
    if (!version)
        return LTE_FAIL(LTE_EINVAL, "%s does not take order %d of element type %d",
                        lte_inverter_rows[p->inverter].name, p->n, p->element);
    const lte_status status =
        lte_cuda_memory_grow(&m->work, lte_inversion_work(version, p->element, p->n, n_matrices));
    return status ? status
                  : lte_inversion_cuda(version,
                                       &(lte_inverse_batch){p->element, p->n, n_matrices, d_a, d_x,
                                                            d_flag, m->work.at},
                                       m->batch.stream);
}

static size_t matrix_size(const lte_matrices *m)
{
    const size_t n = (size_t)m->plan.n;
    return n * n * (size_t)lte_element_size((lte_element)m->plan.element);
}

/* Of lte_second_pass: from host memory, and back. */
static lte_status invert_again(const lte_second_pass *pass, int n_matrices, void *b, uint8_t *flag)
{
    lte_matrices *const m = pass->with;
    const size_t n_flags = (size_t)n_matrices, size = n_flags * matrix_size(m);
    lte_status status = lte_cuda_memory_grow(&m->b, size);
    if (!status)
        status = lte_cuda_memory_grow(&m->again, n_flags);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, m->b.at, b, size);
    if (!status)
        status = launch(m, n_matrices, m->b.at, m->b.at, m->again.at);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, b, m->b.at, size);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, flag, m->again.at, n_flags);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(m->batch.stream));
}

static lte_status take_second(lte_matrices *m)
{
    second_memory *const s = &m->second;
    const size_t size = matrix_size(m), fit = PIECE_BYTES / size;
    const int most = fit < 1 ? 1 : fit < MOST_PIECE ? (int)fit : MOST_PIECE;
    if (s->a)
        return LTE_OK;
    s->pass = (lte_second_pass){.plan = &m->plan, .invert = invert_again, .with = m};
    lte_second_pass_take(1, &s->pass, most, &s->pool);
    char *const a = lte_pool_take(&s->pool, (size_t)most * size);
    s->x = lte_pool_take(&s->pool, (size_t)most * size);
    const lte_status status = lte_pool_check(&s->pool, "matrices that are inverted once more");
    if (status)
        lte_pool_free(&s->pool);
    else
        s->a = a;
    return status;
}

/* Up to a piece of matrices a, whose x and flags are done; flag: in host memory. */
static lte_status piece_again(lte_matrices *m, int n_matrices, const char *a, char *x,
                              uint8_t *flag)
{
    const second_memory *const s = &m->second;
    const size_t size = (size_t)n_matrices * matrix_size(m);
    int n_found = 0;
    lte_status status = lte_cuda_batch_copy(&m->batch, s->a, a, size);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, s->x, x, size);
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(m->batch.stream));
    if (!status)
        status = lte_second_pass_run(&s->pass, n_matrices, s->a, s->x, flag, &n_found);
    if (status || n_found == 0)
        return status;
    status = lte_cuda_batch_copy(&m->batch, x, s->x, size);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(m->batch.stream));
}

/* The second pass over a batch; flags: in host memory. */
static lte_status again(lte_matrices *m, int n_matrices, const char *a, char *x, uint8_t *flags)
{
    const size_t size = matrix_size(m);
    lte_status status = take_second(m);
    const int most = m->second.pass.most;
    for (int first = 0; first < n_matrices && !status; first += most) {
        const int n = n_matrices - first < most ? n_matrices - first : most;
        const size_t at = (size_t)first * size;
        if (memchr(flags + first, 1, (size_t)n))
            status = piece_again(m, n, a + at, x + at, flags + first);
    }
    return status;
}

/* Where the host finds the flags: where they are, or in memory grown to them. */
static lte_status flags_on_host(lte_matrices *m, uint8_t *flag, size_t n_flags, uint8_t **flags)
{
    *flags = flag;
    if (lte_cuda_memory_on_host(flag))
        return LTE_OK;
    if (m->n_flags < n_flags) {
        free(m->flags);
        m->flags = malloc(n_flags);
        m->n_flags = m->flags ? n_flags : 0;
    }
    *flags = m->flags;
    return m->flags ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for %zu flags", n_flags);
}

/* The batch once, x and both kinds of flags done; *kept: matrices that nothing was written to. */
static lte_status invert_once(lte_matrices *m, int n_matrices, const void *a, void *x,
                              uint8_t *flag, uint8_t *flags, const void **kept)
{
    const size_t n_flags = (size_t)n_matrices, size = n_flags * matrix_size(m);
    void *d_a = NULL, *d_x = NULL, *d_flag = NULL;
    lte_status status = lte_cuda_batch_place(&m->batch, &m->a, a, size, &d_a);
    if (!status)
        status = lte_cuda_batch_place(&m->batch, &m->x, x, size, &d_x);
    if (!status)
        status = lte_cuda_batch_place(&m->batch, &m->flag, flag, n_flags, &d_flag);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, d_a, a, size);
    *kept = d_a;
    if (!status && d_a == d_x) {
        status = lte_cuda_memory_grow(&m->kept, size);
        *kept = m->kept.at;
        if (!status)
            status = lte_cuda_batch_copy(&m->batch, m->kept.at, d_a, size);
    }
    if (!status)
        status = launch(m, n_matrices, d_a, d_x, d_flag);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, x, d_x, size);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, flag, d_flag, n_flags);
    if (!status && flags != flag)
        status = lte_cuda_batch_copy(&m->batch, flags, d_flag, n_flags);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(m->batch.stream));
}

static lte_status invert_there(lte_matrices *m, int n_matrices, const void *a, void *x,
                               uint8_t *flag)
{
    const size_t n_flags = (size_t)n_matrices;
    const void *kept = NULL;
    uint8_t *flags = NULL;
    lte_status status = flags_on_host(m, flag, n_flags, &flags);
    if (!status)
        status = invert_once(m, n_matrices, a, x, flag, flags, &kept);
    if (status || !memchr(flags, 1, n_flags))
        return status;
    status = again(m, n_matrices, kept, x, flags);
    if (status || flags == flag)
        return status;
    status = lte_cuda_batch_copy(&m->batch, flag, flags, n_flags);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(m->batch.stream));
}

static lte_status matrices_invert(lte_matrices *m, int n_matrices, const void *a, void *x,
                                  uint8_t *flag)
{
    int device = 0;
    const lte_status status = lte_cuda_batch_enter(&m->batch, &device);
    return status ? status : lte_cuda_batch_leave(device, invert_there(m, n_matrices, a, x, flag));
}

const lte_matrix_ops lte_cuda_matrix_ops = {
    .create = matrices_create,
    .free = matrices_free,
    .invert = matrices_invert,
};
