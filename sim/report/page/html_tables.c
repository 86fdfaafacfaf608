/* Tables of a report: the rows of files, and what follows from them. */
#include "sim/report/page/html_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/results/words.h"

enum { NONE = 0 }; /* of the columns is left out: bits of those that are */

/* The heads of a table's page columns, its first n without one. */
static void put_heads(FILE *out, const lte_columns *of, int n, uint64_t without)
{
    for (int i = 0; i < n; i++) {
        const bool is_text = of->column[i].kind == LTE_KIND_TEXT;
        if (of->column[i].page_format && !(without >> i & 1))
            lte_html_element(out, "th", is_text ? "scope=\"col\" class=\"t\"" : "scope=\"col\"",
                             of->column[i].head);
    }
}

/* A cell, as it stands in a file or formatted as the page's; the first of a row heads it. */
static void put_cell(FILE *out, const lte_column *column, const char *stored, bool first)
{
    char text[64];
    if (*column->page_format && *stored) {
        (void)snprintf(text, sizeof text, column->page_format, strtod(stored, NULL));
        stored = text;
    }
    lte_html_element(out, first ? "th" : "td",
                     first                           ? "scope=\"row\""
                     : column->kind == LTE_KIND_TEXT ? "class=\"t\""
                                                     : "",
                     stored);
}

static void put_cells(FILE *out, const lte_table *table, int row, const lte_columns *of, int n)
{
    for (int i = 0; i < n; i++) {
        if (of->column[i].page_format)
            put_cell(out, &of->column[i], lte_table_text(table, row, i), i == 0);
    }
}

/* The cells of an object of run.json, without the row's ends. */
static void put_object(FILE *out, const json_t *object, const lte_columns *of, int n,
                       uint64_t without, bool first)
{
    for (int i = 0; i < n; i++) {
        const lte_column *column = &of->column[i];
        if (!column->page_format || without >> i & 1)
            continue;
        const json_t *value = json_object_get(object, lte_json_key(of, i));
        char number[64] = "";
        if (json_is_number(value))
            (void)snprintf(number, sizeof number, "%.17g", json_number_value(value));
        put_cell(out, column, json_is_string(value) ? json_string_value(value) : number,
                 first && i == 0);
    }
}

/* A table whose rows a page shows. */
typedef struct {
    const lte_columns *columns;
    const lte_table *table;
    int n;             /* of its columns */
    int flagged;       /* the column; -1: none, as of the next three */
    int silent;        /* layers */
    int gmi_high;      /* the high end of the interval of mutual information */
    int status;        /* why a row ended */
    const char *class; /* in the page */
    bool rates;        /* of errors, "" where none was seen */
} shown;

/* A count over all rows. */
static unsigned long long sum_of(const shown *s, int column)
{
    unsigned long long sum = 0;
    for (int i = 0; i < s->table->n_rows && column >= 0; i++)
        sum += strtoull(lte_table_text(s->table, i, column), NULL, 10);
    return sum;
}

/* Rows whose LLRs must not go to a decoder. */
static int misleading_rows(const shown *s)
{
    int n = 0;
    for (int i = 0; i < s->table->n_rows && s->gmi_high >= 0; i++)
        n += lte_table_real(s->table, i, s->gmi_high) < 0.0;
    return n;
}

/* Every step-th row of each curve. */
static lte_status put_rows(FILE *out, const shown *s, int step)
{
    int n = 0;
    lte_curve *curves = lte_table_curves(s->table, &n);
    if (!curves)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the rows of %s", s->columns->file);
    (void)fprintf(out,
                  "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"rows\">"
                  "<table class=\"%s\">\n<caption>Rows of %s%s%s</caption>\n<thead><tr>",
                  s->class, s->columns->file,
                  s->rates ? "; where a rate is empty no error was seen, and it is below the high "
                             "end of its interval"
                           : "",
                  s->status >= 0 && lte_table_find(s->table, s->status, "nodes") >= 0
                      ? "; those of status nodes counted nothing"
                      : "");
    put_heads(out, s->columns, s->n, NONE);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < curves[i].n; k += step) {
            (void)fputs("<tr>", out);
            put_cells(out, s->table, curves[i].row[k], s->columns, s->n);
            (void)fputs("</tr>\n", out);
        }
    }
    free(curves);
    (void)fputs("</tbody></table></div>\n", out);
    if (step > 1)
        (void)fprintf(out,
                      "<p class=\"note\">One point in %d of each curve is shown; all %d rows are "
                      "in %s.</p>\n",
                      step, s->table->n_rows, s->columns->file);
    const int misleading = misleading_rows(s);
    if (misleading > 0)
        (void)fprintf(out,
                      "<p class=\"note\">Mutual information is below 0 in %d row%s, with its whole "
                      "95 %% interval: such LLRs must not go to a decoder.</p>\n",
                      misleading, lte_plural(misleading));
    if (sum_of(s, s->flagged) > 0)
        (void)fprintf(out,
                      "<p class=\"note\">%llu matrices had no inverse; their symbols were detected "
                      "as zero.</p>\n",
                      sum_of(s, s->flagged));
    if (sum_of(s, s->silent) > 0)
        (void)fprintf(out,
                      "<p class=\"note\">%llu layers were silent: their column of a channel matrix "
                      "is zero.</p>\n",
                      sum_of(s, s->silent));
    return LTE_OK;
}

