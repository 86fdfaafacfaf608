/* Runs of several MCS, and the envelope of their throughput. */
#include "sim/report/summary/summary_parts.h"
#include "sim/run/adaptation.h"

#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/files/files.h"
#include "sim/files/refuse.h"
#include "sim/jobs/workers/stop.h"
#include "sim/report/charts/draw.h"
#include "sim/report/results/words.h"
#include "sim/report/results/result.h"
#include "sim/report/results/results.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/table.h"
#include "sim/report/tables/terminal.h"
#include "sim/run/named_scenario.h"
#include "sim/run/resume.h"

static lte_status check(const lte_options *options, const lte_scenario *scenario,
                        const lte_ranks *ranks, const char *dir)
{
    if (ranks->n > 1)
        return lte_refuse("%s: code.mcs: a list of MCS needs a single process, not %d ranks",
                          scenario->code.mcs_place, ranks->n);
    if (strcmp(options->scenario, "-") == 0)
        return lte_refuse(
            "%s: code.mcs: a list of MCS must be read from a scenario file, not from stdin",
            scenario->code.mcs_place);
    if (options->dump_channel)
        return lte_refuse("%s: --dump-channel needs a single MCS, but code.mcs lists %d",
                          scenario->code.mcs_place, scenario->code.n_mcs);
    if (lte_scenario_searches(scenario))
        return lte_refuse("%s: sweep.%s: a search needs a single MCS, but code.mcs lists %d",
                          scenario->code.mcs_place, lte_scenario_target(scenario).key,
                          scenario->code.n_mcs);
    return options->explain ? LTE_OK : lte_results_check_kind(dir, LTE_RESULTS_LIST);
}

/* The scenario with one of its MCS alone. */
static lte_status read_one(const lte_options *options, const lte_scenario *all, int i,
                           lte_scenario **scenario)
{
    char own[32];
    (void)snprintf(own, sizeof own, "code.mcs=%d", all->code.all_mcs[i]);
    return lte_named_scenario(options, options->scenario, NULL, 0, own, scenario);
}

static lte_status folder_of(int mcs, const char *dir, char folder[PATH_MAX])
{
    return snprintf(folder, PATH_MAX, "%s/mcs_%d", dir, mcs) < PATH_MAX
               ? LTE_OK
               : lte_refuse("--out: must be a path of at most %d characters", PATH_MAX - 8);
}

/* True if there is something to resume in a folder. */
static bool has_begun(const char *folder)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/journal", folder) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

/* The row of a table with the detector, csi and SNR of another's row; -1 if it has none. */
static int row_like(const lte_table *table, const lte_table *other, int row)
{
    for (int i = 0; i < table->n_rows; i++) {
        if (lte_table_alike(table, i, other, row, LTE_BLER_DETECTOR, LTE_BLER_SNR))
            return i;
    }
    return -1;
}

/* The MCS with the most rows, the first of these; others may lack some, as where time was over. */
static int fullest_of(const lte_scenario *scenario, const lte_table *tables)
{
    int fullest = 0;
    for (int i = 1; i < scenario->code.n_mcs; i++)
        fullest = tables[i].n_rows > tables[fullest].n_rows ? i : fullest;
    return fullest;
}

/* The best MCS of a row of the fullest table: its place, and its row in its own table. */
typedef struct {
    int mcs, row;
} best;

/* True if an MCS has a higher throughput than the best, or the same and is lower. */
static bool is_better(const lte_scenario *scenario, const lte_table *tables, const best *here,
                      const best *than)
{
    const double x = lte_table_real(&tables[here->mcs], here->row, LTE_BLER_BITS_PER_S);
    const double y = lte_table_real(&tables[than->mcs], than->row, LTE_BLER_BITS_PER_S);
    const int *mcs = scenario->code.all_mcs;
    return x > y || (x == y && mcs[here->mcs] < mcs[than->mcs]);
}

static best best_of(const lte_scenario *scenario, const lte_table *tables, int row)
{
    const int fullest = fullest_of(scenario, tables);
    best b = {fullest, row};
    for (int i = 0; i < scenario->code.n_mcs; i++) {
        const best here = {i, row_like(&tables[i], &tables[fullest], row)};
        if (here.row >= 0 && is_better(scenario, tables, &here, &b))
            b = here;
    }
    return b;
}

/* The best MCS at the SNR of a row of the fullest table. */
static void envelope_cells(const lte_scenario *scenario, const lte_table *tables, int of_fullest,
                           lte_cell *cells)
{
    const best b = best_of(scenario, tables, of_fullest);
    const lte_table *table = &tables[b.mcs];
    const int row = b.row, mcs = scenario->code.all_mcs[b.mcs];
    const double rate = lte_table_real(table, row, LTE_BLER_BITS_PER_S);
    const double peak = lte_table_real(table, row, LTE_BLER_PEAK);
    LTE_TAKE(ENVELOPE)
}

