/* Text in memory. */
#include "sim/files/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/files/refuse.h"

enum { MOST_BYTES = 256 << 20 };

uint32_t lte_text_check(uint32_t crc, const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= byte[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

bool lte_read_all(int fd, void *bytes, size_t n)
{
    char *at = bytes;
    while (n > 0) {
        const ssize_t got = read(fd, at, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = 0;
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

size_t lte_text_character(const char *text, size_t n)
{
    static const unsigned smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    const size_t length = byte[0] < 0x80    ? 1
                          : byte[0] < 0xc2  ? 0
                          : byte[0] < 0xe0  ? 2
                          : byte[0] < 0xf0  ? 3
                          : byte[0] <= 0xf4 ? 4
                                            : 0;
    if (length == 0 || length > n)
        return 0;
    unsigned code = length == 1 ? byte[0] : byte[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0U) != 0x80U)
            return 0;
        code = code << 6 | (byte[i] & 0x3fU);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < smallest[length] || surrogate || code > 0x10ffff ? 0 : length;
}

char *lte_text_end(FILE *out, char **text, bool good)
{
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed && good)
        return *text;
    free(*text);
    *text = NULL;
    return NULL;
}

static lte_status read_open(int fd, const char *path, char **text)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return LTE_FAIL(LTE_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode) || info.st_size > MOST_BYTES)
        return lte_refuse("%s: must be a regular file of at most 256 MB", path);
    const size_t size = (size_t)info.st_size;
    *text = calloc(size + 1, 1);
    if (!*text)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %s", path);
    if (!lte_read_all(fd, *text, size))
        return LTE_FAIL(LTE_EIO, "%s: %s", path,
                        errno ? strerror(errno) : "the file became shorter while it was read");
    if (strlen(*text) != size)
        return lte_refuse("%s: is not a text file", path);
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
