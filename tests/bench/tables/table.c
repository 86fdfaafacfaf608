/* Tables out of JSON rows. */
#include "tests/bench/tables/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 96 };

void bench_real_text(double value, char *text, size_t text_size)
{
    const double size = fabs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    (void)snprintf(text, text_size, "%.*f", decimals, value);
}

static void write_cell(const json_t *row, const bench_column *column, char *text)
{
    const json_t *value = json_object_get(row, column->key);
    if (!value)
        (void)snprintf(text, CELL_SIZE, "-");
    else if (json_is_string(value))
        (void)snprintf(text, CELL_SIZE, "%s", json_string_value(value));
    else if (column->cell == BENCH_CELL_COUNT && json_is_integer(value))
        (void)snprintf(text, CELL_SIZE, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (column->cell == BENCH_CELL_COUNT)
        (void)snprintf(text, CELL_SIZE, "%.0f", json_number_value(value));
    else
        bench_real_text(json_number_value(value) * (column->cell == BENCH_CELL_MEGA ? 1e-6 : 1.0),
                        text, CELL_SIZE);
}

static void print_row(FILE *out, bench_columns columns, char (*cell)[CELL_SIZE], const int *width)
{
    for (int c = 0; c < columns.n; c++) {
        const char *text = cell[c];
        if (columns.list[c].cell != BENCH_CELL_TEXT)
            (void)fprintf(out, "%*s  ", width[c], text);
        else if (c + 1 < columns.n)
            (void)fprintf(out, "%-*s  ", width[c], text);
        else
            (void)fputs(text, out);
    }
    (void)fputs("\n", out);
}

lte_status bench_table_print(FILE *out, bench_columns columns, const json_t *rows)
{
    const size_t n_columns = (size_t)columns.n;
    int width[32] = {0};
    size_t n = 1, i;
    const json_t *row;
    char(*cell)[CELL_SIZE] = calloc((json_array_size(rows) + 1) * n_columns, sizeof *cell);
    if (!cell)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a table");
    for (size_t c = 0; c < n_columns; c++)
        (void)snprintf(cell[c], CELL_SIZE, "%s", columns.list[c].head);
    json_array_foreach((json_t *)rows, i, row)
    {
        for (size_t c = 0; c < n_columns; c++)
            write_cell(row, &columns.list[c], cell[n * n_columns + c]);
        n++;
    }
    for (size_t k = 0; k < n * n_columns; k++) {
        const int length = (int)strlen(cell[k]);
        if (length > width[k % n_columns])
            width[k % n_columns] = length;
    }
    for (size_t r = 0; r < n; r++)
        print_row(out, columns, &cell[r * n_columns], width);
    free(cell);
    return ferror(out) ? LTE_FAIL(LTE_EIO, "a table cannot be written") : LTE_OK;
}
