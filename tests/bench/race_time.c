/* Calls over a field: checked, captured, timed. */
#include "tests/bench/race_field.h"

#include <math.h>
#include <string.h>

/* A residual in units of n u |A| |X| above which an inverse is wrong. */
static const double residual_limit = 4.0;

/* Microseconds that queueing one call may take, some libraries launching ten kernels a call. */
enum { QUEUE_US = 40 };

bool lte_field_in_graph(const lte_field *field, int i)
{
    return field->graph[i] != NULL;
}

static lte_status run_calls(lte_field *field, const lte_racer *who)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < field->n_calls && !status; k++) {
        const lte_race_call call = lte_field_call(field, k);
        status = who->run(who, &call, field->race->stream);
    }
    return status;
}

/* The calls, as the graph if there is one. */
static lte_status run_all(lte_field *field, int i, const lte_racer *who)
{
    if (field->graph[i])
        return LTE_CUDA(cudaGraphLaunch(field->graph[i], field->race->stream));
    return run_calls(field, who);
}

/* Outputs that nobody can take for results: NaNs, and no flag. */
static lte_status poison(lte_field *field)
{
    const cudaStream_t stream = field->race->stream;
    const size_t count = (size_t)field->count;
    lte_status status = LTE_CUDA(cudaMemsetAsync(
        field->whole.x, 0xff, (size_t)field->n_calls * count * field->matrix, stream));
    if (!status)
        status = LTE_CUDA(cudaMemsetAsync(field->whole.flag, 0, count, stream));
    if (!status)
        status = LTE_CUDA(cudaMemsetAsync(field->whole.info, 0, count * sizeof(int), stream));
    return status;
}

static lte_status fetch(lte_field *field)
{
    const size_t count = (size_t)field->count;
    const lte_race_call last = lte_field_call(field, field->n_calls - 1);
    const cudaStream_t stream = field->race->stream;
    lte_status status = LTE_CUDA(cudaMemcpyAsync(field->host_x, last.x, count * field->matrix,
                                                 cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_CUDA(
            cudaMemcpyAsync(field->host_flag, last.flag, count, cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_CUDA(cudaMemcpyAsync(field->host_info, last.info, count * sizeof(int),
                                          cudaMemcpyDeviceToHost, stream));
    return status ? status : LTE_CUDA(cudaStreamSynchronize(stream));
}

/* Matrices first .. first + n - 1 of the last call. */
static void look(const lte_field *field, int first, int n, lte_racer *who)
{
    const ptrdiff_t n2 = (ptrdiff_t)field->n * field->n;
    const ptrdiff_t start = lte_field_first(field, field->n_calls - 1);
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
        status = lte_field_refresh(field, who);
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
        status = lte_field_refresh(field, who);
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
    *us = 0.0;
    lte_status status = lte_field_refresh(field, who);
    if (!status)
        status = lte_race_start(field->race, field->graph[i] ? 0 : QUEUE_US * field->n_calls);
    if (!status)
        status = run_all(field, i, who);
    if (!status)
        status = lte_race_stop(field->race, us);
    *us /= field->n_calls;
    return status;
}