/* Writes the best MCS of every row of the fullest table. */
static lte_status write_envelope(const lte_scenario *scenario, const lte_table *tables,
                                 const char *dir)
{
    const int n_rows = tables[fullest_of(scenario, tables)].n_rows;
    lte_cell cells[LTE_N_ENVELOPE];
    lte_csv csv;
    lte_csv_open(&csv, dir, &lte_envelope_columns, LTE_N_ENVELOPE);
    for (int row = 0; row < n_rows; row++) {
        envelope_cells(scenario, tables, row, cells);
        lte_csv_put(&csv, cells);
    }
    return lte_csv_close(&csv);
}

/* All of its rows. */
static void print_envelope(const lte_scenario *scenario, const lte_table *tables)
{
    const lte_columns *of = &lte_envelope_columns;
    const lte_shown shown = lte_terminal_shown(stdout, 0, of, LTE_N_ENVELOPE);
    const int n_rows = tables[fullest_of(scenario, tables)].n_rows;
    lte_cell cells[LTE_N_ENVELOPE];
    const int width = lte_detector_width(scenario);
    (void)printf("best fixed MCS\n%-*s %-12s", width, "detector", "csi");
    lte_terminal_heads(stdout, shown, of, LTE_N_ENVELOPE);
    for (int row = 0; row < n_rows; row++) {
        envelope_cells(scenario, tables, row, cells);
        (void)printf("%-*s %-12s", width, cells[LTE_ENVELOPE_DETECTOR].text,
                     cells[LTE_ENVELOPE_CSI].text);
        lte_terminal_row(stdout, shown, of, LTE_N_ENVELOPE, cells);
        (void)printf("\n");
    }
    (void)printf("\n");
}

/* Rows of a table from one on that have its detector and csi. */
static int rows_alike(const lte_table *table, int from)
{
    int row = from;
    while (row < table->n_rows &&
           lte_table_alike(table, row, table, from, LTE_BLER_DETECTOR, LTE_BLER_CSI))
        row++;
    return row - from;
}

/* Lines of the grid for a detector with a csi: Mbit/s, and the MCS that delivers them. */
static void put_best(lte_lines *text, const lte_scenario *scenario, const lte_table *tables,
                     int from, int n)
{
    enum { WIDTH = 17 };
    const lte_table *fullest = &tables[fullest_of(scenario, tables)];
    const lte_grid_shown shown = lte_grid_choose(n, WIDTH);
    char name[32], label[64];
    (void)lte_printed_detector(lte_table_text(fullest, from, LTE_BLER_DETECTOR), name, sizeof name);
    (void)snprintf(label, sizeof label, "%s%s%s", name, scenario->n_csi > 1 ? " " : "",
                   scenario->n_csi > 1 ? lte_table_text(fullest, from, LTE_BLER_CSI) : "");
    for (int line = from > 0; line < 3; line++) {
        char cells[128] = "";
        lte_append(cells, sizeof cells, "%-*s", WIDTH,
                   line == 0   ? "SNR, dB"
                   : line == 1 ? label
                               : "  MCS");
        for (int i = 0; i < shown.n; i++) {
            const int row = from + shown.at[i];
            const best b = best_of(scenario, tables, row);
            if (line == 0)
                lte_append(cells, sizeof cells, "%7g", lte_table_real(fullest, row, LTE_BLER_SNR));
            else if (line == 1)
                lte_append(cells, sizeof cells, "%7.1f",
                           1e-6 * lte_table_real(&tables[b.mcs], b.row, LTE_BLER_BITS_PER_S));
            else
                lte_append(cells, sizeof cells, "%7d", scenario->code.all_mcs[b.mcs]);
        }
        lte_lines_line(text, cells);
    }
}

/* The summary of all: Mbit/s at some SNRs with the MCS that delivers most there. */
static void summarise(const lte_scenario *scenario, const lte_table *tables)
{
    const lte_run_info info = {.scenario = scenario};
    const lte_table *fullest = &tables[fullest_of(scenario, tables)];
    lte_lines text = {.out = stdout};
    lte_summary_head(&text, &info, NULL);
    lte_lines_add(&text, "Mbit/s with the best fixed MCS at each SNR, of MCS");
    for (int i = 0; i < scenario->code.n_mcs; i++)
        lte_lines_add(&text, "%d%s", scenario->code.all_mcs[i],
                      i < scenario->code.n_mcs - 1 ? "," : "");
    lte_lines_end(&text);
    for (int i = 0; i < scenario->code.n_mcs; i++) {
        const int lacks = fullest->n_rows - tables[i].n_rows;
        if (lacks > 0)
            lte_lines_add(&text, "MCS %d lacks %d of %d rows\n", scenario->code.all_mcs[i], lacks,
                          fullest->n_rows);
    }
    for (int from = 0; from < fullest->n_rows;) {
        const int n = rows_alike(fullest, from);
        put_best(&text, scenario, tables, from, n);
        from += n;
    }
}

