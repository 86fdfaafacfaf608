#ifndef LTE_KERNELS_SLOT_CUH
#define LTE_KERNELS_SLOT_CUH
/* What the kernels of the fused slot share: arguments, shapes of a block, rows of bits. */

#include "kernels/cuda/device/lanes.cuh"
#include "kernels/cuda/large/large_cuda.h"
#include "kernels/cuda/slot/slot_cuda.h"
#include "kernels/link/transport_code.h"

struct slot_args {
    lte_link link;
    lte_slot_job job;
    float loading;           /* of the detector, in units of n0 */
    const int64_t *residual; /* [n_h_in], if the noise is estimated */
    int units;               /* blocks of a carrier */
    uint64_t *shared; /* [n_carriers][lte_shared_words], of a persistent kernel that estimates */
    int parameter;    /* of a detector that does not solve */
    bool apart;       /* threads of the throughput kernels have a symbol each */
};

/*
 * Subcarriers of a block, and so its matrices: four warps of them, L lanes each. At least 16: then
 * a block reads 128 bytes of each plane and writes whole words of bits; at most 64, so that 16
 * antennas fit every device's shared memory where H is given.
 */
__host__ __device__ constexpr int latency_subcarriers(int n)
{
    return n == 1 ? 64 : 4 * WARP / lanes_of(n);
}

/* Elements from plane to plane: lanes of a subcarrier fall on different banks. */
__host__ __device__ constexpr int plane_stride(int k)
{
    return k + 2;
}

/* The blocks of a kernel that are on a device at once, as many as may answer a doorbell: most. */
static inline lte_status staying_blocks(const void *kernel, int threads, size_t bytes, int *most)
{
    int device = 0, n_processors = 0, per_processor = 0;
    lte_status status = LTE_CUDA(cudaGetDevice(&device));
    if (!status)
        status =
            LTE_CUDA(cudaDeviceGetAttribute(&n_processors, cudaDevAttrMultiProcessorCount, device));
    if (!status)
        status = allow_shared(kernel, bytes);
    if (!status)
        status = LTE_CUDA(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, threads, bytes));
    const int fit = n_processors * per_processor;
    *most = fit < LTE_DOORBELL_BLOCKS ? fit : LTE_DOORBELL_BLOCKS;
    return status;
}

#endif
