#ifndef LTE_PHY_OPERATIONS_H
#define LTE_PHY_OPERATIONS_H
/*
 * Operations on floats that detectors share, for the formulas of their rows
 * (phy/detection/detectors.c).
 *
 *     double all = lte_gram_flops(n_rx, n_tx) + 2.0 * n_tx * LTE_FLOPS_RECIPROCAL;
 *
 * Counted are additions, subtractions and multiplications, a fused multiply-add as two, and what
 * devices make of a division or a root in these: the counters fadd, fmul and ffma of ncu, a ffma
 * twice. Signs, comparisons, selections, and what is done with integers, are none. The test
 * operations counts them in the text of phy/ as it runs.
 */

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of an approximation by the special function unit and its corrections: 1 / x, a / b, sqrt(x). */
enum { LTE_FLOPS_RECIPROCAL = 5, LTE_FLOPS_DIVISION = 10, LTE_FLOPS_ROOT = 6 };

/* H'H and the loading of its diagonal. */
double lte_gram_flops(int n_rx, int n_tx);

/* A QR decomposition of n_rows; sorted: the powers of the columns that are left, time and again. */
double lte_qr_flops(int n_rows, int n_tx, bool sorted);

/* The label of the nearest symbol, and the symbol of a label. */
double lte_slice_flops(int n_bits);
double lte_map_flops(int n_bits);

/* The LLRs of a symbol by an LTE_DEMAPPER_*. */
double lte_llr_flops(int n_bits, int demapper);

/* e^x and ln x. */
enum { LTE_FLOPS_EXP = 19, LTE_FLOPS_LN = 22 };

#ifdef __cplusplus
}
#endif

#endif
