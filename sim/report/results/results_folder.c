/* Whose the files of a result folder are. */
#include "sim/report/results/results_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/files/files.h"
#include "sim/files/refuse.h"
#include "sim/report/results/results.h"

#define OF(member) offsetof(lte_results_files, member)
#define ANY sizeof(lte_results_files)

/* In the order in which they are removed: a picture before the table that tells whose it is. */
static const struct {
    const char *name;
    size_t of;                  /* the member of lte_results_files that has it written, or ANY */
    const char *table;          /* of a picture: what it is drawn from */
    const char *start;          /* of another file: how it begins */
    const lte_columns *columns; /* of a table */
} files[] = {
#define PICTURES(name, of, table)                                                                  \
    {name ".svg", of, table, NULL, NULL},                                                          \
    {                                                                                              \
        name ".png", of, table, NULL, NULL                                                         \
    }
    PICTURES("ber", OF(ber), "ber.csv"),
    PICTURES("rate", OF(ber), "ber.csv"),
    PICTURES("bler", OF(ber), "bler.csv"),
    PICTURES("throughput", OF(ber), "bler.csv"),
    PICTURES("timing", OF(timing), "timing.csv"),
    PICTURES("pareto", OF(timing), "pareto.csv"),
    PICTURES("channel", OF(channel), "channel.csv"),
    PICTURES("adaptation", OF(list), "envelope.csv"),
    {LTE_HTML_NAME, OF(report), NULL, LTE_HTML_START, NULL},
    {LTE_HTML_CONFORMANCE, OF(conformance), NULL, LTE_HTML_START, NULL},
    {LTE_CONFORMANCE_NAME, OF(conformance), NULL, LTE_CONFORMANCE_START, NULL},
    {LTE_ENVELOPE_NAME, OF(list), NULL, NULL, &lte_envelope_columns},
    {LTE_RUN_NAME, ANY, NULL, NULL, NULL},
    {"ber.csv", OF(ber), NULL, NULL, &lte_ber_columns},
    {"bler.csv", OF(ber), NULL, NULL, &lte_bler_columns},
    {LTE_BLOCKS_PART, OF(blocks), NULL, NULL, &lte_blocks_columns},
    {"blocks.csv", OF(blocks), NULL, NULL, &lte_blocks_columns},
    {"rate.csv", OF(ber), NULL, NULL, &lte_rate_columns},
    {"layers.csv", OF(ber), NULL, NULL, &lte_layers_columns},
    {"groups.csv", OF(ber), NULL, NULL, &lte_groups_columns},
    {"target.csv", OF(ber), NULL, NULL, &lte_target_columns},
    {"timing.csv", OF(timing), NULL, NULL, &lte_timing_columns},
    {"latency.csv", OF(timing), NULL, NULL, &lte_latency_columns},
    {"pareto.csv", OF(timing), NULL, NULL, &lte_pareto_columns},
    {"channel.csv", OF(channel), NULL, NULL, &lte_channel_columns},
    {"channel_grid.csv", OF(channel), NULL, NULL, &lte_channel_grid_columns},
    {LTE_JOURNAL_NAME, OF(ber), NULL, LTE_JOURNAL_ANY, NULL},
    {LTE_JOURNAL_OLD, OF(ber), NULL, LTE_JOURNAL_ANY, NULL},
    {LTE_BLOCKS_OLD, OF(ber), NULL, NULL, &lte_blocks_columns},
};
enum { N_FILES = sizeof files / sizeof *files, SOME_BYTES = 32768 };

/* Only a run of this program has this key. */
static const char json_mark[] = "\"snr_definition\": \"";

static bool exists(const char *dir, const char *name)
{
    char path[4096];
    struct stat info;
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return lstat(path, &info) == 0;
}

/* The first bytes of a file as a text; false with errno if they cannot be read. */
static bool read_start(const char *dir, const char *name, char text[SOME_BYTES + 1])
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    text[fread(text, 1, SOME_BYTES, file)] = '\0';
    const bool whole = !ferror(file);
    const int reason = errno;
    (void)fclose(file);
    errno = reason;
    return whole;
}

typedef enum { OTHERS, OURS, UNREADABLE } owner; /* the last one with errno */

