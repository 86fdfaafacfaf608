/* The rows of the inverters. */
#include "phy/inversion/inverters.h"

#include "phy/base/limits.h"

/* As phy/detection/operations.h counts: 1 / x has five, 1 / sqrt(x) eleven. */
static double gauss_jordan_flops(int n)
{
    return 9.0 * n * n * n + 5.5 * n * n + 1.5 * n; /* n^3 to find the pivots */
}

static double ldl_flops(int n)
{
    return 4.0 * n * n * n - 4.0 * n * n + 6.0 * n;
}

static double cholesky_flops(int n)
{
    return 4.0 * n * n * n + 4.0 * n * n + 12.0 * n;
}

static double lu_flops(int n)
{
    return 8.0 * n * n * n - 0.5 * n * n + 2.5 * n;
}

const lte_inverter lte_inverter_rows[LTE_N_INVERTERS] = {
    [LTE_INVERTER_gauss_jordan] = {.name = "gauss-jordan",
                                   .text = "in place, full pivoting, any matrix",
                                   .max_order = LTE_MAX_ORDER,
                                   .hermitian = false,
                                   .layout = LTE_LAYOUT_LANES,
                                   .flops = gauss_jordan_flops},
    [LTE_INVERTER_ldl] = {.name = "ldl",
                          .text = "L D L', no pivoting, Hermitian positive definite",
                          .max_order = LTE_MAX_ORDER,
                          .hermitian = true,
                          .layout = LTE_LAYOUT_LANES,
                          .flops = ldl_flops},
    [LTE_INVERTER_cholesky_delayed] = {.name = "cholesky-delayed",
                                       .text = "L L', no pivoting, any order, Hermitian positive "
                                               "definite",
                                       .max_order = LTE_MAX_TX,
                                       .hermitian = true,
                                       .definite = true,
                                       .layout = LTE_LAYOUT_MATRIX,
                                       .flops = cholesky_flops},
    [LTE_INVERTER_lu_delayed] = {.name = "lu-delayed",
                                 .text = "L U, partial pivoting, any order, any matrix, delayed "
                                         "updates",
                                 .max_order = LTE_MAX_TX,
                                 .layout = LTE_LAYOUT_MATRIX,
                                 .flops = lu_flops},
    [LTE_INVERTER_lu_immediate] =
        {.name = "lu-immediate",
         .text = "the same results by immediate updates; it has only published versions: compare "
                 "it with lu-delayed, version published",
         .max_order = LTE_MAX_TX,
         .layout = LTE_LAYOUT_MATRIX,
         .flops = lu_flops},
};
