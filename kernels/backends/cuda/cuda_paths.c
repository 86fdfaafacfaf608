/* The table of the ways in which slots go on a CUDA device. */
#include "kernels/backends/cuda/cuda_paths.h"

#include <stdio.h>
#include <string.h>

#include "kernels/backends/cuda/cuda_engine.h"

static bool fits_threads(const lte_link *link, lte_detector detector, int n_carriers)
{
    (void)detector;
    (void)n_carriers;
    return lte_link_fits_threads(link);
}

/*
 * Lanes share the subcarriers of few carriers: the persistent kernel answers sooner than a launch.
 * For more of them a thread per subcarrier does the work of a carrier with fewer instructions. A
 * channel that moves has seven times the bytes and matrices: there a thread per subcarrier and
 * symbol is enough of them.
 */
static bool few_carriers(const lte_link *link, lte_detector detector, int n_carriers)
{
    return n_carriers <= LTE_LATENCY_CARRIERS && lte_slot_latency_takes(link, detector);
}

/* Estimates from two reference symbols only where the detector solves. */
static bool fits_with_estimates(const lte_link *link, lte_detector detector, int n_carriers)
{
    return fits_threads(link, detector, n_carriers) &&
           (link->receiver.pilots == 1 || lte_detector_solves(detector.id));
}

static bool fuses(const lte_link *link, lte_detector detector, int n_carriers)
{
    (void)n_carriers;
    return lte_large_fuses(link, detector);
}

static bool has_recipe(const lte_link *link, lte_detector detector, int n_carriers)
{
    (void)n_carriers;
    return lte_large_takes(link, detector);
}

static bool searches(const lte_link *link, lte_detector detector, int n_carriers)
{
    (void)n_carriers;
    return !link->channel.wide && lte_slot_searching_takes(link, detector);
}

static bool searches_for_few(const lte_link *link, lte_detector detector, int n_carriers)
{
    return n_carriers <= LTE_LATENCY_CARRIERS && link->output.counted != LTE_COUNTED_BLOCKS &&
           searches(link, detector, n_carriers);
}

static bool any(const lte_link *link, lte_detector detector, int n_carriers)
{
    (void)link;
    (void)detector;
    (void)n_carriers;
    return true;
}

static lte_status throughput(lte_engine *engine, const lte_slot_job *job, uint64_t first)
{
    return lte_slot_throughput_cuda(&engine->link, job, engine->slots.estimates.residual, first,
                                    engine->stream);
}

static lte_status latency(lte_engine *engine, const lte_slot_job *job, uint64_t first)
{
    return lte_slot_latency_cuda(&engine->link, job, engine->slots.estimates.residual, first,
                                 engine->stream);
}

/* LLRs of a reference symbol, which no kernel writes, are zero in a slot that is copied. */
static lte_status clear_reference(lte_engine *engine)
{
    const size_t row = lte_output_row(&engine->link);
    const int pilot = engine->link.receiver.pilot;
    if (pilot < 0)
        return LTE_OK;
    uint8_t *const llrs = (uint8_t *)engine->large.memory.llr;
    return LTE_CUDA(cudaMemsetAsync(llrs + (size_t)pilot * row, 0, row, engine->stream));
}

/*
 * LLRs of a launched slot go to the host by one copy: 134 kB in pieces of 16 bytes, as blocks would
 * write them, take longer than the search. Those of the kernel that stays go by neighbouring blocks
 * together.
 */
static lte_status searching(lte_engine *engine, const lte_slot_job *job, uint64_t first)
{
    const bool copies = engine->slots.plan.placement == LTE_PLACEMENT_HOST &&
                        engine->link.output.counted == LTE_COUNTED_LLRS && job->n_carriers == 1;
    lte_slot_job there = *job;
    if (copies) {
        there.memory.bits = (uint8_t *)engine->large.memory.llr;
        there.memory.n_out = 1;
    }
    lte_status status = copies ? clear_reference(engine) : LTE_OK;
    if (!status)
        status = lte_slot_searching_cuda(&engine->link, &there, engine->slots.estimates.residual,
                                         first, engine->stream);
    if (status || !copies)
        return status;
    return LTE_CUDA(cudaMemcpyAsync(lte_slot_memory_bits(&job->memory, first), there.memory.bits,
                                    (size_t)lte_llr_planes(&engine->link), cudaMemcpyDeviceToHost,
                                    engine->stream));
}

/* Slots of a period by one of the launchers of large arrays, so many at a time. */
typedef lte_status large_fn(lte_engine *engine, const lte_slot_job *job, uint64_t first, int n);

static lte_status each(lte_engine *engine, const lte_slot_job *job, uint64_t first, int most,
                       large_fn *launch)
{
    lte_status status = LTE_OK;
    for (int i = 0, n; i < job->n_carriers && !status; i += n) {
        n = job->n_carriers - i < most ? job->n_carriers - i : most;
        status = launch(engine, job, first + (uint64_t)i, n);
    }
    return status;
}

static lte_status fused_slots(lte_engine *engine, const lte_slot_job *job, uint64_t first, int n)
{
    return lte_large_fused_cuda(&engine->link, job, engine->slots.estimates.residual, first, n,
                                engine->stream);
}

static lte_status fused(lte_engine *engine, const lte_slot_job *job, uint64_t first)
{
    return each(engine, job, first, LTE_LARGE_FUSED_SLOTS, fused_slots);
}

