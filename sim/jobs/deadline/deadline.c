/* The deadline run: timed periods, stages and inversion from every placement, then the capacity. */
#include "sim/jobs/deadline/deadline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"
#include "kernels/coding/counted.h"
#include "sim/jobs/workers/stop.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/jobs/sweep/throughput.h"

enum {
    WARM_UP_SLOTS = 20,
};
static const double part_s = 0.1;     /* to make slots, at least */
static const double listen_s = 50e-3; /* to the machine, after the periods */

/* What differs by what comes out of a slot or subframe. */
enum {
    OF_MATRICES = 1 << LTE_TIMED_CORNER_TURN | 1 << LTE_TIMED_GRAM | 1 << LTE_TIMED_INVERSION,
    OF_BLOCKS = 1 << LTE_TIMED_RATE_MATCHING | 1 << LTE_TIMED_DECODING | 1 << LTE_TIMED_CRC
};

static uint64_t payload_bits(const lte_link *link)
{
    return (uint64_t)lte_code_bits(link->output.code);
}

static const struct {
    uint64_t (*output_bits)(const lte_link *link);
    unsigned without; /* stages that there are not: 1 << LTE_TIMED_* */
    bool all_on_host; /* the others are all timed on processors */
} kinds[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {lte_slot_bits, OF_BLOCKS, true},
    [LTE_COUNTED_LLRS] = {lte_slot_bits, OF_BLOCKS | OF_MATRICES, false},
    [LTE_COUNTED_BLOCKS] = {payload_bits, OF_MATRICES, false},
};

/* Slots one part after the other: of some tenths of a second each, with a look up in between. */
static lte_status make_slots(const lte_slot_periods *periods)
{
    const int distinct = periods->scenario->deadline.distinct;
    const int fewest = periods->backend->threads(periods->engine);
    lte_status status = LTE_OK;
    int n = fewest;
    for (int first = 0; first < distinct && !status && !lte_stop_signal;) {
        if (periods->watch)
            periods->watch("generating slots", (double)first / distinct, periods->user);
        const double start = lte_seconds();
        n = n < distinct - first ? n : distinct - first;
        status = lte_slot_buffer_make(periods->buffer, first, n);
        first += n;
        if (lte_seconds() - start < part_s)
            n *= 2;
    }
    return status;
}

/* Slots one after the other by stages, within a run of periods. */
static lte_status time_stages(const lte_slot_periods *periods, lte_placed *placed)
{
    const int n = lte_repeats_of(periods->scenario);
    lte_status status = LTE_OK;
    int done = 0;
    float *us = malloc((size_t)n * LTE_N_TIMED * sizeof *us);
    if (!us)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the stage times");
    for (int k = -WARM_UP_SLOTS; k < n && !status && !lte_stop_signal; k++) {
        double at[LTE_N_TIMED];
        const uint64_t slot = (uint64_t)k + WARM_UP_SLOTS;
        status = periods->backend->slots->stages(periods->engine, slot, at);
        for (int i = 0; i < LTE_N_TIMED && k >= 0 && !status; i++)
            us[(ptrdiff_t)i * n + k] = (float)at[i];
        done = k + 1;
    }
    if (!status && done > 0) {
        placed->stage_slots = done;
        for (int i = 0; i < LTE_N_TIMED; i++)
            placed->stage[i] = lte_percentiles_of(&us[(ptrdiff_t)i * n], done);
    }
    free(us);
    return status;
}

/* The inversion of n_matrices and nothing else, within a run of periods. */
static lte_status time_inversion(const lte_slot_periods *periods, int n_matrices,
                                 lte_placed *placed)
{
    const int n = lte_repeats_of(periods->scenario);
    lte_status status = LTE_OK;
    int done = 0;
    if (!periods->backend->slots->inversion ||
        !lte_detector_needs(periods->detector, LTE_NEEDS_INVERSE))
        return LTE_OK;
    float *us = malloc((size_t)n * sizeof *us);
    if (!us)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the times of the inversion");
    for (int k = -WARM_UP_SLOTS; k < n && !status && !lte_stop_signal; k++) {
        double one = 0.0;
        status = periods->backend->slots->inversion(periods->engine, n_matrices, &one);
        if (k >= 0 && !status)
            us[k] = (float)one;
        done = k + 1;
    }
    if (!status && done > 0) {
        placed->inversions = done;
        placed->inversion = lte_percentiles_of(us, done);
    }
    free(us);
    return status;
}

