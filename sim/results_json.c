#include "sim/results.h"

#include <jansson.h>
#include <math.h>

#include "sim/files.h"

#ifndef LTE_VERSION
#define LTE_VERSION "unknown"
#endif

static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *iso_time(time_t when)
{
    char text[32];
    struct tm parts;
    (void)gmtime_r(&when, &parts);
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return json_string(text);
}

/* Counts of one row by layer. */
static json_t *layers_json(const uint64_t *counts, int n)
{
    json_t *list = json_array();
    for (int k = 0; k < n; k++)
        (void)json_array_append_new(list, json_integer((json_int_t)counts[k]));
    return list;
}

/* Totals over all SNR points of one detector. */
static json_t *totals_json(const lte_sweep *sweep, int d)
{
    const lte_scenario *scenario = sweep->scenario;
    uint64_t bits = 0, flagged = 0, bit_errors[LTE_MAX_TX] = {0}, symbol_errors[LTE_MAX_TX] = {0};
    double seconds = 0.0;
    for (int s = 0; s < sweep->n_started; s++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        bits += lte_row_bits(row);
        flagged += row->flagged;
        seconds += row->seconds;
        for (int k = 0; k < scenario->n_tx; k++) {
            bit_errors[k] += row->bit_errors[k];
            symbol_errors[k] += row->symbol_errors[k];
        }
    }
    return json_pack("{s:s, s:I, s:o, s:o, s:I, s:f}", "detector",
                     lte_detector_names[lte_sweep_row(sweep, d, 0)->detector].name, "bits",
                     (json_int_t)bits, "bit_errors_by_layer",
                     layers_json(bit_errors, scenario->n_tx), "symbol_errors_by_layer",
                     layers_json(symbol_errors, scenario->n_tx), "flagged", (json_int_t)flagged,
                     "seconds", seconds);
}

static json_t *pairs_json(const lte_sweep *sweep)
{
    json_t *list = json_array();
    for (int s = 0; s < sweep->n_started; s++) {
        for (int d = 1; d < sweep->n_detectors; d++) {
            const lte_pair *pair = &sweep->pairs[(ptrdiff_t)s * (sweep->n_detectors - 1) + d - 1];
            const lte_row *a = &sweep->rows[pair->a], *b = &sweep->rows[pair->b];
            if (pair->clusters == 0)
                continue;
            const lte_interval gap = lte_interval_paired(pair->clusters, a->tally.cluster_bits,
                                                         pair->sum_d, pair->sum_d2);
            (void)json_array_append_new(
                list,
                json_pack("{s:f, s:s, s:s, s:I, s:o, s:o, s:o}", "snr_db", a->snr_db, "a",
                          lte_detector_names[a->detector].name, "b",
                          lte_detector_names[b->detector].name, "slots", (json_int_t)pair->clusters,
                          "ber_difference", real_or_null(gap.rate), "low", real_or_null(gap.low),
                          "high", real_or_null(gap.high)));
        }
    }
    return list;
}

static json_t *quantiles_json(const lte_quantiles *q)
{
    return json_pack("{s:o, s:o, s:o}", "p50", real_or_null(q->p50), "p99", real_or_null(q->p99),
                     "max", real_or_null(q->max));
}

static json_t *trials_json(const lte_deadline *run)
{
    json_t *list = json_array();
    for (int i = 0; i < run->n_trials; i++) {
        const lte_trial *trial = &run->trials[i];
        (void)json_array_append_new(
            list, json_pack("{s:i, s:i, s:i, s:i, s:f, s:b}", "carriers", trial->carriers, "slots",
                            trial->ticks, "missed", trial->missed, "threads", trial->threads,
                            "p999_us", trial->p999_us, "met", trial->met));
    }
    return list;
}

static json_t *deadline_json(const lte_deadline *run)
{
    json_t *capacity =
        run->capacity_carriers >= 0 ? json_integer(run->capacity_carriers) : json_null();
    return json_pack(
        "{s:s, s:f, s:f, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:i, s:b, s:f, s:f, s:I, s:I, s:i, "
        "s:o, s:b, s:o, s:b, s:i}",
        "detector", lte_detector_names[run->detector].name, "snr_db", run->snr_db, "budget_us",
        run->budget_us, "slots", run->slots, "missed", run->missed, "on_time", run->on_time,
        "p50_us", run->slot.p50_us, "p99_us", run->slot.p99_us, "p999_us", run->slot.p999_us,
        "max_us", run->slot.max_us, "carriers", run->carriers, "met", run->met, "symbols_per_s",
        run->symbols_per_s, "mbit_per_s", run->mbit_per_s, "bit_errors",
        (json_int_t)run->bit_errors, "bits", (json_int_t)run->bits, "distinct_slots",
        run->distinct_used, "capacity_carriers", capacity, "capacity_bounded",
        run->capacity_bounded, "trials", trials_json(run), "interrupted", run->interrupted,
        "threads", run->threads);
}

static json_t *detectors_json(const lte_sweep *sweep)
{
    json_t *list = json_array();
    for (int d = 0; d < sweep->n_detectors; d++)
        (void)json_array_append_new(list, totals_json(sweep, d));
    return list;
}

lte_status lte_results_json(const char *dir, const lte_run_info *info, const lte_sweep *sweep,
                            const lte_deadline *run)
{
    lte_file file;
    json_t *scenario = lte_scenario_json(info->scenario);
    json_t *root =
        json_pack("{s:o*, s:I, s:s, s:s, s:s, s:s, s:n, s:i, s:i, s:s, s:o, s:o}", "scenario",
                  scenario, "seed", (json_int_t)info->scenario->seed, "version", LTE_VERSION,
                  "revision", lte_revision, "backend", info->backend, "device", info->device,
                  "driver", "threads", info->threads, "ranks", 1, "snr_definition",
                  lte_snr_definition, "start", iso_time(info->start), "end", iso_time(info->end));
    if (!root)
        return LTE_FAIL(LTE_ENOMEM, "no memory for run.json");
    if (sweep) {
        (void)json_object_set_new(root, "detectors", detectors_json(sweep));
        (void)json_object_set_new(root, "paired", pairs_json(sweep));
    }
    if (run && run->slots > 0) {
        (void)json_object_set_new(root, "deadline", deadline_json(run));
        (void)json_object_set_new(root, "inverter",
                                  json_pack("{s:s, s:o, s:o, s:I}", "name",
                                            lte_inverter_names[info->scenario->inverter].name,
                                            "condition_1norm", quantiles_json(&run->condition),
                                            "residual_over_n_u_a_x", quantiles_json(&run->residual),
                                            "flagged", (json_int_t)run->flagged));
    }
    lte_status status = lte_file_open(&file, dir, "run.json");
    if (!status) {
        (void)json_dumpf(root, file.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        (void)fputc('\n', file.stream);
        status = lte_file_close(&file);
    }
    json_decref(root);
    return status;
}
