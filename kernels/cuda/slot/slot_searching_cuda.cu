/* The kernels of slots that search, as they are launched; the kernels: slot_searching.cuh. */
#include "kernels/cuda/slot/slot.cuh"
#include "kernels/cuda/slot/slot_searching_launch.h"

extern "C" {
#define DECLARE(id)                                                                                \
    searching_kernel lte_slot_##id(const lte_link *link, lte_detector detector),                   \
        lte_slot_soft_##id(const lte_link *link, lte_detector detector);
LTE_SEARCHING_DETECTORS(DECLARE)
#undef DECLARE
}

/* The kernel of a link and a detector, if it has one. */
static searching_kernel kernel_of(const lte_link *link, lte_detector detector)
{
    const bool fits = link->n_rx == link->n_tx && (link->n_tx == 2 || link->n_tx == 4) &&
                      link->receiver.n_csi == 1 && link->receiver.pilots <= 1;
    const bool soft = link->output.asked == LTE_GIVES_LLRS;
    if (!fits || link->n_tx * link->n_bits > 32) /* labels of a vector are one word */
        return {};
#define OF(name)                                                                                   \
    if (detector.id == LTE_DETECTOR_##name)                                                        \
        return soft ? lte_slot_soft_##name(link, detector) : lte_slot_##name(link, detector);
    LTE_SEARCHING_DETECTORS(OF)
#undef OF
    return {};
}

bool lte_slot_searching_takes(const lte_link *link, lte_detector detector)
{
    return kernel_of(link, detector).run != NULL;
}

/* Bytes of shared memory of a block. */
static size_t shared_of(const searching_kernel *kernel, const lte_link *link, lte_detector detector,
                        int *lookups)
{
    const lte_detector_plan plan = lte_link_plan(link, detector, link->output.asked);
    *lookups = lte_detector_lookups(&plan);
    return kernel->shared + (size_t)(kernel->threads * *lookups) * sizeof(uint32_t);
}

/* n_blocks of them; 0: a block a unit. */
static lte_status launch(const lte_link *link, const lte_slot_job *job, const int64_t *d_residual,
                         uint64_t first, int n_blocks, lte_doorbell *doorbell, uint64_t *d_relay,
                         uint64_t *d_shared, cudaStream_t stream)
{
    const searching_kernel kernel = kernel_of(link, job->detector);
    searching_args args = {
        *link, *job, d_residual, d_shared, blocks_of(link->carrier.n_sc, kernel.subcarriers), 0};
    args.link.output.demapper = lte_link_plan(link, job->detector, link->output.asked).demapper;
    const size_t shared = shared_of(&kernel, link, job->detector, &args.lookups);
    const lte_status status = allow_shared((const void *)kernel.run, shared);
    if (status)
        return status;
    const int n = n_blocks > 0 ? n_blocks : job->n_carriers * args.units;
    kernel.run<<<(unsigned)n, (unsigned)kernel.threads, shared, stream>>>(args, first, doorbell,
                                                                          d_relay);
    return LTE_LAUNCHED(slot_searching_kernel);
}

lte_status lte_slot_searching_cuda(const lte_link *link, const lte_slot_job *job,
                                   const int64_t *d_residual, uint64_t first, cudaStream_t stream)
{
    return launch(link, job, d_residual, first, 0, NULL, NULL, NULL, stream);
}

lte_status lte_slot_searching_persistent_cuda(const lte_link *link, const lte_slot_job *job,
                                              int n_blocks, lte_doorbell *doorbell,
                                              uint64_t *d_relay, uint64_t *d_shared,
                                              cudaStream_t stream)
{
    return launch(link, job, NULL, 0, n_blocks, doorbell, d_relay, d_shared, stream);
}

lte_status lte_slot_searching_blocks(const lte_link *link, lte_detector detector, int n_carriers,
                                     int *n_blocks)
{
    const searching_kernel kernel = kernel_of(link, detector);
    int lookups, most = 0;
    *n_blocks = 0;
    if (lte_link_estimates(link)) /* by launches */
        return LTE_OK;
    const size_t shared = shared_of(&kernel, link, detector, &lookups);
    const lte_status status =
        staying_blocks((const void *)kernel.run, kernel.threads, shared, &most);
    const int wanted = n_carriers * blocks_of(link->carrier.n_sc, kernel.subcarriers);
    *n_blocks = wanted < most ? wanted : most;
    return status;
}
