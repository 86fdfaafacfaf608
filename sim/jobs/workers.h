#ifndef LTE_SIM_JOBS_WORKERS_H
#define LTE_SIM_JOBS_WORKERS_H
/*
 * Workers of a sweep: each counts the errors of one chunk of slots at a time. An engine is one; a
 * thread of its own or another machine needs a table of functions beside the engine's, and the
 * sweep stays as it is.
 *
 *     lte_chunk chunk = {.n_tx = n_tx, .place = place, .detector = detector};
 *     lte_worker worker = lte_worker_of(backend, engine);
 *     lte_status status = worker.kind->alloc(&worker, n_slots, n_detectors, &chunk);
 *     ... point, first, n_slots, noise, detectors ...
 *     status = worker.kind->start(&worker, &chunk);
 *     status = worker.kind->wait(&worker);    // now power and errors are there
 *     worker.kind->free(&worker, &chunk);
 */

#include "kernels/backends/backend.h"

typedef enum {
    LTE_CHUNK_FREE,  /* its memory waits for work */
    LTE_CHUNK_OUT,   /* a worker has it */
    LTE_CHUNK_DONE,  /* counted, and not merged yet */
    LTE_CHUNK_FAILED /* its worker failed */
} lte_chunk_state;

/* Slots first .. first + n_slots - 1 of an SNR point, for the detectors that ran when planned. */
typedef struct {
    int point; /* place among the SNR points of the sweep */
    uint64_t first;
    int n_slots;
    lte_noise noise;
    int n_tx;
    int n_detectors;
    int *place;            /* [n_detectors] among the detectors of the sweep, ascending; */
    int *detector;         /* [n_detectors] LTE_DETECTOR_*: in memory of the sweep, as place */
    lte_power *power;      /* [n_slots] out */
    uint32_t *errors;      /* [n_slots][n_detectors][LTE_N_COUNTS(n_tx)] out */
    lte_chunk_state state; /* the sweep's, with */
    uint64_t order;        /* chunks that were handed out before */
} lte_chunk;

typedef struct lte_worker lte_worker;

/* What a worker of some kind does. */
typedef struct {
    /*
     * Memory of power and errors of a chunk, whose n_tx is known, for so many slots and detectors.
     * Returns LTE_ENOMEM; free takes what it left then, and a chunk that never had any.
     */
    lte_status (*alloc)(lte_worker *self, int n_slots, int n_detectors, lte_chunk *chunk);
    void (*free)(lte_worker *self, lte_chunk *chunk);

    /*
     * Begins a chunk, which stays as it is until wait has returned for it: up to depth of them,
     * counted in their order.
     */
    lte_status (*start)(lte_worker *self, const lte_chunk *chunk);

    /* True if wait would return at once; false if not, or if the worker cannot tell. */
    bool (*is_done)(lte_worker *self);

    /* Returns once the chunk that was started first of those begun has been counted, or has failed. */
    lte_status (*wait)(lte_worker *self);
} lte_worker_kind;

struct lte_worker {
    const lte_worker_kind *kind;
    bool ahead;                 /* start returns before its work is done */
    bool tells;                 /* is_done does become true: such workers wait for no other */
    int depth;                  /* chunks begun at a time, at most 2; 0 is 1 */
    int fewest, most;           /* slots of a chunk: that keep it busy, and that it can take */
    const lte_backend *backend; /* of an engine; other kinds leave it out */
    void *state;                /* the kind's own: the engine, not owned */
};

/* The worker that an engine is. */
lte_worker lte_worker_of(const lte_backend *backend, lte_engine *engine);

/* Errors of the k-th detector of a chunk in its slot i, counted from the chunk's first. */
const uint32_t *lte_chunk_errors(const lte_chunk *chunk, int i, int k);

#endif
