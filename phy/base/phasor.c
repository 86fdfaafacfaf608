/* A Zadoff-Chu sequence, phasor by phasor. */
#include "phy/base/phasor.h"

void lte_zc_sequence(const lte_zc *zc, lte_zc_row row, int n, lte_cf32 *x)
{
    for (int i = 0; i < n; i++) {
        const lte_cplx o = lte_phasor(lte_zc_angle(zc, row, lte_zc_column_of(zc, (uint32_t)i)));
        x[i].re = o.re;
        x[i].im = o.im;
    }
}
