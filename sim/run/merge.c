/* Parts of a run, looked at, put in order and joined. */
#include "sim/run/merge.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/files/json_memory.h"
#include "sim/files/refuse.h"
#include "sim/files/text.h"
#include "sim/jobs/sweep/identity.h"
#include "sim/jobs/sweep/sweep_state.h"
#include "sim/report/tables/report.h"
#include "sim/report/results/results_folder.h"
#include "sim/report/results/words.h"
#include "sim/run/resume.h"
#include "sim/jobs/workers/stop.h"

/* ---- the parts ---- */

static lte_status no_memory(void)
{
    return LTE_FAIL(LTE_ENOMEM, "no memory for the parts of a run");
}

static lte_status take_identity(const char *line, void *user)
{
    lte_merge_part *part = user;
    json_int_t first = -1, last = -1;
    lte_json_begin();
    part->identity = json_loads(line, 0, NULL);
    const bool known =
        json_unpack(part->identity, "{s:[I,I]}", "slots", &first, &last) == 0 && first >= 0;
    if (!lte_json_is_whole())
        return no_memory();
    if (!part->identity)
        return lte_refuse("merge: the journal in %s cannot be read", part->dir);
    if (!json_object_get(part->identity, "slots"))
        return lte_refuse(
            "merge: the run in %s is not a part of a sweep, since it was run without --slots",
            part->dir);
    if (!known || last < first)
        return lte_refuse("merge: the journal in %s does not say which slots it has", part->dir);
    part->part = (lte_part){true, (uint64_t)first, (uint64_t)last};
    return LTE_OK;
}

static lte_status pass_over(const char *line, void *user)
{
    (void)line;
    (void)user;
    return LTE_OK;
}

/* Points at the parts of each MCS in the folder of a list; one without a journal is no part. */
static lte_status check_part(const char *dir)
{
    if (lte_results_has_list(dir))
        return lte_refuse("merge: %s contains the runs of a list of MCS, and another part does not",
                          dir);
    errno = 0;
    if (!lte_journal_there(dir) && (errno == 0 || errno == ENOENT || errno == ENOTDIR))
        return lte_refuse("merge: %s has no journal, so it is not a part of a sweep", dir);
    return LTE_OK;
}

static lte_status read_parts(lte_merge *merge, const lte_options *options)
{
    lte_status status = LTE_OK;
    merge->parts = calloc((size_t)options->n_folders, sizeof *merge->parts);
    if (!merge->parts)
        return no_memory();
    merge->n_parts = options->n_folders;
    for (int i = 0; i < merge->n_parts && !status; i++) {
        lte_merge_part *part = &merge->parts[i];
        uint64_t lost = 0;
        part->dir = options->folders[i];
        status = lte_folder_check_idle(part->dir);
        if (!status)
            status = check_part(part->dir);
        if (!status)
            status = lte_journal_read(part->dir, take_identity, pass_over, part, &lost);
        if (!status && lost > 0)
            (void)fprintf(
                stderr,
                "ltesim: %s: the last %llu bytes of its journal are damaged and are left out\n",
                part->dir, (unsigned long long)lost);
    }
    return status;
}

/* Refuses parts of other runs than the first, and of another version than this one. */
static lte_status compare_parts(const lte_merge *merge)
{
    const json_t *first = merge->parts[0].identity;
    const char *version = json_string_value(json_object_get(first, "version"));
    char text[400];
    for (int i = 1; i < merge->n_parts; i++) {
        lte_json_begin();
        lte_identity_difference(first, merge->parts[i].identity,
                                (const char *const[]){merge->parts[0].dir, merge->parts[i].dir},
                                false, text, sizeof text);
        if (!lte_json_is_whole())
            return no_memory();
        if (*text)
            return lte_refuse("merge: %s and %s are not parts of the same run: %s",
                              merge->parts[0].dir, merge->parts[i].dir, text);
    }
    if (!version || strcmp(version, LTE_VERSION) != 0)
        return lte_refuse("merge: the run in %s was made by ltesim %.40s, but this is %s",
                          merge->parts[0].dir, version ? version : "?", LTE_VERSION);
    return LTE_OK;
}

static int by_slots(const void *a, const void *b)
{
    const uint64_t x = ((const lte_merge_part *)a)->part.first;
    const uint64_t y = ((const lte_merge_part *)b)->part.first;
    return (x > y) - (x < y);
}

