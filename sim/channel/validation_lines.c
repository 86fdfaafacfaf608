/* The lines of a validation: made, checked, searched. */
#include "sim/channel/validation_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

lte_validation_line *lte_validation_put(lte_validation_state *p, const char *property,
                                        double measured, double expected, const char *argument, ...)
{
    lte_validation_line *line = &p->validation->lines[p->validation->n_lines++];
    va_list values;
    *line = (lte_validation_line){.property = property, .measured = measured, .expected = expected};
    va_start(values, argument);
    (void)vsnprintf(line->argument, sizeof line->argument, argument, values);
    va_end(values);
    return line;
}

void lte_validation_check(lte_validation_state *p, lte_validation_line *line, double limit,
                          bool listed)
{
    line->limit = limit;
    line->listed = listed;
    line->pass = fabs(line->measured - line->expected) <= limit; /* NaN fails */
    p->validation->n_failed += !line->pass;
}

void lte_channel_validation_free(lte_channel_validation *validation)
{
    if (validation)
        free(validation->lines);
    free(validation);
}

void lte_validation_text(const lte_validation_line *line, char *text, size_t size)
{
    (void)snprintf(text, size, "%s%s%s is %g but must be within %.2g of %g", line->property,
                   line->argument[0] ? " " : "", line->argument, line->measured, line->limit,
                   line->expected);
}

int lte_channel_validation_worst(const lte_channel_validation *validation, int from, int to)
{
    int worst = -1;
    double most = -1.0;
    for (int i = from; i < to; i++) {
        const lte_validation_line *line = &validation->lines[i];
        double gap = fabs(line->measured - line->expected) / line->limit;
        if (isnan(gap))
            gap = HUGE_VAL;
        if (!line->untested && gap > most) {
            worst = i;
            most = gap;
        }
    }
    return worst;
}
