#include "tests/bench/movers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* QUEUE_US: microseconds that queueing one call may take. */
enum { LEAST_CALLS = 8, WARM_UP = 2, QUEUE_US = 20 };

/* A call's input and output, as often as there are calls. */
typedef struct {
    lte_race *race;
    const lte_move *move;
    int n_calls;
    size_t in_pitch, out_pitch; /* from call to call: whole accesses of any size */
    char *d_in, *d_out;
    void *host_out; /* [out_bytes] */
} arena;

static size_t pitch_of(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static void arena_fini(arena *a)
{
    (void)cudaFree(a->d_in);
    (void)cudaFree(a->d_out);
    free(a->host_out);
}

/* In every case a is for arena_fini. */
static lte_status arena_init(lte_race *race, const lte_move *move, arena *a)
{
    const size_t beyond_l2 = 3 * race->l2_bytes / (move->in_bytes + move->out_bytes) + 1;
    const size_t n = beyond_l2 < LEAST_CALLS ? LEAST_CALLS : beyond_l2;
    *a = (arena){.race = race,
                 .move = move,
                 .n_calls = (int)n,
                 .in_pitch = pitch_of(move->in_bytes),
                 .out_pitch = pitch_of(move->out_bytes)};
    a->host_out = malloc(move->out_bytes);
    if (!a->host_out)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %zu bytes", move->out_bytes);
    lte_status status = LTE_CUDA(cudaMalloc((void **)&a->d_out, n * a->out_pitch));
    if (!status && move->in)
        status = LTE_CUDA(cudaMalloc((void **)&a->d_in, n * a->in_pitch));
    for (size_t k = 0; k < n && !status && move->in; k++)
        status = LTE_CUDA(cudaMemcpyAsync(a->d_in + k * a->in_pitch, move->in, move->in_bytes,
                                          cudaMemcpyHostToDevice, race->stream));
    return status ? status : LTE_CUDA(cudaStreamSynchronize(race->stream));
}

static lte_status run_calls(const arena *a, const lte_mover *who)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < a->n_calls && !status; k++) {
        const char *in = a->d_in ? a->d_in + (size_t)k * a->in_pitch : NULL;
        status = who->run(who, in, a->d_out + (size_t)k * a->out_pitch, a->race->stream);
    }
    return status;
}

/* All calls onto poisoned memory; the first and the last output are compared. */
static lte_status check(const arena *a, lte_mover *who)
{
    const size_t bytes = a->move->out_bytes;
    lte_status status = LTE_CUDA(
        cudaMemsetAsync(a->d_out, 0xff, (size_t)a->n_calls * a->out_pitch, a->race->stream));
    if (status)
        return status;
    who->wrong = run_calls(a, who) != LTE_OK;
    (void)cudaGetLastError(); /* of a library's failed launch; fetching shows what is worse */
    for (int k = 0; k < a->n_calls && !status; k += a->n_calls - 1) {
        status = LTE_CUDA(cudaMemcpyAsync(a->host_out, a->d_out + (size_t)k * a->out_pitch, bytes,
                                          cudaMemcpyDeviceToHost, a->race->stream));
        if (!status)
            status = LTE_CUDA(cudaStreamSynchronize(a->race->stream));
        if (!status && who->expected)
            who->wrong = who->wrong || memcmp(a->host_out, who->expected, bytes) != 0;
    }
    return status;
}

/* Microseconds a call, over all calls. */
static lte_status time_calls(const arena *a, const lte_mover *who, double *us)
{
    *us = 0.0;
    lte_status status = lte_race_start(a->race, QUEUE_US * a->n_calls);
    if (!status)
        status = run_calls(a, who);
    if (!status)
        status = lte_race_stop(a->race, us);
    *us /= a->n_calls;
    return status;
}

static bool timed(const lte_mover *who)
{
    return !who->absent && !who->wrong;
}

/* Everyone in turn, so that a drift of the clocks meets all alike. */
static lte_status measure(const arena *a, int repetitions, lte_mover *list, int n_list)
{
    double sample[LTE_MAX_MOVERS][LTE_MAX_MOVES];
    lte_status status = LTE_OK;
    for (int i = 0; i < n_list && !status; i++) {
        if (!list[i].absent)
            status = check(a, &list[i]);
    }
    for (int r = -WARM_UP; r < repetitions && !status; r++) {
        for (int i = 0; i < n_list && !status; i++) {
            const int who = (i + r + WARM_UP) % n_list; /* nobody always comes first */
            double us = 0.0;
            if (timed(&list[who]))
                status = time_calls(a, &list[who], &us);
            if (r >= 0)
                sample[who][r] = us;
        }
    }
    for (int i = 0; i < n_list && !status; i++)
        list[i].us = bench_spread_of(sample[i], timed(&list[i]) ? repetitions : 0);
    return status;
}

/* The fastest of one side, NULL without any. */
static const lte_mover *best_of(const lte_mover *list, int n_list, lte_mover_side side)
{
    const lte_mover *best = NULL;
    for (int i = 0; i < n_list; i++) {
        if (list[i].side != side || list[i].us.samples == 0)
            continue;
        if (!best || list[i].us.median < best->us.median)
            best = &list[i];
    }
    return best;
}

static void add_row(const arena *a, const lte_mover *who, const lte_mover *ceiling,
                    const lte_mover *library, json_t *rows)
{
    const double bytes = (double)(a->move->in_bytes + a->move->out_bytes);
    const double us = who->us.median;
    json_t *row = json_pack("{s:s, s:s, s:s, s:s}", "what", a->move->what, "contender", who->name,
                            "mapping", who->mapping, "state",
                            who->absent  ? who->absent
                            : who->wrong ? "wrong, not timed"
                                         : "timed");
    (void)json_array_append_new(rows, row);
    if (who->side == LTE_MOVER_OURS)
        (void)json_object_set_new(row, "readme", json_true());
    if (!timed(who))
        return;
    (void)json_object_set_new(row, "calls", json_integer(a->n_calls));
    bench_row_spread(row, "us", who->us);
    lte_row_real(row, "tb_per_s", 1e-6 * bytes / us);
    if (ceiling) {
        (void)json_object_set_new(row, "ceiling", json_string(ceiling->mapping));
        lte_row_real(row, "ceiling_us", ceiling->us.median);
        lte_row_real(row, "of_ceiling", ceiling->us.median / us);
    }
    if (library && who->side == LTE_MOVER_OURS) {
        lte_row_real(row, "library_us", library->us.median);
        lte_row_real(row, "library_over_this", library->us.median / us);
    }
    if (who->goal > 0.0)
        lte_row_goal(row, ceiling ? ceiling->us.median / us : (double)NAN, who->required, who->goal,
                     true);
}

lte_status lte_movers_run(lte_race *race, const lte_move *move, int repetitions, lte_mover *list,
                          int n_list, json_t *rows)
{
    arena a;
    lte_status status = arena_init(race, move, &a);
    if (!status)
        status = measure(&a, repetitions, list, n_list);
    if (!status) {
        const lte_mover *ceiling = best_of(list, n_list, LTE_MOVER_CEILING);
        const lte_mover *library = best_of(list, n_list, LTE_MOVER_LIBRARY);
        for (int i = 0; i < n_list; i++)
            add_row(&a, &list[i], ceiling, library, rows);
    }
    arena_fini(&a);
    return status;
}
