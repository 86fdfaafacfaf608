#ifndef LTE_KERNELS_SLOT_SEARCHING_LAUNCH_H
#define LTE_KERNELS_SLOT_SEARCHING_LAUNCH_H
/* The kernels of slots that search, slot_searching.cuh: what they are called with, and which. */

#include "kernels/cuda/slot/slot_cuda.h"

typedef struct {
    lte_link link;
    lte_slot_job job;
    const int64_t *residual; /* [n_h_in], if the noise is estimated */
    uint64_t *shared;        /* [n_carriers][lte_sent_words]: LLRs go to the host; or NULL */
    int units;               /* blocks of a carrier */
    int lookups;             /* words of a thread behind what a block shares */
} searching_args;

typedef struct {
    /* NULL: there is none; without a doorbell: a launch */
    void (*run)(searching_args a, uint64_t first, lte_doorbell *doorbell, uint64_t *relay);
    int subcarriers, threads; /* of a block */
    size_t shared;            /* bytes of it, without lookups */
} searching_kernel;

/* Threads of a block: whole warps. */
#define LTE_SEARCHED_THREADS(subcarriers, lanes)                                                   \
    (((subcarriers)*LTE_SLOT_SYMBOLS * (lanes) + 31) / 32 * 32)

/* In the object of a detector that has none of its own. */
#define LTE_SLOT_WITHOUT_KERNEL(id, name)                                                          \
    extern "C" searching_kernel name##id(const lte_link *, lte_detector)                           \
    {                                                                                              \
        return {};                                                                                 \
    }

#endif
