#ifndef LTE_TESTS_BENCH_TABLE_H
#define LTE_TESTS_BENCH_TABLE_H
/*
 * Tables out of JSON rows, for a terminal and in Markdown.
 *
 *     static const lte_column columns[] = {{"n", "n", LTE_CELL_COUNT}, {"us", "us",
 * LTE_CELL_REAL}}; status = lte_table_print(stdout, (lte_columns){columns, 2}, rows,
 * LTE_TABLE_TEXT);
 */

#include <jansson.h>
#include <stdio.h>

#include "phy/status.h"

typedef enum {
    LTE_CELL_TEXT,
    LTE_CELL_COUNT, /* an integer */
    LTE_CELL_REAL,  /* about three digits */
    LTE_CELL_MEGA   /* the same, in millions */
} lte_cell;

typedef struct {
    const char *head;
    const char *key; /* of the row's object; a missing cell is shown as "-" */
    lte_cell cell;
} lte_column;

typedef struct {
    const lte_column *list;
    int n;
} lte_columns;

typedef enum {
    LTE_TABLE_TEXT,    /* aligned, every row */
    LTE_TABLE_MARKDOWN /* rows with "readme": true */
} lte_table_style;

/* Returns LTE_ENOMEM, or LTE_EIO if out cannot be written. */
lte_status lte_table_print(FILE *out, lte_columns columns, const json_t *rows,
                           lte_table_style style);

#endif
