/* Result files, written beside their names and renamed when they are whole. */
#include "sim/files/files.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

lte_status lte_folder_make(const char *path)
{
    char part[4096];
    const size_t length = strlen(path);
    struct stat info;
    if (length == 0 || length >= sizeof part)
        return LTE_FAIL(LTE_EIO, "result folder: the name is empty or too long");
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return LTE_FAIL(LTE_EIO, "result folder %s: %s", path, strerror(errno));
    }
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return LTE_FAIL(LTE_EIO, "result folder %s: not a folder", path);
    return LTE_OK;
}

lte_status lte_folder_check(const char *dir)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/.check-XXXXXX", dir) >= (int)sizeof path)
        return LTE_FAIL(LTE_EIO, "result folder %s: the name is too long", dir);
    const int fd = mkstemp(path);
    if (fd < 0)
        return LTE_FAIL(LTE_EIO, "result folder %s: %s", dir, strerror(errno));
    /* a full device takes the name but not the bytes */
    const char block[4096] = {0};
    const int wrote = write(fd, block, sizeof block) == (ssize_t)sizeof block && fsync(fd) == 0;
    const int reason = errno;
    (void)close(fd);
    (void)unlink(path);
    if (!wrote)
        return LTE_FAIL(LTE_EIO, "result folder %s: %s", dir, strerror(reason));
    return LTE_OK;
}

lte_status lte_file_remove(const char *dir, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    if (unlink(path) != 0 && errno != ENOENT)
        return LTE_FAIL(LTE_EIO, "%s: cannot be removed: %s", path, strerror(errno));
    return LTE_OK;
}

lte_status lte_file_open(lte_file *file, const char *dir, const char *name)
{
    file->stream = NULL;
    if (snprintf(file->path, sizeof file->path, "%s/%s", dir, name) >= (int)sizeof file->path)
        return LTE_FAIL(LTE_EIO, "%s/%s: the name is too long", dir, name);
    (void)snprintf(file->temporary, sizeof file->temporary, "%s.tmp", file->path);
    file->stream = fopen(file->temporary, "w");
    if (!file->stream)
        return LTE_FAIL(LTE_EIO, "%s: %s", file->temporary, strerror(errno));
    return LTE_OK;
}

lte_status lte_file_close(lte_file *file)
{
    errno = 0;
    int failed = ferror(file->stream) != 0;
    failed = fflush(file->stream) != 0 || failed;
    failed = fsync(fileno(file->stream)) != 0 || failed;
    failed = fclose(file->stream) != 0 || failed;
    if (!failed && rename(file->temporary, file->path) == 0)
        return LTE_OK;
    const int reason = errno;
    (void)unlink(file->temporary);
    return LTE_FAIL(LTE_EIO, "%s: %s", file->path, reason ? strerror(reason) : "write failed");
}

void lte_put_real(FILE *out, double x, const char *end)
{
    if (isfinite(x))
        (void)fprintf(out, "%.6e", x);
    (void)fputs(end, out);
}
