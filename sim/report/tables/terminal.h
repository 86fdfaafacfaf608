#ifndef LTE_SIM_REPORT_TERMINAL_H
#define LTE_SIM_REPORT_TERMINAL_H
/*
 * The room that a terminal has, and which columns of a table (columns.h) fit into it.
 *
 *     const unsigned shown = lte_terminal_shown(out, several_csi, &lte_ber_columns, n);
 *     lte_terminal_heads(out, shown, &lte_ber_columns, n);
 *     lte_terminal_row(out, shown, &lte_ber_columns, n, cells);
 */

#include <stdbool.h>
#include <stdio.h>

#include "sim/report/results/columns.h"

/* Columns of the terminal that a stream goes to, 80 if it does not tell; 0: it goes elsewhere. */
int lte_terminal_columns(FILE *stream);

/*
 * The first n columns as bits, those that a terminal has room for beside names of so many
 * characters; all of them if the stream goes elsewhere.
 */
unsigned lte_terminal_shown(FILE *out, int names, const lte_columns *of, int n);

/* Before the columns: a detector, or several, and its csi where there are several (else NULL). */
enum { LTE_DETECTOR_WIDTH = 9, LTE_CSI_WIDTH = 10 };
void lte_terminal_names(FILE *out, int width, const char *detector, const char *csi);

/* The heads of the columns that are shown, and the end of the line. */
void lte_terminal_heads(FILE *out, unsigned shown, const lte_columns *of, int n);

/* A row of them, without the end. */
void lte_terminal_row(FILE *out, unsigned shown, const lte_columns *of, int n,
                      const lte_cell *cells);

#endif
