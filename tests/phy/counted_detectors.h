#ifndef LTE_TESTS_COUNTED_DETECTORS_H
#define LTE_TESTS_COUNTED_DETECTORS_H
/* What the texts of the detectors do with floats, counted as they run. */

#include "phy/detection/detectors.h"
#include "tests/lib/operations_counted.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One matrix and one resource element of it.
 *
 *   h          [n_rx][n_tx][2]
 *   y          [n_rx][2]
 *   inverter   LTE_INVERTER_*
 *   prepare    out: of all that is made of the matrix, a Gram matrix and its inverse among it
 *   detect     out: from y to labels, or to LLRs if the plan has them
 */
void count_detector(const lte_detector_plan *plan, int inverter, const float *h, float n0,
                    const float *y, operations_counted *prepare, operations_counted *detect);

#ifdef __cplusplus
}
#endif

#endif
