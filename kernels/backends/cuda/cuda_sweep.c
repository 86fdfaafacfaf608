/* The sweep on a CUDA device: memory for as many slots as fit, a start and what it counted. */
#include "kernels/backends/cuda/cuda_sweep.h"

#include "kernels/backends/cuda/cuda_engine.h"
#include "kernels/backends/cuda/cuda_memory.h"
#include "kernels/coding/counted.h"
#include "phy/detection/plugin.h"

/* Slots of one launch: the most end a sweep within a blink of a signal, the fewest fill a GPU. */
enum { MOST_SLOTS = 65536, FEWEST_SLOTS = 256 };

/* Bytes that a slot of a sweep takes, by what they are. */
typedef struct {
    size_t tap, pilots, h, residual, combination, power, errors;
    size_t spare; /* slots that take as much besides: LTE_SPARE_SLOTS of two pilots */
} slot_bytes;

/* What of a sweep differs by what is counted of the link. */
typedef struct {
    /* bytes of what so many slots carry, and of what decodes it */
    size_t (*bytes)(const lte_link *link, size_t n_slots, int n_detectors);
    lte_status (*decoder_bytes)(const lte_link *link, size_t *bytes);
    lte_status (*create)(const lte_link *link, size_t n_slots, int n_detectors,
                         lte_cuda_sweep *sweep);
    lte_status (*run)(const lte_cuda_sweep *sweep, const lte_sweep_start *start,
                      cudaStream_t stream);
} sweep_kind;

/* Bits and LLRs are counted where they are made. */
static size_t no_bytes(const lte_link *link, size_t n_slots, int n_detectors)
{
    (void)link;
    (void)n_slots;
    (void)n_detectors;
    return 0;
}

static lte_status no_decoder_bytes(const lte_link *link, size_t *bytes)
{
    (void)link;
    *bytes = 0;
    return LTE_OK;
}

static lte_status create_none(const lte_link *link, size_t n_slots, int n_detectors,
                              lte_cuda_sweep *sweep)
{
    (void)link;
    (void)n_slots;
    (void)n_detectors;
    sweep->processes = NULL;
    return LTE_OK;
}

static lte_status run_slots(const lte_cuda_sweep *sweep, const lte_sweep_start *start,
                            cudaStream_t stream)
{
    (void)sweep;
    return lte_sweep_cuda(start, stream);
}

/* Blocks are carried by the processes of a code. */
static int processes_of_slots(const lte_link *link, size_t n)
{
    return (int)n / lte_slots_together(link) * lte_processes_together(link);
}

static size_t process_bytes(const lte_link *link, size_t n_slots, int n_detectors)
{
    return lte_coded_cuda_bytes(link, processes_of_slots(link, n_slots), n_detectors);
}

static lte_status create_processes(const lte_link *link, size_t n_slots, int n_detectors,
                                   lte_cuda_sweep *sweep)
{
    return lte_coded_cuda_create(link, processes_of_slots(link, n_slots), n_detectors,
                                 sweep->d_processes, &sweep->processes);
}

static lte_status run_processes(const lte_cuda_sweep *sweep, const lte_sweep_start *start,
                                cudaStream_t stream)
{
    return lte_coded_cuda_run(sweep->processes, start, stream);
}

static const sweep_kind *kind_of(const lte_link *link)
{
    static const sweep_kind kinds[LTE_N_COUNTED] = {
        [LTE_COUNTED_BITS] = {no_bytes, no_decoder_bytes, create_none, run_slots},
        [LTE_COUNTED_LLRS] = {no_bytes, no_decoder_bytes, create_none, run_slots},
        [LTE_COUNTED_BLOCKS] = {process_bytes, lte_coded_cuda_decoder_bytes, create_processes,
                                run_processes},
    };
    return &kinds[link->output.counted];
}

/* Bytes of n rows of counts. */
static size_t errors_size(const lte_link *link, size_t n)
{
    return (size_t)lte_counts_at(link->output.n_counts, (ptrdiff_t)n) * sizeof(uint32_t);
}

static slot_bytes bytes_of_slot(const lte_link *link, int n_detectors)
{
    slot_bytes bytes = {.tap = lte_slot_taps(link) * sizeof(lte_cf32),
                        .power = sizeof(lte_power),
                        .errors = errors_size(link, (size_t)n_detectors)};
    if (lte_link_estimates(link)) {
        bytes.pilots = (size_t)link->n_rx * (size_t)link->carrier.n_sc * sizeof(lte_cf32);
        bytes.h = lte_planes_size(link, 1) * sizeof(lte_cf32);
        bytes.residual = sizeof(int64_t);
        bytes.combination =
            link->receiver.pilots > 1 ? LTE_SLOT_SYMBOLS * sizeof(lte_combination) : 0;
        bytes.spare = link->receiver.pilots > 1 ? LTE_SPARE_SLOTS : 0;
    }
    return bytes;
}