/* Puts the parts in order; refuses those that do not follow each other. */
static lte_status order_parts(lte_merge *merge)
{
    const lte_merge_part *part = merge->parts;
    qsort(merge->parts, (size_t)merge->n_parts, sizeof *merge->parts, by_slots);
    if (part[0].part.first > 0)
        return lte_refuse(
            "merge: slots 0:%llu are missing; the first part, %s, has slots %llu:%llu",
            (unsigned long long)part[0].part.first - 1, part[0].dir,
            (unsigned long long)part[0].part.first, (unsigned long long)part[0].part.last);
    for (int i = 1; i < merge->n_parts; i++) {
        const unsigned long long last = part[i - 1].part.last, first = part[i].part.first;
        if (first <= last)
            return lte_refuse("merge: %s and %s have slots in common: %llu:%llu and %llu:%llu",
                              part[i - 1].dir, part[i].dir,
                              (unsigned long long)part[i - 1].part.first, last, first,
                              (unsigned long long)part[i].part.last);
        if (first > last + 1)
            return lte_refuse("merge: slots %llu:%llu are missing, between the parts %s and %s",
                              last + 1, first - 1, part[i - 1].dir, part[i].dir);
    }
    return LTE_OK;
}

/* The scenario of all parts, and whether each is a part of it. */
static lte_status read_scenario(lte_merge *merge)
{
    char source[4200];
    const lte_merge_part *first = &merge->parts[0];
    (void)snprintf(source, sizeof source, "%.4000s/" LTE_JOURNAL_NAME, first->dir);
    lte_status status = lte_scenario_from_json(json_object_get(first->identity, "scenario"), source,
                                               &merge->scenario);
    if (!status && json_is_true(json_object_get(first->identity, LTE_IDENTITY_BLOCKS)))
        merge->scenario->records = true;
    for (int i = 0; i < merge->n_parts && !status; i++)
        status = lte_part_check(&merge->parts[i].part, merge->scenario);
    return status;
}

/* ---- the run that they make ---- */

/* A name as JSON takes it: what is not UTF-8 becomes a ?. */
static void put_utf8(FILE *out, const char *name)
{
    for (size_t n; *name; name += n > 0 ? n : 1) {
        n = lte_text_character(name, strnlen(name, 4));
        (void)fwrite(n > 0 ? name : "?", 1, n > 0 ? n : 1, out);
    }
}

/* Who has counted: "slots 0:63 of a (cpu:v4), 64:127 of b (cpu:ref)". NULL without memory. */
static char *choices_of(const lte_merge *merge)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (int i = 0; i < merge->n_parts; i++) {
        const lte_merge_part *p = &merge->parts[i];
        const char *backend = json_string_value(json_object_get(p->identity, "backend"));
        bool plain = backend != NULL;
        for (const char *c = backend; plain && *c; c++)
            plain = isalnum((unsigned char)*c) || *c == ':';
        (void)fprintf(out, "%s%llu:%llu of ", i ? ", " : "slots ",
                      (unsigned long long)p->part.first, (unsigned long long)p->part.last);
        put_utf8(out, p->dir);
        (void)fprintf(out, " (%s)", plain ? backend : "unknown");
    }
    return lte_text_end(out, &text, true);
}

lte_status lte_merge_check_out(const lte_options *options, const char *dir)
{
    struct stat out, part;
    if (stat(dir, &out) != 0)
        return LTE_OK;
    for (int i = 0; i < options->n_folders; i++) {
        if (stat(options->folders[i], &part) == 0 && part.st_dev == out.st_dev &&
            part.st_ino == out.st_ino)
            return lte_refuse("merge: --out %s: is the folder of one of the parts", dir);
    }
    return LTE_OK;
}

lte_status lte_merge_look(lte_merge *merge, const lte_options *options)
{
    *merge = (lte_merge){0};
    lte_status status = read_parts(merge, options);
    if (!status)
        status = compare_parts(merge);
    if (!status)
        status = order_parts(merge);
    return status ? status : read_scenario(merge);
}

