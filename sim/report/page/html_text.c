/* Text of others in an HTML file. */
#include "sim/report/page/html_text.h"

#include <stdbool.h>

/* Bytes of the UTF-8 character that begins here, 0 if none does. */
static int length_of(const unsigned char *c)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const int n = c[0] < 0x80   ? 1
                  : c[0] < 0xc2 ? 0
                  : c[0] < 0xe0 ? 2
                  : c[0] < 0xf0 ? 3
                  : c[0] < 0xf5 ? 4
                                : 0;
    unsigned code = n > 1 ? c[0] & (0x7fu >> n) : c[0];
    for (int i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3f);
    }
    const bool none = n > 1 && (code < least[n] || (code >= 0xd800 && code < 0xe000) ||
                                (code >= 0x80 && code < 0xa0) || code > 0x10ffff);
    return none ? 0 : n;
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
        const int n = length_of((const unsigned char *)text);
        const char *written = reference(*text);
        if (written)
            (void)fputs(written, out);
        else if (n == 0 || (n == 1 && (*text < ' ' || *text == 0x7f) && *text != '\n'))
            (void)fputc('?', out);
        else
            (void)fwrite(text, 1, (size_t)n, out);
        text += n > 0 ? n : 1;
    }
}

void lte_html_element(FILE *out, const char *name, const char *attributes, const char *text)
{
    (void)fprintf(out, "<%s%s%s>", name, *attributes ? " " : "", attributes);
    lte_html_text(out, text);
    (void)fprintf(out, "</%s>", name);
}
