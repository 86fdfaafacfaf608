/* The run with --pareto: detectors timed where their searches have ended. */
#include <math.h>
#include <stdlib.h>

#include "phy/detection/plugin.h"
#include "sim/jobs/workers/stop.h"
#include "sim/report/expected.h"
#include "sim/run/run.h"

/* Operations on a slot by the formulas of its row; NAN: it has none. */
static double operations_of(const lte_link *link, lte_detector detector)
{
    const lte_operations of = lte_operations_of(link, detector);
    if (lte_plugin_of(detector))
        return (double)NAN;
    return of.gram + of.inversion + of.filter + of.detection + of.llrs;
}

lte_status lte_run_pareto(lte_run *run)
{
    lte_status status = LTE_OK;
    run->pareto = malloc(sizeof *run->pareto);
    if (!run->pareto)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the costs of detectors");
    lte_pareto_init(&run->sweeps, run->pareto);
    lte_progress_init(&run->progress, run->options->quiet);
    for (int i = 0; i < run->pareto->n && !status && !lte_stop_signal; i++) {
        lte_pareto_point *const point = &run->pareto->point[i];
        const lte_link *const link = &run->link[point->csi];
        point->operations = operations_of(link, point->detector);
        status = lte_run_engine(run, point->csi);
        if (!status)
            status = lte_pareto_time(run->scenario, run->team.place[0].backend, run->team.engine[0],
                                     link, lte_run_watch, run, point);
    }
    lte_progress_end(&run->progress);
    lte_pareto_judge(run->pareto);
    return status;
}
