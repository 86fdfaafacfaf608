#ifndef LTE_SIM_REPORT_TABLE_H
#define LTE_SIM_REPORT_TABLE_H
/*
 * A table of a result folder, read back: its cells as they stand in the file.
 *
 *     lte_table ber;
 *     lte_status status = lte_table_read(dir, &lte_ber_columns, &ber);
 *     for (int i = 0; i < ber.n_rows; i++)
 *         puts(lte_table_text(&ber, i, LTE_BER_DETECTOR));
 *     lte_table_free(&ber);
 */

#include <stdbool.h>

#include "phy/base/status.h"
#include "sim/report/results/columns.h"

typedef struct {
    char *text;        /* of the file, cut into cells; NULL: there is no file */
    const char **cell; /* [n_rows][n_columns] */
    int n_rows, n_columns;
} lte_table;

/*
 * Reads the file of a table, which has its columns, or those without LLRs; no file is fine. A
 * column for a terminal alone has no cells.
 *
 * Returns LTE_EINVAL, with the line, for one that is not so; then and otherwise as lte_text_read.
 * Whatever it returns, lte_table_free is due.
 */
lte_status lte_table_read(const char *dir, const lte_columns *columns, lte_table *table);
void lte_table_free(lte_table *table);

/* A cell, "" in a column that the file has not; as a number, NAN for none. */
const char *lte_table_text(const lte_table *table, int row, int column);
double lte_table_real(const lte_table *table, int row, int column);

/* Whether a cell has a text; whether a row has the cells of another one from a column to a last. */
bool lte_table_is(const lte_table *table, int row, int column, const char *text);
bool lte_table_alike(const lte_table *table, int row, const lte_table *other, int other_row,
                     int first, int last);

/* The first row that has a text in a column; -1: there is none. */
int lte_table_find(const lte_table *table, int column, const char *text);

/* The first columns of every table of curves. */
enum { LTE_TABLE_DETECTOR, LTE_TABLE_CSI, LTE_TABLE_SNR };

/* A curve in such a table: the rows of a detector with a csi. */
typedef struct {
    const char *detector, *csi;
    int n;
    const int *row; /* [n] of the table, by rising SNR */
} lte_curve;

/* That of a detector with a csi, of curves [n]; NULL: there is none. */
const lte_curve *lte_curve_find(const lte_curve *curves, int n, const char *detector,
                                const char *csi);

/* The row of a curve at an SNR; -1: there is none. Points are rounded to 1e-6 dB. */
int lte_curve_row(const lte_table *table, const lte_curve *curve, double snr_db);

/*
 * The curves of a table [n], in the order in which they begin, for the caller to free; NULL without
 * memory.
 */
lte_curve *lte_table_curves(const lte_table *table, int *n);

#endif
