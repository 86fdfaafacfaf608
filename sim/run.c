/* The jobs of a scenario, one after the other, and what they share. */
#include "sim/run.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/backends/clock.h"
#include "sim/channel/dump.h"
#include "sim/jobs/host_memory.h"
#include "sim/report/explain.h"
#include "sim/report/report.h"
#include "sim/report/results.h"
#include "sim/report/results_channel.h"
#include "sim/report/results_folder.h"
#include "sim/resume.h"
#include "sim/scenario/link.h"
#include "sim/stop.h"

static const double save_period_s = 1.0; /* a device may end hundreds of points a second */

/* Before the first file: those of earlier runs go, but for a journal that this one replaces. */
static lte_status begin_files(lte_run *run)
{
    lte_status status = LTE_OK;
    if (run->begun)
        return LTE_OK;
    status = lte_results_clear(run->dir, run->sweeps.n > 0);
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
    if (!status)
        status = lte_results_json(run->dir, &run->info, &run->sweeps, run->deadline);
    return status;
}

/* Rows of the points that have ended since, onto stdout. */
static void tell_points(lte_run *run, const lte_sweep *sweep, int n)
{
    if (run->n_told >= n)
        return;
    lte_progress_end(&run->progress);
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

static void watch_deadline(const char *what, double done, void *user)
{
    lte_progress_deadline(&((lte_run *)user)->progress, what, done);
}

/* As asked for, or OpenMP's own wish, or all processors; never more than OpenMP grants. */
static int thread_count(const lte_options *options)
{
    const int wished = getenv("OMP_NUM_THREADS") ? omp_get_max_threads() : omp_get_num_procs();
    const int n = options->threads > 0 ? options->threads : wished;
    const int granted =
        omp_get_thread_limit() < LTE_MAX_THREADS ? omp_get_thread_limit() : LTE_MAX_THREADS;
    return n < granted ? n : granted;
}

/* The engine for the receiver of a csi, in place of the one at hand. */
static lte_status take_engine(lte_run *run, int csi)
{
    const lte_engine_options options = {.n_threads = thread_count(run->options),
                                        .device = run->device,
                                        .n_detectors = run->scenario->n_detectors,
                                        .device_memory = (size_t)run->options->device_mb << 20};
    if (run->engine && run->csi == csi)
        return LTE_OK;
    if (run->engine)
        run->backend->free(run->engine);
    run->engine = NULL;
    run->info.choices = "";
    run->csi = csi;
    const lte_status status =
        run->backend->create(run->backend, &run->link[csi], &options, &run->engine);
    if (!status)
        run->info.choices = run->backend->choices(run->engine);
    return status;
}

/* Refuses what this machine has no memory for. */
static lte_status check_memory(const lte_run *run, bool sweeps, bool deadline)
{
    const lte_scenario *s = run->scenario;
    const lte_host_use use = {.n_threads = thread_count(run->options),
                              .is_cpu = run->backend->stages != NULL,
                              .sweeps = sweeps ? s->n_csi : 0,
                              .deadline = deadline};
    return lte_host_memory_check(s, &run->link[s->deadline.csi], &use);
}

/* Links of all receivers, and sweeps if they are wanted. */
static lte_status make_sweeps(lte_run *run, bool wanted)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < LTE_N_CSI && !status; k++) {
        if (!lte_scenario_has_csi(run->scenario, k))
            continue;
        status = lte_scenario_link(run->scenario, k, run->correlation_factor, &run->pilots[k],
                                   &run->link[k]);
        if (!status && wanted)
            status = lte_sweep_create(run->scenario, &run->link[k], &run->sweeps.of[run->sweeps.n]);
        run->sweeps.n += !status && wanted;
    }
    return status;
}

/* The link of some receiver: the channel is the same for all. */
static const lte_link *any_link(const lte_run *run)
{
    return &run->link[run->scenario->csi[0]];
}

/* Who runs it, for tables and run.json. */
static void describe(lte_run *run)
{
    const lte_scenario *s = run->scenario;
    run->info.scenario = s;
    run->info.backend = run->backend_name;
    if (run->backend->stages) {
        lte_device *device = &run->info.device;
        (void)snprintf(run->backend_name, sizeof run->backend_name, "%s", run->backend->name);
        (void)snprintf(device->text, sizeof device->text, "%s", run->backend->text);
    } else {
        (void)snprintf(run->backend_name, sizeof run->backend_name, "%s:%d", run->backend->name,
                       run->device);
    }
    if (run->backend->stages && strcmp(s->backend, "auto") == 0 && lte_backend_cuda_version() &&
        !run->options->quiet)
        (void)fprintf(stderr, "ltesim: no usable CUDA device: running on %s\n", run->backend_name);
}

