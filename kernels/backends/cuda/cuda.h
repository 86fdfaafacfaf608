#ifndef LTE_KERNELS_BACKENDS_CUDA_H
#define LTE_KERNELS_BACKENDS_CUDA_H
/* The CUDA devices as a backend: see kernels/backends/backend.h. */

#include "kernels/backends/backend.h"

extern const lte_backend lte_backend_cuda;

#endif
