/* The page of a report: what it is of, its parts in their order, its style and script. */
#include "sim/report/page/html.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "sim/files/files.h"
#include "sim/files/refuse.h"
#include "sim/report/page/html_parts.h"
#include "sim/report/results/results_folder.h"
#include "sim/files/revision.h"

enum {
    MOST_BYTES = 490000, /* of a report */
    MOST_ROWS = 400,     /* in figure and table; fewer where that is too much, but not fewer than */
    LEAST_ROWS = 10
};

/* "MCS 4 to 12, ", "code rate 0.5, "; nothing without a code. */
static void put_code(FILE *out, const json_t *scenario)
{
    const json_t *mcs = lte_json_at(scenario, "code.mcs");
    const size_t n = json_array_size(mcs);
    const double rate = lte_json_number(scenario, "code.rate");
    if (json_is_integer(mcs))
        (void)fprintf(out, "MCS %d, ", (int)json_integer_value(mcs));
    else if (n > 0)
        (void)fprintf(out, "%zu MCS from %d to %d, ", n,
                      (int)json_integer_value(json_array_get(mcs, 0)),
                      (int)json_integer_value(json_array_get(mcs, n - 1)));
    else if (isfinite(rate))
        (void)fprintf(out, "code rate %g, ", rate);
}

/* "20 MHz, 4x4, 16qam, rayleigh; zf, mmse; seed 1" */
static void put_facts(FILE *out, const lte_result *result)
{
    const json_t *s = result->scenario, *detectors = lte_json_at(s, "detectors");
    lte_html_put(out, "<p class=\"facts\">%g MHz, %.0fx%.0f, ",
                 lte_json_number(s, "carrier.bandwidth_mhz"), lte_json_number(s, "antennas.tx"),
                 lte_json_number(s, "antennas.rx"));
    if (*lte_json_text(s, "modulation"))
        lte_html_put(out, "%s, ", lte_json_text(s, "modulation"));
    put_code(out, s);
    lte_html_put(out, "channel %s; detectors ", lte_json_text(s, "channel.model"));
    for (size_t i = 0; i < json_array_size(detectors); i++) {
        const json_t *const detector = json_array_get(detectors, i); /* an object: a plug-in */
        const char *name = json_string_value(
            json_is_object(detector) ? json_object_get(detector, "name") : detector);
        lte_html_put(out, "%s%s", i ? ", " : "", name ? name : "");
    }
    lte_html_put(out, "; %s; %s</p>\n", lte_json_text(result->run, "device"),
                 lte_json_text(result->run, "start"));
    if (result->unfinished)
        (void)fputs("<p class=\"unfinished\">This run is not finished: some rows may be incomplete "
                    "and others missing. <code>--resume</code> continues it.</p>\n",
                    out);
}

void lte_html_head(FILE *out, const char *title)
{
    (void)fprintf(out,
                  LTE_HTML_START
                  "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n"
                  "<meta name=\"generator\" content=\"ltesim %s (%s)\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n",
                  LTE_VERSION, lte_revision);
    lte_html_put(out, "<title>%s</title>\n<style>\n", title);
    (void)fputs((const char *)lte_html_style, out);
    lte_html_put(out, "</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n", title);
}

void lte_html_end(FILE *out, const char *more)
{
    (void)fprintf(out,
                  "</main>\n<footer><p>Made by ltesim %s (%s).%s</p></footer>\n"
                  "<script>\n%s</script>\n</body>\n</html>\n",
                  LTE_VERSION, lte_revision, more, (const char *)lte_html_script);
}

/* The rows of each MCS of a list, below a line that opens them. */
static lte_status put_list(FILE *out, const lte_reported *all, const lte_result_folder *folder)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < folder->n && !status; i++) {
        (void)fprintf(out, "<details><summary>MCS %d</summary>\n", folder->mcs[i]);
        status = lte_html_tables(out, all, &folder->of[i]);
        (void)fputs("</details>\n", out);
    }
    return status;
}

