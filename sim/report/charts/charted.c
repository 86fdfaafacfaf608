/* Folders of a picture, and the curves in their tables. */
#include "sim/report/charts/charted.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/results/printed.h"
#include "sim/scenario/scenario.h"

/* ---- folders ---- */

bool lte_charted_runs(const char *dir, const char *file, glob_t *found)
{
    char pattern[PATH_MAX + 32];
    if ((size_t)snprintf(pattern, sizeof pattern, "%s/mcs_*/%s", dir, file) >= sizeof pattern ||
        strpbrk(dir, "*?[\\") || glob(pattern, 0, NULL, found) != 0)
        return false;
    for (size_t i = 0; i < found->gl_pathc; i++)
        found->gl_pathv[i][strlen(found->gl_pathv[i]) - strlen(file) - 1] = '\0';
    return true;
}

static lte_status read_folder(const char *dir, lte_result *result, bool *is_list)
{
    glob_t runs;
    *is_list = lte_charted_runs(dir, "run.json", &runs);
    if (!*is_list)
        return lte_result_read(dir, result);
    const lte_status status = lte_result_read(runs.gl_pathv[0], result);
    result->dir = dir; /* not that of its first run */
    globfree(&runs);
    return status;
}

/* Whether a folder's label is another's, too. */
static bool is_shared(const lte_charted *of, int folder)
{
    bool shared = false;
    for (int r = 0; r < of->n; r++)
        shared = shared || (r != folder && strcmp(of->label[r], of->label[folder]) == 0);
    return shared;
}

/* Names of folders without what all begin with, up to a "_". */
static void label_folders(lte_charted *of)
{
    size_t common = 0;
    const char *first = of->result[0].name;
    for (size_t i = 0; of->n > 1 && first[i]; i++) {
        bool alike = true;
        for (int r = 1; r < of->n && alike; r++)
            alike = strncmp(of->result[r].name, first, i + 1) == 0 && of->result[r].name[i + 1];
        if (!alike)
            break;
        if (first[i] == '_' && first[i + 1])
            common = i + 1;
    }
    for (int r = 0; r < of->n; r++)
        (void)snprintf(of->label[r], sizeof of->label[r], "%s", of->result[r].name + common);
    bool shared[LTE_MOST_CHARTED];
    for (int pass = 0; pass < 2; pass++) { /* by the folder as it was given, or else a number */
        for (int r = 0; r < of->n; r++)
            shared[r] = is_shared(of, r);
        for (int r = 0; r < of->n; r++) {
            const size_t n = strlen(of->result[r].dir), most = sizeof of->label[r] - 8;
            if (shared[r] && pass == 0)
                (void)snprintf(of->label[r], sizeof of->label[r], "%s",
                               of->result[r].dir + (n > most ? n - most : 0));
            else if (shared[r])
                (void)snprintf(of->label[r], sizeof of->label[r], "%.48s (%d)", of->result[r].name,
                               r + 1);
        }
    }
}

lte_status lte_charted_read(const char *const *dirs, int n, lte_charted *of)
{
    lte_status status = LTE_OK;
    *of = (lte_charted){.n = n};
    for (int r = 0; r < n && !status; r++)
        status = read_folder(dirs[r], &of->result[r], &of->is_list[r]);
    if (!status)
        label_folders(of);
    return status;
}

void lte_charted_free(lte_charted *of)
{
    for (int r = 0; r < of->n; r++) {
        if (of->table[r].text != of->result[r].ber.text)
            lte_table_free(&of->table[r]);
        lte_result_free(&of->result[r]);
    }
    free(of->rows);
    *of = (lte_charted){.n = 0};
}

/* ---- names ---- */

/* The place of a name, to which it is added if it is new; of too many the last. */
static int place_of(lte_charted_names *names, const char *name)
{
    int i = 0;
    while (i < names->n && strcmp(names->name[i], name) != 0)
        i++;
    if (i == LTE_CHARTED_NAMES)
        return i - 1;
    if (i == names->n)
        (void)snprintf(names->name[names->n++], LTE_CHART_NAME, "%s", name);
    return i;
}

static bool has_several_csi(const lte_charted *of)
{
    const char *first = NULL;
    for (int r = 0; r < of->n; r++) {
        for (int i = 0; i < of->table[r].n_rows; i++) {
            const char *csi = lte_table_text(&of->table[r], i, LTE_TABLE_CSI);
            first = first ? first : csi;
            if (strcmp(first, csi) != 0)
                return true;
        }
    }
    return false;
}

/* "DM-RS (LMMSE)", of several folders "20mhz, DM-RS (LMMSE)" */
static void name_style(const lte_charted *of, int folder, const char *csi, char *name)
{
    char text[48];
    (void)snprintf(name, LTE_CHART_NAME, "%s%s%s", of->n > 1 ? of->label[folder] : "",
                   of->n > 1 && of->several_csi ? ", " : "",
                   of->several_csi ? lte_printed_csi(csi, text, sizeof text) : "");
}