lte_status lte_merge_init(lte_merge *merge, const lte_options *options)
{
    static const char *const merged = "merged";
    const char *dir = options->out;
    lte_status status = lte_merge_look(merge, options);
    if (status)
        return status;
    if (!dir) {
        lte_results_default_folder(merge->scenario->name, &merged, 1, merge->dir,
                                   sizeof merge->dir);
        dir = merge->dir;
    }
    merge->choices = choices_of(merge);
    if (!merge->choices)
        return no_memory();
    status = lte_merge_check_out(options, dir);
    return status ? status
                  : lte_run_init_joined(&merge->run, options, merge->scenario, dir, merge->choices);
}

void lte_merge_fini(lte_merge *merge)
{
    lte_run_fini(&merge->run);
    for (int i = 0; i < merge->n_parts; i++)
        json_decref(merge->parts[i].identity);
    free(merge->parts);
    free(merge->choices);
    lte_scenario_free(merge->scenario);
}

/* ---- joined ---- */

/* A part while its rounds are added. */
typedef struct {
    lte_merge *merge;
    const lte_merge_part *part;
    lte_block_mark *mark; /* of its blocks.part */
} joining;

/* The journal may have become another one since its part was looked at. */
static lte_status check_again(const char *line, void *user)
{
    const joining *j = user;
    lte_json_begin();
    json_t *identity = json_loads(line, 0, NULL);
    const bool same = json_equal(identity, j->part->identity);
    json_decref(identity);
    if (!lte_json_is_whole())
        return no_memory();
    return same ? LTE_OK : lte_refuse("merge: the run in %s was replaced meanwhile", j->part->dir);
}

static lte_status take_line(const char *line, void *user)
{
    const joining *j = user;
    bool ended;
    return lte_resume_take_line(&j->merge->run.sweeps, line, true, j->mark, &ended);
}

/* Names the interrupted rows of a point. */
static void tell_point(const lte_sweep *sweep, int s, bool several)
{
    char names[400] = "";
    uint64_t slots = 0;
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        if (row->status != LTE_ROW_INTERRUPTED)
            continue;
        lte_append(names, sizeof names, "%s%s", *names ? ", " : "",
                   lte_detector_named(row->detector).text);
        slots = row->slots;
    }
    if (*names)
        (void)fprintf(stderr,
                      "ltesim: incomplete: %s at %g dB%s%s: only %llu slots were simulated\n",
                      names, sweep->scenario->sweep.snr_db[s], several ? ", " : "",
                      several ? lte_csi_rows[sweep->csi].name : "", (unsigned long long)slots);
}

/* Interrupts rows that have not ended and names them. */
static void tell_incomplete(lte_merge *merge)
{
    lte_sweeps *sweeps = &merge->run.sweeps;
    bool complete = true;
    for (int k = 0; k < sweeps->n; k++) {
        lte_sweep_end(sweeps->of[k], LTE_ROW_INTERRUPTED);
        for (int s = 0; s < sweeps->of[k]->n_started; s++)
            tell_point(sweeps->of[k], s, sweeps->n > 1);
        complete = complete && lte_sweep_complete(sweeps->of[k]);
    }
    merge->run.finished = complete;
    if (!complete)
        (void)fprintf(stderr,
                      "ltesim: the parts are not a complete run; run their scenario with --resume "
                      "--out %s to continue it\n",
                      merge->run.dir);
}

lte_status lte_merge_run(lte_merge *merge)
{
    lte_run *run = &merge->run;
    lte_block_source *sources = calloc((size_t)merge->n_parts, sizeof *sources);
    lte_status status = LTE_OK;
    if (!sources)
        return no_memory();
    for (int i = 0; i < merge->n_parts && !status && !lte_stop_signal; i++) {
        joining j = {merge, &merge->parts[i], &sources[i].mark};
        uint64_t lost;
        sources[i].dir = j.part->dir;
        status = lte_journal_read(j.part->dir, check_again, take_line, &j, &lost);
    }
    if (!status && !lte_stop_signal && run->scenario->records)
        status = lte_block_log_join(&run->blocks, &run->sweeps, sources, merge->n_parts);
    free(sources);
    if (status || lte_stop_signal)
        return status;
    if (run->options->table)
        lte_report_header(stdout, &run->info);
    tell_incomplete(merge);
    if (run->options->table)
        lte_report_ber(stdout, &run->sweeps);
    status = lte_run_save(run);
    if (!status)
        status = lte_run_end_blocks(run);
    return !status && run->finished ? lte_resume_end(run) : status;
}
