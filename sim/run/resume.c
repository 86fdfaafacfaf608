/*
 * Journals of runs: what they are of, written and read. The first line tells the scenario. Then
 * comes a line for each point whenever it is saved, of which the last one counts
 * (lte_sweep_put_point); of a part a line for each round (lte_sweep_put_rounds), which all count.
 * With --blocks each save begins with how much of blocks.part counts. The last line of a run that
 * came to its end says "done".
 */
#include "sim/run/resume.h"

#include <stdlib.h>
#include <string.h>

#include "sim/files/json_memory.h"
#include "sim/files/text.h"
#include "sim/jobs/sweep/identity.h"
#include "sim/jobs/sweep/sweep_rounds.h"
#include "sim/jobs/sweep/sweep_state.h"
#include "sim/report/results/results_folder.h"

/* What a line of blocks.part begins with. */
static const char blocks_word[] = "blocks ";

enum {
    SMALL = 1 << 20, /* bytes: such a journal is never written anew, */
    GROWTH = 4       /* others when they have grown so many times */
};

static json_t *identity_of(const lte_run *run)
{
    return lte_identity(run->scenario, &run->options->part, run->backend_name);
}

static lte_status check_identity(const char *line, void *user)
{
    const lte_run *run = user;
    char text[400] = "";
    lte_json_begin();
    json_t *ours = identity_of(run), *theirs = json_loads(line, 0, NULL);
    const bool known = ours && theirs;
    if (known && lte_json_is_whole())
        lte_identity_difference(ours, theirs, (const char *const[]){"this run", "the journal"},
                                true, text, sizeof text);
    json_decref(ours);
    json_decref(theirs);
    if (!lte_json_is_whole())
        return LTE_FAIL(LTE_ENOMEM, "no memory to read the journal in %s", run->dir);
    if (!known)
        return LTE_FAIL(LTE_EINVAL, "--resume: the journal in %s cannot be read", run->dir);
    return *text
               ? LTE_FAIL(LTE_EINVAL, "--resume: the journal in %s belongs to a different run: %s",
                          run->dir, text)
               : LTE_OK;
}

/* A line of blocks.part: how much of it counts. */
static bool take_mark(const char *line, lte_block_mark *mark)
{
    const size_t n = sizeof blocks_word - 1;
    char *end;
    if (strncmp(line, blocks_word, n) != 0)
        return false;
    const unsigned long long bytes = strtoull(line + n, &end, 10);
    const unsigned long check = *end == ' ' ? strtoul(end + 1, &end, 16) : 0;
    if (*end)
        return false;
    *mark = (lte_block_mark){bytes, (uint32_t)check};
    return true;
}

lte_status lte_resume_take_line(const lte_sweeps *sweeps, const char *line, bool rounds,
                                lte_block_mark *mark, bool *ended)
{
    const size_t n = strcspn(line, " ");
    *ended = strcmp(line, LTE_JOURNAL_DONE) == 0;
    if (*ended || take_mark(line, mark))
        return LTE_OK;
    for (int k = 0; k < sweeps->n; k++) {
        lte_sweep *sweep = sweeps->of[k];
        const char *name = lte_csi_rows[sweep->csi].name;
        if (strlen(name) == n && strncmp(line, name, n) == 0 && line[n])
            return rounds ? lte_sweep_take_round(sweep, line + n + 1)
                          : lte_sweep_take_point(sweep, line + n + 1);
    }
    return LTE_FAIL(LTE_EINVAL, "the journal has a line that does not belong to this scenario");
}

static lte_status take_line(const char *line, void *user)
{
    lte_run *run = user;
    return lte_resume_take_line(&run->sweeps, line, run->options->part.given, &run->blocks_mark,
                                &run->finished);
}

