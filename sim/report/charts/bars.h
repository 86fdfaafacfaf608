#ifndef LTE_SIM_REPORT_BARS_H
#define LTE_SIM_REPORT_BARS_H
/*
 * A picture of times as bars, in groups that are compared with each other.
 *
 *     lte_bar bars[2] = {{"4x4", "delayed", 10.0, 8.0, 0}, {"4x4", "immediate", 15.0, 8.0, 0}};
 *     lte_status status = lte_bars_draw("Delayed updates", bars, 2, "delayed.svg");
 */

#include "phy/base/status.h"

typedef struct {
    char group[64], name[120];
    double us;
    double copy_us; /* what a copy of the same bytes takes; 0: it is not told */
    int colour;     /* 0 processor, 1 device */
} lte_bar;

/*
 * Draws bars [n], those of a group next to each other, on a logarithmic axis of time.
 *
 * Returns LTE_EINVAL unless path ends in .svg, .png or .pdf; LTE_EIO if gnuplot is missing or
 * fails.
 */
lte_status lte_bars_draw(const char *title, const lte_bar *bars, int n, const char *path);

#endif
