/* The jobs of a scenario, one after the other, and what they share. */
#include "sim/run/run.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kernels/backends/clock.h"
#include "kernels/link/inversion_rows.h"
#include "sim/channel/dump.h"
#include "sim/files/json_memory.h"
#include "sim/files/refuse.h"
#include "sim/jobs/host_memory.h"
#include "sim/jobs/sweep/search.h"
#include "sim/report/explain.h"
#include "sim/report/tables/report.h"
#include "sim/report/results/results.h"
#include "sim/report/results/results_folder.h"
#include "sim/jobs/sweep/identity.h"
#include "sim/jobs/sweep/effort.h"
#include "sim/jobs/sweep/sweep_state.h"
#include "sim/run/resume.h"
#include "sim/scenario/described_link.h"
#include "sim/jobs/workers/stop.h"

static const double save_period_s = 1.0; /* a device may end hundreds of points a second */

/* Before the first file: those of earlier runs go, but for a journal that this one replaces, and
 * one that was not at its end is kept. */
static lte_status begin_files(lte_run *run)
{
    lte_status status = LTE_OK;
    if (run->begun)
        return LTE_OK;
    if (!run->options->resume)
        status = lte_results_keep_unfinished(run->dir);
    if (!status)
        status = lte_results_clear(run->dir, run->sweeps.n > 0, run->blocks.named);
    if (!status && run->sweeps.n > 0)
        status = lte_resume_begin(run);
    run->begun = !status;
    return status;
}

lte_status lte_run_save(lte_run *run)
{
    lte_status status = begin_files(run);
    run->info.end = time(NULL);
    if (!status && run->sweeps.n > 0)
        status = lte_results_ber(run->dir, &run->sweeps);
    if (!status && run->deadline)
        status = lte_results_timing(run->dir, run->deadline);
    if (!status && run->pareto)
        status = lte_results_pareto(run->dir, run->pareto);
    if (!status)
        status = lte_results_json(run->dir, &run->info, &run->sweeps, run->deadline, run->pareto);
    return status;
}

/* Rows of the points that have ended since, onto stdout. */
static void tell_points(lte_run *run, const lte_sweep *sweep, int n)
{
    if (run->n_told >= n)
        return;
    lte_progress_end(&run->progress);
    if (!run->options->table)
        run->n_told = n;
    while (run->n_told < n)
        lte_report_ber_point(stdout, &run->sweeps, sweep, run->n_told++);
    (void)fflush(stdout);
}

static void watch_sweep(const lte_sweep *sweep, int snr, bool point_done, void *user)
{
    lte_run *run = user;
    run->unsaved = run->unsaved || point_done;
    if (point_done)
        tell_points(run, sweep, snr + 1);
    const double now = lte_seconds();
    if (!run->saved && now - run->last_saved >= save_period_s) {
        run->saved = run->unsaved ? lte_run_save(run) : begin_files(run);
        if (!run->saved)
            run->saved = lte_resume_save(run, run->sweeps.of[run->at_hand], snr);
        run->sweeps.of[run->at_hand]->unwanted = run->saved != LTE_OK; /* nobody would see more */
        run->unsaved = false;
        run->last_saved = lte_seconds();
    }
    lte_progress_sweep(&run->progress, sweep, snr, point_done);
}

void lte_run_watch(const char *what, double done, void *user)
{
    lte_progress_deadline(&((lte_run *)user)->progress, what, done);
}

/*
 * As asked for, or OpenMP's own wish, or all processors, of which several ranks have their parts if
 * they are not bound to some; never more than OpenMP grants.
 */
