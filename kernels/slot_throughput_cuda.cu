/* The throughput kernels of a slot, as they are launched: slot_throughput_thread.cuh has them. */
#include "kernels/slot_throughput.cuh"

lte_status lte_slot_throughput_cuda(const lte_link *link, const lte_slot_job *job,
                                    const int64_t *d_residual, uint64_t first, cudaStream_t stream)
{
    int device = 0, limit = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status = LTE_CUDA(
            cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (status)
        return status;
    const bool solving = solves(job->detector);
    throughput_fn *kernel =
        solving ? lte_throughput_solving(link) : lte_throughput_other(link, job->detector);
    const lte_detector *row = lte_detector_row(job->detector);
    const int n_state = row->state_size(link->n_rx, link->n_tx, false);
    /* complex elements of a thread in shared memory; odd: no bank twice */
    const int stride = solving && link->references == 1 && in_registers(link->n_rx, link->n_tx)
                           ? 0
                           : (n_state + link->n_rx) | 1;
    const bool straight = is_straight(link->n_tx, link->n_bits);
    int block = THROUGHPUT_BLOCK;
    size_t bytes;
    for (;; block -= WARP) {
        bytes = sizeof(lte_cplx) * (size_t)(block * stride) +
                (straight ? 0 : LTE_SLOT_SYMBOLS * (size_t)block_labels(link->n_tx, block));
        if (bytes <= (size_t)limit || block == WARP)
            break;
    }
    const slot_args args = {*link,
                            *job,
                            row->loading,
                            d_residual,
                            blocks_of(link->n_sc, block),
                            NULL,
                            lte_detector_parameter(job->detector)};
    status = allow_shared((const void *)kernel, bytes);
    if (status)
        return status;
    const dim3 grid((unsigned)(job->n_carriers * args.units), (unsigned)link->n_csi);
    kernel<<<grid, (unsigned)block, bytes, stream>>>(args, first, stride);
    return LTE_LAUNCHED(throughput_kernel);
}
