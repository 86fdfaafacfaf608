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

/*
 * Draws one picture of several result folders dirs [n] with plots/<name>.gp into the file path,
 * whose ending says what it is. Says why [size] if there is none.
 */
enum { LTE_MAX_PLOTTED = 8 };
bool lte_plot_runs(const char *const *dirs, int n, const char *name, const char *path, char *why,
                   size_t size);

#endif
