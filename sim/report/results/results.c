/* ber.csv, rate.csv, layers.csv, groups.csv, target.csv, timing.csv and latency.csv. */
#include "sim/report/results/results.h"

#include <math.h>

#include "sim/files/files.h"
#include "sim/jobs/sweep/row_information.h"
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

/* A count of a row as it is, and one in twelfths. */
static lte_cell parts(const lte_row *row, uint64_t count)
{
    return (lte_cell){.count = count, .real = (double)lte_row_parts(row)};
}

static lte_cell twelfths(uint64_t count)
{
    return (lte_cell){.count = count, .real = LTE_TWELFTHS};
}

static double theory(const lte_row *row)
{
    return row->theory.known ? row->theory.ber : (double)NAN;
}

static lte_cell marked_theory(const lte_row *row)
{
    return (lte_cell){.real = theory(row), .count = row->theory.exact ? ' ' : '~'};
}

static double eb_n0_db(const lte_sweep *sweep, const lte_row *row)
{
    return lte_eb_n0_db(sweep->scenario->n_tx, sweep->scenario->n_bits, row->snr_db);
}

/* The SNR that was found, NAN where the rate is above or below the target at all of them. */
static double known_snr_db(const lte_found *found)
{
    const bool known = found->how == LTE_FOUND_PRECISION || found->how == LTE_FOUND_SLOTS;
    return known ? found->snr_db : (double)NAN;
}

const lte_columns *lte_row_columns(const lte_sweep *sweep, int *n)
{
    const lte_columns *of = lte_sweep_is_coded(sweep) ? &lte_bler_columns : &lte_ber_columns;
    *n = lte_sweep_is_soft(sweep) ? of->n : of->n_hard;
    return of;
}

void lte_row_cells(const lte_sweep *sweep, const lte_row *row, lte_cell *cells)
{
    const lte_interval rate = lte_row_interval(sweep, row);
    if (lte_sweep_is_coded(sweep)) {
        const lte_row_blocks of = lte_row_blocks_of(sweep, row);
        LTE_TAKE(BLER)
        return;
    }
    LTE_TAKE(BER)
    if (lte_sweep_is_soft(sweep)) {
        const lte_row_information information = lte_row_information_of(sweep, row);
        LTE_TAKE(BER_SOFT)
    }
}

void lte_found_cells(const lte_sweep *sweep, int d, const lte_found *found, lte_cell *cells)
{
    const lte_row *row = lte_sweep_row(sweep, d, 0);
    LTE_TAKE(TARGET)
}

void lte_paired_cells(const lte_sweep *sweep, const lte_pair *pair, lte_cell *cells)
{
    const lte_row *a = &sweep->rows[pair->a], *b = &sweep->rows[pair->b];
    const lte_interval gap = lte_pair_interval(sweep, pair);
    LTE_TAKE(PAIRED)
}

void lte_times_cells(const lte_percentiles *spread, lte_cell *cells)
{
    LTE_TAKE(TIMES)
}

static void put_row(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    lte_cell cells[LTE_MOST_CELLS];
    int n;
    const lte_columns *of = lte_row_columns(sweep, &n);
    lte_row_cells(sweep, row, cells);
    lte_csv_row(out, of, n, cells);
}

/* The information of a row by layer and bit. */
static void put_rate(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const int n_bits = sweep->cut.n_bits;
    lte_cell cells[LTE_N_RATE];
    for (int i = 0; i < sweep->cut.n_tx * n_bits; i++) {
        const unsigned layer = (unsigned)(i / n_bits), bit = (unsigned)(i % n_bits);
        const lte_bit_information of = lte_row_bit_information(sweep, row, (int)layer, (int)bit);
        LTE_TAKE(RATE)
        lte_csv_row(out, &lte_rate_columns, LTE_N_RATE, cells);
    }
}

/* A row's errors by layer. */
static void put_layers(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    const int n_tx = scenario->n_tx;
    const uint64_t bits = lte_row_bits(row) / (uint64_t)n_tx;
    const uint64_t symbols = bits / (uint64_t)scenario->n_bits;
    lte_cell cells[LTE_N_LAYERS];
    for (unsigned layer = 0; layer < (unsigned)n_tx; layer++) {
        const uint64_t wrong = row->counts[lte_bits_at((int)layer)];
        const uint64_t wrong_symbols = row->counts[lte_symbols_at(n_tx, (int)layer)];
        LTE_TAKE(LAYERS)
        lte_csv_row(out, &lte_layers_columns, LTE_N_LAYERS, cells);
    }
}

