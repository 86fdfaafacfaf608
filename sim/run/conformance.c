/* Coded sweeps of fixed reference channels, and their throughput against what is required. */
#include "sim/run/conformance.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "sim/files/refuse.h"
#include "sim/jobs/sweep/throughput.h"
#include "sim/report/tables/report.h"
#include "sim/run/resume.h"
#include "sim/run/run.h"
#include "sim/run/named_scenario.h"
#include "sim/jobs/workers/stop.h"

/*
 * A fixed reference channel on six resource blocks: its transport block, and the SNRs that it is
 * looked at.
 */
typedef struct {
    const char *name, *modulation, *rate;
    int payload, sent; /* bits of a subframe */
    int from_db, to_db;
} channel;

enum { N_CHANNELS = 3, N_POINTS = 4 };
static const channel channels[N_CHANNELS] = {
    {"A3-2", "qpsk", "1/3", 600, 1728, -10, 1},
    {"A4-3", "16qam", "3/4", 2600, 3456, 4, 12},
    {"A5-2", "64qam", "5/6", 4392, 5184, 10, 19},
};

/* Required: a share of the largest throughput at an SNR. */
static const struct {
    int channel;
    double share, snr_db;
} points[N_POINTS] = {{0, 0.3, -4.1}, {0, 0.7, 0.1}, {1, 0.7, 10.6}, {2, 0.7, 17.7}};

static const char not_judged[] =
    "not tested:\n  A17-1 (256QAM, EPA 5 Hz, 70 % at 21.4 dB): the size of its transport block is "
    "not confirmed\n  A3-1 (one resource block, EVA 5 Hz): ltesim simulates six resource blocks or "
    "more\n  TS 36.101, 8.2.1 (PDSCH): ltesim has no receiver for cell-specific reference "
    "signals\n  HARQ-ACK on PUSCH and PRACH (8.2.4, 8.4): ltesim does not have these channels\nThe "
    "tests use plain OFDM symbols, which PUSCH would spread by a DFT. The channel is estimated "
    "from\nboth reference symbols of a subframe; the receiver knows the Doppler frequency but not "
    "the delays,\nand estimates the noise.\n";

enum { OWN_SETS = 4, SET_SIZE = 256 };

/* What makes the scenario that of a channel. */
static void sets_of(const channel *c, char text[OWN_SETS][SET_SIZE])
{
    /* the middle of the rates that have this size */
    const double rate = (c->payload + 24 + 4.0) / c->sent;
    int n = snprintf(text[3], SET_SIZE, "sweep.snr_points=[");
    for (int db = c->from_db; db <= c->to_db; db++)
        n += snprintf(text[3] + n, SET_SIZE - (size_t)n, "%s%d.0", db > c->from_db ? "," : "", db);
    (void)snprintf(text[3] + n, SET_SIZE - (size_t)n, "]");
    (void)snprintf(text[0], SET_SIZE, "modulation=%s", c->modulation);
    (void)snprintf(text[1], SET_SIZE, "code.rate=%.9f", rate);
    (void)snprintf(text[2], SET_SIZE, "title=%s, %s %s", c->name, c->modulation, c->rate);
}

static lte_status read_scenario(const channel *c, const lte_options *options,
                                lte_scenario **scenario)
{
    char own[OWN_SETS][SET_SIZE];
    const char *sets[OWN_SETS];
    sets_of(c, own);
    for (int i = 0; i < OWN_SETS; i++)
        sets[i] = own[i];
    lte_status status = lte_named_scenario(options, "pusch_epa5", sets, OWN_SETS, NULL, scenario);
    if (!status && !(*scenario)->code.given)
        status = lte_refuse("--verify 3gpp: the throughput needs a code, which --set removed");
    if (!status && (*scenario)->n_detectors > 1)
        status = lte_refuse("--verify 3gpp: needs a single detector");
    if (status) {
        lte_scenario_free(*scenario);
        *scenario = NULL;
    }
    return status;
}

