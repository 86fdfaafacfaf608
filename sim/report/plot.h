#ifndef LTE_SIM_REPORT_PLOT_H
#define LTE_SIM_REPORT_PLOT_H
/* Pictures by gnuplot from the result files, with the scripts of plots/. */

#include <stdbool.h>

#include "phy/status.h"

/* True if a gnuplot is found on the path. */
bool lte_plot_available(void);

/*
 * Draws <name>.svg and <name>.png in dir with plots/<name>.gp, atomically.
 *
 * Returns LTE_EIO if gnuplot fails; the result files stand without pictures.
 */
lte_status lte_plot(const char *dir, const char *name);

#endif
