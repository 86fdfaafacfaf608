#ifndef LTE_KERNELS_SWEEP_OTHER_CUH
#define LTE_KERNELS_SWEEP_OTHER_CUH
/*
 * The kernels of the sweep for one of LTE_OTHER_DETECTORS, in an object of its own, to bits or with
 * LLRs; with the orders that have kernels of their own (kernels/device_objects.cmake):
 *
 *     #include "phy/detection/cg.h"
 *     LTE_GENERAL_DETECTOR(cg)
 *     LTE_SWEEP_DETECTOR(cg, 2, 4, 8)
 *     LTE_SWEEP_SOFT_DETECTOR(cg, 2, 4, 8)
 */

#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/sweep/sweep_soft.cuh"

#define LTE_SWEEP_DETECTOR(id, ...)                                                                \
    extern "C" sweep_kernel *lte_sweep_##id(const lte_link *link, lte_detector)                    \
    {                                                                                              \
        return instance_for_orders<sweep1<NO_INVERTER, LTE_DETECTOR_##id>, __VA_ARGS__>(link);     \
    }
#define LTE_SWEEP_SOFT_DETECTOR(id, ...)                                                           \
    extern "C" sweep_kernel *lte_sweep_soft_##id(const lte_link *link, lte_detector)               \
    {                                                                                              \
        return instance_for_orders<sweep3<LTE_DETECTOR_##id>, __VA_ARGS__>(link);                  \
    }

#endif
