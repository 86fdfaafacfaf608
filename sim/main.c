/* ltesim: bit error rate and deadline of MIMO detection on an LTE carrier. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/channel/dump.h"
#include "sim/stop.h"
#include "sim/jobs/deadline.h"
#include "sim/report/explain.h"
#include "sim/options.h"
#include "sim/report/plot.h"
#include "sim/report/progress.h"
#include "sim/report/replay.h"
#include "sim/report/report.h"
#include "sim/report/results.h"
#include "sim/report/results_channel.h"
#include "sim/scenario/link.h"
#include "sim/jobs/sweep.h"
#include "sim/report/verify.h"

enum {
    EXIT_RUN_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_DEADLINE = 3,
    EXIT_VERIFY = 4,
    EXIT_SIGNAL = 128 /* plus the number of the signal */
};

static const double save_period_s = 1.0; /* a device may end hundreds of points a second */

static int exit_code(lte_status status)
{
    return status == LTE_EINVAL ? EXIT_USAGE : EXIT_RUN_FAILED;
}

/* What the parts of one run share. */
typedef struct {
    const lte_options *options;
    const lte_scenario *scenario;
    const char *dir;
    const lte_backend *backend;
    int device;
    lte_engine *engine;           /* of one receiver at a time: */
    int csi;                      /* the one that has this */
    lte_link link[LTE_N_CSI];     /* one for each csi that is listed, the others unset */
    lte_pilots pilots[LTE_N_CSI]; /* of link */
    float correlation_factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION]; /* of link */
    lte_run_info info;
    char backend_name[64];
    lte_progress progress;
    lte_sweeps sweeps; /* none if that job does not run */
    lte_deadline *deadline;
    lte_channel_validation *proof; /* --verify alone */
    bool unsaved;                  /* points have ended since results were written */
    double last_saved;             /* when that was */
    lte_status saved;              /* how it went, during the sweep */
} run_state;

static lte_status save(run_state *run)
{
    lte_status status = LTE_OK;
    run->info.end = time(NULL);
    if (run->sweeps.n > 0)
        status = lte_results_ber(run->dir, &run->sweeps);
    if (!status && run->deadline)
        status = lte_results_timing(run->dir, run->deadline);
    if (!status)
        status = lte_results_json(run->dir, &run->info, &run->sweeps, run->deadline);
    return status;
}

static void watch_sweep(const lte_sweep *sweep, int snr, bool point_done, void *user)
{
    run_state *run = user;
    run->unsaved = run->unsaved || point_done;
    const double now = lte_seconds();
    if (run->unsaved && !run->saved && now - run->last_saved >= save_period_s) {
        run->saved = save(run);
        run->unsaved = false;
        run->last_saved = lte_seconds();
    }
    lte_progress_sweep(&run->progress, sweep, snr, point_done);
}

static void watch_deadline(const char *what, double done, void *user)
{
    lte_progress_deadline(&((run_state *)user)->progress, what, done);
}

