/* Times and verdicts in words. */
#include "sim/report/results/units.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

const char *lte_verdict_text(const char *verdict, char *text, size_t size)
{
    (void)snprintf(text, size, "%s", verdict);
    for (char *c = text; *c && strcmp(verdict, "met") != 0; c++)
        *c = (char)toupper((unsigned char)*c);
    return text;
}
