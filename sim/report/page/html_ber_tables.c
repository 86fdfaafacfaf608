/* Bit error rates in a report: tables of the rows and of what follows from them. */
#include "sim/report/page/html_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/page/html_text.h"

/* The heads of a table's page columns, its first ones. */
static void put_heads(FILE *out, const lte_columns *of, int n)
{
    for (int i = 0; i < n; i++) {
        const bool is_text = of->column[i].kind == LTE_KIND_TEXT;
        if (of->column[i].page_format)
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
static void put_object(FILE *out, const json_t *object, const lte_columns *of, int n, bool first)
{
    for (int i = 0; i < n; i++) {
        const lte_column *column = &of->column[i];
        if (!column->page_format)
            continue;
        const json_t *value = json_object_get(object, lte_json_key(of, i));
        char number[64] = "";
        if (json_is_number(value))
            (void)snprintf(number, sizeof number, "%.17g", json_number_value(value));
        put_cell(out, column, json_is_string(value) ? json_string_value(value) : number,
                 first && i == 0);
    }
}

static void put_rows(FILE *out, const lte_reported *all, const lte_result *result)
{
    const lte_table *ber = &result->ber;
    uint64_t flagged = 0;
    (void)fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"rows\">"
                "<table class=\"ber\">\n<caption>Rows of ber.csv</caption>\n<thead><tr>",
                out);
    put_heads(out, &lte_ber_columns, LTE_N_HARD_BER);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < result->n_curves; i++) {
        for (int k = 0; k < result->curve[i].n; k += all->row_step) {
            (void)fputs("<tr>", out);
            put_cells(out, ber, result->curve[i].row[k], &lte_ber_columns, LTE_N_HARD_BER);
            (void)fputs("</tr>\n", out);
        }
    }
    (void)fputs("</tbody></table></div>\n", out);
    for (int i = 0; i < ber->n_rows; i++)
        flagged += strtoull(lte_table_text(ber, i, LTE_BER_FLAGGED), NULL, 10);
    if (all->row_step > 1)
        (void)fprintf(out,
                      "<p class=\"note\">One point in %d of each curve is shown; all %d rows are "
                      "in ber.csv.</p>\n",
                      all->row_step, ber->n_rows);
    if (flagged > 0)
        (void)fprintf(out,
                      "<p class=\"note\">%llu matrices had no inverse; their symbols were detected "
                      "as zero.</p>\n",
                      (unsigned long long)flagged);
}

/* A number of JSON in a cell: empty if there is none. */
static void put_number(FILE *out, const json_t *object, const char *key, const char *format)
{
    const double x = lte_json_number(object, key);
    (void)fputs("<td>", out);
    if (isfinite(x)) {
        char text[64];
        (void)snprintf(text, sizeof text, format, x);
        (void)fputs(text, out);
    }
    (void)fputs("</td>", out);
}

static void put_differences(FILE *out, const lte_reported *all, const lte_result *result)
{
    const json_t *pairs = json_object_get(result->run, "paired");
    const size_t most = (size_t)(all->room / 2 / all->n) + 1;
    const size_t n = json_array_size(pairs), step = (n + most - 1) / most;
    if (n == 0)
        return;
    (void)fputs("<details open><summary>Paired differences between detectors, over the same "
                "slots</summary>\n<div class=\"wide\"><table>\n<thead><tr><th "
                "scope=\"col\">detectors</th><th scope=\"col\" class=\"t\">csi</th>",
                out);
    put_heads(out, &lte_paired_columns, LTE_N_PAIRED);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < n; i += step) {
        const json_t *pair = json_array_get(pairs, i);
        (void)fputs("<tr><th scope=\"row\">", out);
        lte_html_text(out, lte_json_text(pair, "a"));
        (void)fputs(" \u2212 ", out);
        lte_html_text(out, lte_json_text(pair, "b"));
        (void)fputs("</th>", out);
        lte_html_element(out, "td", "class=\"t\"", lte_json_text(pair, "csi"));
        put_object(out, pair, &lte_paired_columns, LTE_N_PAIRED, false);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
    if (step > 1)
        (void)fprintf(
            out, "<p class=\"note\">One difference in %zu is shown; run.json has all.</p>\n", step);
    (void)fputs("</details>\n", out);
}

/* What a search has found. */
static void put_found(FILE *out, const lte_result *result)
{
    const json_t *list = json_object_get(result->run, "target");
    const size_t n = json_array_size(list);
    if (n == 0)
        return;
    (void)fputs("<div class=\"wide\"><table class=\"target\">\n<caption>SNR in dB at the target "
                "bit error rate</caption>\n<thead><tr>",
                out);
    put_heads(out, &lte_target_columns, LTE_N_TARGET);
    (void)fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < n; i++) {
        (void)fputs("<tr>", out);
        put_object(out, json_array_get(list, i), &lte_target_columns, LTE_N_TARGET, true);
        (void)fputs("</tr>\n", out);
    }
    (void)fputs("</tbody></table></div>\n", out);
}

static void put_losses(FILE *out, const lte_result *result)
{
    const json_t *list = json_object_get(result->run, "detectors");
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
        (void)fputs("<tr>", out);
        lte_html_element(out, "th", "scope=\"row\"", lte_json_text(one, "detector"));
        lte_html_element(out, "td", "class=\"t\"", lte_json_text(one, "csi"));
        put_number(out, one, "loss_db_at_1e-2", "%.2f");
        (void)fputs("</tr>\n", out);
    }
    if (n > 0)
        (void)fputs("</tbody></table></div>\n", out);
}

/* Rows of layers.csv that are of one row of ber.csv, from the i-th on. */
static int layers_at(const lte_table *layers, int i)
{
    static const int same[] = {LTE_LAYERS_DETECTOR, LTE_LAYERS_CSI, LTE_LAYERS_SNR};
    int n = 1;
    for (; i + n < layers->n_rows; n++) {
        for (int k = 0; k < 3; k++) {
            const char *here = lte_table_text(layers, i + n, same[k]);
            if (strcmp(here, lte_table_text(layers, i, same[k])) != 0)
                return n;
        }
    }
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
    put_heads(out, &lte_layers_columns, LTE_N_LAYERS);
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

void lte_html_ber_tables(FILE *out, const lte_reported *all, const lte_result *result)
{
    if (result->ber.n_rows == 0)
        return;
    put_found(out, result);
    put_rows(out, all, result);
    put_losses(out, result);
    put_differences(out, all, result);
    put_layers(out, all, result);
}
