#ifndef LTE_KERNELS_INVERTERS_CPU_H
#define LTE_KERNELS_INVERTERS_CPU_H
/* The inverters over lanes: their formulas for an id and an order known at run time. */

#include "kernels/cpu/lanes_cpu.h"

/* a <- a^-1 by an inverter and for an order that the compiler knows. */
LTE_INLINE lte_mask inverse_of(int inverter, int n, lte_cplx *a)
{
#define INVERSE(id)                                                                                \
    if (inverter == LTE_INVERTER_##id)                                                             \
        return lte_##id(n, a);
    LTE_SMALL_INVERTERS(INVERSE)
#undef INVERSE
    return m_none();
}

LTE_INLINE lte_mask inverse_of_any_order(int inverter, int n, lte_cplx *a)
{
#define BODY(n) return inverse_of(inverter, n, a)
    LTE_FOR_ANY_ORDER(n, BODY)
#undef BODY
    return m_none();
}

#define INVERSE(id)                                                                                \
    static lte_mask id##_inverse(int n, lte_cplx *a)                                               \
    {                                                                                              \
        return inverse_of_any_order(LTE_INVERTER_##id, n, a);                                      \
    }
LTE_SMALL_INVERTERS(INVERSE)
#undef INVERSE
#define INVERSE(id)                                                                                \
    static lte_mask id##_inverse(int n, lte_cplx *a)                                               \
    {                                                                                              \
        return lte_##id(n, a);                                                                     \
    }
LTE_BATCH_INVERTERS(INVERSE)
#undef INVERSE
#define ENTRY(id) [LTE_INVERTER_##id] = id##_inverse,
static lte_inverse_fn *const inverses[LTE_N_INVERTERS] = {LTE_INVERTERS(ENTRY)};
#undef ENTRY

#endif
