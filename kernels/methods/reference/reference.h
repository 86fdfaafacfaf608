#ifndef LTE_KERNELS_METHODS_REFERENCE_H
#define LTE_KERNELS_METHODS_REFERENCE_H
/*
 * Reference matrices: unit phasors, one sequence or one range a row, as phy/base/phasor.h and
 * sar.h define them.
 *
 *     lte_base_sequence_row(25, u, v, shift, &zc, &rows[i]);        // or lte_prach_row
 *     lte_status status = lte_reference_zc(&zc, rows, n_rows, 300, x);
 *     status = lte_reference_sar(&sar, 4096, 4096, re, im);
 *
 * These are the plain loops, and what the device's kernels (reference_cuda.h) equal bit by bit.
 * Any number of rows and columns. Source: Beijing Institute of Technology, CN101937555A, 2009.
 */

#include "kernels/methods/reference/sar.h"
#include "phy/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Zadoff-Chu sequences of one length.
 *
 *   rows   [n_rows]             each as lte_zc_row says
 *   x      [n_rows][n_columns]  out, interleaved; a row goes on periodically after zc->length
 *
 * Returns LTE_EINVAL if a count is below 1.
 */
lte_status lte_reference_zc(const lte_zc *zc, const lte_zc_row *rows, int n_rows, int n_columns,
                            lte_cf32 *x);

/*
 * The azimuth reference of a synthetic aperture radar.
 *
 *   re, im   [n_rows][n_columns]  out, planes
 *
 * Returns LTE_EINVAL as lte_reference_sar_check does.
 */
lte_status lte_reference_sar(const lte_sar *sar, int n_rows, int n_columns, float *re, float *im);

/* LTE_EINVAL if a count is below 1. */
lte_status lte_reference_check(int n_rows, int n_columns);

/*
 * LTE_EINVAL if a count is below 1, a range or the wavelength is not above 0, or the phase would
 * reach 2^19 turns.
 */
lte_status lte_reference_sar_check(const lte_sar *sar, int n_rows, int n_columns);

#ifdef __cplusplus
}
#endif

#endif
