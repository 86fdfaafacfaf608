/* Operations that detectors share. */
#include "phy/detection/operations.h"

#include <math.h>

#include "phy/detection/demap.h"

double lte_gram_flops(int n_rx, int n_tx)
{
    return 4.0 * n_rx * n_tx * n_tx + n_tx;
}

double lte_qr_flops(int n_rows, int n_tx, bool sorted)
{
    const double n = n_tx, of_columns = LTE_FLOPS_RECIPROCAL + LTE_FLOPS_ROOT;
    const double sorting = sorted ? 2.0 * n_rows * n * (n + 1.0) : 0.0;
    return sorting + n_rows * (8.0 * n * n - 2.0 * n) + of_columns * n;
}

/* Of each dimension one for each level but the two that its sign tells. */
double lte_slice_flops(int n_bits)
{
    return n_bits - 2.0;
}

/* Of each dimension as many, and the unit. */
double lte_map_flops(int n_bits)
{
    return n_bits;
}

double lte_llr_flops(int n_bits, int demapper)
{
    const double levels = ldexp(1.0, n_bits / 2), max_log = n_bits + 6.0 * n_bits;
    const double of_sums = levels * (LTE_FLOPS_EXP + 6.0) + 2.0 * (LTE_FLOPS_LN + 1.0);
    return max_log + (demapper == LTE_DEMAPPER_exact && n_bits > 2 ? n_bits * of_sums : 0.0);
}
