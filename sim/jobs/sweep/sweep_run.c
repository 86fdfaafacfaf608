/*
 * The running of a sweep: chunks of slots handed to workers that are idle, merged in slot order
 * whatever order they come back in. What is in a chunk: sweep_plan.c; merging: sweep_merge.c.
 */
#include "sim/jobs/sweep/sweep_parts.h"

#include <stdlib.h>

#include "kernels/backends/clock.h"
#include "sim/jobs/workers/stop.h"

/*
 * Chunks that a worker has memory for besides those that it works on: one that is merged or waits
 * for the chunks of slower workers, and one of a later point that was begun before the point at
 * hand had ended. More would only let fast workers run further away from a slow one.
 */
enum { CHUNKS_BESIDES = 2 };

/* Bytes of the sums of all chunks, unless that is less than so many rounds for each. */
enum { SUM_BYTES = 16 << 20, FEWEST_ROUNDS = 16 };

typedef struct {
    lte_sweep *sweep;
    lte_worker *workers;
    int per_worker;          /* chunks */
    lte_window window;       /* [n_workers][per_worker] */
    int *places;             /* [chunks][n_detectors] */
    lte_detector *detectors; /* [chunks][n_detectors] */
    uint64_t n_handed;       /* chunks handed out */
    double start;            /* of the sweep */
    double mark;             /* up to here wall time has been given to rows */
    bool stop;               /* a signal came or the time is up */
    lte_status status;       /* of the first worker that failed */
} run_state;

/* Memory of the chunks. Returns what a worker returns, LTE_ENOMEM; whatever it is, fini is due. */
static lte_status window_init(run_state *run)
{
    const lte_sweep *sweep = run->sweep;
    const uint64_t max_slots = sweep->end - sweep->first;
    lte_window *window = &run->window;
    lte_status status = LTE_OK;
    const size_t n = (size_t)window->n + 1; /* never nothing */
    const lte_tally_cut cut = lte_sweep_cut(sweep->scenario);
    const size_t record = lte_tally_record_bytes(&cut, sweep->n_detectors);
    const int rounds = (int)(SUM_BYTES / (n * record));
    window->most_rounds = rounds > FEWEST_ROUNDS ? rounds : FEWEST_ROUNDS;
    window->point = calloc((size_t)sweep->n_snr, sizeof *window->point);
    window->chunks = calloc(n, sizeof *window->chunks);
    run->places = calloc(n * (size_t)sweep->n_detectors, sizeof *run->places);
    run->detectors = calloc(n * (size_t)sweep->n_detectors, sizeof *run->detectors);
    if (!window->point || !window->chunks || !run->places || !run->detectors)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the chunks of a sweep");
    for (int i = 0; i < window->n && !status; i++) {
        lte_worker *worker = &run->workers[i / run->per_worker];
        lte_chunk *chunk = &window->chunks[i];
        const uint64_t most = (uint64_t)worker->most;
        chunk->n_counts = lte_tally_row_size(&cut);
        chunk->place = &run->places[(ptrdiff_t)i * sweep->n_detectors];
        chunk->detector = &run->detectors[(ptrdiff_t)i * sweep->n_detectors];
        chunk->tally.cut = cut;
        status = lte_chunk_alloc(worker, (int)(most < max_slots ? most : max_slots),
                                 sweep->n_detectors, chunk);
    }
    return status;
}

static void window_fini(run_state *run)
{
    for (int i = 0; i < run->window.n && run->window.chunks; i++)
        lte_chunk_free(&run->workers[i / run->per_worker], &run->window.chunks[i]);
    free(run->window.point);
    free(run->window.chunks);
    free(run->places);
    free(run->detectors);
}

/* How many chunks of worker w are in some state, and the one handed out first of them; or NULL. */
static int chunks_of(const run_state *run, int w, lte_chunk_state state, lte_chunk **first)
{
    lte_chunk *chunk = &run->window.chunks[(ptrdiff_t)w * run->per_worker];
    int n = 0;
    *first = NULL;
    for (int i = 0; i < run->per_worker; i++) {
        if (chunk[i].state != state)
            continue;
        n++;
        if (!*first || chunk[i].order < (*first)->order)
            *first = &chunk[i];
    }
    return n;
}

