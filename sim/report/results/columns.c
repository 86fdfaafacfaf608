/* The cells of result tables. */
#include "sim/report/results/columns.h"

#include "sim/files/files.h"

/* NOLINTBEGIN(readability-identifier-naming): a kind of columns.h ends each name */
void lte_cell_TEXT(FILE *out, const char *before, const char *text)
{
    (void)fprintf(out, "%s%s", before, text);
}

void lte_cell_COUNT(FILE *out, const char *before, uint64_t count)
{
    (void)fprintf(out, "%s%llu", before, (unsigned long long)count);
}

void lte_cell_EXACT(FILE *out, const char *before, double x)
{
    (void)fprintf(out, "%s%.9g", before, x);
}

void lte_cell_REAL(FILE *out, const char *before, double x)
{
    (void)fputs(before, out);
    lte_put_real(out, x, "");
}
/* NOLINTEND(readability-identifier-naming) */
