/* ber.csv, rate.csv, layers.csv, groups.csv, target.csv, timing.csv and latency.csv. */
#include "sim/report/results/results.h"

#include <math.h>

#include "sim/files/files.h"
#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/search.h"
#include "sim/jobs/sweep/throughput.h"
#include "phy/theory/ber_theory.h"

const char lte_snr_definition[] =
    "n_tx / n0: total transmit power over noise power at one receive antenna";

/* A row of bler.csv. */
static void put_blocks(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const lte_row_blocks of = lte_row_blocks_of(sweep, row);
    const lte_interval first = lte_row_interval(sweep, row);
    (void)fprintf(out, "%s,%s,%.9g,", lte_detector_named(row->detector).text,
                  lte_csi_rows[row->csi].name, row->snr_db);
    lte_put_real(out, lte_row_snr_db(row), ",");
    (void)fprintf(out, "%llu,%llu,%llu,", (unsigned long long)row->slots,
                  (unsigned long long)of.blocks, (unsigned long long)of.wrong_first);
    lte_put_real(out, first.no_error ? (double)NAN : first.rate, ",");
    lte_put_real(out, first.low, ",");
    lte_put_real(out, first.high, ",");
    (void)fprintf(out, "%llu,", (unsigned long long)of.wrong);
    lte_put_real(out, of.last.no_error ? (double)NAN : of.last.rate, ",");
    lte_put_real(out, of.last.low, ",");
    lte_put_real(out, of.last.high, ",");
    const double x[] = {of.bits_per_s, of.peak,    of.transmissions,
                        of.iterations, of.raw_ber, of.ber};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        lte_put_real(out, x[i], ",");
    (void)fprintf(out, "%llu,", (unsigned long long)of.undetected);
    lte_put_real(out, of.rate, ",");
    (void)fprintf(out, "%llu,%s,",
                  (unsigned long long)row->counts[lte_flagged_at(sweep->scenario->n_tx)],
                  lte_row_status_name(row->status));
    lte_put_real(out, row->seconds, "\n");
}

/* LTE_BER_SOFT_COLUMNS. */
static void put_information(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const lte_row_information of = lte_row_information_of(sweep, row);
    const double x[] = {of.bits, of.low, of.high, of.limit, of.shannon, of.best_scale, of.cut};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        (void)fputc(',', out);
        lte_put_real(out, x[i], "");
    }
}

static void put_row(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    const lte_interval ber = lte_row_interval(sweep, row);
    const uint64_t bits = lte_row_bits(row);
    uint64_t symbol_errors = 0;
    for (int k = 0; k < scenario->n_tx; k++)
        symbol_errors += row->counts[lte_symbols_at(scenario->n_tx, k)];
    (void)fprintf(out, "%s,%s,%.9g,", lte_detector_named(row->detector).text,
                  lte_csi_rows[row->csi].name, row->snr_db);
    lte_put_real(out, lte_row_snr_db(row), ",");
    (void)fprintf(out, "%llu,%llu,%llu,", (unsigned long long)row->slots, (unsigned long long)bits,
                  (unsigned long long)row->error_count.errors);
    lte_put_real(out, ber.no_error ? (double)NAN : ber.rate, ",");
    lte_put_real(out, ber.low, ",");
    lte_put_real(out, ber.high, ",");
    lte_put_real(out, (double)symbol_errors * scenario->n_bits / (double)bits, ",");
    lte_put_real(out, row->theory.known ? row->theory.ber : (double)NAN, ",");
    lte_put_real(out, lte_row_z(row), ",");
    (void)fprintf(out, "%llu,%s,", (unsigned long long)row->counts[lte_flagged_at(scenario->n_tx)],
                  lte_row_status_name(row->status));
    lte_put_real(out, row->seconds, "");
    if (lte_sweep_is_soft(sweep))
        put_information(out, sweep, row);
    (void)fputc('\n', out);
}

