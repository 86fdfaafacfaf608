#ifndef LTE_KERNELS_BACKENDS_CUDA_SLOTS_H
#define LTE_KERNELS_BACKENDS_CUDA_SLOTS_H
/*
 * Where the slots of a deadline run lie for a CUDA device: in mapped host memory, or copied to the
 * device until they outgrow its cache; and the estimates of a period's slots, where the receiver
 * makes some.
 *
 *     lte_status status = lte_cuda_slots_place(&slots, &plan, &cached);
 *     lte_slot_job job = lte_cuda_slots_period(&slots, &first);
 *     status = lte_cuda_slots_estimate(&slots, &job, first);     // if lte_link_estimates(link)
 *     ... kernels over job and slots.estimates.residual ...
 *     status = lte_cuda_slots_fetch(&slots);
 *
 * All work is put on the stream; only fetch waits for it.
 */

#include <cuda_runtime_api.h>

#include "kernels/backends/backend.h"
#include "kernels/backends/cuda/cuda_memory.h"
#include "kernels/coding/coded_cuda.h"

/* What a receiver that estimates has made of a period's reference symbols. */
typedef struct {
    int n;             /* estimates: n_carriers, or of the whole subframes that those may lie in */
    lte_cuda_memory h; /* [n][n_rx][n_tx][n_sc]: slot i at i mod n */
    lte_cuda_memory residuals;    /* [2][n] of this period, and zeros for the next; [pilots] */
    lte_cuda_memory combinations; /* [n][7], if estimates are made from two reference symbols */
    uint64_t n_periods;           /* so far */
    const int64_t *residual;      /* [n] of the last one; NULL if nothing is estimated */
} lte_cuda_estimates;

typedef struct {
    const lte_link *link; /* what it refers to is on the device */
    cudaStream_t stream;
    lte_slot_plan plan;         /* the run's, in host memory */
    lte_slot_job job;           /* the plan's, with memory that the device follows */
    lte_cuda_memory h, y, bits; /* of placement DEVICE */
    lte_cuda_estimates estimates;
    lte_coded_cuda *subframes; /* of a link that carries a code: room for so many of a period */
    int n_subframes;
} lte_cuda_slots;

/*
 * Places the slots of a plan; what an earlier plan placed is lost.
 *
 *   cached   out: the copies on the device stay in its cache
 *
 * Returns LTE_ENOMEM, LTE_EDEVICE.
 */
lte_status lte_cuda_slots_place(lte_cuda_slots *slots, const lte_slot_plan *plan, bool *cached);

/*
 * The job of the period that begins with slot *first, which becomes the first of its part: its
 * slots, and of a link that carries a code LLRs as outputs.
 */
lte_slot_job lte_cuda_slots_period(const lte_cuda_slots *slots, uint64_t *first);

/* Estimates H of the n_carriers slots of such a job from first on. */
lte_status lte_cuda_slots_estimate(lte_cuda_slots *slots, const lte_slot_job *job, uint64_t first);

/*
 * The channel that one slot is detected with: *h stays if the receiver knows it.
 *
 *   y          planes of the slots that it is estimated from
 *   h          in: its planes if it is known; out: if not, those of the estimates
 *   residual   out: [pilots] what lte_gram_cuda and lte_detect_cuda go by
 */
lte_status lte_cuda_slots_receive(lte_cuda_slots *slots, const lte_cf32 *y, const lte_cf32 **h,
                                  const int64_t **residual);

/*
 * One slot as a memory of its own: its planes, n_h of H, and where its bits go, or NULL. It is slot
 * i mod n_h of that.
 */
lte_slot_memory lte_cuda_slot_alone(const lte_cf32 *h, int n_h, const lte_cf32 *y, uint8_t *bits,
                                    size_t row_bytes);

/* The noise of a slot alone: the combination at its place in a subframe, if there are some. */
lte_noise lte_cuda_noise_alone(lte_noise noise, uint64_t place);

/* Waits for the stream; with placement DEVICE copies the outputs to the plan's bits first. */
lte_status lte_cuda_slots_fetch(lte_cuda_slots *slots);

void lte_cuda_slots_fini(lte_cuda_slots *slots);

#endif
