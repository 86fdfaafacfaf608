#ifndef LTE_SIM_REPORT_DRAW_H
#define LTE_SIM_REPORT_DRAW_H
/*
 * Pictures of result folders: read here, drawn by gnuplot with the scripts of plots/, or written
 * for LaTeX.
 *
 *     const lte_drawing_options options = {.size = LTE_DRAWING_COLUMN};
 *     lte_status status = lte_plot_folders(dirs, 2, "ber", "compare.pdf", &options);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "phy/base/status.h"

enum { LTE_MOST_CHARTED = 8 }; /* folders of one picture */

/* A screen's width; the column of a paper, 8.5 cm; a slide of 16 to 9. */
typedef enum { LTE_DRAWING_SCREEN, LTE_DRAWING_COLUMN, LTE_DRAWING_SLIDE } lte_drawing_size;

typedef struct {
    lte_drawing_size size;
    bool paired; /* with the paired differences below */
} lte_drawing_options;

/*
 * Draws <name>.svg and <name>.png in dir: both, looked at and whole, or none. Says why [size] if
 * there is none; the result files stand without pictures.
 */
bool lte_plot(const char *dir, const char *name, char *why, size_t size);

/*
 * Draws one picture of result folders dirs [n].
 *
 *   name   "ber", "bler", "throughput", "rate", "adaptation", "timing" or "channel"; NULL: what the
 *          first folder is about
 *   path   of the picture; its ending decides: .svg, .png, .pdf, or .tex for LaTeX with pgfplots
 *
 * Returns LTE_EINVAL for an unknown name or ending, too many folders, or folders without what the
 * picture shows; LTE_EIO if gnuplot is missing or fails; LTE_ENOMEM. A picture that was there stays
 * then.
 */
lte_status lte_plot_folders(const char *const *dirs, int n, const char *name, const char *path,
                            const lte_drawing_options *options);

/* Whether a file's ending is one of a picture, and whether that is of one for LaTeX. */
bool lte_is_picture(const char *path);
bool lte_drawing_is_tex(const char *path);

/* ---- times as bars, in groups that are compared with each other ---- */

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

/* ---- gnuplot as a program: is it there, did it draw what it was told? ---- */

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
