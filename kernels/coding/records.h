#ifndef LTE_KERNELS_CODING_RECORDS_H
#define LTE_KERNELS_CODING_RECORDS_H
/* What rows of counts say of single transmissions (kernels/link/transport_code.h). */

#include "kernels/link/link.h"

/*
 * The information that the LLRs of a subframe have lost, by layer: the mean over its symbols that
 * carry data.
 *
 *   labels         [2][7][n_tx][n_sc]  that were sent, scrambled
 *   first, second  of its slots, of lte_llr_planes: scrambled, too
 *   loss           [n_tx]  out: lte_record_loss
 */
void lte_record_losses(const lte_link *link, const uint8_t *labels, const int8_t *first,
                       const int8_t *second, uint32_t *loss);

#endif
