/* The throughput kernels of a slot, as they are launched: slot_throughput_thread.cuh has them. */
#include "kernels/base/labels.h"
#include "kernels/cuda/slot/slot_throughput.cuh"

/* Blocks that a multiprocessor holds of any of these kernels, about. */
enum { BLOCKS_HELD = 4 };

extern "C" {
#define DECLARE(id)                                                                                \
    throughput_fn *lte_throughput_##id(const lte_link *link);                                      \
    throughput_fn *lte_throughput_soft_##id(const lte_link *link);
LTE_OTHER_DETECTORS(DECLARE)
#undef DECLARE
}

/* Those of one of LTE_OTHER_DETECTORS: slot_throughput_other.cuh. */
static throughput_fn *other(const lte_link *link, lte_detector detector)
{
#define OF(name)                                                                                   \
    if (detector.id == LTE_DETECTOR_##name)                                                        \
        return lte_throughput_##name(link);
    LTE_OTHER_DETECTORS(OF)
#undef OF
    return NULL;
}

static throughput_fn *soft_other(const lte_link *link, lte_detector detector)
{
#define OF(name)                                                                                   \
    if (detector.id == LTE_DETECTOR_##name)                                                        \
        return lte_throughput_soft_##name(link);
    LTE_OTHER_DETECTORS(OF)
#undef OF
    return NULL;
}

/* The kernels by what they are for. */
static const struct {
    unsigned gives; /* LTE_GIVES_* */
    bool solving;
    throughput_fn *(*kernel)(const lte_link *link, lte_detector detector);
} kernels[] = {{LTE_GIVES_LLRS, true, lte_throughput_soft},
               {LTE_GIVES_LLRS, false, soft_other},
               {LTE_GIVES_LABELS, true, lte_throughput_solving},
               {LTE_GIVES_LABELS, false, other}};

lte_status lte_slot_throughput_cuda(const lte_link *link, const lte_slot_job *job,
                                    const int64_t *d_residual, uint64_t first, cudaStream_t stream)
{
    int device = 0, limit = 0, n_processors = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (!status)
        status =
            LTE_CUDA(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, device));
    if (status)
        return status;
    const bool solving = lte_detector_solves(job->detector.id);
    const unsigned asked = link->output.asked;
    int k = 0;
    while (kernels[k].gives != asked || kernels[k].solving != solving)
        k++;
    throughput_fn *const kernel = kernels[k].kernel(link, job->detector);
    const lte_detector_row *row = lte_detector_row_of(job->detector);
    const lte_detector_plan plan = lte_link_plan(link, job->detector, asked);
    const int n_state = row->state(&plan);
    /* complex elements of a thread in shared memory; odd: no bank twice */
    const int stride = solving && link->receiver.pilots == 1 && in_registers(link->n_rx, link->n_tx)
                           ? 0
                           : (n_state + link->n_rx) | 1;
    const bool straight = plan.llrs || is_straight(link->n_tx, link->n_bits);
    int block = THROUGHPUT_BLOCK;
    size_t bytes;
    for (;; block -= WARP) {
        bytes = sizeof(lte_cplx) * (size_t)(block * stride) +
                (straight ? 0
                          : LTE_SLOT_SYMBOLS * (size_t)block_labels(link->n_tx, block) *
                                (size_t)lte_label_bytes(link->n_bits));
        if (bytes <= (size_t)limit || block == WARP)
            break;
    }
    const int units = blocks_of(link->carrier.n_sc, block);
    const bool few = LTE_SLOT_SYMBOLS * job->n_carriers * units <= BLOCKS_HELD * n_processors;
    slot_args args = {*link,
                      *job,
                      row->loading,
                      d_residual,
                      units,
                      NULL,
                      (int)job->detector.value[0],
                      link->receiver.n_csi > 1 || (plan.llrs && few)};
    args.link.output.demapper = plan.demapper;
    status = allow_shared((const void *)kernel, bytes);
    if (status)
        return status;
    const dim3 grid((unsigned)(job->n_carriers * args.units),
                    args.apart ? (unsigned)LTE_SLOT_SYMBOLS : 1u);
    kernel<<<grid, (unsigned)block, bytes, stream>>>(args, first, stride);
    return LTE_LAUNCHED(throughput_kernel);
}
