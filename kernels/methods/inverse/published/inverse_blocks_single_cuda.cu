/* The published mapping over floats, real and complex. */
#include "kernels/methods/inverse/published/inverse_blocks.cuh"

lte_status lte_inverse_lu_blocks_single(const lte_inverse_blocks *how, int element, int n,
                                        int n_matrices, const void *d_a, void *d_x, uint8_t *d_flag,
                                        void *d_work, cudaStream_t stream)
{
    return element == LTE_FLOAT
               ? lu_blocks<float>(how, n, n_matrices, d_a, d_x, d_flag, d_work, stream)
               : lu_blocks<lte_cplx>(how, n, n_matrices, d_a, d_x, d_flag, d_work, stream);
}
