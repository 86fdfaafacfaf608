#ifndef LTE_KERNELS_BACKENDS_CUDA_OPS_H
#define LTE_KERNELS_BACKENDS_CUDA_OPS_H
/*
 * What a CUDA device does without an engine, with arrays that a program hands over. Those that lie
 * there, of matrices on 16 bytes and of code blocks on 4, are worked on where they are, all others
 * are copied. The caller's device stays current, and what the caller began on the default stream is
 * waited for.
 */

#include "kernels/backends/backend.h"
#include "kernels/backends/method_ops.h"

/*
 * Batches of matrices, by the version that kernels/cuda/inversion/inversion_versions.h chooses:
 * cuda_matrices.c.
 */
extern const lte_matrix_ops lte_cuda_matrix_ops;

/* Code blocks: cuda_decoding.c. */
extern const lte_decoder_ops lte_cuda_decoder_ops;

/* The methods by themselves: cuda_methods.c. */
extern const lte_method_ops lte_cuda_method_ops;

#endif
