#ifndef LTE_SIM_REPORT_COMPARE_ROWS_H
#define LTE_SIM_REPORT_COMPARE_ROWS_H
/*
 * What of two runs is held against each other: quantities of their tables, and how surely a row of
 * one is worse than that of the other.
 *
 *     for (int q = 0; q < lte_n_quantities; q++)
 *         if (lte_compared_applies(&lte_quantities[q], first, later))
 *             ... lte_compared_row(&lte_quantities[q], later, first, row, &hint) ...
 */

#include <stdbool.h>
#include <stdio.h>

#include "phy/theory/interval.h"
#include "sim/report/results/quantities.h"

/* True if both runs have rows of it. */
bool lte_compared_applies(const lte_quantity *q, const lte_result *a, const lte_result *b);

/*
 * The row of another run with the keys of a run's row; -1: there is none. The search begins at
 * *hint, which it sets.
 */
int lte_compared_row(const lte_quantity *q, const lte_result *other, const lte_result *result,
                     int row, int *hint);

/* Rows of a that b has not; all of them where b has no such table. */
int lte_compared_missing(const lte_quantity *q, const lte_result *a, const lte_result *b);

/* True if runs have the same channels, slot for slot. */
bool lte_compared_common_draws(const lte_result *a, const lte_result *b);

/* Rows that two runs have, beside each other. */
typedef struct {
    bool same, paired; /* the same counts; z is that of differences over common draws */
    double z;          /* how much worse b is, as a standard normal variable; NAN: not known */
} lte_compared_pair;

/*
 *   common  the runs have the same channels
 *   tail    the probability to be called worse by chance
 */
lte_compared_pair lte_compared_rows(const lte_quantity *q, const lte_result *a, int row_a,
                                    const lte_result *b, int row_b, bool common, double tail);

/* How fast two runs were: rates of the sweeps by detector, and the deadline; nothing where neither
 * has any. */
void lte_compare_speed(FILE *out, const lte_result *first, const lte_result *later);

#endif
