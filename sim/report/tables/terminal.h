#ifndef LTE_SIM_REPORT_TERMINAL_H
#define LTE_SIM_REPORT_TERMINAL_H
/*
 * The room that a terminal has, and which columns of a table (columns.h) fit into it.
 *
 *     const lte_shown shown = lte_terminal_shown(out, several_csi, &lte_ber_columns, n);
 *     lte_terminal_heads(out, shown, &lte_ber_columns, n);
 *     lte_terminal_row(out, shown, &lte_ber_columns, n, cells);
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/report/results/columns.h"
#include "sim/scenario/scenario.h"

/* Columns of a table as bits: column i as LTE_SHOWN << i. */
typedef uint64_t lte_shown;
#define LTE_SHOWN ((lte_shown)1)
_Static_assert(LTE_N_BLER <= 64 && LTE_N_BER <= 64, "columns of a table have a bit each");

/* Columns of the terminal that a stream goes to, 80 if it does not tell; 0: it goes elsewhere. */
int lte_terminal_columns(FILE *stream);

/*
 * The first n columns as bits, those that a terminal has room for beside names of so many
 * characters; all of them if the stream goes elsewhere.
 */
lte_shown lte_terminal_shown(FILE *out, int names, const lte_columns *of, int n);

/* Characters of the longest name of a scenario's detectors, or of their head. */
int lte_detector_width(const lte_scenario *scenario);

/* Before the columns: a detector, or several, and its csi where there are several (else NULL). */
enum { LTE_CSI_WIDTH = 10 };
void lte_terminal_names(FILE *out, int width, const char *detector, const char *csi);

/* The heads of the columns that are shown, and the end of the line. */
void lte_terminal_heads(FILE *out, lte_shown shown, const lte_columns *of, int n);

/* A row of them, without the end. */
void lte_terminal_row(FILE *out, lte_shown shown, const lte_columns *of, int n,
                      const lte_cell *cells);

#endif