/* The information of a row by layer and bit. */
static void put_rate(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    for (int i = 0; i < sweep->cut.n_tx * sweep->cut.n_bits; i++) {
        const int k = i / sweep->cut.n_bits, bit = i % sweep->cut.n_bits;
        const lte_bit_information of = lte_row_bit_information(sweep, row, k, bit);
        (void)fprintf(out, "%s,%s,%.9g,%d,%d,", lte_detector_named(row->detector).text,
                      lte_csi_rows[row->csi].name, row->snr_db, k, bit);
        lte_put_real(out, of.bits, ",");
        lte_put_real(out, of.low, ",");
        lte_put_real(out, of.high, "\n");
    }
}

/* A row's errors by layer. */
static void put_layers(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    const int n_tx = scenario->n_tx;
    const uint64_t bits = lte_row_bits(row) / (uint64_t)n_tx;
    const uint64_t symbols = bits / (uint64_t)scenario->n_bits;
    for (int k = 0; k < n_tx; k++) {
        const uint64_t wrong = row->counts[lte_bits_at(k)];
        const uint64_t wrong_symbols = row->counts[lte_symbols_at(n_tx, k)];
        (void)fprintf(out, "%s,%s,%.9g,", lte_detector_named(row->detector).text,
                      lte_csi_rows[row->csi].name, row->snr_db);
        lte_put_real(out, lte_eb_n0_db(scenario->n_tx, scenario->n_bits, row->snr_db), ",");
        (void)fprintf(out, "%d,%llu,%llu,", k, (unsigned long long)bits, (unsigned long long)wrong);
        lte_put_real(out, (double)wrong / (double)bits, ",");
        (void)fprintf(out, "%llu,", (unsigned long long)wrong_symbols);
        lte_put_real(out, (double)wrong_symbols / (double)symbols, "\n");
    }
}

/* A row's errors by groups, wrong bits or blocks; with LLRs the information that was lost. */
static void put_groups(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    (void)fprintf(out, "%s,%s,%.9g,%llu", lte_detector_named(row->detector).text,
                  lte_csi_rows[row->csi].name, row->snr_db, (unsigned long long)lte_row_bits(row));
    for (int k = 0; k < LTE_N_GROUPS; k++)
        (void)fprintf(out, ",%llu", (unsigned long long)row->groups[k]);
    for (int k = 0; k < LTE_N_GROUPS && lte_sweep_is_soft(sweep); k++)
        (void)fprintf(out, ",%llu", (unsigned long long)row->lost_groups[k]);
    (void)fputc('\n', out);
}

/* All rows that have ended, each as put writes it. */
static lte_status write_rows(const char *dir, const char *name, const char *columns,
                             void (*put)(FILE *, const lte_sweep *, const lte_row *),
                             const lte_sweeps *sweeps)
{
    lte_file file;
    lte_status status = lte_file_open(&file, dir, name);
    if (status)
        return status;
    (void)fprintf(file.stream, "%s\n", columns);
    for (int k = 0; k < sweeps->n; k++) {
        const lte_sweep *sweep = sweeps->of[k];
        const lte_row *row;
        for (int i = 0; (row = lte_sweep_started(sweep, i)); i++) {
            if (row->error_count.clusters > 0 && row->status != LTE_ROW_RUNNING)
                put(file.stream, sweep, row);
        }
    }
    return lte_file_close(&file);
}

static void put_found(FILE *out, const lte_sweep *sweep, int d)
{
    const lte_found found = lte_search_of(sweep, d);
    (void)fprintf(out, "%s,%s,%.9g,", lte_detector_named(lte_sweep_row(sweep, d, 0)->detector).text,
                  lte_csi_rows[sweep->csi].name, sweep->scenario->sweep.target_ber);
    lte_put_real(out, found.snr_db, ",");
    lte_put_real(out, found.low_db, ",");
    lte_put_real(out, found.high_db, ",");
    lte_put_real(out, found.theory_db, ",");
    (void)fprintf(out, "%llu,%s\n", (unsigned long long)found.slots, lte_found_name(found.how));
}

static lte_status write_found(const char *dir, const lte_sweeps *sweeps)
{
    lte_file file;
    const lte_status status = lte_file_open(&file, dir, "target.csv");
    if (status)
        return status;
    (void)fputs(LTE_TARGET_COLUMNS "\n", file.stream);
    for (int k = 0; k < sweeps->n; k++) {
        for (int d = 0; d < sweeps->of[k]->n_detectors; d++)
            put_found(file.stream, sweeps->of[k], d);
    }
    return lte_file_close(&file);
}

