/* The columns of the result tables, and rows of them in files. */
#include "sim/report/results/columns.h"

#include <math.h>
#include <string.h>

/* What readers see: head, width, rank, format on a terminal, format on a page. */
#define HIDDEN NULL, 0, 0, NULL, NULL
#define PAGE(head) head, 0, 0, NULL, ""
#define TERMINAL(head, width, rank, format) head, width, rank, format, NULL
#define BOTH(head, width, rank, format) head, width, rank, format, ""
#define ROUNDED(head, width, rank, format, page_format) head, width, rank, format, page_format

#define COLUMN_C(kind, id, name, unit, value, shown) {LTE_KIND_##kind, #name, unit, shown},
#define COLUMN_T(kind, id, unit, value, shown) {LTE_KIND_##kind, NULL, unit, shown},
#define TABLE(table, name, file, stem, first_soft, last)                                           \
    static const lte_column name[] = {LTE_##table##_TABLE(COLUMN_C, COLUMN_T)};                    \
    const lte_columns lte_##name##_columns = {file, stem, name, LTE_N_##table, first_soft, last};
LTE_TABLES(TABLE)

#define ONE(table, name, file, stem, first_soft, last) &lte_##name##_columns,
const lte_columns *const lte_all_columns[] = {LTE_TABLES(ONE)};
#define COUNT(table, name, file, stem, first_soft, last) +1
const int lte_n_all_columns = 0 LTE_TABLES(COUNT);

lte_cell lte_text_cell(const char *text)
{
    lte_cell cell = {.count = 0};
    (void)snprintf(cell.text, sizeof cell.text, "%s", text);
    return cell;
}

int lte_csv_column(const lte_columns *of, int n, int place)
{
    const bool moved = of->last >= 0 && of->last < n && place >= of->last;
    return !moved ? place : place < n - 1 ? place + 1 : of->last;
}

void lte_csv_head(FILE *out, const lte_columns *of, int n)
{
    const char *before = "";
    for (int i = 0; i < n; i++) {
        const char *name = of->column[lte_csv_column(of, n, i)].name;
        if (!name)
            continue;
        (void)fprintf(out, "%s%s", before, name);
        before = ",";
    }
    (void)fputc('\n', out);
}

/* How many of the first n columns of a table the first line of a text names, all of it; else -1. */
static int columns_named(const lte_columns *of, int n, const char *text)
{
    const char *before = "";
    for (int i = 0; i < n; i++) {
        const char *name = of->column[lte_csv_column(of, n, i)].name;
        if (!name)
            continue;
        if (*text == '\n')
            return i;
        if (strncmp(text, before, strlen(before)) != 0)
            return -1;
        text += strlen(before);
        if (strncmp(text, name, strlen(name)) != 0)
            return -1;
        text += strlen(name);
        before = ",";
    }
    return *text == '\n' ? n : -1;
}

int lte_csv_columns(const lte_columns *of, const char *text)
{
    return columns_named(of, of->n, text) == of->n             ? of->n
           : columns_named(of, of->n_hard, text) == of->n_hard ? of->n_hard
                                                               : -1;
}

/* How much of a text a name takes at its beginning, up to a comma or the line's end; 0: none. */
static size_t length_of(const char *name, const char *text)
{
    const size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && (text[n] == ',' || text[n] == '\n') ? n : 0;
}

bool lte_csv_is_of(const lte_columns *of, const char *text)
{
    enum { FEWEST = 3 };
    int passed = 0; /* columns with a name */
    if (lte_csv_columns(of, text) > 0)
        return true;
    for (int i = 0; i < of->n; i++) {
        const char *name = of->column[lte_csv_column(of, of->n, i)].name;
        if (!name)
            continue;
        const size_t n = length_of(name, text);
        if (n == 0 && passed < FEWEST)
            return false;
        passed++;
        text += n;
        if (n > 0 && *text++ == '\n')
            return passed >= FEWEST;
    }
    return false;
}

/* A whole number if it is one, else with all of its twelfths. */
static void put_parts(FILE *out, const lte_cell *cell)
{
    const uint64_t parts = (uint64_t)cell->real;
    if (cell->count % parts == 0)
        (void)fprintf(out, "%llu", (unsigned long long)(cell->count / parts));
    else
        (void)fprintf(out, "%.15g", (double)cell->count / cell->real);
}

void lte_csv_row(FILE *out, const lte_columns *of, int n, const lte_cell *cells)
{
    const char *before = "";
    for (int i = 0; i < n; i++) {
        const int column = lte_csv_column(of, n, i);
        const lte_column_kind kind = of->column[column].kind;
        const lte_cell *cell = &cells[column];
        if (!of->column[column].name)
            continue;
        (void)fputs(before, out);
        if (kind == LTE_KIND_COUNT)
            (void)fprintf(out, "%llu", (unsigned long long)cell->count);
        else if (kind == LTE_KIND_PARTS)
            put_parts(out, cell);
        else if (kind == LTE_KIND_EXACT)
            (void)fprintf(out, "%.9g", cell->real);
        else if (kind == LTE_KIND_REAL || kind == LTE_KIND_RATE)
            lte_put_real(out, cell->real, "");
        else
            (void)fputs(cell->text, out);
        before = ",";
    }
    (void)fputc('\n', out);
}

void lte_csv_open(lte_csv *csv, const char *dir, const lte_columns *of, int n)
{
    csv->of = of;
    csv->n = n;
    csv->status = lte_file_open(&csv->file, dir, of->file);
    if (!csv->status)
        lte_csv_head(csv->file.stream, of, n);
}

void lte_csv_put(lte_csv *csv, const lte_cell *cells)
{
    if (!csv->status)
        lte_csv_row(csv->file.stream, csv->of, csv->n, cells);
}

lte_status lte_csv_close(lte_csv *csv)
{
    return csv->status ? csv->status : lte_file_close(&csv->file);
}

const char *lte_json_key(const lte_columns *of, int i)
{
    const char *name = of->column[i].name;
    const size_t stem = of->stem ? strlen(of->stem) : 0;
    return stem > 0 && strncmp(name, of->stem, stem) == 0 && name[stem] ? name + stem : name;
}

json_t *lte_json_row(const lte_columns *of, const lte_cell *cells)
{
    json_t *row = json_object();
    for (int i = 0; i < of->n; i++) {
        const lte_column *column = &of->column[i];
        json_t *value;
        if (!column->name)
            continue;
        if (column->kind == LTE_KIND_TEXT || column->kind == LTE_KIND_NUMBER)
            value = json_string(cells[i].text);
        else if (column->kind == LTE_KIND_COUNT)
            value = json_integer((json_int_t)cells[i].count);
        else if (column->kind == LTE_KIND_PARTS)
            value = json_real((double)cells[i].count / cells[i].real);
        else
            value = isfinite(cells[i].real) ? json_real(cells[i].real) : json_null();
        (void)json_object_set_new(row, lte_json_key(of, i), value);
    }
    return row;
}

const char *lte_cell_text(const lte_column *column, const lte_cell *cell, char *text, size_t size)
{
    *text = '\0';
    switch (column->kind) {
    case LTE_KIND_TEXT:
    case LTE_KIND_NUMBER:
        return cell->text;
    case LTE_KIND_COUNT:
        (void)snprintf(text, size, "%llu", (unsigned long long)cell->count);
        break;
    case LTE_KIND_PARTS:
        (void)snprintf(text, size, "%.0f", (double)cell->count / cell->real);
        break;
    default:
        if (isfinite(cell->real)) {
            (void)snprintf(text, size, column->format, cell->real);
            if (column->kind == LTE_KIND_MARKED)
                (void)snprintf(text + strlen(text), size - strlen(text), "%c", (int)cell->count);
        } else if (column->kind == LTE_KIND_RATE) {
            return "no error";
        }
    }
    return text;
}
