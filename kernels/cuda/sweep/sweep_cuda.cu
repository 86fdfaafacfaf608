/* The sweep with all stages fused, as it is launched; its kernels: sweep_thread.cuh. */
#include "kernels/cuda/device/device.cuh"
#include "kernels/cuda/stages/stages_cuda.h"
#include "kernels/cuda/sweep/sweep_kernels.cuh"
#include "kernels/cuda/sweep/sweep_units.cuh"

#include <limits.h>

extern "C" {
#define DECLARE(id)                                                                                \
    sweep_kernel *lte_sweep_##id(const lte_link *, lte_detector),                                  \
        *lte_sweep_soft_##id(const lte_link *, lte_detector);
LTE_OTHER_DETECTORS(DECLARE) LTE_SEARCHING_DETECTORS(DECLARE)
#undef DECLARE
}

sweep_kernel *lte_sweep_other(const lte_link *link, lte_detector detector, int)
{
#define OF(name)                                                                                   \
    if (detector.id == LTE_DETECTOR_##name)                                                        \
        return lte_sweep_##name(link, detector);
    LTE_OTHER_DETECTORS(OF)
    LTE_SEARCHING_DETECTORS(OF)
#undef OF
    return NULL;
}

sweep_kernel *lte_sweep_soft_other(const lte_link *link, lte_detector detector, int)
{
#define OF(name)                                                                                   \
    if (detector.id == LTE_DETECTOR_##name)                                                        \
        return lte_sweep_soft_##name(link, detector);
    LTE_OTHER_DETECTORS(OF)
    LTE_SEARCHING_DETECTORS(OF)
#undef OF
    return NULL;
}

namespace
{

/*
 * One way of a sweep. A link and a detector take the first row of the table for which all holds
 * that the row asks for; every kernel wants matrices that a thread holds and inverts.
 */
struct sweep_path {
    const char *text;
    unsigned gives;  /* LTE_GIVES_LABELS, LTE_GIVES_LLRS */
    int n_detectors; /* so many of the list, from the first on */
    bool square;     /* for small_square links */
    int matrices;    /* that a thread has in shared memory beside registers; 0: all, and states */
    bool two_dmrs;   /* takes estimates from two reference symbols, too */
    int together;    /* neighbouring detectors that one launch takes */
    /* of n of them, which may be none; NULL: by stages */
    sweep_kernel *(*kernel)(const lte_link *link, lte_detector detector, int n);
};

enum { LABELS = LTE_GIVES_LABELS, LLRS = LTE_GIVES_LLRS };
enum { SOLVING_ONES = LTE_N_SOLVING_DETECTORS, ESTIMATING = LTE_N_ESTIMATING_DETECTORS };
const sweep_path paths[] = {
    {"sweep 4: as sweep 2, with LLRs", LLRS, SOLVING_ONES, true, 1, true, 1, lte_sweep_soft_square},
    {"sweep 3: as sweep 1, with LLRs", LLRS, SOLVING_ONES, false, 0, true, 1, lte_sweep_soft},
    {"sweep 3: as sweep 1, with LLRs", LLRS, ESTIMATING, false, 0, true, 1, lte_sweep_soft_other},
    {"sweep 6: as sweep 5, with LLRs", LLRS, LTE_N_DETECTORS, false, 2, false, 1,
     lte_sweep_soft_other},
    {"sweep 2: one thread per subcarrier, matrices in registers", LABELS, SOLVING_ONES, true, 1,
     true, MAX_TOGETHER, lte_sweep_square},
    {"sweep 1: one thread per subcarrier, matrices in shared memory", LABELS, SOLVING_ONES, false,
     0, true, MAX_TOGETHER, lte_sweep_solving},
    {"sweep 1: one thread per subcarrier, matrices in shared memory", LABELS, ESTIMATING, false, 0,
     false, 1, lte_sweep_other},
    {"sweep 5: one thread per subcarrier, its search in registers", LABELS, LTE_N_DETECTORS, false,
     2, false, 1, lte_sweep_other},
    {"sweep by stages: matrices in memory, one thread per layer", LABELS, ESTIMATING, false, 0,
     true, INT_MAX, NULL},
    {"sweep by stages: one thread per subcarrier with its state in memory", LABELS | LLRS,
     LTE_N_DETECTORS, false, 0, true, INT_MAX, NULL},
};
const sweep_path *const any_path = &paths[sizeof paths / sizeof *paths - 1];

/* The first row that takes a link and a detector; the last one does. */
const sweep_path *path_of(const lte_link *link, lte_detector detector)
{
    const sweep_path *p = paths;
    while (!(p->gives & link->output.asked) || detector.id >= p->n_detectors ||
           (p->square && !small_square(link)) || (!p->two_dmrs && link->receiver.pilots > 1) ||
           (p->kernel ? !lte_link_fits_threads(link) || !p->kernel(link, detector, 1)
                      : p != any_path && !lte_large_takes(link, detector)))
        p++;
    return p;
}

/* Bytes of shared memory of a block. */
size_t shared_size(const sweep_args *args, int block)
{
    const size_t worth = args->llrs ? MOST_LLR_COUNTS * sizeof(uint32_t) : 0;
    return ((size_t)1 << args->link.n_bits) * sizeof(lte_cplx) + worth +
           (size_t)block *
               (4 * args->link.channel.draws.payload_blocks * sizeof(uint32_t) +
                (size_t)args->stride * sizeof(lte_cplx) + (size_t)args->lookups * sizeof(uint32_t));
}

/* The block that puts most threads on a multiprocessor, the largest of those that do. */
lte_status choose_block(const sweep_args *args, sweep_kernel *kernel, int *block)
{
    int device = 0, limit = 0, most = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (!status)
        status = LTE_CUDA(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limit));
    for (int n = WARP; n <= SWEEP_BLOCK && !status; n += WARP) {
        int blocks = 0;
        if (shared_size(args, n) > (size_t)limit)
            break;
        status = LTE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, n,
                                                                        shared_size(args, n)));
        if (blocks * n >= most) {
            most = blocks * n;
            *block = n;
        }
    }
    if (!status && most == 0)
        status = LTE_FAIL(LTE_EDEVICE,
                          "the sweep needs %zu bytes of shared memory, but the device has only %d",
                          shared_size(args, WARP), limit);
    return status;
}