/* The engine for the receiver of a csi, in place of the one at hand. */
static lte_status take_engine(run_state *run, int csi)
{
    const lte_engine_options options = {.n_threads = run->options->threads,
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

/* One sweep after the other, each over the same draws, max_seconds for all of them. */
static lte_status run_sweeps(run_state *run)
{
    const double start = lte_seconds();
    lte_status status = LTE_OK;
    for (int k = 0; k < run->sweeps.n && !status && !lte_stop_signal; k++) {
        lte_sweep *sweep = run->sweeps.of[k];
        status = take_engine(run, sweep->csi);
        if (status)
            break;
        sweep->spent_s = k > 0 ? lte_seconds() - start : 0.0;
        lte_progress_init(&run->progress, run->options->quiet);
        lte_worker worker = lte_worker_of(run->backend, run->engine);
        status = lte_sweep_run(sweep, &worker, 1, watch_sweep, run);
        lte_progress_end(&run->progress);
    }
    if (!status)
        status = run->saved;
    if (!status && !run->options->quiet)
        lte_report_ber(stdout, &run->sweeps);
    return status;
}

/* The link of some receiver: the channel is the same for all. */
static const lte_link *any_link(const run_state *run)
{
    return &run->link[run->scenario->csi[0]];
}

/* The channel against its law, with the draws of the scenario, which are those of any backend. */
static lte_status prove_channel(run_state *run)
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
    if (!run->options->quiet)
        lte_report_channel(stdout, run->proof);
    if (run->proof->drops == 0)
        return LTE_OK;
    run->info.proof = run->proof;
    status = lte_results_channel(run->dir, run->proof);
    return status ? status : lte_results_channel_grid(run->dir, any_link(run), channel);
}

static lte_status run_deadline(run_state *run)
{
    const int csi = run->scenario->deadline.csi;
    lte_status status = take_engine(run, csi);
    if (status)
        return status;
    lte_progress_init(&run->progress, run->options->quiet);
    status = lte_deadline_run(run->scenario, run->backend, run->engine, &run->link[csi],
                              watch_deadline, run, &run->deadline);
    lte_progress_end(&run->progress);
    if (!status && !run->options->quiet)
        lte_report_deadline(stdout, run->scenario, run->deadline);
    return status;
}

/* Draws and says where everything is. Pictures are never needed: a failure is only said. */
static void draw(const run_state *run)
{
    const bool ber = run->sweeps.n > 0 && run->sweeps.of[0]->n_started > 0;
    const bool timing = run->deadline && run->deadline->at[LTE_PLACEMENT_HOST].slots > 0;
    const bool channel = run->info.proof != NULL;
    bool drawn = false;
    const bool wanted = !run->options->no_plot && !lte_stop_signal;
    if (wanted && lte_plot_available())
        drawn = (!ber || lte_plot(run->dir, "ber") == LTE_OK) &&
                (!timing || lte_plot(run->dir, "timing") == LTE_OK) &&
                (!channel || lte_plot(run->dir, "channel") == LTE_OK);
    if (run->options->quiet)
        return;
    (void)printf("\nresults in %s: %s%s%srun.json", run->dir, ber ? "ber.csv, " : "",
                 timing ? "timing.csv, latency.csv, " : "",
                 channel ? "channel.csv, channel_grid.csv, " : "");
    if (drawn)
        (void)printf("; pictures %s%s%s%s (.svg, .png)", ber ? "ber" : "",
                     ber && timing ? ", " : "", timing ? "timing" : "", channel ? ", channel" : "");
    else if (wanted)
        (void)printf("; no pictures (gnuplot is missing or failed)");
    (void)putchar('\n');
}

/* Writes the channels of the run, if that is asked for. An interrupted run leaves none. */
static lte_status dump(run_state *run)
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
    else if (!status && !run->options->quiet)
        (void)printf("channels of %llu slots in %s\n", (unsigned long long)n_slots, path);
    return status;
}

/* What --verify asks for; all that is not so is said. */
static bool verify(const run_state *run)
{
    const bool rows = lte_verify_rows(&run->sweeps);
    const bool channel = !run->proof || lte_verify_channel(run->proof);
    return rows && channel;
}

/* Links of all receivers, and sweeps if they are wanted. */
static lte_status make_sweeps(run_state *run, bool wanted)
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

static lte_status prepare(run_state *run)
{
    const lte_scenario *s = run->scenario;
    const bool ber = run->options->only != LTE_RUN_DEADLINE;
    const bool timing = run->options->only != LTE_RUN_BER;
    lte_status status = lte_backend_open(s->backend, &run->backend, &run->device);
    if (!status)
        status = run->backend->describe(run->device, &run->info.device);
    if (!status)
        status = make_sweeps(run, ber || run->options->explain);
    if (!status)
        status = take_engine(run, run->sweeps.n > 0 ? run->sweeps.of[0]->csi : s->deadline.csi);
    if (!status && run->options->dump_channel)
        status = lte_channel_writer_check(run->options->dump_channel);
    if (!status && !run->options->explain)
        status = lte_results_prepare(run->dir, ber, timing, !run->options->no_plot);
    if (status)
        return status;
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
    run->info.threads = run->backend->threads(run->engine);
    run->info.start = time(NULL);
    return LTE_OK;
}

static lte_status explain(run_state *run)
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

static int run_scenario(const lte_options *options, const lte_scenario *scenario, const char *dir)
{
    run_state run = {.options = options, .scenario = scenario, .dir = dir};
    int code = EXIT_SUCCESS;
    lte_status status = prepare(&run);
    if (!status && (!options->quiet || options->explain))
        lte_report_header(stdout, &run.info);
    if (!status && options->explain) {
        status = explain(&run);
        goto cleanup;
    }
    if (status)
        goto cleanup;
    lte_signals_catch();
    if (options->only != LTE_RUN_DEADLINE)
        status = run_sweeps(&run);
    if (!status && options->verify && !lte_stop_signal)
        status = prove_channel(&run);
    if (!status && options->only != LTE_RUN_BER && !lte_stop_signal)
        status = run_deadline(&run);
    if (status != LTE_EIO) { /* a device that failed leaves what was counted before */
        const lte_status saved = save(&run);
        status = status ? status : saved;
    }
    if (!status)
        draw(&run);
    if (!status)
        status = dump(&run);
    if (!status && lte_stop_signal)
        code = EXIT_SIGNAL + (int)lte_stop_signal;
    else if (!status && options->verify && !verify(&run))
        code = EXIT_VERIFY;
    else if (!status && options->require_deadline && run.deadline &&
             !run.deadline->at[LTE_PLACEMENT_HOST].met)
        code = EXIT_DEADLINE;
cleanup:
    if (status)
        code = exit_code(status);
    for (int k = 0; k < run.sweeps.n; k++)
        lte_sweep_free(run.sweeps.of[k]);
    lte_deadline_free(run.deadline);
    lte_channel_validation_free(run.proof);
    if (run.backend && run.engine)
        run.backend->free(run.engine);
    for (int k = 0; k < LTE_N_CSI; k++)
        lte_pilots_free(&run.pilots[k]);
    return code;
}

