/* Journals of runs: what they are of, written and read. */
#include "sim/resume.h"

#include <stdlib.h>
#include <string.h>

#include "sim/files/json_memory.h"
#include "sim/jobs/sweep_state.h"

enum {
    SMALL = 1 << 20, /* bytes: such a journal is never written anew, */
    GROWTH = 4       /* others when they have grown so many times */
};
static const char done_line[] = "done";

/* What has to be the same: the version, and the scenario but for who runs it and for how long. */
static json_t *identity_of(const lte_run *run)
{
    json_t *scenario = lte_scenario_json(run->scenario);
    static const char *const free_keys[] = {"name", "title", "backend", "deadline"};
    for (size_t i = 0; i < sizeof free_keys / sizeof *free_keys; i++)
        (void)json_object_del(scenario, free_keys[i]);
    (void)json_object_del(json_object_get(scenario, "sweep"), "max_seconds");
    return json_pack("{s:s,s:o}", "version", LTE_VERSION, "scenario", scenario);
}

/* Writes the path of the first difference, none into an empty text. */
static void find_difference(const json_t *ours, json_t *theirs, const char *path, char *text,
                            size_t size)
{
    const char *key;
    json_t *value;
    char deeper[200];
    if (json_equal(ours, theirs))
        return;
    if (!json_is_object(ours) || !json_is_object(theirs)) {
        char *a = json_dumps(ours, JSON_ENCODE_ANY | JSON_COMPACT);
        char *b = theirs ? json_dumps(theirs, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
        (void)snprintf(text, size, "%s is %.60s, there %.60s", path, a ? a : "set",
                       b ? b : "not set");
        free(a);
        free(b);
        return;
    }
    json_object_foreach((json_t *)ours, key, value)
    {
        (void)snprintf(deeper, sizeof deeper, "%s%s%s", path, *path ? "." : "", key);
        find_difference(value, json_object_get(theirs, key), deeper, text, size);
        if (*text)
            return;
    }
    (void)snprintf(text, size, "%s has keys there that it has not here", path);
}

static lte_status check_identity(const char *line, void *user)
{
    const lte_run *run = user;
    char text[400] = "";
    lte_json_begin();
    json_t *ours = identity_of(run), *theirs = json_loads(line, 0, NULL);
    if (!lte_json_is_whole()) {
        json_decref(ours);
        json_decref(theirs);
        return LTE_FAIL(LTE_ENOMEM, "no memory to read the journal in %s", run->dir);
    }
    if (!ours || !theirs) {
        json_decref(ours);
        json_decref(theirs);
        return LTE_FAIL(LTE_EINVAL, "--resume: the journal in %s cannot be read", run->dir);
    }
    find_difference(json_object_get(ours, "scenario"), json_object_get(theirs, "scenario"), "",
                    text, sizeof text);
    find_difference(json_object_get(ours, "version"), json_object_get(theirs, "version"),
                    "ltesim's version", text, sizeof text);
    json_decref(ours);
    json_decref(theirs);
    return *text ? LTE_FAIL(LTE_EINVAL, "--resume: the journal in %s is of another run: %s",
                            run->dir, text)
                 : LTE_OK;
}

/* A line: "done", or the name of a csi and the line of a point. */
static lte_status take_line(const char *line, void *user)
{
    lte_run *run = user;
    const size_t n = strcspn(line, " ");
    run->finished = strcmp(line, done_line) == 0;
    if (run->finished)
        return LTE_OK;
    for (int k = 0; k < run->sweeps.n; k++) {
        const char *name = lte_csi_rows[run->sweeps.of[k]->csi].name;
        if (strlen(name) == n && strncmp(line, name, n) == 0 && line[n])
            return lte_sweep_take_point(run->sweeps.of[k], line + n + 1);
    }
    return LTE_FAIL(LTE_EINVAL, "--resume: the journal in %s is not one of this scenario",
                    run->dir);
}

lte_status lte_resume_check(const char *dir)
{
    return lte_journal_look(dir);
}

lte_status lte_resume_read(lte_run *run)
{
    uint64_t lost = 0;
    const lte_status status = lte_journal_read(run->dir, check_identity, take_line, run, &lost);
    for (int k = 0; k < run->sweeps.n; k++)
        run->finished = run->finished && lte_sweep_complete(run->sweeps.of[k]);
    if (!status && lost > 0)
        (void)fprintf(stderr,
                      "ltesim: the last %llu bytes of the journal are damaged; what they held is "
                      "counted again\n",
                      (unsigned long long)lost);
    return status;
}

static lte_status accept(const char *line, void *user)
{
    (void)line;
    (void)user;
    return LTE_OK;
}

static lte_status look_for_end(const char *line, void *user)
{
    bool *ended = user;
    *ended = strcmp(line, done_line) == 0;
    return LTE_OK;
}

bool lte_resume_is_due(const char *dir)
{
    bool ended = false;
    uint64_t lost;
    return lte_journal_there(dir) &&
           lte_journal_read(dir, accept, look_for_end, &ended, &lost) == LTE_OK && !ended;
}

static lte_status put_point(lte_run *run, lte_sweep *sweep, int s)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    lte_status status = LTE_OK;
    if (!out)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the journal");
    (void)fprintf(out, "%s ", lte_csi_rows[sweep->csi].name);
    lte_sweep_put_point(sweep, s, out);
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed || !line) /* fclose alone does not tell */
        status = LTE_FAIL(LTE_ENOMEM, "no memory for the journal");
    else
        status = lte_journal_put(&run->journal, line);
    free(line);
    return status;
}

lte_status lte_resume_begin(lte_run *run)
{
    lte_json_begin();
    json_t *identity = identity_of(run);
    char *what = identity ? json_dumps(identity, JSON_COMPACT) : NULL;
    json_decref(identity);
    lte_status status = lte_json_is_whole() && what
                            ? lte_journal_begin(&run->journal, run->dir, what)
                            : LTE_FAIL(LTE_ENOMEM, "no memory for the journal");
    free(what);
    if (status)
        return status;
    for (int k = 0; k < run->sweeps.n; k++) {
        for (int s = 0; s < run->sweeps.of[k]->n_started && !status; s++)
            status = put_point(run, run->sweeps.of[k], s);
    }
    run->journal_begun = run->journal.bytes;
    return status ? status : lte_journal_keep(&run->journal);
}

lte_status lte_resume_save(lte_run *run, lte_sweep *sweep, int s)
{
    lte_status status = LTE_OK;
    if (run->journal.bytes > SMALL + GROWTH * run->journal_begun)
        return lte_resume_begin(run);
    for (; run->journaled < s && !status; run->journaled++)
        status = put_point(run, sweep, run->journaled);
    if (s >= 0 && !status)
        status = put_point(run, sweep, s); /* and again, if it goes on */
    return status ? status : lte_journal_keep(&run->journal);
}

lte_status lte_resume_end(lte_run *run)
{
    const lte_status status = lte_journal_put(&run->journal, done_line);
    return status ? status : lte_journal_keep(&run->journal);
}
