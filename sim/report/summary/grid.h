#ifndef LTE_SIM_REPORT_GRID_H
#define LTE_SIM_REPORT_GRID_H
/*
 * Rates of detectors by SNR, a small grid: at most nine SNRs, a line for each curve.
 *
 *     lte_grid_put(&text, &sweeps, LTE_GRID_ERRORS);
 */

#include "sim/jobs/sweep/sweep.h"
#include "sim/report/summary/summary_text.h"

typedef enum {
    LTE_GRID_ERRORS,     /* bit error rates; of a code block error rates, first transmission */
    LTE_GRID_INFORMATION /* mutual information */
} lte_grid_kind;

/* Places of the SNRs that are shown, among the points in their order. */
enum { LTE_GRID_MOST = 9, LTE_GRID_FEW = 5 };
typedef struct {
    int n, at[LTE_GRID_MOST];
} lte_grid_shown;

/*
 * The first, the last, and equal steps between, if there are such, else nearly equal ones; as many
 * as fit behind a name of so many columns, seven columns each.
 */
lte_grid_shown lte_grid_choose(int n_points, int width);

/* What the cells of a grid have needed: they are explained below it. */
typedef struct {
    bool few;        /* in brackets: fewer than LTE_GRID_FEW clusters carry the errors */
    bool bound;      /* "<": nothing was wrong */
    bool throughput; /* a last column has it: nothing else need say it */
} lte_grid_marks;

/*
 * Of what has been counted; nothing of sweeps that have no row. Of a code the Mbit/s at a point
 * stand in a last column, if there is room for it.
 */
lte_grid_marks lte_grid_put(lte_lines *text, const lte_sweeps *sweeps, lte_grid_kind kind,
                            int point);

#endif
