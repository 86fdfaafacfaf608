#ifndef LTE_PHY_LAYER_ORDER_H
#define LTE_PHY_LAYER_ORDER_H
/*
 * The columns of a channel matrix in the order in which successive detection goes through their
 * layers: from the last place on, each time the layer of the least noise among those that are left,
 * or, of the first ones, that of the most.
 *
 *     lte_order_layers(&columns, full);
 *
 * With S the layers that are left, the noise of layer k is that behind its linear estimate beside
 * the others, [(H_S'H_S + l I)^-1]_kk, without a loading l for zero forcing, with l = n0 for MMSE,
 * where the least noise is the largest SINR.
 *
 * Source: Wolniansky, Foschini, Golden, Valenzuela, V-BLAST: an architecture for realizing very
 * high data rates over the rich-scattering wireless channel, ISSSE 1998.
 */

#include "phy/inversion/sorted_qr.h"

/* What is put in order. */
typedef struct {
    int n_rx, n_tx;
    lte_cplx *h;      /* [n_rx][n_tx] */
    lte_real *layer;  /* [n_tx] */
    lte_cplx *g;      /* [n_tx][n_tx] the inverse of H'H + l I; -1 on the diagonal: silent */
    lte_real *factor; /* NULL, or [n_tx] powers of two: H is h with column k times factor[k] */
} lte_ordered_columns;

/* Swaps places a and b of the columns, where m holds; b is the last one of those that are left. */
LTE_INLINE void lte_order_swap(const lte_ordered_columns *c, int a, int b, lte_mask m)
{
    lte_swap_reals(m, &c->layer[a], &c->layer[b]);
    if (c->factor)
        lte_swap_reals(m, &c->factor[a], &c->factor[b]);
    LTE_UNROLL_DEVICE
    for (int e = 0; e < c->n_rx; e++)
        lte_swap_where(m, &c->h[e * c->n_tx + a], &c->h[e * c->n_tx + b]);
    LTE_UNROLL_DEVICE
    for (int e = 0; e <= b; e++)
        lte_swap_where(m, &c->g[a * c->n_tx + e], &c->g[b * c->n_tx + e]);
    LTE_UNROLL_DEVICE
    for (int e = 0; e <= b; e++)
        lte_swap_where(m, &c->g[e * c->n_tx + a], &c->g[e * c->n_tx + b]);
}

/* The noise of place k in units of its factor; silent layers, if there may be some, have the least
 * where the most is looked for, and else infinite noise. */
LTE_INLINE lte_real lte_order_noise(const lte_ordered_columns *c, int k, bool most)
{
    const lte_real noise = c->g[k * c->n_tx + k].re;
    if (!c->factor || most)
        return noise;
    return r_sel(r_lt(noise, r_set(0.0f)), r_from_bits(w_set(0x7f800000u)), noise);
}

/* Moves the layer of the most noise, or the least, of places 0 .. i to place i. */
LTE_INLINE void lte_order_choose(const lte_ordered_columns *c, int i, bool most)
{
    lte_real best = lte_order_noise(c, 0, most), first = c->layer[0];
    lte_real of_best = c->factor ? c->factor[0] : r_set(1.0f);
    lte_word at = w_set(0);
    LTE_UNROLL_DEVICE
    for (int k = 1; k <= i; k++) {
        const lte_real noise = lte_order_noise(c, k, most);
        /* of H the noise is that of h over factor^2 */
        const lte_mask less =
            c->factor ? lte_scaled_less(noise, of_best, best, c->factor[k]) : r_lt(noise, best);
        const lte_mask more =
            c->factor ? lte_scaled_less(best, c->factor[k], noise, of_best) : r_lt(best, noise);
        const lte_mask alike = m_and(m_not(m_or(less, more)), r_lt(c->layer[k], first));
        const lte_mask better = m_or(most ? more : less, alike);
        best = r_sel(better, noise, best);
        of_best = c->factor ? r_sel(better, c->factor[k], of_best) : of_best;
        first = r_sel(better, c->layer[k], first);
        at = w_sel(better, w_set((uint32_t)k), at);
    }
    LTE_UNROLL_DEVICE
    for (int k = 0; k < i; k++) {
        const lte_mask here = w_eq(at, w_set((uint32_t)k));
        if (m_any(here))
            lte_order_swap(c, k, i, here);
    }
}

/*
 * Puts the columns in order; g is lost. Of the layers that are left when place i goes, the inverse
 * is G_kj - G_ki G_ij / G_ii.
 */
LTE_INLINE void lte_order_layers(const lte_ordered_columns *c, int full)
{
    const int n_tx = c->n_tx;
    lte_cplx *const g = c->g;
    LTE_UNROLL_DEVICE
    for (int k = 0; k < n_tx; k++)
        c->layer[k] = r_set((float)k);
    LTE_UNROLL_DEVICE
    for (int i = n_tx - 1; i > 0; i--) {
        lte_order_choose(c, i, i >= n_tx - full);
        const lte_real inverse = r_set(1.0f) / g[i * n_tx + i].re;
        LTE_UNROLL_DEVICE
        for (int k = 0; k < i; k++) {
            const lte_cplx part = c_scale(g[k * n_tx + i], inverse);
            LTE_UNROLL_DEVICE
            for (int j = 0; j < i; j++)
                g[k * n_tx + j] = c_nmac(g[k * n_tx + j], part, g[i * n_tx + j]);
        }
    }
}

#endif
