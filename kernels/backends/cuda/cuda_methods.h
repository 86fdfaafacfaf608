#ifndef LTE_KERNELS_BACKENDS_CUDA_METHODS_H
#define LTE_KERNELS_BACKENDS_CUDA_METHODS_H
/* The methods by themselves on a CUDA device; the caller's device stays current. */

#include "kernels/backends/method_ops.h"

extern const lte_method_ops lte_cuda_method_ops;

#endif