static void put_differences(FILE *out, const lte_reported *all, const lte_result *result)
{
    const json_t *pairs = lte_json_at(result->run, "paired");
    const size_t most = (size_t)(all->room / 2 / all->n) + 1;
    const size_t n = json_array_size(pairs), step = (n + most - 1) / most;
    if (n == 0)
        return;
    (void)fputs("<details open><summary>Paired differences between detectors, over the same "
                "slots</summary>\n<div class=\"wide\"><table>\n<thead><tr><th "
                "scope=\"col\">detectors</th><th scope=\"col\" class=\"t\">csi</th>",
                out);
    put_heads(out, &lte_paired_columns, LTE_N_PAIRED, NONE);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < n; i += step) {
        const json_t *pair = json_array_get(pairs, i);
        lte_html_put(out, "<tr><th scope=\"row\">%s \u2212 %s</th><td class=\"t\">%s</td>",
                     lte_json_text(pair, "a"), lte_json_text(pair, "b"),
                     lte_json_text(pair, "csi"));
        put_object(out, pair, &lte_paired_columns, LTE_N_PAIRED, NONE, false);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
    if (step > 1)
        (void)fprintf(
            out, "<p class=\"note\">One difference in %zu is shown; run.json has all.</p>\n", step);
    (void)fputs("</details>\n", out);
}

/* A table of the objects of a list, nothing of an empty one. */
static void put_objects(FILE *out, const json_t *list, const char *class, const char *caption,
                        const lte_columns *of, int n, uint64_t without)
{
    if (json_array_size(list) == 0)
        return;
    (void)fprintf(out,
                  "<div class=\"wide\"><table class=\"%s\">\n<caption>SNR %s</caption>\n"
                  "<thead><tr>",
                  class, caption);
    put_heads(out, of, n, without);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < json_array_size(list); i++) {
        (void)fputs("<tr>", out);
        put_object(out, json_array_get(list, i), of, n, without, true);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
}

/* What a search has found. */
static void put_found(FILE *out, const lte_result *result)
{
    static const struct {
        const char *key, *coded,
            *uncoded; /* of the scenario; what it is, with a code and without */
        int column;
    } targets[] = {
        {"sweep.target_ber", "block error rate", "bit error rate", LTE_TARGET_BER},
        {"sweep.target_throughput", "share of the largest throughput", "", LTE_TARGET_THROUGHPUT},
        {"sweep.target_rate", "", "mutual information, bits per symbol", LTE_TARGET_RATE},
    };
    enum { N_TARGETS = sizeof targets / sizeof *targets };
    uint64_t other = 0;
    char caption[80];
    int at = 0;
    for (int i = 0; i < N_TARGETS; i++) {
        if (lte_json_number(result->scenario, targets[i].key) > 0.0)
            at = i;
        other |= (uint64_t)1 << targets[i].column;
    }
    other &= ~((uint64_t)1 << targets[at].column);
    (void)snprintf(caption, sizeof caption, "in dB at the target %s",
                   lte_json_at(result->scenario, "code") ? targets[at].coded : targets[at].uncoded);
    put_objects(out, lte_json_at(result->run, "target"), "target", caption, &lte_target_columns,
                LTE_N_TARGET, other);
}

static void put_losses(FILE *out, const lte_result *result)
{
    const json_t *list = lte_json_at(result->run, "detectors");
    int n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const double db = lte_json_number(one, "loss_db_at_1e-2");
        if (!isfinite(db) || strcmp(lte_json_text(one, "csi"), "perfect") == 0)
            continue;
        if (n++ == 0)
            (void)fputs("<div class=\"wide\"><table class=\"losses\">\n<caption>Loss against "
                        "perfect CSI at BER 10<sup>\u22122</sup>"
                        "</caption>\n<thead><tr><th scope=\"col\">detector</th>"
                        "<th scope=\"col\" class=\"t\">csi</th><th scope=\"col\">dB</th></tr>"
                        "</thead>\n<tbody>\n",
                        out);
        lte_html_put(out,
                     "<tr><th scope=\"row\">%s</th><td class=\"t\">%s</td><td>%.2f</td></tr>\n",
                     lte_json_text(one, "detector"), lte_json_text(one, "csi"), db);
    }
    if (n > 0)
        (void)fputs("</tbody></table></div>\n", out);
}

