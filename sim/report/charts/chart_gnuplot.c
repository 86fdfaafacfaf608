/* A chart for gnuplot: the assignments that plots/chart.gp draws. */
#include "sim/report/charts/chart_writers.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void put_text(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            (void)fputc('\'', out);
        (void)fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    (void)fputc('\'', out);
}

void lte_gnuplot_set(FILE *out, const char *text, const char *name, ...)
{
    va_list values;
    va_start(values, name);
    (void)vfprintf(out, name, values);
    va_end(values);
    (void)fputs(" = ", out);
    put_text(out, text);
    (void)fputc('\n', out);
}

void lte_gnuplot_number(FILE *out, double x, char end)
{
    if (isfinite(x))
        (void)fprintf(out, "%.9g%c", x, end);
    else
        (void)fprintf(out, "NaN%c", end);
}

const char *lte_gnuplot_time(double x, char *text, size_t size)
{
    (void)snprintf(text, size, x < 99.95 ? "%.3g" : "%.0f", x);
    return text;
}

/* Bytes of the line that a text begins with: up to the last space within a width, or else a word
 * that is longer than a line is cut between characters. */
static size_t line_of(const char *text, int width)
{
    const size_t n = strlen(text);
    size_t space = 0, end = 0;
    for (int columns = 0; end < n && columns < width; columns++) {
        if (text[end] == ' ')
            space = end;
        end++;
        while (end < n && ((unsigned char)text[end] & 0xc0) == 0x80)
            end++;
    }
    return end == n || text[end] == ' ' || space == 0 ? end : space;
}

void lte_gnuplot_title(FILE *out, const char *title, int width)
{
    int lines = 0;
    (void)fputs("title = ''", out);
    while (*title) {
        const size_t n = line_of(title, width);
        char line[400];
        (void)snprintf(line, sizeof line, "%.*s", (int)n, title);
        (void)fputs(lines++ > 0 ? ".\"\\n\"." : ".", out);
        put_text(out, line);
        title += n;
        title += strspn(title, " ");
    }
    (void)fprintf(out, "\ntitle_lines = %d\n", lines > 0 ? lines : 1);
}

/* The points that one kind of drawing takes of a layer: lines, marks, bars, bounds. */
typedef enum { LINES, MARKS, BARS, BOUNDS, N_PASSES } drawing;
static const char *const names[N_PASSES] = {"line", "mark", "bar", "bound"};

static bool takes(drawing pass, const lte_chart_layer *layer, const lte_chart_point *p)
{
    const bool marks = layer->kind == LTE_LAYER_MARKS;
    if (pass == LINES)
        return !marks;
    if (pass == BOUNDS)
        return marks && isnan(p->y);
    return marks && !isnan(p->y) && (pass == MARKS || !isnan(p->low));
}

static void put_points(FILE *out, drawing pass, const lte_chart_layer *layer)
{
    for (int k = 0; k < layer->n; k++) {
        const lte_chart_point *p = &layer->point[k];
        if (!takes(pass, layer, p))
            continue;
        if (pass == BARS)
            (void)fprintf(out, "%.9g %.9g %.9g %.9g\n", p->x, p->y, p->low, p->high);
        else
            (void)fprintf(out, "%.9g %.9g\n", p->x, pass == BOUNDS ? p->high : p->y);
    }
    (void)fputs("\n\n", out);
}

/* Whether a layer has anything for a kind of drawing: gnuplot does not count a block of nothing. */
static bool has(drawing pass, const lte_chart_layer *layer)
{
    for (int k = 0; k < layer->n; k++) {
        if (takes(pass, layer, &layer->point[k]))
            return true;
    }
    return false;
}

