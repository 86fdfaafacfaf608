/* The room that a terminal has. */
#include "sim/report/tables/terminal.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

int lte_terminal_columns(FILE *stream)
{
    enum { USUAL = 80 };
    struct winsize size = {0};
    const int fd = fileno(stream);
    if (fd < 0 || !isatty(fd))
        return 0;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL;
}

unsigned lte_columns_shown(int n_characters, int others, const lte_table_column *columns, int n)
{
    unsigned shown = 0;
    int width = others;
    for (int i = 0; i < n; i++) {
        shown |= 1u << i;
        width += columns[i].width;
    }
    while (n_characters > 0 && width > n_characters) {
        int last = -1;
        for (int i = 0; i < n; i++) {
            if (shown & 1u << i && columns[i].rank > (last < 0 ? 0 : columns[last].rank))
                last = i;
        }
        if (last < 0)
            break;
        shown &= ~(1u << last);
        width -= columns[last].width;
    }
    return shown;
}

static void put_text(FILE *out, const lte_table_column *column, const char *text, bool last)
{
    if (column->left)
        (void)fprintf(out, "  %-*s", last ? 0 : column->width - 2, text);
    else
        (void)fprintf(out, "%*s", column->width, text);
}

void lte_columns_heads(FILE *out, unsigned shown, const lte_table_column *columns, int n)
{
    for (int i = 0; i < n; i++) {
        if (shown & 1u << i)
            put_text(out, &columns[i], columns[i].head, shown >> i == 1);
    }
    (void)fputc('\n', out);
}

void lte_columns_put(FILE *out, unsigned shown, const lte_table_column *columns, int i,
                     const char *format, ...)
{
    char text[64];
    va_list arguments;
    if (!(shown & 1u << i))
        return;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_text(out, &columns[i], text, shown >> i == 1);
}
