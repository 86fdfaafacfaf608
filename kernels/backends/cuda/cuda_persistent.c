/* The persistent kernel: its doorbell, its start and its end. */
#include "kernels/backends/cuda/cuda_persistent.h"

#include <sched.h>

#include "kernels/backends/clock.h"
#include "kernels/cuda/launchers.h"

static const double patience_s = 10.0; /* with the kernel: a slot takes it some 10 us */

enum { MANY_PROCESSORS = 4 }; /* of the host, that allow for a second thread at the doorbell */

/* Processors that this process may run on. */
static int processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

lte_status lte_cuda_persistent_init(const lte_link *link, cudaStream_t stream,
                                    lte_cuda_persistent *p)
{
    int device = 0, watchdog = 0;
    p->link = link;
    p->stream = stream;
    p->client_threads = processors() < MANY_PROCESSORS ? 1 : 2;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status) /* of a device that drives a display */
        status = LTE_CUDA(cudaDeviceGetAttribute(&watchdog, cudaDevAttrKernelExecTimeout, device));
    p->allowed = !watchdog;
    if (!status)
        status = LTE_CUDA(cudaHostAlloc((void **)&p->doorbell, sizeof *p->doorbell,
                                        cudaHostAllocMapped | cudaHostAllocPortable));
    return status ? status : LTE_CUDA(cudaMalloc((void **)&p->d_relay, sizeof *p->d_relay));
}

lte_status lte_cuda_persistent_fit(lte_cuda_persistent *p, const lte_cuda_staying *kernel,
                                   const lte_slot_job *job)
{
    const size_t words = (size_t)job->n_carriers * kernel->shared_words(p->link);
    p->n_blocks = 0;
    p->kernel = kernel;
    p->shares = words > 0;
    if (!p->allowed)
        return LTE_OK;
    const lte_status status =
        p->shares ? lte_cuda_memory_grow(&p->shared, words * sizeof(uint64_t)) : LTE_OK;
    return status ? status : kernel->blocks(p->link, job->detector, job->n_carriers, &p->n_blocks);
}

static lte_status start(lte_cuda_persistent *p, const lte_slot_job *job)
{
    lte_status status = LTE_CUDA(cudaMemsetAsync(p->d_relay, 0, sizeof *p->d_relay, p->stream));
    if (!status && p->shares)
        status = LTE_CUDA(cudaMemsetAsync(p->shared.at, 0, p->shared.size, p->stream));
    if (!status)
        status =
            lte_doorbell_client_create(p->doorbell, p->n_blocks, p->client_threads, &p->client);
    if (!status)
        status = p->kernel->start(p->link, job, p->n_blocks, p->doorbell, p->d_relay,
                                  p->shares ? p->shared.at : NULL, p->stream);
    if (status) {
        lte_doorbell_client_quit(p->client);
        p->client = NULL;
    }
    return status;
}

/* A kernel that died is noticed, though late, and one that does not answer. */
static lte_status alive(void *user)
{
    lte_cuda_persistent *p = user;
    const cudaError_t error = cudaStreamQuery(p->stream);
    const double now_s = lte_seconds();
    if (p->waited_from_s == 0.0)
        p->waited_from_s = now_s;
    p->lost = error == cudaErrorNotReady && now_s - p->waited_from_s > patience_s;
    if (p->lost)
        return LTE_FAIL(LTE_EDEVICE, "the persistent kernel did not answer within %g s",
                        patience_s);
    if (error == cudaErrorNotReady)
        return LTE_OK;
    return error == cudaSuccess
               ? LTE_FAIL(LTE_EDEVICE, "the persistent kernel ended unexpectedly")
               : lte_cuda_status(error, "the persistent kernel", __FILE__, __LINE__);
}

lte_status lte_cuda_persistent_run(lte_cuda_persistent *p, const lte_slot_job *job, uint64_t first,
                                   double release_s, double *completed_s, double *gap_s)
{
    const lte_status status = p->client ? LTE_OK : start(p, job);
    p->waited_from_s = 0.0;
    return status ? status
                  : lte_doorbell_client_notify(p->client, first, release_s, alive, p, completed_s,
                                               gap_s);
}

lte_status lte_cuda_persistent_stop(lte_cuda_persistent *p)
{
    if (!p->client)
        return LTE_OK;
    lte_doorbell_client_quit(p->client);
    p->client = NULL;
    if (!p->lost)
        return LTE_CUDA(cudaStreamSynchronize(p->stream));
    double gap_s = 0.0;
    lte_wait_until(lte_seconds() + 1.0, &gap_s); /* it may have been slow */
    p->lost = cudaStreamQuery(p->stream) == cudaErrorNotReady;
    return p->lost ? LTE_EDEVICE : LTE_OK;
}

void lte_cuda_persistent_fini(lte_cuda_persistent *p)
{
    (void)lte_cuda_persistent_stop(p);
    (void)cudaFreeHost(p->doorbell);
    (void)cudaFree(p->d_relay);
    lte_cuda_memory_fini(&p->shared);
}