lte_status lte_run_init(lte_run *run, const lte_options *options, const lte_scenario *scenario,
                        const char *dir)
{
    const lte_scenario *s = scenario;
    const lte_results_files files = {.ber = options->only != LTE_RUN_DEADLINE,
                                     .timing = options->only != LTE_RUN_BER,
                                     .channel = options->verify,
                                     .pictures = !options->no_plot};
    *run = (lte_run){.options = options, .scenario = scenario, .dir = dir};
    lte_status status = lte_backend_open(s->backend, &run->backend, &run->device);
    if (!status)
        status = run->backend->describe(run->device, &run->info.device);
    if (!status)
        status = make_sweeps(run, files.ber || options->explain);
    if (!status)
        status = check_memory(run, files.ber, files.timing && !options->explain);
    if (!status)
        status = take_engine(run, run->sweeps.n > 0 ? run->sweeps.of[0]->csi : s->deadline.csi);
    if (!status && options->dump_channel)
        status = lte_folder_make(dir); /* it may be to hold the dump */
    if (!status && options->dump_channel)
        status = lte_channel_writer_check(options->dump_channel);
    if (!status && options->resume)
        status = lte_resume_check(dir);
    if (!status && !options->explain)
        status = lte_results_prepare(dir, &files, &run->lock);
    if (!status && options->resume)
        status = lte_resume_read(run);
    if (status)
        return status;
    if (!options->explain && !options->resume && !options->quiet && lte_resume_is_due(dir))
        (void)fprintf(stderr,
                      "ltesim: %s holds an unfinished run, which this one replaces; --resume goes "
                      "on with it\n",
                      dir);
    describe(run);
    run->info.threads = run->backend->threads(run->engine);
    run->info.start = time(NULL);
    return LTE_OK;
}

void lte_run_fini(lte_run *run)
{
    for (int k = 0; k < run->sweeps.n; k++)
        lte_sweep_free(run->sweeps.of[k]);
    lte_deadline_free(run->deadline);
    lte_channel_validation_free(run->proof);
    if (run->backend && run->engine)
        run->backend->free(run->engine);
    for (int k = 0; k < LTE_N_CSI; k++)
        lte_pilots_free(&run->pilots[k]);
    lte_journal_close(&run->journal);
    lte_folder_leave(&run->lock);
}

lte_status lte_run_explain(lte_run *run)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < run->sweeps.n && !status; k++) {
        const lte_sweep *sweep = run->sweeps.of[k];
        status = take_engine(run, sweep->csi);
        if (!status)
            status = lte_explain(stdout, sweep, &run->link[sweep->csi], run->backend, run->engine);
    }
    return status;
}

lte_status lte_run_sweeps(lte_run *run)
{
    const double start = lte_seconds();
    lte_status status = LTE_OK;
    lte_report_ber_head(stdout, &run->sweeps);
    (void)fflush(stdout);
    for (int k = 0; k < run->sweeps.n && !status && !run->saved && !lte_stop_signal; k++) {
        lte_sweep *sweep = run->sweeps.of[k];
        status = take_engine(run, sweep->csi);
        if (status)
            break;
        sweep->spent_s = k > 0 ? lte_seconds() - start : 0.0;
        lte_progress_init(&run->progress, run->options->quiet);
        run->n_told = 0;
        run->at_hand = k;
        run->journaled = sweep->n_started > 0 ? sweep->n_started - 1 : 0;
        lte_worker worker = lte_worker_of(run->backend, run->engine);
        status = lte_sweep_run(sweep, &worker, 1, watch_sweep, run);
        lte_progress_end(&run->progress);
        tell_points(run, sweep, sweep->n_started); /* what a failure interrupted */
        if (!run->saved)
            run->saved = begin_files(run);
        if (!run->saved)
            run->saved = lte_resume_save(run, sweep, sweep->n_started - 1);
    }
    if (!status)
        status = run->saved;
    if (!status)
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
    lte_status status = take_engine(run, csi);
    if (status)
        return status;
    lte_progress_init(&run->progress, run->options->quiet);
    status = lte_deadline_run(run->scenario, run->backend, run->engine, &run->link[csi],
                              watch_deadline, run, &run->deadline);
    lte_progress_end(&run->progress);
    if (!status)
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
        status = lte_channel_dump(run->scenario, any_link(run), n_slots, path, watch_deadline, run);
    lte_progress_end(&run->progress);
    if (!status && lte_stop_signal)
        (void)fprintf(stderr, "ltesim: interrupted: %s is not written\n", path);
    else if (!status)
        (void)printf("channels of %llu slots in %s\n", (unsigned long long)n_slots, path);
    return status;
}
