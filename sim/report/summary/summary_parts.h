#ifndef LTE_SIM_REPORT_SUMMARY_PARTS_H
#define LTE_SIM_REPORT_SUMMARY_PARTS_H
/* The parts of a summary. */

#include "sim/report/summary/summary.h"
#include "sim/report/summary/summary_text.h"

/*
 * What was simulated, in how many slots, and what is left out; info->backend NULL: not by whom;
 * sweeps NULL: not in how many.
 */
void lte_summary_head(lte_lines *text, const lte_run_info *info, const lte_sweeps *sweeps);

/* What each detector costs where it reaches the target of a search. */
void lte_summary_pareto(lte_lines *text, const lte_sweeps *sweeps, const lte_pareto *pareto);

/* ---- rates of detectors by SNR, a small grid: at most nine SNRs, a line for each curve ---- */

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
    bool few;        /* in brackets: lte_grid_is_few */
    bool bound;      /* "<": nothing was wrong */
    bool throughput; /* a last column has it: nothing else need say it */
} lte_grid_marks;

/*
 * Of what has been counted; nothing of sweeps that have no row. Of a code the Mbit/s at a point
 * stand in a last column, if there is room for it.
 */
lte_grid_marks lte_grid_put(lte_lines *text, const lte_sweeps *sweeps, lte_grid_kind kind,
                            int point);

/* ---- what a run has come to ---- */

/* Rates by SNR, what detectors gain and estimates cost, and how sure that is. */
void lte_summary_sweeps(lte_lines *text, const lte_sweeps *sweeps, bool interrupted);

/* The verdict, the work, its stages, the carriers that are held; threads: of the whole run. */
void lte_summary_deadline(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run,
                          int threads);

/* True if fewer than LTE_GRID_FEW clusters carry a row's errors or, where more than half is wrong,
 * what is right. */
bool lte_grid_is_few(const lte_interval *of, const lte_row *row);

#endif
