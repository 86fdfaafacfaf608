#ifndef LTE_SIM_JOBS_TEAM_H
#define LTE_SIM_JOBS_TEAM_H
/*
 * The engines of a run, one for each place that its backend means: what counts a sweep together.
 *
 *     lte_team team;
 *     lte_status status = lte_team_open("cuda:all", n_threads, device_memory, &team);
 *     status = lte_team_take(&team, &link, n_detectors, true);
 *     status = lte_sweep_run(sweep, team.worker, team.n_workers, watch, user);
 *     ... team.engine[0] ...     // the first place alone, as for a deadline run
 *     lte_team_close(&team);
 */

#include "sim/jobs/workers/workers.h"

typedef struct {
    lte_place place[LTE_MAX_PLACES];
    int n;                              /* places */
    int n_threads;                      /* of the processor, over all engines */
    size_t device_memory;               /* lte_engine_options */
    bool shared;                        /* a worker alone has a thread of its own, too */
    lte_engine *engine[LTE_MAX_PLACES]; /* of one link at a time; those that are not there NULL */
    lte_worker worker[LTE_MAX_PLACES];  /* that the engines are */
    int n_workers;                      /* 0: none have been taken */
} lte_team;

/* Nobody works yet. Returns what lte_backend_places does. */
lte_status lte_team_open(const char *name, int n_threads, size_t device_memory, lte_team *team);

/* Of a machine with several teams: one place is left, of team number i in turn. */
void lte_team_share(lte_team *team, int i);

/*
 * Engines for a link in the place of those that there were: of all places, which are workers then,
 * each on a thread of its own if there are several or the team is shared; or of the first place
 * alone.
 *
 * Returns LTE_ENOMEM, LTE_EDEVICE.
 */
lte_status lte_team_take(lte_team *team, const lte_link *link, int n_detectors, bool all);

/* Gives the engines back. */
void lte_team_leave(lte_team *team);

/* Processor threads of the engines that were taken. */
int lte_team_threads(const lte_team *team);

#endif