static int thread_count(const lte_options *options, const lte_ranks *ranks)
{
    const int here = omp_get_num_procs();
    const bool bound = here < (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int part = bound || here < ranks->n_local ? here : here / ranks->n_local;
    const int wished = getenv("OMP_NUM_THREADS") ? omp_get_max_threads() : part;
    const int n = options->threads > 0 ? options->threads : wished;
    const int granted =
        omp_get_thread_limit() < LTE_MAX_THREADS ? omp_get_thread_limit() : LTE_MAX_THREADS;
    return n < granted ? n : granted;
}

/* A detector of the scenario that devices do not have, or NULL. */
static const lte_detector *of_processors_alone(const lte_scenario *s)
{
    for (int i = 0; i < s->n_detectors; i++) {
        if (!lte_detector_row_of(s->detectors[i])->on_devices)
            return &s->detectors[i];
    }
    return NULL;
}

/* Where this rank counts: ranks of one machine share its devices, one each in turn. */
static lte_status open_team(lte_run *run)
{
    const lte_options *options = run->options;
    const lte_ranks *ranks = run->ranks;
    const int n_threads = thread_count(options, ranks);
    const size_t device_memory = (size_t)options->device_mb << 20;
    const lte_detector *const alone = of_processors_alone(run->scenario);
    const bool chosen = strcmp(run->scenario->backend, "auto") != 0;
    const char *name = alone && !chosen ? "cpu" : run->scenario->backend;
    lte_status status = lte_team_open(name, n_threads, device_memory, &run->team);
    for (int i = 0; alone && i < run->team.n && !status; i++) {
        if (!run->team.place[i].backend->stages)
            status = LTE_FAIL(LTE_EINVAL,
                              "backend %s: detector %s runs on processors only; use --backend cpu",
                              name, lte_detector_named(*alone).text);
    }
    if (status || ranks->n < 2)
        return status;
    const bool any = strcmp(name, "auto") == 0 || strcmp(name, "cuda") == 0;
    if (any && !run->team.place[0].backend->stages)
        status = lte_team_open("cuda:all", n_threads, device_memory, &run->team);
    if (!status)
        lte_team_share(&run->team, ranks->local);
    return status;
}

/* The engines of this process for the receiver of a csi. */
static lte_status take_own(lte_run *run, int csi, bool all)
{
    run->info.choices = "";
    run->csi = csi;
    run->n_workers = 0;
    const lte_status status =
        lte_team_take(&run->team, &run->link[csi], run->scenario->n_detectors, all);
    if (!status)
        run->info.choices = run->team.place[0].backend->choices(run->team.engine[0]);
    return status;
}

/* What counts a sweep of a csi, here and on other ranks, unless it is at hand. */
static lte_status take_workers(lte_run *run, int csi)
{
    const lte_team *team = &run->team;
    const int n_others = run->ranks->n - 1;
    if (run->n_workers > 0 && run->csi == csi)
        return LTE_OK;
    if (!run->worker)
        run->worker = calloc((size_t)team->n + (size_t)n_others, sizeof *run->worker);
    if (!run->worker)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the workers of a sweep");
    lte_status status = take_own(run, csi, true);
    status = lte_ranks_take(run->ranks, csi, status, run->worker + team->n);
    if (!status) {
        memcpy(run->worker, team->worker, (size_t)team->n * sizeof *run->worker);
        run->n_workers = team->n + n_others;
    }
    return status;
}

/* The engine of the first place here, unless it is at hand. */
lte_status lte_run_engine(lte_run *run, int csi)
{
    if (run->team.engine[0] && run->csi == csi && run->n_workers < 2)
        return LTE_OK;
    return take_own(run, csi, false);
}

/* Work memory of a thread that counts here, for the receiver that takes most; 0 on a device. */
static double work_of_thread(const lte_run *run)
{
    const lte_scenario *s = run->scenario;
    size_t most = 0;
    for (int k = 0; k < LTE_N_CSI; k++) {
        const size_t work =
            lte_scenario_has_csi(s, k) ? lte_sweep_work(&run->link[k], s->n_detectors) : 0;
        most = work > most ? work : most;
    }
    return run->team.place[run->team.n - 1].backend->stages ? (double)most : 0.0;
}

/* Refuses what this machine has no memory for; fewer threads where the user leaves them little. */
static lte_status check_memory(lte_run *run, bool sweeps, bool deadline)
{
    const lte_scenario *s = run->scenario;
    const lte_host_use use = {.work = work_of_thread(run),
                              .sweeps = sweeps ? s->n_csi : 0,
                              .deadline = deadline,
                              .rounds = lte_part_bytes(&run->options->part, &run->sweeps),
                              .dump = run->options->dump_channel != NULL,
                              .most_mb = run->options->host_mb};
    return lte_host_memory_check(s, &run->link[s->deadline.csi], &use, &run->team.n_threads);
}

/* Links of all receivers, and sweeps if they are wanted. */
static lte_status make_sweeps(lte_run *run, bool wanted)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < LTE_N_CSI && !status; k++) {
        if (!lte_scenario_has_csi(run->scenario, k))
            continue;
        status = lte_scenario_link(run->scenario, k, run->correlation_factor, &run->estimator[k],
                                   &run->link[k]);
        if (!status && wanted)
            status = lte_sweep_create(run->scenario, &run->link[k], &run->sweeps.of[run->sweeps.n]);
        run->sweeps.n += !status && wanted;
        if (!status && wanted && !run->options->explain)
            status = lte_sweep_judge(run->sweeps.of[run->sweeps.n - 1], &run->link[k], 0);
    }
    return status;
}

