/* The room that a terminal has. */
#include "sim/report/tables/terminal.h"

#include <string.h>
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

int lte_detector_width(const lte_scenario *scenario)
{
    int width = (int)sizeof "detector";
    for (int d = 0; d < scenario->n_detectors; d++) {
        const int n = (int)strlen(lte_detector_named(scenario->detectors[d]).text);
        width = n > width ? n : width;
    }
    return width;
}

lte_shown lte_terminal_shown(FILE *out, int names, const lte_columns *of, int n)
{
    const int room = lte_terminal_columns(out);
    lte_shown shown = 0;
    int width = names;
    for (int i = 0; i < n; i++) {
        shown |= of->column[i].width > 0 ? LTE_SHOWN << i : 0;
        width += of->column[i].width;
    }
    while (room > 0 && width > room) {
        int last = -1;
        for (int i = 0; i < n; i++) {
            if (shown & LTE_SHOWN << i &&
                of->column[i].rank > (last < 0 ? 0 : of->column[last].rank))
                last = i;
        }
        if (last < 0)
            break;
        shown &= ~(LTE_SHOWN << last);
        width -= of->column[last].width;
    }
    return shown;
}

void lte_terminal_names(FILE *out, int width, const char *detector, const char *csi)
{
    (void)fprintf(out, "%-*s", width, detector);
    if (csi)
        (void)fprintf(out, " %-*s", LTE_CSI_WIDTH - 1, csi);
}

/* A text to the left, after two spaces, anything else to the right. */
static void put_text(FILE *out, const lte_column *column, const char *text, bool last)
{
    if (column->kind == LTE_KIND_TEXT)
        (void)fprintf(out, "  %-*s", last ? 0 : column->width - 2, text);
    else
        (void)fprintf(out, "%*s", column->width, text);
}

void lte_terminal_heads(FILE *out, lte_shown shown, const lte_columns *of, int n)
{
    for (int i = 0; i < n; i++) {
        if (shown & LTE_SHOWN << i)
            put_text(out, &of->column[i], of->column[i].head, shown >> i == 1);
    }
    (void)fputc('\n', out);
}

void lte_terminal_row(FILE *out, lte_shown shown, const lte_columns *of, int n,
                      const lte_cell *cells)
{
    char text[64];
    for (int i = 0; i < n; i++) {
        if (shown & LTE_SHOWN << i)
            put_text(out, &of->column[i],
                     lte_cell_text(&of->column[i], &cells[i], text, sizeof text), shown >> i == 1);
    }
}
