#ifndef LTE_KERNELS_BACKENDS_CUDA_PERSISTENT_H
#define LTE_KERNELS_BACKENDS_CUDA_PERSISTENT_H
/*
 * The persistent kernel: it stays on the device between slot periods and answers sooner than a
 * launch.
 *
 *     lte_status status = lte_cuda_persistent_fit(&persistent, kernel, &job);
 *     if (persistent.n_blocks > 0)      // it is there from the first period on
 *         status = lte_cuda_persistent_run(&persistent, &job, first, release_s, &completed_s,
 *                                          &gap_s);
 *     status = lte_cuda_persistent_stop(&persistent);
 *
 * While it is there nothing else can run on the stream.
 */

#include <cuda_runtime_api.h>

#include "kernels/backends/cuda/cuda_memory.h"
#include "kernels/backends/doorbell.h"
#include "kernels/link/slot_memory.h"

/*
 * A kernel that may stay: its blocks for periods of a detector, the words of a carrier that they
 * share, zero before its start, and its start.
 */
typedef struct {
    lte_status (*blocks)(const lte_link *link, lte_detector detector, int n_carriers,
                         int *n_blocks);
    size_t (*shared_words)(const lte_link *link);
    lte_status (*start)(const lte_link *link, const lte_slot_job *job, int n_blocks,
                        lte_doorbell *doorbell, uint64_t *d_relay, uint64_t *d_shared,
                        cudaStream_t stream);
} lte_cuda_staying;

typedef struct {
    const lte_link *link;
    cudaStream_t stream;
    const lte_cuda_staying *kernel; /* that of lte_cuda_persistent_fit */
    bool allowed;                   /* no watchdog ends a kernel that takes seconds */
    lte_doorbell *doorbell;         /* mapped host memory */
    uint64_t *d_relay;              /* the doorbell's word, from block to block */
    lte_cuda_memory shared;         /* [n_carriers][shared_words] */
    bool shares;                    /* blocks of this kernel do */
    int client_threads;             /* that notify */
    int n_blocks;                   /* 0: periods are launched */
    lte_doorbell_client *client;    /* not NULL: the kernel is there */
    double waited_from_s;           /* when it was first asked after in this period; 0: not yet */
    bool lost; /* it does not answer: whatever waits for the device waits forever */
} lte_cuda_persistent;

/* Doorbell and relay. Returns LTE_ENOMEM, LTE_EDEVICE; whatever it returns, fini is due. */
lte_status lte_cuda_persistent_init(const lte_link *link, cudaStream_t stream,
                                    lte_cuda_persistent *persistent);

/*
 * Finds n_blocks of a kernel for a job's periods, 0 where it may not stay or cannot; none must be
 * there. Returns LTE_ENOMEM, LTE_EDEVICE.
 */
lte_status lte_cuda_persistent_fit(lte_cuda_persistent *persistent, const lte_cuda_staying *kernel,
                                   const lte_slot_job *job);

/*
 * One period as lte_slot_ops.run; starts the kernel for the job if it is not there. A kernel that
 * does not answer for ten seconds is given up: LTE_EDEVICE.
 */
lte_status lte_cuda_persistent_run(lte_cuda_persistent *persistent, const lte_slot_job *job,
                                   uint64_t first, double release_s, double *completed_s,
                                   double *gap_s);

/* Ends the kernel, if it is there, and waits for its end; not forever for one that is lost. */
lte_status lte_cuda_persistent_stop(lte_cuda_persistent *persistent);

void lte_cuda_persistent_fini(lte_cuda_persistent *persistent);

#endif
