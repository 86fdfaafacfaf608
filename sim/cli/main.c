/* ltesim: bit error rate and deadline of MIMO detection on an LTE carrier. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernels/base/levels.h"
#include "sim/run/adaptation.h"
#include "sim/run/conformance.h"
#include "sim/files/refuse.h"
#include "sim/files/share.h"
#include "sim/jobs/sweep/row_information.h"
#include "sim/methods/methods.h"
#include "sim/report/results/counted_words.h"
#include "sim/run/merge.h"
#include "sim/cli/options.h"
#include "sim/report/summary/summary.h"
#include "sim/report/about.h"
#include "sim/report/compare/compare.h"
#include "sim/report/page/html.h"
#include "sim/report/charts/draw.h"
#include "sim/report/replay.h"
#include "sim/report/tables/report.h"
#include "sim/report/results/result.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/words.h"
#include "sim/report/verify.h"
#include "sim/run/resume.h"
#include "sim/run/run.h"
#include "sim/run/named_scenario.h"
#include "sim/jobs/workers/stop.h"

enum {
    EXIT_RUN_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_DEADLINE = 3,
    EXIT_VERIFY = 4,
    EXIT_WORSE = 5,
    EXIT_SIGNAL = 128 /* plus the number of the signal */
};

static int exit_code(lte_status status)
{
    return status == LTE_EINVAL ? EXIT_USAGE : EXIT_RUN_FAILED;
}

/*
 * Draws; with the table says where everything is, and below it, or in its place, the summary does.
 * Pictures are never needed: a failure is only said.
 */
static void finish(const lte_run *run)
{
    const bool swept = run->sweeps.n > 0 && run->sweeps.of[0]->n_started > 0;
    const lte_counted_words *words = lte_counted_words_of(run->scenario);
    const struct {
        lte_drawn_files of;
        bool there;
    } jobs[] = {
        {words->before[0], swept},
        {{NULL, "blocks.csv, "}, swept && run->scenario->records},
        {words->before[1], swept},
        {{NULL, "target.csv, "}, swept && lte_scenario_searches(run->scenario)},
        {words->behind, swept},
        {{"timing", "timing.csv, latency.csv, "},
         run->deadline && run->deadline->at[LTE_PLACEMENT_HOST].slots > 0},
        {{NULL, "pareto.csv, "}, run->pareto != NULL},
        {{"pareto", ""}, run->pareto && lte_pareto_has_times(run->pareto)},
        {{"channel", "channel.csv, channel_grid.csv, "}, run->info.proof != NULL},
    };
    char drawn[64] = "", why[300] = "", names[200] = "", some[200] = "";
    const bool table = run->options->table;
    if (!run->options->no_plot)
        (void)lte_gnuplot_available(); /* the launcher may install it now, and says so */
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        const lte_drawn_files *of = &jobs[i].of;
        if (!jobs[i].there || !of->files)
            continue;
        lte_append(names, sizeof names, "%s", of->files);
        if (run->options->no_plot || !of->picture ||
            !lte_plot(run->dir, of->picture, why, sizeof why))
            continue;
        lte_append(drawn, sizeof drawn, "%s%s", *drawn ? ", " : "", of->picture);
        lte_append(some, sizeof some, "%s.png, ", of->picture);
    }
    if (table)
        (void)printf("\nresults in %s: %srun.json%s%s%s%s%s\n\n", run->dir, names,
                     *drawn ? "; pictures " : "", drawn, *drawn ? " (.svg, .png)" : "",
                     *why ? "; no picture: " : "", why);
    lte_append(some, sizeof some, "run.json");
    const lte_summary_of of = {.info = &run->info,
                               .sweeps = &run->sweeps,
                               .deadline = run->deadline,
                               .pareto = run->pareto,
                               .dir = run->dir,
                               .files = some,
                               .interrupted = lte_stop_signal != 0};
    if (*why && !table)
        (void)fprintf(stderr, "ltesim: no picture: %s\n", why);
    if (!run->options->in_list)
        lte_summary(stdout, &of);
}

/* The page of --report, if it is asked for; said in the line below that of the results. */
static lte_status write_report(const lte_run *run)
{
    const lte_status status = run->options->report ? lte_html_report(&run->dir, 1, NULL) : LTE_OK;
    if (!status && run->options->report)
        (void)printf("report in %s/" LTE_HTML_NAME "\n", run->dir);
    return status;
}

/* What --verify asks for; all that is not so is said. */
static bool verify(const lte_run *run)
{
    const bool rows = lte_verify_rows(&run->sweeps);
    const bool channel = !run->proof || lte_verify_channel(run->proof);
    return rows && channel;
}

