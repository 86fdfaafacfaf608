#ifndef LTE_SIM_REPORT_TABLE_H
#define LTE_SIM_REPORT_TABLE_H
/*
 * A table of a result folder, read back: its cells as they stand in the file.
 *
 *     lte_table ber;
 *     lte_status status = lte_table_read(dir, "ber.csv", LTE_COLUMNS(BER), LTE_KINDS(BER), &ber);
 *     for (int i = 0; i < ber.n_rows; i++)
 *         puts(lte_table_text(&ber, i, LTE_BER_DETECTOR));
 *     lte_table_free(&ber);
 */

#include "phy/base/status.h"

typedef struct {
    char *text;        /* of the file, cut into cells; NULL: there is no file */
    const char **cell; /* [n_rows][n_columns] */
    int n_rows, n_columns;
} lte_table;

/*
 * Reads a table that begins with the line columns; none there is fine.
 *
 *   kinds   of each column: 't' a text, 'n' a finite number or nothing
 *
 * Returns LTE_EINVAL, with the line, for one that is not so; then and otherwise as lte_text_read.
 * Whatever it returns, lte_table_free is due.
 */
lte_status lte_table_read(const char *dir, const char *name, const char *columns, const char *kinds,
                          lte_table *table);

/* The same of one whose first line may go on with more, columns of kinds more_kinds. */
lte_status lte_table_read_more(const char *dir, const char *name, const char *columns,
                               const char *kinds, const char *more, const char *more_kinds,
                               lte_table *table);
void lte_table_free(lte_table *table);

const char *lte_table_text(const lte_table *table, int row, int column);

/* NAN for an empty cell. */
double lte_table_real(const lte_table *table, int row, int column);

#endif
