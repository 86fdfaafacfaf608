#ifndef LTE_KERNELS_BACKEND_CUDA_H
#define LTE_KERNELS_BACKEND_CUDA_H
/* The backend of NVIDIA GPUs; only in builds with CUDA. */

#include "kernels/backend.h"

extern const lte_backend lte_backend_cuda;

#endif
