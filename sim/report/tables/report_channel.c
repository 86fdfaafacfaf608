/* The table of a channel held against its law. */
#include "sim/report/tables/report.h"

#include <math.h>
#include <string.h>

#include "sim/report/tables/terminal.h"

/* A narrow terminal has no room for the limit. */
static lte_shown shown_of(FILE *out)
{
    enum { NAMES = 56 }; /* with the verdict */
    return lte_terminal_shown(out, NAMES, &lte_channel_columns, LTE_N_CHANNEL);
}

static void put_line(FILE *out, const lte_validation_line *line, const char *argument)
{
    lte_cell cells[LTE_N_CHANNEL];
    LTE_TAKE(CHANNEL)
    if (line->untested)
        cells[LTE_CHANNEL_MEASURED].real = cells[LTE_CHANNEL_LIMIT].real = (double)NAN;
    (void)fprintf(out, "%-22s %-27s", line->property, argument);
    lte_terminal_row(out, shown_of(out), &lte_channel_columns, LTE_N_CHANNEL, cells);
    if (line->untested)
        (void)fprintf(out, "  not tested: %s\n", line->untested);
    else
        (void)fprintf(out, "  %s\n", line->pass ? "pass" : "FAIL");
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
    (void)fprintf(out, "%-22s %-27s", "property", "at");
    lte_terminal_heads(out, shown_of(out), &lte_channel_columns, LTE_N_CHANNEL);
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