static owner owner_of(const char *dir, int i)
{
    char text[SOME_BYTES + 1]; /* a scenario of 1000 points and 16 detectors fits */
    for (int k = 0; files[i].table && k < N_FILES; k++) {
        if (strcmp(files[k].name, files[i].table) == 0)
            return owner_of(dir, k);
    }
    if (!read_start(dir, files[i].name, text))
        return UNREADABLE;
    const bool ours = files[i].columns ? lte_csv_is_of(files[i].columns, text)
                      : files[i].start ? strncmp(text, files[i].start, strlen(files[i].start)) == 0
                                       : strstr(text, json_mark) != NULL;
    return ours ? OURS : OTHERS;
}

static bool is_ours(const char *dir, int i)
{
    return owner_of(dir, i) == OURS;
}

/* True if a file of this program's is there. */
static bool has(const char *dir, const char *name)
{
    for (int i = 0; i < N_FILES; i++) {
        if (strcmp(files[i].name, name) == 0)
            return exists(dir, name) && is_ours(dir, i);
    }
    return false;
}

static bool has_run(const char *dir)
{
    return has(dir, LTE_RUN_NAME) || has(dir, LTE_JOURNAL_NAME);
}

static bool is_wanted(const lte_results_files *wanted, int i)
{
    const bool any = wanted->ber || wanted->timing || wanted->channel || wanted->report;
    return (files[i].of == ANY ? any : *(const bool *)((const char *)wanted + files[i].of)) &&
           (!files[i].table || wanted->pictures);
}

lte_status lte_results_check(const char *dir, const lte_results_files *wanted)
{
    for (int i = 0; i < N_FILES; i++) {
        const owner whose =
            is_wanted(wanted, i) && exists(dir, files[i].name) ? owner_of(dir, i) : OURS;
        if (whose == UNREADABLE && errno != ENOENT)
            return LTE_FAIL(LTE_EIO, "%s/%s: %s", dir, files[i].name, strerror(errno));
        if (whose != OURS)
            return lte_refuse("result folder %s: %s exists and is not a result of ltesim; move it, "
                              "or name another folder with --out",
                              dir, files[i].name);
    }
    return LTE_OK;
}

enum { MOST_MCS = 100 };

/* The MCS of a folder's name; -1: it is none of a list. */
static int mcs_of(const char *name)
{
    const char *digits = name + 4;
    const size_t n = strlen(name);
    const bool is_one =
        strncmp(name, "mcs_", 4) == 0 && n > 4 && n < 7 && strspn(digits, "0123456789") == n - 4;
    return is_one ? (int)strtol(digits, NULL, 10) : -1;
}

lte_status lte_results_each_mcs(const char *dir, lte_results_mcs *take, void *user)
{
    char path[4096];
    bool there[MOST_MCS] = {false}; /* taken when the folder is read: take may remove it */
    DIR *folder = opendir(dir);
    const struct dirent *entry;
    lte_status status = LTE_OK;
    while (folder && (entry = readdir(folder)) != NULL) {
        const int mcs = mcs_of(entry->d_name);
        if (mcs >= 0)
            there[mcs] = true;
    }
    if (folder)
        (void)closedir(folder);
    for (int mcs = 0; mcs < MOST_MCS && !status; mcs++) {
        if (there[mcs] && snprintf(path, sizeof path, "%s/mcs_%d", dir, mcs) < (int)sizeof path &&
            has_run(path))
            status = take(path, mcs, user);
    }
    return status;
}

static lte_status note(const char *path, int mcs, void *user)
{
    (void)path;
    (void)mcs;
    *(bool *)user = true;
    return LTE_OK;
}

bool lte_results_has_list(const char *dir)
{
    bool list = has(dir, LTE_ENVELOPE_NAME);
    (void)lte_results_each_mcs(dir, note, &list);
    return list;
}

static bool has_run_file(const char *dir)
{
    char path[PATH_MAX + 32];
    return (size_t)snprintf(path, sizeof path, "%s/run.json", dir) < sizeof path &&
           access(path, F_OK) == 0;
}

typedef struct {
    int mcs[MOST_MCS], n;
} mcs_found;

static lte_status add_mcs(const char *path, int mcs, void *user)
{
    mcs_found *list = user;
    if (has_run_file(path))
        list->mcs[list->n++] = mcs;
    return LTE_OK;
}

lte_status lte_mcs_list(const char *dir, int **mcs, int *n)
{
    mcs_found list = {.n = 0};
    *mcs = NULL;
    *n = 0;
    if (has_run_file(dir))
        return LTE_OK;
    const lte_status status = lte_results_each_mcs(dir, add_mcs, &list);
    if (status || list.n == 0)
        return status;
    *mcs = malloc((size_t)list.n * sizeof **mcs);
    if (!*mcs)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the runs of %s", dir);
    memcpy(*mcs, list.mcs, (size_t)list.n * sizeof **mcs);
    *n = list.n;
    return LTE_OK;
}

