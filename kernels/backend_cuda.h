#ifndef LTE_KERNELS_BACKEND_CUDA_H
#define LTE_KERNELS_BACKEND_CUDA_H
/* The CUDA devices as a backend: see kernels/backend.h. */

#include "kernels/backend.h"

extern const lte_backend lte_backend_cuda;

#endif
