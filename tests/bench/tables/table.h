#ifndef LTE_TESTS_BENCH_TABLE_H
#define LTE_TESTS_BENCH_TABLE_H
/*
 * Tables out of JSON rows, for a terminal.
 *
 *     static const bench_column columns[] = {{"n", "n", BENCH_CELL_COUNT}, BENCH_TIME_COLUMNS};
 *     static const bench_columns all = BENCH_COLUMNS(columns);
 *     status = bench_table_print(stdout, all, rows);
 */

#include <jansson.h>
#include <stdio.h>

#include "phy/base/status.h"

typedef enum {
    BENCH_CELL_TEXT,
    BENCH_CELL_COUNT, /* an integer, stored as one or not */
    BENCH_CELL_REAL,  /* about three digits */
    BENCH_CELL_MEGA   /* the same, in millions */
} bench_cell;

typedef struct {
    const char *head;
    const char *key; /* of the row's object; a missing cell is shown as "-" */
    bench_cell cell;
} bench_column;

typedef struct {
    const bench_column *list;
    int n;
} bench_columns;

/* clang-format off */
/* The bench_columns of an array. */
#define BENCH_COLUMNS(array) {(array), (int)(sizeof(array) / sizeof *(array))}

/* Columns that many tables have: the link, times, a distribution. */
#define BENCH_LINK_COLUMNS                                                                         \
    {"antennas", "antennas", BENCH_CELL_TEXT},                                                     \
    {"inverter", "inverter", BENCH_CELL_TEXT}
#define BENCH_TIME_COLUMNS                                                                         \
    {"us", "median_us", BENCH_CELL_REAL},                                                          \
    {"min", "min_us", BENCH_CELL_REAL},                                                            \
    {"max", "max_us", BENCH_CELL_REAL}
#define BENCH_LATENCY_COLUMNS                                                                      \
    {"p50 us", "p50_us", BENCH_CELL_REAL},                                                         \
    {"p99", "p99_us", BENCH_CELL_REAL},                                                            \
    {"p99.9", "p999_us", BENCH_CELL_REAL},                                                         \
    {"max", "max_us", BENCH_CELL_REAL}
/* clang-format on */

/* A number in about three digits. */
void bench_real_text(double value, char *text, size_t text_size);

/* Returns LTE_ENOMEM, or LTE_EIO if out cannot be written. */
lte_status bench_table_print(FILE *out, bench_columns columns, const json_t *rows);

#endif
