/* Folders of a picture, and the curves in their tables. */
#include "sim/report/charts/charted.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/words.h"
#include "sim/scenario/scenario.h"

/* ---- folders ---- */

static lte_status read_folder(const char *dir, lte_result *result, bool *is_list)
{
    char first[PATH_MAX + 32];
    int *mcs, n;
    lte_status status = lte_mcs_list(dir, &mcs, &n);
    *is_list = n > 0;
    if (status || n == 0)
        return status ? status : lte_result_read(dir, result);
    (void)snprintf(first, sizeof first, "%.*s/mcs_%d", PATH_MAX, dir, mcs[0]);
    free(mcs);
    status = lte_result_read(first, result);
    result->dir = dir; /* not that of its first run */
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
        free(of->curves[r]);
        lte_result_free(&of->result[r]);
    }
    *of = (lte_charted){.n = 0};
}

/* ---- names ---- */

int lte_charted_place(lte_charted_names *names, const char *name)
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
    int n_curves = 0;
    for (int r = 0; r < of->n; r++) {
        of->curves[r] = lte_table_curves(&of->table[r], &of->n_curves[r]);
        if (!of->curves[r])
            return LTE_FAIL(LTE_ENOMEM, "no memory for the curves of %s", of->result[r].dir);
        n_curves += of->n_curves[r];
    }
    const char *csi = NULL;
    for (int r = 0; r < of->n; r++) {
        for (int i = 0; i < of->n_curves[r]; i++) {
            csi = csi ? csi : of->curves[r][i].csi;
            of->several_csi = of->several_csi || strcmp(of->curves[r][i].csi, csi) != 0;
        }
    }
    lte_charted_curve curve = {.place = -1};
    while (lte_charted_next(of, &curve, NULL)) /* each takes its names */
        continue;
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

/* Of many curves an entry for each detector and each style. */
static void add_keys(const lte_charted *of, lte_chart *chart)
{
    for (int i = 0; of->by_style && i < of->detectors.n; i++)
        lte_chart_key_add(chart, LTE_KEY_COLOUR, i, 0, of->detectors.name[i]);
    for (int i = 0; of->by_style && i < of->styles.n; i++) {
        if (*of->styles.name[i])
            lte_chart_key_add(chart, LTE_KEY_CURVE, LTE_CHART_INK, i, of->styles.name[i]);
    }
}

bool lte_charted_next(lte_charted *of, lte_charted_curve *curve, lte_chart *chart)
{
    char printed[48], style[LTE_CHART_NAME];
    curve->place++;
    while (curve->folder < of->n && curve->place >= of->n_curves[curve->folder]) {
        curve->folder++;
        curve->place = 0;
    }
    if (curve->folder >= of->n) {
        if (chart)
            add_keys(of, chart);
        return false;
    }
    const lte_curve *found = &of->curves[curve->folder][curve->place];
    curve->detector = found->detector;
    curve->csi = found->csi;
    curve->n = found->n;
    curve->rows = found->row;
    (void)lte_printed_detector(curve->detector, printed, sizeof printed);
    name_style(of, curve->folder, curve->csi, style);
    curve->colour = lte_charted_place(&of->detectors, printed);
    /* where colours begin again styles do not */
    curve->style =
        lte_charted_place(&of->styles, style) + curve->colour / LTE_CHART_COLOURS * of->styles.n;
    curve->style %= LTE_CHART_STYLES;
    (void)snprintf(curve->name, sizeof curve->name, "%s%s%.60s", printed, *style ? ", " : "",
                   style);
    if (chart && !of->by_style)
        lte_chart_key_add(chart, LTE_KEY_CURVE, curve->colour, curve->style, curve->name);
    return true;
}

int lte_charted_bits(const json_t *scenario)
{
    const lte_names modulations = LTE_NAMES(lte_modulation_rows);
    const int row = lte_name_find(&modulations, lte_json_text(scenario, "modulation"));
    return row < 0 ? 0 : lte_modulation_rows[row].n_bits;
}

double lte_charted_real(const lte_charted *of, const lte_charted_curve *curve, int i, int column)
{
    return lte_table_real(&of->table[curve->folder], curve->rows[i], column);
}
