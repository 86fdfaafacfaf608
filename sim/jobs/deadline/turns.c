/* Rounds of periods in which detectors take turns. */
#include "sim/jobs/deadline/turns.h"

#include <math.h>
#include <stdlib.h>

#include "sim/jobs/workers/stop.h"

enum {
    /* periods of each detector: rounds of at least so many, in which they take turns */
    ROUND = 20,
    ROUNDS = 4,        /* if that many fit into cost_s, */
    FEWEST_ROUNDS = 2, /* else so many, unless there are fewer slots */
};
static const double cost_s = 0.5;

void lte_turns_init(const lte_scenario *scenario, lte_turns *turns)
{
    const lte_scenario_deadline *rule = &scenario->deadline;
    *turns = (lte_turns){.judged = rule->n_in_turn > 0};
    const lte_detector *const list = turns->judged ? rule->in_turn : scenario->detectors;
    turns->n = turns->judged ? rule->n_in_turn : scenario->n_detectors;
    if (turns->n == 1 && !turns->judged)
        turns->n = 0;
    for (int i = 0; i < turns->n; i++)
        turns->of[i].detector = list[i];
}

/* What the rounds of a detector have given so far. */
typedef struct {
    float *latency_us, *block_us, *decoder_us; /* [wanted]; the last two of a code alone; owned */
    int wanted, done;                          /* periods; wanted: 0 before its first round */
    bool paced, stalled;
    double typical_us, period_us;
} rounds;

/* Periods that a detector gets of all its rounds, by what one has taken while warming up. */
static int wanted_of(const lte_slot_periods *periods, bool judged)
{
    const lte_scenario *scenario = periods->scenario;
    const int slots = judged ? scenario->deadline.slots : lte_repeats_of(scenario);
    const int most = lte_slot_periods_of(periods, slots);
    const int fit = (int)fmin(1e6 * cost_s / fmax(1.0, periods->typical_us), most);
    const int fewest = FEWEST_ROUNDS * ROUND;
    const int wanted = judged ? most : fit > fewest ? fit : fewest;
    const int n = wanted < most ? wanted : most;
    return n - n % periods->of_due; /* whole subframes */
}

/*
 * Periods of the next round: a quarter of all, an even number, but no fewer than a round has; what
 * would be less than another round is of the last.
 */
static int round_of(int wanted, int done)
{
    const int quarter = (wanted + 2 * ROUNDS - 1) / (2 * ROUNDS) * 2, left = wanted - done;
    const int n = quarter > ROUND ? quarter : ROUND;
    return left < n + ROUND ? left : n;
}

/* Room for what a detector wants, known once it has warmed up. */
static lte_status begin_rounds(const lte_slot_periods *periods, bool judged, rounds *own)
{
    if (own->wanted > 0)
        return LTE_OK;
    own->wanted = wanted_of(periods, judged);
    own->paced = judged && periods->scenario->deadline.paced && periods->load <= 1.0;
    own->typical_us = periods->load * own->period_us;
    own->latency_us = malloc((size_t)own->wanted * 3 * sizeof *own->latency_us);
    if (!own->latency_us)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the times of %d periods", own->wanted);
    own->block_us = own->latency_us + own->wanted;
    own->decoder_us = own->block_us + own->wanted;
    return LTE_OK;
}

/* A round of a detector: periods of the deadline, or each begun when the last is done. */
static lte_status time_detector(lte_slot_periods *periods, lte_turns *turns, int i, rounds *own)
{
    lte_turn *const turn = &turns->of[i].at[periods->placement];
    const bool decodes = periods->decodes;
    lte_seen seen;
    periods->detector = turns->of[i].detector;
    lte_status status = lte_slot_periods_begin(periods, periods->scenario->deadline.carriers);
    if (status)
        return status;
    own->period_us = 1e6 * lte_slot_periods_due_s(periods);
    status = begin_rounds(periods, turns->judged, own);
    if (!status) {
        seen = (lte_seen){.latency_us = own->latency_us + own->done};
        if (turns->judged && decodes) {
            seen.block_us = own->block_us + turn->due;
            seen.decoder_us = own->decoder_us + turn->due;
        }
        periods->decodes = turns->judged && decodes;
        periods->first = own->done;
        status = lte_slot_periods_run(periods, "each detector", own->paced,
                                      round_of(own->wanted, own->done), -1, &seen);
        own->done += seen.periods;
        turn->due += seen.due;
        turn->missed += seen.missed;
        own->stalled = own->stalled || (own->paced && lte_slot_periods_stalled(periods, &seen));
    }
    periods->first = 0;
    periods->decodes = decodes;
    const lte_status ended = lte_slot_periods_end(periods);
    return status ? status : ended;
}

