/* The published mapping over doubles, real and complex. */
#include "kernels/methods/inverse/published/inverse_blocks.cuh"

lte_status lte_inverse_lu_blocks_double(const lte_inverse_blocks *how,
                                        const lte_inverse_batch *batch, cudaStream_t stream)
{
    return batch->element == LTE_DOUBLE ? lu_blocks<double>(how, batch, stream)
                                        : lu_blocks<lte_cf64>(how, batch, stream);
}
