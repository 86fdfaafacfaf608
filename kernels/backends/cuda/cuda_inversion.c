/* The inversion alone on a CUDA device: the slots' Gram matrices, and a version of the inverter. */
#include "kernels/backends/cuda/cuda_inversion.h"

#include "kernels/backends/clock.h"
#include "kernels/cuda/launchers.h"
#include "kernels/cuda/inversion/inversion_versions.h"

enum { GRAM_SLOTS = 16 }; /* inputs that are taken in turn */

/* Rounded up, so that every slot's matrices begin on 16 bytes. */
static size_t elements_of_slot(const lte_link *link)
{
    return (lte_layout_bytes(link, LTE_MATRICES_GRAM) + 15) / 16 * 16 / sizeof(lte_cf32);
}

void lte_cuda_inversion_init(lte_cuda_slots *slots, const lte_cuda_stages *stages,
                             lte_cuda_inversion *v)
{
    v->slots = slots;
    v->stages = stages;
}

void lte_cuda_inversion_reset(lte_cuda_inversion *v)
{
    v->ready = false;
}

/* Once; what an earlier run was left with is kept. */
static lte_status alloc(lte_cuda_inversion *v, size_t size)
{
    const lte_cuda_wish wishes[] = {{(void **)&v->d_grams, v->d_grams ? 0 : size},
                                    {(void **)&v->d_inverses, v->d_inverses ? 0 : size}};
    lte_status status = lte_cuda_alloc(wishes, sizeof wishes / sizeof *wishes);
    if (!status && !v->grams)
        status = LTE_CUDA(cudaHostAlloc((void **)&v->grams, size, cudaHostAllocMapped));
    if (!status && !v->inverses)
        status = LTE_CUDA(cudaHostAlloc((void **)&v->inverses, size, cudaHostAllocMapped));
    return status;
}

/* Planes of slot i to its Gram matrices at d_grams. */
static lte_status make_slot(const lte_cuda_inversion *v, uint64_t i, lte_cf32 *d_grams)
{
    const lte_link *link = v->slots->link;
    const lte_slot_job *job = &v->slots->job;
    const lte_cuda_batches *b = &v->stages->batches;
    cudaStream_t stream = v->slots->stream;
    const lte_cf32 *h = lte_slot_memory_h(link, &job->memory, i);
    const lte_cf32 *y = lte_slot_memory_pilots(link, &job->memory, i);
    const uint64_t place = i % (uint64_t)link->receiver.pilots;
    const int64_t *residual = NULL;
    lte_status status = lte_cuda_slots_receive(v->slots, y, &h, &residual);
    if (!status && lte_link_in_batches(link)) {
        const lte_slot_memory alone = lte_cuda_slot_alone(h, link->receiver.pilots, y, NULL, 0);
        lte_large_memory large = *v->stages->large;
        large.x = d_grams;
        status = lte_large_turn_cuda(link, job->noise, &alone, place, 1, &large, stream);
        const lte_units units = lte_units_of(link, place, 1);
        const lte_residuals own = {residual, 0, 1};
        return status ? status
                      : lte_large_gram_cuda(link, &units, job->detector,
                                            lte_cuda_noise_alone(job->noise, place), &own, &large,
                                            stream);
    }
    if (!status)
        status = lte_corner_turn_cuda(link, h, y, b->h, b->y, stream);
    if (!status)
        status = lte_gram_cuda(link, job->detector, job->noise, residual, b->h, b->g, stream);
    return status ? status
                  : lte_layout_copy_cuda(link, 1, LTE_BATCH_GRAM, b->g, LTE_MATRICES_GRAM, d_grams,
                                         stream);
}

/* Gram matrices of a few slots, on the device and in host memory. */
static lte_status make_grams(lte_cuda_inversion *v)
{
    cudaStream_t stream = v->slots->stream;
    const size_t n = elements_of_slot(v->slots->link), size = GRAM_SLOTS * n * sizeof(lte_cf32);
    lte_status status = alloc(v, size);
    if (!status) /* what rounding up leaves over is copied, too */
        status = LTE_CUDA(cudaMemsetAsync(v->d_grams, 0, size, stream));
    for (uint64_t i = 0; i < GRAM_SLOTS && !status; i++)
        status = make_slot(v, i, v->d_grams + i * n);
    if (!status)
        status =
            LTE_CUDA(cudaMemcpyAsync(v->grams, v->d_grams, size, cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(stream));
    v->ready = !status;
    return status;
}

lte_status lte_cuda_inversion_run(lte_cuda_inversion *v, int n, double *us)
{
    const lte_link *link = v->slots->link;
    const bool host = v->slots->plan.placement == LTE_PLACEMENT_HOST;
    const int most = link->carrier.n_sc * link->receiver.n_csi;
    if (n < 1 || n > most)
        return LTE_FAIL(LTE_EINVAL, "n=%d matrices (1 to %d)", n, most);
    if (!lte_detector_needs(v->slots->job.detector, LTE_NEEDS_INVERSE)) {
        *us = 0.0;
        return LTE_OK;
    }
    const lte_inversion_version *version = lte_inversion_of(link, n);
    lte_status status = v->ready ? LTE_OK : make_grams(v);
    if (status)
        return status;
    const size_t at = v->n_runs++ % GRAM_SLOTS * elements_of_slot(link);
    const double start_s = lte_seconds();
    status = lte_inversion_cuda(version,
                                &(lte_inverse_batch){LTE_CFLOAT, link->n_tx, n,
                                                     (host ? v->grams : v->d_grams) + at,
                                                     (host ? v->inverses : v->d_inverses) + at,
                                                     v->stages->batches.flag, NULL},
                                v->slots->stream);
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(v->slots->stream));
    *us = 1e6 * (lte_seconds() - start_s);
    return status;
}

const char *lte_cuda_inversion_choice(const lte_link *link)
{
    return lte_inversion_of(link, link->carrier.n_sc)->name;
}

void lte_cuda_inversion_fini(lte_cuda_inversion *v)
{
    (void)cudaFree(v->d_grams);
    (void)cudaFree(v->d_inverses);
    (void)cudaFreeHost(v->grams);
    (void)cudaFreeHost(v->inverses);
}
