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

const char *lte_table_text(const lte_table *table, int row, int column);

/* NAN for an empty cell. */
double lte_table_real(const lte_table *table, int row, int column);

#endif
