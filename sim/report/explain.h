#ifndef LTE_SIM_REPORT_EXPLAIN_H
#define LTE_SIM_REPORT_EXPLAIN_H
/* The plan of a scenario for one of its receivers: what --explain prints. */

#include <stdio.h>

#include "kernels/backends/backend.h"
#include "sim/jobs/sweep/sweep.h"

/*
 * Sizes, operations and bytes of a slot, expected BER and slots per point, estimated time, floors.
 * The estimate times a few slots on the backend; nothing is written.
 *
 *   device   that of the engine
 */
lte_status lte_explain(FILE *out, const lte_sweep *sweep, const lte_link *link,
                       const lte_backend *backend, const lte_device *device, lte_engine *engine);

#endif
