/* The table of a channel held against its law. */
#include "sim/report/tables/report.h"

#include <stdbool.h>
#include <string.h>

#include "sim/report/tables/terminal.h"

/* A narrow terminal has no room for the limit. */
static bool has_room(FILE *out)
{
    enum { WIDTH = 90 };
    const int columns = lte_terminal_columns(out);
    return columns == 0 || columns >= WIDTH;
}

static void put_line(FILE *out, const lte_validation_line *line, const char *argument)
{
    char limit[32] = "";
    (void)fprintf(out, "%-22s %-27s", line->property, argument);
    if (has_room(out) && line->untested)
        (void)snprintf(limit, sizeof limit, " %9s", "");
    else if (has_room(out))
        (void)snprintf(limit, sizeof limit, " %9.2e", line->limit);
    if (line->untested)
        (void)fprintf(out, " %11s %11.4e%s  not tested: %s\n", "", line->expected, limit,
                      line->untested);
    else
        (void)fprintf(out, " %11.4e %11.4e%s  %s\n", line->measured, line->expected, limit,
                      line->pass ? "pass" : "FAIL");
}

/* The lines of a property: those that stand for themselves, and the worst of them all. */
static void put_property(FILE *out, const lte_channel_validation *proof, int from, int to)
{
    char text[64];
    int n_listed = 0;
    for (int i = from; i < to; i++) {
        n_listed += proof->lines[i].listed;
        if (proof->lines[i].listed)
            put_line(out, &proof->lines[i], proof->lines[i].argument);
    }
    const int worst = lte_channel_validation_worst(proof, from, to);
    if (worst < 0 || n_listed == to - from)
        return;
    (void)snprintf(text, sizeof text, "%s, worst of %d", proof->lines[worst].argument, to - from);
    put_line(out, &proof->lines[worst], text);
}

void lte_report_channel(FILE *out, const lte_channel_validation *proof)
{
    if (proof->drops == 0) {
        (void)fputs("\nchannel: not drawn at random, so there is no theory to compare it with\n",
                    out);
        return;
    }
    (void)fprintf(out, "\nchannel: %llu independent realisations (drops)",
                  (unsigned long long)proof->drops);
    if (proof->slots_drawn > 1)
        (void)fprintf(out, " of %d slots each", proof->slots_drawn);
    (void)fprintf(out, "; limit: %g standard errors\n", LTE_VALIDATION_ERRORS);
    (void)fprintf(out, "%-22s %-27s %11s %11s%s\n", "property", "at", "measured", "expected",
                  has_room(out) ? "     limit" : "");
    for (int from = 0, to; from < proof->n_lines; from = to) {
        for (to = from + 1; to < proof->n_lines; to++) {
            if (strcmp(proof->lines[to].property, proof->lines[from].property) != 0)
                break;
        }
        put_property(out, proof, from, to);
    }
    (void)fprintf(out, "%s: %d of %d tests fail\n", proof->n_failed > 0 ? "FAILED" : "passed",
                  proof->n_failed, proof->n_lines);
}
