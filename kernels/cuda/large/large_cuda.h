#ifndef LTE_KERNELS_LARGE_CUDA_H
#define LTE_KERNELS_LARGE_CUDA_H
/*
 * Large arrays on a device, and inverters that take whole batches: stages over matrices one after
 * the other, row major, one for each unit, a subcarrier of a slot. Bits are those of the stages on
 * processors.
 *
 *     status = lte_large_slots_cuda(&link, &job, d_residual, first, n_slots, &memory, stream);
 *
 * All only start work on a stream; memory (d_) is the device's. Where estimates are made from two
 * reference symbols, noise.combination is there, too: [n][7], a slot's where its residual is.
 */

#include <string.h>

#include "kernels/base/cuda_status.h"
#include "kernels/link/inversion_rows.h"
#include "kernels/link/slot_memory.h"
#include "kernels/link/transport_code.h"

/*
 * Whether a thread or its lanes may hold a matrix of a link, and invert it as they choose. Those of
 * a wide channel have a scale of their own, which only kernels with states in memory
 * (kernels/cuda/detectors/detector_thread.cuh) look for.
 */
static inline bool lte_link_fits_threads(const lte_link *link)
{
    return !link->channel.wide && !LTE_IS_LARGE(link->n_rx, link->n_tx) &&
           link->receiver.inversion == LTE_INVERSION_FAST &&
           lte_inverter_rows[link->receiver.inverter].layout == LTE_LAYOUT_LANES;
}

/*
 * Whether matrices lie one after the other between the stages of a link: where no thread holds a
 * matrix, and where two estimates a slot are more than some kernels take.
 */
static inline bool lte_link_in_batches(const lte_link *link)
{
    return !lte_link_fits_threads(link) || link->receiver.pilots > 1;
}

/*
 * Whether there is work memory for a link's slots: for these, and for detectors that keep state and
 * work there (kernels/cuda/detectors/detectors_cuda.h). Which path one takes: sweep_cuda.cu,
 * cuda_paths.c.
 */
static inline bool lte_link_takes_memory(const lte_link *link)
{
    return lte_link_in_batches(link) || link->receiver.searches;
}

/* Work memory for some slots, one after the other (kernels/link/layouts.h). */
typedef struct {
    lte_cf32 *h;       /* UNITS_CSI, that the receiver goes by */
    lte_cf32 *x;       /* UNITS_GRAM: loaded, then inverses if the detector inverts them */
    lte_cf32 *y;       /* UNITS_Y */
    uint8_t *flag;     /* UNITS_FLAG */
    lte_cf32 *sent_h;  /* UNITS_H of a sweep whose receiver estimates, else h */
    lte_cf32 *power;   /* UNITS_POWER of sweeps, of symbol 0 */
    uint8_t *label;    /* UNITS_LABEL of sweeps: sent */
    uint8_t *decided;  /* UNITS_LABEL of detectors that keep their state in memory */
    float *llr;        /* UNITS_LLR of the same, of links that give LLRs */
    lte_cf32 *scratch; /* [n_threads] of lte_thread_scratch, theirs */
    int n_threads;
} lte_large_memory;

/*
 * The units at hand: subcarriers sc .. sc + n_sc - 1 of n_slots slots. Unit u is subcarrier sc + u
 * mod n_sc of slot u / n_sc of them. These are slots of a start, which begins with slot `first`:
 * those from the entry-th on, or, of a turn of the processes of a code, two of each process.
 */
typedef struct {
    int sc, n_sc, n_slots;
    uint64_t first;
    int entry;
    bool turns; /* and then: */
    int turn;
    lte_code_plan plan;
    const uint8_t *listens; /* [n_processes] those that do not are left out; NULL: all do */
} lte_units;

/* Whether the i-th slot at hand is not left out; its place in its start, 0 of one that is. */
LTE_INLINE bool lte_units_listen(const lte_units *units, int i)
{
    return !units->listens || units->listens[(units->entry + i) / 2];
}
LTE_INLINE int lte_units_place(const lte_units *units, int i)
{
    const int entry = units->entry + i;
    if (!units->turns)
        return entry;
    if (!lte_units_listen(units, i)) /* its subframe may lie behind the start */
        return 0;
    return (int)lte_code_slot(&units->plan, (uint64_t)(entry / 2), units->turn) + entry % 2;
}

/*
 * What the estimates of slots have left, from which their noise is estimated: that of slot p of a
 * start at (first + p) mod n. at NULL: nothing is estimated.
 */