/* An array of one number of each layer that has something for a kind of drawing. */
typedef enum { COLOUR, STYLE, KIND, N_NUMBERS } number;
static void put_numbers(FILE *out, drawing pass, const lte_chart *chart, const char *of,
                        number what)
{
    static const char *const called[N_NUMBERS] = {"colour", "style", "kind"};
    int n = 0;
    (void)fprintf(out, "array %s_%s_%s[%d] = [", of, names[pass], called[what],
                  chart->n_layers > 0 ? chart->n_layers : 1);
    for (int i = 0; i < chart->n_layers; i++) {
        const lte_chart_layer *layer = &chart->layer[i];
        const int values[N_NUMBERS] = {layer->colour, layer->style, (int)layer->kind};
        if (has(pass, layer))
            (void)fprintf(out, "%s%d", n++ ? ", " : "", values[what]);
    }
    (void)fputs(n ? "]\n" : "0]\n", out);
}

static void put_layers(FILE *out, drawing pass, const lte_chart *chart, const char *of)
{
    int n = 0;
    (void)fprintf(out, "$%s_%s << END\n", of, names[pass]);
    for (int i = 0; i < chart->n_layers; i++) {
        if (!has(pass, &chart->layer[i]))
            continue;
        put_points(out, pass, &chart->layer[i]);
        n++;
    }
    (void)fputs("END\n", out);
    (void)fprintf(out, "%s_n_%s = %d\n", of, names[pass], n);
    for (number what = COLOUR; what < N_NUMBERS; what++)
        put_numbers(out, pass, chart, of, what);
}

static void put_keys(FILE *out, const lte_chart *chart, const char *of)
{
    const int room = chart->n_keys > 0 ? chart->n_keys : 1;
    (void)fprintf(out, "%s_n_key = %d\narray %s_key_name[%d]\n", of, chart->n_keys, of, room);
    (void)fprintf(out, "array %s_key_kind[%d]\narray %s_key_colour[%d]\narray %s_key_style[%d]\n",
                  of, room, of, room, of, room);
    for (int i = 0; i < chart->n_keys; i++) {
        const lte_chart_key *key = &chart->key[i];
        (void)fprintf(out, "%s_key_kind[%d] = %d\n%s_key_colour[%d] = %d\n%s_key_style[%d] = %d\n",
                      of, i + 1, (int)key->kind, of, i + 1, key->colour, of, i + 1, key->style);
        lte_gnuplot_set(out, key->name, "%s_key_name[%d]", of, i + 1);
    }
}

/* Words in two blocks: above their points, and below. */
static void put_words(FILE *out, const lte_chart *chart, const char *of)
{
    for (int above = 0; above < 2; above++) {
        int n = 0;
        (void)fprintf(out, "$%s_%s << END\n", of, above ? "above" : "below");
        for (int i = 0; i < chart->n_words; i++) {
            const lte_chart_word *w = &chart->word[i];
            if (w->above != (bool)above)
                continue;
            (void)fprintf(out, "%.9g %.9g %s %d\n", w->x, w->y, w->text, w->colour);
            n++;
        }
        (void)fprintf(out, "END\n%s_n_%s = %d\n", of, above ? "above" : "below", n);
    }
}

void lte_chart_gnuplot(FILE *out, const lte_chart *chart, const char *of)
{
    lte_gnuplot_set(out, chart->x_label, "%s_x_label", of);
    lte_gnuplot_set(out, chart->y_label, "%s_y_label", of);
    lte_gnuplot_set(out, chart->gain.text, "%s_gain_text", of);
    lte_gnuplot_set(out, chart->gain.note, "%s_gain_note", of);
    (void)fprintf(out, "%s_y_logarithmic = %d\n", of, chart->y_logarithmic);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"x_low", chart->x_low},
                   {"x_high", chart->x_high},
                   {"y_low", chart->y_low},
                   {"y_high", chart->y_high},
                   {"gain", (double)chart->gain.given},
                   {"gain_x0", chart->gain.x0},
                   {"gain_x1", chart->gain.x1},
                   {"gain_words", (double)chart->gain.words},
                   {"gain_y", chart->gain.y}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)fprintf(out, "%s_%s = %.9g\n", of, numbers[i].name, numbers[i].value);
    for (drawing pass = LINES; pass < N_PASSES; pass++)
        put_layers(out, pass, chart, of);
    put_keys(out, chart, of);
    put_words(out, chart, of);
}
