#ifndef LTE_KERNELS_BACKENDS_CUDA_DEVICE_H
#define LTE_KERNELS_BACKENDS_CUDA_DEVICE_H
/* The CUDA devices of this machine, as kernels/backends/backend.h asks for them. */

#include "kernels/backends/backend.h"

/* Usable devices: those that come before the first that is too old. */
int lte_cuda_n_devices(void);

/* Device number i in words. Returns LTE_EDEVICE. */
lte_status lte_cuda_describe(int i, lte_device *device);

#endif
