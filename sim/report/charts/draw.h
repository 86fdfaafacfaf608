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

#include "phy/base/status.h"
#include "sim/report/charts/gnuplot_call.h"

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

#endif
