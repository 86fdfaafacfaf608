/* The soft buffers of the categories. */
#include "phy/coding/soft_buffer.h"

enum { PROCESSES = 8, OF_CATEGORY_6 = 3654144 };

int lte_category_soft_bits(int category)
{
    static const int soft_bits[LTE_MOST_CATEGORY] = {
        250368,  1237248,       1237248,       1827072,
        3667200, OF_CATEGORY_6, OF_CATEGORY_6, LTE_MOST_SOFT_BITS};
    return soft_bits[category - 1];
}

int lte_soft_buffer(int soft_bits, int n_layers)
{
    const int k_c = soft_bits == LTE_MOST_SOFT_BITS               ? 5
                    : soft_bits == OF_CATEGORY_6 && n_layers <= 2 ? 2
                                                                  : 1;
    const int k_mimo = n_layers > 1 ? 2 : 1;
    return soft_bits / (k_c * k_mimo * PROCESSES);
}
