/*
 * The inverters over lanes. One instance per order, so that the loops unroll; every instance is
 * the formula of phy/, so a lane holds the bits of the plain loop.
 */
#include "kernels/variant.h"

#define INVERT_ORDER(id, n)                                                                        \
    static lte_mask id##_##n(lte_cplx *a)                                                          \
    {                                                                                              \
        return lte_##id(n, a);                                                                     \
    }
#define INVERT_ORDERS(id, name, text)                                                              \
    INVERT_ORDER(id, 1)                                                                            \
    INVERT_ORDER(id, 2)                                                                            \
    INVERT_ORDER(id, 3)                                                                            \
    INVERT_ORDER(id, 4)                                                                            \
    INVERT_ORDER(id, 5)                                                                            \
    INVERT_ORDER(id, 6)                                                                            \
    INVERT_ORDER(id, 7)                                                                            \
    INVERT_ORDER(id, 8)
LTE_INVERTERS(INVERT_ORDERS)

#define INVERT_ENTRY(id, name, text)                                                               \
    {NULL, id##_1, id##_2, id##_3, id##_4, id##_5, id##_6, id##_7, id##_8},
lte_invert_lanes_fn *const LTE_V(lte_inverters)[LTE_N_INVERTERS][LTE_MAX_TX + 1] = {
    LTE_INVERTERS(INVERT_ENTRY)};

void LTE_V(lte_invert)(const lte_link *link, int g0, int g1, float *a, uint8_t *flag)
{
    const int n2 = link->n_tx * link->n_tx;
    lte_invert_lanes_fn *invert = LTE_V(lte_inverters)[link->inverter][link->n_tx];
    for (int g = g0 * link->n_csi; g < g1 * link->n_csi; g++) {
        for (int lane = 0; lane < LTE_LANES; lane += LTE_WIDTH) {
            float *here = &a[(ptrdiff_t)g * n2 * 2 * LTE_LANES + lane];
            lte_cplx matrix[LTE_MAX_TX * LTE_MAX_TX];
            uint32_t flags[LTE_WIDTH];
            c_load_all(n2, here, matrix);
            w_store(flags, w_sel(invert(matrix), w_set(1), w_set(0)));
            c_store_all(n2, here, matrix);
            for (int i = 0; i < LTE_WIDTH; i++)
                flag[(ptrdiff_t)g * LTE_LANES + lane + i] = (uint8_t)flags[i];
        }
    }
}