/* Errors of the distinct outputs that the timed periods gave. */
static lte_status count_errors(const lte_slot_periods *periods, const lte_deadline *run,
                               lte_placed *placed)
{
    const int64_t given = (int64_t)placed->due * periods->scenario->deadline.carriers;
    const int used = given < run->outputs ? (int)given : run->outputs;
    placed->distinct_used = used;
    for (int i = 0; i < used; i++) {
        lte_output_errors errors;
        const lte_status status = lte_slot_buffer_errors(periods->buffer, (uint64_t)i, &errors);
        if (status)
            return status;
        placed->bit_errors += errors.bit_errors;
        placed->blocks += errors.blocks;
        placed->wrong += errors.wrong;
        placed->undetected += errors.undetected;
    }
    placed->bits = (uint64_t)used * run->output_bits;
    return LTE_OK;
}

/* The periods of the deadline; after paced ones it listens to the machine a little longer. */
static lte_status run_watched(lte_slot_periods *periods, const char *what, lte_seen *seen)
{
    const lte_scenario_deadline *rule = &periods->scenario->deadline;
    const lte_status status = lte_slot_periods_run(
        periods, what, rule->paced, lte_slot_periods_of(periods, rule->slots), -1, seen);
    if (rule->paced)
        lte_wait_until(lte_seconds() + listen_s, &seen->gap_s);
    return status;
}

/* The timed periods, then by stages and the inversion alone, in one run. */
static lte_status time_periods(lte_slot_periods *periods, int n_matrices, lte_placed *placed,
                               lte_seen *seen)
{
    const lte_scenario_deadline *rule = &periods->scenario->deadline;
    const char *what =
        periods->placement == LTE_PLACEMENT_HOST ? "deadline" : "deadline, data on the device";
    if (periods->watch)
        periods->watch("warming up", 0.0, periods->user);
    lte_status status = lte_slot_periods_begin(periods, rule->carriers);
    if (status)
        return status;
    placed->threads = periods->setup.n_threads;
    placed->n_thread_trials = periods->setup.n_trials;
    memcpy(placed->thread_trial, periods->setup.trial, sizeof placed->thread_trial);
    placed->cached = periods->setup.cached;
    status = run_watched(periods, what, seen);
    placed->periods = seen->periods;
    placed->slots = seen->periods * periods->slots_each;
    placed->due = seen->due;
    placed->missed = seen->missed;
    placed->phase_us = periods->phase_us;
    placed->work_s = periods->work_s;
    if (!status)
        status = time_stages(periods, placed);
    if (!status)
        status = time_inversion(periods, n_matrices, placed);
    const lte_status ended = lte_slot_periods_end(periods);
    return status ? status : ended;
}

/* What the periods say, once they have ended. */
static lte_status evaluate(const lte_slot_periods *periods, const lte_deadline *run,
                           const lte_seen *seen, lte_placed *placed)
{
    const double carriers = periods->scenario->deadline.carriers;
    const lte_status status = count_errors(periods, run, placed);
    if (status)
        return status;
    placed->slot = lte_percentiles_of(seen->latency_us, placed->periods);
    placed->latency = placed->slot;
    if (periods->decodes) {
        placed->latency = placed->block = lte_percentiles_of(seen->block_us, placed->due);
        placed->decoder = lte_percentiles_of(seen->decoder_us, placed->due);
    }
    placed->on_time = 1.0 - (double)placed->missed / placed->due;
    placed->service = lte_percentiles_of(seen->service_us, placed->due);
    placed->period_us = 1e6 * lte_slot_periods_due_s(periods);
    placed->utilisation = placed->service.p50_us / placed->period_us;
    placed->gap_us = 1e6 * seen->gap_s;
    placed->taken = seen->taken;
    placed->stalled = periods->scenario->deadline.paced && lte_slot_periods_stalled(periods, seen);
    placed->verdict =
        lte_verdict_of(periods->scenario, &(lte_evidence){.due = placed->due,
                                                          .late = placed->missed,
                                                          .work_us = placed->service.p50_us,
                                                          .period_us = placed->period_us,
                                                          .overloaded = seen->overloaded,
                                                          .stalled = placed->stalled});
    placed->mbit_per_s = 1e-6 * placed->due * carriers * (double)run->output_bits / placed->work_s;
    placed->symbols_per_s = placed->slots * carriers * (double)run->slot_bits /
                            periods->scenario->n_bits / placed->work_s;
    return LTE_OK;
}

