/* Batches of matrices that a program hands over, on a CUDA device. */
#include "kernels/backends/cuda/cuda_ops.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/backends/cuda/cuda_batch.h"
#include "kernels/backends/cuda/cuda_memory.h"
#include "kernels/base/cuda_status.h"
#include "kernels/cuda/inversion/inversion_versions.h"

enum { BOUNDARY = 16 }; /* that the versions want */

struct lte_matrices {
    lte_matrices_plan plan;
    lte_cuda_batch batch;
    lte_cuda_memory a, x, flag, work;
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
    if (m->batch.stream)
        (void)cudaStreamDestroy(m->batch.stream);
    (void)cudaSetDevice(device);
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

static lte_status invert_there(lte_matrices *m, int n_matrices, const void *a, void *x,
                               uint8_t *flag)
{
    const size_t n2 = (size_t)m->plan.n * (size_t)m->plan.n, n_flags = (size_t)n_matrices;
    const size_t size = n_flags * n2 * (size_t)lte_element_size((lte_element)m->plan.element);
    void *d_a = NULL, *d_x = NULL, *d_flag = NULL;
    lte_status status = lte_cuda_batch_place(&m->batch, &m->a, a, size, &d_a);
    if (!status)
        status = lte_cuda_batch_place(&m->batch, &m->x, x, size, &d_x);
    if (!status)
        status = lte_cuda_batch_place(&m->batch, &m->flag, flag, n_flags, &d_flag);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, d_a, a, size);
    if (!status)
        status = launch(m, n_matrices, d_a, d_x, d_flag);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, x, d_x, size);
    if (!status)
        status = lte_cuda_batch_copy(&m->batch, flag, d_flag, n_flags);
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
