#ifndef LTE_KERNELS_PLANES_H
#define LTE_KERNELS_PLANES_H
/* Lanes out of a plane of complex numbers; included by the <stage>_cpu.c files that read planes. */

#include "kernels/variant.h"

/* Lanes sc, sc + 1, .. of a plane [n_sc]; lanes behind its end are zero. */
LTE_INLINE lte_cplx plane_lanes(const lte_cf32 *plane, int sc, int n_live)
{
    lte_cplx o;
    if (n_live == LTE_WIDTH) {
        r_load_pairs(&plane[sc].re, &o.re, &o.im);
    } else {
        float pairs[2 * LTE_WIDTH] = {0};
        for (int i = 0; i < n_live; i++) {
            pairs[2 * i] = plane[sc + i].re;
            pairs[2 * i + 1] = plane[sc + i].im;
        }
        r_load_pairs(pairs, &o.re, &o.im);
    }
    return o;
}

#endif
