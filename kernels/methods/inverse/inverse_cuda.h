#ifndef LTE_KERNELS_METHODS_INVERSE_CUDA_H
#define LTE_KERNELS_METHODS_INVERSE_CUDA_H
/*
 * The inverses of kernels/methods/inverse/inverse.h on the device. The list of these versions and
 * the choice among them: kernels/cuda/inversion/inversion_versions.h.
 */

#include <cuda_runtime_api.h>

#include "kernels/methods/inverse/inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Starts the work, for arguments that were checked: x <- a^-1 for n_matrices of order n, of an
 * element type; d_work: memory that some of them work in.
 */
#define LTE_INVERSE_RUN(name)                                                                      \
    lte_status name(int element, int n, int n_matrices, const void *d_a, void *d_x,                \
                    uint8_t *d_flag, void *d_work, cudaStream_t stream)

/*
 * inverse_lu_rows_cuda.cu, inverse_lu_cuda.cu, inverse_cholesky_cuda.cu: complex floats in
 * registers.
 */
LTE_INVERSE_RUN(lte_inverse_lu_rows);
LTE_INVERSE_RUN(lte_inverse_lu_registers);
LTE_INVERSE_RUN(lte_inverse_cholesky_registers);

/* What the published mapping is asked for. */
typedef struct {
    bool delayed;
    bool on_demand; /* threads and shared memory for the rows of a step, not for all */
} lte_inverse_blocks;

/* inverse_blocks.cuh, for floats and doubles in files of their own. */
lte_status lte_inverse_lu_blocks_single(const lte_inverse_blocks *how,
                                        const lte_inverse_batch *batch, cudaStream_t stream);
lte_status lte_inverse_lu_blocks_double(const lte_inverse_blocks *how,
                                        const lte_inverse_batch *batch, cudaStream_t stream);
/* inverse_cholesky_blocks_cuda.cu */
LTE_INVERSE_RUN(lte_inverse_cholesky_blocks);

#ifdef __cplusplus
}
#endif

#endif
