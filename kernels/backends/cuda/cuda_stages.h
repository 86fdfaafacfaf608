#ifndef LTE_KERNELS_BACKENDS_CUDA_STAGES_H
#define LTE_KERNELS_BACKENDS_CUDA_STAGES_H
/*
 * One slot by stages, unfused, an event between each two: what the deadline run's table of stages
 * holds.
 *
 *     double us[LTE_N_TIMED];
 *     lte_status status = lte_cuda_stages_run(&stages, i, us);
 */

#include <cuda_runtime_api.h>

#include "kernels/backends/cuda/cuda_slots.h"
#include "kernels/cuda/large/large_cuda.h"

/* Batches of one slot on the device; shapes in kernels/link/link.h. */
typedef struct {
    float *h, *y, *g;
    uint8_t *flag;
    uint32_t *label;
} lte_cuda_batches;

typedef struct {
    lte_cuda_slots *slots;
    lte_cuda_batches batches;      /* of links in batches the flags alone */
    const lte_large_memory *large; /* theirs, of a slot at least */
    /* of a slot in host memory, its copies */
    lte_cf32 *h_planes, *y_planes;
    uint8_t *bits;
    cudaEvent_t event[LTE_N_TIMED + 1]; /* where each stage begins; the end */
} lte_cuda_stages;

/*
 * For the slots that are placed then. Returns LTE_ENOMEM, LTE_EDEVICE; fini is due in every case.
 */
lte_status lte_cuda_stages_init(lte_cuda_slots *slots, lte_cuda_stages *stages);

/* Slot i; us [LTE_N_TIMED] as lte_slot_ops.stages. The persistent kernel must not be there. */
lte_status lte_cuda_stages_run(lte_cuda_stages *stages, uint64_t i, double *us);

void lte_cuda_stages_fini(lte_cuda_stages *stages);

#endif
