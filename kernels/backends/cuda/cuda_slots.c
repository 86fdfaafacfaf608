/* Where the slots of a deadline run lie for a CUDA device, and their estimates. */
#include "kernels/backends/cuda/cuda_slots.h"

#include "kernels/cuda/launchers.h"

enum { L2_MULTIPLE = 3 }; /* slots on the device are to outgrow the cache so many times */

/* Copies of the slots: as many as outgrow the cache, in half of the memory that is left. */
static lte_status count_copies(const lte_cuda_slots *slots, size_t size, size_t *copies,
                               bool *cached)
{
    size_t left = 0, total = 0;
    int device = 0, l2 = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    if (!status)
        status = LTE_CUDA(cudaMemGetInfo(&left, &total));
    const size_t wanted = L2_MULTIPLE * (size_t)l2;
    const size_t outgrow = (wanted + size - 1) / size;
    const size_t fit = (left + slots->h.size + slots->y.size) / 2 / size;
    const size_t most = fit > 1 ? fit : 1;
    *copies = outgrow < most ? outgrow : most;
    *copies = *copies > 0 ? *copies : 1;
    *cached = *copies * size < wanted;
    return status;
}

/*
 * copies times the same slots of a part of size bytes, one after the other; then those of the next.
 */
static lte_status repeat(const lte_cuda_memory *to, const void *from, int parts, size_t size,
                         size_t copies, cudaStream_t stream)
{
    const size_t n = (size_t)parts * copies;
    lte_status status = LTE_OK;
    for (size_t i = 0; i < n && size > 0 && !status; i++)
        status = LTE_CUDA(cudaMemcpyAsync((char *)to->at + i * size,
                                          (const char *)from + i / copies * size, size,
                                          cudaMemcpyHostToDevice, stream));
    return status;
}

static lte_status place_on_device(lte_cuda_slots *slots, bool *cached)
{
    const lte_slot_memory *from = &slots->plan.job.memory;
    lte_slot_memory *to = &slots->job.memory;
    const size_t n = (size_t)from->n_in, parts = (size_t)from->parts;
    const bool known = !lte_link_estimates(slots->link);
    const size_t h_size = known ? n * lte_layout_bytes(slots->link, LTE_PLANES_CSI) : 0;
    const size_t y_size = n * lte_layout_bytes(slots->link, LTE_PLANES_Y);
    const size_t bits_size = (size_t)from->n_out * from->out_bytes;
    size_t copies = 1;
    lte_status status = count_copies(slots, parts * (h_size + y_size), &copies, cached);
    if (!status)
        status = lte_cuda_memory_grow(&slots->h, parts * copies * h_size);
    if (!status)
        status = lte_cuda_memory_grow(&slots->y, parts * copies * y_size);
    if (!status)
        status = lte_cuda_memory_grow(&slots->bits, bits_size);
    if (!status) /* no answer of an earlier run passes for one of this */
        status = LTE_CUDA(cudaMemsetAsync(slots->bits.at, 0, bits_size, slots->stream));
    if (!status)
        status = repeat(&slots->h, from->h, from->parts, h_size, copies, slots->stream);
    if (!status)
        status = repeat(&slots->y, from->y, from->parts, y_size, copies, slots->stream);
    to->h = slots->h.at;
    to->y = slots->y.at;
    to->bits = slots->bits.at;
    to->n_in = to->n_h_in = copies * from->n_in;
    return status;
}

/* Memory for the estimates of a period. */
static lte_status place_estimates(lte_cuda_slots *slots)
{
    lte_cuda_estimates *e = &slots->estimates;
    const int n_carriers = slots->job.n_carriers;
    const bool both = slots->link->receiver.pilots > 1;
    e->n = both ? n_carriers / 2 * 2 + 2 : n_carriers;
    const size_t n = (size_t)e->n;
    const size_t residuals = (2 * n + (size_t)slots->link->receiver.pilots) * sizeof(int64_t);
    lte_status status =
        lte_cuda_memory_grow(&e->h, n * lte_planes_size(slots->link, 1) * sizeof(lte_cf32));
    if (!status)
        status = lte_cuda_memory_grow(&e->residuals, residuals);
    if (!status && both)
        status =
            lte_cuda_memory_grow(&e->combinations, n * LTE_SLOT_SYMBOLS * sizeof(lte_combination));
    if (!status)
        status = LTE_CUDA(cudaMemsetAsync(e->residuals.at, 0, residuals, slots->stream));
    slots->job.memory.h = e->h.at;
    slots->job.memory.n_h_in = n;
    slots->job.noise.combination = e->combinations.at;
    return status;
}

/* Memory for the subframes of a period; its tables take time, so it is made with room for more. */
static lte_status place_subframes(lte_cuda_slots *slots)
{
    const int n = lte_subframes_of(&slots->plan.job, 0).n;
    if (slots->subframes && n <= slots->n_subframes)
        return LTE_OK;
    const int room = n > 2 * slots->n_subframes ? n : 2 * slots->n_subframes;
    lte_coded_cuda_free(slots->subframes);
    slots->n_subframes = room;
    return lte_coded_cuda_receive(slots->link, room, &slots->subframes);
}

/* LLRs of part `part` of the slots of a period go to the decoder. */
static void write_subframes(const lte_cuda_slots *slots, int part, lte_slot_memory *memory)
{
    const size_t planes = (size_t)lte_llr_planes(slots->link);
    const int parts = slots->job.memory.parts;
    memory->bits = (uint8_t *)lte_coded_cuda_llrs(slots->subframes) + (size_t)part * planes;
    memory->out_bytes = (size_t)parts * planes;
    memory->n_out = (uint64_t)slots->job.n_carriers;
    memory->scrambled = (lte_scrambled){.flips = lte_coded_cuda_flips(slots->subframes),
                                        .distinct = slots->plan.job.memory.n_in,
                                        .step = parts,
                                        .part = part};
}

