#ifndef LTE_KERNELS_BACKENDS_CUDA_ENGINE_H
#define LTE_KERNELS_BACKENDS_CUDA_ENGINE_H
/*
 * The engine of the CUDA backend, by its parts:
 *
 *     cuda_tables       what the link refers to, on the device
 *     cuda_sweep        draws to error counts, one start ahead
 *     cuda_slots        where the slots of a deadline run lie, and their estimates
 *     cuda_large        work memory of large arrays
 *     cuda_persistent   the kernel that stays between slot periods
 *     cuda_stages       one slot by stages, timed
 *     cuda_inversion    the inversion alone, timed
 *
 * cuda_paths.c chooses among them for every run of periods.
 */

#include "kernels/backends/cuda/cuda_inversion.h"
#include "kernels/backends/cuda/cuda_large.h"
#include "kernels/backends/cuda/cuda_paths.h"
#include "kernels/backends/cuda/cuda_persistent.h"
#include "kernels/backends/cuda/cuda_slots.h"
#include "kernels/backends/cuda/cuda_stages.h"
#include "kernels/backends/cuda/cuda_sweep.h"
#include "kernels/backends/cuda/cuda_tables.h"

struct lte_engine {
    lte_link link; /* what it refers to is on the device; its channel may be wide for a run alone */
    bool wide;     /* whether the channel of the link as given is */
    int device;
    cudaStream_t stream; /* of everything here */
    lte_cuda_tables tables;
    lte_cuda_sweep sweep;
    lte_cuda_slots slots;
    lte_cuda_large large; /* work memory of slots that go in batches */
    lte_cuda_persistent persistent;
    const lte_cuda_path *path; /* of the run's periods */
    lte_cuda_stages stages;
    lte_cuda_inversion inversion;
    char choices[640];
};

/* The parts of the deadline run, for the engine's link and stream, which must be there. */
lte_status lte_cuda_periods_init(lte_engine *engine);
void lte_cuda_periods_fini(lte_engine *engine);

/* Writes how slot periods run, in words, to text [size]. */
void lte_cuda_periods_choice(const lte_engine *engine, char *text, size_t size);

extern const lte_slot_ops lte_cuda_slot_ops;

#endif
