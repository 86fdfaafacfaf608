#ifndef LTE_KERNELS_SWEEP_CUH
#define LTE_KERNELS_SWEEP_CUH
/* The kernels of the fused sweep: their arguments, and which one a link takes. */

#include "kernels/cuda/sweep/sweep_cuda.h"

enum {
    SWEEP_BLOCK = 128, /* four warps: a carrier's last block wastes little */
    MAX_TOGETHER = 2,
    MOST_LLR_COUNTS = LTE_MAX_ORDER * LTE_MAX_BITS + LTE_N_LLR_SCALES + 1 /* even: numbers follow */
};

struct sweep_args {
    lte_link link;
    lte_noise noise;
    float loading[MAX_TOGETHER]; /* of the detectors, in units of n0 */
    int parameter;               /* of a detector that does not solve */
    lte_detector searching;      /* one that searches */
    int n_detectors;
    int n_state;   /* complex elements of a detector's state, in shared memory */
    int n_columns; /* detectors in a row of errors, these from the first of errors on */
    int blocks_per_slot;
    ptrdiff_t slot_taps;
    int before;               /* estimates of slots before these, that complete a subframe */
    const lte_cf32 *estimate; /* [before + n_slots ..][n_rx][n_tx][n_sc], if there are some */
    const int64_t *residual;  /* [before + n_slots ..] */
    int stride;  /* complex elements of a thread in shared memory; odd: no bank twice */
    int lookups; /* words of it behind those of all, by warps, each beside the next lane's */
    uint64_t first;
    const lte_cf32 *tap; /* [n_slots][lte_slot_taps] */
    lte_power *power;    /* [n_slots] */
    uint32_t *errors;    /* [n_slots][n_columns][n_counts] */
    lte_carried carried; /* with LLRs; labels NULL: payload is drawn, and LLRs are counted */
    int column;          /* of these detectors in a row */
    bool llrs;           /* they are made */
};

typedef void sweep_kernel(sweep_args a);

/*
 * Up to four antennas a side, as many on each, and H known: matrices fit the registers. Detectors
 * that solve keep them there.
 */
static inline bool small_square(const lte_link *link)
{
    return link->n_rx == link->n_tx && !lte_link_estimates(link) &&
           (link->n_tx == 1 || link->n_tx == 2 || link->n_tx == 4);
}

/* Counts of LLRs that a row has, behind those of decisions. */
static __host__ __device__ inline int n_llr_counts(const lte_link &link)
{
    return link.output.n_counts - lte_lost_at(link.n_tx, link.n_bits, 0, 0);
}

extern "C" {

/*
 * The kernel for n detectors of a link, of which one is given: up to MAX_TOGETHER that solve, of a
 * small_square link or any; one of the others, sweep_other.cuh, or of those that search,
 * sweep_searching.cuh, NULL where it has none.
 */
sweep_kernel *lte_sweep_solving(const lte_link *link, lte_detector detector, int n);
sweep_kernel *lte_sweep_square(const lte_link *link, lte_detector detector, int n);
sweep_kernel *lte_sweep_other(const lte_link *link, lte_detector detector, int n);

/* In the object of one that has none of its own. */
#define LTE_SWEEP_WITHOUT_KERNEL(id, name)                                                         \
    extern "C" sweep_kernel *name##id(const lte_link *, lte_detector)                              \
    {                                                                                              \
        return NULL;                                                                               \
    }

/* With LLRs, n = 1: for one that solves, of a small_square link or any; for another one. */
sweep_kernel *lte_sweep_soft(const lte_link *link, lte_detector detector, int n);
sweep_kernel *lte_sweep_soft_square(const lte_link *link, lte_detector detector, int n);
sweep_kernel *lte_sweep_soft_other(const lte_link *link, lte_detector detector, int n);
}

#endif
