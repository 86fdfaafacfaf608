/* Times as bars, for plots/bars.gp. */
#include "sim/report/charts/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/charts/chart_writers.h"

/* "line us copy colour number", copy 0 where none is told: a group begins with a line of its own,
 * on which its name stands. */
static void put_bars(FILE *out, const lte_bar *bars, int n)
{
    int line = 0, groups = 0;
    double low = HUGE_VAL, high = 0.0;
    for (int i = 0; i < n; i++) {
        const bool begins = i == 0 || strcmp(bars[i].group, bars[i - 1].group) != 0;
        if (begins) {
            line++;
            groups++;
            (void)fprintf(out, "group_line[%d] = %d\n", groups, line);
            lte_gnuplot_set(out, bars[i].group, "group_name[%d]", groups);
        }
        line++;
        (void)fprintf(out, "bar_line[%d] = %d\n", i + 1, line);
        lte_gnuplot_set(out, bars[i].name, "bar_name[%d]", i + 1);
        low = fmin(low, bars[i].us);
        high = fmax(high, bars[i].us);
        if (bars[i].copy_us > 0.0)
            low = fmin(low, bars[i].copy_us);
    }
    (void)fprintf(out, "n_groups = %d\nn_lines = %d\nlow = %.9g\nhigh = %.9g\n", groups, line, low,
                  high);
    line = 0;
    (void)fputs("$bar << END\n", out);
    for (int i = 0; i < n; i++) {
        line += 1 + (i == 0 || strcmp(bars[i].group, bars[i - 1].group) != 0);
        char time[32];
        (void)fprintf(out, "%d %.9g %.9g %d \"%s", line, bars[i].us, bars[i].copy_us,
                      bars[i].colour, lte_gnuplot_time(bars[i].us, time, sizeof time));
        if (bars[i].copy_us > 0.0)
            (void)fprintf(out, " (%.0f %%)", 100.0 * bars[i].copy_us / bars[i].us);
        (void)fputs("\"\n", out);
    }
    (void)fputs("END\n", out);
}

lte_status lte_bars_draw(const char *title, const lte_bar *bars, int n, const char *path)
{
    char why[300] = "";
    if (lte_drawing_is_tex(path))
        return lte_refuse("%.60s: a picture of bars ends in .svg, .png or .pdf", path);
    FILE *out = lte_gnuplot_settings();
    if (!out)
        return LTE_FAIL(LTE_EIO, "no file in memory for a picture");
    (void)fprintf(out,
                  "figure = 'screen'\nn_bars = %d\narray bar_line[%d]\narray bar_name[%d]\narray "
                  "group_line[%d]\narray group_name[%d]\n",
                  n, n, n, n, n);
    put_bars(out, bars, n);
    lte_gnuplot_title(out, title, 70);
    const bool drawn =
        fflush(out) == 0 && !ferror(out) && lte_gnuplot_draw("bars", out, path, why, sizeof why);
    (void)fclose(out);
    return drawn ? LTE_OK : LTE_FAIL(LTE_EIO, "no picture was drawn: %s", why);
}
