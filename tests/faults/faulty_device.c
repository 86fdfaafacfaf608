/*
 * ltesim with a device that fails. The launcher of the sweep is replaced (ld --wrap) by one that
 * starts a trapping kernel once it has been called LTE_FAULT_AFTER times, that of the persistent
 * kernel, with LTE_FAULT_HANG, by one that starts a kernel that neither answers nor ends.
 */
#include <stdlib.h>

#include "kernels/cuda/launchers.h"
#include "tests/cuda/cuda_probe.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of ld --wrap
lte_status __real_lte_sweep_cuda(const lte_sweep_start *start, cudaStream_t stream);
lte_status __wrap_lte_sweep_cuda(const lte_sweep_start *start, cudaStream_t stream);

lte_status __wrap_lte_sweep_cuda(const lte_sweep_start *start, cudaStream_t stream)
{
    static int calls;
    const char *after = getenv("LTE_FAULT_AFTER");
    if (after && calls++ >= strtol(after, NULL, 10)) {
        probe_trap(stream);
        return LTE_OK;
    }
    return __real_lte_sweep_cuda(start, stream);
}

lte_status __real_lte_slot_persistent_cuda(const lte_link *link, const lte_slot_job *job,
                                           int n_blocks, lte_doorbell *doorbell, uint64_t *d_relay,
                                           uint64_t *d_shared, cudaStream_t stream);
lte_status __wrap_lte_slot_persistent_cuda(const lte_link *link, const lte_slot_job *job,
                                           int n_blocks, lte_doorbell *doorbell, uint64_t *d_relay,
                                           uint64_t *d_shared, cudaStream_t stream);

lte_status __wrap_lte_slot_persistent_cuda(const lte_link *link, const lte_slot_job *job,
                                           int n_blocks, lte_doorbell *doorbell, uint64_t *d_relay,
                                           uint64_t *d_shared, cudaStream_t stream)
{
    if (getenv("LTE_FAULT_HANG")) {
        probe_hang(stream);
        return LTE_OK;
    }
    return __real_lte_slot_persistent_cuda(link, job, n_blocks, doorbell, d_relay, d_shared,
                                           stream);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
