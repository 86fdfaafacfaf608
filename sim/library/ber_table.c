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

enum { MOST_LINE = 1024 };

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

/* The next cell of a line, cut off; NULL behind the last one. */
static const char *next_cell(char **line)
{
    char *cell = *line, *comma = cell ? strchr(cell, ',') : NULL;
    if (comma)
        *comma = '\0';
    *line = comma ? comma + 1 : NULL;
    return cell;
}

/* Each column of ber.csv to the field of its name; those of LLRs have none, and are left. */
#define TAKE_TEXT(field) take_name(cell, field, sizeof(field))
#define TAKE_COUNT(field) take_count(cell, &(field))
#define TAKE_EXACT(field) take_real(cell, &(field))
#define TAKE_REAL TAKE_EXACT
#define TAKE_RATE TAKE_EXACT
#define TAKE_C(kind, id, name, unit, value, shown)                                                 \
    if (!(cell = next_cell(&line)) || !TAKE_##kind(row->name))                                     \
        return false;
#define TAKE_T(kind, id, unit, value, shown)
#define LEAVE_C(kind, id, name, unit, value, shown) soft = next_cell(&line) && soft;

static bool take_row(char *line, bool soft, lte_ber_row *row)
{
    const char *cell;
    LTE_BER_TABLE(TAKE_C, TAKE_T)
    if (soft) {
        LTE_BER_SOFT_TABLE(LEAVE_C, TAKE_T)
        return soft && !line;
    }
    return !line;
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
    bool soft = false;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        const bool whole = line[strcspn(line, "\n")] == '\n';
        if (number == 1) {
            const int n = lte_csv_columns(&lte_ber_columns, line);
            if (n < 0)
                return LTE_FAIL(LTE_EINVAL, "%s: line 1 does not have the columns of a ber.csv",
                                path);
            soft = n == LTE_N_BER;
            continue;
        }
        line[strcspn(line, "\n")] = '\0';
        lte_ber_row *row = add_row(table);
        if (!row)
            return LTE_FAIL(LTE_ENOMEM, "%s: no memory for its rows", path);
        if (!whole || !take_row(line, soft, row))
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
