#ifndef LTE_KERNELS_COUNT_H
#define LTE_KERNELS_COUNT_H
/* Stage 8: errors. Shapes of batches: kernels/link.h. */

#include "kernels/link.h"

/*
 * Adds the errors of groups g0 .. g1 - 1 to *errors.
 *
 *   sent, decided   [n_groups][7][n_tx][LTE_LANES]
 *   flag            [n_groups][n_h][LTE_LANES]
 */
typedef void lte_count_fn(const lte_link *link, int g0, int g1, const uint32_t *sent,
                          const uint32_t *decided, const uint8_t *flag, lte_errors *errors);

#endif
