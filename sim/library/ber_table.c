/* ber.csv of a result folder, by its columns. */
#include "ltesim/ber_table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ltesim/result_table.h"
#include "phy/base/status.h"
#include "sim/report/results/columns.h"

static bool take_name(const char *cell, char *name, size_t size)
{
    return *cell && (size_t)snprintf(name, size, "%s", cell) < size;
}

static bool take_count(const char *cell, uint64_t *value)
{
    errno = 0;
    *value = strtoull(cell, NULL, 10);
    return *cell && !cell[strspn(cell, "0123456789")] && !errno;
}

/* Each column of ber.csv to the field of its name; those of LLRs have none, and are left. */
#define TAKE_TEXT(field) take_name(lte_result_table_text(from, i, c), field, sizeof(field))
#define TAKE_COUNT(field) take_count(lte_result_table_text(from, i, c), &(field))
#define TAKE_EXACT(field) (((field) = lte_result_table_real(from, i, c)), true)
#define TAKE_REAL TAKE_EXACT
#define TAKE_RATE TAKE_EXACT
#define TAKE_C(kind, id, name, unit, value, shown)                                                 \
    c = lte_result_table_column(from, #name);                                                      \
    good = c >= 0 && TAKE_##kind(row->name) && good;
#define TAKE_T(kind, id, unit, value, shown)

static bool take_row(const lte_result_table *from, int i, lte_ber_row *row)
{
    bool good = true;
    int c;
    LTE_BER_HARD_TABLE(TAKE_C, TAKE_T)
    return good;
}

lte_status lte_ber_table_read(const char *folder, lte_ber_table *table)
{
    lte_result_table from;
    *table = (lte_ber_table){0};
    lte_status status = lte_result_table_read(folder, "ber", &from);
    if (status)
        return status;
    table->rows = calloc((size_t)from.n_rows + 1, sizeof *table->rows);
    if (!table->rows)
        status = LTE_FAIL(LTE_ENOMEM, "%s/ber.csv: no memory for its rows", folder);
    for (int i = 0; table->rows && i < from.n_rows && !status; i++) {
        if (!take_row(&from, i, &table->rows[i]))
            status = LTE_FAIL(LTE_EINVAL, "%s/ber.csv: line %d is not a row of a ber.csv", folder,
                              i + 2);
    }
    table->n_rows = from.n_rows;
    lte_result_table_fini(&from);
    if (status)
        lte_ber_table_fini(table);
    return status;
}

void lte_ber_table_fini(lte_ber_table *table)
{
    free(table->rows);
    *table = (lte_ber_table){0};
}
