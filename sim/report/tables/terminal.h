#ifndef LTE_SIM_REPORT_TERMINAL_H
#define LTE_SIM_REPORT_TERMINAL_H
/*
 * The room that a terminal has, and which columns of a table fit into it.
 *
 *     const unsigned shown = lte_columns_shown(lte_terminal_columns(out), 9, columns, n);
 *     lte_columns_heads(out, shown, columns, n);
 *     lte_columns_put(out, shown, columns, i, "%.2f", snr_db);
 */

#include <stdbool.h>
#include <stdio.h>

/* Columns of the terminal that a stream goes to, 80 if it does not tell; 0: it goes elsewhere. */
int lte_terminal_columns(FILE *stream);

/* A column of a table. */
typedef struct {
    const char *head;
    int width; /* characters, the space before it among them */
    int rank;  /* where there is no room, that of the highest rank goes first; 0: stays */
    bool left; /* a text, after two spaces, else to the right */
} lte_table_column;

/*
 * The columns, as bits, that a terminal has room for beside others of so many characters; all of
 * them if n_characters is 0.
 */
unsigned lte_columns_shown(int n_characters, int others, const lte_table_column *columns, int n);

/* The heads of the columns that are shown, and the end of the line. */
void lte_columns_heads(FILE *out, unsigned shown, const lte_table_column *columns, int n);

/* A cell of column i, a text as printf makes it, if the column is shown. */
void lte_columns_put(FILE *out, unsigned shown, const lte_table_column *columns, int i,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
