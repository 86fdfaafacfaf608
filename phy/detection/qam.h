#ifndef LTE_PHY_QAM_H
#define LTE_PHY_QAM_H
/*
 * Labels to symbols of the modulations (phy/base/modulations.h), and hard decisions back.
 *
 *     lte_cplx x = lte_qam_map(4, label);       // 16QAM, E|x|^2 = 1
 *     lte_word label = lte_qam_slice(4, x);
 *
 * A label holds bit b_i at bit i; even bits drive the real part, odd bits the imaginary part.
 * With s_i = 1 - 2 b_i and n levels a dimension, the amplitude is A s_0 (n/2 - s_2 (n/4 - ...)).
 *
 * Source: TS 36.211 clause 7.1.
 */

#include "phy/base/cplx.h"
#include "phy/base/modulations.h"

/* A: half the distance between neighbours. */
LTE_INLINE float lte_qam_unit(int n_bits)
{
#define UNIT(bits, name, unit, ...) n_bits == bits ? unit:
    return LTE_MODULATIONS(UNIT) 0.0f;
#undef UNIT
}

/* One dimension: the amplitude of bits `first`, `first` + 2, .. of label. */
LTE_INLINE lte_real lte_qam_level(int n_bits, int first, lte_word label)
{
    lte_real v = r_set(1.0f);
    float step = 2.0f;
    for (int i = n_bits - 2 + first; i > first; i -= 2, step *= 2.0f)
        v = r_set(step) - r_flip(v, label << (31 - i));
    return r_flip(v, label << (31 - first)) * r_set(lte_qam_unit(n_bits));
}

LTE_INLINE lte_cplx lte_qam_map(int n_bits, lte_word label)
{
    lte_cplx x = {lte_qam_level(n_bits, 0, label), lte_qam_level(n_bits, 1, label)};
    return x;
}

/* One dimension: bits `first`, `first` + 2, .. of the nearest level. A value on a threshold is 0.
 */
LTE_INLINE lte_word lte_qam_decide(int n_bits, int first, lte_real v)
{
    const lte_word zero = w_set(0);
    lte_word label = w_sel(r_lt(v, r_set(0.0f)), w_set(1u << first), zero);
    float threshold = lte_qam_unit(n_bits) * (float)(1 << (n_bits / 2 - 1));
    lte_real rest = r_abs(v);
    for (int i = first + 2; i < n_bits; i += 2, threshold *= 0.5f) {
        label = label | w_sel(r_lt(r_set(threshold), rest), w_set(1u << i), zero);
        rest = r_abs(rest - r_set(threshold));
    }
    return label;
}

/* The label of the nearest symbol; x must be finite. */
LTE_INLINE lte_word lte_qam_slice(int n_bits, lte_cplx x)
{
    return lte_qam_decide(n_bits, 0, x.re) | lte_qam_decide(n_bits, 1, x.im);
}

#endif