/* What a run that went well comes to. */
static int verdict(const lte_run *run)
{
    const lte_options *options = run->options;
    if (lte_stop_signal)
        return EXIT_SIGNAL + (int)lte_stop_signal;
    if (options->verify && !verify(run))
        return EXIT_VERIFY;
    if (options->require_deadline && run->deadline &&
        (run->deadline->at[LTE_PLACEMENT_HOST].verdict != LTE_VERDICT_MET ||
         !lte_turns_met(&run->deadline->turns)))
        return EXIT_DEADLINE;
    return EXIT_SUCCESS;
}

/* The jobs that are wanted; then what they left is saved, drawn and, if that is wanted, dumped. */
static lte_status run_jobs(lte_run *run)
{
    const lte_options *options = run->options;
    lte_status status = LTE_OK;
    if (options->only != LTE_RUN_DEADLINE)
        status = lte_run_sweeps(run);
    if (!status && options->verify && !lte_stop_signal)
        status = lte_run_proof(run);
    if (!status && options->only == LTE_RUN_ALL)
        status = lte_run_save(run); /* whatever ends the deadline run, this is there */
    if (!status && options->only != LTE_RUN_BER && !lte_stop_signal)
        status = options->pareto ? lte_run_pareto(run) : lte_run_deadline(run);
    if (status != LTE_EIO) { /* a device that failed leaves what was counted before */
        const lte_status saved = lte_run_save(run);
        status = status ? status : saved;
    }
    if (!status && !lte_stop_signal && run->sweeps.n > 0)
        status = lte_resume_end(run);
    if (!status)
        finish(run);
    if (!status)
        status = write_report(run);
    return status ? status : lte_run_dump(run);
}

/* What ranks other than 0 do. */
static int serve(const lte_options *options, const lte_scenario *scenario, lte_ranks *ranks)
{
    lte_run run;
    lte_signals_catch();
    const lte_status status = lte_run_serve(&run, options, scenario, ranks);
    lte_run_fini(&run);
    return status ? exit_code(status) : EXIT_SUCCESS;
}

static int run_one(const lte_options *options, const lte_scenario *scenario, lte_ranks *ranks,
                   const char *dir)
{
    lte_run run;
    int code = EXIT_SUCCESS;
    lte_signals_catch();
    lte_status status = lte_run_init(&run, options, scenario, ranks, dir);
    if (!status && run.finished) {
        (void)printf("nothing to resume: the run in %s is whole\n", run.dir);
        goto done;
    }
    if (!status && (options->table || options->explain)) {
        lte_report_header(stdout, &run.info);
        (void)fflush(stdout);
    }
    if (!status)
        status = options->explain ? lte_run_explain(&run) : run_jobs(&run);
    if (status)
        code = exit_code(status);
    else if (!options->explain)
        code = verdict(&run);
done:
    lte_run_fini(&run);
    return code;
}

static int run_scenario(const lte_options *options, const lte_scenario *scenario, lte_ranks *ranks)
{
    char folder[4096];
    const char *dir = options->out ? options->out : folder;
    int code = EXIT_SUCCESS;
    lte_results_default_folder(scenario->name, options->sets, options->n_sets, folder,
                               sizeof folder);
    if (options->part.given)
        lte_part_name(&options->part, folder, sizeof folder);
    if (!lte_scenario_is_list(scenario))
        return run_one(options, scenario, ranks, dir);
    const lte_status status = lte_adaptation_run(options, scenario, ranks, dir, run_one, &code);
    return status ? exit_code(status) : code;
}

static int run_conformance(const lte_options *options, lte_ranks *ranks)
{
    bool met = false;
    const lte_status status = lte_conformance_run(options, ranks, &met);
    if (status)
        return exit_code(status);
    return lte_stop_signal ? EXIT_SIGNAL + (int)lte_stop_signal : met ? EXIT_SUCCESS : EXIT_VERIFY;
}

/* Joins the parts of one run; merge: due to be freed. */
static int merge_one(const lte_options *options, lte_merge *merge)
{
    lte_status status = lte_merge_init(merge, options);
    if (!status)
        status = lte_merge_run(merge);
    if (!status && !lte_stop_signal)
        finish(&merge->run);
    return status ? exit_code(status) : verdict(&merge->run);
}

static int run_merge(const lte_options *options)
{
    lte_merge merge;
    int *mcs = NULL, n = 0, code = EXIT_SUCCESS;
    lte_signals_catch();
    lte_status status = lte_mcs_list(options->folders[0], &mcs, &n);
    if (!status && n > 0) {
        status = lte_merge_list(options, mcs, n, merge_one, &code);
    } else if (!status) {
        code = merge_one(options, &merge);
        lte_merge_fini(&merge);
    }
    free(mcs);
    return status ? exit_code(status) : code;
}

