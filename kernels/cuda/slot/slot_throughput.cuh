#ifndef LTE_KERNELS_SLOT_THROUGHPUT_CUH
#define LTE_KERNELS_SLOT_THROUGHPUT_CUH
/* The throughput kernels of a slot: how they are launched, and which one a link takes. */

#include "kernels/cuda/slot/slot.cuh"

enum { THROUGHPUT_BLOCK = 128 };

/* True if resource elements go to their rows straight. */
static __host__ __device__ inline bool is_straight(int n_tx, int n_bits)
{
    return n_tx * n_bits == 8 || n_tx * n_bits == 16 || n_tx * n_bits == 32;
}

/* Labels of a block that go by way of bytes, and room for the packer's last word. */
static __host__ __device__ inline int block_labels(int n_tx, int block)
{
    return block * n_tx + 32;
}

typedef void throughput_fn(slot_args a, uint64_t first, int stride);

/* Matrices of two or four antennas a side fit the registers of detectors that solve. */
static __host__ __device__ constexpr bool in_registers(int n_rx, int n_tx)
{
    return n_rx == n_tx && (n_tx == 2 || n_tx == 4);
}

extern "C" {

/* The kernels for detectors that solve, and of a link that gives LLRs. */
throughput_fn *lte_throughput_solving(const lte_link *link, lte_detector detector);
throughput_fn *lte_throughput_soft(const lte_link *link, lte_detector detector);
}

#endif
