/* Slots released every 500 us: their latencies, and releases clear of interruptions. */
#include "sim/jobs/deadline/slot_periods.h"

#include <math.h>

#include "kernels/backends/clock.h"
#include "kernels/coding/counted.h"
#include "sim/jobs/deadline/machine_use.h"
#include "sim/jobs/workers/stop.h"
#include "sim/jobs/deadline/release_phase.h"
#include "sim/jobs/deadline/percentiles.h"

enum {
    CLEARED = 1024,      /* outputs at once */
    WARM_UP_PERIODS = 20 /* fewer where they take longer than: */
};
static const double warm_up_s = 0.5;
static const double watch_s = 2.5; /* between two looks at the terminal */

const char *const lte_verdict_names[LTE_N_VERDICTS] = {[LTE_VERDICT_MET] = "met",
                                                       [LTE_VERDICT_OVERLOADED] = "overloaded",
                                                       [LTE_VERDICT_UNDECIDED] = "undecided",
                                                       [LTE_VERDICT_MISSED] = "missed"};

void lte_slot_periods_init(lte_slot_periods *periods, const lte_link *link)
{
    const int due_slots = lte_counted_of(link)->due_slots;
    periods->decodes = due_slots > 1;
    periods->of_due = lte_due_parts(link);
    periods->slots_each = due_slots / periods->of_due;
}

/* A period, from its release on. */
typedef struct {
    double slots_s, decoder_s; /* to the slots' outputs; from there to the blocks */
    bool has_blocks;
} passed;

/* Slots that a period has of all carriers. */
static int slots_of(const lte_slot_periods *periods)
{
    return periods->n_carriers * periods->slots_each;
}

/* Period k takes the next slots of the buffer. */
static lte_status run_period(lte_slot_periods *periods, int64_t k, double release_s, double *gap_s,
                             passed *p)
{
    const lte_slot_ops *slots = periods->backend->slots;
    const uint64_t first = (uint64_t)k * (uint64_t)slots_of(periods);
    double completed_s = release_s, decoded_s = 0.0;
    *p = (passed){.has_blocks = periods->decodes && k % periods->of_due == periods->of_due - 1};
    lte_status status = slots->run(periods->engine, first, release_s, &completed_s, gap_s);
    p->slots_s = completed_s - release_s;
    if (status || !p->has_blocks)
        return status;
    status = slots->decode(periods->engine, first, &decoded_s);
    p->decoder_s = decoded_s - completed_s;
    return status;
}

/* Medians of what is due. */
static lte_status warm_up(lte_slot_periods *periods)
{
    float us[WARM_UP_PERIODS], work_us[WARM_UP_PERIODS];
    double spent_s = 0.0, gap_s = 0.0;
    int n = 0;
    while (n < WARM_UP_PERIODS && spent_s < warm_up_s) {
        double work_s = 0.0;
        passed p = {0};
        for (int i = 0; i < periods->of_due; i++) {
            const int k = n * periods->of_due + i;
            const lte_status status = run_period(periods, k, lte_seconds(), &gap_s, &p);
            if (status)
                return status;
            work_s += p.slots_s + p.decoder_s;
        }
        us[n] = (float)(1e6 * (p.slots_s + p.decoder_s));
        work_us[n++] = (float)(1e6 * work_s);
        spent_s += lte_stop_signal ? warm_up_s : work_s;
    }
    periods->typical_us = lte_percentiles_of(us, n).p50_us;
    periods->load = 1e-6 * lte_percentiles_of(work_us, n).p50_us / lte_slot_periods_due_s(periods);
    return LTE_OK;
}

lte_status lte_slot_periods_begin(lte_slot_periods *periods, int n_carriers)
{
    const lte_slot_ops *slots = periods->backend->slots;
    const lte_scenario_deadline *rule = &periods->scenario->deadline;
    periods->n_carriers = n_carriers;
    lte_status status = lte_slot_buffer_reserve(periods->buffer, n_carriers);
    if (status)
        return status;
    const uint64_t n_out = lte_slot_buffer_memory(periods->buffer).n_out;
    for (uint64_t first = 0; first < n_out && !lte_stop_signal; first += CLEARED)
        lte_slot_buffer_clear(periods->buffer, first, CLEARED);
    const lte_slot_plan plan = {.job = {.memory = lte_slot_buffer_memory(periods->buffer),
                                        .noise = periods->noise,
                                        .detector = periods->detector,
                                        .n_carriers = slots_of(periods)},
                                .placement = periods->placement,
                                .n_threads = periods->n_threads,
                                .enough_us = 0.5 * rule->budget_us,
                                .stop = &lte_stop_signal};
    status = slots->begin(periods->engine, &plan, &periods->setup);
    if (status)
        return status;
    status = warm_up(periods);
    if (status)
        (void)slots->end(periods->engine);
    return status;
}

/* Soon, and where the machine's own ticks will not fall on every so many of ours. */
static double first_release(lte_slot_periods *periods, double *gap_s)
{
    periods->phase_us = lte_release_phase(1e6 * LTE_SLOT_S, periods->typical_us, gap_s);
    return LTE_SLOT_S * (ceil(lte_seconds() / LTE_SLOT_S) + 1.0) + 1e-6 * periods->phase_us;
}