lte_status lte_results_ber(const char *dir, const lte_sweeps *sweeps)
{
    const bool soft = lte_sweep_is_soft(sweeps->of[0]);
    const bool coded = lte_sweep_is_coded(sweeps->of[0]);
    const char *of_groups = soft ? LTE_GROUPS_COLUMNS LTE_GROUPS_SOFT_COLUMNS : LTE_GROUPS_COLUMNS;
    lte_status status = LTE_OK;
    if (coded)
        status = write_rows(dir, "bler.csv", LTE_BLER_COLUMNS, put_blocks, sweeps);
    if (!status && !coded)
        status = write_rows(dir, "ber.csv",
                            soft ? LTE_BER_COLUMNS LTE_BER_SOFT_COLUMNS : LTE_BER_COLUMNS, put_row,
                            sweeps);
    if (!status && soft)
        status = write_rows(dir, "rate.csv", LTE_RATE_COLUMNS, put_rate, sweeps);
    if (!status && !coded)
        status = write_rows(dir, "layers.csv", LTE_LAYERS_COLUMNS, put_layers, sweeps);
    if (!status)
        status = write_rows(dir, "groups.csv", of_groups, put_groups, sweeps);
    return status || coded || !lte_sweep_is_search(sweeps->of[0]) ? status
                                                                  : write_found(dir, sweeps);
}

static void put_percentiles(FILE *out, int detector, int placement, const char *stage,
                            const lte_percentiles *spread)
{
    (void)fprintf(out, "%s,%s,%s,", lte_detector_named(detector).text,
                  lte_placement_names[placement], stage);
    lte_put_real(out, spread->p50_us, ",");
    lte_put_real(out, spread->p99_us, ",");
    lte_put_real(out, spread->p999_us, ",");
    lte_put_real(out, spread->max_us, ",");
    lte_put_real(out, spread->mean_us, "\n");
}

lte_status lte_results_timing(const char *dir, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    lte_file file;
    lte_status status = lte_file_open(&file, dir, "timing.csv");
    if (status)
        return status;
    (void)fputs(LTE_TIMING_COLUMNS "\n", file.stream);
    for (int p = 0; p < LTE_N_PLACEMENTS; p++) {
        if (run->at[p].slots > 0)
            put_percentiles(file.stream, run->detector, p, "slot", &run->at[p].slot);
        if (run->at[p].slots > 0 && run->coded) {
            put_percentiles(file.stream, run->detector, p, "block", &run->at[p].block);
            put_percentiles(file.stream, run->detector, p, "decoder", &run->at[p].decoder);
        }
        if (run->at[p].slots > 0)
            put_percentiles(file.stream, run->detector, p, "service", &run->at[p].service);
        for (int i = 0; i < LTE_N_TIMED; i++) {
            if (lte_stage_is_there(run, p, i))
                put_percentiles(file.stream, run->detector, p, lte_timed_names[i],
                                &run->at[p].stage[i]);
        }
    }
    for (int i = 0; i < run->n_costs; i++) {
        const lte_detector_cost *cost = &run->cost[i];
        for (int p = 0; p < LTE_N_PLACEMENTS; p++) {
            if (cost->slots[p] > 0)
                put_percentiles(file.stream, cost->detector, p, "alone", &cost->slot[p]);
        }
    }
    status = lte_file_close(&file);
    if (status)
        return status;

    status = lte_file_open(&file, dir, "latency.csv");
    if (status)
        return status;
    (void)fputs(LTE_LATENCY_COLUMNS "\n", file.stream);
    /* all that is due, or 2000 ranks spaced evenly and the last hundred */
    const int step = host->due > 4000 ? host->due / 2000 : 1;
    for (int i = 0; i < host->due; i++) {
        if (i % step == 0 || i >= host->due - 100)
            (void)fprintf(file.stream, "%.6e,%.6e\n", (i + 1.0) / host->due,
                          (double)host->latency_us[i]);
    }
    return lte_file_close(&file);
}
