#ifndef LTE_SIM_REPORT_GNUPLOT_CALL_H
#define LTE_SIM_REPORT_GNUPLOT_CALL_H
/* gnuplot as a program: is it there, did it draw what it was told? */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Looks once: where there is none, the launcher's stand-in asks each time whether to install it. */
bool lte_gnuplot_available(void);

/* Whether the name ends as a picture does that gnuplot draws here: svg, png or pdf. */
bool lte_gnuplot_draws(const char *path);

/*
 * A file in memory for assignments, so that nothing is left behind, for the caller to close. NULL:
 * there is none.
 */
FILE *lte_gnuplot_settings(void);

/*
 * Draws plots/<script>.gp with a file of assignments, as it stands after fflush, into path, by way
 * of a name beside it, so that the picture is whole or as before. Of svg, png and pdf the ending
 * decides. gnuplot itself reads and writes in memory: no name of a user's file or folder is part
 * of what it is told, and it starts no shell. Says why [size] if it fails.
 */
bool lte_gnuplot_draw(const char *script, FILE *settings, const char *path, char *why, size_t size);

#endif