/* Period k has passed: true if it was late. */
static bool see(const lte_slot_periods *periods, int k, const passed *p, lte_seen *seen)
{
    const double budget_us = periods->scenario->deadline.budget_us;
    const int block = k / periods->of_due;
    const float latency_us = (float)(1e6 * p->slots_s);
    const float block_us = (float)(1e6 * (p->slots_s + p->decoder_s));
    seen->latency_us[k] = latency_us;
    if (!periods->decodes)
        return !((double)latency_us <= budget_us);
    if (p->has_blocks && seen->block_us) {
        seen->block_us[block] = block_us;
        seen->decoder_us[block] = (float)(1e6 * p->decoder_s);
    }
    return !((double)latency_us <= 1e6 * LTE_SLOT_S) ||
           (p->has_blocks && !((double)block_us <= budget_us));
}

/* True if the median of the first n services, which stay as they are, exceeds what there is. */
static bool is_overloaded(const lte_slot_periods *periods, const lte_seen *seen, int n)
{
    const double due_us = 1e6 * lte_slot_periods_due_s(periods);
    int longer = 0;
    for (int i = 0; i < n; i++)
        longer += (double)seen->service_us[i] > due_us;
    return 2 * longer > n;
}

/* What the machine has kept from the run since its first release. */
static void end_of_paced(const lte_slot_periods *periods, double start,
                         const lte_machine_use *before, lte_seen *seen)
{
    const lte_machine_use after = lte_machine_use_now();
    seen->lasted_s = fmax(lte_seconds() - start, 0.0);
    const double had_s = seen->lasted_s * periods->setup.n_threads;
    seen->taken = had_s > 0.0 ? lte_machine_use_taken(before, &after) / had_s : 0.0;
}

lte_status lte_slot_periods_run(lte_slot_periods *periods, const char *what, bool paced, int n,
                                int max_missed, lte_seen *seen)
{
    const double period_s = lte_slot_period_s(periods);
    lte_status status = LTE_OK;
    const int distinct = periods->scenario->deadline.distinct;
    const int least = distinct > LTE_OVERLOAD_LEAST ? distinct : LTE_OVERLOAD_LEAST;
    const int judged = least < LTE_OVERLOAD_MOST ? least : LTE_OVERLOAD_MOST;
    seen->periods = seen->due = seen->missed = 0;
    const int allowed = lte_allowed_misses(periods->scenario, n / periods->of_due);
    seen->overloaded = false;
    periods->work_s = 0.0;
    bool late = false;
    double watched = -INFINITY, work_s = 0.0;
    seen->gap_s = seen->lasted_s = seen->taken = 0.0;
    const lte_machine_use before = paced ? lte_machine_use_now() : (lte_machine_use){0.0, 0.0};
    const double start = paced ? first_release(periods, &seen->gap_s) : 0.0;
    for (int k = 0; k < n && !status && !lte_stop_signal; k++) {
        passed p;
        const double now = lte_seconds(), release = paced ? start + k * period_s : now;
        status = run_period(periods, periods->first + k, release, &seen->gap_s, &p);
        if (lte_stop_signal) /* perhaps within this period */
            break;
        work_s += p.slots_s + p.decoder_s - fmax(now - release, 0.0);
        late = see(periods, k, &p, seen) || late;
        if (k % periods->of_due != periods->of_due - 1)
            continue;
        seen->periods = k + 1;
        if (seen->service_us)
            seen->service_us[seen->due] = (float)(1e6 * (work_s - periods->work_s));
        seen->due++;
        seen->missed += late;
        periods->work_s = work_s;
        late = false;
        if (paced && seen->service_us && seen->due == judged)
            seen->overloaded = is_overloaded(periods, seen, judged);
        if (seen->overloaded && seen->missed > allowed)
            break;
        if (max_missed >= 0 && seen->missed > max_missed)
            break;
        if (periods->watch && now - watched >= watch_s) {
            periods->watch(what, (double)k / n, periods->user);
            watched = now;
        }
    }
    if (paced)
        end_of_paced(periods, start, &before, seen);
    return status;
}

bool lte_slot_periods_stalled(const lte_slot_periods *periods, const lte_seen *seen)
{
    const lte_scenario_deadline *rule = &periods->scenario->deadline;
    return 1e6 * seen->gap_s > 0.1 * rule->budget_us || seen->taken > 1.0 - rule->on_time;
}

lte_status lte_slot_periods_end(lte_slot_periods *periods)
{
    return periods->backend->slots->end(periods->engine);
}

int lte_different_slots(const lte_scenario *scenario, int slots)
{
    const int64_t all = (int64_t)slots * scenario->deadline.carriers;
    return all < scenario->deadline.distinct ? (int)all : scenario->deadline.distinct;
}

bool lte_slots_vary(lte_detector detector, int different)
{
    return different >= LTE_VARIED_SLOTS || !lte_detector_row_of(detector)->varies;
}

lte_verdict lte_verdict_of(const lte_scenario *scenario, const lte_evidence *e)
{
    const bool fits = e->work_us <= e->period_us && e->work_us <= scenario->deadline.budget_us;
    if (e->late <= lte_allowed_misses(scenario, e->due))
        return LTE_VERDICT_MET;
    if (e->overloaded)
        return LTE_VERDICT_OVERLOADED;
    return fits && e->stalled ? LTE_VERDICT_UNDECIDED : LTE_VERDICT_MISSED;
}

int lte_allowed_misses(const lte_scenario *scenario, int n)
{
    return (int)floor((1.0 - scenario->deadline.on_time) * n + 1e-9);
}

int lte_repeats_of(const lte_scenario *scenario)
{
    return scenario->deadline.slots < LTE_MOST_REPEATS ? scenario->deadline.slots
                                                       : LTE_MOST_REPEATS;
}
