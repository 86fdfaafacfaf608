/* The published mapping over floats, real and complex. */
#include "kernels/methods/inverse/published/inverse_blocks.cuh"

lte_status lte_inverse_lu_blocks_single(const lte_inverse_blocks *how,
                                        const lte_inverse_batch *batch, cudaStream_t stream)
{
    return batch->element == LTE_FLOAT ? lu_blocks<float>(how, batch, stream)
                                       : lu_blocks<lte_cplx>(how, batch, stream);
}