/*
 * The lowest SNR at which a sweep has a share, straight between its points; below the first
 * -INFINITY, NAN if * none has it.
 */
static double reached_db(const lte_sweep *sweep, double share)
{
    double snr_db = NAN, had = 0.0;
    const lte_row *row;
    for (int i = 0; (row = lte_sweep_started(sweep, i)); i++) {
        const lte_row_blocks of = lte_row_blocks_of(sweep, row);
        const double has = of.bits_per_s / of.peak;
        if (has >= share)
            return i == 0 ? -(double)INFINITY
                          : snr_db + (share - had) / (has - had) * (row->snr_db - snr_db);
        snr_db = row->snr_db;
        had = has;
    }
    return NAN;
}

/* Runs a channel; reached: of its points. */
static lte_status run_channel(const channel *c, const lte_options *options, lte_ranks *ranks,
                              double reached[N_POINTS])
{
    char dir[PATH_MAX];
    lte_options own = *options;
    lte_scenario *scenario = NULL;
    lte_run run;
    own.only = LTE_RUN_BER;
    own.verify = false;
    if (snprintf(dir, sizeof dir, "%s/%s", options->out ? options->out : "out/3gpp", c->name) >=
        (int)sizeof dir)
        return lte_refuse("--out: must be a path of at most %d characters", PATH_MAX - 8);
    lte_status status = read_scenario(c, options, &scenario);
    if (status)
        return status;
    status = lte_run_init(&run, &own, scenario, ranks, dir);
    if (!status && options->table)
        lte_report_header(stdout, &run.info);
    (void)fflush(stdout);
    if (!status)
        status = lte_run_sweeps(&run);
    if (!status)
        status = lte_run_save(&run);
    if (!status && !lte_stop_signal)
        status = lte_resume_end(&run);
    for (int i = 0; i < N_POINTS && !status; i++) {
        if (&channels[points[i].channel] == c)
            reached[i] = reached_db(run.sweeps.of[0], points[i].share);
    }
    if (!status)
        (void)printf("results in %s: bler.csv, run.json%s\n", run.dir, options->table ? "\n" : "");
    lte_run_fini(&run);
    lte_scenario_free(scenario);
    return status;
}

static bool put_points(const double reached[N_POINTS])
{
    bool met = true;
    (void)printf("TS 36.104, 8.2.1.1: PUSCH, 1.4 MHz, 1x2, EPA 5 Hz, low correlation, up to 4 "
                 "transmissions\n"
                 "channel  modulation  payload  throughput  required dB  reached dB  margin dB\n");
    for (int i = 0; i < N_POINTS; i++) {
        const channel *c = &channels[points[i].channel];
        const bool below = isinf(reached[i]);
        const double at = below ? c->from_db : reached[i], margin = points[i].snr_db - at;
        const bool good = margin >= 0.0;
        (void)printf("%-8s %-6s %-4s %8d %10.0f %% %12.1f", c->name, c->modulation, c->rate,
                     c->payload, 100.0 * points[i].share, points[i].snr_db);
        if (isnan(at))
            (void)printf("  above %5d          -  MISSED\n", c->to_db);
        else
            (void)printf(" %s%11.2f %10.2f  %s\n", below ? "<" : " ", at, margin,
                         good ? "met" : "MISSED");
        met = met && good;
    }
    (void)fputs(not_judged, stdout);
    return met;
}

lte_status lte_conformance_run(const lte_options *options, lte_ranks *ranks, bool *met)
{
    double reached[N_POINTS];
    lte_status status = LTE_OK;
    if (ranks->n > 1)
        return lte_refuse("--verify 3gpp: needs a single process, not %d ranks", ranks->n);
    lte_signals_catch();
    for (int i = 0; i < N_CHANNELS && !status && !lte_stop_signal; i++)
        status = run_channel(&channels[i], options, ranks, reached);
    if (!status && !lte_stop_signal)
        *met = put_points(reached);
    return status;
}
