/* Coded sweeps of the points of TS 36.104, 8.2.1.1, against the throughput that is required. */
#include "sim/run/conformance.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "phy/estimation/csi.h"
#include "phy/theory/snr_at_rate.h"
#include "sim/files/files.h"
#include "sim/files/folder.h"
#include "sim/files/refuse.h"
#include "sim/jobs/sweep/search.h"
#include "sim/jobs/sweep/throughput.h"
#include "sim/jobs/workers/stop.h"
#include "sim/report/page/html.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/words.h"
#include "sim/report/summary/summary_text.h"
#include "sim/report/tables/report.h"
#include "sim/run/conformance_points.h"
#include "sim/run/named_scenario.h"
#include "sim/run/resume.h"
#include "sim/run/run.h"

enum { NAME = 96, MOST_SETS = 24, SET = 96, LONGEST_ABOUT = 800 };

/* Drops, and how many of them come before a point is decided, and then again and again. */
static const struct {
    double up_to_hz;
    int slots, least;
} drops_of[] = {{10.0, 256, 32}, {1000.0, 384, 20}};

static bool is_fast(const lte_requirement *requirement)
{
    return requirement->doppler_hz > drops_of[0].up_to_hz;
}

/* Where a margin is searched, beside the required SNR, over how many drops at most, and how well
   the share that is not reached is to be known. */
enum { SEARCHED_BELOW = 8, SEARCHED_ABOVE = 4, MARGIN_DROPS = 128 }; /* dB, dB */
static const double margin_precision = 0.1;
static const double rounded_db = 1e-3; /* the SNRs of settings */
static const lte_snr_estimate no_margin = {NAN, NAN, NAN};

enum { LEAST_JUDGED = 20 }; /* drops; fewer decide nothing */

static const struct {
    const char *shown, *stored; /* in the table, in conformance.csv */
    const char *failure;        /* on stderr */
} verdicts[LTE_N_JUDGEMENTS] = {{"met", "met", NULL},
                                {"MISSED", "missed", "missed"},
                                {"UNDECIDED", "undecided", "still undecided, which is not met"},
                                {"-", "", NULL}};

/* A requirement at a bandwidth: a run, of one point or two. */
typedef struct {
    const lte_requirement *of;
    int carrier;
    char reference[16]; /* "A3-2" */
    char folder[NAME];  /* "1.4MHz_1x2_EPA5_A3-2" */
} case_of;

/* The files of all, and what came of them. */
typedef struct {
    const lte_options *options;
    lte_ranks *ranks;
    const char *dir;
    lte_file csv;
    lte_conformance_point *points; /* [room] */
    int n, room;
    char device[320]; /* that the first ran on */
    lte_folder_lock lock;
} tests;

static const char not_tested[] =
    "  A17 (256QAM): the sizes of its transport blocks are not confirmed\n"
    "  A4-2 (extended cyclic prefix), A13 (ETU 600 Hz) and 8.2.6 (interference): not simulated\n"
    "  8.2.2 and 8.2.3 (timing adjustment, high-speed train), 8.2.4 (HARQ-ACK), 8.4 (PRACH)\n"
    "  TS 36.101, 8.2.1 (PDSCH): there is no receiver for cell-specific reference signals\n";

static case_of case_at(const lte_requirement *requirement, int carrier)
{
    case_of c = {.of = requirement, .carrier = carrier};
    char model[16];
    (void)lte_printed_name(requirement->model, model, sizeof model);
    (void)snprintf(c.reference, sizeof c.reference, "%s-%d", requirement->channel->family,
                   lte_reference_number(requirement->channel, carrier));
    (void)snprintf(c.folder, sizeof c.folder, "%gMHz_%dx%d_%s%g_%s",
                   lte_carriers[carrier].bandwidth_mhz, requirement->n_tx, requirement->n_rx, model,
                   requirement->doppler_hz, c.reference);
    return c;
}

/* ---- which of them ---- */

