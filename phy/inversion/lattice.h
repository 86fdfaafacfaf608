#ifndef LTE_PHY_LATTICE_H
#define LTE_PHY_LATTICE_H
/*
 * Reduction of a lattice basis: for B = Q R, a matrix T of Gaussian integers with |det T| = 1 and
 * B T = Q' R', whose columns are shorter and closer to orthogonal.
 *
 *     lte_lattice basis = {n_rows, n_tx, q, r, t, inverse};
 *     lte_lattice_begin(&basis);                    // T = I
 *     lte_lattice_reduce(&basis, most_swaps);
 *
 * By the complex algorithm of Lenstra, Lenstra and Lovasz with delta = 3/4: of m_jk = r_jk / r_jj,
 *
 *     |Re m_jk|, |Im m_jk| <= 1/2 for j < k,   delta r_jj^2 <= r_kk^2 + |r_jk|^2 for j = k - 1.
 *
 * Columns are taken from left to right, over and over, until nothing is swapped in any lane.
 *
 * Source: Gan, Ling, Mow, Complex lattice reduction algorithm for low-complexity full-diversity
 * MIMO detection, IEEE Trans. Signal Processing 57, 2009.
 */

#include "phy/inversion/sorted_qr.h"

#define LTE_LATTICE_DELTA 0.75f

typedef struct {
    int n_rows, n_tx;
    lte_cplx *q;       /* [n_rows][n_tx] */
    lte_cplx *r;       /* [n_tx][n_tx], its diagonal real and > 0 */
    lte_cplx *t;       /* [n_tx][n_tx] */
    lte_cplx *inverse; /* [n_tx][n_tx] that of T */
} lte_lattice;

/* The nearest whole number, of halves the even one; some whole number from 2^22 on. */
LTE_INLINE lte_real lte_whole(lte_real x)
{
    const lte_real shift = r_set(0x1.8p23f);
    return (x + shift) - shift;
}

LTE_INLINE lte_cplx lte_whole_complex(lte_cplx x)
{
    const lte_cplx whole = {lte_whole(x.re), lte_whole(x.im)};
    return whole;
}

LTE_INLINE void lte_lattice_begin(const lte_lattice *basis)
{
    const int n = basis->n_tx;
    for (int e = 0; e < n * n; e++) {
        basis->t[e] = basis->inverse[e] = c_zero();
        basis->t[e].re = basis->inverse[e].re = r_set(e % (n + 1) == 0 ? 1.0f : 0.0f);
    }
}

/* Takes a multiple of column j off column k, j < k, that leaves m_jk at most 1/2 either way. */
LTE_INLINE void lte_lattice_shorten(const lte_lattice *basis, int j, int k)
{
    const int n = basis->n_tx;
    const lte_real pivot = r_set(1.0f) / basis->r[j * n + j].re;
    const lte_cplx m = lte_whole_complex(c_scale(basis->r[j * n + k], pivot));
    for (int e = 0; e <= j; e++)
        basis->r[e * n + k] = c_nmac(basis->r[e * n + k], m, basis->r[e * n + j]);
    for (int e = 0; e < n; e++) {
        basis->t[e * n + k] = c_nmac(basis->t[e * n + k], m, basis->t[e * n + j]);
        basis->inverse[j * n + e] = c_mac(basis->inverse[j * n + e], m, basis->inverse[k * n + e]);
    }
}

/* (a, b) <- (conj(c) a + s b, s a - c b) where m holds: a rotation, |c|^2 + s^2 = 1, s real. */
LTE_INLINE void lte_lattice_turn(lte_mask m, lte_cplx c, lte_real s, lte_cplx *a, lte_cplx *b)
{
    const lte_cplx up = c_cmac(c_scale(*b, s), c, *a), down = c_nmac(c_scale(*a, s), c, *b);
    *a = c_sel(m, up, *a);
    *b = c_sel(m, down, *b);
}

/*
 * Swaps columns k - 1 and k where m holds, and turns their rows of R so that it stays triangular:
 * with a, b the elements of rows k - 1 and k of column k, c = a / l and s = b / l, l their length.
 */
LTE_INLINE void lte_lattice_exchange(const lte_lattice *basis, int k, lte_mask m)
{
    const int n = basis->n_tx, j = k - 1;
    const lte_cplx a = basis->r[j * n + k];
    const lte_real b = basis->r[k * n + k].re;
    const lte_real length = r_sqrt(r_fma(b, b, c_abs2(a))), inverse = r_set(1.0f) / length;
    const lte_cplx c = c_scale(a, inverse);
    const lte_real s = b * inverse, other = basis->r[j * n + j].re;
    for (int e = 0; e < n; e++) {
        if (e <= j)
            lte_swap_where(m, &basis->r[e * n + j], &basis->r[e * n + k]);
        lte_swap_where(m, &basis->t[e * n + j], &basis->t[e * n + k]);
        lte_swap_where(m, &basis->inverse[j * n + e], &basis->inverse[k * n + e]);
    }
    /* the two columns: (a, b) becomes (l, 0), and (r_jj, 0) what is left of it */
    const lte_cplx zero = c_zero(), along = c_scale(c_conj(c), other);
    lte_cplx first = zero, second = zero;
    first.re = length;
    second.re = s * other;
    basis->r[j * n + j] = c_sel(m, first, basis->r[j * n + j]);
    basis->r[j * n + k] = c_sel(m, along, basis->r[j * n + k]);
    basis->r[k * n + k] = c_sel(m, second, basis->r[k * n + k]);
    for (int e = k + 1; e < n; e++)
        lte_lattice_turn(m, c, s, &basis->r[j * n + e], &basis->r[k * n + e]);
    for (int e = 0; e < basis->n_rows; e++) /* Q times the inverse rotation */
        lte_lattice_turn(m, c_conj(c), s, &basis->q[e * n + j], &basis->q[e * n + k]);
}

/*
 * Reduces a basis, by at most so many swaps in a lane; a basis that needs more is left as it is
 * then, with all columns shortened. Returns the mask of those.
 */
LTE_INLINE lte_mask lte_lattice_reduce(const lte_lattice *basis, int most_swaps)
{
    const int n = basis->n_tx;
    lte_word swaps = w_set(0);
    lte_mask left = m_none();
    for (bool again = true; again;) {
        again = false;
        left = m_none();
        for (int k = 1; k < n; k++) {
            for (int j = k - 1; j >= 0; j--)
                lte_lattice_shorten(basis, j, k);
            const lte_real above = basis->r[(k - 1) * n + k - 1].re, own = basis->r[k * n + k].re;
            const lte_real with = r_fma(own, own, c_abs2(basis->r[(k - 1) * n + k]));
            const lte_mask wanted = r_lt(with, r_set(LTE_LATTICE_DELTA) * (above * above));
            const lte_mask spent = w_eq(swaps, w_set((uint32_t)most_swaps));
            const lte_mask now = m_and(wanted, m_not(spent));
            left = m_or(left, m_and(wanted, spent));
            if (!m_any(now))
                continue;
            lte_lattice_exchange(basis, k, now);
            swaps = swaps + w_sel(now, w_set(1), w_set(0));
            again = true;
        }
    }
    return left;
}

#endif