/* MCS [n]. */
typedef struct {
    const int *mcs;
    int n;
} listed;

/* Refuses, to go on with a list, the run of an MCS that is not in it. */
static lte_status check_listed(const char *path, int mcs, void *user)
{
    const listed *list = user;
    for (int i = 0; i < list->n; i++) {
        if (list->mcs[i] == mcs)
            return LTE_OK;
    }
    return lte_refuse("--resume: %s belongs to a different list: code.mcs does not list %d", path,
                      mcs);
}

/* Removes the run of an earlier list, but for what is its owner's and a journal that is not at its
 * end. */
static lte_status clear_one(const char *path, int mcs, void *user)
{
    lte_folder_lock lock = {0};
    (void)mcs;
    (void)user;
    lte_resume_tell_unfinished(path);
    lte_status status = lte_folder_take(path, &lock);
    if (!status)
        status = lte_results_keep_unfinished(path);
    if (!status)
        status = lte_results_clear(path, false, false);
    lte_folder_leave(&lock);
    if (!status)
        (void)rmdir(path); /* if nothing is left in it */
    return status;
}

lte_status lte_adaptation_take(const lte_options *options, const int *mcs, int n, const char *dir,
                               lte_folder_lock *lock)
{
    const lte_results_files all = {.list = !options->part.given, .pictures = !options->no_plot};
    const lte_results_files each = {.ber = true,
                                    .blocks = options->blocks,
                                    .channel = options->verify,
                                    .pictures = !options->no_plot,
                                    .report = options->report};
    char folder[PATH_MAX];
    listed list = {mcs, n};
    lte_status status = lte_results_prepare(dir, &all, lock);
    for (int i = 0; i < n && !status; i++) {
        status = folder_of(mcs[i], dir, folder);
        if (!status)
            status = lte_results_check(folder, &each);
    }
    if (!status)
        status = lte_results_each_mcs(dir, options->resume ? check_listed : clear_one, &list);
    return status ? status : lte_results_clear(dir, false, false);
}

lte_status lte_adaptation_join(const lte_options *options, const lte_scenario *scenario,
                               const char *dir)
{
    char folder[PATH_MAX], why[300] = "";
    const int n = scenario->code.n_mcs;
    lte_table *tables = calloc((size_t)n, sizeof *tables);
    lte_status status = tables ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for %d tables", n);
    for (int i = 0; i < n && !status; i++) {
        status = folder_of(scenario->code.all_mcs[i], dir, folder);
        if (!status)
            status = lte_table_read(folder, &lte_bler_columns, &tables[i]);
    }
    if (!status && tables)
        status = write_envelope(scenario, tables, dir);
    if (!status && tables && options->table)
        print_envelope(scenario, tables);
    if (!status && tables)
        summarise(scenario, tables);
    for (int i = 0; i < n && tables; i++)
        lte_table_free(&tables[i]);
    free(tables);
    if (status)
        return status;
    const bool drawn = !options->no_plot && lte_plot(dir, "adaptation", why, sizeof why);
    if (*why)
        (void)fprintf(stderr, "ltesim: no picture was drawn: %s\n", why);
    (void)printf("results in %s: %senvelope.csv, mcs_...; every row: --table\n", dir,
                 drawn ? "adaptation.png, " : "");
    return LTE_OK;
}

lte_status lte_adaptation_run(const lte_options *options, const lte_scenario *scenario,
                              lte_ranks *ranks, const char *dir, lte_adaptation_job *job, int *code)
{
    const int n = scenario->code.n_mcs;
    char folder[PATH_MAX];
    lte_folder_lock lock = {0};
    lte_status status = check(options, scenario, ranks, dir);
    for (int i = 0; i < n && !status; i++) { /* all of them before the first runs */
        lte_scenario *one = NULL;
        status = folder_of(scenario->code.all_mcs[i], dir, folder);
        if (!status)
            status = read_one(options, scenario, i, &one);
        lte_scenario_free(one);
    }
    lte_signals_catch();
    if (!status && !options->explain)
        status = lte_adaptation_take(options, scenario->code.all_mcs, n, dir, &lock);
    *code = 0;
    for (int i = 0; i < n && !status && *code == 0; i++) {
        lte_options own = *options;
        lte_scenario *one = NULL;
        (void)folder_of(scenario->code.all_mcs[i], dir, folder);
        own.resume = options->resume && has_begun(folder);
        own.in_list = true;
        status = read_one(options, scenario, i, &one);
        if (!status)
            *code = job(&own, one, ranks, folder);
        lte_scenario_free(one);
#ifdef __GLIBC__
        (void)malloc_trim(0); /* or the next run's memory comes on top of what lies free between */
#endif
        if (options->table || options->explain)
            (void)printf("\n");
    }
    if (!status && *code == 0 && !options->explain && !options->part.given)
        status = lte_adaptation_join(options, scenario, dir);
    lte_folder_leave(&lock);
    return status;
}
