#ifndef LTE_TESTS_BENCH_GPU_CEILINGS_H
#define LTE_TESTS_BENCH_GPU_CEILINGS_H
/*
 * What a slot on the device cannot be faster than.
 *
 *     lte_gpu_ceilings ceilings;
 *     lte_status status = lte_gpu_ceilings_measure(&ceilings);
 */

#include "phy/status.h"

typedef struct {
    double launch_us;          /* p50 of an empty kernel, launched and waited for */
    double bus_bytes_per_s;    /* large copies from page-locked memory to the device */
    double memory_bytes_per_s; /* large copies within the device, bytes read and written */
} lte_gpu_ceilings;

/* Returns LTE_EDEVICE or LTE_ENOMEM. */
lte_status lte_gpu_ceilings_measure(lte_gpu_ceilings *ceilings);

#endif