#define GROUP_ERRORS(i) parts(row, row->groups[i])
#define GROUP_LOSS(i) row->lost_groups[i]

/* A row's errors by groups, wrong bits or blocks; with LLRs the information that was lost. */
static void put_groups(FILE *out, const lte_sweep *sweep, const lte_row *row)
{
    const bool soft = lte_sweep_is_soft(sweep);
    lte_cell cells[LTE_N_ALL_GROUPS];
    LTE_TAKE(GROUPS)
    if (soft) {
        LTE_TAKE(GROUPS_SOFT)
    }
    lte_csv_row(out, &lte_groups_columns, soft ? LTE_N_ALL_GROUPS : LTE_N_HARD_GROUPS, cells);
}

/* All rows that have ended, each as put writes it. */
static lte_status write_rows(const char *dir, const lte_columns *of, const lte_sweeps *sweeps,
                             void (*put)(FILE *, const lte_sweep *, const lte_row *))
{
    lte_file file;
    lte_status status = lte_file_open(&file, dir, of->file);
    if (status)
        return status;
    lte_csv_head(file.stream, of, lte_sweep_is_soft(sweeps->of[0]) ? of->n : of->n_hard);
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

static lte_status write_found(const char *dir, const lte_sweeps *sweeps)
{
    lte_cell cells[LTE_N_TARGET];
    lte_file file;
    const lte_status status = lte_file_open(&file, dir, lte_target_columns.file);
    if (status)
        return status;
    lte_csv_head(file.stream, &lte_target_columns, LTE_N_TARGET);
    for (int k = 0; k < sweeps->n; k++) {
        for (int d = 0; d < sweeps->of[k]->n_detectors; d++) {
            const lte_found found = lte_search_of(sweeps->of[k], d);
            lte_found_cells(sweeps->of[k], d, &found, cells);
            lte_csv_row(file.stream, &lte_target_columns, LTE_N_TARGET, cells);
        }
    }
    return lte_file_close(&file);
}

lte_status lte_results_ber(const char *dir, const lte_sweeps *sweeps)
{
    const bool coded = lte_sweep_is_coded(sweeps->of[0]);
    int n;
    lte_status status = write_rows(dir, lte_row_columns(sweeps->of[0], &n), sweeps, put_row);
    if (!status && lte_sweep_is_soft(sweeps->of[0]))
        status = write_rows(dir, &lte_rate_columns, sweeps, put_rate);
    if (!status && !coded)
        status = write_rows(dir, &lte_layers_columns, sweeps, put_layers);
    if (!status)
        status = write_rows(dir, &lte_groups_columns, sweeps, put_groups);
    if (!status && !coded && lte_sweep_is_search(sweeps->of[0]))
        status = write_found(dir, sweeps);
    return status;
}

static void put_percentiles(FILE *out, int detector, int placement, const char *stage,
                            const lte_percentiles *spread)
{
    lte_cell cells[LTE_N_TIMING];
    LTE_TAKE(TIMING)
    lte_csv_row(out, &lte_timing_columns, LTE_N_TIMING, cells);
}

static void put_latency(FILE *out, const lte_placed *host, int i)
{
    lte_cell cells[LTE_N_LATENCY];
    LTE_TAKE(LATENCY)
    lte_csv_row(out, &lte_latency_columns, LTE_N_LATENCY, cells);
}

lte_status lte_results_timing(const char *dir, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    lte_file file;
    lte_status status = lte_file_open(&file, dir, lte_timing_columns.file);
    if (status)
        return status;
    lte_csv_head(file.stream, &lte_timing_columns, LTE_N_TIMING);
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

    status = lte_file_open(&file, dir, lte_latency_columns.file);
    if (status)
        return status;
    lte_csv_head(file.stream, &lte_latency_columns, LTE_N_LATENCY);
    /* all that is due, or 2000 ranks spaced evenly and the last hundred */
    const int step = host->due > 4000 ? host->due / 2000 : 1;
    for (int i = 0; i < host->due; i++) {
        if (i % step == 0 || i >= host->due - 100)
            put_latency(file.stream, host, i);
    }
    return lte_file_close(&file);
}