/* A page of results that are there. */
static int run_report(const lte_options *options)
{
    lte_folder_lock lock = {0};
    const char *dir = options->folders[0];
    lte_status status = options->out ? LTE_OK : lte_result_check(dir);
    if (!status && !options->out) /* a run of the folder would remove it */
        status = lte_folder_take(dir, &lock);
    if (!status)
        status = lte_html_report(options->folders, options->n_folders, options->out);
    lte_folder_leave(&lock);
    if (!status)
        (void)printf("report in %s%s\n", options->out ? options->out : dir,
                     options->out ? "" : "/" LTE_HTML_NAME);
    return status ? exit_code(status) : EXIT_SUCCESS;
}

static int run_compare(const lte_options *options)
{
    bool worse = false;
    const lte_status status =
        lte_compare(stdout, options->folders, options->n_folders, options->plot, &worse);
    return status ? exit_code(status) : worse ? EXIT_WORSE : EXIT_SUCCESS;
}

static int run_plot(const lte_options *options)
{
    const lte_drawing_options how = {.size = options->figure, .paired = options->paired};
    const lte_status status =
        lte_plot_folders(options->folders, options->n_folders, options->show, options->out, &how);
    if (!status)
        (void)printf("picture in %s\n", options->out);
    return status ? exit_code(status) : EXIT_SUCCESS;
}

/* The times of a method as bars, by what was worked on. */
static lte_status draw_times(const lte_method_times *times, const char *path)
{
    lte_bar bars[LTE_METHOD_MOST_ROWS];
    int n = 0;
    for (int i = 0; i < times->n; i++) {
        bool begins = true;
        for (int k = 0; k < i; k++)
            begins = begins && strcmp(times->row[k].data, times->row[i].data) != 0;
        for (int k = i; begins && k < times->n; k++) {
            if (strcmp(times->row[k].data, times->row[i].data) != 0)
                continue;
            lte_bar *bar = &bars[n++];
            *bar = (lte_bar){.us = times->row[k].us,
                             .copy_us = times->row[k].copy_us,
                             .colour = times->row[k].on_device};
            (void)snprintf(bar->group, sizeof bar->group, "%s", times->row[k].data);
            (void)snprintf(bar->name, sizeof bar->name, "%s", times->row[k].version);
        }
    }
    return lte_bars_draw(times->title, bars, n, path);
}

/* Becomes ltebench, which lies beside the program in a build folder. */
static int run_bench(const lte_options *options)
{
    char program[PATH_MAX], results[PATH_MAX], name[] = "ltebench", beside[] = "--beside";
    char only[] = "--only", quick[] = "--quick", topic[64] = "";
    if (!lte_share_find_built("tests/bench/ltebench", program, sizeof program) ||
        !lte_share_find("tests/bench/results", results, sizeof results)) {
        (void)lte_refuse(
            "bench: the benchmarks are not built here; ./ltesim bench in a source tree "
            "builds them, or cmake --build BUILD --target ltebench");
        return EXIT_USAGE;
    }
    if (options->n_folders > 0)
        (void)snprintf(topic, sizeof topic, "%s", options->folders[0]);
    char *arguments[] = {name, beside, results, *topic ? only : quick, *topic ? topic : NULL, NULL};
    (void)execv(program, arguments);
    (void)LTE_FAIL(LTE_EIO, "%s cannot be started: %s", program, strerror(errno));
    return EXIT_RUN_FAILED;
}

static int run_methods(const lte_options *options)
{
    lte_method_times times = {.n = 0};
    const lte_methods_wish wish = {.size = options->size,
                                   .type = options->type,
                                   .n_threads = options->threads,
                                   .backend = options->backend,
                                   .json = options->json,
                                   .times = &times};
    bool right = true;
    if (options->n_folders == 0) {
        lte_methods_list(stdout);
        return EXIT_SUCCESS;
    }
    if (options->out && (!lte_is_picture(options->out) || lte_drawing_is_tex(options->out))) {
        (void)lte_refuse("%.60s: a picture of a method ends in .svg, .png or .pdf", options->out);
        return EXIT_USAGE;
    }
    lte_status status = lte_methods_show(options->folders[0], &wish, stdout, &right);
    if (!status && options->out)
        status = draw_times(&times, options->out);
    return status ? exit_code(status) : right ? EXIT_SUCCESS : EXIT_VERIFY;
}

/* Bytes of OMP_STACKSIZE, as in 512, 512K, 2M; 0 if it is not set or none of these. */
static unsigned long long thread_stack(void)
{
    const char *text = getenv("OMP_STACKSIZE");
    char *end = NULL;
    const unsigned long long n = text ? strtoull(text, &end, 10) : 0;
    const char unit = n > 0 ? end[strspn(end, " ")] : 'B';
    return unit == '\0' || strchr("kK", unit) ? n << 10 : strchr("mM", unit) ? n << 20 : 0;
}

