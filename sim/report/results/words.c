/* Names, times and verdicts in words. */
#include "sim/report/results/words.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "phy/base/names.h"
#include "phy/detection/detectors.h"
#include "phy/estimation/csi.h"

void lte_append(char *text, size_t size, const char *format, ...)
{
    const size_t n = strlen(text);
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text + n, size - n, format, values);
    va_end(values);
}

const char *lte_printed_name(const char *from, char *name, size_t size)
{
    enum { ABBREVIATION = 4 }; /* letters at most */
    const size_t n = strcspn(from, "-");
    size_t letters = 0;
    bool first = true;
    (void)snprintf(name, size, "%s", from);
    for (size_t i = 0; i < n && name[i]; i++)
        letters += isalpha((unsigned char)name[i]) != 0;
    for (size_t i = 0; i < n && name[i]; i++) {
        if (first || letters <= ABBREVIATION)
            name[i] = (char)toupper((unsigned char)name[i]);
        first = first && !isalpha((unsigned char)name[i]);
    }
    return name;
}

const char *lte_printed_detector(const char *from, char *name, size_t size)
{
    for (int id = 0; id < LTE_N_DETECTORS; id++) {
        const lte_detector_row *row = &lte_detector_rows[id];
        const size_t n = strlen(row->name);
        if (row->printed && strncmp(from, row->name, n) == 0 &&
            (from[n] == '-' || from[n] == '\0')) {
            (void)snprintf(name, size, "%s%s", row->printed, &from[n]);
            return name;
        }
    }
    return lte_printed_name(from, name, size);
}

const char *lte_printed_csi(const char *from, char *name, size_t size)
{
    const lte_names known = LTE_NAMES(lte_csi_rows);
    const int csi = lte_name_find(&known, from);
    (void)snprintf(name, size, "%s", csi < 0 ? from : lte_csi_rows[csi].printed);
    return name;
}

const char *lte_time_text(double us, char *text, size_t size)
{
    static const struct {
        const char *name;
        double us;
    } units[] = {{"us", 1.0}, {"ms", 1e3}, {"s", 1e6}};
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && us >= 999.5 * units[u].us)
        u++;
    const double x = us / units[u].us;
    (void)snprintf(text, size, x >= 99.95 ? "%.0f %s" : "%.3g %s", x, units[u].name);
    return text;
}

const char *lte_llr_scale_text(const lte_llr_scale *best, int decimals, char *text, size_t size)
{
    if (isnan(best->s))
        (void)snprintf(text, size, "%s", "");
    else if (best->bound != 0)
        (void)snprintf(text, size, "%c%g", best->bound < 0 ? '<' : '>', best->s);
    else
        (void)snprintf(text, size, "%.*f", decimals, best->s);
    return text;
}

const char *lte_verdict_text(const char *verdict, char *text, size_t size)
{
    (void)snprintf(text, size, "%s", verdict);
    for (char *c = text; *c && strcmp(verdict, "met") != 0; c++)
        *c = (char)toupper((unsigned char)*c);
    return text;
}

const char *lte_plural(int n)
{
    return n == 1 ? "" : "s";
}

const char *lte_of_carriers(double n)
{
    return n > 1.0 ? " of all carriers" : "";
}
