#ifndef LTE_SIM_REPORT_COMPARE_H
#define LTE_SIM_REPORT_COMPARE_H
/*
 * Runs beside the first of them: is a later one worse, by how many dB, and how fast is it?
 *
 *     const char *dirs[] = {"out/before", "out/after"};
 *     bool worse;
 *     lte_status status = lte_compare(stdout, dirs, 2, NULL, &worse);
 */

#include <stdbool.h>
#include <stdio.h>

#include "phy/base/status.h"

/*
 * Compares the results in dirs [n], each later one with the first, in tables on out: bit error
 * rates, block error rates and with several transmissions those after the last and the throughput,
 * mutual information of rows and of bits, the SNR of searches; of folders of a list of MCS the best
 * one's throughput and what each MCS has that both list (compare_rows.h). Rows of the same
 * detector, csi and SNR are held against each other. Where the runs have the same channels, slot
 * for slot, and the rows as many slots: by their differences, from groups.csv
 * (phy/theory/interval.h). Else as of independent draws, from their intervals: rates as t of the
 * difference of ln(BER) with Welch's degrees of freedom. Either as a standard normal variable z.
 * Nobody is called worse by chance in more than 0.27 % of the calls (Bonferroni over all rows).
 *
 *   plot    picture of all runs to be drawn, .svg or .png; NULL: none
 *   worse   out: a later run has a row of a significantly worse quantity; times never decide that
 *
 * Returns LTE_EINVAL for a folder without results, for two that have nothing in common, no row and
 * no deadline (all else is printed before), or a picture's name without either ending, LTE_EIO if
 * the picture cannot be drawn, LTE_ENOMEM.
 */
lte_status lte_compare(FILE *out, const char *const *dirs, int n, const char *plot, bool *worse);

#endif
