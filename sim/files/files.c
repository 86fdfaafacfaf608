/* Result files, written beside their names and renamed when they are whole. */
#include "sim/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/files/folder.h"

lte_status lte_file_remove(const char *dir, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    if (unlink(path) != 0 && errno != ENOENT)
        return LTE_FAIL(LTE_EIO, "%s: cannot be removed: %s", path, strerror(errno));
    return LTE_OK;
}

int lte_file_temporary(const char *dir, const char *name, char *path, size_t size)
{
    return snprintf(path, size, "%s/" LTE_TEMPORARY "%ld-%s", dir, (long)getpid(), name);
}

lte_status lte_file_open(lte_file *file, const char *dir, const char *name)
{
    file->stream = NULL;
    if (snprintf(file->path, sizeof file->path, "%s/%s", dir, name) >= (int)sizeof file->path)
        return LTE_FAIL(LTE_EIO, "%s/%s: the name is too long", dir, name);
    (void)lte_file_temporary(dir, name, file->temporary, sizeof file->temporary);
    (void)unlink(file->temporary); /* of an earlier process with this number */
    const int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    file->stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (file->stream)
        return LTE_OK;
    const int reason = errno;
    if (fd >= 0) {
        (void)close(fd);
        (void)unlink(file->temporary);
    }
    return LTE_FAIL(LTE_EIO, "%s: %s", file->path, strerror(reason));
}

/* Sets errno to what keeps a file from being written on: a write that failed earlier has left none
 * that is still known. */
static void ask_reason(int fd)
{
    static const char block[4096];
    ssize_t n;
    do
        n = write(fd, block, sizeof block);
    while (n > 0 && n < (ssize_t)sizeof block); /* a full disk takes what still fits */
    if (n > 0)
        errno = 0;
}

lte_status lte_file_close(lte_file *file)
{
    errno = 0;
    int failed = ferror(file->stream) != 0;
    if (failed)
        ask_reason(fileno(file->stream));
    failed = fflush(file->stream) != 0 || failed;
    failed = fsync(fileno(file->stream)) != 0 || failed;
    failed = fclose(file->stream) != 0 || failed;
    if (!failed && rename(file->temporary, file->path) == 0)
        return LTE_OK;
    const int reason = errno;
    (void)unlink(file->temporary);
    return LTE_FAIL(LTE_EIO, "%s: %s", file->path, reason ? strerror(reason) : "write failed");
}

void lte_file_drop(lte_file *file)
{
    (void)fclose(file->stream);
    (void)unlink(file->temporary);
}

void lte_put_real(FILE *out, double x, const char *end)
{
    if (isfinite(x))
        (void)fprintf(out, "%.6e", x);
    (void)fputs(end, out);
}
