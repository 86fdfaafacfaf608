/* Stage 7 on a device: the kernels of detectors that solve, and its launch; detect_stage.cuh. */
#include "kernels/cuda/device/solving_detectors.cuh"
#include "kernels/cuda/stages/detect_stage.cuh"

extern "C" {
#define DECLARE(id) detect_stage_fn *lte_detect_##id(void);
LTE_OTHER_DETECTORS(DECLARE)
#undef DECLARE
}

struct solving_detection {
    template <int N> static detect_stage_fn *of(const lte_link *link)
    {
        (void)link;
        return detect_kernel<N, SOLVING>;
    }
};

static detect_stage_fn *kernel_for(const lte_link *link, lte_detector detector)
{
#define OF(name)                                                                                   \
    if (detector.id == LTE_DETECTOR_##name)                                                        \
        return lte_detect_##name();
    LTE_OTHER_DETECTORS(OF)
#undef OF
    return instance_for_order<solving_detection>(link);
}

lte_status lte_detect_cuda(const lte_link *link, lte_detector detector, lte_noise noise,
                           const lte_detected *d, cudaStream_t stream)
{
    const dim3 grid(stage_blocks(link), LTE_SLOT_SYMBOLS);
    const lte_detector_row *row = lte_detector_row_of(detector);
    const lte_detector_plan plan = lte_link_plan(link, detector, LTE_GIVES_LABELS);
    const int n_state = row->state(&plan);
    detect_stage_fn *const kernel = kernel_for(link, detector);
    size_t bytes;
    const lte_status status =
        memory_of_block((const void *)kernel, STAGE_BLOCK, elements(*link, n_state), &bytes);
    if (status)
        return status;
    kernel<<<grid, STAGE_BLOCK, bytes, stream>>>(*link, row->loading, (int)detector.value[0],
                                                 n_state, noise, *d);
    return LTE_LAUNCHED(detect_kernel);
}