typedef struct {
    const int64_t *at;
    uint64_t first, n;
} lte_residuals;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What the slots at hand of a sweep send and receive: memory->label, y and the channel matrices.
 *
 *   d_tap      those of the start, if the channel has some
 *   d_labels   NULL, or [n_processes][2][7][n_tx][n_sc]: what is sent in place of drawn payload
 *   d_power    [of the start]  +=; NULL: is not asked for
 */
lte_status lte_large_send_cuda(const lte_link *link, const lte_units *units, lte_noise noise,
                               const lte_cf32 *d_tap, const uint8_t *d_labels,
                               const lte_large_memory *memory, lte_power *d_power,
                               cudaStream_t stream);

/*
 * The channel that their receiver goes by, memory->h, out of estimates [n][n_rx][n_tx][n_sc], of
 * which slot p of the start has number (first + p) mod n as in residual.
 */
lte_status lte_large_know_cuda(const lte_link *link, const lte_units *units, lte_noise noise,
                               const lte_residuals *residual, const lte_cf32 *d_estimate,
                               const lte_large_memory *memory, cudaStream_t stream);

/*
 * Slots of a deadline run: planes to matrices, loaded Gram matrices, inverses, decisions, for
 * n_slots slots from first on at once; all, or by stages.
 *
 *   d_residual   [n_h_in], if the noise is estimated
 *   link         of stages over the units at hand: with n_sc subcarriers (lte_link_part)
 */
lte_status lte_large_slots_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                const lte_large_memory *memory, cudaStream_t stream);
/* Planes of y and H; of two estimates, [n_h_in][n_rx][n_tx][n_sc] in whole subframes, their H. */
lte_status lte_large_turn_cuda(const lte_link *link, lte_noise noise, const lte_slot_memory *slots,
                               uint64_t first, int n_slots, const lte_large_memory *memory,
                               cudaStream_t stream);
lte_status lte_large_gram_cuda(const lte_link *link, const lte_units *units, lte_detector detector,
                               lte_noise noise, const lte_residuals *residual,
                               const lte_large_memory *memory, cudaStream_t stream);
lte_status lte_large_invert_cuda(const lte_link *link, int n_slots, const lte_large_memory *memory,
                                 cudaStream_t stream);
/* Whether a detector has a recipe for a link: what the next two decide by. */
bool lte_large_takes(const lte_link *link, lte_detector detector);

/* What a detector decides of the units at hand: memory->decided, memory->llr where they are given,
 * memory->flag. */
typedef struct {
    lte_link link; /* of the units at hand: lte_link_part */
    lte_units units;
    lte_detector_plan plan;
    lte_noise noise;
    lte_residuals residual;
    lte_large_memory memory; /* with h, y, and x of detectors that need an inverse */
} lte_decide_job;

/* Counts the decisions of slots of a sweep: of slot p of the start row p n_columns of d_errors. */
lte_status lte_large_count_cuda(const lte_decide_job *job, int n_columns, uint32_t *d_errors,
                                cudaStream_t stream);
lte_status lte_large_detect_cuda(const lte_link *link, const lte_slot_job *job,
                                 const int64_t *d_residual, uint64_t first, int n_slots,
                                 const lte_large_memory *memory, cudaStream_t stream);

/* A link of the subcarriers at hand alone, for stages that draw nothing and read no planes. */
static inline lte_link lte_link_part(const lte_link *link, const lte_units *units)
{
    lte_link part = *link;
    part.carrier.n_sc = units->n_sc;
    part.receiver.estimator.estimation_error +=
        part.receiver.estimator.estimation_error ? units->sc : 0;
    return part;
}

/* All subcarriers of n_slots slots from first on. */
static inline lte_units lte_units_of(const lte_link *link, uint64_t first, int n_slots)
{
    lte_units units;
    memset(&units, 0, sizeof units);
    units.n_sc = link->carrier.n_sc;
    units.n_slots = n_slots;
    units.first = first;
    return units;
}

/*
 * The same slots by one kernel (large_fused_cuda.cu), up to LTE_LARGE_FUSED_SLOTS of them, with no
 * work memory and the same bits. It is faster wherever lte_large_fuses says that it takes the link
 * and the detector.
 */
enum { LTE_LARGE_FUSED_SLOTS = 65535 };
bool lte_large_fuses(const lte_link *link, lte_detector detector);
lte_status lte_large_fused_cuda(const lte_link *link, const lte_slot_job *job,
                                const int64_t *d_residual, uint64_t first, int n_slots,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
