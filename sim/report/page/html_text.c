/* Text of others in an HTML file. */
#include "sim/report/page/html_parts.h"

#include <stdarg.h>
#include <string.h>

#include "sim/files/text.h"

/* Bytes of the character that begins here, 0 if none does or it is one of control of Latin-1. */
static size_t length_of(const char *text)
{
    const size_t n = lte_text_character(text, strnlen(text, 4));
    return n == 2 && (unsigned char)text[0] == 0xc2 && (unsigned char)text[1] < 0xa0 ? 0 : n;
}

static const char *reference(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void lte_html_text(FILE *out, const char *text)
{
    while (*text) {
        const size_t n = length_of(text);
        const char *written = reference(*text);
        if (written)
            (void)fputs(written, out);
        else if (n == 0 || (n == 1 && (*text < ' ' || *text == 0x7f) && *text != '\n'))
            (void)fputc('?', out);
        else
            (void)fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
    }
}

void lte_html_put(FILE *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    for (const char *at = format; *at; at++) {
        char conversion[16];
        if (*at != '%') {
            (void)fputc(*at, out);
            continue;
        }
        const size_t n = 1 + strspn(at + 1, "-+ #.0123456789");
        (void)snprintf(conversion, sizeof conversion, "%.*s", (int)n + 1, at);
        at += n;
        if (*at == 's') {
            lte_html_text(out, va_arg(values, const char *));
        } else if (*at == 'd') {
            const int x = va_arg(values, int);
            (void)fprintf(out, conversion, x);
        } else if (*at == '%') {
            (void)fputc('%', out);
        } else {
            const double x = va_arg(values, double);
            (void)fprintf(out, conversion, x);
        }
    }
    va_end(values);
}

void lte_html_element(FILE *out, const char *name, const char *attributes, const char *text)
{
    (void)fprintf(out, "<%s%s%s>", name, *attributes ? " " : "", attributes);
    lte_html_put(out, "%s</%s>", text, name);
}
