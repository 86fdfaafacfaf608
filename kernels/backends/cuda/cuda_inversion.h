#ifndef LTE_KERNELS_BACKENDS_CUDA_INVERSION_H
#define LTE_KERNELS_BACKENDS_CUDA_INVERSION_H
/*
 * The inversion alone: n of the slots' Gram matrices, contiguous, inverted by the version that the
 * device's list chooses, from and to memory of the plan's placement.
 *
 *     lte_cuda_inversion_reset(&inversion);       // other slots are placed
 *     lte_status status = lte_cuda_inversion_run(&inversion, n, &us);
 */

#include "kernels/backends/cuda/cuda_slots.h"
#include "kernels/backends/cuda/cuda_stages.h"

typedef struct {
    lte_cuda_slots *slots;
    const lte_cuda_stages *stages; /* that make the matrices */
    /* Gram matrices of a few slots, one after the other, and their inverses */
    lte_cf32 *d_grams, *d_inverses;
    lte_cf32 *grams, *inverses; /* the same in mapped host memory */
    bool ready;                 /* the matrices are those of the slots placed */
    uint64_t n_runs;            /* so far: each takes another slot's */
} lte_cuda_inversion;

/* For the slots that are placed then, by way of the stages. Allocates nothing yet. */
void lte_cuda_inversion_init(lte_cuda_slots *slots, const lte_cuda_stages *stages,
                             lte_cuda_inversion *inversion);

/* Says that other slots are placed. */
void lte_cuda_inversion_reset(lte_cuda_inversion *inversion);

/*
 * As lte_slot_ops.inversion, n from 1 to a slot's n_sc n_csi. The persistent kernel must not be
 * there. Returns LTE_EINVAL for another n and for an inverter that has no version for contiguous
 * matrices; LTE_ENOMEM, LTE_EDEVICE.
 */
lte_status lte_cuda_inversion_run(lte_cuda_inversion *inversion, int n, double *us);

/* The version that a slot's matrices take, in words. */
const char *lte_cuda_inversion_choice(const lte_link *link);

void lte_cuda_inversion_fini(lte_cuda_inversion *inversion);

#endif
