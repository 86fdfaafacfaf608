/* run.json. */
#include "sim/report/results/results.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/base/levels.h"
#include "sim/files/files.h"
#include "sim/files/json_memory.h"
#include "sim/jobs/sweep/counting.h"
#include "sim/jobs/sweep/gains.h"
#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/search.h"
#include "sim/report/results/counted_words.h"
#include "sim/files/revision.h"

#ifndef LTE_VERSION
#define LTE_VERSION "unknown"
#endif

static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return *text ? json_string(text) : json_null();
}

/* A number that is below 0 where it is not known. */
static json_t *known_or_null(int n)
{
    return n >= 0 ? json_integer(n) : json_null();
}

static json_t *clock_or_null(int mhz)
{
    return known_or_null(mhz > 0 ? mhz : -1);
}

/* The device's name and size, as far as they are known. */
static json_t *device_json(const lte_device *device)
{
    return json_sprintf("%s%s%s", device->name, device->text[0] ? ", " : "", device->text);
}

static json_t *iso_time(time_t when)
{
    char text[32];
    struct tm parts;
    (void)gmtime_r(&when, &parts);
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return json_string(text);
}

/* A count of detector d over all SNR points: at some place of its rows' counts. */
static json_t *total_json(const lte_sweep *sweep, int d, int place)
{
    uint64_t sum = 0;
    for (int s = 0; s < sweep->n_started; s++)
        sum += lte_sweep_row(sweep, d, s)->counts[place];
    return json_integer((json_int_t)sum);
}

/* The same by layer: its bit errors or its symbol errors. */
static json_t *layers_json(const lte_sweep *sweep, int d, bool symbols)
{
    const int n_tx = sweep->scenario->n_tx;
    json_t *list = json_array();
    for (int k = 0; k < n_tx; k++) {
        const int place = symbols ? lte_symbols_at(n_tx, k) : lte_bits_at(k);
        (void)json_array_append_new(list, total_json(sweep, d, place));
    }
    return list;
}

/* The SNRs at which LLRs of detector d mislead; NULL: there are none. */
static json_t *misleading_json(const lte_sweep *sweep, int d)
{
    json_t *list = NULL;
    for (int s = 0; s < sweep->n_started; s++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        if (!lte_row_misleads(sweep, row))
            continue;
        list = list ? list : json_array();
        (void)json_array_append_new(list, json_real(row->snr_db));
    }
    return list;
}

/* Totals over all SNR points of one detector with a csi. */
static json_t *totals_json(const lte_sweeps *sweeps, const lte_swept *at)
{
    const lte_sweep *sweep = at->sweep;
    const int d = at->d;
    const uint64_t parts = (uint64_t)(sweep->cut.harq ? sweep->cut.parts : 1);
    uint64_t bits = 0;
    double seconds = 0.0;
    for (int s = 0; s < sweep->n_started; s++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        bits += lte_row_bits(row);
        seconds += row->seconds;
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:o*}", "detector",
                     lte_detector_named(at->detector).text, "csi", lte_csi_rows[sweep->csi].name,
                     lte_counting_of(sweep)->counts,
                     bits % parts == 0 ? json_integer((json_int_t)(bits / parts))
                                       : json_real((double)bits / (double)parts),
                     "bit_errors_by_layer", layers_json(sweep, d, false), "symbol_errors_by_layer",
                     layers_json(sweep, d, true), "flagged",
                     total_json(sweep, d, lte_flagged_at(sweep->scenario->n_tx)), "silent",
                     total_json(sweep, d, lte_silent_at(sweep->scenario->n_tx)), "loss_db_at_1e-2",
                     real_or_null(lte_loss_db(sweeps, at->k, d)), "seconds", seconds,
                     "llrs_not_for_decoders_snr_db", misleading_json(sweep, d));
}

static json_t *detectors_json(const lte_sweeps *sweeps)
{
    lte_swept at;
    json_t *list = json_array();
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++)
        (void)json_array_append_new(list, totals_json(sweeps, &at));
    return list;
}

