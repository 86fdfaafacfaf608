#ifndef LTE_KERNELS_BACKENDS_CUDA_DEVICE_H
#define LTE_KERNELS_BACKENDS_CUDA_DEVICE_H
/* The CUDA devices of this machine, as kernels/backends/backend.h asks for them. */

#include "kernels/backends/backend.h"

/* Usable devices: those that come before the first that this program's code does not load on. */
int lte_cuda_n_devices(void);

/* Why that one is not usable, or why there is none; "" if all are. Valid until the next call. */
const char *lte_cuda_why_none(void);

/* Device number i in words. Returns LTE_EDEVICE. */
lte_status lte_cuda_describe(int i, lte_device *device);

#endif