/* The link of some receiver: the channel is the same for all. */
static const lte_link *any_link(const lte_run *run)
{
    return &run->link[run->scenario->csi[0]];
}

/* Who runs it, for tables and run.json. */
static lte_status describe(lte_run *run)
{
    const lte_scenario *s = run->scenario;
    const lte_team *team = &run->team;
    const lte_backend *first = team->place[0].backend;
    char *name = run->backend_name;
    lte_device *device = &run->info.device;
    run->info.scenario = s;
    run->info.command = run->options->command;
    run->info.part = run->options->part;
    run->info.backend = name;
    run->info.inversion = first->stages ? NULL : &lte_inversion_rows[s->inversion];
    const lte_status status = first->describe(team->place[0].device, device);
    if (first->stages)
        (void)snprintf(device->text, sizeof device->text, "%s", first->text);
    for (int i = 0; i < team->n; i++) {
        const lte_place *place = &team->place[i];
        const size_t used = strlen(name), left = sizeof run->backend_name - used;
        if (place->backend->stages)
            (void)snprintf(name + used, left, "%s%s", i ? "," : "", place->backend->name);
        else if (i == 0)
            (void)snprintf(name, left, "%s:%d", place->backend->name, place->device);
        else
            (void)snprintf(name + used, left, ",%d", place->device);
    }
    const lte_detector *const alone = of_processors_alone(s);
    const bool said = first->stages && strcmp(s->backend, "auto") == 0 &&
                      lte_backend_cuda_version() && !run->options->quiet;
    if (said && alone)
        (void)fprintf(stderr, "ltesim: detector %s runs on processors only; running on %s\n",
                      lte_detector_named(*alone).text, name);
    else if (said)
        (void)fprintf(stderr, "ltesim: there is no usable CUDA device; running on %s\n", name);
    return status;
}

/* Lets the sweeps write blocks.csv, if that is asked for. */
static lte_status begin_blocks(lte_run *run)
{
    const bool wanted = run->scenario->records && run->sweeps.n > 0;
    for (int k = 0; k < run->sweeps.n && wanted; k++)
        run->sweeps.of[k]->listener = lte_block_log_listener(&run->blocks);
    if (!wanted || run->blocks.file.stream)
        return LTE_OK;
    return lte_block_log_begin(&run->blocks, run->dir);
}

