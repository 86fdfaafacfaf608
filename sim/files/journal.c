/* Journals: lines with a running checksum. */
#include "sim/files/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/files/files.h"
#include "sim/files/text.h"

/* The checksum of a line of n characters and its line feed, going on from crc. */
static uint32_t check_line(uint32_t crc, const char *line, size_t n)
{
    return lte_text_check(lte_text_check(crc, line, n), "\n", 1);
}

static lte_status fail(const lte_journal *journal, int reason)
{
    return LTE_FAIL(LTE_EIO, "%s: %s", journal->path, reason ? strerror(reason) : "write failed");
}

lte_status lte_journal_begin(lte_journal *journal, const char *dir, const char *what)
{
    lte_file file;
    lte_journal_close(journal);
    const lte_status status = lte_file_open(&file, dir, LTE_JOURNAL_NAME);
    if (status)
        return status;
    *journal = (lte_journal){.stream = file.stream};
    memcpy(journal->path, file.path, sizeof file.path);
    memcpy(journal->temporary, file.temporary, sizeof file.temporary);
    const size_t size = strlen(LTE_JOURNAL_START) + strlen(what) + 1;
    char *line = malloc(size);
    if (!line)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the journal");
    (void)snprintf(line, size, "%s%s", LTE_JOURNAL_START, what);
    const lte_status put = lte_journal_put(journal, line);
    free(line);
    return put;
}

lte_status lte_journal_put(lte_journal *journal, const char *line)
{
    const size_t n = strlen(line);
    journal->check = check_line(journal->check, line, n);
    errno = 0;
    const int written = fprintf(journal->stream, "%s %08x\n", line, (unsigned)journal->check);
    if (written < 0)
        return fail(journal, errno);
    journal->bytes += (uint64_t)written;
    return LTE_OK;
}

lte_status lte_journal_keep(lte_journal *journal)
{
    errno = 0;
    if (fflush(journal->stream) != 0 || fsync(fileno(journal->stream)) != 0 ||
        (!journal->named && rename(journal->temporary, journal->path) != 0))
        return fail(journal, errno);
    journal->named = true;
    struct stat info;
    if (fstat(fileno(journal->stream), &info) == 0 && info.st_nlink == 0)
        return fail(journal, ENOENT); /* removed since: nobody would find it */
    return LTE_OK;
}

void lte_journal_close(lte_journal *journal)
{
    if (!journal->stream)
        return;
    (void)fclose(journal->stream);
    if (!journal->named)
        (void)unlink(journal->temporary);
    journal->stream = NULL;
}

static FILE *open_journal(const char *dir)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/" LTE_JOURNAL_NAME, dir) >= (int)sizeof path)
        return NULL;
    return fopen(path, "rb");
}

bool lte_journal_there(const char *dir)
{
    char start[sizeof LTE_JOURNAL_ANY] = "";
    errno = 0;
    FILE *file = open_journal(dir);
    if (!file)
        return false;
    const bool there = fgets(start, sizeof start, file) && strcmp(start, LTE_JOURNAL_ANY) == 0;
    const int reason = errno;
    (void)fclose(file);
    errno = reason;
    return there;
}

/* There is none, or else errno says why nobody knows. */
static lte_status fail_without(const char *dir)
{
    if (errno == 0 || errno == ENOENT || errno == ENOTDIR)
        return LTE_FAIL(LTE_EINVAL, "%s has no journal, so there is nothing to resume", dir);
    return LTE_FAIL(LTE_EIO, "%s/" LTE_JOURNAL_NAME " cannot be read: %s", dir, strerror(errno));
}

lte_status lte_journal_look(const char *dir)
{
    return lte_journal_there(dir) ? LTE_OK : fail_without(dir);
}

/* Cuts the checksum off a line of n characters; false if that is not the right one. */
static bool is_whole(char *line, size_t n, uint32_t *check)
{
    enum { TAIL = 10 }; /* a space, eight digits and the line feed */
    char digits[9];
    if (n < TAIL || line[n - 1] != '\n' || line[n - TAIL] != ' ' || strlen(line) != n)
        return false;
    *check = check_line(*check, line, n - TAIL);
    (void)snprintf(digits, sizeof digits, "%08x", (unsigned)*check);
    const bool same = strncmp(digits, line + n - TAIL + 1, 8) == 0;
    line[n - TAIL] = '\0';
    return same;
}

/* The status of a first line that is whole; what: NULL for any version. */
static lte_status take_first(const char *dir, const char *line, lte_journal_take *what, void *user)
{
    const size_t skip = strlen(LTE_JOURNAL_START);
    if (strncmp(line, LTE_JOURNAL_ANY, strlen(LTE_JOURNAL_ANY)) != 0)
        return LTE_FAIL(LTE_EINVAL,
                        "%s/" LTE_JOURNAL_NAME " cannot be used: its first line is damaged", dir);
    if (!what)
        return LTE_OK;
    return strncmp(line, LTE_JOURNAL_START, skip) == 0
               ? what(line + skip, user)
               : LTE_FAIL(LTE_EINVAL,
                          "%s/" LTE_JOURNAL_NAME " cannot be used: another version of ltesim wrote "
                          "it, with other counts",
                          dir);
}

lte_status lte_journal_read(const char *dir, lte_journal_take *what, lte_journal_take *take,
                            void *user, uint64_t *lost)
{
    lte_status status = LTE_OK;
    uint32_t check = 0;
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    bool whole = true, first = true;
    errno = 0;
    FILE *file = open_journal(dir);
    *lost = 0;
    if (!file)
        return fail_without(dir);
    while (!status && (n = getline(&line, &size, file)) >= 0) {
        whole = whole && is_whole(line, (size_t)n, &check);
        if (first)
            status = take_first(dir, whole ? line : "", what, user);
        else if (whole)
            status = take(line, user);
        else
            *lost += (uint64_t)n;
        first = false;
    }
    if (!status && !feof(file)) /* no memory for a line, too */
        status = fail_without(dir);
    else if (!status && first)
        status = LTE_FAIL(LTE_EINVAL, "%s/" LTE_JOURNAL_NAME " is empty", dir);
    free(line);
    (void)fclose(file);
    return status;
}

static lte_status look_for_end(const char *line, void *user)
{
    bool *ended = user;
    *ended = strcmp(line, LTE_JOURNAL_DONE) == 0;
    return LTE_OK;
}

lte_status lte_journal_look_for_end(const char *dir, bool *unfinished)
{
    bool ended = false;
    uint64_t lost;
    *unfinished = false;
    if (!lte_journal_there(dir))
        return LTE_OK;
    const lte_status status = lte_journal_read(dir, NULL, look_for_end, &ended, &lost);
    *unfinished = !status && !ended;
    return status;
}
