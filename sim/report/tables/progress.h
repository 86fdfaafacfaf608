#ifndef LTE_SIM_REPORT_PROGRESS_H
#define LTE_SIM_REPORT_PROGRESS_H
/*
 * Progress on stderr: a live row on a terminal, as much of it as its columns hold, otherwise a line
 * now and then.
 *
 *     lte_progress progress;
 *     lte_progress_init(&progress, quiet);
 *     lte_sweep_run(sweep, workers, n_workers, watch, &progress); // watch: lte_progress_sweep
 *     lte_progress_end(&progress);
 */

#include <stdbool.h>

#include "sim/jobs/sweep/sweep.h"

enum { LTE_PROGRESS_ROW = 160 }; /* characters of the longest row, with its NUL */

typedef struct {
    bool quiet;
    bool terminal;    /* stderr is one that can clear a row */
    bool row_open;    /* a live row stands on the terminal */
    const char *what; /* a deadline run does last; NULL: nothing yet */
    double start, last;
} lte_progress;

void lte_progress_init(lte_progress *progress, bool quiet);
void lte_progress_sweep(lte_progress *progress, const lte_sweep *sweep, int snr, bool point_done);
void lte_progress_deadline(lte_progress *progress, const char *what, double done);

/* Clears the live row. */
void lte_progress_end(lte_progress *progress);

#endif