lte_status lte_run_init_joined(lte_run *run, const lte_options *options,
                               const lte_scenario *scenario, const char *dir, const char *choices)
{
    const lte_results_files files = {
        .ber = true, .blocks = scenario->records, .pictures = !options->no_plot};
    *run = (lte_run){.options = options, .scenario = scenario, .dir = dir};
    lte_status status = make_sweeps(run, true);
    if (!status)
        status = lte_results_check_kind(dir, LTE_RESULTS_RUN);
    if (!status)
        status = lte_results_prepare(dir, &files, &run->lock);
    if (status)
        return status;
    lte_resume_tell_unfinished(dir);
    status = begin_blocks(run);
    run->info = (lte_run_info){.scenario = scenario,
                               .command = options->command,
                               .backend = "merge",
                               .choices = choices,
                               .ranks = 1,
                               .start = time(NULL)};
    return status;
}

/* Refuses more threads of a slot than the run has; a device does not share a slot among threads. */
static lte_status check_slot_threads(const lte_run *run)
{
    const int wanted = run->scenario->deadline.threads, there = run->team.n_threads;
    if (wanted == 0)
        return LTE_OK;
    if (run->team.place[0].backend->stages)
        return wanted <= there
                   ? LTE_OK
                   : lte_refuse(
                         "%s: deadline.threads = %d: the run has only %d thread%s, see --threads",
                         run->scenario->name, wanted, there, there == 1 ? "" : "s");
    if (!run->options->quiet)
        (void)fprintf(
            stderr, "ltesim: deadline.threads is ignored, since slots are processed on a device\n");
    return LTE_OK;
}

/* Processors have one version of each inverter. */
static void warn_of_version(const lte_run *run)
{
    if (run->scenario->inversion != LTE_INVERSION_FAST && run->team.place[0].backend->stages &&
        !run->options->quiet)
        (void)fprintf(stderr, "ltesim: inverter.version is ignored, since processors have one "
                              "version of each inverter, with the same bits\n");
}

/* All of lte_run_init but for the engines. */
static lte_status init(lte_run *run)
{
    const lte_options *options = run->options;
    const char *dir = run->dir;
    const lte_results_files files = {.ber = options->only != LTE_RUN_DEADLINE,
                                     .blocks = options->blocks,
                                     .timing = options->only != LTE_RUN_BER,
                                     .channel = options->verify,
                                     .pictures = !options->no_plot,
                                     .report = options->report};
    lte_status status = LTE_OK;
    if (options->pareto && !lte_scenario_searches(run->scenario))
        status = lte_refuse("--pareto: %s searches no SNR; it needs sweep.target_ber, "
                            "sweep.target_throughput or sweep.target_rate",
                            run->scenario->name);
    if (!status)
        status = open_team(run);
    if (!status)
        status = make_sweeps(run, files.ber || options->explain);
    if (!status && options->part.given)
        status = lte_part_take(&options->part, &run->sweeps);
    if (!status)
        status = check_memory(run, files.ber, files.timing && !options->explain);
    if (!status && files.timing && !options->explain)
        status = check_slot_threads(run);
    if (!status)
        warn_of_version(run);
    if (!status && options->dump_channel)
        status = lte_folder_make(dir); /* it may be to hold the dump */
    if (!status && options->dump_channel)
        status = lte_channel_writer_check(options->dump_channel);
    if (!status && options->resume)
        status = lte_journal_look(dir);
    if (!status && !options->explain)
        status = lte_results_check_kind(dir, LTE_RESULTS_RUN);
    if (!status && !options->explain)
        status = lte_results_prepare(dir, &files, &run->lock);
    if (!status && options->resume)
        status = lte_resume_read(run);
    if (!status && !run->finished && !options->explain)
        status = begin_blocks(run);
    if (status)
        return status;
    if (!options->explain && !options->resume)
        lte_resume_tell_unfinished(dir);
    return describe(run);
}

/* Every rank calls it, with how it fared: all of them have the same scenario, or none goes on. */
static lte_status meet(const lte_run *run, lte_status status)
{
    const lte_part all = {.given = false};
    if (run->ranks->n < 2)
        return status;
    lte_json_begin();
    json_t *identity = lte_identity(run->scenario, &all, "");
    char *text = identity ? json_dumps(identity, JSON_COMPACT) : NULL;
    json_decref(identity);
    if (!(text && lte_json_is_whole()) && !status)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the scenario");
    const lte_status same = lte_ranks_same(run->ranks, text ? text : "");
    free(text);
    return lte_ranks_agree(run->ranks, status ? status : same);
}

