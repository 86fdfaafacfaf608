/* Whole files, read and replaced. */
#include "tests/bench/tables/report.h"
#include "sim/files/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

lte_status bench_file_replace(const char *path, const char *text)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    lte_file file;
    if (!folder)
        return LTE_FAIL(LTE_ENOMEM, "no memory to write %s", path);
    lte_status status = lte_file_open(&file, folder, slash ? slash + 1 : path);
    if (!status) {
        (void)fputs(text, file.stream);
        status = lte_file_close(&file);
    }
    free(folder);
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
