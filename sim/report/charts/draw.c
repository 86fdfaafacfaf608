/* Which picture is drawn of folders, and how. */
#include "sim/report/charts/draw.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/files/files.h"
#include "sim/files/refuse.h"
#include "sim/report/charts/chart_kinds.h"
#include "sim/report/charts/chart_writers.h"

/* A picture: a chart over SNR, or one with a script of its own. */
typedef struct {
    const char *name, *file; /* the table that it is of */
    lte_status (*chart)(lte_charted *of, lte_chart *chart);
    lte_status (*other)(FILE *out, lte_charted *of, char *title, size_t size);
} picture;

/* The first whose file is there is what a folder is about. */
static const picture pictures[] = {
    {"adaptation", "envelope.csv", lte_chart_adaptation, NULL},
    {"pareto", "pareto.csv", NULL, lte_pareto_picture},
    {"bler", "bler.csv", lte_chart_bler, NULL},
    {"throughput", "bler.csv", lte_chart_throughput, NULL},
    {"rate", "rate.csv", lte_chart_rate, NULL},
    {"ber", "ber.csv", lte_chart_ber, NULL},
    {"timing", "timing.csv", NULL, lte_timing_picture},
    {"channel", "channel.csv", NULL, lte_channel_picture},
};
enum { N_PICTURES = sizeof pictures / sizeof *pictures };

static const struct {
    const char *name;
    int title; /* characters of a line of it */
    int axis;  /* characters along the axis of SNR */
    double width_cm;
} sizes[] = {[LTE_DRAWING_SCREEN] = {"screen", 70, 110, 12.0},
             [LTE_DRAWING_COLUMN] = {"column", 40, 44, 6.8},
             [LTE_DRAWING_SLIDE] = {"slide", 58, 82, 14.0}};

bool lte_is_picture(const char *path)
{
    return lte_gnuplot_draws(path) || lte_drawing_is_tex(path);
}

bool lte_drawing_is_tex(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".tex") == 0;
}

/* ---- charts ---- */

/* A chart, and if it is asked for the panel below it. */
typedef struct {
    lte_chart chart, panel;
    bool paired;
} charts;

static lte_status fill(const picture *p, lte_charted *of, const lte_drawing_options *options,
                       charts *c)
{
    lte_status status = p->chart(of, &c->chart);
    c->paired = options->paired;
    if (!status && c->paired)
        status = lte_chart_paired(of, &c->panel);
    if (status)
        return status;
    (void)snprintf(c->chart.x_label, sizeof c->chart.x_label, "SNR (dB)%s",
                   options->size == LTE_DRAWING_SCREEN
                       ? ": total transmit power over noise power at one receive antenna"
                       : "");
    memcpy(c->panel.x_label, c->chart.x_label, sizeof c->panel.x_label);
    lte_chart_range(&c->chart, sizes[options->size].axis);
    lte_chart_range(&c->panel, sizes[options->size].axis);
    c->panel.x_low = c->chart.x_low;
    c->panel.x_high = c->chart.x_high;
    return LTE_OK;
}

/* Writes what gnuplot draws. */
static lte_status write_settings(const picture *p, lte_charted *of,
                                 const lte_drawing_options *options, FILE *out)
{
    char title[sizeof((lte_chart *)0)->title] = "";
    charts c = {.paired = false};
    lte_status status = LTE_OK;
    (void)fprintf(out, "figure = '%s'\n", sizes[options->size].name);
    if (p->other) {
        status = p->other(out, of, title, sizeof title);
    } else {
        status = fill(p, of, options, &c);
        memcpy(title, c.chart.title, sizeof title);
        if (!status) {
            (void)fprintf(out, "panels = %d\n", c.paired ? 2 : 1);
            lte_chart_gnuplot(out, &c.chart, "chart");
        }
        if (!status && c.paired)
            lte_chart_gnuplot(out, &c.panel, "panel");
        lte_chart_free(&c.chart);
        lte_chart_free(&c.panel);
    }
    lte_gnuplot_title(out, title, sizes[options->size].title);
    return status;
}

/* ---- drawing ---- */

static lte_status write_tex(const picture *p, lte_charted *of, const lte_drawing_options *options,
                            const char *path)
{
    const char *slash = strrchr(path, '/');
    char dir[4096] = ".";
    charts c = {.paired = false};
    lte_file file;
    if (!p->chart)
        return lte_refuse("%s: the picture of %s is no chart over SNR: .svg, .png or .pdf", path,
                          p->name);
    if (slash &&
        (size_t)snprintf(dir, sizeof dir, "%.*s", (int)(slash - path + 1), path) >= sizeof dir)
        return lte_refuse("%.60s...: the name is too long", path);
    lte_status status = fill(p, of, options, &c);
    if (!status)
        status = lte_file_open(&file, dir, slash ? slash + 1 : path);
    if (!status) {
        lte_chart_tex(file.stream, &c.chart, c.paired ? &c.panel : NULL,
                      sizes[options->size].width_cm);
        status = lte_file_close(&file);
    }
    lte_chart_free(&c.chart);
    lte_chart_free(&c.panel);
    return status;
}