static lte_status run_placed(lte_slot_periods *periods, const lte_deadline *run, lte_placed *placed)
{
    const lte_scenario_deadline *rule = &periods->scenario->deadline;
    const size_t n = (size_t)lte_slot_periods_of(periods, rule->slots);
    float *const others = malloc((periods->decodes ? 3 : 1) * n * sizeof *others);
    placed->latency_us = malloc(n * sizeof *placed->latency_us);
    lte_seen seen = {.latency_us = placed->latency_us, .service_us = others};
    lte_status status = LTE_OK;
    if (periods->decodes && others) {
        seen.latency_us = others + n;
        seen.block_us = placed->latency_us;
        seen.decoder_us = others + 2 * n;
    }
    if (!placed->latency_us || !others)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for deadline.slots=%d latencies", rule->slots);
    if (!status)
        status = time_periods(periods, run->matrices, placed, &seen);
    if (!status && placed->slots > 0)
        status = evaluate(periods, run, &seen, placed);
    free(others);
    if (status || placed->slots == 0)
        return status;
    periods->n_threads = 0; /* chosen for each number */
    status = lte_capacity_find(
        periods, placed->verdict == LTE_VERDICT_MET && rule->paced ? rule->carriers : 0,
        &placed->capacity);
    periods->n_threads = placed->threads;
    return status;
}

static lte_status run_all(lte_slot_periods *periods, lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    lte_status status = LTE_OK;
    for (int p = 0; p < periods->backend->slots->n_placements && !status && !lte_stop_signal; p++) {
        lte_placed *placed = &run->at[p];
        periods->placement = p;
        status = run_placed(periods, run, placed);
        if (!status && placed->distinct_used == host->distinct_used &&
            placed->bit_errors != host->bit_errors)
            status = LTE_FAIL(LTE_EDEVICE,
                              "backend %s counts %llu bit errors with the data in host memory but "
                              "%llu with the data on the device",
                              periods->backend->name, (unsigned long long)host->bit_errors,
                              (unsigned long long)placed->bit_errors);
        if (!status)
            status = lte_turns_run(periods, &run->turns);
    }
    return status;
}

lte_status lte_deadline_run(const lte_scenario *scenario, const lte_backend *backend,
                            lte_engine *engine, const lte_link *link, lte_deadline_watch *watch,
                            void *user, lte_deadline **run)
{
    const lte_scenario_deadline *rule = &scenario->deadline;
    lte_slot_periods periods = {.scenario = scenario,
                                .backend = backend,
                                .engine = engine,
                                .detector = rule->detector,
                                .n_threads = rule->threads,
                                .noise =
                                    lte_noise_of(scenario->n_tx, pow(10.0, rule->snr_db / 10.0)),
                                .watch = watch,
                                .user = user};
    *run = NULL;
    lte_deadline *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a deadline run");
    lte_slot_periods_init(&periods, link);
    made->detector = rule->detector;
    lte_turns_init(scenario, &made->turns);
    made->csi = link->receiver.csi;
    made->counted = link->output.counted;
    made->slot_bits = lte_slot_bits(link);
    made->output_bits = kinds[made->counted].output_bits(link);
    made->outputs = rule->distinct / lte_counted_of(link)->due_slots;
    made->snr_db = rule->snr_db;
    made->budget_us = rule->budget_us;
    made->on_time = rule->on_time;
    made->carriers = rule->carriers;
    made->grid_points = scenario->n_sc * LTE_SLOT_SYMBOLS;
    made->matrices = lte_link_matrices(link);
    for (int p = 0; p < LTE_N_PLACEMENTS; p++)
        made->at[p].capacity.carriers = made->at[p].capacity.by_median = -1;
    lte_status status = lte_slot_buffer_create(backend, engine, link, periods.noise, rule->distinct,
                                               &periods.buffer);
    if (!status)
        status = make_slots(&periods);
    if (!status)
        status = run_all(&periods, made);
    if (!status && made->at[LTE_PLACEMENT_HOST].slots > 0)
        status =
            lte_inverses_look(backend->stages ? backend->stages : lte_stages_best(), link,
                              periods.noise, rule->detector, 0, rule->distinct, &made->inverses);
    made->interrupted = lte_stop_signal != 0;
    if (!status) {
        *run = made;
        made = NULL;
    }
    lte_deadline_free(made);
    lte_slot_buffer_free(periods.buffer);
    return status;
}

void lte_deadline_free(lte_deadline *run)
{
    if (!run)
        return;
    for (int p = 0; p < LTE_N_PLACEMENTS; p++)
        free(run->at[p].latency_us);
    free(run);
}

bool lte_stage_is_there(const lte_deadline *run, int placement, int stage)
{
    const lte_placed *placed = &run->at[placement];
    const bool inverts = lte_detector_needs(run->detector, LTE_NEEDS_INVERSE);
    if (stage == LTE_TIMED_ESTIMATION && !lte_csi_estimates(run->csi))
        return false;
    if (kinds[run->counted].without >> stage & 1)
        return false;
    if ((stage == LTE_TIMED_GRAM || stage == LTE_TIMED_INVERSION) && !inverts)
        return false;
    return placed->stage_slots > 0 &&
           ((placement == LTE_PLACEMENT_HOST && kinds[run->counted].all_on_host) ||
            placed->stage[stage].max_us > 0.0);
}