/* True if a word of a filter is one of a case's, or the family of its channel. */
static bool has_word(const case_of *c, const char *word, size_t n)
{
    if (n == strlen(c->of->channel->family) && strncasecmp(c->reference, word, n) == 0)
        return true;
    for (const char *at = c->folder; *at;) {
        const size_t length = strcspn(at, "_");
        if (length == n && strncasecmp(at, word, n) == 0)
            return true;
        at += length + (at[length] == '_');
    }
    return false;
}

/* True if it has all words of a filter, "1.4MHz,1x2"; NULL: there is none. */
static bool is_chosen(const case_of *c, const char *filter)
{
    bool chosen = true;
    for (const char *at = filter; at && *at;) {
        const size_t n = strcspn(at, ",");
        chosen = chosen && has_word(c, at, n);
        at += n + (at[n] == ',');
    }
    return chosen;
}

static const char *filter_of(const lte_options *options)
{
    const char *equals = strchr(options->scenario, '=');
    return equals ? equals + 1 : NULL;
}

/* ---- one run ---- */

static int n_shares(const lte_requirement *requirement)
{
    return requirement->share[1] > 0.0 ? 2 : 1;
}

/* The SNR at which a share is looked at: points without a verdict at the required one. */
static double run_db(const case_of *c, int share)
{
    const double less = c->of->n_tx == 1 ? lte_required_less_db(c->of, c->carrier) : 0.0;
    return c->of->snr_db[c->carrier][share] - less;
}

/* Settings that make the scenario that of a case. */
typedef struct {
    char text[MOST_SETS][SET];
    const char *at[MOST_SETS];
    int n;
} settings;

__attribute__((format(printf, 2, 3))) static void set(settings *s, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(s->text[s->n], SET, format, values);
    va_end(values);
    s->at[s->n] = s->text[s->n];
    s->n++;
}

/* Drops of a point, at most. */
static int limit_of(const lte_options *options)
{
    return options->limit > 0 ? options->limit : LTE_CONFORMANCE_DROPS;
}

static void settings_of(const case_of *c, const lte_options *options, settings *s)
{
    const lte_requirement *r = c->of;
    const bool fast = is_fast(r);
    const int drop = drops_of[fast].slots, n = n_shares(r);
    const int limit = limit_of(options);
    const int least = limit < drops_of[fast].least ? limit : drops_of[fast].least;
    const int most = r->n_tx > 1 ? least : limit;
    s->n = 0;
    set(s, "title=TS 36.104, 8.2.1.1: %s", c->reference);
    set(s, "carrier.bandwidth_mhz=%g", lte_carriers[c->carrier].bandwidth_mhz);
    set(s, "antennas.tx=%d", r->n_tx);
    set(s, "antennas.rx=%d", r->n_rx);
    set(s, "modulation=%s", r->channel->modulation);
    set(s, "channel.model=%s", r->model);
    set(s, "channel.doppler_hz=%g", r->doppler_hz);
    set(s, "channel.drop_slots=%d", drop);
    set(s, "carrier.grid=pusch");
    set(s, "code.link=uplink");
    set(s, "code.interleaver=none");
    set(s, "code.rate=default");
    set(s, "code.bits=%d", r->channel->bits[c->carrier]);
    if (r->channel->one_block)
        set(s, "carrier.allocation=[0,1]");
    if (n > 1)
        set(s, "sweep.snr_points=[%.3f,%.3f]", run_db(c, 0), run_db(c, 1));
    else
        set(s, "sweep.snr_points=[%.3f]", run_db(c, 0));
    if (n > 1)
        set(s, "sweep.required_throughput=[%g,%g]", r->share[0], r->share[1]);
    else
        set(s, "sweep.required_throughput=%g", r->share[0]);
    set(s, "sweep.min_slots=%d", least * drop);
    set(s, "sweep.max_slots=%d", most * drop);
    set(s, "sweep.round_slots=%d", least * drop);
}

