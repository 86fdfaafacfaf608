#ifndef LTE_KERNELS_TRANSMIT_H
#define LTE_KERNELS_TRANSMIT_H
/* The reference symbol as sent; included by the <stage>_cpu.c files that send it. */

#include "kernels/planes.h"

/* References x [n_tx] and noise z [n_rx] of lanes sc, sc + 1, .. */
LTE_INLINE void send_pilot(const lte_link *link, uint64_t slot, int sc, lte_cplx *x, lte_cplx *z)
{
    for (int k = 0; k < link->n_tx; k++)
        x[k] = plane_lanes(&link->pilots.reference[k * link->n_sc], sc, live_lanes(link, sc));
    lte_draw_pilot(&link->draws, slot, w_iota((uint32_t)sc), z);
}

#endif
