/* The sweep by stages over matrices in memory: so many slots, or subcarriers of one, at a time. */
#include "kernels/cuda/detectors/detectors_cuda.h"
#include "kernels/cuda/sweep/sweep_units.cuh"

namespace
{

/* Which units are at hand next; false: none is left. */
bool next_units(const lte_link *link, const lte_sweep_memory *memory, int n_slots, lte_units *units)
{
    units->sc += units->n_sc;
    if (units->n_slots == 0 || units->sc == link->carrier.n_sc) {
        units->sc = 0;
        units->entry += units->n_slots;
    }
    const int slots = n_slots - units->entry, sc = link->carrier.n_sc - units->sc;
    units->n_slots = slots < memory->n_large ? slots : memory->n_large;
    units->n_sc = sc < memory->sc_large ? sc : memory->sc_large;
    return slots > 0;
}

/* What the recipe of a detector for large arrays decides of the units at hand. */
lte_status count_by_recipe(const lte_decide_job *job, int n_columns, uint32_t *errors,
                           cudaStream_t stream)
{
    const lte_detector detector = job->plan.detector;
    const lte_detector_row *row = lte_detector_row_of(detector);
    lte_status status = LTE_OK;
    if (row->needs & LTE_NEEDS_GRAM)
        status = lte_large_gram_cuda(&job->link, &job->units, detector, job->noise, &job->residual,
                                     &job->memory, stream);
    if (!status && (row->needs & LTE_NEEDS_INVERSE))
        status = lte_large_invert_cuda(&job->link, job->units.n_slots, &job->memory, stream);
    return status ? status : lte_large_count_cuda(job, n_columns, errors, stream);
}

/* All detectors of a sweep over the units at hand, as they have been received. */
lte_status decide(const units_sweep *s, const lte_units *units, cudaStream_t stream)
{
    lte_decide_job job = {};
    job.link = lte_link_part(s->link, units);
    job.units = *units;
    job.noise = s->noise;
    job.residual = s->residual;
    job.memory = s->memory->large;
    lte_status status = LTE_OK;
    for (int d = 0; d < s->n_detectors && !status; d++) {
        uint32_t *const errors = s->errors + lte_counts_at(s->link->output.n_counts, d);
        job.plan = lte_link_plan(s->link, s->detectors[d], s->link->output.asked);
        status = s->by_recipe ? count_by_recipe(&job, s->n_columns, errors, stream)
                              : lte_decide_count_cuda(s->link, &job, s->n_columns, errors, s->flips,
                                                      s->llrs, stream);
    }
    return status;
}

} // namespace

lte_status lte_sweep_units(const units_sweep *s, lte_units units, int n_slots, cudaStream_t stream)
{
    lte_status status = LTE_OK;
    while (!status && next_units(s->link, s->memory, n_slots, &units)) {
        status = lte_large_send_cuda(s->link, &units, s->noise, s->tap, s->labels,
                                     &s->memory->large, s->power, stream);
        if (!status && lte_link_estimates(s->link))
            status = lte_large_know_cuda(s->link, &units, s->noise, &s->residual, s->memory->h,
                                         &s->memory->large, stream);
        if (!status)
            status = decide(s, &units, stream);
    }
    return status;
}