static json_t *pairs_json(const lte_sweeps *sweeps)
{
    lte_cell cells[LTE_N_PAIRED];
    json_t *list = json_array();
    for (int k = 0; k < sweeps->n; k++) {
        const lte_sweep *sweep = sweeps->of[k];
        for (int i = 0; i < sweep->n_started * (sweep->n_detectors - 1); i++) {
            if (sweep->pairs[i].clusters == 0)
                continue;
            lte_paired_cells(sweep, &sweep->pairs[i], cells);
            (void)json_array_append_new(list, lte_json_row(&lte_paired_columns, cells));
        }
    }
    return list;
}

/* What a search has found. */
static json_t *targets_json(const lte_sweeps *sweeps)
{
    lte_cell cells[LTE_N_TARGET];
    lte_swept at;
    json_t *list = json_array();
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        (void)lte_found_cells(&at, cells);
        (void)json_array_append_new(list, lte_json_row(&lte_target_columns, cells));
    }
    return list;
}

/* An SNR or a difference of two with its interval, as name, name_low and name_high. */
static void add_estimate(json_t *json, const char *name, const char *stem,
                         const lte_snr_estimate *x)
{
    char low[32], high[32];
    (void)snprintf(low, sizeof low, "%s_low", stem);
    (void)snprintf(high, sizeof high, "%s_high", stem);
    (void)json_object_set_new(json, name, real_or_null(x->db));
    (void)json_object_set_new(json, low, real_or_null(x->low_db));
    (void)json_object_set_new(json, high, real_or_null(x->high_db));
}

/* The SNRs at a common rate with one csi; what detectors gain and estimates lose. */
static json_t *rate_json(const lte_sweep *sweep, const lte_csi_gains *of, const char *measure)
{
    json_t *list = json_array();
    for (int d = 0; d < sweep->n_detectors; d++) {
        json_t *one = json_pack("{s:s}", "detector",
                                lte_detector_named(lte_sweep_row(sweep, d, 0)->detector).text);
        add_estimate(one, "snr_db", "snr", &of->at[d]);
        add_estimate(one, "gain_db", "gain", &of->gain[d]);
        add_estimate(one, "loss_db", "loss", &of->loss[d]);
        (void)json_array_append_new(list, one);
    }
    return json_pack("{s:s, s:s, s:f, s:o}", "csi", lte_csi_rows[sweep->csi].name, "measure",
                     measure, "rate", of->rate, "detectors", list);
}

static json_t *rates_json(const lte_sweeps *sweeps)
{
    const lte_counted_words *words = lte_counted_words_of(sweeps->of[0]->scenario);
    json_t *list = json_array();
    for (int m = LTE_MEASURE_ERRORS; m <= LTE_MEASURE_INFORMATION; m++) {
        const char *name = words->measure[m];
        if (!name)
            continue;
        const lte_gains gains = lte_gains_of(sweeps, (lte_measure)m);
        for (int k = 0; k < sweeps->n; k++) {
            if (isfinite(gains.of[k].rate))
                (void)json_array_append_new(list, rate_json(sweeps->of[k], &gains.of[k], name));
        }
    }
    return list;
}

static json_t *quantiles_json(const lte_quantiles *q)
{
    return json_pack("{s:o, s:o, s:o}", "p50", real_or_null(q->p50), "p99", real_or_null(q->p99),
                     "max", real_or_null(q->max));
}

static json_t *trials_json(const lte_capacity *capacity)
{
    json_t *list = json_array();
    for (int i = 0; i < capacity->n_trials; i++) {
        const lte_trial *trial = &capacity->trials[i];
        (void)json_array_append_new(
            list,
            json_pack("{s:i, s:i, s:i, s:i, s:f, s:b, s:b}", "carriers", trial->carriers, "slots",
                      trial->periods, "missed", trial->missed, "threads", trial->threads, "p999_us",
                      trial->p999_us, "met", trial->met, "stalled", trial->stalled));
    }
    return list;
}

static json_t *thread_trials_json(const lte_placed *placed)
{
    json_t *list = json_array();
    for (int i = 0; i < placed->n_thread_trials; i++)
        (void)json_array_append_new(list, json_pack("{s:i, s:f}", "threads",
                                                    placed->thread_trial[i].n_threads, "median_us",
                                                    placed->thread_trial[i].median_us));
    return list;
}

static json_t *spread_json(const lte_percentiles *t)
{
    lte_cell cells[LTE_N_TIMES];
    lte_times_cells(t, cells);
    return lte_json_row(&lte_times_columns, cells);
}