static lte_status read_scenario(const case_of *c, const lte_options *options,
                                lte_scenario **scenario)
{
    settings s;
    settings_of(c, options, &s);
    lte_status status = lte_named_scenario(options, "pusch_epa5", s.at, s.n, NULL, scenario);
    if (!status && (*scenario)->sweep.n_required == 0) /* it needs a code */
        status = lte_refuse("--verify 3gpp: the throughput needs a code, which --set removed");
    if (!status && ((*scenario)->n_detectors > 1 || (*scenario)->n_csi > 1))
        status = lte_refuse("--verify 3gpp: needs a single detector and a single csi");
    if (!status && (*scenario)->sweep.n_snr != n_shares(c->of))
        status = lte_refuse("--verify 3gpp: has its own SNRs; remove --set sweep.snr_db");
    if (status) {
        lte_scenario_free(*scenario);
        *scenario = NULL;
    }
    return status;
}

/* ---- what came of it ---- */

/* What was run, as the run has it: "1.4 MHz 1x2 EPA 5 Hz". */
static void name_run(const lte_scenario *s, char *name, size_t size)
{
    char model[16];
    (void)lte_printed_name(lte_channel_rows[s->channel].name, model, sizeof model);
    (void)snprintf(name, size, "%g MHz %dx%d %s %g Hz", s->bandwidth_mhz, s->n_tx, s->n_rx, model,
                   s->doppler_hz);
}

/* True if what was run is what is required: --set may have changed it. */
static bool is_as_required(const case_of *c, const lte_scenario *s, const lte_code *code)
{
    const lte_requirement *r = c->of;
    const int n_rb = r->channel->one_block ? 1 : lte_carriers[c->carrier].n_rb;
    return s->n_tx == r->n_tx && s->n_rx == r->n_rx && s->doppler_hz == r->doppler_hz &&
           strcmp(lte_channel_rows[s->channel].name, r->model) == 0 && s->n_rb == n_rb &&
           !s->correlation.given && s->bandwidth_mhz == lte_carriers[c->carrier].bandwidth_mhz &&
           code->transport[0].bits == r->channel->bits[c->carrier] &&
           lte_transport_sent(&code->transport[0]) == 2 * 6 * s->n_sc * s->n_bits &&
           strcmp(lte_modulation_name(s->n_bits), r->channel->modulation) == 0;
}

static lte_judgement judge(const case_of *c, const lte_conformance_point *p, bool as_required)
{
    if (c->of->n_tx > 1 || !as_required)
        return LTE_POINT_UNJUDGED;
    return p->drops < LEAST_JUDGED       ? LTE_POINT_UNDECIDED
           : p->share_low > p->required  ? LTE_POINT_MET
           : p->share_high < p->required ? LTE_POINT_MISSED
                                         : LTE_POINT_UNDECIDED;
}

/* Runs a sweep in a folder, to its end or a stop signal. */
static lte_status run_sweep(const tests *t, const lte_scenario *scenario, const char *dir,
                            lte_run *run)
{
    char journal[PATH_MAX + 16];
    lte_options own = *t->options;
    own.only = LTE_RUN_BER;
    own.verify = false;
    own.no_plot = true;
    own.in_list = true;
    (void)snprintf(journal, sizeof journal, "%s/journal", dir);
    own.resume = t->options->resume && access(journal, F_OK) == 0;
    lte_status status = lte_run_init(run, &own, scenario, t->ranks, dir);
    if (!status && t->options->table)
        lte_report_header(stdout, &run->info);
    if (!status && run->finished)
        return LTE_OK;
    if (!status)
        status = lte_run_sweeps(run);
    if (!status)
        status = lte_run_save(run);
    if (!status && !lte_stop_signal)
        status = lte_resume_end(run);
    return status;
}

