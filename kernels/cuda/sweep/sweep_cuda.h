#ifndef LTE_KERNELS_CUDA_SWEEP_SWEEP_CUDA_H
#define LTE_KERNELS_CUDA_SWEEP_SWEEP_CUDA_H
/*
 * The fused sweep on a device: from the draws of a slot to its counts, without memory between.
 *
 *     const lte_sweep_start start = {&link, noise, detectors, n_detectors, n_slots, first, ..};
 *     lte_status status = lte_sweep_cuda(&start, stream);
 *
 * What all launchers have in common: kernels/cuda/launchers.h.
 */

#include "kernels/cuda/large/large_cuda.h"
#include "kernels/link/transport_code.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Device memory that the slots of a sweep take on their way; of receivers with two reference
 * symbols for LTE_SPARE_SLOTS slots more: those that complete the first and the last subframe.
 */
enum { LTE_SPARE_SLOTS = 2 };
typedef struct {
    lte_cf32 *tap;     /* [n_slots][lte_slot_taps], if the channel has some */
    lte_cf32 *pilots;  /* [n_slots][n_rx][n_sc], if the receiver estimates, as the next two */
    lte_cf32 *h;       /* [n_slots][n_rx][n_tx][n_sc] */
    int64_t *residual; /* [n_slots] */
    lte_combination *combination; /* [n_slots][7], if they go by two reference symbols */
    lte_large_memory large; /* of lte_link_takes_memory: of n_large slots, or, where that is 1, */
    int n_large, sc_large;  /* of sc_large subcarriers */
} lte_sweep_memory;

/* A start of a sweep: slots first .. first + n_slots - 1 for detectors [n_detectors]. */
typedef struct {
    const lte_link *link;
    lte_noise noise;
    const lte_detector *detectors;
    int n_detectors, n_slots;
    uint64_t first;
    const lte_sweep_memory *memory;
    lte_power *d_power; /* [n_slots]  out */
    uint32_t *d_errors; /* [n_slots][n_detectors][n_counts]  out */
} lte_sweep_start;

/* The fused sweep, or by stages. */
lte_status lte_sweep_cuda(const lte_sweep_start *start, cudaStream_t stream);

/*
 * What slots carry of a code, turn after turn of its processes: process p has two slots from
 * lte_code_slot on. A detector that does not listen is not sent them. LLRs of bits that scrambling
 * changes are stored with the other sign.
 */
typedef struct {
    lte_code_plan plan;
    int turn, n_processes;
    int n_streams;          /* of labels: one for each detector, or the same for all */
    int n_slots;            /* of the start: of each stream's powers */
    const uint8_t *listens; /* [n_detectors][n_processes] */
    const uint8_t *flips;   /* [10][2][7][n_tx][n_sc]: bits of labels that scrambling changes */
    const uint8_t *labels;  /* [n_streams][n_processes][2][7][n_tx][n_sc] */
    int8_t *llrs;           /* [n_detectors][n_processes][2] of lte_llr_planes  out */
    lte_power *power;       /* [n_streams][n_slots]  out */
} lte_carried;

/*
 * The same for slots that carry a code, in two steps: what all turns have in common, counts and
 * powers being zero then, and the noise of the start what the others need; the slots of one turn.
 */
lte_status lte_sweep_prepare_cuda(lte_sweep_start *start, cudaStream_t stream);
lte_status lte_sweep_carry_cuda(const lte_sweep_start *start, const lte_carried *carried,
                                cudaStream_t stream);

/* The path of the sweep that a link takes with detectors that solve, in words. */
const char *lte_sweep_cuda_choice(const lte_link *link);

#ifdef __cplusplus
}
#endif

#endif