/* What is said of either placement; the last ones of a code. */
static json_t *placed_json(const lte_deadline *run, int placement)
{
    const lte_placed *placed = &run->at[placement];
    const lte_capacity *capacity = &placed->capacity;
    const bool coded = run->counted == LTE_COUNTED_BLOCKS;
    return json_pack(
        "{s:i, s:i, s:i, s:f, s:b, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:i, s:o, s:b, "
        "s:o, s:o, s:i, s:o, s:f, s:s, s:o, s:f, s:{s:b, s:f, s:f}, s:o*, s:o*, s:o*, s:o*, s:o*}",
        "slots", placed->slots, "due", placed->due, "missed", placed->missed, "on_time",
        placed->on_time, "met", placed->verdict == LTE_VERDICT_MET, "p50_us", placed->slot.p50_us,
        "p99_us", placed->slot.p99_us, "p999_us", placed->slot.p999_us, "max_us",
        placed->slot.max_us, "symbols_per_s", placed->symbols_per_s, "mbit_per_s",
        placed->mbit_per_s, "bit_errors", (json_int_t)placed->bit_errors, "bits",
        (json_int_t)placed->bits, "distinct_slots", placed->distinct_used, "capacity_carriers",
        known_or_null(capacity->carriers), "capacity_bounded", capacity->bounded,
        "capacity_by_median", known_or_null(capacity->by_median), "trials", trials_json(capacity),
        "threads", placed->threads, "thread_trials", thread_trials_json(placed), "release_phase_us",
        placed->phase_us, "verdict", lte_verdict_names[placed->verdict], "service",
        spread_json(&placed->service), "utilisation", placed->utilisation, "machine", "stalled",
        placed->stalled, "longest_gap_us", placed->gap_us, "taken", placed->taken, "block",
        coded ? spread_json(&placed->block) : NULL, "decoder",
        coded ? spread_json(&placed->decoder) : NULL, "blocks",
        coded ? json_integer(placed->blocks) : NULL, "wrong_blocks",
        coded ? json_integer(placed->wrong) : NULL, "undetected_blocks",
        coded ? json_integer(placed->undetected) : NULL);
}

static json_t *inversion_json(const lte_placed *placed)
{
    if (placed->inversions == 0)
        return json_null();
    json_t *json = spread_json(&placed->inversion);
    (void)json_object_set_new(json, "times", json_integer(placed->inversions));
    return json;
}

/* Those timed in turn, from each placement. */
static json_t *turns_json(const lte_turns *turns)
{
    json_t *list = json_array();
    for (int i = 0; i < turns->n; i++) {
        for (int p = 0; p < LTE_N_PLACEMENTS; p++) {
            const lte_turn *turn = &turns->of[i].at[p];
            if (turn->slots > 0)
                (void)json_array_append_new(
                    list,
                    json_pack("{s:s, s:s, s:i, s:i, s:b, s:i, s:i, s:s, s:o}", "detector",
                              lte_detector_named(turns->of[i].detector).text, "placement",
                              lte_placement_names[p], "slots", turn->slots, "distinct_slots",
                              turn->distinct, "paced", turn->paced, "due", turn->due, "missed",
                              turn->missed, "verdict", lte_verdict_names[turn->verdict], "latency",
                              spread_json(&turn->latency)));
        }
    }
    return list;
}

/* The run from host memory, and in it what a device adds. */
static json_t *deadline_json(const lte_deadline *run)
{
    const lte_placed *on_device = &run->at[LTE_PLACEMENT_DEVICE];
    json_t *json = placed_json(run, LTE_PLACEMENT_HOST);
    json_t *device = json_null();
    if (on_device->slots > 0) {
        device = placed_json(run, LTE_PLACEMENT_DEVICE);
        (void)json_object_set_new(device, "l2_resident", json_boolean(on_device->cached));
    }
    json_t *common = json_pack(
        "{s:s, s:s, s:s, s:f, s:f, s:i, s:b, s:o, s:{s:i, s:o, s:o}, s:o*}", "output",
        lte_counted_words_rows[run->counted].output, "detector",
        lte_detector_named(run->detector).text, "csi", lte_csi_rows[run->csi].name, "snr_db",
        run->snr_db, "budget_us", run->budget_us, "carriers", run->carriers, "interrupted",
        run->interrupted, "device", device, "inversion_alone", "matrices", run->matrices, "host",
        inversion_json(&run->at[LTE_PLACEMENT_HOST]), "device", inversion_json(on_device),
        "in_turn", run->turns.judged ? turns_json(&run->turns) : NULL);
    (void)json_object_update(json, common);
    json_decref(common);
    return json;
}

