/* SNR at a target against the work on a slot. */
#include "sim/jobs/pareto/pareto.h"

#include "sim/jobs/workers/stop.h"

static const double alike = 0.02; /* of the work */

void lte_pareto_init(const lte_sweeps *sweeps, lte_pareto *pareto)
{
    lte_swept at;
    pareto->n = 0;
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++)
        pareto->point[pareto->n++] = (lte_pareto_point){
            .detector = at.detector, .csi = at.sweep->csi, .found = lte_search_of(at.sweep, at.d)};
}

lte_status lte_pareto_time(const lte_scenario *scenario, const lte_backend *backend,
                           lte_engine *engine, const lte_link *link, lte_deadline_watch *watch,
                           void *user, lte_pareto_point *point)
{
    lte_scenario own = *scenario; /* of this detector alone, at its SNR */
    lte_deadline *run = NULL;
    if (!lte_found_is_known(&point->found))
        return LTE_OK;
    own.n_detectors = 1;
    own.detectors[0] = own.deadline.detector = point->detector;
    own.deadline.n_in_turn = 0;
    own.deadline.csi = point->csi;
    own.deadline.snr_db = point->found.snr_db;
    const lte_status status = lte_deadline_run(&own, backend, engine, link, watch, user, &run);
    if (!status && run->at[LTE_PLACEMENT_HOST].slots > 0 && !lte_stop_signal) {
        const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
        point->timed = true;
        point->work_us = host->service.p50_us;
        point->threads = backend->stages ? host->threads : 0;
        point->latency = host->latency;
        point->has_p999 = lte_quantile_holds(0.999, host->due) &&
                          lte_slots_vary(point->detector, lte_different_slots(&own, host->slots));
        point->verdict = host->verdict;
        point->capacity = host->capacity;
    }
    lte_deadline_free(run);
    return status;
}

bool lte_pareto_has_times(const lte_pareto *pareto)
{
    bool any = false;
    for (int i = 0; i < pareto->n; i++)
        any = any || pareto->point[i].timed;
    return any;
}

/* Whether a costs no more than b in either way, and less in one. */
static bool beats(const lte_pareto_point *a, const lte_pareto_point *b)
{
    const double snr = a->found.snr_db - b->found.snr_db, ratio = a->work_us / b->work_us;
    return snr <= 0.0 && ratio <= 1.0 + alike && (snr < 0.0 || ratio < 1.0 - alike);
}

void lte_pareto_judge(lte_pareto *pareto)
{
    for (int i = 0; i < pareto->n; i++) {
        lte_pareto_point *const point = &pareto->point[i];
        point->front = point->timed;
        for (int k = 0; k < pareto->n && point->front; k++)
            point->front = !pareto->point[k].timed || !beats(&pareto->point[k], point);
    }
}
