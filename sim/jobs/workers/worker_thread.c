/*
 * A worker on a thread of its own: a short queue of chunks, counted in their order and summed. The
 * inner worker counts pieces of a chunk, as large as it can take; the next one while a piece is
 * summed.
 */
#include "sim/jobs/workers/worker_thread.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"

enum { DEPTH = 2, PIECES = 2 };
enum { MOST_SLOTS = 1 << 24 }; /* of a chunk, */

static const double most_s =
    0.25; /* and of its time: so long a stop may take, or the end of a row */

typedef struct {
    lte_worker inner;
    lte_chunk piece[PIECES];
    pthread_t thread;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    bool quit;
    uint64_t started, finished, collected; /* chunks so far; the i-th has place i mod DEPTH of */
    lte_chunk *chunk[DEPTH];
    lte_status status[DEPTH];
    double seconds[DEPTH]; /* that it took */
} state;

/* Begins the piece of a chunk that follows `done` of its slots. */
static lte_status start_piece(state *s, const lte_chunk *chunk, int done, lte_chunk *piece)
{
    const int left = chunk->n_slots - done;
    piece->point = chunk->point;
    piece->first = chunk->first + (uint64_t)done;
    piece->n_slots = left < s->inner.most ? left : s->inner.most;
    piece->noise = chunk->noise;
    piece->n_detectors = chunk->n_detectors;
    piece->place = chunk->place;
    piece->detector = chunk->detector;
    return s->inner.kind->start(&s->inner, piece);
}

static lte_status count(state *s, lte_chunk *chunk)
{
    int done = 0;
    lte_status status = start_piece(s, chunk, 0, &s->piece[0]);
    for (int i = 0; !status && done < chunk->n_slots; i++) {
        const lte_chunk *piece = &s->piece[i % PIECES];
        status = s->inner.kind->wait(&s->inner);
        done += piece->n_slots;
        if (!status && done < chunk->n_slots)
            status = start_piece(s, chunk, done, &s->piece[(i + 1) % PIECES]);
        if (!status)
            status = lte_tally_add(&chunk->tally, piece->n_slots, piece->power, piece->errors);
    }
    return status;
}

static void *work(void *argument)
{
    state *s = argument;
    (void)pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->quit && s->finished == s->started)
            (void)pthread_cond_wait(&s->changed, &s->lock);
        if (s->finished == s->started)
            break;
        const uint64_t i = s->finished % DEPTH;
        (void)pthread_mutex_unlock(&s->lock);
        const double start = lte_seconds();
        const lte_status status = count(s, s->chunk[i]);
        (void)pthread_mutex_lock(&s->lock);
        s->seconds[i] = lte_seconds() - start;
        s->status[i] = status;
        s->finished++;
        (void)pthread_cond_broadcast(&s->changed);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return NULL;
}

static lte_status thread_start(lte_worker *self, lte_chunk *chunk)
{
    state *s = self->state;
    (void)pthread_mutex_lock(&s->lock);
    const bool room = s->started - s->collected < DEPTH;
    if (room)
        s->chunk[s->started++ % DEPTH] = chunk;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
    return room ? LTE_OK : LTE_FAIL(LTE_EINVAL, "a worker has %d chunks and takes no other", DEPTH);
}

static bool thread_is_done(lte_worker *self)
{
    state *s = self->state;
    (void)pthread_mutex_lock(&s->lock);
    const bool done = s->finished > s->collected;
    (void)pthread_mutex_unlock(&s->lock);
    return done;
}

/* Slots that most_s is enough for, where so many have taken so long; at least those of a piece. */
static int most_slots(const lte_worker *inner, int n_slots, double seconds)
{
    const double most = seconds > 0.0 ? n_slots * most_s / seconds : MOST_SLOTS;
    return most > MOST_SLOTS ? MOST_SLOTS : most > inner->most ? (int)most : inner->most;
}

static lte_status thread_wait(lte_worker *self)
{
    state *s = self->state;
    (void)pthread_mutex_lock(&s->lock);
    assert(s->started > s->collected);
    while (s->finished == s->collected)
        (void)pthread_cond_wait(&s->changed, &s->lock);
    const uint64_t i = s->collected++ % DEPTH;
    const lte_status status = s->status[i];
    (void)pthread_mutex_unlock(&s->lock);
    self->most = most_slots(&s->inner, s->chunk[i]->n_slots, s->seconds[i]);
    return status;
}

static const lte_worker_kind thread_kind = {
    .start = thread_start,
    .is_done = thread_is_done,
    .wait = thread_wait,
};

static lte_status begin(state *s, int n_counts, int n_detectors)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < PIECES && !status; i++) {
        s->piece[i].n_counts = n_counts;
        status = lte_chunk_alloc(&s->inner, s->inner.most, n_detectors, &s->piece[i]);
    }
    if (!status && pthread_create(&s->thread, NULL, work, s))
        status = LTE_FAIL(LTE_ENOMEM, "a worker thread cannot be started");
    return status;
}

/* What there is besides the thread. */
static void release(state *s)
{
    for (int i = 0; i < PIECES; i++)
        lte_chunk_free(&s->inner, &s->piece[i]);
    (void)pthread_cond_destroy(&s->changed);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

lte_status lte_worker_thread_create(lte_worker inner, int n_counts, int n_detectors,
                                    lte_worker *worker)
{
    state *s = calloc(1, sizeof *s);
    *worker = (lte_worker){.kind = NULL};
    if (!s)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a worker thread");
    s->inner = inner;
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->changed, NULL);
    const lte_status status = begin(s, n_counts, n_detectors);
    if (status) {
        release(s);
        return status;
    }
    *worker = (lte_worker){.kind = &thread_kind,
                           .ahead = true,
                           .tells = true,
                           .depth = DEPTH,
                           .fewest = inner.fewest,
                           .most = inner.most,
                           .state = s};
    return LTE_OK;
}

void lte_worker_thread_free(lte_worker *worker)
{
    state *s = worker->state;
    if (worker->kind != &thread_kind)
        return;
    (void)pthread_mutex_lock(&s->lock);
    s->quit = true;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_join(s->thread, NULL);
    release(s);
    worker->kind = NULL;
}