static void free_device_memory(lte_cuda_sweep *sweep)
{
    (void)cudaFree(sweep->memory.tap);
    (void)cudaFree(sweep->memory.pilots);
    (void)cudaFree(sweep->memory.h);
    (void)cudaFree(sweep->memory.residual);
    (void)cudaFree(sweep->memory.combination);
    (void)cudaFree(sweep->d_power);
    (void)cudaFree(sweep->d_errors);
    (void)cudaFree(sweep->d_processes);
    sweep->memory = (lte_sweep_memory){0};
    sweep->d_power = NULL;
    sweep->d_errors = NULL;
    sweep->d_processes = NULL;
}

/* True if there is memory for n slots; what there was of it is given back if not. */
static bool alloc_device_memory(lte_cuda_sweep *sweep, const slot_bytes *bytes, size_t n,
                                size_t carried)
{
    const lte_cuda_wish all[] = {
        {(void **)&sweep->memory.tap, bytes->tap},
        {(void **)&sweep->memory.pilots, bytes->pilots},
        {(void **)&sweep->memory.h, bytes->h},
        {(void **)&sweep->memory.residual, bytes->residual},
        {(void **)&sweep->memory.combination, bytes->combination},
        {(void **)&sweep->d_power, bytes->power},
        {(void **)&sweep->d_errors, bytes->errors},
    };
    bool enough = true; /* to fail is no error here: fewer slots may do */
    for (size_t i = 0; i < sizeof all / sizeof *all && enough; i++)
        enough = all[i].size == 0 ||
                 cudaMalloc(all[i].at, (n + bytes->spare) * all[i].size) == cudaSuccess;
    enough = enough && (carried == 0 || cudaMalloc(&sweep->d_processes, carried) == cudaSuccess);
    if (!enough) {
        (void)cudaGetLastError();
        free_device_memory(sweep);
    }
    return enough;
}

/*
 * Subcarriers of a slot whose work memory fits beside the rest: all, or a half of them, and so on.
 */
static int subcarriers_at_once(const lte_link *link, size_t rest, size_t limit)
{
    int n_sc = link->carrier.n_sc;
    while (n_sc > 1 && lte_cuda_large_slot(link, n_sc, true) + rest > limit)
        n_sc = (n_sc + 1) / 2;
    return n_sc;
}

/* Memory for n slots that go together in so many, or for a half of them, and so on. */
static lte_status alloc_slots(const lte_link *link, const slot_bytes *bytes, size_t n, size_t one,
                              int most_detectors, lte_cuda_sweep *sweep)
{
    const size_t together = (size_t)lte_slots_together(link);
    const sweep_kind *kind = kind_of(link);
    while (n > 0 && !alloc_device_memory(sweep, bytes, n, kind->bytes(link, n, most_detectors)))
        n = n / 2 / together * together;
    if (n == 0) {
        size_t left = 0, total = 0;
        (void)cudaMemGetInfo(&left, &total);
        return LTE_FAIL(LTE_ENOMEM,
                        "the sweep needs %zu bytes of device memory, but only %zu of %zu are free",
                        one, left, total);
    }
    sweep->most_slots = (int)n;
    return kind->create(link, n, most_detectors, sweep);
}

