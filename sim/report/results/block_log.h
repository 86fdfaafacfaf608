#ifndef LTE_SIM_REPORT_BLOCK_LOG_H
#define LTE_SIM_REPORT_BLOCK_LOG_H
/*
 * blocks.csv: a line for each transmission of a transport block, by csi and SNR, in slot order.
 *
 *     lte_block_log log = {0};
 *     lte_status status = lte_block_log_begin(&log, dir);
 *     sweep->listener = lte_block_log_listener(&log);         // then lines come by themselves
 *     status = lte_block_log_keep(&log, &mark);               // and the journal gets the mark
 *     status = lte_block_log_end(&log, dir, &sweeps, true);
 *     lte_block_log_close(&log);
 *
 * While a run goes on its lines are in blocks.part, which a journal tells the length and the
 * checksum of; what stands behind is not used. A run that is complete gives it its name; one that
 * is not leaves it to the run that goes on, and writes to blocks.csv the lines of slots that its
 * rows have counted.
 */

#include "sim/files/files.h"
#include "sim/jobs/sweep/sweep.h"

#define LTE_BLOCKS_PART "blocks.part"

/* How much of blocks.part counts. */
typedef struct {
    uint64_t bytes;
    uint32_t check; /* CRC-32 */
} lte_block_mark;

typedef struct {
    lte_file file; /* blocks.part; stream NULL: none */
    bool named;    /* it stands under its name */
    FILE *lines;   /* that are not in it yet; NULL: none */
    char *text;    /* these lines */
    size_t size;   /* of them */
    int n_lines;   /* of them */
    int csi, s;    /* point of the last line */
    bool unsorted; /* a line stands behind those of a later point, as where joined parts go on */
    lte_block_mark written;
    lte_status status; /* of what was written so far */
} lte_block_log;

/* Begins blocks.part with its head, under a name of its own until it is kept. Returns LTE_EIO. */
lte_status lte_block_log_begin(lte_block_log *log, const char *dir);

/*
 * Goes on with the blocks.part of a run that was interrupted, behind the lines that its sweeps have
 * merged; nothing is written before it is kept, so that the journal at hand holds until then.
 * Returns LTE_EINVAL if there is none or it is not what the mark says, LTE_EIO, LTE_ENOMEM.
 */
lte_status lte_block_log_resume(lte_block_log *log, const char *dir, const lte_sweeps *sweeps,
                                const lte_block_mark *mark);

/* What makes a sweep write to it. */
lte_sweep_listener lte_block_log_listener(lte_block_log *log);

/* Returns once all lines are on the disk, with their mark; LTE_EIO with the reason. */
lte_status lte_block_log_keep(lte_block_log *log, lte_block_mark *mark);

/*
 * Makes blocks.csv of what was kept; blocks.part may stay until the journal says that the run has
 * ended. Returns LTE_EIO, LTE_ENOMEM.
 */
lte_status lte_block_log_end(lte_block_log *log, const char *dir, const lte_sweeps *sweeps,
                             bool complete);

void lte_block_log_close(lte_block_log *log);

/* Parts of a run, in the order of their slots: folder, and what its journal says. */
typedef struct {
    const char *dir;
    lte_block_mark mark;
} lte_block_source;

/*
 * Adds the lines of all parts [n] that belong to what the rows of sweeps, to which the parts have
 * been joined, have counted. Returns LTE_EINVAL for a part that lacks them, LTE_EIO, LTE_ENOMEM.
 */
lte_status lte_block_log_join(lte_block_log *log, const lte_sweeps *sweeps,
                              const lte_block_source *sources, int n);

#endif
