#ifndef LTE_KERNELS_SWEEP_OTHER_CUH
#define LTE_KERNELS_SWEEP_OTHER_CUH
/*
 * The kernels of the sweep for one of LTE_OTHER_DETECTORS, in an object of its own (nvcc.cmake):
 *
 *     #include "phy/detection/cg.h"
 *     LTE_SWEEP_DETECTOR(cg)
 */

#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/sweep/sweep_soft.cuh"

#define LTE_SWEEP_DETECTOR(id)                                                                     \
    LTE_GENERAL_DETECTOR(id)                                                                       \
    extern "C" sweep_kernel *lte_sweep_##id(const lte_link *link)                                  \
    {                                                                                              \
        return instance_for_even_order<sweep1<NO_INVERTER, LTE_DETECTOR_##id>>(link);              \
    }                                                                                              \
    extern "C" sweep_kernel *lte_sweep_soft_##id(const lte_link *link)                             \
    {                                                                                              \
        return instance_for_even_order<sweep3<LTE_DETECTOR_##id>>(link);                           \
    }

#endif