/* Outputs of slots lie where the plan has them. */
static lte_status place_nothing(lte_cuda_slots *slots)
{
    (void)slots;
    return LTE_OK;
}

static void write_slots(const lte_cuda_slots *slots, int part, lte_slot_memory *memory)
{
    (void)slots;
    (void)part;
    (void)memory;
}

/* Where outputs go on their way, by what is counted of the link. */
static const struct {
    lte_status (*place)(lte_cuda_slots *slots);
    void (*write)(const lte_cuda_slots *slots, int part, lte_slot_memory *memory);
} outputs[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {place_nothing, write_slots},
    [LTE_COUNTED_LLRS] = {place_nothing, write_slots},
    [LTE_COUNTED_BLOCKS] = {place_subframes, write_subframes},
};

lte_status lte_cuda_slots_place(lte_cuda_slots *slots, const lte_slot_plan *plan, bool *cached)
{
    lte_status status = LTE_OK;
    *cached = false;
    slots->plan = *plan;
    slots->job = plan->job;
    slots->estimates.residual = NULL;
    if (plan->placement == LTE_PLACEMENT_DEVICE)
        status = place_on_device(slots, cached);
    if (!status && lte_link_estimates(slots->link))
        status = place_estimates(slots);
    if (!status)
        status = outputs[slots->link->output.counted].place(slots);
    return status;
}

lte_slot_job lte_cuda_slots_period(const lte_cuda_slots *slots, uint64_t *first)
{
    const lte_link *link = slots->link;
    lte_slot_job job = slots->job;
    const int part = lte_slot_job_part(&job, first);
    job.memory = lte_slot_memory_part(link, &slots->job.memory, part);
    if (lte_link_estimates(link)) /* they are this period's */
        job.memory.h = slots->job.memory.h;
    outputs[link->output.counted].write(slots, part, &job.memory);
    return job;
}

/* The kernels that add up a period's residuals zero those of the next. */
lte_status lte_cuda_slots_estimate(lte_cuda_slots *slots, const lte_slot_job *job, uint64_t first)
{
    lte_cuda_estimates *e = &slots->estimates;
    const uint64_t n = (uint64_t)e->n;
    int64_t *const residuals = e->residuals.at;
    int64_t *const here = residuals + e->n_periods % 2 * n;
    int64_t *const next = residuals + (e->n_periods + 1) % 2 * n;
    e->n_periods++;
    e->residual = here;
    const lte_estimated to = {e->n, e->h.at, here, e->combinations.at, next};
    return lte_estimate_cuda(slots->link, job->noise, job->memory.y,
                             lte_pilot_slot(first, slots->link->receiver.pilots, 0),
                             job->memory.n_in, &to, slots->stream);
}

lte_status lte_cuda_slots_receive(lte_cuda_slots *slots, const lte_cf32 *y, const lte_cf32 **h,
                                  const int64_t **residual)
{
    lte_cuda_estimates *e = &slots->estimates;
    *residual = NULL;
    if (!lte_link_estimates(slots->link))
        return LTE_OK;
    const int n = slots->link->receiver.pilots;
    int64_t *const own = (int64_t *)e->residuals.at + 2 * (ptrdiff_t)e->n;
    *h = e->h.at;
    *residual = own;
    const lte_status status =
        LTE_CUDA(cudaMemsetAsync(own, 0, (size_t)n * sizeof *own, slots->stream));
    const lte_estimated to = {n, e->h.at, own, e->combinations.at, NULL};
    return status ? status
                  : lte_estimate_cuda(slots->link, slots->job.noise, y, 0, (uint64_t)n, &to,
                                      slots->stream);
}

lte_slot_memory lte_cuda_slot_alone(const lte_cf32 *h, int n_h, const lte_cf32 *y, uint8_t *bits,
                                    size_t row_bytes)
{
    return (lte_slot_memory){.h = (lte_cf32 *)h,
                             .y = (lte_cf32 *)y,
                             .bits = bits,
                             .n_h_in = (uint64_t)n_h,
                             .n_in = 1,
                             .n_out = 1,
                             .row_bytes = row_bytes,
                             .out_bytes = LTE_SLOT_SYMBOLS * row_bytes,
                             .parts = 1};
}

lte_noise lte_cuda_noise_alone(lte_noise noise, uint64_t place)
{
    if (noise.combination)
        noise.combination += place * LTE_SLOT_SYMBOLS;
    return noise;
}

lte_status lte_cuda_slots_fetch(lte_cuda_slots *slots)
{
    const lte_slot_memory *to = &slots->plan.job.memory;
    lte_status status = LTE_OK;
    if (slots->plan.placement == LTE_PLACEMENT_DEVICE)
        status = LTE_CUDA(cudaMemcpyAsync(to->bits, slots->job.memory.bits,
                                          (size_t)to->n_out * to->out_bytes, cudaMemcpyDeviceToHost,
                                          slots->stream));
    return status ? status : LTE_CUDA(cudaStreamSynchronize(slots->stream));
}

void lte_cuda_slots_fini(lte_cuda_slots *slots)
{
    lte_cuda_memory_fini(&slots->h);
    lte_cuda_memory_fini(&slots->y);
    lte_cuda_memory_fini(&slots->bits);
    lte_cuda_memory_fini(&slots->estimates.h);
    lte_cuda_memory_fini(&slots->estimates.residuals);
    lte_cuda_memory_fini(&slots->estimates.combinations);
    lte_coded_cuda_free(slots->subframes);
    slots->subframes = NULL;
}