lte_status lte_results_check_kind(const char *dir, lte_results_kind kind)
{
    const bool list = lte_results_has_list(dir);
    const char *other = kind != LTE_RESULTS_RUN && has_run(dir) ? "a single run"
                        : kind != LTE_RESULTS_LIST && list      ? "the runs of a list of MCS"
                        : kind != LTE_RESULTS_CONFORMANCE && has(dir, LTE_CONFORMANCE_NAME)
                            ? "results of --verify 3gpp"
                            : NULL;
    return other ? lte_refuse("%s: contains %s; choose another folder with --out, or remove it",
                              dir, other)
                 : LTE_OK;
}

lte_status lte_results_prepare(const char *dir, const lte_results_files *wanted,
                               lte_folder_lock *lock)
{
    lte_status status = lte_folder_make(dir);
    if (!status)
        status = lte_folder_take(dir, lock);
    if (!status)
        status = lte_folder_check(dir);
    return status ? status : lte_results_check(dir, wanted);
}

/* Gives a file another name, in the place of what has it. */
static lte_status rename_file(const char *dir, const char *from, const char *to)
{
    char old[4096], new[4096];
    (void)snprintf(old, sizeof old, "%s/%s", dir, from);
    (void)snprintf(new, sizeof new, "%s/%s", dir, to);
    if (rename(old, new) != 0 && errno != ENOENT)
        return LTE_FAIL(LTE_EIO, "%s: cannot be kept as %s: %s", old, to, strerror(errno));
    return LTE_OK;
}

lte_status lte_results_keep_unfinished(const char *dir)
{
    bool unfinished;
    (void)lte_journal_look_for_end(dir, &unfinished);
    if (!unfinished)
        return LTE_OK;
    lte_status status = has(dir, LTE_BLOCKS_PART) /* it comes first: no journal without it */
                            ? rename_file(dir, LTE_BLOCKS_PART, LTE_BLOCKS_OLD)
                            : lte_file_remove(dir, LTE_BLOCKS_OLD);
    return status ? status : rename_file(dir, LTE_JOURNAL_NAME, LTE_JOURNAL_OLD);
}

lte_status lte_results_clear(const char *dir, bool keep_journal, bool keep_blocks)
{
    lte_status status = lte_folder_check(dir);
    for (int i = 0; i < N_FILES && !status; i++) {
        if (strcmp(files[i].name, LTE_JOURNAL_OLD) == 0 ||
            strcmp(files[i].name, LTE_BLOCKS_OLD) == 0 || /* for their owner */
            (keep_journal && strcmp(files[i].name, LTE_JOURNAL_NAME) == 0) ||
            (keep_blocks && strcmp(files[i].name, LTE_BLOCKS_PART) == 0))
            continue;
        if (exists(dir, files[i].name) && is_ours(dir, i))
            status = lte_file_remove(dir, files[i].name);
    }
    return status;
}

/* Copies what a file name may have; true if nothing but spaces, quotes and brackets was lost. */
static bool append_plain(char *path, size_t most, const char *text)
{
    size_t n = strlen(path);
    bool kept = true;
    for (; *text; text++) {
        const bool plain = isalnum((unsigned char)*text) || strchr("._=+,-", *text);
        if (!plain && strchr(" \t\"()[]{};", *text))
            continue;
        kept = kept && plain && n < most;
        if (n < most)
            path[n++] = plain ? *text : '_';
    }
    path[n] = '\0';
    return kept;
}

void lte_results_default_folder(const char *scenario, const char *const *sets, int n_sets,
                                char *path, size_t size)
{
    enum { MOST = 200 };                   /* characters: a name may have 255 */
    uint64_t hash = 14695981039346656037u; /* FNV-1a of the overrides */
    bool kept = true;
    const int n = snprintf(path, size, "out/%s", scenario);
    const size_t length = (size_t)n < size ? (size_t)n : size - 1;
    const size_t most = length < MOST ? MOST : length;
    for (int i = 0; i < n_sets; i++) {
        kept = append_plain(path, most, "_") && append_plain(path, most, sets[i]) && kept;
        for (const char *c = sets[i]; *c; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    }
    if (!kept)
        (void)snprintf(path + strlen(path), size - strlen(path), "_%08x",
                       (unsigned)(hash ^ hash >> 32));
}
