/* Which slots a worker is to count next: those that rows need first, as many as promise to be of
 * use. */
#include "sim/jobs/sweep/sweep_parts.h"

#include <math.h>

/* Slots after which a row should have min_clusters that carry its errors, by those it has. */
static double slots_for_clusters(const lte_sweep *sweep, const lte_row *row)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    const double most = (double)(sweep->end - sweep->first), clusters = (double)rule->min_clusters;
    const double need = (double)row->slots * clusters / lte_error_count_carriers(&row->error_count);
    return need < most ? need : most;
}

/* The same for its precision, which goes with the root of the slots. */
static double slots_for_precision(const lte_sweep *sweep, const lte_row *row)
{
    const double precision = sweep->scenario->sweep.precision;
    if (!(precision > 0.0))
        return 0.0;
    const lte_interval ber = lte_interval_of(&row->error_count);
    const double ratio =
        fmin(lte_interval_precision(&ber) / precision, 4.0); /* it may be a chance */
    return fmin((double)row->slots * ratio * ratio, (double)(sweep->end - sweep->first));
}

/*
 * The slot before which the running rows of a point should have ended, from the error rate seen so
 * far or else the closed form; rather too far than too near.
 */
static uint64_t expected_end(const lte_sweep *sweep, int s)
{
    double slots = 0.0;
    if (lte_sweep_is_search(sweep))
        return lte_sweep_row(sweep, 0, s)->goal;
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        const double errors = (double)row->error_count.errors;
        double ber = row->theory.known ? row->theory.ber / 1.1 : 0.0;
        if (row->status != LTE_ROW_RUNNING)
            continue;
        if (errors > 0.0) /* two standard errors, were bits to fail one by one */
            ber = errors / (double)lte_row_bits(row) / (1.0 + 2.0 / sqrt(errors));
        const double need = lte_expected_slots(sweep, ber);
        slots = need > slots ? need : slots;
        const double more = fmax(slots_for_clusters(sweep, row), slots_for_precision(sweep, row));
        slots = more > slots ? more : slots;
    }
    return sweep->first + (uint64_t)slots;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*
 * Slots of a chunk from slot first on, at a point of which so many slots have been counted: to the
 * end of the round, or for a worker that works ahead to the end of some round, about as many in all
 * workers' chunks together as have been counted, and no more than one part of what is expected,
 * where each chunk that a worker may have begun is a part.
 */
static int chunk_slots(const lte_sweep *sweep, const lte_window *window, const lte_worker *worker,
                       uint64_t first, uint64_t counted, uint64_t end)
{
    const uint64_t round = (uint64_t)sweep->scenario->sweep.round_slots;
    const uint64_t most = smaller((uint64_t)worker->most, round * (uint64_t)window->most_rounds);
    const uint64_t fewest = (uint64_t)worker->fewest, workers = (uint64_t)window->n_workers;
    if (!worker->ahead || most < round)
        return (int)smaller(lte_sweep_round_end(sweep, first) - first, most);
    const uint64_t left = end > first ? end - first : 0;
    const uint64_t parts = workers * (uint64_t)lte_worker_depth(worker);
    uint64_t n = smaller(counted / workers + fewest, (left + parts - 1) / parts);
    n = n > fewest ? n : fewest;
    n = (first + n + round - 1) / round * round - first;
    n = smaller(n, most / round * round);
    return (int)smaller(n, (lte_sweep_is_search(sweep) ? end : sweep->end) - first);
}

/* Puts a chunk that is planned behind the others of its point. */
static void append(lte_queue *queue, lte_chunk *chunk)
{
    chunk->behind = NULL;
    *(queue->last ? &queue->last->behind : &queue->first) = chunk;
    queue->last = chunk;
}

bool lte_sweep_plan(const lte_sweep *sweep, lte_window *window, const lte_worker *worker,
                    lte_chunk *chunk)
{
    for (int s = lte_sweep_point(sweep); s < sweep->n_points; s++) {
        if (!lte_sweep_runs(sweep, s))
            continue;
        lte_queue *queue = &window->point[s];
        const uint64_t merged = lte_sweep_merged(sweep, s), end = expected_end(sweep, s);
        const uint64_t counted = merged - sweep->first + queue->done;
        const uint64_t first =
            queue->last ? queue->last->first + (uint64_t)queue->last->n_slots : merged;
        if (first > merged && first >= end)
            continue;
        const double snr = pow(10.0, lte_sweep_row(sweep, 0, s)->snr_db / 10.0);
        chunk->point = s;
        chunk->first = first;
        chunk->n_slots = chunk_slots(sweep, window, worker, first, counted, end);
        chunk->noise = lte_noise_of(sweep->scenario->n_tx, snr);
        chunk->n_detectors = 0;
        for (int d = 0; d < sweep->n_detectors; d++) {
            const lte_row *row = lte_sweep_row(sweep, d, s);
            if (row->status == LTE_ROW_RUNNING) {
                chunk->place[chunk->n_detectors] = d;
                chunk->detector[chunk->n_detectors++] = row->detector;
            }
        }
        append(queue, chunk);
        return true;
    }
    return false;
}
