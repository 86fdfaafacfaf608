/* A chart for LaTeX: an axis of pgfplots. */
#include "sim/report/charts/chart_writers.h"

#include <math.h>
#include <string.h>

#include "sim/files/text.h"

/* As in plots/common.gp. */
static const char *const colours[LTE_CHART_COLOURS] = {"0072B2", "D55E00", "009E73", "CC79A7",
                                                       "E69F00", "56B4E9", "000000", "8C6D31"};
static const char *const dashes[LTE_CHART_STYLES] = {
    "solid",          "dashed",         "dash dot",       "dash dot dot",
    "densely dotted", "loosely dashed", "densely dashed", "dotted"};
/* Filled, and open. */
static const char *const shapes[2 * LTE_CHART_STYLES] = {
    "*", "square*", "triangle*", "diamond*", "pentagon*", "x",      "+",     "star",
    "o", "square",  "triangle",  "diamond",  "pentagon",  "otimes", "oplus", "asterisk"};

/* A text in which TeX reads no command; what is not UTF-8 becomes a ?. */
static void put_text(FILE *out, const char *text)
{
    for (size_t n; *text; text += n > 0 ? n : 1) {
        n = lte_text_character(text, strnlen(text, 4));
        if (n == 0)
            (void)fputc('?', out);
        else if (n > 1)
            (void)fwrite(text, 1, n, out);
        else if (*text == '\\')
            (void)fputs("\\textbackslash{}", out);
        else if (*text == '~' || *text == '^')
            (void)fprintf(out, "\\%c{}", *text);
        else if (strchr("&%$#_{}", *text))
            (void)fprintf(out, "\\%c", *text);
        else
            (void)fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

static const char *colour_of(int colour)
{
    static const char *const names[LTE_CHART_COLOURS] = {"ltesim 1", "ltesim 2", "ltesim 3",
                                                         "ltesim 4", "ltesim 5", "ltesim 6",
                                                         "ltesim 7", "ltesim 8"};
    return colour >= 0               ? names[colour % LTE_CHART_COLOURS]
           : colour == LTE_CHART_INK ? "ltesim ink"
                                     : "ltesim faint";
}

static const char *dash_of(int style)
{
    return dashes[style % LTE_CHART_STYLES];
}

/* Open shapes are those of styles beyond LTE_CHART_STYLES. */
static const char *shape_of(int style)
{
    return shapes[style % (2 * LTE_CHART_STYLES)];
}

static void put_line(FILE *out, const lte_chart_layer *layer)
{
    (void)fprintf(out, "\\addplot[forget plot, mark=none, %s, %s, %s] table {\n",
                  colour_of(layer->colour), dash_of(layer->style),
                  layer->kind == LTE_LAYER_LINE ? "semithick" : "very thin");
    for (int k = 0; k < layer->n; k++)
        (void)fprintf(out, "%.6g %.6g\n", layer->point[k].x, layer->point[k].y);
    (void)fputs("};\n", out);
}

/* Marks with their intervals; those without one have it of no length. */
static void put_marks(FILE *out, const lte_chart_layer *layer)
{
    (void)fprintf(out,
                  "\\addplot[forget plot, only marks, mark size=1.4pt, %s, mark=%s, error "
                  "bars/.cd, y dir=both, y explicit] table [x index=0, y index=1, y error plus "
                  "index=2, y error minus index=3] {\n",
                  colour_of(layer->colour), shape_of(layer->style));
    for (int k = 0; k < layer->n; k++) {
        const lte_chart_point *p = &layer->point[k];
        if (!isnan(p->y))
            (void)fprintf(out, "%.6g %.6g %.6g %.6g\n", p->x, p->y,
                          isnan(p->high) ? 0.0 : fmax(p->high - p->y, 0.0),
                          isnan(p->low) ? 0.0 : fmax(p->y - p->low, 0.0));
    }
    (void)fputs("};\n", out);
}

static void put_bounds(FILE *out, const lte_chart_layer *layer)
{
    int n = 0;
    for (int k = 0; k < layer->n; k++)
        n += isnan(layer->point[k].y);
    if (n == 0)
        return;
    (void)fprintf(out,
                  "\\addplot[forget plot, only marks, mark size=2pt, %s, mark=triangle%s, mark "
                  "options={rotate=180}] table {\n",
                  colour_of(layer->colour), layer->style < LTE_CHART_STYLES ? "*" : "");
    for (int k = 0; k < layer->n; k++) {
        if (isnan(layer->point[k].y))
            (void)fprintf(out, "%.6g %.6g\n", layer->point[k].x, layer->point[k].high);
    }
    (void)fputs("};\n", out);
}

static void put_key(FILE *out, const lte_chart_key *key)
{
    static const char *const looks[] = {
        [LTE_KEY_COLOUR] = ", line width=2pt",
        [LTE_KEY_JOINED] = ", very thin",
        [LTE_KEY_INTERVAL] = ", only marks, mark=|",
        [LTE_KEY_BOUND] = ", only marks, mark=triangle*, mark options={rotate=180}"};
    (void)fprintf(out, "\\addlegendimage{%s",
                  key->kind == LTE_KEY_NOTE ? "empty legend" : colour_of(key->colour));
    if (key->kind == LTE_KEY_CURVE)
        (void)fprintf(out, ", %s, mark=%s, mark size=1.4pt", dash_of(key->style),
                      shape_of(key->style));
    else if (key->kind == LTE_KEY_LINE)
        (void)fprintf(out, ", %s, semithick", dash_of(key->style));
    else if (key->kind != LTE_KEY_NOTE)
        (void)fputs(looks[key->kind], out);
    (void)fputs("}\n\\addlegendentry{", out);
    put_text(out, key->name);
    (void)fputs("}\n", out);
}

static void put_extras(FILE *out, const lte_chart *chart)
{
    static const char *const places[] = {[LTE_GAIN_LEFT] = "pos=0, below left, align=right",
                                         [LTE_GAIN_RIGHT] = "pos=1, above right, align=left",
                                         [LTE_GAIN_UNDER] = "pos=0.5, below, align=center"};
    for (int i = 0; i < chart->n_words; i++) {
        const lte_chart_word *w = &chart->word[i];
        (void)fprintf(out, "\\node[font=\\tiny, anchor=%s, %s] at (axis cs:%.6g,%.6g) {%s};\n",
                      w->above ? "south" : "north", colour_of(w->colour), w->x, w->y, w->text);
    }
    if (!chart->gain.given)
        return;
    (void)fprintf(out,
                  "\\draw[ltesim ink, <->] (axis cs:%.6g,%.6g) -- (axis cs:%.6g,%.6g)\n  "
                  "node[%s, font=\\scriptsize] {",
                  chart->gain.x0, chart->gain.y, chart->gain.x1, chart->gain.y,
                  places[chart->gain.words]);
    put_text(out, chart->gain.text);
    if (*chart->gain.note)
        (void)fputs("\\\\", out);
    put_text(out, chart->gain.note);
    (void)fputs("};\n", out);
}

static void put_label(FILE *out, const char *name, const char *text)
{
    (void)fprintf(out, "  %s={", name);
    put_text(out, text);
    (void)fputs("},\n", out);
}

/* An axis alone, or of two the one above, without the labels that the other one has, or below. */
typedef enum { ALONE, ABOVE, BELOW } placing;

static void put_axis(FILE *out, const lte_chart *chart, const lte_chart *keys, double width_cm,
                     placing place)
{
    const char *kind = chart->y_logarithmic ? "semilogyaxis" : "axis";
    (void)fprintf(out, "\\begin{%s}[\n", kind);
    if (place == BELOW)
        (void)fputs("  name=below, at={(above.south west)}, anchor=north west, yshift=-0.4cm,\n",
                    out);
    else
        (void)fputs("  name=above,\n", out);
    if (*chart->title)
        put_label(out, "title", chart->title);
    if (place == ABOVE)
        (void)fputs("  xticklabels={},\n", out);
    else
        put_label(out, "xlabel", chart->x_label);
    put_label(out, "ylabel", chart->y_label);
    (void)fprintf(out,
                  "  scale only axis, width=%.4gcm, height=%.4gcm,\n"
                  "  xmin=%.6g, xmax=%.6g, ymin=%.6g, ymax=%.6g,\n"
                  "  grid=both, minor grid style={very thin, gray!20}, major grid style={thin, "
                  "gray!45},\n"
                  "  title style={text width=%.4gcm, align=center, font=\\small},\n"
                  "  label style={font=\\small}, tick label style={font=\\footnotesize},\n"
                  "  legend columns=%d, legend style={at={(0.5,%s)}, anchor=north, draw=none, "
                  "font=\\scriptsize, cells={anchor=west}},\n]\n",
                  width_cm, (place == BELOW ? 0.35 : 0.75) * width_cm, chart->x_low, chart->x_high,
                  chart->y_low, chart->y_high, width_cm, width_cm < 10.0 ? 1 : 2,
                  place == BELOW    ? "-0.4"
                  : width_cm < 10.0 ? "-0.2"
                                    : "-0.15");
    for (int i = 0; i < chart->n_layers; i++) {
        const lte_chart_layer *layer = &chart->layer[i];
        if (layer->n == 0)
            continue;
        if (layer->kind != LTE_LAYER_MARKS) {
            put_line(out, layer);
        } else {
            put_marks(out, layer);
            put_bounds(out, layer);
        }
    }
    for (int i = 0; keys && i < keys->n_keys; i++)
        put_key(out, &keys->key[i]);
    put_extras(out, chart);
    (void)fprintf(out, "\\end{%s}\n", kind);
}

void lte_chart_tex(FILE *out, const lte_chart *chart, const lte_chart *panel, double width_cm)
{
    (void)fputs("% needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16}\n"
                "\\begin{tikzpicture}\n\\definecolor{ltesim ink}{HTML}{404040}\n"
                "\\definecolor{ltesim faint}{HTML}{B0B0B0}\n",
                out);
    for (int i = 0; i < LTE_CHART_COLOURS; i++)
        (void)fprintf(out, "\\definecolor{ltesim %d}{HTML}{%s}\n", i + 1, colours[i]);
    put_axis(out, chart, panel ? NULL : chart, width_cm, panel ? ABOVE : ALONE);
    if (panel) /* the legend of both stands below it */
        put_axis(out, panel, chart, width_cm, BELOW);
    (void)fputs("\\end{tikzpicture}\n", out);
}
