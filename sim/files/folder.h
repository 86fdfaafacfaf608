#ifndef LTE_SIM_FILES_FOLDER_H
#define LTE_SIM_FILES_FOLDER_H
/*
 * A result folder, which belongs to one run at a time.
 *
 *     lte_folder_lock lock = {0};
 *     lte_status status = lte_folder_make(dir);
 *     if (!status)
 *         status = lte_folder_take(dir, &lock);   // fails while another run has it
 *     ...
 *     lte_folder_leave(&lock);
 */

#include <stdbool.h>

#include "phy/base/status.h"

/* Names that begin so are this program's for the time of a run. */
#define LTE_TEMPORARY ".ltesim-"

typedef struct {
    bool taken;
    int file;        /* open as long as it is taken */
    char path[4096]; /* of the lock file */
} lte_folder_lock;

/* Makes the folder at path with all above it. Returns LTE_EIO with the reason. */
lte_status lte_folder_make(const char *path);

/* Checks that files can be written into dir. Returns LTE_EIO with the reason. */
lte_status lte_folder_check(const char *dir);

/*
 * Takes the folder for this process, until lte_folder_leave or its end, however that comes; what an
 * earlier run that was killed has left half written is removed.
 *
 * Returns LTE_EIO if another run has it, naming that, or if the lock cannot be written. Whatever it
 * returns, lte_folder_leave is fine.
 */
lte_status lte_folder_take(const char *dir, lte_folder_lock *lock);

void lte_folder_leave(lte_folder_lock *lock);

/*
 * For who only reads dir, which may be on a medium that nobody can write: returns LTE_EIO if a run
 * has taken it, naming that.
 */
lte_status lte_folder_check_idle(const char *dir);

#endif
