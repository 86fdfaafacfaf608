#ifndef LTE_KERNELS_BACKENDS_CUDA_DECODING_H
#define LTE_KERNELS_BACKENDS_CUDA_DECODING_H
/*
 * Code blocks that a program hands over, on a CUDA device. Arrays that lie there on 4 bytes are
 * worked on where they are, all others are copied. The caller's device stays current, and what the
 * caller began on the default stream is waited for.
 */

#include "kernels/backends/backend.h"

extern const lte_decoder_ops lte_cuda_decoder_ops;

#endif
