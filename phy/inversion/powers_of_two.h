#ifndef LTE_PHY_POWERS_OF_TWO_H
#define LTE_PHY_POWERS_OF_TWO_H
/*
 * Scaling of channel matrices by powers of two, which changes no rounding: what is computed of
 * (H / s, n0 / s^2) is that of (H, n0) at another scale, as long as nothing over- or underflows.
 *
 *     lte_real s = lte_channel_scale(n_rx, n_tx, h, lanes, r_set(0.0f));
 *     lte_scale_channel(n_rx, n_tx, h, s, r_set(1.0f), scaled);
 *
 * Source: Wilkinson, Rounding Errors in Algebraic Processes, 1963, chapter 1 (scaling).
 */

#include "phy/base/limits.h"
#include "phy/base/cplx.h"

/* 2^floor(log2 x) of a finite x > 0, subnormal numbers included; 0 for 0. */
LTE_INLINE lte_real lte_power_of_two(lte_real x)
{
    const lte_word exponent = w_set(0x7f800000u);
    const lte_mask small = r_lt(x, r_set(0x1p-126f));
    const lte_real raised = r_from_bits(r_bits(x * r_set(0x1p100f)) & exponent);
    return r_sel(small, raised * r_set(0x1p-100f), r_from_bits(r_bits(x) & exponent));
}

/* The larger one of |re| and |im|; parts that are not finite count as 0. */
LTE_INLINE lte_real lte_largest_part(lte_cplx x)
{
    const lte_real re = r_sel(r_finite(x.re), r_abs(x.re), r_set(0.0f));
    const lte_real im = r_sel(r_finite(x.im), r_abs(x.im), r_set(0.0f));
    return r_sel(r_lt(re, im), im, re);
}

/* The largest part of column k of h [n_rx][n_tx]. */
LTE_INLINE lte_real lte_largest_of_column(int n_rx, int n_tx, int k, const lte_cplx *h)
{
    lte_real most = r_set(0.0f);
    LTE_ROLL_DEVICE
    for (int r = 0; r < n_rx; r++) {
        const lte_real part = lte_largest_part(h[r * n_tx + k]);
        most = r_sel(r_lt(most, part), part, most);
    }
    return most;
}

/*
 * The power of two s that a channel matrix h [n_rx][n_tx] is divided by: of its largest part, or of
 * `least` where that is larger. 1 for H = 0 without a least, and in other lanes than `lanes`.
 */
LTE_INLINE lte_real lte_channel_scale(int n_rx, int n_tx, const lte_cplx *h, lte_mask lanes,
                                      lte_real least)
{
    lte_real most = least;
    LTE_ROLL_DEVICE
    for (int k = 0; k < n_tx; k++) {
        const lte_real part = lte_largest_of_column(n_rx, n_tx, k, h);
        most = r_sel(r_lt(most, part), part, most);
    }
    return r_sel(m_and(lanes, r_lt(r_set(0.0f), most)), lte_power_of_two(most), r_set(1.0f));
}

/* scaled [n_rx][n_tx] <- h / s times raise; scaled may be h. */
LTE_INLINE void lte_scale_channel(int n_rx, int n_tx, const lte_cplx *h, lte_real s, lte_real raise,
                                  lte_cplx *scaled)
{
    LTE_ROLL_DEVICE
    for (int e = 0; e < n_rx * n_tx; e++) {
        scaled[e].re = h[e].re / s * raise;
        scaled[e].im = h[e].im / s * raise;
    }
}

/*
 * Where columns are scaled one by one, the largest part of all is raised to 2^17 and more. Columns
 * whose largest part then is at least 2^-18, that is 2^-36 of the largest, keep that common scale:
 * products of two powers and squares of these stay in a float's range for all of them, and what is
 * computed has the bits of the channel as it is. Weaker columns have powers of two of their own.
 */
#define LTE_SCALED_MOST 0x1p17f
#define LTE_SCALED_LEAST 0x1p-18f

/* Divides each column k of h [n_rx][n_tx] by s[k]. */
LTE_INLINE void lte_divide_columns(int n_rx, int n_tx, const lte_real *s, lte_cplx *h)
{
    LTE_ROLL_DEVICE
    for (int r = 0; r < n_rx; r++) {
        LTE_ROLL_DEVICE
        for (int k = 0; k < n_tx; k++) {
            h[r * n_tx + k].re = h[r * n_tx + k].re / s[k];
            h[r * n_tx + k].im = h[r * n_tx + k].im / s[k];
        }
    }
}

/*
 * n0 / s^2, at least `least`: SINRs are finite then, and so large that LLRs and decisions do not
 * depend on it.
 */
LTE_INLINE lte_real lte_scaled_noise(lte_real n0, lte_real s, float least)
{
    const lte_real scaled = n0 / s / s;
    return r_sel(r_lt(scaled, r_set(least)), r_set(least), scaled);
}

/* `least` where the channel's largest part is near 1. */
#define LTE_LEAST_NOISE 0x1p-120f

/* a f_a^2 < b f_b^2 for powers of two f_a and f_b, without over- or underflow of the squares. */
LTE_INLINE lte_mask lte_scaled_less(lte_real a, lte_real f_a, lte_real b, lte_real f_b)
{
    const lte_real up = f_a / f_b, down = f_b / f_a;
    const lte_mask larger = r_lt(f_b, f_a);
    return r_lt(r_sel(larger, a, a * up * up), r_sel(larger, b * down * down, b));
}

/*
 * True where a power, or the reciprocal of one, is outside 1 / most to most, is 0 or is not finite:
 * products of two or three of them may leave the range of a float.
 */
LTE_INLINE lte_mask lte_is_extreme(lte_real power, float most)
{
    return m_not(m_and(r_lt(r_set(1.0f / most), power), r_lt(power, r_set(most))));
}
#define LTE_EXTREME_POWER 0x1p32f

/* True of a noise variance that is so beside a channel of the given range, as follows. */
LTE_INLINE lte_mask lte_is_extreme_noise(lte_real n0, float range)
{
    return m_not(m_and(r_lt(r_set(0x1p-100f), n0), r_lt(n0, r_set(range * range))));
}

/*
 * True where the largest part of each column of h [n_rx][n_tx] is between 1 / range and range:
 * there detectors take H as it is, on every backend. *zero: where all elements are 0.
 */
LTE_INLINE lte_mask lte_is_moderate_channel(int n_rx, int n_tx, const lte_cplx *h, float range,
                                            lte_mask *zero)
{
    const lte_real least = r_set(1.0f / range), most = r_set(range);
    lte_mask moderate = m_not(m_none());
    *zero = m_not(m_none());
    for (int k = 0; k < n_tx; k++) {
        lte_word bits = w_set(0);
        const lte_real part = lte_largest_of_column(n_rx, n_tx, k, h);
        for (int r = 0; r < n_rx; r++)
            bits = bits | r_bits(r_abs(h[r * n_tx + k].re)) | r_bits(r_abs(h[r * n_tx + k].im));
        moderate = m_and(moderate, m_not(m_or(r_lt(part, least), r_lt(most, part))));
        *zero = m_and(*zero, w_eq(bits, w_set(0)));
    }
    return moderate;
}

#endif
