/* The buffers of one size, their refreshing, and the timing of calls over them. */
#include "tests/bench/race.h"
#include "tests/bench/race_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for all calls' matrices and inverses together: four calls of 1e6 of order 8. */
static const size_t most_bytes = (size_t)4200 * 1000 * 1000;

/* A residual in units of n u |A| |X| above which an inverse is wrong. */
static const double residual_limit = 4.0;

/* Microseconds that queueing one call may take, some libraries launching ten kernels a call. */
enum { QUEUE_US = 40 };

struct lte_field {
    lte_race *race;
    const lte_race_set *set;
    int n, count, n_calls;
    int n_source;        /* matrices of source: the set, repeated if there are too few */
    size_t matrix;       /* bytes of one */
    lte_cf32 *source;    /* [n_source][n][n] */
    lte_race_call whole; /* a, x [n_calls][count][n][n], a_list, x_list [n_calls][count] */
    cudaGraphExec_t graph[LTE_MAX_RACERS];
    lte_cf32 *host_x; /* [count][n][n] */
    uint8_t *host_flag;
    int *host_info; /* [count] */
};

/* Calls whose matrices and inverses exceed three times the L2, at least four where there is room.
 */
static int calls_for(const lte_race *race, size_t call_bytes)
{
    const size_t beyond_l2 = 3 * race->l2_bytes / call_bytes + 1;
    const size_t wanted = beyond_l2 < 4 ? 4 : beyond_l2, room = most_bytes / call_bytes;
    const size_t n = wanted < room ? wanted : room;
    return n < 1 ? 1 : n > LTE_MAX_CALLS ? LTE_MAX_CALLS : (int)n;
}

void lte_field_free(lte_field *field)
{
    if (!field)
        return;
    const lte_race_call *d = &field->whole;
    void *const memory[] = {field->source, d->a,          d->x,    d->scratch, d->a_list,
                            d->x_list,     d->local_list, d->flag, d->info,    d->pivot};
    for (int i = 0; i < LTE_MAX_RACERS; i++) {
        if (field->graph[i])
            (void)cudaGraphExecDestroy(field->graph[i]);
    }
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        (void)cudaFree(memory[i]);
    free(field->host_x);
    free(field->host_flag);
    free(field->host_info);
    free(field);
}

static lte_status allocate(lte_field *field)
{
    lte_race_call *d = &field->whole;
    const size_t count = (size_t)field->count, all = count * (size_t)field->n_calls;
    const struct {
        void **memory;
        size_t size;
    } list[] = {
        {(void **)&field->source, (size_t)field->n_source * field->matrix},
        {(void **)&d->a, all * field->matrix},
        {(void **)&d->x, all * field->matrix},
        {(void **)&d->scratch, count * field->matrix},
        {(void **)&d->a_list, all * sizeof(void *)},
        {(void **)&d->x_list, all * sizeof(void *)},
        {(void **)&d->local_list, 2 * count * sizeof(void *)},
        {(void **)&d->flag, count},
        {(void **)&d->info, count * sizeof(int)},
        {(void **)&d->pivot, count * (size_t)field->n * sizeof(int)},
    };
    lte_status status = LTE_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = LTE_RACE_CUDA(cudaMalloc(list[i].memory, list[i].size));
    field->host_x = malloc(count * field->matrix);
    field->host_flag = malloc(count);
    field->host_info = malloc(count * sizeof(int));
    if (!status && (!field->host_x || !field->host_flag || !field->host_info))
        status = LTE_FAIL(LTE_ENOMEM, "no memory to look at %d inverses", field->count);
    return status;
}

/* The set over and over in source, and the lists of addresses. */
static lte_status fill(lte_field *field)
{
    const cudaStream_t stream = field->race->stream;
    const int all = field->count * field->n_calls;
    lte_status status = LTE_OK;
    for (int at = 0; at < field->n_source && !status; at += field->set->count) {
        const int left = field->n_source - at;
        const size_t n = (size_t)(left < field->set->count ? left : field->set->count);
        char *to = (char *)field->source + (size_t)at * field->matrix;
        status = LTE_RACE_CUDA(
            cudaMemcpyAsync(to, field->set->a, n * field->matrix, cudaMemcpyHostToDevice, stream));
    }
    if (status)
        return status;
    lte_race_list(all, field->whole.a, field->matrix, field->whole.a_list, stream);
    lte_race_list(all, field->whole.x, field->matrix, field->whole.x_list, stream);
    status = LTE_RACE_CUDA(cudaGetLastError());
    return status ? status : LTE_RACE_CUDA(cudaStreamSynchronize(stream));
}

