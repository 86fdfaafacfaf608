/* Wrapped lines, and the words of a summary. */
#include "sim/report/summary/summary_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "phy/detection/detectors.h"
#include "sim/report/results/printed.h"

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
    for (const char *at = words; *at;) {
        at += strspn(at, " ");
        const size_t n = strcspn(at, " ");
        if (n > 0)
            add_word(text, at, n);
        at += n;
    }
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

const char *lte_lines_detector(int detector, char *name, size_t size)
{
    return lte_printed_name(lte_detector_named(detector).text, name, size);
}

/* x with so many decimals and the shortest exponent, "4.1e-1". */
static const char *short_power(double x, int decimals, char *cell, size_t size)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.*e", decimals, x);
    const char *e = strchr(text, 'e');
    if (e)
        (void)snprintf(cell, size, "%.*se%ld", (int)(e - text), text, strtol(e + 1, NULL, 10));
    else
        (void)snprintf(cell, size, "%s", text);
    return cell;
}

const char *lte_lines_rate(double rate, char *cell, size_t size)
{
    return short_power(rate, 1, cell, size);
}

const char *lte_lines_digit(double rate, char *cell, size_t size)
{
    return short_power(rate, 0, cell, size);
}