/* Detectors [n] that one launch of the first one's path takes together. */
int together(const lte_link *link, const lte_detector *detectors, int n)
{
    const sweep_path *const path = path_of(link, detectors[0]);
    int k = 1;
    while (k < n && k < path->together && path_of(link, detectors[k]) == path)
        k++;
    return k;
}

/* Launches the sweep of detectors, of which one is given, by their path. */
lte_status launch(sweep_args *args, const sweep_path *path, lte_detector detector, int n_slots,
                  cudaStream_t stream)
{
    const lte_link *link = &args->link;
    const int n = link->n_rx * link->n_tx;
    sweep_kernel *const kernel = path->kernel(link, detector, args->n_detectors);
    args->llrs = path->gives == LLRS;
    int block = SWEEP_BLOCK;
    args->parameter = (int)detector.value[0];
    args->searching = detector;
    const lte_detector_plan plan = lte_link_plan(link, detector, path->gives);
    args->link.output.demapper = plan.demapper;
    args->n_state = lte_detector_row_of(detector)->state(&plan);
    args->lookups = lte_detector_lookups(&plan);
    args->stride = (path->matrices > 0 ? path->matrices * n
                                       : n + args->n_detectors * args->n_state + link->n_rx) |
                   1;
    lte_status status = choose_block(args, kernel, &block);
    if (status)
        return status;
    const size_t size = shared_size(args, block);
    args->blocks_per_slot = blocks_of(link->carrier.n_sc, block);
    const unsigned n_blocks = (unsigned)(args->blocks_per_slot * n_slots);
    kernel<<<n_blocks, (unsigned)block, size, stream>>>(*args);
    return LTE_LAUNCHED(sweep_kernel);
}

} // namespace

/* The first slot whose estimates are made: subframes are whole. */
static uint64_t estimated_from(const lte_link *link, uint64_t first)
{
    return lte_pilot_slot(first, link->receiver.pilots, 0);
}

/* The taps of slots from first on, which lie behind those that complete a subframe. */
static const lte_cf32 *taps_from(const lte_link *link, uint64_t first,
                                 const lte_sweep_memory *memory)
{
    return memory->tap + (first - estimated_from(link, first)) * lte_slot_taps(link);
}

/* What n detectors from the d-th on count by stages; labels are drawn. */
static units_sweep units_of(const lte_sweep_start *start, int d, int n)
{
    const lte_link *const link = start->link;
    const uint64_t before = start->first - estimated_from(link, start->first);
    units_sweep s = {};
    s.link = link;
    s.noise = start->noise;
    s.detectors = &start->detectors[d];
    s.n_detectors = n;
    s.by_recipe = path_of(link, start->detectors[d]) != any_path;
    s.memory = start->memory;
    s.tap = taps_from(link, start->first, start->memory);
    s.residual = {lte_link_estimates(link) ? start->memory->residual : NULL, before,
                  before + (uint64_t)start->n_slots + 1};
    s.n_columns = start->n_detectors;
    s.errors = start->d_errors + lte_counts_at(link->output.n_counts, d);
    return s;
}

