/* A small file read whole. */
#include "sim/files/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/files/refuse.h"

enum { MOST_BYTES = 256 << 20 };

/* All size bytes into text; false if there are fewer. */
static bool read_all(int fd, char *text, size_t size)
{
    size_t used = 0;
    while (used < size) {
        const ssize_t n = read(fd, text + used, size - used);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        used += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static lte_status read_open(int fd, const char *path, char **text)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return LTE_FAIL(LTE_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode) || info.st_size > MOST_BYTES)
        return lte_refuse("%s: is not a file of at most 256 MB", path);
    const size_t size = (size_t)info.st_size;
    *text = calloc(size + 1, 1);
    if (!*text)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %s", path);
    errno = 0;
    if (!read_all(fd, *text, size))
        return LTE_FAIL(LTE_EIO, "%s: %s", path, errno ? strerror(errno) : "has become shorter");
    if (strlen(*text) != size)
        return lte_refuse("%s: is not a text", path);
    return LTE_OK;
}

lte_status lte_text_read(const char *dir, const char *name, char **text)
{
    char path[4400];
    *text = NULL;
    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        return lte_refuse("%.200s...: the name is too long", dir);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused below */
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return LTE_OK;
    if (fd < 0)
        return LTE_FAIL(LTE_EIO, "%s: %s", path, strerror(errno));
    const lte_status status = read_open(fd, path, text);
    (void)close(fd);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}