/* Into paths [n], of one reading of the folders: all of them, or none. Says why. */
static lte_status draw(const picture *p, lte_charted *of, const lte_drawing_options *options,
                       const char *const *paths, int n, char *why, size_t size)
{
    FILE *out = lte_gnuplot_settings();
    if (!out)
        return LTE_FAIL(LTE_EIO, "no file in memory: %s", strerror(errno));
    lte_status status = write_settings(p, of, options, out);
    const bool written = fflush(out) == 0 && !ferror(out);
    if (!status && !written)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a picture");
    for (int i = 0; i < n && !status && !*why; i++)
        (void)lte_gnuplot_draw(p->chart ? "chart" : p->name, out, paths[i], why, size);
    (void)fclose(out);
    return status;
}

static const picture *find(const char *name)
{
    for (int i = 0; i < N_PICTURES; i++) {
        if (strcmp(pictures[i].name, name) == 0)
            return &pictures[i];
    }
    return NULL;
}

/* What a folder is about. */
static const picture *choose(const char *dir)
{
    for (int i = 0; i < N_PICTURES; i++) {
        char path[4200];
        (void)snprintf(path, sizeof path, "%s/%s", dir, pictures[i].file);
        if (access(path, R_OK) == 0)
            return &pictures[i];
    }
    return find("ber");
}

lte_status lte_plot_folders(const char *const *dirs, int n, const char *name, const char *path,
                            const lte_drawing_options *options)
{
    char why[300] = "";
    const picture *p = name ? find(name) : choose(dirs[0]);
    lte_charted of;
    if (!p)
        return lte_refuse("there is no picture \"%.40s\"; there are adaptation, pareto, bler, "
                          "throughput, rate, ber, timing and channel",
                          name);
    if (!lte_is_picture(path))
        return lte_refuse("%.60s: the name of a picture ends in .svg, .png, .pdf or .tex", path);
    if (n > LTE_MOST_CHARTED)
        return lte_refuse("a picture shows at most %d runs", LTE_MOST_CHARTED);
    if (options->paired && (n > 1 || p->chart != lte_chart_ber))
        return lte_refuse("--paired: paired differences are shown of bit error rates of one run");
    lte_status status = lte_charted_read(dirs, n, &of);
    if (!status && lte_drawing_is_tex(path))
        status = write_tex(p, &of, options, path);
    else if (!status)
        status = draw(p, &of, options, &path, 1, why, sizeof why);
    lte_charted_free(&of);
    if (!status && *why)
        status = LTE_FAIL(LTE_EIO, "no picture was drawn: %s", why);
    return status;
}

bool lte_plot(const char *dir, const char *name, char *why, size_t size)
{
    static const lte_drawing_options options = {.size = LTE_DRAWING_SCREEN};
    static const char *const endings[] = {".svg", ".png"};
    char temporary[2][4200], final[2][4200], file[64];
    const char *const paths[] = {temporary[0], temporary[1]};
    const picture *p = find(name);
    lte_charted of;
    if (!lte_gnuplot_available()) {
        (void)snprintf(why, size, "gnuplot is not installed");
        return false;
    }
    for (int i = 0; i < 2; i++) {
        (void)snprintf(file, sizeof file, "%s%s", name, endings[i]);
        (void)lte_file_temporary(dir, file, temporary[i], sizeof temporary[i]);
        (void)snprintf(final[i], sizeof final[i], "%s/%s", dir, file);
    }
    lte_status status = lte_charted_read(&dir, 1, &of);
    if (!status)
        status = draw(p, &of, &options, paths, 2, why, size);
    lte_charted_free(&of);
    if (status)
        (void)snprintf(why, size,
                       status == LTE_ENOMEM ? "no memory for it"
                                            : "the results cannot be read back");
    for (int i = 0; i < 2; i++) {
        if (!*why && rename(temporary[i], final[i]) != 0)
            (void)snprintf(why, size, "%s: %s", final[i], strerror(errno));
    }
    for (int i = 0; i < 2; i++) {
        (void)unlink(temporary[i]); /* where it was not renamed */
        if (*why)
            (void)unlink(final[i]); /* both or none: an older one would be of other results */
    }
    return !*why;
}