/* The chunk that worker w is to be done with next, or NULL. */
static lte_chunk *chunk_out(const run_state *run, int w)
{
    lte_chunk *chunk;
    (void)chunks_of(run, w, LTE_CHUNK_OUT, &chunk);
    return chunk;
}

/*
 * Forgets what has been counted of a point that has ended; what is out of it comes back for
 * nothing.
 */
static void drop_useless(run_state *run, int s)
{
    lte_queue *queue = &run->window.point[s];
    for (lte_chunk *chunk = queue->first; chunk; chunk = chunk->behind) {
        if (chunk->state == LTE_CHUNK_DONE)
            chunk->state = LTE_CHUNK_FREE;
    }
    *queue = (lte_queue){.first = NULL};
}

/* Hands a chunk to worker w if it may begin one more; false if there is nothing to hand out. */
static bool hand_to(run_state *run, int w)
{
    lte_worker *worker = &run->workers[w];
    lte_chunk *chunk, *out;
    if (chunks_of(run, w, LTE_CHUNK_OUT, &out) >= lte_worker_depth(worker) ||
        chunks_of(run, w, LTE_CHUNK_FREE, &chunk) == 0 ||
        !lte_sweep_plan(run->sweep, &run->window, worker, chunk))
        return false;
    chunk->order = run->n_handed++;
    run->status = lte_tally_begin(&chunk->tally, chunk->n_detectors, chunk->first, chunk->n_slots);
    if (!run->status)
        run->status = worker->kind->start(worker, chunk);
    chunk->state = run->status ? LTE_CHUNK_FAILED : LTE_CHUNK_OUT;
    return true;
}

/*
 * A chunk for each worker that may begin one, then the next; or for those alone that work ahead.
 * After a signal nobody gets one, unless it is the sweep's first.
 */
static void hand_out(run_state *run, bool ahead_alone)
{
    for (bool more = true; more && !(lte_stop_signal && run->n_handed > 0);) {
        more = false;
        for (int w = 0; w < run->window.n_workers && !run->stop && !run->status; w++)
            more = ((run->workers[w].ahead || !ahead_alone) && hand_to(run, w)) || more;
    }
}

/* Waits for the chunk of worker w. */
static void collect(run_state *run, int w)
{
    lte_chunk *chunk = chunk_out(run, w);
    const lte_status status = run->workers[w].kind->wait(&run->workers[w]);
    const bool useful = lte_sweep_runs(run->sweep, chunk->point);
    chunk->state = status ? LTE_CHUNK_FAILED : useful ? LTE_CHUNK_DONE : LTE_CHUNK_FREE;
    run->status = run->status ? run->status : status;
    if (chunk->state == LTE_CHUNK_DONE)
        run->window.point[chunk->point].done += (uint64_t)chunk->n_slots;
}

/* Collects from the workers that are done; false if none is. */
static bool collect_done(run_state *run)
{
    bool any = false;
    for (int w = 0; w < run->window.n_workers; w++) {
        lte_worker *worker = &run->workers[w];
        for (; chunk_out(run, w) && worker->kind->is_done(worker); any = true)
            collect(run, w);
    }
    return any;
}

/* The worker whose chunk has been out for longest; -1 if all are idle. */
static int longest_out(const run_state *run)
{
    int longest = -1;
    uint64_t order = UINT64_MAX;
    for (int w = 0; w < run->window.n_workers; w++) {
        const lte_chunk *chunk = chunk_out(run, w);
        if (chunk && chunk->order < order) {
            longest = w;
            order = chunk->order;
        }
    }
    return longest;
}

/* True for several workers all of which tell when they are done: nobody waits for one of them. */
static bool all_tell(const run_state *run)
{
    bool all = run->window.n_workers > 1;
    for (int w = 0; w < run->window.n_workers; w++)
        all = all && run->workers[w].tells;
    return all;
}

/*
 * The chunk that the first running point goes on with, whatever its state; NULL if nobody has it.
 */
static lte_chunk *next_chunk(const run_state *run)
{
    const int s = lte_sweep_point(run->sweep);
    return s < run->sweep->n_snr ? run->window.point[s].first : NULL;
}

