/* Records of single transmissions, on a processor. */
#include "kernels/coding/records.h"

#include "kernels/base/labels.h"
#include "kernels/link/transport_code.h"

/* What the LLRs of a row of a symbol's data have lost; llrs [n_bits][n_sc]. */
static uint64_t lost_of_row(const lte_link *link, int slot, int symbol, const uint8_t *label,
                            const int8_t *llrs)
{
    const uint32_t *const table = link->output.integer_losses;
    const int n_sc = link->carrier.n_sc;
    uint64_t lost = 0;
    for (int b = 0; b < link->n_bits; b++, llrs += n_sc) {
        for (int sc = 0; sc < n_sc; sc++) {
            if (lte_link_carries(link, (uint64_t)slot, symbol, sc))
                lost += table[lte_integer_loss_at(
                    lte_label_at(link->n_bits, label, sc) >> b & 1 ? -llrs[sc] : llrs[sc])];
        }
    }
    return lost;
}

void lte_record_losses(const lte_link *link, const uint8_t *labels, const int8_t *first,
                       const int8_t *second, uint32_t *loss)
{
    const int n_sc = link->carrier.n_sc, n_tx = link->n_tx;
    const int8_t *const llrs[] = {first, second};
    for (int k = 0; k < n_tx; k++) {
        uint64_t lost = 0;
        for (int m = 0; m < 2 * LTE_SLOT_SYMBOLS; m++) {
            const int slot = m / LTE_SLOT_SYMBOLS, symbol = m % LTE_SLOT_SYMBOLS;
            lost += lost_of_row(link, slot, symbol,
                                labels + (ptrdiff_t)(m * n_tx + k) * n_sc *
                                             lte_label_bytes(link->n_bits),
                                llrs[slot] + (ptrdiff_t)(symbol * n_tx + k) * link->n_bits * n_sc);
        }
        loss[k] = lte_record_loss(lost, (uint32_t)lte_data_elements(link));
    }
}