static json_t *proof_json(const lte_channel_validation *proof)
{
    return json_pack("{s:i, s:i, s:i, s:I, s:i, s:i}", "lines", proof->n_lines, "failed",
                     proof->n_failed, "untested", proof->n_untested, "drops",
                     (json_int_t)proof->drops, "slots_drawn", proof->slots_drawn, "slot_step",
                     proof->slot_step);
}

static json_t *pareto_json(const lte_pareto *pareto)
{
    json_t *list = json_array();
    for (int i = 0; i < pareto->n; i++) {
        const lte_pareto_point *point = &pareto->point[i];
        lte_cell cells[LTE_N_PARETO];
        LTE_TAKE(PARETO)
        (void)json_array_append_new(list, lte_json_row(&lte_pareto_columns, cells));
    }
    return list;
}

static json_t *inverter_json(const lte_scenario *scenario, const lte_inverses *inverses)
{
    return json_pack("{s:s, s:o, s:o, s:I}", "name", lte_inverter_rows[scenario->inverter].name,
                     "condition_1norm", quantiles_json(&inverses->condition),
                     "residual_over_n_u_a_x", quantiles_json(&inverses->residual), "flagged",
                     (json_int_t)inverses->flagged);
}

/* All of run.json; NULL or less than that where memory is missing. */
static json_t *run_json(const lte_run_info *info, const lte_sweeps *sweeps, const lte_deadline *run,
                        const lte_pareto *pareto)
{
    const lte_part *part = &info->part;
    const bool swept = sweeps && sweeps->n > 0;
    const char *pretended;
    (void)lte_level_pretended(&pretended); /* the run was refused if it was unknown */
    const bool timed = run && run->at[LTE_PLACEMENT_HOST].slots > 0;
    return json_pack(
        "{s:o*, s:I, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:s*, s:i, s:i, s:s, s:o, s:o, s:o*, "
        "s:s*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}",
        "scenario", lte_scenario_json(info->scenario), "seed", (json_int_t)info->scenario->seed,
        "version", LTE_VERSION, "revision", lte_revision, "backend", info->backend, "device",
        device_json(&info->device), "driver", text_or_null(info->device.driver), "clock_mhz",
        clock_or_null(info->device.clock_mhz), "memory_clock_mhz",
        clock_or_null(info->device.memory_clock_mhz), "choices", info->choices, "pretended_level",
        pretended, "threads", info->threads, "ranks", info->ranks, "snr_definition",
        lte_snr_definition, "start", iso_time(info->start), "end", iso_time(info->end), "command",
        info->command && *info->command ? json_string(info->command) : NULL, "inverter_version",
        info->inversion ? info->inversion->name : NULL, "slots",
        part->given ? json_pack("[I,I]", (json_int_t)part->first, (json_int_t)part->last) : NULL,
        "detectors", swept ? detectors_json(sweeps) : NULL, "paired",
        swept ? pairs_json(sweeps) : NULL, "snr_at_rate", swept ? rates_json(sweeps) : NULL,
        "target", swept && lte_sweep_is_search(sweeps->of[0]) ? targets_json(sweeps) : NULL,
        "pareto", pareto ? pareto_json(pareto) : NULL, "channel",
        info->proof ? proof_json(info->proof) : NULL, "deadline", timed ? deadline_json(run) : NULL,
        "inverter", timed ? inverter_json(info->scenario, &run->inverses) : NULL);
}

lte_status lte_results_json(const char *dir, const lte_run_info *info, const lte_sweeps *sweeps,
                            const lte_deadline *run, const lte_pareto *pareto)
{
    lte_file file;
    lte_json_begin();
    json_t *root = run_json(info, sweeps, run, pareto);
    char *text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    lte_status status = lte_json_is_whole() && text
                            ? lte_file_open(&file, dir, "run.json")
                            : LTE_FAIL(LTE_ENOMEM, "no memory for run.json");
    if (!status) {
        (void)fprintf(file.stream, "%s\n", text);
        status = lte_file_close(&file);
    }
    free(text);
    json_decref(root);
    return status;
}
