#ifndef LTE_SIM_JOBS_SWEEP_PARTS_H
#define LTE_SIM_JOBS_SWEEP_PARTS_H
/*
 * What the files of a running sweep share: sweep_plan.c says which slots come next, sweep_merge.c
 * adds their counts to the rows, sweep_run.c hands chunks to workers. Where a sweep stands is in
 * its rows alone: what is handed out can be lost, and is planned again.
 */

#include "sim/files/walk.h"
#include "sim/jobs/sweep/sweep.h"

/* The chunks that are handed out or done of a point that runs, in slot order. */
typedef struct {
    lte_chunk *first, *last; /* NULL: none; first goes on where the rows stand */
    uint64_t done;           /* slots of those that are done */
} lte_queue;

/* The chunks of a run: no two have a slot of a point in common. */
typedef struct {
    lte_chunk *chunks;
    int n;            /* chunks, free ones too */
    int n_workers;    /* that share the work */
    int most_rounds;  /* of a chunk, for what memory its sums take */
    lte_queue *point; /* [n_snr] */
} lte_window;

static inline lte_row *lte_row_of(lte_sweep *sweep, int d, int s)
{
    return &sweep->rows[(ptrdiff_t)d * sweep->n_snr + s];
}

/* Detector d > 0 against the first one. */
static inline lte_pair *lte_pair_of(lte_sweep *sweep, int d, int s)
{
    return &sweep->pairs[(ptrdiff_t)s * (sweep->n_detectors - 1) + d - 1];
}

/* Of transport blocks: what a row's errors are counted of, from its other sums. */
void lte_sweep_count_blocks(const lte_sweep *sweep, lte_row *row);

/* Their sums in a line. */
void lte_walk_harq(lte_walk *w, lte_tally_harq *harq);
void lte_walk_paired(lte_walk *w, lte_paired_count *count);

/* The closed form of a detector at an SNR, if the sweep's channel has one. */
lte_status lte_sweep_theory(const lte_sweep *sweep, lte_detector detector, double snr_db,
                            lte_ber_theory *theory);

/* True if a row of point s has not ended. */
bool lte_sweep_runs(const lte_sweep *sweep, int s);

/* Points that have ended and need no start have rows, too: those that follow the last started. */
static inline void lte_sweep_pass_ended(lte_sweep *sweep)
{
    while (sweep->n_started < sweep->n_points && !lte_sweep_runs(sweep, sweep->n_started))
        sweep->n_started++;
}

/* From here on point s has rows. */
static inline void lte_sweep_start(lte_sweep *sweep, int s)
{
    if (sweep->n_started <= s)
        sweep->n_started = s + 1;
    lte_sweep_pass_ended(sweep);
}

/* Where the running rows of point s stand: the first slot that they have not merged. */
uint64_t lte_sweep_merged(const lte_sweep *sweep, int s);

/* Where the round that a slot belongs to ends. */
uint64_t lte_sweep_round_end(const lte_sweep *sweep, uint64_t slot);

/*
 * Merges the records of a chunk; what lies beyond the end of a row is not counted. It is the next
 * one of its point: chunk->first is lte_sweep_merged.
 */
void lte_sweep_merge(lte_sweep *sweep, const lte_chunk *chunk);

/*
 * Makes the round of a line (lte_sweep_put_rounds) the one at hand, which is then that from slot
 * *slot on of point *point. Returns LTE_EINVAL for a line that no sweep of this scenario can have
 * written.
 */
lte_status lte_sweep_read_round(lte_sweep *sweep, const char *line, int *point, uint64_t *slot);

/* Makes the round at hand an empty one. */
void lte_sweep_forget_round(lte_sweep *sweep);

/* Keeps the line of the round at hand, from slot `from` on of point s, of a part. */
void lte_sweep_keep_round(lte_sweep *sweep, int s, uint64_t from);

/* Gives a time to the rows that a chunk has counts of, in equal parts. */
void lte_sweep_charge(lte_sweep *sweep, const lte_chunk *chunk, double seconds);

/*
 * Plans a chunk for a worker: the first slots that no chunk of the window has and that will
 * probably be wanted. Sets what a worker reads of the chunk, and is the last of its point's queue
 * then; false if nothing is left to do.
 */
bool lte_sweep_plan(const lte_sweep *sweep, lte_window *window, const lte_worker *worker,
                    lte_chunk *chunk);

#endif