/* The SNR at which a receiver has the share of a case, below the required one. */
static lte_status find_margin(const tests *t, const case_of *c, int share, lte_snr_estimate *margin)
{
    char dir[PATH_MAX];
    settings s;
    lte_scenario *scenario = NULL;
    lte_run run;
    const double required_db = c->of->snr_db[c->carrier][share];
    *margin = no_margin;
    settings_of(c, t->options, &s);
    set(&s, "sweep.required_throughput=default");
    set(&s, "sweep.target_throughput=%g", c->of->share[share]);
    set(&s, "sweep.precision=%g", margin_precision);
    set(&s, "sweep.max_slots=%d", MARGIN_DROPS * drops_of[is_fast(c->of)].slots);
    set(&s, "sweep.snr_points=[%.3f,%.3f]", required_db - SEARCHED_BELOW,
        required_db + SEARCHED_ABOVE);
    if (snprintf(dir, sizeof dir, "%s/%s/margin_%.0f", t->dir, c->folder,
                 100.0 * c->of->share[share]) >= (int)sizeof dir)
        return lte_refuse("--out: must be a path of at most %d characters", PATH_MAX - NAME);
    lte_status status = lte_named_scenario(t->options, "pusch_epa5", s.at, s.n, NULL, &scenario);
    if (status)
        return status;
    status = run_sweep(t, scenario, dir, &run);
    if (!status && !lte_stop_signal) {
        const lte_found found = lte_search_of(run.sweeps.of[0], 0);
        const bool known = lte_found_is_known(&found);
        if (known)
            *margin = (lte_snr_estimate){required_db - found.snr_db, required_db - found.high_db,
                                         required_db - found.low_db};
    }
    lte_run_fini(&run);
    lte_scenario_free(scenario);
    return status;
}

static lte_conformance_point point_of(const case_of *c, const lte_run *run, int i)
{
    const lte_scenario *s = run->scenario;
    const lte_sweep *sweep = run->sweeps.of[0];
    const lte_code *code = s->codes[lte_csi_estimates(s->csi[0])];
    const lte_row *row = lte_sweep_row(sweep, 0, i);
    lte_row_blocks of = {.throughput = {NAN, NAN, NAN}, .peak = 1.0};
    if (row->error_count.clusters > 0) /* else its time was over before */
        of = lte_row_blocks_of(sweep, row);
    lte_conformance_point p = {.bandwidth_mhz = s->bandwidth_mhz,
                               .bits = code->transport[0].bits,
                               .required_db = c->of->snr_db[c->carrier][i],
                               .snr_db = row->snr_db,
                               .required = c->of->share[i],
                               .share = of.throughput.mean / of.peak,
                               .share_low = of.throughput.low / of.peak,
                               .share_high = of.throughput.high / of.peak,
                               .drops = row->error_count.clusters,
                               .margin = no_margin};
    name_run(s, p.run, sizeof p.run);
    memcpy(p.reference, c->reference, sizeof p.reference);
    memcpy(p.folder, c->folder, sizeof p.folder);
    p.judgement =
        judge(c, &p, is_as_required(c, s, code) && fabs(p.snr_db - run_db(c, i)) < rounded_db);
    return p;
}

/* A line of the table. */
static void put_line(const lte_conformance_point *p, bool margin)
{
    (void)printf("%-26s %-5s %6d %6.1f %6.1f %5.0f %% ", p->run, p->reference, p->bits,
                 p->required_db, p->snr_db, 100.0 * p->required);
    if (p->drops > 0)
        (void)printf("%5.1f %% (%5.1f to %5.1f) %6llu  ", 100.0 * p->share, 100.0 * p->share_low,
                     100.0 * p->share_high, p->drops);
    else
        (void)printf("%24s %6d  ", "not run", 0);
    if (margin && isfinite(p->margin.db))
        (void)printf("%5.2f (%5.2f to %5.2f)  ", p->margin.db, p->margin.low_db, p->margin.high_db);
    else if (margin)
        (void)printf("%5s %16s  ", "-", "");
    (void)printf("%s\n", verdicts[p->judgement].shown);
    (void)fflush(stdout);
}

/* ... and of conformance.csv. */
static void put_row(FILE *csv, const case_of *c, const lte_scenario *s,
                    const lte_conformance_point *p)
{
    (void)fprintf(csv, "%g,%d,%d,%s,%g,%s,%d,%.9g,%.9g,%.9g,", s->bandwidth_mhz, s->n_tx, s->n_rx,
                  lte_channel_rows[s->channel].name, s->doppler_hz, c->reference, p->bits,
                  p->required_db, p->snr_db, p->required);
    lte_put_real(csv, p->share, ",");
    lte_put_real(csv, p->share_low, ",");
    lte_put_real(csv, p->share_high, ",");
    (void)fprintf(csv, "%llu,%s,", p->drops, verdicts[p->judgement].stored);
    lte_put_real(csv, p->margin.db, ",");
    lte_put_real(csv, p->margin.low_db, ",");
    lte_put_real(csv, p->margin.high_db, "\n");
}