/* Refuses a stack, of this thread or of OpenMP's, on which the program would crash. */
static lte_status check_stacks(void)
{
    enum { LEAST = 1 << 20 };
    const unsigned long long thread = thread_stack();
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < LEAST)
        return LTE_FAIL(LTE_ENOMEM, "the stack has %llu KB; ulimit -s must be 1024 or more",
                        (unsigned long long)limit.rlim_cur >> 10);
    if (thread > 0 && thread < LEAST)
        return LTE_FAIL(LTE_ENOMEM, "OMP_STACKSIZE is %llu KB; it must be 1024K or more",
                        thread >> 10);
    return LTE_OK;
}

/* Takes the places of streams that the caller has closed: else the first files would get them, and
 * what is printed would go into those. */
static void keep_streams(void)
{
    int file = 0;
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDONLY); /* to write fails there as on a closed one */
    if (file >= 0)
        (void)close(file);
}

/* True if a scenario is to be read. */
static bool has_scenario(const lte_options *options)
{
    return !options->help && !options->version && !options->list && !options->asked &&
           !options->conformance;
}

/* What does not go with a code. */
static lte_status check_code(const lte_scenario *scenario, lte_options *options)
{
    if (options->replay)
        return lte_refuse("%s: --replay does not work with a code, whose transport blocks span "
                          "two slots",
                          scenario->name);
    if (!lte_scenario_is_list(scenario))
        return LTE_OK;
    if (options->only == LTE_RUN_DEADLINE || options->require_deadline)
        return lte_refuse("%s: the deadline needs one MCS, and code.mcs lists %d",
                          scenario->code.mcs_place, scenario->code.n_mcs);
    options->only = LTE_RUN_BER;
    return LTE_OK;
}

/* What the command line asks for, as far as it can be told before anything runs. */
static lte_status prepare(int argc, char **argv, int rank, lte_options *options,
                          lte_scenario **scenario)
{
    lte_status status = LTE_EINVAL;
    const char *pretended;
    if (argc > 1)
        status = lte_options_parse(argc, argv, options);
    else
        (void)fputs(rank == 0 ? lte_options_start() : "", stderr);
    if (!status)
        status = check_stacks();
    if (!status)
        status = lte_level_pretended(&pretended);
    if (status || !has_scenario(options))
        return status;
    status = lte_named_scenario(options, options->scenario, NULL, 0, NULL, scenario);
    if (!status && (*scenario)->counted == LTE_COUNTED_BLOCKS)
        status = check_code(*scenario, options);
    if (!status && options->replay)
        status = lte_scenario_reach(*scenario, options->replay_slot);
    return status;
}

static int (*const commands[LTE_N_ASKED])(const lte_options *options) = {
    [LTE_ASKED_MERGE] = run_merge,     [LTE_ASKED_REPORT] = run_report,
    [LTE_ASKED_COMPARE] = run_compare, [LTE_ASKED_METHODS] = run_methods,
    [LTE_ASKED_BENCH] = run_bench,     [LTE_ASKED_PLOT] = run_plot,
};

/* Does it, on rank 0 if there are several; returns the exit code. */
static int work(const lte_options *options, const lte_scenario *scenario, lte_ranks *ranks)
{
    lte_status status = LTE_OK;
    const bool alone = !has_scenario(options) || options->replay || options->explain;
    if (ranks->rank > 0)
        return alone ? EXIT_SUCCESS : serve(options, scenario, ranks);
    if (options->help)
        (void)fputs(lte_options_help(), stdout);
    else if (options->version)
        lte_about_version(stdout);
    else if (options->list)
        status = options->json ? lte_about_json(stdout) : lte_about_lists(stdout);
    else if (options->replay)
        status = lte_replay(stdout, scenario, options->replay_slot);
    else if (options->asked)
        return commands[options->asked](options);
    else if (options->conformance)
        return run_conformance(options, ranks);
    else if (scenario)
        return run_scenario(options, scenario, ranks);
    return status ? exit_code(status) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    lte_options options = {0};
    lte_ranks ranks;
    lte_scenario *scenario = NULL;
    keep_streams();
    (void)signal(SIGXFSZ, SIG_IGN); /* the write fails then, and says why */
    lte_status status = lte_ranks_begin(&ranks);
    if (!status)
        status = prepare(argc, argv, ranks.rank, &options, &scenario);
    status = lte_ranks_agree(&ranks, status);
    int code = status ? exit_code(status) : work(&options, scenario, &ranks);
    lte_scenario_free(scenario);
    lte_options_fini(&options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "ltesim: stdout could not be written\n");
        code = code == EXIT_SUCCESS ? EXIT_RUN_FAILED : code;
    }
    return lte_ranks_end(&ranks, code);
}
