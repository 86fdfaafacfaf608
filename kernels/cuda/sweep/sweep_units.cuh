#ifndef LTE_KERNELS_SWEEP_UNITS_CUH
#define LTE_KERNELS_SWEEP_UNITS_CUH
/*
 * The sweep by stages over matrices in memory, which takes every link and detector.
 *
 *     lte_units units = {};
 *     units.first = first;
 *     status = lte_sweep_units(&sweep, units, n_slots, stream);
 */

#include "kernels/cuda/sweep/sweep_cuda.h"

/* Detectors over the same draws. */
struct units_sweep {
    const lte_link *link;
    lte_noise noise;
    const lte_detector *detectors; /* [n_detectors] */
    int n_detectors;
    bool by_recipe; /* each has its recipe for large arrays; else by its text */
    const lte_sweep_memory *memory;
    const lte_cf32 *tap; /* of the start */
    lte_residuals residual;
    int n_columns;
    uint32_t *errors; /* [of the start][n_columns] rows, from the first detector's on */
    lte_power *power; /* [of the start], or NULL */
    /* of slots that carry a code, for one detector: as lte_carried has them, else NULL */
    const uint8_t *labels, *flips;
    int8_t *llrs;
};

/* n_slots slots, or entries of a turn; units says which they are, its other members being zero. */
lte_status lte_sweep_units(const units_sweep *sweep, lte_units units, int n_slots,
                           cudaStream_t stream);

#endif