lte_status lte_run_init(lte_run *run, const lte_options *options, const lte_scenario *scenario,
                        lte_ranks *ranks, const char *dir)
{
    *run = (lte_run){.options = options, .scenario = scenario, .ranks = ranks, .dir = dir};
    lte_status status = init(run);
    if (!options->explain) {
        status = meet(run, status);
        ranks->served = !status;
    }
    if (!status && run->sweeps.n > 0 && !options->explain)
        status = take_workers(run, run->sweeps.of[0]->csi);
    else if (!status)
        status = lte_run_engine(run, run->sweeps.n > 0 ? run->sweeps.of[0]->csi
                                                       : scenario->deadline.csi);
    run->info.threads = lte_team_threads(&run->team);
    run->info.ranks = ranks->n;
    run->info.start = time(NULL);
    return status;
}

static lte_status serve_csi(int csi, void *user, lte_worker **worker)
{
    lte_run *run = user;
    *worker = run->team.worker;
    return take_own(run, csi, true);
}

lte_status lte_run_serve(lte_run *run, const lte_options *options, const lte_scenario *scenario,
                         lte_ranks *ranks)
{
    *run = (lte_run){.options = options, .scenario = scenario, .ranks = ranks};
    lte_status status = open_team(run);
    if (!status)
        status = make_sweeps(run, false);
    if (!status)
        status = check_memory(run, false, false);
    status = meet(run, status);
    return status ? status : lte_ranks_serve(ranks, scenario, serve_csi, run);
}

void lte_run_fini(lte_run *run)
{
    for (int k = 0; k < run->sweeps.n; k++)
        lte_sweep_free(run->sweeps.of[k]);
    lte_deadline_free(run->deadline);
    free(run->pareto);
    lte_channel_validation_free(run->proof);
    lte_team_leave(&run->team);
    if (run->worker)
        lte_ranks_leave(run->ranks, run->worker + run->team.n);
    free(run->worker);
    for (int k = 0; k < LTE_N_CSI; k++)
        lte_estimator_free(&run->estimator[k]);
    lte_block_log_close(&run->blocks);
    lte_journal_close(&run->journal);
    lte_folder_leave(&run->lock);
}

lte_status lte_run_explain(lte_run *run)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < run->sweeps.n && !status; k++) {
        const lte_sweep *sweep = run->sweeps.of[k];
        status = lte_run_engine(run, sweep->csi);
        if (!status)
            status = lte_explain(stdout, sweep, &run->link[sweep->csi], run->team.place[0].backend,
                                 &run->info.device, run->team.engine[0]);
    }
    return status;
}

/* Adds a point to a search; false: none is lacking, time is up, or a signal left it unjudged. */
static bool add_point(lte_run *run, lte_sweep *sweep, lte_status *status)
{
    if (lte_sweep_time_is_up(sweep, 0.0) || !lte_search_next(sweep, status))
        return false;
    lte_progress_end(&run->progress); /* a line may follow */
    *status = lte_sweep_judge(sweep, &run->link[sweep->csi], sweep->n_points - 1);
    return *status == LTE_OK && !lte_stop_signal;
}

/* Counts the points that a sweep has, and those that a search adds. */
static lte_status run_sweep(lte_run *run, lte_sweep *sweep, double start, bool first)
{
    lte_status status = LTE_OK;
    sweep->spent_s = first ? 0.0 : lte_seconds() - start;
    run->journaled = lte_sweep_point(sweep);
    do {
        status = lte_sweep_run(sweep, run->worker, run->n_workers, watch_sweep, run);
        sweep->spent_s = lte_seconds() - start;
    } while (!status && !run->saved && !lte_stop_signal && add_point(run, sweep, &status));
    return status;
}

