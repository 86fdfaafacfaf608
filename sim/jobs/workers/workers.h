#ifndef LTE_SIM_JOBS_WORKERS_H
#define LTE_SIM_JOBS_WORKERS_H
/*
 * Workers of a sweep: each counts the errors of one chunk of slots at a time. An engine is one; a
 * thread of its own or another machine needs a table of functions beside the engine's, and the
 * sweep stays as it is.
 *
 *     lte_chunk chunk = {.n_counts = n_counts, .place = place, .detector = detector, .tally = {.cut
 *     = cut}}; lte_worker worker = lte_worker_of(backend, engine);
 *     lte_status status = lte_chunk_alloc(&worker, n_slots, n_detectors, &chunk);
 *     ... point, first, n_slots, noise, detectors ...
 *     status = lte_tally_begin(&chunk.tally, n_detectors, first, n_slots);
 *     status = worker.kind->start(&worker, &chunk);
 *     status = worker.kind->wait(&worker);
 *     status = lte_chunk_sum(&chunk); // now the tally is there
 *     lte_chunk_free(&worker, &chunk);
 */

#include "kernels/backends/backend.h"
#include "sim/jobs/workers/tally.h"

typedef enum {
    LTE_CHUNK_FREE,  /* its memory waits for work */
    LTE_CHUNK_OUT,   /* a worker has it */
    LTE_CHUNK_DONE,  /* counted, and not merged yet */
    LTE_CHUNK_FAILED /* its worker failed */
} lte_chunk_state;

/* Slots first .. first + n_slots - 1 of an SNR point, for the detectors that ran when planned. */
typedef struct lte_chunk {
    int point; /* place among the SNR points of the sweep */
    uint64_t first;
    int n_slots;
    lte_noise noise;
    int n_counts;
    int n_detectors;
    int *place;               /* [n_detectors] among the detectors of the sweep, ascending; */
    lte_detector *detector;   /* [n_detectors], in memory of the sweep, as place */
    lte_tally tally;          /* out, of a worker that sums; begun when the chunk is handed out */
    lte_power *power;         /* [n_slots] out, of one that does not: else NULL, with */
    uint32_t *errors;         /* [n_slots][n_detectors][n_counts] out */
    lte_chunk_state state;    /* the sweep's, with */
    uint64_t order;           /* chunks that were handed out before */
    struct lte_chunk *behind; /* with the slots that follow its own, of the same point */
} lte_chunk;

typedef struct lte_worker lte_worker;

/* What a worker of some kind does. */
typedef struct {
    /*
     * Memory of power and errors of a chunk, whose n_counts is known, for so many slots and
     * detectors; NULL, like free, for a worker that sums.
     * Returns LTE_ENOMEM; free takes what it left then, and a chunk that never had any.
     */
    lte_status (*alloc)(lte_worker *self, int n_slots, int n_detectors, lte_chunk *chunk);
    void (*free)(lte_worker *self, lte_chunk *chunk);

    /*
     * Begins a chunk, which stays as it is until wait has returned for it: up to depth of them,
     * counted in their order.
     */
    lte_status (*start)(lte_worker *self, lte_chunk *chunk);

    /* True if wait would return at once; false if not, or if the worker cannot tell. */
    bool (*is_done)(lte_worker *self);

    /*
     * Returns once the chunk that was started first of those begun has been counted, or has failed.
     */
    lte_status (*wait)(lte_worker *self);
} lte_worker_kind;

struct lte_worker {
    const lte_worker_kind *kind;
    bool ahead;                 /* start returns before its work is done */
    bool tells;                 /* is_done does become true: such workers wait for no other */
    int depth;                  /* chunks begun at a time, at most 2; 0 is 1 */
    int fewest, most;           /* slots of a chunk: that keep it busy, and that it can take; wait
                                   may change the latter */
    const lte_backend *backend; /* of an engine; other kinds leave it out */
    void *state;                /* the kind's own: the engine, not owned */
};

/* Chunks that a worker may have begun. */
static inline int lte_worker_depth(const lte_worker *worker)
{
    return worker->depth > 1 ? worker->depth : 1;
}

/* The worker that an engine is. */
lte_worker lte_worker_of(const lte_backend *backend, lte_engine *engine);

/*
 * A pause for who has looked so many times in a row and found no worker done: short at first, and
 * never long for workers, which have their next chunk at hand.
 */
void lte_workers_pause(int looks);

/* Memory of a worker's own for a chunk of so many slots and detectors, if it needs any. */
lte_status lte_chunk_alloc(lte_worker *worker, int n_slots, int n_detectors, lte_chunk *chunk);
void lte_chunk_free(lte_worker *worker, lte_chunk *chunk);

/* Sums a chunk that has been counted, if its worker has not. Returns what lte_tally_add does. */
lte_status lte_chunk_sum(lte_chunk *chunk);

#endif
