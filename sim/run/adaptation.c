/* Runs of several MCS, and the envelope of their throughput. */
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
#include "sim/report/compare/plot.h"
#include "sim/report/results/results.h"
#include "sim/report/results/table.h"
#include "sim/run/named_scenario.h"

/* Columns of bler.csv that are looked at. */
enum { DETECTOR = 0, CSI = 1, SNR = 2, BLER = 7, RATE = 14, PEAK = 15 };
#define BLER_KINDS "ttnnnnnnnnnnnnnnnnnnnnntn"

static lte_status check(const lte_options *options, const lte_scenario *scenario,
                        const lte_ranks *ranks, const char *dir)
{
    char path[PATH_MAX];
    if (ranks->n > 1)
        return lte_refuse("code.mcs: several run in one process, not in %d ranks", ranks->n);
    if (strcmp(options->scenario, "-") == 0)
        return lte_refuse("code.mcs: several are read from a file, not from stdin");
    if (options->dump_channel)
        return lte_refuse("--dump-channel: goes with one MCS, code.mcs lists %d",
                          scenario->code.n_mcs);
    if (scenario->sweep.target_ber > 0.0)
        return lte_refuse("sweep.target_ber: goes with one MCS, code.mcs lists %d",
                          scenario->code.n_mcs);
    if (snprintf(path, sizeof path, "%s/run.json", dir) < (int)sizeof path &&
        access(path, F_OK) == 0)
        return lte_refuse("%s: holds a run of one scenario; --out names another folder", dir);
    return LTE_OK;
}

/* The scenario with one of its MCS alone. */
static lte_status read_one(const lte_options *options, const lte_scenario *all, int i,
                           lte_scenario **scenario)
{
    char own[32];
    (void)snprintf(own, sizeof own, "code.mcs=%d", all->code.all_mcs[i]);
    return lte_named_scenario(options, options->scenario, NULL, 0, own, scenario);
}

static lte_status folder_of(const lte_scenario *scenario, const char *dir, int i,
                            char folder[PATH_MAX])
{
    return snprintf(folder, PATH_MAX, "%s/mcs_%d", dir, scenario->code.all_mcs[i]) < PATH_MAX
               ? LTE_OK
               : lte_refuse("--out: a path of up to %d characters", PATH_MAX - 8);
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
        bool is = true;
        for (int c = DETECTOR; c <= SNR; c++)
            is = is && strcmp(lte_table_text(table, i, c), lte_table_text(other, row, c)) == 0;
        if (is)
            return i;
    }
    return -1;
}

/* Writes and prints the best MCS of every row of the first table. */
static lte_status put_envelope(const lte_scenario *scenario, const lte_table *tables,
                               const char *dir)
{
    lte_file file;
    const lte_status status = lte_file_open(&file, dir, "envelope.csv");
    if (status)
        return status;
    (void)fputs(LTE_ENVELOPE_COLUMNS "\n", file.stream);
    (void)printf(
        "best MCS\ndetector  csi            SNR dB  MCS     Mbit/s  of its peak        BLER\n");
    for (int row = 0; row < tables[0].n_rows; row++) {
        int best = 0, at = row;
        for (int i = 1; i < scenario->code.n_mcs; i++) {
            const int here = row_like(&tables[i], &tables[0], row);
            if (here >= 0 &&
                lte_table_real(&tables[i], here, RATE) > lte_table_real(&tables[best], at, RATE)) {
                best = i;
                at = here;
            }
        }
        const lte_table *t = &tables[best];
        const double rate = lte_table_real(t, at, RATE), peak = lte_table_real(t, at, PEAK);
        (void)fprintf(file.stream, "%s,%s,%s,%d,%s,%s,%s\n", lte_table_text(t, at, DETECTOR),
                      lte_table_text(t, at, CSI), lte_table_text(t, at, SNR),
                      scenario->code.all_mcs[best], lte_table_text(t, at, RATE),
                      lte_table_text(t, at, PEAK), lte_table_text(t, at, BLER));
        (void)printf("%-9s %-12s %8.2f %4d %10.2f %10.1f %% %11s\n",
                     lte_table_text(t, at, DETECTOR), lte_table_text(t, at, CSI),
                     lte_table_real(t, at, SNR), scenario->code.all_mcs[best], 1e-6 * rate,
                     100.0 * rate / peak, lte_table_text(t, at, BLER));
    }
    return lte_file_close(&file);
}

/* What the runs in their folders come to. */
static lte_status join(const lte_options *options, const lte_scenario *scenario, const char *dir)
{
    char folder[PATH_MAX], why[300] = "";
    const int n = scenario->code.n_mcs;
    lte_table *tables = calloc((size_t)n, sizeof *tables);
    lte_status status = tables ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for %d tables", n);
    for (int i = 0; i < n && !status; i++) {
        status = folder_of(scenario, dir, i, folder);
        if (!status)
            status = lte_table_read(folder, "bler.csv", LTE_BLER_COLUMNS, BLER_KINDS, &tables[i]);
    }
    if (!status && tables)
        status = put_envelope(scenario, tables, dir);
    for (int i = 0; i < n && tables; i++)
        lte_table_free(&tables[i]);
    free(tables);
    if (status)
        return status;
    const bool drawn = !options->no_plot && lte_plot(dir, "adaptation", why, sizeof why);
    (void)printf("\nresults in %s: envelope.csv, mcs_...%s%s%s\n", dir,
                 drawn ? "; picture adaptation (.svg, .png)" : "", *why ? "; no picture: " : "",
                 why);
    return LTE_OK;
}

lte_status lte_adaptation_run(const lte_options *options, const lte_scenario *scenario,
                              lte_ranks *ranks, const char *dir, lte_adaptation_job *job, int *code)
{
    const int n = scenario->code.n_mcs;
    char folder[PATH_MAX];
    lte_status status = check(options, scenario, ranks, dir);
    for (int i = 0; i < n && !status; i++) { /* all of them before the first runs */
        lte_scenario *one = NULL;
        status = folder_of(scenario, dir, i, folder);
        if (!status)
            status = read_one(options, scenario, i, &one);
        lte_scenario_free(one);
    }
    *code = 0;
    for (int i = 0; i < n && !status && *code == 0; i++) {
        lte_options own = *options;
        lte_scenario *one = NULL;
        (void)folder_of(scenario, dir, i, folder);
        own.resume = options->resume && has_begun(folder);
        status = read_one(options, scenario, i, &one);
        if (!status)
            *code = job(&own, one, ranks, folder);
        lte_scenario_free(one);
#ifdef __GLIBC__
        (void)malloc_trim(0); /* or the next run's memory comes on top of what lies free between */
#endif
        (void)printf("\n");
    }
    if (!status && *code == 0 && !options->explain && !options->part.given)
        status = join(options, scenario, dir);
    return status;
}
