#ifndef LTE_SIM_REPORT_OPERATIONS_H
#define LTE_SIM_REPORT_OPERATIONS_H
/*
 * How many operations a slot takes, from its sizes.
 *
 *     const lte_operations o = lte_operations_of(&link, LTE_DETECTOR_mmse);
 */

#include "kernels/link/link.h"

/* Real operations of one slot by stage; a fused multiply-add counts two. */
typedef struct {
    double draws, channel, estimation;         /* whatever the detector */
    double gram, inversion, filter, detection; /* of a detector; the first two if it inverts */
} lte_operations;

/* Of a link and a detector; soft output and decoding are not in it. */
lte_operations lte_operations_of(const lte_link *link, int detector);

#endif