/* What is said of one result alone. */
static lte_status put_result(FILE *out, const lte_reported *all, int r)
{
    const lte_result *result = &all->of[r];
    lte_html_put(out, "<section aria-labelledby=\"run%d\">\n<h2 id=\"run%d\">%s</h2>\n", r, r,
                 all->n > 1 ? result->name : "Numbers");
    if (all->n > 1) {
        lte_html_element(out, "p", "", result->title);
        put_facts(out, result);
    }
    lte_html_stages(out, result);
    lte_status status = lte_html_tables(out, all, result);
    if (!status)
        status = put_list(out, all, &all->folder[r]);
    if (!status)
        status = lte_html_run(out, result);
    (void)fputs("</section>\n", out);
    return status;
}

static lte_status put_page(FILE *out, const lte_reported *all)
{
    lte_status status = LTE_OK;
    bool same = true;
    for (int r = 1; r < all->n; r++)
        same = same && strcmp(all->of[r].title, all->of[0].title) == 0;
    lte_html_head(out, same ? all->of[0].title : "Comparison of runs");
    if (all->n == 1)
        put_facts(out, all->of);
    (void)fputs("</header>\n<main>\n", out);
    lte_figure_shapes(out);
    status = lte_html_curves(out, all);
    lte_html_deadline(out, all);
    for (int r = 0; r < all->n && !status; r++)
        status = put_result(out, all, r);
    lte_html_end(out, " Figures: point at a value to read it, or move between points with Tab and "
                      "the arrow keys. Click an entry of the legend to hide or show its curve.");
    return status;
}

/* How many points of a curve stand for one that is shown. */
static int row_step(const lte_result *result, int n, int room)
{
    int rows = 0;
    for (int r = 0; r < n; r++)
        rows += result[r].ber.n_rows + result[r].bler.n_rows + result[r].envelope.n_rows;
    return rows > room ? (rows + room - 1) / room : 1;
}

/* The page with rows for so much room, in place of what the file holds; size: its bytes. */
static lte_status put_again(const lte_reported *found, int room, FILE *out, long *size)
{
    lte_reported all = *found;
    all.room = room;
    all.row_step = row_step(all.of, all.n, room);
    rewind(out);
    if (ftruncate(fileno(out), 0) != 0)
        return LTE_FAIL(LTE_EIO, "the report cannot be written: %s", strerror(errno));
    const lte_status status = put_page(out, &all);
    *size = ftell(out);
    return status;
}

static lte_status write_page(const lte_reported *all, const char *dir, const char *name)
{
    lte_file file;
    long size = MOST_BYTES + 1;
    lte_status status = lte_file_open(&file, dir, name);
    if (status)
        return status;
    for (int room = MOST_ROWS; room >= LEAST_ROWS && size > MOST_BYTES && !status; room /= 2)
        status = put_again(all, room, file.stream, &size);
    if (!status && size > MOST_BYTES)
        status = lte_refuse("report: %d results: do not fit into one page of 500 KB", all->n);
    if (!status)
        return lte_file_close(&file);
    lte_file_drop(&file);
    return status;
}

/* Writes to a path that the user has named. */
static lte_status write_to(const lte_reported *all, const char *path)
{
    char dir[4096];
    const char *slash = strrchr(path, '/');
    if (strlen(path) >= sizeof dir || (slash && !slash[1]))
        return lte_refuse("-o %.60s: is not a file name", path);
    (void)snprintf(dir, sizeof dir, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    return write_page(all, *dir ? dir : "/", slash ? slash + 1 : path);
}

lte_status lte_html_report(const char *const *dirs, int n, const char *path)
{
    lte_result_folder folder[LTE_MAX_REPORTED] = {0};
    lte_result result[LTE_MAX_REPORTED]; /* the folders' own */
    const lte_reported all = {.of = result, .folder = folder, .n = n};
    lte_status status = LTE_OK;
    if (n > LTE_MAX_REPORTED)
        return lte_refuse("report: %d results: must be at most %d", n, LTE_MAX_REPORTED);
    for (int i = 0; i < n && !status; i++) {
        status = lte_result_folder_read(dirs[i], &folder[i]);
        result[i] = folder[i].top;
    }
    if (!status)
        status = path ? write_to(&all, path)
                      : lte_results_check(dirs[0], &(lte_results_files){.report = true});
    if (!status && !path)
        status = write_page(&all, dirs[0], LTE_HTML_NAME);
    for (int i = 0; i < n; i++)
        lte_result_folder_free(&folder[i]);
    return status;
}