/* The points of a case, and their margins. */
static lte_status finish_case(tests *t, const case_of *c, const lte_run *run)
{
    const lte_device *device = &run->info.device;
    lte_status status = LTE_OK;
    if (t->n == 0)
        (void)snprintf(t->device, sizeof t->device, "%s%s%s", device->name,
                       device->text[0] ? ", " : "", device->text);
    for (int i = 0; i < n_shares(c->of) && !status; i++) {
        lte_conformance_point p = point_of(c, run, i);
        if (t->options->margin)
            status = find_margin(t, c, i, &p.margin);
        if (status || lte_stop_signal)
            continue;
        if (verdicts[p.judgement].failure)
            (void)fprintf(stderr, "ltesim: verification failed: %s, %s, %.0f %%: %s\n", p.run,
                          p.reference, 100.0 * p.required, verdicts[p.judgement].failure);
        put_line(&p, t->options->margin);
        put_row(t->csv.stream, c, run->scenario, &p);
        t->points[t->n++] = p;
    }
    return status;
}

static lte_status run_case(tests *t, const case_of *c)
{
    char dir[PATH_MAX];
    lte_scenario *scenario = NULL;
    lte_run run;
    if (snprintf(dir, sizeof dir, "%s/%s", t->dir, c->folder) >= (int)sizeof dir)
        return lte_refuse("--out: must be a path of at most %d characters", PATH_MAX - NAME);
    lte_status status = read_scenario(c, t->options, &scenario);
    if (status)
        return status;
    status = run_sweep(t, scenario, dir, &run);
    if (!status && !lte_stop_signal)
        status = finish_case(t, c, &run);
    lte_run_fini(&run);
    lte_scenario_free(scenario);
    return status;
}

/* What the table is of; in lines of a terminal, and as they come in a page. */
static const char about[] =
    "PUSCH, low correlation, up to 4 transmissions. The data are sent as OFDM, while PUSCH uses "
    "SC-FDMA, so each point with one transmit antenna is run at the required SNR less what that "
    "may flatter a receiver by (0.1 dB for EPA at 1.4 MHz and one resource block, else 0.9 dB), "
    "without the channel interleaver. A point is met when the 95 % interval of its throughput lies "
    "above the required share; it is run up to ";
static const char about_two[] =
    " drops to decide. Points with two transmit antennas, where OFDM is 1.4 to 2.8 dB too good, "
    "have no verdict.";

static void say_about(const tests *t, char *text, size_t size)
{
    (void)snprintf(text, size, "%s%d%s", about, limit_of(t->options), about_two);
}

static void put_head(const tests *t)
{
    char text[LONGEST_ABOUT];
    lte_lines lines = {.out = stdout};
    say_about(t, text, sizeof text);
    lte_lines_add(&lines, "TS 36.104, 8.2.1.1: %s\n", text);
    (void)printf("\n%-26s %-5s %6s %6s %6s %7s %24s %6s%s\n", "channel", "FRC", "bits", "dB",
                 "run dB", "share", "throughput (95 %)", "drops",
                 t->options->margin ? "  margin dB (95 %)" : "");
}

static bool put_end(const tests *t)
{
    const lte_conformance_page page = {.points = t->points, .n = t->n};
    const int unjudged = lte_conformance_count(&page, LTE_POINT_UNJUDGED), judged = t->n - unjudged;
    const int met = lte_conformance_count(&page, LTE_POINT_MET);
    (void)printf("\n%d point%s judged: %d met, %d missed, %d undecided; %d without a verdict\n",
                 judged, lte_plural(judged), met, lte_conformance_count(&page, LTE_POINT_MISSED),
                 lte_conformance_count(&page, LTE_POINT_UNDECIDED), unjudged);
    (void)printf("not tested:\n%s", not_tested);
    (void)printf("results in %s: " LTE_CONFORMANCE_NAME ", " LTE_HTML_CONFORMANCE "\n", t->dir);
    if (judged == 0)
        (void)fputs("ltesim: verification failed: no point was judged\n", stderr);
    return judged > 0 && met == judged;
}

