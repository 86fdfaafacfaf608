/*
 * Slot periods on a CUDA device: the runs of them, by the path that takes them (cuda_paths.h). The
 * slots lie where cuda_slots.c has put them.
 */
#include <stdint.h>
#include <stdio.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/cuda/cuda_engine.h"
#include "kernels/link/channel_range.h"
#include "phy/detection/plugin.h"
#include "phy/inversion/powers_of_two.h"

lte_status lte_cuda_periods_init(lte_engine *engine)
{
    engine->slots.link = &engine->link;
    engine->slots.stream = engine->stream;
    engine->stages.large = &engine->large.memory;
    lte_cuda_inversion_init(&engine->slots, &engine->stages, &engine->inversion);
    const lte_status status =
        lte_cuda_persistent_init(&engine->link, engine->stream, &engine->persistent);
    return status ? status : lte_cuda_stages_init(&engine->slots, &engine->stages);
}

void lte_cuda_periods_fini(lte_engine *engine)
{
    lte_cuda_persistent_fini(&engine->persistent);
    lte_cuda_inversion_fini(&engine->inversion);
    lte_cuda_stages_fini(&engine->stages);
    lte_cuda_large_fini(&engine->large);
    lte_cuda_slots_fini(&engine->slots);
}

void lte_cuda_periods_choice(const lte_engine *engine, char *text, size_t size)
{
    const lte_cuda_persistent *p = &engine->persistent;
    char kernel[80], slots[384];
    (void)snprintf(kernel, sizeof kernel, "%s%s%s", p->allowed ? "persistent kernel" : "one kernel",
                   p->allowed && lte_link_estimates(&engine->link) ? " if all its blocks fit" : "",
                   p->allowed && p->client_threads > 1 ? ", notified by two threads" : "");
    lte_cuda_paths_text(&engine->link, kernel, slots, sizeof slots);
    (void)snprintf(text, size, "slot: %s; inversion alone: %s", slots,
                   lte_cuda_inversion_choice(&engine->link));
}

/*
 * Whether the slots of a run are of a wide channel, or their noise is as far away: as processors
 * judge each matrix. Estimates are made on the device, near what the link's channel has.
 */
static bool is_wide(const lte_engine *engine, const lte_slot_plan *plan)
{
    const lte_link *link = &engine->link;
    const lte_slot_memory *memory = &plan->job.memory;
    const float range = lte_detector_row_of(plan->job.detector)->range;
    const size_t size = lte_planes_size(link, link->receiver.n_csi);
    const size_t n = memory->h ? (size_t)memory->parts * (size_t)memory->n_h_in : 0;
    bool wide = engine->wide || lte_is_extreme_noise(plan->job.noise.n0, range);
    for (size_t i = 0; i < n && !wide; i++)
        wide = !lte_planes_moderate(link, link->receiver.n_csi, &memory->h[i * size], range);
    return wide;
}

/* A run sets its device once, here: until its end the thread keeps to it. */
static lte_status begin(lte_engine *engine, const lte_slot_plan *plan, lte_slot_setup *setup)
{
    if (lte_plugin_of(plan->job.detector))
        return LTE_FAIL(LTE_EINVAL, "a detector of a plug-in runs on processors alone");
    engine->link.channel.wide = is_wide(engine, plan);
    const int n_carriers = plan->job.n_carriers;
    *setup = (lte_slot_setup){.n_threads = 1, .cached = false};
    lte_status status = LTE_CUDA(cudaSetDevice(engine->device));
    if (!status)
        status = lte_cuda_persistent_stop(&engine->persistent);
    if (!status)
        status = lte_cuda_slots_place(&engine->slots, plan, &setup->cached);
    lte_cuda_inversion_reset(&engine->inversion);
    engine->persistent.n_blocks = 0;
    const lte_cuda_path *const path =
        lte_cuda_path_of(&engine->link, plan->job.detector, n_carriers);
    engine->path = path;
    if (!status && lte_link_takes_memory(&engine->link)) /* of one slot for its stages */
        status = lte_cuda_large_grow(&engine->large, &engine->link, engine->link.carrier.n_sc,
                                     false, path->takes_large ? n_carriers : 1,
                                     lte_cuda_large_scratch(&engine->link, SIZE_MAX));
    if (!status && path->stays)
        status = lte_cuda_persistent_fit(&engine->persistent, path->stays, &engine->slots.job);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(engine->stream));
}

/* A period by launches: the estimate, if there is one, and the slots. */
static lte_status launch(lte_engine *engine, uint64_t first)
{
    lte_cuda_slots *slots = &engine->slots;
    const lte_slot_job job = lte_cuda_slots_period(slots, &first);
    lte_status status = LTE_OK;
    if (lte_link_estimates(&engine->link))
        status = lte_cuda_slots_estimate(slots, &job, first);
    return status ? status : engine->path->launch(engine, &job, first);
}

static lte_status run(lte_engine *engine, uint64_t first, double release_s, double *completed_s,
                      double *gap_s)
{
    if (engine->persistent.n_blocks > 0)
        return lte_cuda_persistent_run(&engine->persistent, &engine->slots.job, first, release_s,
                                       completed_s, gap_s);
    lte_wait_until(release_s, gap_s);
    lte_status status = launch(engine, first);
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(engine->stream));
    *completed_s = lte_seconds();
    return status;
}

static lte_status decode(lte_engine *engine, uint64_t first, double *completed_s)
{
    const lte_subframes subframes = lte_subframes_of(&engine->slots.job, first);
    lte_coded_cuda *coded = engine->slots.subframes;
    lte_status status = lte_coded_cuda_match(coded, &subframes, engine->stream);
    if (!status)
        status = lte_coded_cuda_decode(coded, &subframes, engine->stream);
    if (!status)
        status = lte_coded_cuda_check(coded, &subframes, engine->stream);
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(engine->stream));
    *completed_s = lte_seconds();
    return status;
}

static lte_status end(lte_engine *engine)
{
    engine->link.channel.wide = engine->wide;
    const lte_status status = lte_cuda_persistent_stop(&engine->persistent);
    return status ? status : lte_cuda_slots_fetch(&engine->slots);
}

static bool holds(const lte_engine *engine, const void *array)
{
    return lte_cuda_memory_holds(engine->device, array);
}

/* On the default stream, for which whoever has made the slots has made sure that they are there. */
static lte_status take(lte_engine *engine, int n_slots, lte_layout_id from, const void *d_x,
                       lte_layout_id to, void *y)
{
    lte_status status = LTE_CUDA(cudaSetDevice(engine->device));
    if (!status)
        status = lte_layout_copy_cuda(&engine->link, n_slots, from, d_x, to, y, NULL);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(NULL));
}

static lte_status time_stages(lte_engine *engine, uint64_t i, double *us)
{
    const lte_status status = lte_cuda_persistent_stop(&engine->persistent);
    return status ? status : lte_cuda_stages_run(&engine->stages, i, us);
}

static lte_status time_inversion(lte_engine *engine, int n, double *us)
{
    const lte_status status = lte_cuda_persistent_stop(&engine->persistent);
    return status ? status : lte_cuda_inversion_run(&engine->inversion, n, us);
}

const lte_slot_ops lte_cuda_slot_ops = {
    .n_placements = LTE_N_PLACEMENTS,
    .begin = begin,
    .run = run,
    .decode = decode,
    .end = end,
    .holds = holds,
    .take = take,
    .stages = time_stages,
    .inversion = time_inversion,
};
