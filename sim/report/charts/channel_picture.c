/* A channel as it was drawn, and the tests of its statistics, for plots/channel.gp. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/charts/chart_writers.h"
#include "sim/report/charts/picture_parts.h"
#include "sim/report/results/results.h"

/* "argument measured expected" of a property, the argument in its unit; about 50 of them. */
static void put_property(FILE *out, const lte_table *proof, const char *property, double unit,
                         const char *name)
{
    enum { SHOWN = 50 };
    int n = 0, k = 0;
    for (int i = 0; i < proof->n_rows; i++)
        n += strcmp(lte_table_text(proof, i, LTE_CHANNEL_PROPERTY), property) == 0;
    (void)fprintf(out, "n_%s = %d\n$%s << END\n", name, n, name);
    for (int i = 0; i < proof->n_rows; i++) {
        if (strcmp(lte_table_text(proof, i, LTE_CHANNEL_PROPERTY), property) != 0)
            continue;
        (void)fprintf(out, "%.9g ",
                      unit * strtod(lte_table_text(proof, i, LTE_CHANNEL_ARGUMENT), NULL));
        if (n <= SHOWN || k++ % (n / SHOWN) == 0)
            (void)fprintf(out, "%.9g", lte_table_real(proof, i, LTE_CHANNEL_MEASURED));
        else
            (void)fputs("NaN", out); /* points that do not hide the line */
        (void)fprintf(out, " %.9g\n", lte_table_real(proof, i, LTE_CHANNEL_EXPECTED));
    }
    (void)fputs("END\n", out);
}

/* "eva, Doppler 70 Hz, 2 × 2 antennas; statistics: all tests pass" */
static void put_facts(FILE *out, const lte_result *result)
{
    const json_t *channel = json_object_get(result->scenario, "channel");
    const json_t *antennas = json_object_get(result->scenario, "antennas");
    const double doppler = lte_json_number(channel, "doppler_hz");
    const double failed = lte_json_number(json_object_get(result->run, "channel"), "failed");
    char motion[64] = "constant within a slot", verdict[64] = "all tests pass", text[300];
    if (doppler > 0.0)
        (void)snprintf(motion, sizeof motion, "Doppler %g Hz", doppler);
    if (failed != 0.0)
        (void)snprintf(verdict, sizeof verdict, "%.0f tests FAIL", failed);
    (void)snprintf(text, sizeof text, "%s, %s, %.0f × %.0f antennas; statistics: %s",
                   lte_json_text(channel, "model"), motion, lte_json_number(antennas, "rx"),
                   lte_json_number(antennas, "tx"), verdict);
    (void)fputs("facts = ", out);
    lte_gnuplot_text(out, text);
    (void)fputc('\n', out);
}

lte_status lte_channel_picture(FILE *out, lte_charted *of, char *title, size_t size)
{
    const lte_result *result = &of->result[0];
    char grid[PATH_MAX + 32];
    lte_table proof;
    if (of->n > 1)
        return lte_refuse("channel: this picture shows one folder");
    lte_status status = lte_table_read(result->dir, &lte_channel_columns, &proof);
    if (!status && !proof.text)
        status =
            lte_refuse("%s: there is no channel.csv: a run with --verify writes it", result->dir);
    if (!status) {
        lte_charted_title(of, "", title, size);
        put_facts(out, result);
        /* gnuplot runs a name that begins with < or |: none does with ./ before it */
        (void)snprintf(grid, sizeof grid, "%s%s/channel_grid.csv",
                       result->dir[0] == '/' ? "" : "./", result->dir);
        (void)fputs("grid_file = ", out);
        lte_gnuplot_text(out, grid);
        (void)fputc('\n', out);
        put_property(out, &proof, "time_correlation", 1e3, "over_time");
        put_property(out, &proof, "frequency_correlation", 1.0, "over_frequency");
    }
    lte_table_free(&proof);
    return status;
}
