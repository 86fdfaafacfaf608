#ifndef LTE_KERNELS_BACKENDS_CUDA_SWEEP_H
#define LTE_KERNELS_BACKENDS_CUDA_SWEEP_H
/* The sweep on a CUDA device: its memory. */

#include "kernels/backends/backend.h"
#include "kernels/backends/cuda/cuda_large.h"
#include "kernels/coding/coded_cuda.h"
#include "kernels/cuda/launchers.h"

typedef struct {
    int most_slots, most_detectors; /* of a start */
    lte_sweep_memory memory;        /* of the slots on their way */
    lte_cuda_large large;           /* that memory.large is of */
    lte_coded_cuda *processes;      /* of a link that carries a code */
    lte_power *d_power;             /* [most_slots] */
    uint32_t *d_errors;             /* [most_slots][most_detectors][n_counts] */
    void *d_processes;              /* their memory */
    bool begun;                     /* a start is under way */
} lte_cuda_sweep;

/*
 * Memory for as many slots of a start as limit bytes and the device allow, fewer where it runs out.
 *
 * Returns LTE_ENOMEM if there is none for a single slot; whatever it returns, fini is due.
 */
lte_status lte_cuda_sweep_init(const lte_link *link, int most_detectors, size_t limit,
                               lte_cuda_sweep *sweep);

void lte_cuda_sweep_fini(lte_cuda_sweep *sweep);

extern const lte_sweep_ops lte_cuda_sweep_ops;

#endif
