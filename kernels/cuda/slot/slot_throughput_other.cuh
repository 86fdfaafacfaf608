#ifndef LTE_KERNELS_SLOT_THROUGHPUT_OTHER_CUH
#define LTE_KERNELS_SLOT_THROUGHPUT_OTHER_CUH
/*
 * The throughput kernels of a slot for one of LTE_OTHER_DETECTORS, in an object of its own
 * (nvcc.cmake):
 *
 *     #include "phy/detection/cg.h"
 *     LTE_SLOT_DETECTOR(cg)
 */

#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/slot/slot_throughput_thread.cuh"

#define LTE_SLOT_DETECTOR(id)                                                                      \
    LTE_GENERAL_DETECTOR(id)                                                                       \
    extern "C" throughput_fn *lte_throughput_##id(const lte_link *link)                            \
    {                                                                                              \
        return instance_for_even_order<throughput<NO_INVERTER, LTE_DETECTOR_##id>>(link);          \
    }                                                                                              \
    extern "C" throughput_fn *lte_throughput_soft_##id(const lte_link *link)                       \
    {                                                                                              \
        return instance_for_even_order<throughput<NO_INVERTER, LTE_DETECTOR_##id, true>>(link);    \
    }

#endif
