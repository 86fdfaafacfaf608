#ifndef LTE_KERNELS_BACKENDS_CUDA_MATRICES_H
#define LTE_KERNELS_BACKENDS_CUDA_MATRICES_H
/*
 * Batches of matrices that a program hands over, on a CUDA device, by the version that
 * kernels/cuda/inversion/inversion_versions.h chooses. Arrays that lie there on 16 bytes are worked
 * on where they are, all others are copied. The caller's device stays current, and what the caller
 * began on the default stream is waited for.
 */

#include "kernels/backends/backend.h"

extern const lte_matrix_ops lte_cuda_matrix_ops;

#endif
