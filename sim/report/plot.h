#ifndef LTE_SIM_REPORT_PLOT_H
#define LTE_SIM_REPORT_PLOT_H
/* Pictures by gnuplot from the result files, with the scripts of plots/. */

#include <stdbool.h>
#include <stddef.h>

/* True if a gnuplot is found on the path. */
bool lte_plot_available(void);

/*
 * Draws <name>.svg and <name>.png in dir with plots/<name>.gp: both, looked at and whole, or none.
 * Says why [size] if there is none; the result files stand without pictures.
 */
bool lte_plot(const char *dir, const char *name, char *why, size_t size);

#endif
