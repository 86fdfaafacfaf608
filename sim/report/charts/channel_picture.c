/* A channel as it was drawn, and the tests of its statistics, for plots/channel.gp. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/charts/chart_writers.h"
#include "sim/report/charts/chart_kinds.h"
#include "sim/report/results/results.h"

/* "argument measured expected" of a property, the argument in its unit; about 50 of them. */
static void put_property(FILE *out, const lte_table *proof, const char *property, double unit,
                         const char *name)
{
    enum { SHOWN = 50 };
    int n = 0, k = 0;
    for (int i = 0; i < proof->n_rows; i++)
        n += lte_table_is(proof, i, LTE_CHANNEL_PROPERTY, property);
    (void)fprintf(out, "n_%s = %d\n$%s << END\n", name, n, name);
    for (int i = 0; i < proof->n_rows; i++) {
        if (!lte_table_is(proof, i, LTE_CHANNEL_PROPERTY, property))
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

/* "time subcarrier power" of the grid. */
static void put_grid(FILE *out, const lte_table *grid)
{
    (void)fputs("$grid << END\n", out);
    for (int i = 0; i < grid->n_rows; i++) {
        lte_gnuplot_number(out, lte_table_real(grid, i, LTE_CHANNEL_GRID_TIME), ' ');
        lte_gnuplot_number(out, lte_table_real(grid, i, LTE_CHANNEL_GRID_SUBCARRIER), ' ');
        lte_gnuplot_number(out, lte_table_real(grid, i, LTE_CHANNEL_GRID_H), '\n');
    }
    (void)fputs("END\n", out);
}

/* "eva, Doppler 70 Hz, 2 × 2 antennas; statistics: all tests pass" */
static void put_facts(FILE *out, const lte_result *result)
{
    const json_t *scenario = result->scenario;
    const double doppler = lte_json_number(scenario, "channel.doppler_hz");
    const double failed = lte_json_number(result->run, "channel.failed");
    char motion[64] = "constant within a slot", verdict[64] = "all tests pass", text[300];
    if (doppler > 0.0)
        (void)snprintf(motion, sizeof motion, "Doppler %g Hz", doppler);
    if (failed != 0.0)
        (void)snprintf(verdict, sizeof verdict, "%.0f tests FAIL", failed);
    (void)snprintf(text, sizeof text, "%s, %s, %.0f × %.0f antennas; statistics: %s",
                   lte_json_text(scenario, "channel.model"), motion,
                   lte_json_number(scenario, "antennas.rx"),
                   lte_json_number(scenario, "antennas.tx"), verdict);
    lte_gnuplot_set(out, text, "facts");
}

lte_status lte_channel_picture(FILE *out, lte_charted *of, char *title, size_t size)
{
    const lte_result *result = &of->result[0];
    lte_table proof, grid = {.text = NULL};
    if (of->n > 1)
        return lte_refuse("channel: this picture shows one folder");
    lte_status status = lte_table_read(result->dir, &lte_channel_columns, &proof);
    if (!status && !proof.text)
        status =
            lte_refuse("%s: there is no channel.csv: a run with --verify writes it", result->dir);
    if (!status)
        status = lte_table_read(result->dir, &lte_channel_grid_columns, &grid);
    if (!status && grid.n_rows == 0)
        status = lte_refuse("%s: there is no channel_grid.csv, or it is empty: a run with --verify "
                            "writes it",
                            result->dir);
    if (!status) {
        lte_charted_title(of, "", title, size);
        put_facts(out, result);
        put_grid(out, &grid);
        put_property(out, &proof, "time_correlation", 1e3, "over_time");
        put_property(out, &proof, "frequency_correlation", 1.0, "over_frequency");
    }
    lte_table_free(&grid);
    lte_table_free(&proof);
    return status;
}