lte_status lte_field_create(lte_race *race, int n, int count, int n_calls, const lte_race_set *set,
                            lte_field **field)
{
    lte_field *made = *field = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the race");
    made->race = race;
    made->set = set;
    made->n = n;
    made->count = count;
    made->matrix = (size_t)n * (size_t)n * sizeof(lte_cf32);
    made->n_calls = n_calls > 0 ? n_calls : calls_for(race, 2 * (size_t)count * made->matrix);
    made->n_source = count > set->count ? count : set->count;
    lte_status status = allocate(made);
    if (!status)
        status = fill(made);
    if (status) {
        lte_field_free(made);
        *field = NULL;
    }
    return status;
}

int lte_field_calls(const lte_field *field)
{
    return field->n_calls;
}

bool lte_field_l2_resident(const lte_field *field)
{
    const size_t bytes = 2 * (size_t)field->n_calls * (size_t)field->count * field->matrix;
    return bytes < field->race->l2_bytes;
}

bool lte_field_in_graph(const lte_field *field, int i)
{
    return field->graph[i] != NULL;
}

/* First matrix of source that call k gets: calls differ as far as there are matrices. */
static int first_of(const lte_field *field, int k)
{
    return k % (field->n_source / field->count) * field->count;
}

static lte_race_call call_of(const lte_field *field, int k)
{
    lte_race_call call = field->whole;
    const ptrdiff_t first = (ptrdiff_t)k * field->count, n2 = (ptrdiff_t)field->n * field->n;
    call.n = field->n;
    call.count = field->count;
    call.a += first * n2;
    call.x += first * n2;
    call.a_list += first;
    call.x_list += first;
    return call;
}

/* Fresh matrices, and identities for those who want them. */
static lte_status refresh(lte_field *field, const lte_racer *who)
{
    const cudaStream_t stream = field->race->stream;
    const size_t size = (size_t)field->count * field->matrix;
    lte_status status = LTE_OK;
    for (int k = 0; k < field->n_calls && !status; k++) {
        const char *from = (char *)field->source + (size_t)first_of(field, k) * field->matrix;
        char *to = (char *)field->whole.a + (size_t)k * size;
        status = LTE_RACE_CUDA(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream));
    }
    if (!status && who->identity) {
        lte_race_identity(field->n, field->count * field->n_calls, field->whole.x, stream);
        status = LTE_RACE_CUDA(cudaGetLastError());
    }
    return status;
}

static lte_status run_calls(lte_field *field, const lte_racer *who)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < field->n_calls && !status; k++) {
        const lte_race_call call = call_of(field, k);
        status = who->run(who, &call, field->race->stream);
    }
    return status;
}

/* The calls, as the graph if there is one. */
static lte_status run_all(lte_field *field, int i, const lte_racer *who)
{
    if (field->graph[i])
        return LTE_RACE_CUDA(cudaGraphLaunch(field->graph[i], field->race->stream));
    return run_calls(field, who);
}

/* Outputs that nobody can take for results: NaNs, and no flag. */
static lte_status poison(lte_field *field)
{
    const cudaStream_t stream = field->race->stream;
    const size_t count = (size_t)field->count;
    lte_status status = LTE_RACE_CUDA(cudaMemsetAsync(
        field->whole.x, 0xff, (size_t)field->n_calls * count * field->matrix, stream));
    if (!status)
        status = LTE_RACE_CUDA(cudaMemsetAsync(field->whole.flag, 0, count, stream));
    if (!status)
        status = LTE_RACE_CUDA(cudaMemsetAsync(field->whole.info, 0, count * sizeof(int), stream));
    return status;
}

