/* The tables of a run: their cells, and their files. */
#include "sim/report/results/results.h"

#include <math.h>
#include <stdlib.h>

#include "phy/base/carrier.h"
#include "phy/theory/ber_theory.h"
#include "sim/jobs/sweep/row_information.h"
#include "sim/jobs/sweep/throughput.h"
#include "sim/report/results/words.h"

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

/* Resource elements with a wrong symbol in any layer. */
static uint64_t vector_errors(const lte_sweep *sweep, const lte_row *row)
{
    return row->counts[lte_vectors_at(sweep->scenario->n_tx)];
}

/* Resource elements that a detector did not finish, whose best vector so far was taken. */
static uint64_t unfinished(const lte_sweep *sweep, const lte_row *row)
{
    return row->counts[lte_unfinished_at(sweep->scenario->n_tx)];
}

/* Layers whose column of a channel matrix is zero. */
static uint64_t silent(const lte_sweep *sweep, const lte_row *row)
{
    return row->counts[lte_silent_at(sweep->scenario->n_tx)];
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

/* The information of a row, "!" behind what no decoder is to have. */
static lte_cell marked_gmi(const lte_row_information *of)
{
    return (lte_cell){.real = of->bits, .count = of->misleading ? '!' : ' '};
}

/* The end of its search at which the best scale of LLRs is; "" where there is no best one. */
static const char *llr_scale_bound(const lte_row_information *of)
{
    return isnan(of->best.s) ? "" : of->best.bound < 0 ? "-1" : of->best.bound > 0 ? "1" : "0";
}

static double eb_n0_db(const lte_sweep *sweep, const lte_row *row)
{
    return lte_eb_n0_db(sweep->scenario->n_tx, sweep->scenario->n_bits, row->snr_db);
}

/* The SNR that was found, NAN where the rate is above or below the target at all of them. */
static double known_snr_db(const lte_found *found)
{
    const bool known = lte_found_is_known(found);
    return known ? found->snr_db : (double)NAN;
}

/* The rate of a row, which one that counted nothing has not seen. */
static lte_interval rate_of(const lte_sweep *sweep, const lte_row *row)
{
    lte_interval rate = lte_row_interval(sweep, row);
    rate.no_error = rate.no_error || row->slots == 0;
    return rate;
}

static void take_bits(const lte_sweep *sweep, const lte_row *row, lte_cell *cells)
{
    const lte_interval rate = rate_of(sweep, row);
    LTE_TAKE(BER_HARD)
}

static void take_llrs(const lte_sweep *sweep, const lte_row *row, lte_cell *cells)
{
    const lte_row_information information = lte_row_information_of(sweep, row);
    char best_scale[32];
    (void)lte_llr_scale_text(&information.best, 3, best_scale, sizeof best_scale);
    take_bits(sweep, row, cells);
    LTE_TAKE(BER_SOFT)
}

static void take_blocks(const lte_sweep *sweep, const lte_row *row, lte_cell *cells)
{
    const lte_interval rate = rate_of(sweep, row);
    const lte_row_blocks of = lte_row_blocks_of(sweep, row);
    LTE_TAKE(BLER)
}

typedef void put_fn(lte_csv *csv, const lte_sweep *sweep, const lte_row *row);
static put_fn put_rate, put_layers;

/* The tables of a sweep by what it counts: of rows, and those beside them, NULL: none. */
static const struct {
    const lte_columns *columns;
    bool llrs; /* the columns behind those without, too: of rows and of groups */
    void (*take)(const lte_sweep *sweep, const lte_row *row, lte_cell *cells);
    put_fn *rate, *layers;
} kinds[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {&lte_ber_columns, false, take_bits, NULL, put_layers},
    [LTE_COUNTED_LLRS] = {&lte_ber_columns, true, take_llrs, put_rate, put_layers},
    [LTE_COUNTED_BLOCKS] = {&lte_bler_columns, false, take_blocks, NULL, NULL},
};

const lte_columns *lte_row_columns(const lte_sweep *sweep, int *n)
{
    const lte_columns *of = kinds[sweep->cut.counted].columns;
    *n = kinds[sweep->cut.counted].llrs ? of->n : of->n_hard;
    return of;
}

void lte_row_cells(const lte_sweep *sweep, const lte_row *row, lte_cell *cells)
{
    kinds[sweep->cut.counted].take(sweep, row, cells);
}

lte_found lte_found_cells(const lte_swept *at, lte_cell *cells)
{
    const lte_sweep *sweep = at->sweep;
    const lte_row *row = lte_sweep_row(sweep, at->d, 0);
    const lte_found of = lte_search_of(sweep, at->d), *found = &of;
    LTE_TAKE(TARGET)
    return of;
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

static void put_row(lte_csv *csv, const lte_sweep *sweep, const lte_row *row)
{
    lte_cell cells[LTE_MOST_CELLS];
    lte_row_cells(sweep, row, cells);
    lte_csv_put(csv, cells);
}

/* The information of a row by layer and bit. */
static void put_rate(lte_csv *csv, const lte_sweep *sweep, const lte_row *row)
{
    const int n_bits = sweep->cut.n_bits;
    for (int i = 0; i < sweep->cut.n_tx * n_bits; i++) {
        const unsigned layer = (unsigned)(i / n_bits), bit = (unsigned)(i % n_bits);
        const lte_bit_information of = lte_row_bit_information(sweep, row, (int)layer, (int)bit);
        LTE_CSV_PUT(csv, RATE);
    }
}

/* A row's errors by layer. */
static void put_layers(lte_csv *csv, const lte_sweep *sweep, const lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    const int n_tx = scenario->n_tx;
    const uint64_t bits = lte_row_bits(row) / (uint64_t)n_tx;
    const uint64_t symbols = bits / (uint64_t)scenario->n_bits;
    for (unsigned layer = 0; layer < (unsigned)n_tx; layer++) {
        const uint64_t wrong = row->counts[lte_bits_at((int)layer)];
        const uint64_t wrong_symbols = row->counts[lte_symbols_at(n_tx, (int)layer)];
        LTE_CSV_PUT(csv, LAYERS);
    }
}

#define GROUP_ERRORS(i) parts(row, row->groups[i])
#define GROUP_LOSS(i) row->lost_groups[i]
#define GROUP_BITS(i) parts(row, lte_row_group_bits(sweep, row, i))

/* Columns of groups.csv: all with LLRs, and where groups differ in blocks. */
static int columns_of_groups(const lte_sweep *sweep)
{
    const bool all = sweep->cut.harq || kinds[sweep->cut.counted].llrs;
    return all ? lte_groups_columns.n : lte_groups_columns.n_hard;
}

/* A row by groups: errors, lost information, and of what. */
static void put_groups(lte_csv *csv, const lte_sweep *sweep, const lte_row *row)
{
    LTE_CSV_PUT(csv, GROUPED);
}

/* All rows that have ended, each as put writes it: n columns. */
static lte_status write_rows(const char *dir, const lte_columns *of, int n,
                             const lte_sweeps *sweeps, put_fn *put)
{
    const lte_sweep *sweep;
    const lte_row *row;
    lte_csv csv;
    lte_csv_open(&csv, dir, of, n);
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++) {
        const bool said = put == put_row && row->status == LTE_ROW_NODES; /* it has nothing else */
        if (said || (row->error_count.clusters > 0 && row->status != LTE_ROW_RUNNING))
            put(&csv, sweep, row);
    }
    return lte_csv_close(&csv);
}

static lte_status write_found(const char *dir, const lte_sweeps *sweeps)
{
    lte_cell cells[LTE_N_TARGET];
    lte_swept at;
    lte_csv csv;
    lte_csv_open(&csv, dir, &lte_target_columns, LTE_N_TARGET);
    for (int i = 0; lte_sweeps_detector(sweeps, i, &at); i++) {
        (void)lte_found_cells(&at, cells);
        lte_csv_put(&csv, cells);
    }
    return lte_csv_close(&csv);
}

lte_status lte_results_ber(const char *dir, const lte_sweeps *sweeps)
{
    const int counted = sweeps->of[0]->cut.counted;
    int n;
    const lte_columns *of = lte_row_columns(sweeps->of[0], &n);
    lte_status status = write_rows(dir, of, n, sweeps, put_row);
    if (!status && kinds[counted].rate)
        status = write_rows(dir, &lte_rate_columns, LTE_N_RATE, sweeps, kinds[counted].rate);
    if (!status && kinds[counted].layers)
        status = write_rows(dir, &lte_layers_columns, LTE_N_LAYERS, sweeps, kinds[counted].layers);
    if (!status)
        status = write_rows(dir, &lte_groups_columns, columns_of_groups(sweeps->of[0]), sweeps,
                            put_groups);
    if (!status && lte_sweep_is_search(sweeps->of[0]))
        status = write_found(dir, sweeps);
    return status;
}

/* ---- times ---- */

/* What a placement has of a row, none if spread is NULL; goes to the next row. */
static void take_times(lte_timed_row **row, int p, const char *stage, lte_detector detector, int n,
                       const lte_percentiles *spread)
{
    (*row)->stage = stage;
    (*row)->detector = detector;
    (*row)->n[p] = spread ? n : 0;
    (*row)->spread[p] = spread;
    (*row)->late[p] = (double)NAN;
    (*row)++;
}

int lte_timed_rows(const lte_deadline *run, lte_timed_row *rows)
{
    const bool alone = run->at[LTE_PLACEMENT_DEVICE].slots > 0 &&
                       lte_detector_needs(run->detector, LTE_NEEDS_INVERSE);
    lte_timed_row *row = rows;
    for (int p = 0; p < LTE_N_PLACEMENTS; p++) {
        const lte_placed *at = &run->at[p];
        const bool ran = at->slots > 0, coded = ran && run->counted == LTE_COUNTED_BLOCKS;
        const lte_detector detector = run->detector;
        row = rows;
        take_times(&row, p, "slot", detector, at->periods, ran ? &at->slot : NULL);
        take_times(&row, p, "block", detector, at->due, coded ? &at->block : NULL);
        take_times(&row, p, "decoder", detector, at->due, coded ? &at->decoder : NULL);
        take_times(&row, p, "service", detector, at->due, ran ? &at->service : NULL);
        take_times(&row, p, NULL, detector, at->inversions, alone ? &at->inversion : NULL);
        for (int i = 0; i < LTE_N_TIMED; i++)
            take_times(&row, p, lte_timed_names[i], detector, at->stage_slots,
                       lte_stage_is_there(run, p, i) ? &at->stage[i] : NULL);
        for (int i = 0; i < run->turns.n; i++) {
            const lte_turn *turn = &run->turns.of[i].at[p];
            take_times(&row, p, run->turns.judged ? "in_turn" : "alone", run->turns.of[i].detector,
                       run->turns.judged ? turn->due : turn->periods,
                       turn->periods > 0 ? &turn->latency : NULL);
            if (run->turns.judged && turn->due > 0)
                row[-1].late[p] = (double)turn->missed / turn->due;
        }
    }
    return (int)(row - rows);
}

static void put_times(lte_csv *csv, const lte_timed_row *row, int placement)
{
    const lte_detector detector = row->detector;
    const char *stage = row->stage;
    const lte_percentiles *spread = row->spread[placement];
    if (!stage || !spread)
        return;
    LTE_CSV_PUT(csv, TIMING);
}

static lte_status write_latencies(const char *dir, const lte_placed *host)
{
    /* all that is due, or 2000 ranks spaced evenly and the last hundred */
    const int step = host->due > 4000 ? host->due / 2000 : 1;
    lte_csv csv;
    lte_csv_open(&csv, dir, &lte_latency_columns, LTE_N_LATENCY);
    for (int i = 0; i < host->due; i++) {
        if (i % step != 0 && i < host->due - 100)
            continue;
        LTE_CSV_PUT(&csv, LATENCY);
    }
    return lte_csv_close(&csv);
}

lte_status lte_results_timing(const char *dir, const lte_deadline *run)
{
    lte_timed_row rows[LTE_MOST_TIMED_ROWS];
    const int n = lte_timed_rows(run, rows), first_alone = n - run->turns.n;
    lte_csv csv;
    lte_csv_open(&csv, dir, &lte_timing_columns, LTE_N_TIMING);
    for (int p = 0; p < LTE_N_PLACEMENTS; p++) {
        for (int i = 0; i < first_alone; i++)
            put_times(&csv, &rows[i], p);
    }
    for (int i = first_alone; i < n; i++) {
        for (int p = 0; p < LTE_N_PLACEMENTS; p++)
            put_times(&csv, &rows[i], p);
    }
    const lte_status status = lte_csv_close(&csv);
    return status ? status : write_latencies(dir, &run->at[LTE_PLACEMENT_HOST]);
}

/* ---- SNR against work ---- */

lte_status lte_results_pareto(const char *dir, const lte_pareto *pareto)
{
    lte_csv csv;
    lte_csv_open(&csv, dir, &lte_pareto_columns, LTE_N_PARETO);
    for (int i = 0; i < pareto->n; i++) {
        const lte_pareto_point *point = &pareto->point[i];
        LTE_CSV_PUT(&csv, PARETO);
    }
    return lte_csv_close(&csv);
}

/* ---- the channel ---- */

lte_status lte_results_channel(const char *dir, const lte_channel_validation *proof)
{
    lte_csv csv;
    lte_csv_open(&csv, dir, &lte_channel_columns, LTE_N_CHANNEL);
    for (int i = 0; i < proof->n_lines; i++) {
        const lte_validation_line *line = &proof->lines[i];
        LTE_CSV_PUT(&csv, CHANNEL);
    }
    return lte_csv_close(&csv);
}

lte_status lte_results_channel_grid(const char *dir, const lte_link *link, lte_channel_fn *channel)
{
    enum { MOST_TIMES = 56, MOST_SC = 100, WIDEST = 300, LEAST_SLOTS = 16 };
    const size_t matrix = (size_t)(link->n_rx * link->n_tx) * 2 * LTE_LANES;
    const int two_drops = 2 * (int)link->channel.doppler.drop_slots;
    const int n_slots = two_drops > LEAST_SLOTS ? two_drops : LEAST_SLOTS;
    const int step = (n_slots * LTE_SLOT_SYMBOLS + MOST_TIMES - 1) / MOST_TIMES;
    const int n_sc = link->carrier.n_sc < WIDEST ? link->carrier.n_sc : WIDEST;
    const int n_groups = (n_sc + LTE_LANES - 1) / LTE_LANES;
    int drawn = -1;
    lte_csv csv;
    float *h = malloc((size_t)(n_groups * link->channel.n_h) * matrix * sizeof *h);
    void *work = lte_stage_work_alloc(link);
    lte_status status = LTE_OK;
    if (!h || !work) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for channel_grid.csv");
        goto cleanup;
    }
    lte_csv_open(&csv, dir, &lte_channel_grid_columns, LTE_N_CHANNEL_GRID);
    for (int t = 0; !csv.status && t < n_slots * LTE_SLOT_SYMBOLS; t += step) {
        const int slot = t / LTE_SLOT_SYMBOLS, symbol = t % LTE_SLOT_SYMBOLS;
        if (slot != drawn)
            channel(link, (uint64_t)slot, 0, n_groups, h, work);
        drawn = slot;
        for (int sc = 0; sc < n_sc; sc += (n_sc + MOST_SC - 1) / MOST_SC) {
            const int n = link->n_rx * link->n_tx, i = link->channel.n_h > 1 ? symbol : 0;
            const float *p = &h[lte_batch_at(link->channel.n_h, n, sc, i, 0)];
            const double re = (double)p[0], im = (double)p[LTE_LANES];
            LTE_CSV_PUT(&csv, CHANNEL_GRID);
        }
    }
    status = lte_csv_close(&csv);
cleanup:
    free(h);
    free(work);
    return status;
}
