/* The kernels of slots that search, as they are launched; the kernels: slot_searching.cuh. */
#include "kernels/cuda/device/device.cuh"
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

lte_status lte_slot_searching_cuda(const lte_link *link, const lte_slot_job *job,
                                   const int64_t *d_residual, uint64_t first, cudaStream_t stream)
{
    const searching_kernel kernel = kernel_of(link, job->detector);
    const lte_detector_plan plan = lte_link_plan(link, job->detector, link->output.asked);
    const lte_detector_row *const row = lte_detector_row_of(job->detector);
    searching_args args = {*link, *job, d_residual,
                           blocks_of(link->carrier.n_sc, kernel.subcarriers),
                           row->lookups ? row->lookups(&plan) : 0};
    args.link.output.demapper = plan.demapper;
    const size_t shared =
        kernel.shared + (size_t)(kernel.threads * args.lookups) * sizeof(uint32_t);
    const lte_status status = allow_shared((const void *)kernel.run, shared);
    if (status)
        return status;
    kernel.run<<<(unsigned)(job->n_carriers * args.units), (unsigned)kernel.threads, shared,
                 stream>>>(args, first);
    return LTE_LAUNCHED(slot_searching_kernel);
}