/* Rows of layers.csv that are of one row of ber.csv, from the i-th on. */
static int layers_at(const lte_table *layers, int i)
{
    int n = 1;
    while (i + n < layers->n_rows &&
           lte_table_alike(layers, i + n, layers, i, LTE_TABLE_DETECTOR, LTE_TABLE_SNR))
        n++;
    return n;
}

enum { FEW_LAYERS = 8 }; /* each in a column of its own */

/* The lowest rate of many layers and the highest, each with its layer. */
static void put_extremes(FILE *out, const lte_table *layers, int i, int n)
{
    int least = i, most = i;
    for (int k = i; k < i + n; k++) {
        const double rate = lte_table_real(layers, k, LTE_LAYERS_BER);
        least = rate < lte_table_real(layers, least, LTE_LAYERS_BER) ? k : least;
        most = rate > lte_table_real(layers, most, LTE_LAYERS_BER) ? k : most;
    }
    for (int k = 0; k < 2; k++) {
        const int row = k ? most : least;
        lte_html_element(out, "td", "", lte_table_text(layers, row, LTE_LAYERS_BER));
        lte_html_element(out, "td", "", lte_table_text(layers, row, LTE_LAYERS_LAYER));
    }
}

static void put_layer_heads(FILE *out, int n)
{
    static const char *const extremes[] = {"lowest BER", "layer", "highest BER", "layer"};
    put_heads(out, &lte_layers_columns, LTE_N_LAYERS, NONE);
    for (int k = 0; k < n && n <= FEW_LAYERS; k++)
        (void)fprintf(out, "<th scope=\"col\">BER, layer %d</th>", k);
    for (int k = 0; k < 4 && n > FEW_LAYERS; k++)
        lte_html_element(out, "th", "scope=\"col\"", extremes[k]);
}

static void put_layers(FILE *out, const lte_reported *all, const lte_result *result)
{
    const int most = all->room / 3 / all->n + 1;
    const lte_table *layers = &result->layers;
    const int n = layers->n_rows > 0 ? layers_at(layers, 0) : 0;
    const int step = n > 0 ? (layers->n_rows / n + most - 1) / most : 1;
    if (n < 2)
        return;
    (void)fputs("<details open><summary>Bit error rate of each layer</summary>\n<div "
                "class=\"wide\"><table>\n<thead><tr>",
                out);
    put_layer_heads(out, n);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0, row = 0; i + n <= layers->n_rows; i += n, row++) {
        if (row % step != 0)
            continue;
        (void)fputs("<tr>", out);
        put_cells(out, layers, i, &lte_layers_columns, LTE_N_LAYERS);
        for (int k = i; k < i + n && n <= FEW_LAYERS; k++)
            lte_html_element(out, "td", "", lte_table_text(layers, k, LTE_LAYERS_BER));
        if (n > FEW_LAYERS)
            put_extremes(out, layers, i, n);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
    if (step > 1)
        (void)fprintf(out, "<p class=\"note\">One row in %d is shown; layers.csv has all.</p>\n",
                      step);
    (void)fputs("</details>\n", out);
}

/* Bits of layers, of LLRs, below a line that opens it. */
static lte_status put_bits(FILE *out, const lte_reported *all, const lte_result *result)
{
    const shown s = {&lte_rate_columns, &result->rate, LTE_N_RATE, -1, -1, -1, -1, "rate", false};
    const int most = all->room / 3 / all->n + 1;
    if (result->rate.n_rows == 0)
        return LTE_OK;
    (void)fputs("<details><summary>Mutual information of each bit of a layer</summary>\n", out);
    const lte_status status = put_rows(out, &s, (result->rate.n_rows + most - 1) / most);
    (void)fputs("</details>\n", out);
    return status;
}

lte_status lte_html_tables(FILE *out, const lte_reported *all, const lte_result *result)
{
    const shown rows[] = {{&lte_ber_columns, &result->ber, result->ber.n_columns, LTE_BER_FLAGGED,
                           LTE_BER_SILENT, LTE_BER_GMI_HIGH, LTE_BER_STATUS, "ber", true},
                          {&lte_bler_columns, &result->bler, LTE_N_BLER, LTE_BLER_FLAGGED,
                           LTE_BLER_SILENT, -1, LTE_BLER_STATUS, "bler", true},
                          {&lte_envelope_columns, &result->envelope, LTE_N_ENVELOPE, -1, -1, -1, -1,
                           "envelope", true}};
    lte_status status = LTE_OK;
    put_found(out, result);
    put_objects(out, lte_json_at(result->run, "pareto"), "pareto",
                "at the target against the work there; on the front are those that no other one "
                "beats",
                &lte_pareto_columns, LTE_N_PARETO, NONE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++) {
        if (rows[i].table->n_rows > 0)
            status = put_rows(out, &rows[i], all->row_step);
    }
    put_losses(out, result);
    put_differences(out, all, result);
    put_layers(out, all, result);
    return status ? status : put_bits(out, all, result);
}