static lte_status staged_slots(lte_engine *engine, const lte_slot_job *job, uint64_t first, int n)
{
    return lte_large_slots_cuda(&engine->link, job, engine->slots.estimates.residual, first, n,
                                &engine->large.memory, engine->stream);
}

static lte_status staged(lte_engine *engine, const lte_slot_job *job, uint64_t first)
{
    return each(engine, job, first, engine->large.n_at_once, staged_slots);
}

static lte_status decided_slots(lte_engine *engine, const lte_slot_job *job, uint64_t first, int n)
{
    return lte_decide_slots_cuda(&engine->link, job, engine->slots.estimates.residual, first, n,
                                 &engine->large.memory, engine->stream);
}

static lte_status decided(lte_engine *engine, const lte_slot_job *job, uint64_t first)
{
    return each(engine, job, first, engine->large.n_at_once, decided_slots);
}

/* Only blocks that estimate tell each other something. */
static size_t words_of_estimates(const lte_link *link)
{
    return lte_link_estimates(link) ? lte_shared_words(link) : 0;
}

static const lte_cuda_staying solving_kernel = {lte_slot_persistent_blocks, words_of_estimates,
                                                lte_slot_persistent_cuda};
static const lte_cuda_staying searching_kernel = {lte_slot_searching_blocks, lte_sent_words,
                                                  lte_slot_searching_persistent_cuda};

static const lte_cuda_path paths[] = {
    {.text = "one kernel, one thread per subcarrier, LLRs",
     .moving = "one kernel, one thread per subcarrier and symbol, LLRs",
     .gives = LTE_GIVES_LLRS,
     .n_detectors = LTE_N_ESTIMATING_DETECTORS,
     .takes = fits_threads,
     .launch = throughput},
    {.text = "several lanes per subcarrier, up to 4 carriers",
     .gives = LTE_GIVES_LABELS,
     .n_detectors = LTE_N_ESTIMATING_DETECTORS,
     .takes = few_carriers,
     .stays = &solving_kernel,
     .launch = latency},
    {.text = "one kernel, one thread per subcarrier",
     .moving = "one kernel, one thread per subcarrier and symbol",
     .gives = LTE_GIVES_LABELS,
     .n_detectors = LTE_N_ESTIMATING_DETECTORS,
     .takes = fits_with_estimates,
     .launch = throughput},
    {.text = "one fused kernel for detectors that solve",
     .gives = LTE_GIVES_LABELS,
     .n_detectors = LTE_N_ESTIMATING_DETECTORS,
     .takes = fuses,
     .launch = fused},
    {.text = "one kernel per stage, matrices in memory, one thread per layer",
     .gives = LTE_GIVES_LABELS,
     .n_detectors = LTE_N_ESTIMATING_DETECTORS,
     .takes = has_recipe,
     .takes_large = true,
     .launch = staged},
    {.text = "several lanes per resource element that search, up to 4 carriers",
     .gives = LTE_GIVES_LABELS | LTE_GIVES_LLRS,
     .n_detectors = LTE_N_DETECTORS,
     .takes = searches_for_few,
     .stays = &searching_kernel,
     .launch = searching},
    {.text = "one kernel, lanes that search for a resource element in registers",
     .gives = LTE_GIVES_LABELS | LTE_GIVES_LLRS,
     .n_detectors = LTE_N_DETECTORS,
     .takes = searches,
     .launch = searching},
    {.text = "one kernel per stage, one thread per subcarrier with its state in memory",
     .gives = LTE_GIVES_LABELS | LTE_GIVES_LLRS,
     .n_detectors = LTE_N_DETECTORS,
     .takes = any,
     .takes_large = true,
     .launch = decided},
};
enum { N_PATHS = sizeof paths / sizeof *paths };
_Static_assert(LTE_LATENCY_CARRIERS == 4, "a text says so");

const lte_cuda_path *lte_cuda_path_of(const lte_link *link, lte_detector detector, int n_carriers)
{
    int i = 0;
    while (!(paths[i].gives & link->output.asked) || detector.id >= paths[i].n_detectors ||
           !paths[i].takes(link, detector, n_carriers))
        i++;
    return &paths[i];
}

/* Whether a link takes a path with some detector and number of carriers. */
static bool is_taken(const lte_cuda_path *path, const lte_link *link)
{
    const int n = link->receiver.searches ? LTE_N_DETECTORS : LTE_N_ESTIMATING_DETECTORS;
    for (int id = 0; id < n; id++) {
        const lte_detector detector = lte_detector_usual(id);
        if (lte_cuda_path_of(link, detector, 1) == path ||
            lte_cuda_path_of(link, detector, LTE_LATENCY_CARRIERS + 1) == path)
            return true;
    }
    return false;
}

void lte_cuda_paths_text(const lte_link *link, const char *kernel, char *text, size_t size)
{
    size_t n = 0;
    *text = '\0';
    for (int i = 0; i < N_PATHS && n < size; i++) {
        const lte_cuda_path *path = &paths[i];
        if (is_taken(path, link))
            n += (size_t)snprintf(&text[n], size - n, "%s%s%s%s", n > 0 ? ", else " : "",
                                  path->stays ? kernel : "", path->stays ? ", " : "",
                                  link->receiver.n_csi > 1 && path->moving ? path->moving
                                                                           : path->text);
    }
}
