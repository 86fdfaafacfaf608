/* Random access preambles, by the phasors of Zadoff-Chu sequences. */
#include "kernels/methods/reference/prach.h"

const int lte_prach_n_cs[LTE_PRACH_ZONES] = {0,  13, 15, 18, 22,  26,  32,  38,
                                             46, 59, 76, 93, 119, 167, 279, 419};

lte_status lte_prach_row(int n_zc, int u, int v, int n_cs, lte_zc *zc, lte_zc_row *row)
{
    if (n_zc != LTE_PRACH_LONG && n_zc != LTE_PRACH_SHORT)
        return LTE_FAIL(LTE_EINVAL, "n_zc=%d (%d or %d)", n_zc, LTE_PRACH_LONG, LTE_PRACH_SHORT);
    if (u < 1 || u >= n_zc)
        return LTE_FAIL(LTE_EINVAL, "u=%d (1 to %d)", u, n_zc - 1);
    if (n_cs < 0 || n_cs > n_zc)
        return LTE_FAIL(LTE_EINVAL, "n_cs=%d (0 to %d)", n_cs, n_zc);
    const int last_v = n_cs ? n_zc / n_cs - 1 : 0;
    if (v < 0 || v > last_v)
        return LTE_FAIL(LTE_EINVAL, "v=%d with n_cs=%d (0 to %d)", v, n_cs, last_v);
    *zc = lte_zc_of((uint32_t)n_zc);
    *row = (lte_zc_row){(uint32_t)u, (uint32_t)(v * n_cs), 0};
    return LTE_OK;
}

lte_status lte_prach_sequence(int n_zc, int u, int v, int n_cs, lte_cf32 *x)
{
    lte_zc zc;
    lte_zc_row row;
    lte_status status = lte_prach_row(n_zc, u, v, n_cs, &zc, &row);
    if (!status)
        lte_zc_sequence(&zc, row, n_zc, x);
    return status;
}
