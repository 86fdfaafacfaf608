#ifndef LTE_PHY_TREE_LEVELS_H
#define LTE_PHY_TREE_LEVELS_H
/*
 * The levels of one dimension of a row by rising distance to what is left of it, from the nearest
 * one outwards on either side (Schnorr-Euchner).
 *
 *     lte_tree_levels levels = lte_tree_levels_of(n_bits, pivot, inverse, rest.re);
 *     lte_tree_level next = lte_tree_next_level(&levels);       // the nearest, then the next one
 *
 * Distances are the floats |rest - r_ii x|, which rise on either side.
 */

#include "phy/detection/qam.h"

/* Whether a mask holds in any lane that goes in step; of a kernel whose warps do, in any thread. */
#ifndef lte_any_lane
#define lte_any_lane(mask) m_any(mask)
#endif

/* Which ones are left: the next on either side, odd numbers of half distances. */
typedef struct {
    lte_real lower, upper;
    lte_real left, pivot; /* of the row, pivot: -r_ii */
    float unit, top;      /* half a distance, and the largest level */
} lte_tree_levels;

/* One of them; is: there was one left. */
typedef struct {
    lte_real x, distance; /* the amplitude, rest - r_ii x */
    lte_mask is_upper, is;
} lte_tree_level;

/*
 * The two levels that a value lies between, or the two outermost: the lower one. Where the value is
 * a level but for rounding, that is one of the two; which of two levels is the nearer one their
 * distances say.
 */
LTE_INLINE lte_real lte_tree_lower_level(float unit, float top, lte_real value)
{
    const lte_real whole = r_set(0x1.8p23f); /* added and taken off, it rounds to whole numbers */
    lte_real level = value * r_set(1.0f / unit);
    level = r_sel(r_lt(level, r_set(-top)), r_set(-top), level);
    level = r_sel(r_lt(r_set(top), level), r_set(top), level);
    const lte_real pair = (r_fma(level, r_set(0.5f), r_set(-1.0f)) + whole) - whole;
    return r_fma(pair, r_set(2.0f), r_set(1.0f));
}

/* Those of a dimension of which `left` is left, pivot: r_ii, but for lower and upper. */
LTE_INLINE lte_tree_levels lte_tree_levels_from(int n_bits, lte_real pivot, lte_real left)
{
    lte_tree_levels o;
    o.unit = lte_qam_unit(n_bits);
    o.top = (float)((1 << n_bits / 2) - 1);
    o.left = left;
    o.pivot = r_neg(pivot);
    o.lower = o.upper = r_set(0.0f);
    return o;
}

/* All of them; inverse: 1 / r_ii. */
LTE_INLINE lte_tree_levels lte_tree_levels_of(int n_bits, lte_real pivot, lte_real inverse,
                                              lte_real left)
{
    lte_tree_levels o = lte_tree_levels_from(n_bits, pivot, left);
    o.lower = lte_tree_lower_level(o.unit, o.top, left * inverse);
    o.upper = o.lower + r_set(2.0f);
    return o;
}

/* The nearest of those that are left. */
LTE_INLINE lte_tree_level lte_tree_nearest_level(const lte_tree_levels *levels)
{
    const lte_real lower_x = levels->lower * r_set(levels->unit);
    const lte_real upper_x = levels->upper * r_set(levels->unit);
    const lte_real lower = r_fma(lower_x, levels->pivot, levels->left);
    const lte_real upper = r_fma(upper_x, levels->pivot, levels->left);
    const lte_mask has_lower = r_lt(r_set(-levels->top - 1.0f), levels->lower);
    const lte_mask has_upper = r_lt(levels->upper, r_set(levels->top + 1.0f));
    lte_tree_level nearest;
    nearest.is = m_or(has_lower, has_upper);
    nearest.is_upper = m_and(has_upper, m_or(m_not(has_lower), r_lt(r_abs(upper), r_abs(lower))));
    nearest.x = r_sel(nearest.is_upper, upper_x, lower_x);
    nearest.distance = r_sel(nearest.is_upper, upper, lower);
    return nearest;
}

/* Takes it off where lanes are. */
LTE_INLINE void lte_tree_take_level(const lte_tree_level *nearest, lte_mask lanes,
                                    lte_tree_levels *levels)
{
    const lte_mask up = m_and(lanes, nearest->is_upper);
    const lte_mask down = m_and(lanes, m_not(nearest->is_upper));
    levels->upper = r_sel(up, levels->upper + r_set(2.0f), levels->upper);
    levels->lower = r_sel(down, levels->lower - r_set(2.0f), levels->lower);
}

/* The nearest one, taken off in all lanes. */
LTE_INLINE lte_tree_level lte_tree_next_level(lte_tree_levels *levels)
{
    const lte_tree_level nearest = lte_tree_nearest_level(levels);
    lte_tree_take_level(&nearest, m_not(m_none()), levels);
    return nearest;
}

#endif
