/* Result folders: made, tried, and locked for one run. */
#include "sim/files/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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
    if (snprintf(path, sizeof path, "%s/" LTE_TEMPORARY "check-XXXXXX", dir) >= (int)sizeof path)
        return LTE_FAIL(LTE_EIO, "result folder %s: the name is too long", dir);
    const int fd = mkstemp(path);
    if (fd < 0)
        return LTE_FAIL(LTE_EIO, "result folder %s: %s", dir, strerror(errno));
    /* a full device takes the name but not the bytes */
    const char block[4096] = {0};
    errno = 0; /* stays so where a part is taken */
    const bool wrote = write(fd, block, sizeof block) == (ssize_t)sizeof block && fsync(fd) == 0;
    const int reason = errno ? errno : ENOSPC;
    (void)close(fd);
    (void)unlink(path);
    if (!wrote)
        return LTE_FAIL(LTE_EIO, "result folder %s: %s", dir, strerror(reason));
    return LTE_OK;
}

/* Who has the lock, as its file says: "pid 12 on host". */
static void read_owner(int file, char *text, size_t size)
{
    const ssize_t n = pread(file, text, size - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (!*text)
        (void)snprintf(text, size, "which has just started");
}

static bool write_owner(int file)
{
    char text[160], host[100] = "";
    (void)gethostname(host, sizeof host - 1);
    const int n = snprintf(text, sizeof text, "pid %ld on %s\n", (long)getpid(), host);
    errno = 0;
    return ftruncate(file, 0) == 0 && pwrite(file, text, (size_t)n, 0) == n;
}

/* True if the open file is the one at path: its owner may have removed it meanwhile. */
static bool is_at(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* Removes what begins with LTE_TEMPORARY, but for the lock. */
static void remove_rests(const char *dir, const char *lock)
{
    const char *name = strrchr(lock, '/') + 1;
    char path[4096 + 256];
    DIR *folder = opendir(dir);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, LTE_TEMPORARY, strlen(LTE_TEMPORARY)) != 0 ||
            strcmp(entry->d_name, name) == 0)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        (void)unlink(path);
    }
    if (folder)
        (void)closedir(folder);
}

lte_status lte_folder_take(const char *dir, lte_folder_lock *lock)
{
    char owner[160];
    bool locked = false;
    lock->taken = false;
    if (snprintf(lock->path, sizeof lock->path, "%s/" LTE_TEMPORARY "lock", dir) >=
        (int)sizeof lock->path)
        return LTE_FAIL(LTE_EIO, "result folder %s: the name is too long", dir);
    for (;;) {
        lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (lock->file < 0)
            return LTE_FAIL(LTE_EIO, "result folder %s: %s", dir, strerror(errno));
        locked = flock(lock->file, LOCK_EX | LOCK_NB) == 0;
        if (!locked && errno != EWOULDBLOCK)
            break; /* the file system knows no locks: then there is none */
        if (!locked) {
            read_owner(lock->file, owner, sizeof owner);
            (void)close(lock->file);
            return LTE_FAIL(LTE_EIO,
                            "result folder %s: another run, %s, is writing to it; choose another "
                            "folder with --out",
                            dir, owner);
        }
        if (is_at(lock->file, lock->path))
            break;
        (void)close(lock->file);
    }
    lock->taken = true;
    if (!write_owner(lock->file)) {
        const int reason = errno ? errno : ENOSPC;
        lte_folder_leave(lock);
        return LTE_FAIL(LTE_EIO, "result folder %s: %s", dir, strerror(reason));
    }
    if (locked)
        remove_rests(dir, lock->path);
    return LTE_OK;
}

void lte_folder_leave(lte_folder_lock *lock)
{
    if (!lock->taken)
        return;
    (void)unlink(lock->path);
    (void)close(lock->file);
    lock->taken = false;
}

lte_status lte_folder_check_idle(const char *dir)
{
    char path[4096], owner[160];
    if (snprintf(path, sizeof path, "%s/" LTE_TEMPORARY "lock", dir) >= (int)sizeof path)
        return LTE_FAIL(LTE_EIO, "result folder %s: the name is too long", dir);
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return LTE_OK; /* nobody's, or whoever reads on says what is wrong with the folder */
    const bool taken = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    read_owner(file, owner, sizeof owner);
    (void)close(file);
    return taken ? LTE_FAIL(LTE_EIO, "result folder %s: a run, %s, is still writing to it", dir,
                            owner)
                 : LTE_OK;
}
