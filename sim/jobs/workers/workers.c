/* An engine as a worker of a sweep: all that a sweep asks of a backend is asked here. */
#include "sim/jobs/workers/workers.h"

#include <time.h>

void lte_workers_pause(int looks)
{
    enum { SHORTEST_NS = 125000, DOUBLED = 5 }; /* to 4 ms */
    const struct timespec pause = {.tv_nsec = SHORTEST_NS << (looks < DOUBLED ? looks : DOUBLED)};
    (void)nanosleep(&pause, NULL);
}

lte_status lte_chunk_alloc(lte_worker *worker, int n_slots, int n_detectors, lte_chunk *chunk)
{
    return worker->kind->alloc ? worker->kind->alloc(worker, n_slots, n_detectors, chunk) : LTE_OK;
}

void lte_chunk_free(lte_worker *worker, lte_chunk *chunk)
{
    if (worker->kind->free)
        worker->kind->free(worker, chunk);
    lte_tally_free(&chunk->tally);
}

lte_status lte_chunk_sum(lte_chunk *chunk)
{
    return chunk->errors ? lte_tally_add(&chunk->tally, chunk->n_slots, chunk->power, chunk->errors)
                         : LTE_OK;
}

static lte_status engine_alloc(lte_worker *self, int n_slots, int n_detectors, lte_chunk *chunk)
{
    const size_t n = (size_t)n_slots;
    const ptrdiff_t n_counts = lte_counts_at(chunk->n_counts, (ptrdiff_t)n_slots * n_detectors);
    void *memory = NULL;
    lte_status status = self->backend->host_alloc(self->state, n * sizeof(lte_power), &memory);
    if (status)
        return status;
    chunk->power = memory;
    memory = NULL;
    status = self->backend->host_alloc(self->state, (size_t)n_counts * sizeof(uint32_t), &memory);
    if (!status)
        chunk->errors = memory;
    return status;
}

static void engine_free(lte_worker *self, lte_chunk *chunk)
{
    self->backend->host_free(self->state, chunk->power);
    self->backend->host_free(self->state, chunk->errors);
    chunk->power = NULL;
    chunk->errors = NULL;
}

static lte_status engine_start(lte_worker *self, lte_chunk *chunk)
{
    return self->backend->sweep->start(self->state, chunk->noise, chunk->detector,
                                       chunk->n_detectors, chunk->first, chunk->n_slots,
                                       chunk->power, chunk->errors);
}

static bool engine_is_done(lte_worker *self)
{
    return self->backend->sweep->is_done(self->state);
}

static lte_status engine_wait(lte_worker *self)
{
    return self->backend->sweep->wait(self->state);
}

static const lte_worker_kind engine_kind = {
    .alloc = engine_alloc,
    .free = engine_free,
    .start = engine_start,
    .is_done = engine_is_done,
    .wait = engine_wait,
};

lte_worker lte_worker_of(const lte_backend *backend, lte_engine *engine)
{
    lte_worker worker = {
        .kind = &engine_kind, .ahead = backend->sweep->ahead, .backend = backend, .state = engine};
    backend->sweep->sizes(engine, &worker.fewest, &worker.most);
    return worker;
}