/* conformance.csv and the page of it. */
static lte_status save(tests *t)
{
    char text[LONGEST_ABOUT];
    const lte_status status = lte_file_close(&t->csv);
    say_about(t, text, sizeof text);
    const char *command = t->options->command;
    const lte_conformance_page page = {t->points,  t->n,      text,
                                       not_tested, t->device, command ? command : ""};
    return status ? status : lte_html_conformance(&page, t->dir);
}

static lte_status count_case(tests *t, const case_of *c)
{
    t->room += n_shares(c->of);
    return LTE_OK;
}

/* Looks whether the files of a case can be written. */
static lte_status check_case(tests *t, const case_of *c)
{
    char dir[PATH_MAX];
    if (snprintf(dir, sizeof dir, "%s/%s", t->dir, c->folder) >= (int)sizeof dir)
        return lte_refuse("--out: must be a path of at most %d characters", PATH_MAX - NAME);
    return lte_results_check(dir, &(lte_results_files){.ber = true, .blocks = t->options->blocks});
}

/* Does something with those that are chosen. */
static lte_status each_case(tests *t, lte_status (*take)(tests *t, const case_of *c))
{
    lte_status status = LTE_OK;
    for (int carrier = 0; carrier < LTE_N_CARRIERS; carrier++) {
        for (int i = 0; i < lte_n_requirements && !status && !lte_stop_signal; i++) {
            const case_of c = case_at(&lte_requirements[i], carrier);
            if (is_chosen(&c, filter_of(t->options)))
                status = take(t, &c);
        }
    }
    return status;
}

/* Takes the folder, and looks before the first run whether all can be written; the results of an
 * earlier call go, so that an end too early leaves none that are not of these runs. */
static lte_status take_folder(tests *t)
{
    lte_status status = lte_results_check_kind(t->dir, LTE_RESULTS_CONFORMANCE);
    if (!status)
        status = lte_results_prepare(t->dir, &(lte_results_files){.conformance = true}, &t->lock);
    if (!status)
        status = each_case(t, check_case);
    return status ? status : lte_results_clear(t->dir, false, false);
}

lte_status lte_conformance_run(const lte_options *options, lte_ranks *ranks, bool *met)
{
    tests t = {.options = options, .ranks = ranks, .dir = options->out ? options->out : "out/3gpp"};
    if (ranks->n > 1)
        return lte_refuse("--verify 3gpp: needs a single process, not %d ranks", ranks->n);
    (void)each_case(&t, count_case);
    if (t.room == 0)
        return lte_refuse("--verify %s: no point has all of these words; there are, as in "
                          "3gpp=1.4MHz,1x2,EPA5,A3: 1.4MHz to 20MHz, 1x2 1x4 1x8 2x2 2x4 2x8, EPA5 "
                          "EVA5 EVA70 ETU70 ETU300, A3 A4 A5 A3-1 to A5-7",
                          options->scenario);
    t.points = calloc((size_t)t.room, sizeof *t.points);
    if (!t.points)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d points", t.room);
    lte_signals_catch();
    lte_status status = take_folder(&t);
    if (!status)
        status = lte_file_open(&t.csv, t.dir, LTE_CONFORMANCE_NAME);
    if (!status) {
        (void)fputs(LTE_CONFORMANCE_START
                    "required_db,snr_db,"
                    "required_share,share,share_low,share_high,drops,verdict,margin_db,"
                    "margin_db_low,margin_db_high\n",
                    t.csv.stream);
        put_head(&t);
        status = each_case(&t, run_case);
        if (status || lte_stop_signal) {
            lte_file_drop(&t.csv);
        } else {
            status = save(&t);
            if (!status)
                *met = put_end(&t);
        }
    }
    lte_folder_leave(&t.lock);
    free(t.points);
    return status;
}
