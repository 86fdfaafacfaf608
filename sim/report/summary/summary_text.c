/* Wrapped lines, and the words of a summary. */
#include "sim/report/summary/summary_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "phy/detection/detectors.h"
#include "sim/report/results/words.h"

/* Columns of a word of UTF-8: its characters. */
static int columns_of(const char *word, size_t n)
{
    int columns = 0;
    for (size_t i = 0; i < n; i++)
        columns += ((unsigned char)word[i] & 0xc0) != 0x80;
    return columns;
}

/* A word leaves room for the one sign, as a comma, that may follow it. */
static void add_word(lte_lines *text, const char *word, size_t n)
{
    const int columns = columns_of(word, n);
    const bool glued = text->column > 0 && strchr(";,:", *word) && n == 1;
    if (glued) {
        (void)fputc(*word, text->out);
        text->column++;
        return;
    }
    if (text->column > 0 && text->column + 1 + columns > LTE_LINES_COLUMNS - 1) {
        (void)fputc('\n', text->out);
        text->column = text->indent + 2;
        (void)fprintf(text->out, "%*s", text->column, "");
    } else if (text->column > 0) {
        (void)fputc(' ', text->out);
        text->column++;
    } else {
        (void)fprintf(text->out, "%*s", text->indent, "");
        text->column = text->indent;
    }
    for (size_t i = 0; i < n; i++)
        (void)fputc(word[i] == *LTE_BIND ? ' ' : word[i], text->out);
    text->column += columns;
}

void lte_lines_add(lte_lines *text, const char *format, ...)
{
    char words[2048];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(words, sizeof words, format, values);
    va_end(values);
    const bool ends = *format && format[strlen(format) - 1] == '\n';
    const size_t last = *words ? strlen(words) - 1 : 0; /* of a cut text no end */
    if (ends && words[last] == '\n')
        words[last] = '\0';
    for (const char *at = words; *at;) {
        at += strspn(at, " ");
        const size_t n = strcspn(at, " ");
        if (n > 0)
            add_word(text, at, n);
        at += n;
    }
    if (ends)
        lte_lines_end(text);
}

const char *lte_lines_bind(char *text)
{
    for (char *c = text; *c; c++)
        *c = (char)(*c == ' ' ? *LTE_BIND : *c);
    return text;
}

void lte_lines_end(lte_lines *text)
{
    if (text->column > 0)
        (void)fputc('\n', text->out);
    text->column = 0;
}

void lte_lines_line(lte_lines *text, const char *line)
{
    size_t n = strlen(line);
    while (n > 0 && line[n - 1] == ' ')
        n--;
    lte_lines_end(text);
    (void)fprintf(text->out, "%.*s\n", (int)n, line);
}

const char *lte_lines_detector(lte_detector detector, char *name, size_t size)
{
    return lte_printed_detector(lte_detector_named(detector).text, name, size);
}

const char *lte_lines_curve(const lte_sweeps *sweeps, const lte_swept *at, char *name)
{
    char detector[32];
    (void)snprintf(
        name, LTE_CURVE_NAME, "%s%s%s", lte_lines_detector(at->detector, detector, sizeof detector),
        sweeps->n > 1 ? " " : "", sweeps->n > 1 ? lte_csi_rows[at->sweep->csi].name : "");
    return name;
}

const char *lte_lines_rate(double rate, int decimals, char *cell, size_t size)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.*e", decimals, rate);
    const char *e = strchr(text, 'e');
    if (e)
        (void)snprintf(cell, size, "%.*se%ld", (int)(e - text), text, strtol(e + 1, NULL, 10));
    else
        (void)snprintf(cell, size, "%s", text);
    return cell;
}