static void print_version(void)
{
    const char *cuda = lte_backend_cuda_version();
    const char *hdf5 = lte_channel_file_library();
    (void)printf("ltesim %s (%s)\nCUDA: %s%s%s\nMPI: no\nHDF5: %s%s%s\ngnuplot: %s\n", LTE_VERSION,
                 lte_revision, cuda ? "yes (" : "no", cuda ? cuda : "", cuda ? ")" : "",
                 hdf5 ? "yes (" : "no", hdf5 ? hdf5 : "", hdf5 ? ")" : "",
                 lte_plot_available() ? "yes" : "no");
}

static void print_name(const char *name, const char *text)
{
    (void)printf("  %-14s %s\n", name, text);
}

/* A line for each device of an accelerator. */
static lte_status print_devices(const lte_backend *backend)
{
    const int n = backend->n_devices();
    if (n == 0)
        (void)printf("  %-14s (no usable device)\n", backend->name);
    for (int i = 0; i < n; i++) {
        char name[64];
        lte_device device;
        const lte_status status = backend->describe(i, &device);
        if (status)
            return status;
        (void)snprintf(name, sizeof name, "%s:%d", backend->name, i);
        (void)printf("  %-14s %s, %s\n", name, device.name, device.text);
    }
    return LTE_OK;
}

static lte_status print_lists(void)
{
    (void)puts("channels");
    for (int i = 0; i < LTE_N_CHANNELS; i++)
        print_name(lte_channel_rows[i].name, lte_channel_rows[i].text);
    (void)puts("detectors");
    for (int i = 0; i < LTE_N_DETECTORS; i++)
        print_name(lte_detector_rows[i].name, lte_detector_rows[i].text);
    (void)puts("inverters");
    for (int i = 0; i < LTE_N_INVERTERS; i++)
        print_name(lte_inverter_rows[i].name, lte_inverter_rows[i].text);
    (void)puts("csi");
    for (int i = 0; i < LTE_N_CSI; i++)
        print_name(lte_csi_rows[i].name, lte_csi_rows[i].text);
    (void)puts("modulations\n  qpsk 16qam 64qam 256qam\nbackends");
    lte_status status = LTE_OK;
    for (int i = 0; lte_backends[i] && !status; i++) {
        if (lte_backends[i]->stages)
            (void)printf("  %-14s %s%s\n", lte_backends[i]->name, lte_backends[i]->text,
                         lte_backends[i]->n_devices() > 0 ? "" : " (not on this processor)");
        else
            status = print_devices(lte_backends[i]);
    }
    return status;
}

int main(int argc, char **argv)
{
    lte_options options;
    lte_scenario *scenario = NULL;
    char dir[4096];
    int code = EXIT_SUCCESS;
    lte_status status = lte_options_parse(argc, argv, &options);
    if (!status && options.help) {
        (void)fputs(lte_options_help(), stdout);
    } else if (!status && options.version) {
        print_version();
    } else if (!status && options.list) {
        status = print_lists();
    } else if (!status) {
        status = lte_scenario_read(options.scenario, options.sets, options.n_sets, &scenario);
        if (!status && options.backend)
            (void)snprintf(scenario->backend, sizeof scenario->backend, "%s", options.backend);
        if (!status && options.replay) {
            status = lte_replay(stdout, scenario, options.replay_slot);
        } else if (!status) {
            (void)snprintf(dir, sizeof dir, "out/%s", scenario->name);
            code = run_scenario(&options, scenario, options.out ? options.out : dir);
        }
    }
    if (status)
        code = exit_code(status);
    lte_scenario_free(scenario);
    lte_options_fini(&options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "ltesim: stdout could not be written\n");
        code = code == EXIT_SUCCESS ? EXIT_RUN_FAILED : code;
    }
    return code;
}
