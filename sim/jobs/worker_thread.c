/* A worker on a thread of its own: a short queue of chunks, counted in their order. */
#include "sim/jobs/worker_thread.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { DEPTH = 2 };

typedef struct {
    lte_worker inner;
    pthread_t thread;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    bool quit;
    uint64_t started, finished, collected; /* chunks so far; the i-th has place i mod DEPTH of */
    const lte_chunk *chunk[DEPTH];
    lte_status status[DEPTH];
} state;

static lte_status count(lte_worker *inner, const lte_chunk *chunk)
{
    const lte_status status = inner->kind->start(inner, chunk);
    return status ? status : inner->kind->wait(inner);
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
        const lte_status status = count(&s->inner, s->chunk[i]);
        (void)pthread_mutex_lock(&s->lock);
        s->status[i] = status;
        s->finished++;
        (void)pthread_cond_broadcast(&s->changed);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return NULL;
}

static lte_status thread_alloc(lte_worker *self, int n_slots, int n_detectors, lte_chunk *chunk)
{
    state *s = self->state;
    return s->inner.kind->alloc(&s->inner, n_slots, n_detectors, chunk);
}

static void thread_free(lte_worker *self, lte_chunk *chunk)
{
    state *s = self->state;
    s->inner.kind->free(&s->inner, chunk);
}

static lte_status thread_start(lte_worker *self, const lte_chunk *chunk)
{
    state *s = self->state;
    (void)pthread_mutex_lock(&s->lock);
    assert(s->started - s->collected < DEPTH);
    s->chunk[s->started++ % DEPTH] = chunk;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
    return LTE_OK;
}

static bool thread_is_done(lte_worker *self)
{
    state *s = self->state;
    (void)pthread_mutex_lock(&s->lock);
    const bool done = s->finished > s->collected;
    (void)pthread_mutex_unlock(&s->lock);
    return done;
}

static lte_status thread_wait(lte_worker *self)
{
    state *s = self->state;
    (void)pthread_mutex_lock(&s->lock);
    assert(s->started > s->collected);
    while (s->finished == s->collected)
        (void)pthread_cond_wait(&s->changed, &s->lock);
    const lte_status status = s->status[s->collected++ % DEPTH];
    (void)pthread_mutex_unlock(&s->lock);
    return status;
}

static const lte_worker_kind thread_kind = {
    .alloc = thread_alloc,
    .free = thread_free,
    .start = thread_start,
    .is_done = thread_is_done,
    .wait = thread_wait,
};

lte_status lte_worker_thread_create(lte_worker inner, lte_worker *worker)
{
    state *s = calloc(1, sizeof *s);
    *worker = (lte_worker){.kind = NULL};
    if (!s)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a worker's thread");
    s->inner = inner;
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->changed, NULL);
    if (pthread_create(&s->thread, NULL, work, s)) {
        (void)pthread_cond_destroy(&s->changed);
        (void)pthread_mutex_destroy(&s->lock);
        free(s);
        return LTE_FAIL(LTE_ENOMEM, "a worker's thread cannot be begun");
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
    (void)pthread_cond_destroy(&s->changed);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
    worker->kind = NULL;
}