/* The same of those that are launched together; the rest is for launch. */
static sweep_args args_of(const lte_sweep_start *start, int d, int n)
{
    const lte_link *const link = start->link;
    sweep_args args = {};
    args.link = *link;
    args.noise = start->noise;
    args.n_detectors = n;
    for (int i = 0; i < n; i++)
        args.loading[i] = lte_detector_row_of(start->detectors[d + i])->loading;
    args.n_columns = start->n_detectors;
    args.column = d;
    args.first = start->first;
    args.before = (int)(start->first - estimated_from(link, start->first));
    args.tap = taps_from(link, start->first, start->memory);
    args.estimate = start->memory->h;
    args.residual = start->memory->residual;
    args.slot_taps = (ptrdiff_t)lte_slot_taps(link);
    args.errors = start->d_errors + lte_counts_at(link->output.n_counts, d);
    return args;
}

lte_status lte_sweep_prepare_cuda(lte_sweep_start *start, cudaStream_t stream)
{
    const lte_link *const link = start->link;
    const lte_sweep_memory *const memory = start->memory;
    const int n_pilots = link->receiver.pilots;
    const ptrdiff_t rows = (ptrdiff_t)start->n_slots * start->n_detectors;
    const size_t n_errors = (size_t)lte_counts_at(link->output.n_counts, rows);
    const size_t n_slots = (size_t)start->n_slots;
    lte_status status =
        LTE_CUDA(cudaMemsetAsync(start->d_power, 0, n_slots * sizeof *start->d_power, stream));
    if (!status)
        status = LTE_CUDA(
            cudaMemsetAsync(start->d_errors, 0, n_errors * sizeof *start->d_errors, stream));
    const uint64_t from = estimated_from(link, start->first);
    const uint64_t end =
        lte_pilot_slot(start->first + n_slots + (uint64_t)n_pilots - 1, n_pilots, 0);
    const int n_all = (int)(end - from);
    if (!status)
        status = lte_taps_cuda(link, from, n_all, memory->tap, stream);
    const lte_estimated estimated = {n_all, memory->h, memory->residual, memory->combination, NULL};
    if (!status && lte_link_estimates(link))
        status = lte_estimate_drawn_cuda(link, start->noise, from, memory->tap, memory->pilots,
                                         &estimated, stream);
    start->noise.combination = memory->combination;
    return status;
}

lte_status lte_sweep_cuda(const lte_sweep_start *start, cudaStream_t stream)
{
    lte_sweep_start known = *start;
    lte_status status = lte_sweep_prepare_cuda(&known, stream);
    for (int d = 0, n; d < known.n_detectors && !status; d += n) {
        const sweep_path *const path = path_of(known.link, known.detectors[d]);
        lte_power *const power = d == 0 ? known.d_power : NULL; /* the same draws have the same */
        n = together(known.link, &known.detectors[d], known.n_detectors - d);
        if (!path->kernel) {
            units_sweep s = units_of(&known, d, n);
            lte_units units = {};
            units.first = known.first;
            s.power = power;
            status = lte_sweep_units(&s, units, known.n_slots, stream);
            continue;
        }
        sweep_args args = args_of(&known, d, n);
        args.power = power;
        status = launch(&args, path, known.detectors[d], known.n_slots, stream);
    }
    return status;
}

/* The slots of a turn by stages, of detector d. */
static lte_status carry_units(units_sweep *s, const lte_carried *carried, int d, uint64_t first,
                              cudaStream_t stream)
{
    const int entries = 2 * carried->n_processes, stream_of = carried->n_streams > 1 ? d : 0;
    lte_units units = {};
    units.first = first;
    units.turns = true;
    units.turn = carried->turn;
    units.plan = carried->plan;
    units.listens = carried->listens + (ptrdiff_t)d * carried->n_processes;
    s->labels = carried->labels + (ptrdiff_t)stream_of * entries * lte_label_planes(s->link);
    s->flips = carried->flips;
    s->llrs = carried->llrs + (ptrdiff_t)d * entries * lte_llr_planes(s->link);
    return lte_sweep_units(s, units, entries, stream);
}

lte_status lte_sweep_carry_cuda(const lte_sweep_start *start, const lte_carried *carried,
                                cudaStream_t stream)
{
    lte_status status = LTE_OK;
    for (int d = 0; d < start->n_detectors && !status; d++) {
        const sweep_path *const path = path_of(start->link, start->detectors[d]);
        lte_power *const power =
            d < carried->n_streams ? carried->power + (ptrdiff_t)d * carried->n_slots : NULL;
        if (!path->kernel) {
            units_sweep s = units_of(start, d, 1);
            s.power = power;
            status = carry_units(&s, carried, d, start->first, stream);
            continue;
        }
        sweep_args args = args_of(start, d, 1);
        args.power = power;
        args.carried = *carried;
        status = launch(&args, path, start->detectors[d], 2 * carried->n_processes, stream);
    }
    return status;
}

const char *lte_sweep_cuda_choice(const lte_link *link)
{
    return path_of(link, lte_detector_usual(LTE_DETECTOR_mmse))->text;
}
