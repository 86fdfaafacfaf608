#ifndef LTE_SIM_JOBS_TURNS_H
#define LTE_SIM_JOBS_TURNS_H
/*
 * Detectors timed in turn, in rounds of periods, so that a clock that drifts falls on all alike:
 * those of deadline.detectors through all slots of the deadline, and judged by it; if there are
 * none, every listed one through some slots, one after the other.
 *
 *     lte_turns turns;
 *     lte_turns_init(scenario, &turns);
 *     status = lte_turns_run(&periods, &turns);    // of one placement
 */

#include "sim/jobs/deadline/percentiles.h"
#include "sim/jobs/deadline/slot_periods.h"

/* What the slot costs with a detector from one placement. */
typedef struct {
    int slots;   /* of a carrier, that ran; 0: none */
    int periods; /* that they ran in */
    /* of those that are judged: */
    int distinct;    /* different slots of them */
    int due, missed; /* slots or subframes, whichever is due; of them late: lte_slot_periods_run */
    bool paced;      /* released every 500 us; else the work takes longer, or nothing is paced */
    lte_verdict verdict;
    /* of slots, or of blocks where they are judged; the p99.9 of a time that depends on what is
       received is NAN with fewer than LTE_VARIED_SLOTS different slots */
    lte_percentiles latency;
} lte_turn;

typedef struct {
    struct {
        lte_detector detector;
        lte_turn at[LTE_N_PLACEMENTS];
    } of[LTE_MAX_DETECTORS];
    int n;
    bool judged; /* they are those of deadline.detectors */
} lte_turns;

/* Which ones; none where a single detector is listed, and none asked for. */
void lte_turns_init(const lte_scenario *scenario, lte_turns *turns);

/* Runs them from the placement of the periods, whose detector is left as it was. */
lte_status lte_turns_run(lte_slot_periods *periods, lte_turns *turns);

/* Whether each that ran is met, from host memory; true without deadline.detectors. */
bool lte_turns_met(const lte_turns *turns);

#endif
