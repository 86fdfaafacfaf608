#ifndef LTE_SIM_JOBS_PARETO_H
#define LTE_SIM_JOBS_PARETO_H
/*
 * What each detector costs where it reaches the target of a search: at the SNR that it needs, the
 * work on a slot and the carriers held. One detector beats another if it needs less SNR or less
 * work, and no more of the other; on the front are those that none beats. Works within 2 % of each
 * other count as the same: a run does not measure them better. On a processor a trial chooses the
 * number of threads of each detector, unless deadline.threads says one.
 *
 *     lte_pareto pareto;
 *     lte_pareto_init(&sweeps, &pareto);
 *     for (int i = 0; i < pareto.n && !status; i++)
 *         status = lte_pareto_time(scenario, backend, engine, &link, watch, user,
 *                                  &pareto.point[i]);
 *     lte_pareto_judge(&pareto);
 */

#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/sweep/search.h"

typedef struct {
    lte_detector detector;
    int csi;
    lte_found found;
    bool timed;              /* its SNR is known, and the rest is there: */
    double work_us;          /* median of the work on a slot or, of a code, on a subframe: with
                                deadline.carriers above 1 on one of each carrier */
    int threads;             /* of a processor, that share it; 0: on a device */
    lte_percentiles latency; /* of what is due, as it comes */
    bool has_p999;           /* there are times, and different slots, enough for it */
    lte_verdict verdict;
    lte_capacity capacity;
    double operations; /* on a slot of a carrier, by its row's formulas; NAN: a plug-in has none */
    bool front;
} lte_pareto_point;

typedef struct {
    lte_pareto_point point[LTE_N_CSI * LTE_MAX_DETECTORS];
    int n;
} lte_pareto;

/* The detectors of sweeps that search, csi by csi, each with what was found. */
void lte_pareto_init(const lte_sweeps *sweeps, lte_pareto *pareto);

/*
 * Times a point, if its SNR is known, by a deadline run of its detector alone, from host memory;
 * the link is that of its csi. Returns what lte_deadline_run does; a signal leaves it untimed.
 */
lte_status lte_pareto_time(const lte_scenario *scenario, const lte_backend *backend,
                           lte_engine *engine, const lte_link *link, lte_deadline_watch *watch,
                           void *user, lte_pareto_point *point);

/* Whether any point was timed. */
bool lte_pareto_has_times(const lte_pareto *pareto);

/* Marks the front of those that were timed. */
void lte_pareto_judge(lte_pareto *pareto);

#endif
