/* Tables of a result folder, read back. */
#include "sim/report/results/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/files/text.h"

/* Rows of a text below its first line. */
static int count_rows(const char *text)
{
    int n = -1;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        n++;
    return n < 0 ? 0 : n;
}

/* True if a cell is what its column has: a text, a finite number or nothing. */
static bool is_of_kind(const char *cell, lte_column_kind kind)
{
    char *end;
    if (kind == LTE_KIND_TEXT)
        return true;
    const double x = strtod(cell, &end);
    return !*end && (!*cell || (isfinite(x) && !strchr(" \t+", *cell)));
}

/* Cuts the line into the cells of a row; false if they are too few, too many or of another kind. */
static bool take_row(lte_table *table, char *line, const lte_columns *columns)
{
    const char **cell = table->cell + (size_t)table->n_rows * (size_t)table->n_columns;
    for (int i = 0; i < table->n_columns; i++) {
        const int column = lte_csv_column(columns, table->n_columns, i);
        cell[column] = "";
        if (!columns->column[column].name)
            continue;
        if (!line)
            return false;
        char *comma = strchr(line, ',');
        if (comma)
            *comma = '\0';
        if (!is_of_kind(line, columns->column[column].kind))
            return false;
        cell[column] = line;
        line = comma ? comma + 1 : NULL;
    }
    table->n_rows++;
    return !line;
}

static lte_status take_rows(lte_table *table, const char *path, const lte_columns *columns)
{
    const int n = count_rows(table->text);
    char *line = strchr(table->text, '\n') + 1;
    table->cell = calloc((size_t)n * (size_t)table->n_columns + 1, sizeof *table->cell);
    if (!table->cell)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %s", path);
    for (int i = 0; i < n; i++) {
        char *end = line + strcspn(line, "\n");
        const bool whole = *end == '\n';
        *end = '\0';
        if (!whole || !take_row(table, line, columns))
            return lte_refuse("%s: line %d was not written by ltesim", path, i + 2);
        line = end + 1;
    }
    return LTE_OK;
}

lte_status lte_table_read(const char *dir, const lte_columns *columns, lte_table *table)
{
    char path[4400];
    *table = (lte_table){0};
    (void)snprintf(path, sizeof path, "%s/%s", dir, columns->file);
    const lte_status status = lte_text_read(dir, columns->file, &table->text);
    if (status || !table->text)
        return status;
    table->n_columns = lte_csv_columns(columns, table->text);
    return table->n_columns > 0
               ? take_rows(table, path, columns)
               : lte_refuse("%s: has other columns than this version writes", path);
}

void lte_table_free(lte_table *table)
{
    free(table->cell);
    free(table->text);
    *table = (lte_table){0};
}

const char *lte_table_text(const lte_table *table, int row, int column)
{
    return column < table->n_columns
               ? table->cell[(size_t)row * (size_t)table->n_columns + (size_t)column]
               : "";
}

double lte_table_real(const lte_table *table, int row, int column)
{
    const char *cell = lte_table_text(table, row, column);
    return *cell ? strtod(cell, NULL) : (double)NAN;
}

bool lte_table_is(const lte_table *table, int row, int column, const char *text)
{
    return strcmp(lte_table_text(table, row, column), text) == 0;
}

bool lte_table_alike(const lte_table *table, int row, const lte_table *other, int other_row,
                     int first, int last)
{
    while (first <= last &&
           lte_table_is(table, row, first, lte_table_text(other, other_row, first)))
        first++;
    return first > last;
}

int lte_table_find(const lte_table *table, int column, const char *text)
{
    for (int i = 0; i < table->n_rows; i++) {
        if (lte_table_is(table, i, column, text))
            return i;
    }
    return -1;
}

/* Rows like the first one, from it on, to where their SNRs belong; returns how many. */
static int collect(const lte_table *table, int first, int *rows)
{
    int n = 0;
    for (int i = first; i < table->n_rows; i++) {
        if (!lte_table_alike(table, i, table, first, LTE_TABLE_DETECTOR, LTE_TABLE_CSI))
            continue;
        const double snr = lte_table_real(table, i, LTE_TABLE_SNR);
        int at = n++;
        for (; at > 0 && lte_table_real(table, rows[at - 1], LTE_TABLE_SNR) > snr; at--)
            rows[at] = rows[at - 1];
        rows[at] = i;
    }
    return n;
}

const lte_curve *lte_curve_find(const lte_curve *curves, int n, const char *detector,
                                const char *csi)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(curves[i].detector, detector) == 0 && strcmp(curves[i].csi, csi) == 0)
            return &curves[i];
    }
    return NULL;
}

int lte_curve_row(const lte_table *table, const lte_curve *curve, double snr_db)
{
    for (int i = 0; i < curve->n; i++) {
        if (fabs(lte_table_real(table, curve->row[i], LTE_TABLE_SNR) - snr_db) < 5e-7)
            return curve->row[i];
    }
    return -1;
}

lte_curve *lte_table_curves(const lte_table *table, int *n)
{
    const size_t most = (size_t)table->n_rows + 1;
    lte_curve *curve =
        malloc(most * (sizeof *curve + sizeof(int))); /* and behind them their rows */
    int *rows = curve ? (int *)&curve[most] : NULL;
    *n = 0;
    for (int i = 0; curve && i < table->n_rows; i++) {
        int k = 0;
        while (k < *n && !lte_table_alike(table, i, table, curve[k].row[0], LTE_TABLE_DETECTOR,
                                          LTE_TABLE_CSI))
            k++;
        if (k < *n)
            continue;
        curve[k] =
            (lte_curve){lte_table_text(table, i, LTE_TABLE_DETECTOR),
                        lte_table_text(table, i, LTE_TABLE_CSI), collect(table, i, rows), rows};
        rows += curve[k].n;
        (*n)++;
    }
    return curve;
}