lte_status lte_resume_read(lte_run *run)
{
    uint64_t lost = 0;
    lte_status status = lte_journal_read(run->dir, check_identity, take_line, run, &lost);
    for (int k = 0; k < run->sweeps.n; k++)
        run->finished = run->finished && lte_sweep_complete(run->sweeps.of[k]);
    if (!status && lost > 0)
        (void)fprintf(stderr,
                      "ltesim: the last %llu bytes of the journal are damaged; their slots are "
                      "simulated again\n",
                      (unsigned long long)lost);
    bool begun = run->blocks_mark.bytes > 0; /* else it begins anew */
    for (int k = 0; k < run->sweeps.n; k++)
        begun = begun || run->sweeps.of[k]->n_started > 0;
    if (!status && !run->finished && run->scenario->records && begun)
        status = lte_block_log_resume(&run->blocks, run->dir, &run->sweeps, &run->blocks_mark);
    return status;
}

void lte_resume_tell_unfinished(const char *dir)
{
    bool due;
    (void)lte_journal_look_for_end(dir, &due);
    if (due)
        (void)fprintf(stderr,
                      "ltesim: %s contains an unfinished run, which this run replaces; its "
                      "journal is kept as " LTE_JOURNAL_OLD "; renamed to " LTE_JOURNAL_NAME
                      " it continues with --resume\n",
                      dir);
}

static lte_status put_point(lte_run *run, lte_sweep *sweep, int s)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the journal");
    (void)fprintf(out, "%s ", lte_csi_rows[sweep->csi].name);
    lte_sweep_put_point(sweep, s, out);
    line = lte_text_end(out, &line, true);
    const lte_status status = line ? lte_journal_put(&run->journal, line)
                                   : LTE_FAIL(LTE_ENOMEM, "no memory for the journal");
    free(line);
    return status;
}

static lte_status put_line(const char *line, void *user)
{
    return lte_journal_put(user, line);
}

/* All that there is to say of a sweep: of a part the rounds that are not in a journal yet. */
static lte_status put_sweep(lte_run *run, lte_sweep *sweep)
{
    lte_status status = LTE_OK;
    if (run->options->part.given)
        return lte_sweep_put_rounds(sweep, put_line, &run->journal);
    for (int s = 0; s < sweep->n_started && !status; s++)
        status = put_point(run, sweep, s);
    return status;
}

/*
 * Keeps blocks.part, and says in the journal how much of it counts: before the points, which may
 * then be older than that, but never newer.
 */
static lte_status put_mark(lte_run *run)
{
    char line[64];
    if (!run->blocks.file.stream)
        return LTE_OK;
    const lte_status status = lte_block_log_keep(&run->blocks, &run->blocks_mark);
    (void)snprintf(line, sizeof line, "%s%llu %08x", blocks_word,
                   (unsigned long long)run->blocks_mark.bytes, (unsigned)run->blocks_mark.check);
    return status ? status : lte_journal_put(&run->journal, line);
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
    if (!status)
        status = put_mark(run);
    for (int k = 0; k < run->sweeps.n && !status; k++)
        status = put_sweep(run, run->sweeps.of[k]);
    run->journal_begun = run->journal.bytes;
    return status ? status : lte_journal_keep(&run->journal);
}

lte_status lte_resume_save(lte_run *run, lte_sweep *sweep, int s)
{
    if (!run->options->part.given && run->journal.bytes > SMALL + GROWTH * run->journal_begun)
        return lte_resume_begin(run);
    lte_status status = put_mark(run);
    if (run->options->part.given) {
        status = status ? status : put_sweep(run, sweep);
        return status ? status : lte_journal_keep(&run->journal);
    }
    for (; run->journaled < s && !status; run->journaled++)
        status = put_point(run, sweep, run->journaled);
    if (s >= 0 && !status)
        status = put_point(run, sweep, s); /* and again, if it goes on */
    return status ? status : lte_journal_keep(&run->journal);
}

lte_status lte_resume_end(lte_run *run)
{
    for (int k = 0; k < run->sweeps.n; k++) {
        if (!lte_sweep_complete(run->sweeps.of[k])) /* its time was over */
            return LTE_OK;
    }
    lte_status status = lte_journal_put(&run->journal, LTE_JOURNAL_DONE);
    if (!status)
        status = lte_journal_keep(&run->journal);
    if (!status && run->blocks.file.stream)
        status = lte_file_remove(run->dir, LTE_BLOCKS_PART);
    return status;
}
