/* What a link refers to, on the device: correlation, stored channels, tables of an estimate. */
#include "kernels/backends/cuda/cuda_tables.h"

#include "kernels/base/cuda_status.h"
#include "kernels/link/layouts.h"

/*
 * In the stream's order: a plain copy may still be on its way when the stream's kernels start. NULL
 * if there is no table, or after a failure: then *status says it, and nothing more is done.
 */
static const void *copied(const void *table, size_t size, cudaStream_t stream,
                          lte_cuda_tables *tables, lte_status *status)
{
    void **d_table = &tables->table[tables->n];
    if (!table || *status)
        return NULL;
    *status = LTE_CUDA(cudaMalloc(d_table, size));
    if (*status)
        return NULL;
    tables->n++;
    *status = LTE_CUDA(cudaMemcpyAsync(*d_table, table, size, cudaMemcpyHostToDevice, stream));
    return *d_table;
}

lte_status lte_cuda_tables_init(lte_link *link, cudaStream_t stream, lte_cuda_tables *tables)
{
    lte_estimator *p = &link->receiver.estimator;
    const size_t n_sc = (size_t)link->carrier.n_sc,
                 lanes = (size_t)link->carrier.n_groups * LTE_LANES;
    const size_t n_tx = (size_t)link->n_tx, n = (size_t)link->n_rx * n_tx;
    const size_t n_sets = (size_t)p->n_sets, window = (size_t)p->window;
    const size_t n_basis = (size_t)p->n_basis, pitch = (size_t)lte_estimator_pitch(p);
    const size_t stored = link->channel.n_stored * lte_layout_bytes(link, LTE_PLANES_H);
    lte_status status = LTE_OK;
    tables->n = 0;
    link->channel.correlation_factor =
        copied(link->channel.correlation_factor, n * n * sizeof(float), stream, tables, &status);
    link->channel.stored = copied(link->channel.stored, stored, stream, tables, &status);
    link->output.scale_losses = copied(
        link->output.scale_losses, LTE_SCALE_LOSSES * sizeof(uint32_t), stream, tables, &status);
    link->output.integer_losses = copied(
        link->output.integer_losses, LTE_LLR_VALUES * sizeof(uint32_t), stream, tables, &status);
    if (!lte_link_estimates(link))
        return status;
    p->reference = copied(p->reference, n_tx * n_sc * sizeof(lte_cf32), stream, tables, &status);
    p->weight = copied(p->weight, n_sets * n_tx * window * window * sizeof(lte_cf32), stream,
                       tables, &status);
    p->row = copied(p->row, n_sc * 2 * pitch * sizeof(float), stream, tables, &status);
    p->column = copied(p->column, n_basis * 2 * lanes * sizeof(float), stream, tables, &status);
    p->matrix = copied(p->matrix, n_sets * n_tx * n_basis * 2 * n_tx * pitch * sizeof(float),
                       stream, tables, &status);
    p->estimation_error =
        copied(p->estimation_error, n_sets * lanes * sizeof(float), stream, tables, &status);
    p->mean_error = copied(p->mean_error, n_sets * sizeof(float), stream, tables, &status);
    return status;
}

void lte_cuda_tables_fini(lte_cuda_tables *tables)
{
    for (int i = 0; i < tables->n; i++)
        (void)cudaFree(tables->table[i]);
    tables->n = 0;
}
