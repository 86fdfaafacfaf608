/* Whole files, read and replaced. */
#include "tests/bench/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

lte_status bench_file_replace(const char *path, const char *text)
{
    lte_status status = LTE_OK;
    char *name = NULL;
    FILE *file = NULL;
    if (asprintf(&name, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return LTE_FAIL(LTE_ENOMEM, "no memory to write %s", path);
    file = fopen(name, "w");
    bool written = file && fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (file && fclose(file) != 0)
        written = false;
    if (!written || rename(name, path) != 0) {
        status = LTE_FAIL(LTE_EIO, "%s cannot be written: %s", path, strerror(errno));
        (void)unlink(name);
    }
    free(name);
    return status;
}

lte_status bench_file_read(const char *path, char **text)
{
    size_t size = 0;
    *text = NULL;
    FILE *file = fopen(path, "r");
    if (!file)
        return LTE_FAIL(LTE_EIO, "%s cannot be read: %s", path, strerror(errno));
    const ssize_t length = getdelim(text, &size, '\0', file);
    const bool failed = ferror(file) != 0;
    (void)fclose(file);
    if (failed || length < 0) {
        free(*text);
        *text = NULL;
        return LTE_FAIL(LTE_EIO, "%s cannot be read or is empty", path);
    }
    return LTE_OK;
}