/* Detectors and styles, in the order of the tables. */
static lte_status find_names(lte_charted *of)
{
    enum { MANY = 8 };
    int most = 0, n_curves = 0;
    of->several_csi = has_several_csi(of);
    for (int r = 0; r < of->n; r++)
        most = most > of->table[r].n_rows ? most : of->table[r].n_rows;
    of->rows = calloc((size_t)most + 1, sizeof *of->rows);
    if (!of->rows)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a curve of %d points", most);
    for (int r = 0; r < of->n; r++) {
        for (int i = 0; i < of->table[r].n_rows; i++) {
            char name[LTE_CHART_NAME];
            const char *csi = lte_table_text(&of->table[r], i, LTE_TABLE_CSI);
            (void)place_of(&of->detectors,
                           lte_printed_name(lte_table_text(&of->table[r], i, LTE_TABLE_DETECTOR),
                                            name, sizeof name));
            name_style(of, r, csi, name);
            (void)place_of(&of->styles, name);
        }
    }
    lte_charted_curve curve = {.row = -1};
    while (lte_charted_next(of, &curve))
        n_curves++;
    of->by_style = n_curves > MANY;
    return LTE_OK;
}

lte_status lte_charted_table(lte_charted *of, const lte_columns *columns)
{
    lte_status status = LTE_OK;
    for (int r = 0; r < of->n && !status; r++) {
        status = lte_table_read(of->result[r].dir, columns, &of->table[r]);
        if (!status && !of->table[r].text)
            status = lte_refuse("%s: there is no %s", of->result[r].dir, columns->file);
    }
    return status ? status : find_names(of);
}

lte_status lte_charted_ber(lte_charted *of)
{
    for (int r = 0; r < of->n; r++) {
        of->table[r] = of->result[r].ber;
        if (!of->table[r].text)
            return lte_refuse("%s: there is no ber.csv", of->result[r].dir);
    }
    return find_names(of);
}

/* ---- curves ---- */

static bool is_alike(const lte_table *table, int a, int b)
{
    return strcmp(lte_table_text(table, a, LTE_TABLE_DETECTOR),
                  lte_table_text(table, b, LTE_TABLE_DETECTOR)) == 0 &&
           strcmp(lte_table_text(table, a, LTE_TABLE_CSI),
                  lte_table_text(table, b, LTE_TABLE_CSI)) == 0;
}

static bool has_begun(const lte_table *table, int row)
{
    for (int i = row - 1; i >= 0; i--) {
        if (is_alike(table, i, row))
            return true;
    }
    return false;
}

/* The rows of the curve that begins at one, by rising SNR; their number. */
static int collect(const lte_table *table, int first, int *rows)
{
    int n = 0;
    for (int i = first; i < table->n_rows; i++) {
        if (!is_alike(table, first, i))
            continue;
        const double snr = lte_table_real(table, i, LTE_TABLE_SNR);
        int at = n++;
        for (; at > 0 && lte_table_real(table, rows[at - 1], LTE_TABLE_SNR) > snr; at--)
            rows[at] = rows[at - 1];
        rows[at] = i;
    }
    return n;
}

bool lte_charted_next(lte_charted *of, lte_charted_curve *curve)
{
    char printed[48], style[LTE_CHART_NAME];
    do {
        curve->row++;
        while (curve->folder < of->n && curve->row >= of->table[curve->folder].n_rows) {
            curve->folder++;
            curve->row = 0;
        }
    } while (curve->folder < of->n && has_begun(&of->table[curve->folder], curve->row));
    if (curve->folder >= of->n)
        return false;
    const lte_table *table = &of->table[curve->folder];
    curve->detector = lte_table_text(table, curve->row, LTE_TABLE_DETECTOR);
    curve->csi = lte_table_text(table, curve->row, LTE_TABLE_CSI);
    curve->n = collect(table, curve->row, of->rows);
    curve->rows = of->rows;
    (void)lte_printed_name(curve->detector, printed, sizeof printed);
    name_style(of, curve->folder, curve->csi, style);
    curve->colour = place_of(&of->detectors, printed);
    /* where colours begin again styles do not */
    curve->style = place_of(&of->styles, style) + curve->colour / LTE_CHART_COLOURS * of->styles.n;
    curve->style %= LTE_CHART_STYLES;
    (void)snprintf(curve->name, sizeof curve->name, "%s%s%.60s", printed, *style ? ", " : "",
                   style);
    return true;
}

int lte_charted_bits(const json_t *scenario)
{
    const lte_names modulations = LTE_NAMES(lte_modulation_names);
    return 2 * (1 + lte_name_find(&modulations, lte_json_text(scenario, "modulation")));
}

double lte_charted_real(const lte_charted *of, const lte_charted_curve *curve, int i, int column)
{
    return lte_table_real(&of->table[curve->folder], curve->rows[i], column);
}

void lte_charted_key(const lte_charted *of, lte_chart *chart, const lte_charted_curve *curve)
{
    if (!of->by_style)
        lte_chart_key_add(chart, LTE_KEY_CURVE, curve->colour, curve->style, curve->name);
}

void lte_charted_keys(const lte_charted *of, lte_chart *chart)
{
    for (int i = 0; of->by_style && i < of->detectors.n; i++)
        lte_chart_key_add(chart, LTE_KEY_COLOUR, i, 0, of->detectors.name[i]);
    for (int i = 0; of->by_style && i < of->styles.n; i++) {
        if (*of->styles.name[i])
            lte_chart_key_add(chart, LTE_KEY_CURVE, LTE_CHART_INK, i, of->styles.name[i]);
    }
}
