/*
 * Slot periods on a CUDA device: which kernel takes a period, and the runs of them. The slots lie
 * where cuda_slots.c has put them; few carriers go to the persistent kernel, others to launches.
 */
#include <stdio.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/cuda/cuda_engine.h"

/*
 * Up to here a period is a matter of latency: the persistent kernel answers sooner than a launch.
 * Above it a thread per subcarrier does the work of a carrier with fewer instructions. A channel
 * that moves has seven times the bytes and matrices: there a thread per subcarrier and symbol is
 * enough of them.
 */
enum { LATENCY_CARRIERS = 4 };

/* True if lanes share the subcarriers of such a period's slots. */
static bool is_for_latency(const lte_link *link, lte_detector detector, int n_carriers)
{
    return n_carriers <= LATENCY_CARRIERS && lte_slot_latency_takes(link, detector);
}

/* True if a period's slots go by stages, as far as no kernel fuses them. */
static bool is_in_batches(const lte_link *link)
{
    return lte_link_in_batches(link) && !lte_link_gives_llrs(link);
}

/* True if a kernel takes a link with some detector. */
static bool takes_some(bool (*takes)(const lte_link *link, lte_detector detector),
                       const lte_link *link)
{
    for (int id = 0; id < LTE_N_DETECTORS; id++) {
        if (takes(link, lte_detector_usual(id)))
            return true;
    }
    return false;
}

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
    const char *const inversion = lte_cuda_inversion_choice(&engine->link);
    const char *const kernel = p->allowed ? "persistent kernel" : "one kernel";
    const char *const fits =
        p->allowed && lte_link_estimates(&engine->link) ? " if all its blocks fit" : "";
    const char *const notified =
        p->allowed && p->client_threads > 1 ? ", notified by two threads" : "";
    if (lte_link_gives_llrs(&engine->link))
        (void)snprintf(text, size,
                       "slot: one kernel, one thread per subcarrier%s, LLRs; inversion: %s",
                       engine->link.n_csi > 1 ? " and symbol" : "", inversion);
    else if (takes_some(lte_both_fuse, &engine->link))
        (void)snprintf(text, size,
                       "slot: detectors that solve use one thread per subcarrier and symbol, "
                       "others one kernel per stage; inversion: %s",
                       inversion);
    else if (lte_link_in_batches(&engine->link))
        (void)snprintf(
            text, size,
            "slot: %sone kernel per stage, matrices in memory, one thread per layer; inversion: %s",
            takes_some(lte_large_fuses, &engine->link)
                ? "one fused kernel for detectors that solve, else "
                : "",
            inversion);
    else if (takes_some(lte_slot_latency_takes, &engine->link))
        (void)snprintf(text, size,
                       "slot: %s%s%s, several lanes per subcarrier, up to %d carriers; for more, "
                       "one thread per subcarrier; inversion only: %s",
                       kernel, fits, notified, LATENCY_CARRIERS, inversion);
    else
        (void)snprintf(text, size,
                       "slot: one kernel, one thread per subcarrier%s; inversion only: %s",
                       engine->link.n_csi > 1 ? " and symbol" : "", inversion);
}

/* A run sets its device once, here: until its end the thread keeps to it. */
static lte_status begin(lte_engine *engine, const lte_slot_plan *plan, lte_slot_setup *setup)
{
    const int n_carriers = plan->job.n_carriers;
    *setup = (lte_slot_setup){.n_threads = 1, .cached = false};
    lte_status status = LTE_CUDA(cudaSetDevice(engine->device));
    if (!status)
        status = lte_cuda_persistent_stop(&engine->persistent);
    if (!status)
        status = lte_cuda_slots_place(&engine->slots, plan, &setup->cached);
    lte_cuda_inversion_reset(&engine->inversion);
    engine->persistent.n_blocks = 0;
    if (!status && lte_link_in_batches(&engine->link)) /* of one slot for its stages */
        status = lte_cuda_large_grow(&engine->large, &engine->link, engine->link.n_sc, false,
                                     !is_in_batches(&engine->link) ||
                                             lte_large_fuses(&engine->link, plan->job.detector)
                                         ? 1
                                         : n_carriers);
    if (!status && is_for_latency(&engine->link, plan->job.detector, n_carriers))
        status = lte_cuda_persistent_fit(&engine->persistent, n_carriers);
    return status ? status : LTE_CUDA(cudaStreamSynchronize(engine->stream));
}

/* A period's slots: by one kernel, which takes no memory, or as many at a time as there is for. */
static lte_status launch_batches(lte_engine *engine, const lte_slot_job *job, uint64_t first)
{
    const lte_cuda_slots *slots = &engine->slots;
    const int n_carriers = job->n_carriers;
    const int most = lte_large_fuses(&engine->link, job->detector) ? LTE_LARGE_FUSED_SLOTS
                                                                   : engine->large.n_at_once;
    lte_status status = LTE_OK;
    for (int i = 0, n; i < n_carriers && !status; i += n) {
        n = n_carriers - i < most ? n_carriers - i : most;
        status =
            lte_large_slots_cuda(&engine->link, job, slots->estimates.residual, first + (uint64_t)i,
                                 n, &engine->large.memory, engine->stream);
    }
    return status;
}

/* A period by launches: the estimate, if there is one, and the slots. */
static lte_status launch(lte_engine *engine, uint64_t first)
{
    lte_cuda_slots *slots = &engine->slots;
    const lte_slot_job job = lte_cuda_slots_period(slots, &first);
    lte_status status = LTE_OK;
    if (lte_link_estimates(&engine->link))
        status = lte_cuda_slots_estimate(slots, &job, first);
    if (status)
        return status;
    if (is_in_batches(&engine->link) && !lte_both_fuse(&engine->link, job.detector))
        return launch_batches(engine, &job, first);
    return is_for_latency(&engine->link, job.detector, job.n_carriers)
               ? lte_slot_latency_cuda(&engine->link, &job, slots->estimates.residual, first,
                                       engine->stream)
               : lte_slot_throughput_cuda(&engine->link, &job, slots->estimates.residual, first,
                                          engine->stream);
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
    lte_coded_cuda *coded = engine->slots.coded;
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