/*
 * Of n that are due, those that would be late if one were due every period_us while each takes
 * typical_us, which is longer: number k, from 0, waits for k (typical_us - period_us). With a code
 * all but the first are late: their slots wait for longer than the 500 us that a slot has.
 */
static int late_if_paced(const lte_slot_periods *periods, const rounds *own, int n)
{
    const double more_us = own->typical_us - own->period_us;
    const double left_us = periods->scenario->deadline.budget_us - own->typical_us;
    const double in_time = fmax(floor(left_us / more_us) + 1.0, 0.0);
    return n - (int)fmin(in_time, periods->decodes ? 1 : n);
}

/* One whose load is above 1 was not paced, and is late as if it had been. */
static lte_verdict verdict_of(const lte_slot_periods *periods, const rounds *own,
                              const lte_turn *turn)
{
    const bool overloaded = periods->scenario->deadline.paced && own->typical_us > own->period_us;
    const int paced = overloaded ? late_if_paced(periods, own, turn->due) : 0;
    return lte_verdict_of(periods->scenario,
                          &(lte_evidence){.due = turn->due,
                                          .late = paced > turn->missed ? paced : turn->missed,
                                          .work_us = own->typical_us,
                                          .period_us = own->period_us,
                                          .overloaded = overloaded,
                                          .stalled = own->stalled});
}

/* What the rounds of a detector come to. */
static void end_rounds(const lte_slot_periods *periods, bool judged, lte_detector detector,
                       rounds *own, lte_turn *turn)
{
    const bool blocks = judged && periods->decodes;
    if (own->done == 0)
        return;
    turn->periods = own->done;
    turn->slots = own->done * periods->slots_each;
    turn->distinct = lte_different_slots(periods->scenario, turn->slots);
    turn->paced = own->paced;
    turn->latency = blocks ? lte_percentiles_of(own->block_us, turn->due)
                           : lte_percentiles_of(own->latency_us, own->done);
    if (judged && !lte_slots_vary(detector, turn->distinct))
        turn->latency.p999_us = (double)NAN;
    turn->verdict = verdict_of(periods, own, turn);
}

/* True while a detector wants another round. */
static bool wants_more(const lte_turns *turns, const rounds *all)
{
    for (int i = 0; i < turns->n; i++) {
        if (all[i].done < all[i].wanted)
            return true;
    }
    return false;
}

/*
 * All that are timed in turn, in rounds, every second one in the opposite order: a clock that
 * drifts falls on all alike.
 */
lte_status lte_turns_run(lte_slot_periods *periods, lte_turns *turns)
{
    const lte_detector detector = periods->detector;
    rounds all[LTE_MAX_DETECTORS] = {{.latency_us = NULL}};
    lte_status status = LTE_OK;
    for (int round = 0; (round == 0 || wants_more(turns, all)) && !status && !lte_stop_signal;
         round++) {
        for (int k = 0; k < turns->n && !status && !lte_stop_signal; k++) {
            const int i = round % 2 == 0 ? k : turns->n - 1 - k;
            if (round == 0 || all[i].done < all[i].wanted)
                status = time_detector(periods, turns, i, &all[i]);
        }
    }
    for (int i = 0; i < turns->n; i++) {
        if (!status)
            end_rounds(periods, turns->judged, turns->of[i].detector, &all[i],
                       &turns->of[i].at[periods->placement]);
        free(all[i].latency_us);
    }
    periods->detector = detector;
    return status;
}

bool lte_turns_met(const lte_turns *turns)
{
    for (int i = 0; i < turns->n && turns->judged; i++) {
        const lte_turn *turn = &turns->of[i].at[LTE_PLACEMENT_HOST];
        if (turn->slots > 0 && turn->verdict != LTE_VERDICT_MET)
            return false;
    }
    return true;
}
