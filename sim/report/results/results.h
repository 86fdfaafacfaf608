#ifndef LTE_SIM_REPORT_RESULTS_H
#define LTE_SIM_REPORT_RESULTS_H
/*
 * The result files: ber.csv, layers.csv, groups.csv, target.csv, timing.csv, latency.csv,
 * channel.csv, channel_grid.csv and run.json.
 *
 *     lte_run_info info = {...};
 *     lte_status status = lte_results_ber(dir, sweep);
 *     status = lte_results_json(dir, &info, sweep, deadline);
 *
 * columns.h has their columns.
 */

#include <time.h>

#include "kernels/link/inversion_rows.h"
#include "sim/channel/validation.h"
#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/pareto/pareto.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/jobs/sweep/part.h"
#include "sim/jobs/sweep/search.h"
#include "sim/report/results/columns.h"

/* What run.json says of the run besides its results. */
typedef struct {
    const lte_scenario *scenario;
    const char *command;                /* line that began it; empty or NULL: not known */
    const char *backend;                /* the one that ran, as in cpu:v4 */
    const char *choices;                /* versions and mappings that it chose */
    const lte_inversion_row *inversion; /* the version of the inverter; NULL: processors ran it */
    lte_device device;
    int threads;   /* of rank 0; 0: others have counted, who are in choices */
    int ranks;     /* one of so many processes */
    lte_part part; /* of the slots */
    time_t start, end;
    const lte_channel_validation *proof; /* NULL: the channel was not proved */
} lte_run_info;

/* "n_tx / n0, ...", the SNR definition that tables and files name. */
extern const char lte_snr_definition[];

enum { LTE_MOST_CELLS = 64 }; /* of a row */

/* The table of a sweep's rows, ber.csv or bler.csv; the first n of its columns are there. */
const lte_columns *lte_row_columns(const lte_sweep *sweep, int *n);

/*
 * Cells of a row: of that table [LTE_MOST_CELLS]; of target.csv what was found of a detector, which
 * is returned, too [LTE_N_TARGET]; of a paired difference [LTE_N_PAIRED]; of a time [LTE_N_TIMES].
 */
void lte_row_cells(const lte_sweep *sweep, const lte_row *row, lte_cell *cells);
lte_found lte_found_cells(const lte_swept *at, lte_cell *cells);
void lte_paired_cells(const lte_sweep *sweep, const lte_pair *pair, lte_cell *cells);
void lte_times_cells(const lte_percentiles *spread, lte_cell *cells);

/*
 * ber.csv, rows csi by csi, layers.csv, each of these rows layer by layer, and groups.csv, their
 * errors by groups of drops; with LLRs rate.csv, what each bit of a layer is worth; of a search
 * target.csv, the SNR that each detector needs.
 */
lte_status lte_results_ber(const char *dir, const lte_sweeps *sweeps);

/* A kind of times of a deadline run, from each placement. */
typedef struct {
    const char *stage; /* as in timing.csv; NULL: the inversion alone, which is not in it */
    lte_detector detector;
    int n[LTE_N_PLACEMENTS];                         /* how many times */
    const lte_percentiles *spread[LTE_N_PLACEMENTS]; /* NULL: there are none */
    double late[LTE_N_PLACEMENTS];                   /* share of them; NAN: it is not judged */
} lte_timed_row;

/* All of them [LTE_MOST_TIMED_ROWS], last each detector alone; returns how many. */
enum { LTE_MOST_TIMED_ROWS = 5 + LTE_N_TIMED + LTE_MAX_DETECTORS };
int lte_timed_rows(const lte_deadline *run, lte_timed_row *rows);

/* timing.csv, and latency.csv with the distribution of slot latencies from host memory. */
lte_status lte_results_timing(const char *dir, const lte_deadline *run);

/* pareto.csv. */
lte_status lte_results_pareto(const char *dir, const lte_pareto *pareto);

/* channel.csv: property,argument,measured,expected,limit,pass, pass being yes or no. */
lte_status lte_results_channel(const char *dir, const lte_channel_validation *proof);

/*
 * channel_grid.csv: time_ms,subcarrier,h_db, the power |h|^2 of receive and transmit antenna 0 over
 * the first slots (two drops, and 16 slots at least) and subcarriers (300 at most), 56 times 100
 * points at most.
 *
 *   channel   the stage that draws
 */
lte_status lte_results_channel_grid(const char *dir, const lte_link *link, lte_channel_fn *channel);

/* sweeps (or their number), deadline and pareto may be 0: that job did not run. */
lte_status lte_results_json(const char *dir, const lte_run_info *info, const lte_sweeps *sweeps,
                            const lte_deadline *run, const lte_pareto *pareto);

#endif