lte_status lte_run_end_blocks(lte_run *run)
{
    bool complete = true;
    for (int k = 0; k < run->sweeps.n; k++)
        complete = complete && lte_sweep_complete(run->sweeps.of[k]);
    return lte_block_log_end(&run->blocks, run->dir, &run->sweeps, complete);
}

lte_status lte_run_sweeps(lte_run *run)
{
    const double start = lte_seconds();
    lte_status status =
        run->blocks.named ? begin_files(run) : LTE_OK; /* nothing is written before */
    if (run->options->table)
        lte_report_ber_head(stdout, &run->sweeps);
    (void)fflush(stdout);
    for (int k = 0; k < run->sweeps.n && !status && !run->saved && !lte_stop_signal; k++) {
        lte_sweep *sweep = run->sweeps.of[k];
        status = take_workers(run, sweep->csi);
        if (status)
            break;
        lte_progress_init(&run->progress, run->options->quiet);
        run->n_told = 0;
        run->at_hand = k;
        status = run_sweep(run, sweep, start, k == 0);
        lte_progress_end(&run->progress);
        tell_points(run, sweep, sweep->n_started); /* what a failure interrupted */
        if (!run->saved)
            run->saved = begin_files(run);
        if (!run->saved)
            run->saved = lte_resume_save(run, sweep, sweep->n_started - 1);
    }
    if (!run->saved && run->begun)
        run->saved = lte_run_end_blocks(run);
    if (!status)
        status = run->saved;
    if (!status && run->options->table)
        lte_report_ber_foot(stdout, &run->sweeps);
    (void)fflush(stdout);
    return status;
}

lte_status lte_run_proof(lte_run *run)
{
    const lte_scenario *s = run->scenario;
    lte_channel_fn *channel = lte_stages_best()->channel;
    const lte_channel_model law = {.channel = s->channel,
                                   .doppler_hz = s->doppler_hz,
                                   .drop_slots = s->drop_slots,
                                   .correlation =
                                       s->correlation.given ? &s->correlation.matrix : NULL};
    lte_status status = lte_channel_validation_run(any_link(run), &law, channel, &run->proof);
    if (status || run->proof->interrupted)
        return status;
    if (run->options->table)
        lte_report_channel(stdout, run->proof);
    (void)fflush(stdout);
    if (run->proof->drops == 0)
        return LTE_OK;
    run->info.proof = run->proof;
    status = begin_files(run);
    if (!status)
        status = lte_results_channel(run->dir, run->proof);
    return status ? status : lte_results_channel_grid(run->dir, any_link(run), channel);
}

lte_status lte_run_deadline(lte_run *run)
{
    const int csi = run->scenario->deadline.csi;
    lte_status status = lte_run_engine(run, csi);
    if (status)
        return status;
    lte_progress_init(&run->progress, run->options->quiet);
    status = lte_deadline_run(run->scenario, run->team.place[0].backend, run->team.engine[0],
                              &run->link[csi], lte_run_watch, run, &run->deadline);
    lte_progress_end(&run->progress);
    if (!status && run->options->table)
        lte_report_deadline(stdout, run->scenario, run->deadline);
    (void)fflush(stdout);
    return status;
}

lte_status lte_run_dump(lte_run *run)
{
    const char *path = run->options->dump_channel;
    const uint64_t n_slots = lte_slots_used(&run->sweeps, run->deadline);
    lte_status status = LTE_OK;
    if (!path)
        return LTE_OK;
    lte_progress_init(&run->progress, run->options->quiet);
    if (!lte_stop_signal)
        status = lte_channel_dump(run->scenario, any_link(run), n_slots, path, lte_run_watch, run);
    lte_progress_end(&run->progress);
    if (!status && lte_stop_signal)
        (void)fprintf(stderr, "ltesim: interrupted: %s was not written\n", path);
    else if (!status)
        (void)printf("the channels of %llu slots are in %s\n", (unsigned long long)n_slots, path);
    return status;
}
