/* ber.csv of a result folder, read by its columns. */
#include "ltesim/ber_table.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phy/base/status.h"
#include "sim/report/results/results.h"

enum { N_COLUMNS = 16, N_SOFT_COLUMNS = 7, MOST_LINE = 1024 };

/* A column's cell: a name of size bytes, a real, empty where it is unknown, or a count. */
static bool take_name(const char *cell, char *name, size_t size)
{
    return *cell && (size_t)snprintf(name, size, "%s", cell) < size;
}

static bool take_real(const char *cell, double *value)
{
    char *end = NULL;
    *value = *cell ? strtod(cell, &end) : (double)NAN;
    return !*cell || (end != cell && !*end);
}

static bool take_count(const char *cell, uint64_t *value)
{
    errno = 0;
    *value = strtoull(cell, NULL, 10);
    return *cell && !cell[strspn(cell, "0123456789")] && !errno;
}

/*
 * A line, without its end, in cells; false if there are not n of them. What is behind N_COLUMNS is
 * left.
 */
static bool split(char *line, int n_cells, const char *cells[N_COLUMNS])
{
    int n = 0;
    for (char *at = line; at; n++) {
        if (n < N_COLUMNS)
            cells[n] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    return n == n_cells;
}

static bool take_row(char *line, int n_cells, lte_ber_row *row)
{
    const char *c[N_COLUMNS];
    return split(line, n_cells, c) && take_name(c[0], row->detector, sizeof row->detector) &&
           take_name(c[1], row->csi, sizeof row->csi) && take_real(c[2], &row->snr_db) &&
           take_real(c[3], &row->snr_db_measured) && take_count(c[4], &row->slots) &&
           take_count(c[5], &row->bits) && take_count(c[6], &row->bit_errors) &&
           take_real(c[7], &row->ber) && take_real(c[8], &row->ber_low) &&
           take_real(c[9], &row->ber_high) && take_real(c[10], &row->ser) &&
           take_real(c[11], &row->ber_theory) && take_real(c[12], &row->z) &&
           take_count(c[13], &row->flagged) && take_name(c[14], row->status, sizeof row->status) &&
           take_real(c[15], &row->seconds);
}

/* Room for one row more: NULL if there is none. */
static lte_ber_row *add_row(lte_ber_table *table)
{
    const size_t n = (size_t)table->n_rows;
    lte_ber_row *rows = realloc(table->rows, (n + 1) * sizeof *rows);
    if (!rows)
        return NULL;
    table->rows = rows;
    table->n_rows++;
    memset(&rows[n], 0, sizeof rows[n]);
    return &rows[n];
}

static lte_status read_rows(FILE *file, const char *path, lte_ber_table *table)
{
    char line[MOST_LINE];
    int n_cells = N_COLUMNS;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        const size_t length = strcspn(line, "\n");
        const bool whole = line[length] == '\n';
        line[length] = '\0';
        if (number == 1 && whole && strcmp(line, LTE_COLUMNS(BER)) == 0)
            continue;
        if (number == 1 && whole &&
            strcmp(line, LTE_COLUMNS(BER) LTE_MORE_COLUMNS(BER_SOFT)) == 0) {
            n_cells = N_COLUMNS + N_SOFT_COLUMNS;
            continue;
        }
        if (number == 1)
            return LTE_FAIL(LTE_EINVAL, "%s: line 1 does not have the columns of a ber.csv", path);
        lte_ber_row *row = add_row(table);
        if (!row)
            return LTE_FAIL(LTE_ENOMEM, "%s: no memory for its rows", path);
        if (!whole || !take_row(line, n_cells, row))
            return LTE_FAIL(LTE_EINVAL, "%s: line %d is not a row of a ber.csv", path, number);
    }
    if (ferror(file))
        return LTE_FAIL(LTE_EIO, "%s: %s", path, strerror(errno));
    return LTE_OK;
}

/* The same with points in reals, whatever the program's locale. */
static lte_status read_with_points(FILE *file, const char *path, lte_ber_table *table)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a locale");
    const locale_t before = uselocale(c);
    const lte_status status = read_rows(file, path, table);
    (void)uselocale(before);
    freelocale(c);
    return status;
}

lte_status lte_ber_table_read(const char *folder, lte_ber_table *table)
{
    char path[4096];
    *table = (lte_ber_table){0};
    if ((size_t)snprintf(path, sizeof path, "%s/ber.csv", folder) >= sizeof path)
        return LTE_FAIL(LTE_EINVAL, "the folder's name is too long");
    FILE *file = fopen(path, "r");
    if (!file)
        return LTE_FAIL(LTE_EIO, "%s: %s", path, strerror(errno));
    const lte_status status = read_with_points(file, path, table);
    (void)fclose(file);
    if (status)
        lte_ber_table_fini(table);
    return status;
}

void lte_ber_table_fini(lte_ber_table *table)
{
    free(table->rows);
    *table = (lte_ber_table){0};
}