/* Takes the first chunk off its queue. */
static void pop(lte_queue *queue)
{
    lte_chunk *chunk = queue->first;
    queue->first = chunk->behind;
    queue->last = queue->first ? queue->last : NULL;
    queue->done -= (uint64_t)chunk->n_slots;
    chunk->state = LTE_CHUNK_FREE;
}

static bool time_is_up(const run_state *run)
{
    return lte_sweep_time_is_up(run->sweep, lte_seconds() - run->start);
}

/* Ends the running rows if the sweep is to end here. */
static void look_for_stop(run_state *run)
{
    const bool interrupted = lte_stop_signal || run->sweep->unwanted;
    run->stop = interrupted || time_is_up(run);
    if (run->stop)
        lte_sweep_end(run->sweep, interrupted ? LTE_ROW_INTERRUPTED : LTE_ROW_TIME);
}

/* Gives the time since the last mark to the rows of a chunk. */
static void charge(run_state *run, const lte_chunk *chunk)
{
    const double now = lte_seconds();
    lte_sweep_charge(run->sweep, chunk, now - run->mark);
    run->mark = now;
}

/* Merges a chunk that is next, with all that follows from that; one that cannot be summed fails. */
static void take(run_state *run, lte_chunk *chunk, lte_sweep_watch *watch, void *user)
{
    lte_sweep *sweep = run->sweep;
    const int s = chunk->point;
    lte_sweep_start(sweep, s);
    const lte_status status = lte_chunk_sum(chunk);
    if (status) {
        chunk->state = LTE_CHUNK_FAILED;
        run->status = run->status ? run->status : status;
        return;
    }
    charge(run, chunk); /* before the rounds of a part are told their time */
    lte_sweep_merge(sweep, chunk);
    charge(run, chunk);
    pop(&run->window.point[s]);
    if (!run->status)
        look_for_stop(run);
    if (!lte_sweep_runs(sweep, s))
        drop_useless(run, s);
    if (watch) {
        watch(sweep, s, !lte_sweep_runs(sweep, s), user);
        run->mark = lte_seconds();
    }
}

/* After a failure: the rows of the point at hand are interrupted. */
static void interrupt(run_state *run)
{
    const lte_chunk *failed = next_chunk(run);
    if (failed)
        lte_sweep_start(run->sweep, failed->point);
    lte_sweep_end(run->sweep, LTE_ROW_INTERRUPTED);
}

/* Merges all chunks that are next and done; false if there is none. */
static bool take_done(run_state *run, lte_sweep_watch *watch, void *user)
{
    bool taken = false;
    for (lte_chunk *chunk;
         !run->stop && (chunk = next_chunk(run)) && chunk->state == LTE_CHUNK_DONE; taken = true)
        take(run, chunk, watch, user);
    return taken;
}

/*
 * A worker that works ahead has its next chunk before the last one is merged. After a stop or a
 * failure nothing is handed out any more; what is out is waited for, since it is still written to.
 */
static void run_chunks(run_state *run, lte_sweep_watch *watch, void *user)
{
    for (int looks = 0;;) {
        looks = collect_done(run) ? 0 : looks + 1;
        hand_out(run, true);
        if (take_done(run, watch, user))
            continue;
        hand_out(run, false);
        const int w = longest_out(run);
        if (w < 0)
            break;
        if (all_tell(run))
            lte_workers_pause(looks);
        else
            collect(run, w);
    }
    if (!run->status && !run->stop)
        look_for_stop(run); /* a signal that came after the last merge */
    if (run->status && !run->stop)
        interrupt(run);
}

lte_status lte_sweep_run(lte_sweep *sweep, lte_worker *workers, int n_workers,
                         lte_sweep_watch *watch, void *user)
{
    run_state run = {.sweep = sweep, .workers = workers};
    run.window.n_workers = n_workers;
    for (int w = 0; w < n_workers; w++) {
        const int n = lte_worker_depth(&workers[w]) + CHUNKS_BESIDES;
        run.per_worker = n > run.per_worker ? n : run.per_worker;
    }
    run.window.n = n_workers * run.per_worker;
    run.status = window_init(&run);
    run.start = run.mark = lte_seconds();
    if (!run.status && !(sweep->spent_s > 0.0 && time_is_up(&run)))
        run_chunks(&run, watch, user);
    window_fini(&run);
    return run.status;
}
