/* Tables of a result folder, by the names of their columns. */
#include "ltesim/result_table.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phy/base/status.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/result.h"

/* The columns of the table whose file is NAME.csv; NULL: there is none. */
static const lte_columns *columns_of(const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < lte_n_all_columns; i++) {
        const char *file = lte_all_columns[i]->file;
        if (file && strlen(file) == n + 4 && strncmp(file, name, n) == 0)
            return lte_all_columns[i];
    }
    return NULL;
}

typedef struct {
    const char *folder;
    const lte_columns *columns;
    lte_result_table *table;
} reading;

/* Those columns that the file has, of all that the table has. */
static void take_cells(const lte_table *from, const lte_columns *columns, lte_result_table *table)
{
    for (int i = 0, k = 0; i < from->n_columns; i++) {
        const int c = lte_csv_column(columns, from->n_columns, i);
        if (!columns->column[c].name)
            continue;
        table->name[k] = columns->column[c].name;
        for (int row = 0; row < from->n_rows; row++) {
            const size_t at = (size_t)row * (size_t)table->n_columns + (size_t)k;
            table->cell[at] = lte_table_text(from, row, c);
            table->real[at] = columns->column[c].kind == LTE_KIND_TEXT
                                  ? (double)NAN
                                  : lte_table_real(from, row, c);
        }
        k++;
    }
}

static lte_status read_table(const reading *r)
{
    lte_result_table *table = r->table;
    lte_table from;
    lte_status status = lte_table_read(r->folder, r->columns, &from);
    if (!status && !from.text)
        status = LTE_FAIL(LTE_EIO, "%s/%s: %s", r->folder, r->columns->file, strerror(ENOENT));
    if (!status) {
        for (int c = 0; c < from.n_columns; c++)
            table->n_columns += r->columns->column[c].name ? 1 : 0;
        table->n_rows = from.n_rows;
        const size_t n = (size_t)table->n_rows * (size_t)table->n_columns + 1;
        table->name = calloc((size_t)table->n_columns + 1, sizeof *table->name);
        table->cell = calloc(n, sizeof *table->cell);
        table->real = calloc(n, sizeof *table->real);
        if (!table->name || !table->cell || !table->real)
            status = LTE_FAIL(LTE_ENOMEM, "no memory for %s/%s", r->folder, r->columns->file);
    }
    if (!status) {
        take_cells(&from, r->columns, table);
        table->text = from.text; /* the cells stay where they are */
        from.text = NULL;
    }
    lte_table_free(&from);
    return status;
}

/* The same with points in reals, whatever the program's locale. */
static lte_status read_with_points(const reading *r)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a locale");
    const locale_t before = uselocale(c);
    const lte_status status = read_table(r);
    (void)uselocale(before);
    freelocale(c);
    return status;
}

lte_status lte_result_table_read(const char *folder, const char *name, lte_result_table *table)
{
    const reading r = {folder, columns_of(name), table};
    *table = (lte_result_table){0};
    if (!r.columns)
        return LTE_FAIL(LTE_EINVAL, "there is no table \"%.40s\"", name);
    const lte_status status = read_with_points(&r);
    if (status)
        lte_result_table_fini(table);
    return status;
}

void lte_result_table_fini(lte_result_table *table)
{
    free(table->name);
    free(table->cell);
    free(table->real);
    free(table->text);
    *table = (lte_result_table){0};
}

int lte_result_table_column(const lte_result_table *table, const char *name)
{
    for (int i = 0; i < table->n_columns; i++) {
        if (strcmp(table->name[i], name) == 0)
            return i;
    }
    return -1;
}

static size_t place(const lte_result_table *table, int row, int column)
{
    return (size_t)row * (size_t)table->n_columns + (size_t)column;
}

const char *lte_result_table_text(const lte_result_table *table, int row, int column)
{
    return table->cell[place(table, row, column)];
}

double lte_result_table_real(const lte_result_table *table, int row, int column)
{
    return table->real[place(table, row, column)];
}

uint64_t lte_result_table_count(const lte_result_table *table, int row, int column)
{
    const char *cell = lte_result_table_text(table, row, column);
    const bool whole = *cell && !cell[strspn(cell, "0123456789")];
    return whole ? strtoull(cell, NULL, 10) : 0;
}

int lte_result_mcs(const char *folder, int mcs[LTE_RESULT_MOST_MCS])
{
    int *found = NULL, n = 0;
    if (lte_mcs_list(folder, &found, &n) == LTE_OK && n > 0)
        memcpy(mcs, found, (size_t)n * sizeof *mcs);
    else
        n = 0;
    free(found);
    return n;
}
