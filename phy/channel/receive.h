#ifndef LTE_PHY_RECEIVE_H
#define LTE_PHY_RECEIVE_H
/*
 * What the antennas receive: y = H x + sqrt(n0) z.
 *
 *     lte_received power = lte_receive(n_rx, n_tx, h, x, z, r_set(sigma), y);
 */

#include "phy/base/limits.h"
#include "phy/base/cplx.h"

/* power += |v|^2 */
LTE_INLINE void lte_add_power(lte_cplx v, lte_real *power)
{
    *power = r_fma(v.im, v.im, r_fma(v.re, v.re, *power));
}

/*
 * y_r = s + n: what an antenna receives of the symbols, and its noise n = sigma z_r, out as well.
 */
LTE_INLINE lte_cplx lte_add_noise(lte_cplx s, lte_cplx z_r, lte_real sigma, lte_cplx *n)
{
    lte_cplx y;
    *n = c_scale(z_r, sigma);
    y.re = s.re + n->re;
    y.im = s.im + n->im;
    return y;
}

/*
 * One antenna of one resource element per lane.
 *
 *     y_r = sigma z_r + sum_k h_rk x_k,   signal += |(H x)_r|^2,   noise += |sigma z_r|^2
 *
 *   h        [n_tx]   row r of H
 *   x        [n_tx]   QAM symbols
 *   z_r               CN(0, 1)
 *
 * Returns y_r.
 */
LTE_INLINE lte_cplx lte_receive_antenna(int n_tx, const lte_cplx *h, const lte_cplx *x,
                                        lte_cplx z_r, lte_real sigma, lte_real *signal,
                                        lte_real *noise)
{
    lte_cplx s = c_zero(), n;
    LTE_UNROLL
    for (int k = 0; k < n_tx; k++)
        s = c_mac(s, h[k], x[k]);
    const lte_cplx y = lte_add_noise(s, z_r, sigma, &n);
    lte_add_power(s, signal);
    lte_add_power(n, noise);
    return y;
}

/* Powers over all antennas, of the symbols and of the noise. */
typedef struct {
    lte_real signal, noise;
} lte_received;

/*
 * All antennas, from 0 on; returns their powers.
 *
 *   h        [n_rx][n_tx]
 *   x        [n_tx]        QAM symbols
 *   z        [n_rx]        CN(0, 1)
 *   y        [n_rx]        out
 */
LTE_INLINE lte_received lte_receive(int n_rx, int n_tx, const lte_cplx *h, const lte_cplx *x,
                                    const lte_cplx *z, lte_real sigma, lte_cplx *y)
{
    lte_received power = {r_set(0.0f), r_set(0.0f)};
    for (int r = 0; r < n_rx; r++)
        y[r] = lte_receive_antenna(n_tx, &h[r * n_tx], x, z[r], sigma, &power.signal, &power.noise);
    return power;
}

/*
 * A power as an integer multiple of 2^-20, rounded to nearest even, so that sums do not depend on
 * their order. Powers from 2^42 on, which no scenario reaches, count as 2^42.
 */
LTE_INLINE int64_t lte_power_units(float power)
{
    if (!(power < 0x1p42f))
        return (int64_t)1 << 62;
    float scaled = power * 0x1p20f;
    if (scaled < 0x1p23f) /* above, a float is an integer */
        scaled = (scaled + 0x1p23f) - 0x1p23f;
    return (int64_t)scaled;
}

#endif
