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

/* The rate; NAN without an error: then its bound alone is known. */
static double seen(const lte_interval *rate)
{
    return rate->no_error ? (double)NAN : rate->rate;
}

static uint64_t flagged(const lte_sweep *sweep, const lte_row *row)
{
    return row->counts[lte_flagged_at(sweep->scenario->n_tx)];
}

static double symbol_error_rate(const lte_sweep *sweep, const lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    uint64_t wrong = 0;
    for (int k = 0; k < scenario->n_tx; k++)
        wrong += row->counts[lte_symbols_at(scenario->n_tx, k)];
    return (double)wrong * scenario->n_bits / (double)lte_row_bits(row);
}

static void put_blocks(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const lte_row_blocks of = lte_row_blocks_of(sweep, row);
    const lte_interval rate = lte_row_interval(sweep, row);
    LTE_BLER_TABLE(LTE_PUT_FIRST, LTE_PUT_NEXT)
    (void)fputc('\n', out);
}

static void put_row(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const lte_interval rate = lte_row_interval(sweep, row);
    LTE_BER_TABLE(LTE_PUT_FIRST, LTE_PUT_NEXT)
    if (lte_sweep_is_soft(sweep)) {
        const lte_row_information information = lte_row_information_of(sweep, row);
        LTE_BER_SOFT_TABLE(LTE_PUT_NEXT, LTE_PUT_NEXT)
    }
    (void)fputc('\n', out);
}

/* The information of a row by layer and bit. */
static void put_rate(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const int n_bits = sweep->cut.n_bits;
    for (int i = 0; i < sweep->cut.n_tx * n_bits; i++) {
        const unsigned layer = (unsigned)(i / n_bits), bit = (unsigned)(i % n_bits);
        const lte_bit_information of = lte_row_bit_information(sweep, row, (int)layer, (int)bit);
        LTE_RATE_TABLE(LTE_PUT_FIRST, LTE_PUT_NEXT)
        (void)fputc('\n', out);
    }
}

/* A row's errors by layer. */
static void put_layers(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    const int n_tx = scenario->n_tx;
    const uint64_t bits = lte_row_bits(row) / (uint64_t)n_tx;
    const uint64_t symbols = bits / (uint64_t)scenario->n_bits;
    for (unsigned layer = 0; layer < (unsigned)n_tx; layer++) {
        const uint64_t wrong = row->counts[lte_bits_at((int)layer)];
        const uint64_t wrong_symbols = row->counts[lte_symbols_at(n_tx, (int)layer)];
        LTE_LAYERS_TABLE(LTE_PUT_FIRST, LTE_PUT_NEXT)
        (void)fputc('\n', out);
    }
}

/* A row's errors by groups, wrong bits or blocks; with LLRs the information that was lost. */
static void put_groups(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    LTE_GROUPS_TABLE(LTE_PUT_FIRST, LTE_PUT_NEXT)
    if (lte_sweep_is_soft(sweep)) {
        LTE_GROUPS_SOFT_TABLE(LTE_PUT_NEXT, LTE_PUT_NEXT)
    }
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
    const lte_row *row = lte_sweep_row(sweep, d, 0);
    LTE_TARGET_TABLE(LTE_PUT_FIRST, LTE_PUT_NEXT)
    (void)fputc('\n', out);
}

static lte_status write_found(const char *dir, const lte_sweeps *sweeps)
{
    lte_file file;
    const lte_status status = lte_file_open(&file, dir, "target.csv");
    if (status)
        return status;
    (void)fputs(LTE_COLUMNS(TARGET) "\n", file.stream);
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
    const char *of_groups =
        soft ? LTE_COLUMNS(GROUPS) LTE_MORE_COLUMNS(GROUPS_SOFT) : LTE_COLUMNS(GROUPS);
    lte_status status = LTE_OK;
    if (coded)
        status = write_rows(dir, "bler.csv", LTE_COLUMNS(BLER), put_blocks, sweeps);
    if (!status && !coded)
        status = write_rows(dir, "ber.csv",
                            soft ? LTE_COLUMNS(BER) LTE_MORE_COLUMNS(BER_SOFT) : LTE_COLUMNS(BER),
                            put_row, sweeps);
    if (!status && soft)
        status = write_rows(dir, "rate.csv", LTE_COLUMNS(RATE), put_rate, sweeps);
    if (!status && !coded)
        status = write_rows(dir, "layers.csv", LTE_COLUMNS(LAYERS), put_layers, sweeps);
    if (!status)
        status = write_rows(dir, "groups.csv", of_groups, put_groups, sweeps);
    return status || coded || !lte_sweep_is_search(sweeps->of[0]) ? status
                                                                  : write_found(dir, sweeps);
}

static void put_percentiles(FILE *out, int detector, int placement, const char *stage,
                            const lte_percentiles *spread)
{
    LTE_TIMING_TABLE(LTE_PUT_FIRST, LTE_PUT_NEXT)
    (void)fputc('\n', out);
}

static void put_latency(FILE *out, const lte_placed *host, int i)
{
    LTE_LATENCY_TABLE(LTE_PUT_FIRST, LTE_PUT_NEXT)
    (void)fputc('\n', out);
}

lte_status lte_results_timing(const char *dir, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    lte_file file;
    lte_status status = lte_file_open(&file, dir, "timing.csv");
    if (status)
        return status;
    (void)fputs(LTE_COLUMNS(TIMING) "\n", file.stream);
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
    (void)fputs(LTE_COLUMNS(LATENCY) "\n", file.stream);
    /* all that is due, or 2000 ranks spaced evenly and the last hundred */
    const int step = host->due > 4000 ? host->due / 2000 : 1;
    for (int i = 0; i < host->due; i++) {
        if (i % step == 0 || i >= host->due - 100)
            put_latency(file.stream, host, i);
    }
    return lte_file_close(&file);
}
