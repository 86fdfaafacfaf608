/*
 * States of channels and noise that are too far from 1 for the states of detectors_cpu.c: rare, so
 * orders are known at run time alone.
 */
#include "kernels/cpu/lanes_cpu.h"

lte_mask lte_set_prepare_scaled(const lte_detector_plan *plan, lte_mask lanes, const lte_cplx *h,
                                lte_real n0, lte_inverse_fn *invert, lte_cplx *state,
                                lte_cplx *work)
{
    return lte_prepare_scaled(plan, lanes, h, lte_white(n0), invert, state, work);
}
