/* Whose the files of a result folder are. */
#include "sim/report/results/results_folder.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/files/files.h"
#include "sim/files/journal.h"
#include "sim/report/results/results.h"

typedef enum { JOB_ANY, JOB_BER, JOB_TIMING, JOB_CHANNEL, JOB_REPORT } job;

/* In the order in which they are removed: a picture before the table that tells whose it is. */
static const struct {
    const char *name;
    job job;
    const char *table;          /* of a picture: what it is drawn from */
    const char *start;          /* of another file: how it begins */
    const lte_columns *columns; /* of a table */
} files[] = {
    {"ber.svg", JOB_BER, "ber.csv", NULL, NULL},
    {"ber.png", JOB_BER, "ber.csv", NULL, NULL},
    {"rate.svg", JOB_BER, "ber.csv", NULL, NULL},
    {"rate.png", JOB_BER, "ber.csv", NULL, NULL},
    {"bler.svg", JOB_BER, "bler.csv", NULL, NULL},
    {"bler.png", JOB_BER, "bler.csv", NULL, NULL},
    {"throughput.svg", JOB_BER, "bler.csv", NULL, NULL},
    {"throughput.png", JOB_BER, "bler.csv", NULL, NULL},
    {"timing.svg", JOB_TIMING, "timing.csv", NULL, NULL},
    {"timing.png", JOB_TIMING, "timing.csv", NULL, NULL},
    {"channel.svg", JOB_CHANNEL, "channel.csv", NULL, NULL},
    {"channel.png", JOB_CHANNEL, "channel.csv", NULL, NULL},
    {LTE_HTML_NAME, JOB_REPORT, NULL, LTE_HTML_START, NULL},
    {"run.json", JOB_ANY, NULL, NULL, NULL},
    {"ber.csv", JOB_BER, NULL, NULL, &lte_ber_columns},
    {"bler.csv", JOB_BER, NULL, NULL, &lte_bler_columns},
    {"rate.csv", JOB_BER, NULL, NULL, &lte_rate_columns},
    {"layers.csv", JOB_BER, NULL, NULL, &lte_layers_columns},
    {"groups.csv", JOB_BER, NULL, NULL, &lte_groups_columns},
    {"target.csv", JOB_BER, NULL, NULL, &lte_target_columns},
    {"timing.csv", JOB_TIMING, NULL, NULL, &lte_timing_columns},
    {"latency.csv", JOB_TIMING, NULL, NULL, &lte_latency_columns},
    {"channel.csv", JOB_CHANNEL, NULL, NULL, &lte_channel_columns},
    {"channel_grid.csv", JOB_CHANNEL, NULL, NULL, &lte_channel_grid_columns},
    {LTE_JOURNAL_NAME, JOB_BER, NULL, LTE_JOURNAL_START, NULL},
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

/* The first bytes of a file as a text; false if there is none. */
static bool read_start(const char *dir, const char *name, char text[SOME_BYTES + 1])
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    text[fread(text, 1, SOME_BYTES, file)] = '\0';
    (void)fclose(file);
    return true;
}

static bool is_ours(const char *dir, int i)
{
    char text[SOME_BYTES + 1]; /* a scenario of 1000 points and 16 detectors fits */
    for (int k = 0; files[i].table && k < N_FILES; k++) {
        if (strcmp(files[k].name, files[i].table) == 0)
            return is_ours(dir, k);
    }
    if (!read_start(dir, files[i].name, text))
        return false;
    if (files[i].columns)
        return lte_csv_columns(files[i].columns, text) > 0;
    if (files[i].start)
        return strncmp(text, files[i].start, strlen(files[i].start)) == 0;
    return strstr(text, json_mark) != NULL;
}

static bool is_wanted(const lte_results_files *wanted, int i)
{
    if (files[i].table && !wanted->pictures)
        return false;
    switch (files[i].job) {
    case JOB_BER:
        return wanted->ber;
    case JOB_TIMING:
        return wanted->timing;
    case JOB_CHANNEL:
        return wanted->channel;
    case JOB_REPORT:
        return wanted->report;
    default:
        return true;
    }
}

/* Refuses to overwrite what is somebody else's. */
static lte_status check_files(const char *dir, const lte_results_files *wanted)
{
    for (int i = 0; i < N_FILES; i++) {
        if (is_wanted(wanted, i) && exists(dir, files[i].name) && !is_ours(dir, i))
            return LTE_FAIL(LTE_EIO,
                            "result folder %s: %s exists and is not a result of ltesim; move it, "
                            "or name another folder with --out",
                            dir, files[i].name);
    }
    return LTE_OK;
}

lte_status lte_results_check_report(const char *dir)
{
    return check_files(dir, &(lte_results_files){.report = true});
}

lte_status lte_results_prepare(const char *dir, const lte_results_files *wanted,
                               lte_folder_lock *lock)
{
    lte_status status = lte_folder_make(dir);
    if (!status)
        status = lte_folder_take(dir, lock);
    if (!status)
        status = lte_folder_check(dir);
    return status ? status : check_files(dir, wanted);
}

lte_status lte_results_clear(const char *dir, bool keep_journal)
{
    lte_status status = lte_folder_check(dir);
    for (int i = 0; i < N_FILES && !status; i++) {
        if (keep_journal && strcmp(files[i].name, LTE_JOURNAL_NAME) == 0)
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
