#ifndef LTE_SIM_FILES_JOURNAL_H
#define LTE_SIM_FILES_JOURNAL_H
/*
 * A file of lines to which lines are added while a run goes on, and of which whatever reached the
 * disk can be used, however the run ended.
 *
 *     lte_journal journal = {0};
 *     lte_status status = lte_journal_begin(&journal, dir, "what this is");
 *     if (!status)
 *         status = lte_journal_put(&journal, "line");
 *     if (!status)
 *         status = lte_journal_keep(&journal);      // from here on it is there
 *     ... put and keep again ...
 *     lte_journal_close(&journal);
 *
 * A line ends with the CRC-32 of all that stands before it, so that lines that are damaged, missing
 * or in another order end what is used.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "phy/base/status.h"

#define LTE_JOURNAL_NAME "journal"
#define LTE_JOURNAL_ANY "ltesim journal "      /* of the first line, in any version, */
#define LTE_JOURNAL_START LTE_JOURNAL_ANY "3 " /* and in this one */
#define LTE_JOURNAL_DONE "done"                /* the last one of a run that came to its end */

typedef struct {
    FILE *stream;         /* NULL: none */
    uint32_t check;       /* CRC-32 of all lines */
    uint64_t bytes;       /* of all lines */
    bool named;           /* it stands under its name */
    char path[4096];      /* final name */
    char temporary[4160]; /* name until it is kept for the first time */
} lte_journal;

/*
 * Begins the journal of dir, which stands under its name, in the place of an earlier one, once it
 * is kept. Returns LTE_EIO with the reason.
 */
lte_status lte_journal_begin(lte_journal *journal, const char *dir, const char *what);

/* Adds a line, without line feeds of its own. */
lte_status lte_journal_put(lte_journal *journal, const char *line);

/* Returns once all lines are on the disk; LTE_EIO with the reason. */
lte_status lte_journal_keep(lte_journal *journal);

/* A journal that was never kept goes without a trace. */
void lte_journal_close(lte_journal *journal);

/* Takes a line; a status other than LTE_OK ends the reading. */
typedef lte_status lte_journal_take(const char *line, void *user);

/*
 * True if dir has a file that begins as a journal; if not, errno is what kept it from being read,
 * or 0.
 */
bool lte_journal_there(const char *dir);

/* Returns LTE_EINVAL if dir has no journal, LTE_EIO with the reason if that cannot be told. */
lte_status lte_journal_look(const char *dir);

/*
 * Hands over what the journal of dir is and then its lines, up to the first that is not whole.
 *
 *   what    NULL: a journal of any version is taken
 *   lost    out: bytes that could not be used
 *
 * Returns LTE_EINVAL if there is none, its first line is not whole or it is of another version,
 * LTE_EIO, LTE_ENOMEM, and what take returns.
 */
lte_status lte_journal_read(const char *dir, lte_journal_take *what, lte_journal_take *take,
                            void *user, uint64_t *lost);

/*
 * Whether the journal in dir, if there is one, is of a run that has not come to its end: its last
 * line is not LTE_JOURNAL_DONE. Returns what lte_journal_read does.
 */
lte_status lte_journal_look_for_end(const char *dir, bool *unfinished);

#endif
