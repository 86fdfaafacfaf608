/* Parts of runs of several MCS. */
#include "sim/run/merge.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/jobs/workers/stop.h"
#include "sim/report/results/result.h"
#include "sim/report/results/results_folder.h"
#include "sim/run/adaptation.h"

static lte_status check_lists(const lte_options *options, const int *mcs, int n)
{
    lte_status status = LTE_OK;
    for (int i = 1; i < options->n_folders && !status; i++) {
        int *other = NULL, n_other = 0;
        status = lte_mcs_list(options->folders[i], &other, &n_other);
        if (!status && (n_other != n || memcmp(other, mcs, (size_t)n * sizeof *mcs) != 0))
            status = lte_refuse("merge: %s and %s are not lists of the same MCS",
                                options->folders[0], options->folders[i]);
        free(other);
    }
    return status;
}

/* Where the result goes if no option says so: NAME_merged. */
static lte_status default_folder(const char *part, int mcs, char *dir, size_t size)
{
    static const char *const merged = "merged";
    char first[PATH_MAX];
    lte_result result;
    (void)snprintf(first, sizeof first, "%s/mcs_%d", part, mcs);
    const lte_status status = lte_result_read(first, &result);
    if (!status)
        lte_results_default_folder(lte_json_text(result.scenario, "name"), &merged, 1, dir, size);
    lte_result_free(&result);
    return status;
}

/* The parts of one MCS, and where they are joined. */
typedef struct {
    lte_options options;
    const char **folders;       /* [n_folders] */
    char *paths, out[PATH_MAX]; /* [n_folders][PATH_MAX] */
} parts;

static lte_status make_parts(parts *p, const lte_options *options)
{
    const size_t n = (size_t)options->n_folders;
    *p = (parts){.options = *options,
                 .folders = calloc(n, sizeof *p->folders),
                 .paths = calloc(n, PATH_MAX)};
    p->options.folders = p->folders;
    p->options.out = p->out;
    p->options.in_list = true;
    return p->folders && p->paths ? LTE_OK : LTE_FAIL(LTE_ENOMEM, "no memory for the parts");
}

static const lte_options *parts_of(parts *p, const lte_options *options, int mcs, const char *dir)
{
    for (int i = 0; i < options->n_folders; i++) {
        char *path = p->paths + (size_t)i * PATH_MAX;
        (void)snprintf(path, PATH_MAX, "%.4000s/mcs_%d", options->folders[i], mcs);
        p->folders[i] = path;
    }
    (void)snprintf(p->out, sizeof p->out, "%.4000s/mcs_%d", dir, mcs);
    return &p->options;
}

/* Looks at all parts before any folder is made: what they are of, each the MCS of its folder. */
static lte_status look_at_all(parts *p, const lte_options *options, const int *mcs, int n,
                              const char *dir)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < n && !status; i++) {
        lte_merge merge;
        status = lte_merge_look(&merge, parts_of(p, options, mcs[i], dir));
        if (!status && merge.scenario->code.mcs != mcs[i])
            status = lte_refuse("merge: %s has another MCS than its name says", p->folders[0]);
        lte_merge_fini(&merge);
    }
    return status;
}

lte_status lte_merge_list(const lte_options *options, const int *mcs, int n, lte_merge_job *job,
                          int *code)
{
    char folder[PATH_MAX];
    const char *dir = options->out ? options->out : folder;
    lte_folder_lock lock = {0};
    parts p;
    lte_status status = make_parts(&p, options);
    if (!status)
        status = check_lists(options, mcs, n);
    if (!status && !options->out)
        status = default_folder(options->folders[0], mcs[0], folder, sizeof folder);
    if (!status)
        status = lte_merge_check_out(options, dir);
    if (!status)
        status = look_at_all(&p, options, mcs, n, dir);
    if (!status)
        status = lte_adaptation_take(options, mcs, n, dir, &lock);
    *code = 0;
    for (int i = 0; i < n && !status && *code == 0; i++) {
        lte_merge merge;
        *code = job(parts_of(&p, options, mcs[i], dir), &merge);
        if (i == n - 1 && *code == 0 && !lte_stop_signal) {
            merge.scenario->code.n_mcs = n;
            memcpy(merge.scenario->code.all_mcs, mcs, (size_t)n * sizeof *mcs);
            status = lte_adaptation_join(options, merge.scenario, dir);
        }
        lte_merge_fini(&merge);
    }
    lte_folder_leave(&lock);
    free(p.folders);
    free(p.paths);
    return status;
}
