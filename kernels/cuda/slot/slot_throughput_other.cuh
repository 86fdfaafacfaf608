#ifndef LTE_KERNELS_SLOT_THROUGHPUT_OTHER_CUH
#define LTE_KERNELS_SLOT_THROUGHPUT_OTHER_CUH
/*
 * The throughput kernels of a slot for one of LTE_OTHER_DETECTORS, in an object of its own, to bits
 * or to LLRs; with the orders that have kernels of their own (kernels/device_objects.cmake):
 *
 *     #include "phy/detection/cg.h"
 *     LTE_GENERAL_DETECTOR(cg)
 *     LTE_SLOT_DETECTOR(cg, 2, 4)
 *     LTE_SLOT_SOFT_DETECTOR(cg, 2)
 */

#include "kernels/cuda/device/general_detectors.cuh"
#include "kernels/cuda/slot/slot_throughput_thread.cuh"

#define LTE_SLOT_DETECTOR(id, ...)                                                                 \
    extern "C" throughput_fn *lte_throughput_##id(const lte_link *link)                            \
    {                                                                                              \
        return instance_for_orders<throughput<NO_INVERTER, LTE_DETECTOR_##id>, __VA_ARGS__>(link); \
    }
#define LTE_SLOT_SOFT_DETECTOR(id, ...)                                                            \
    extern "C" throughput_fn *lte_throughput_soft_##id(const lte_link *link)                       \
    {                                                                                              \
        return instance_for_orders<throughput<NO_INVERTER, LTE_DETECTOR_##id, true>, __VA_ARGS__>( \
            link);                                                                                 \
    }

#endif