static lte_status fetch(lte_field *field)
{
    const size_t count = (size_t)field->count;
    const lte_race_call last = call_of(field, field->n_calls - 1);
    const cudaStream_t stream = field->race->stream;
    lte_status status = LTE_RACE_CUDA(cudaMemcpyAsync(field->host_x, last.x, count * field->matrix,
                                                      cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_RACE_CUDA(
            cudaMemcpyAsync(field->host_flag, last.flag, count, cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_RACE_CUDA(cudaMemcpyAsync(field->host_info, last.info, count * sizeof(int),
                                               cudaMemcpyDeviceToHost, stream));
    return status ? status : LTE_RACE_CUDA(cudaStreamSynchronize(stream));
}

/* Matrices first .. first + n - 1 of the last call. */
static void look(const lte_field *field, int first, int n, lte_racer *who)
{
    const ptrdiff_t n2 = (ptrdiff_t)field->n * field->n;
    const ptrdiff_t start = first_of(field, field->n_calls - 1);
    for (int i = first; i < first + n; i++) {
        const lte_cf32 *a = &field->set->a[(start + i) % field->set->count * n2];
        const lte_cf32 *x = &field->host_x[i * n2];
        double here = 0.0;
        if (who->side == LTE_RACE_COPY)
            here = memcmp(a, x, field->matrix) == 0 ? 0.0 : (double)INFINITY;
        else
            here = lte_race_residual(field->n, 1, a, x, who->side == LTE_RACE_LIBRARY);
        if (!(here <= who->residual)) {
            who->residual = here;
            who->worst_set = field->set->name;
        }
    }
}

static lte_status check(lte_field *field, lte_racer *who, int n_looked, bool failed)
{
    lte_status status = fetch(field);
    if (status)
        return status;
    for (int i = 0; i < field->count; i++)
        who->flagged += field->host_flag[i] != 0 || field->host_info[i] != 0;
    const int n = n_looked < field->count ? n_looked : field->count;
    look(field, 0, n, who);
    if (n < field->count)
        look(field, field->count - n, n, who);
    if (failed)
        who->wrong = "the call failed";
    else if (!(who->residual <= residual_limit))
        who->wrong = "wrong";
    else if (who->flagged > 0)
        who->wrong = "flags good matrices";
    return LTE_OK;
}

lte_status lte_field_check(lte_field *field, lte_racer *who, int n_looked)
{
    lte_status status = poison(field);
    if (!status)
        status = refresh(field, who);
    if (status)
        return status;
    const bool failed = run_calls(field, who) != LTE_OK;
    (void)cudaGetLastError(); /* of a library's failed launch; fetching shows what is worse */
    return check(field, who, n_looked, failed);
}

/* The calls as a graph; NULL where the calls cannot be captured. */
static cudaGraphExec_t capture(lte_field *field, const lte_racer *who)
{
    const cudaStream_t stream = field->race->stream;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess) {
        const bool good = run_calls(field, who) == LTE_OK;
        if (cudaStreamEndCapture(stream, &graph) != cudaSuccess)
            graph = NULL;
        if (good && graph && cudaGraphInstantiateWithFlags(&exec, graph, 0) != cudaSuccess)
            exec = NULL;
        if (graph)
            (void)cudaGraphDestroy(graph);
    }
    (void)cudaGetLastError(); /* a refused capture leaves its error behind */
    return exec;
}

lte_status lte_field_capture(lte_field *field, int i, const lte_racer *who)
{
    lte_racer found = *who;
    field->graph[i] = capture(field, who);
    if (!field->graph[i])
        return LTE_OK;
    lte_status status = poison(field);
    if (!status)
        status = refresh(field, who);
    if (!status)
        status = run_all(field, i, who);
    if (!status)
        status = check(field, &found, field->count, false);
    if (!status && found.wrong) {
        (void)cudaGraphExecDestroy(field->graph[i]);
        field->graph[i] = NULL;
    }
    return status;
}

lte_status lte_field_time(lte_field *field, int i, const lte_racer *who, double *us)
{
    lte_race *race = field->race;
    float ms = 0.0f;
    lte_status status = refresh(field, who);
    if (status)
        return status;
    /* the stream is kept busy until everything up to the second event is queued */
    lte_race_delay(100 + (field->graph[i] ? 0 : QUEUE_US * field->n_calls), race->stream);
    status = LTE_RACE_CUDA(cudaEventRecord(race->start, race->stream));
    if (!status)
        status = run_all(field, i, who);
    if (!status)
        status = LTE_RACE_CUDA(cudaEventRecord(race->stop, race->stream));
    if (!status)
        status = LTE_RACE_CUDA(cudaEventSynchronize(race->stop));
    if (!status)
        status = LTE_RACE_CUDA(cudaEventElapsedTime(&ms, race->start, race->stop));
    *us = 1e3 * (double)ms / field->n_calls;
    return status;
}