lte_status lte_cuda_sweep_init(const lte_link *link, int most_detectors, size_t limit,
                               lte_cuda_sweep *sweep)
{
    const slot_bytes bytes = bytes_of_slot(link, most_detectors);
    const sweep_kind *kind = kind_of(link);
    const size_t together = (size_t)lte_slots_together(link);
    const size_t no_block = kind->bytes(link, 0, most_detectors);
    const size_t carried = kind->bytes(link, together, most_detectors) - no_block;
    size_t decoders;
    lte_status status = kind->decoder_bytes(link, &decoders);
    if (status)
        return status;
    const size_t scratch = lte_link_takes_memory(link) ? lte_cuda_large_scratch(link, limit) : 0;
    const size_t tables = no_block + decoders + scratch;
    const size_t one = bytes.tap + bytes.pilots + bytes.h + bytes.residual + bytes.combination +
                       bytes.power + bytes.errors + (carried + together - 1) / together;
    const size_t rest = (together + bytes.spare) * one + tables;
    const int n_sc = lte_link_takes_memory(link) ? subcarriers_at_once(link, rest, limit) : 0;
    const size_t large = n_sc > 0 ? lte_cuda_large_slot(link, n_sc, true) : 0;
    const size_t fewest = large + rest;
    size_t used = bytes.spare * one + tables;
    if (large > 0 && fewest <= limit) {
        const size_t half = (limit - used) / 2 / large, room = (limit - rest) / large;
        const size_t at_once = n_sc < link->carrier.n_sc ? 1 : half < room ? half : room;
        status = lte_cuda_large_grow(&sweep->large, link, n_sc, true,
                                     at_once < 1            ? 1
                                     : at_once < MOST_SLOTS ? (int)at_once
                                                            : MOST_SLOTS,
                                     scratch);
        if (status)
            return status;
        used += (size_t)sweep->large.n_at_once * large;
    }
    const size_t fit = fewest <= limit ? (limit - used) / one : 0;
    const size_t n = (fit < MOST_SLOTS ? fit : MOST_SLOTS) / together * together;
    if (n == 0)
        return LTE_FAIL(
            LTE_ENOMEM,
            "the sweep needs at least %zu bytes of device memory, but only %zu are allowed", fewest,
            limit);
    status = alloc_slots(link, &bytes, n, one, most_detectors, sweep);
    if (status)
        return status;
    sweep->memory.large = sweep->large.memory;
    sweep->memory.n_large = sweep->large.n_at_once;
    sweep->memory.sc_large = sweep->large.n_sc;
    sweep->most_detectors = most_detectors;
    return LTE_OK;
}

void lte_cuda_sweep_fini(lte_cuda_sweep *sweep)
{
    free_device_memory(sweep);
    lte_coded_cuda_free(sweep->processes);
    sweep->processes = NULL;
    lte_cuda_large_fini(&sweep->large);
}

static void sizes(const lte_engine *engine, int *fewest, int *most)
{
    const int together = lte_slots_together(&engine->link);
    const int of_turn = 2 * lte_processes_together(&engine->link); /* slots */
    const int at_once = of_turn > 1 ? of_turn : 1;
    const int fewest_whole = (FEWEST_SLOTS + at_once - 1) / at_once * together;
    *most = engine->sweep.most_slots;
    *fewest = fewest_whole < *most ? fewest_whole : *most;
}

static lte_status start(lte_engine *engine, lte_noise noise, const lte_detector *detectors,
                        int n_detectors, uint64_t first, int n_slots, lte_power *power,
                        uint32_t *errors)
{
    lte_cuda_sweep *sweep = &engine->sweep;
    const size_t n = (size_t)n_slots;
    if (n_detectors > sweep->most_detectors)
        return LTE_FAIL(LTE_EINVAL, "a start of a sweep has %d detectors (at most %d)", n_detectors,
                        sweep->most_detectors);
    for (int d = 0; d < n_detectors; d++) {
        if (lte_plugin_of(detectors[d]))
            return LTE_FAIL(LTE_EINVAL, "a detector of a plug-in runs on processors alone");
    }
    lte_status status = LTE_CUDA(cudaSetDevice(engine->device));
    const lte_sweep_start job = {.link = &engine->link,
                                 .noise = noise,
                                 .detectors = detectors,
                                 .n_detectors = n_detectors,
                                 .n_slots = n_slots,
                                 .first = first,
                                 .memory = &sweep->memory,
                                 .d_power = sweep->d_power,
                                 .d_errors = sweep->d_errors};
    if (!status)
        status = kind_of(&engine->link)->run(sweep, &job, engine->stream);
    if (!status)
        status = LTE_CUDA(cudaMemcpyAsync(power, sweep->d_power, n * sizeof *power,
                                          cudaMemcpyDeviceToHost, engine->stream));
    if (!status)
        status = LTE_CUDA(cudaMemcpyAsync(errors, sweep->d_errors,
                                          errors_size(&engine->link, n * (size_t)n_detectors),
                                          cudaMemcpyDeviceToHost, engine->stream));
    sweep->begun = !status;
    return status;
}

/* One call of the driver; a failure that it finds is there for wait to find again. */
static bool is_done(lte_engine *engine)
{
    if (!engine->sweep.begun || cudaStreamQuery(engine->stream) != cudaErrorNotReady)
        return true;
    (void)cudaGetLastError(); /* or the next launch would be told of it */
    return false;
}

static lte_status wait(lte_engine *engine)
{
    const bool begun = engine->sweep.begun;
    engine->sweep.begun = false;
    return begun ? LTE_CUDA(cudaStreamSynchronize(engine->stream)) : LTE_OK;
}

const lte_sweep_ops lte_cuda_sweep_ops = {
    .ahead = true, .sizes = sizes, .start = start, .is_done = is_done, .wait = wait};
