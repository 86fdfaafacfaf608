/* Calls of the race over its buffers: checked, captured as graphs, timed. */
#include "tests/bench/peers/race_buffers.h"

#include <math.h>
#include <string.h>

/* A residual in units of n u |A| |X| above which an inverse is wrong. */
static const double residual_limit = 4.0;

/* Microseconds that queueing one call may take, some libraries launching ten kernels a call. */
enum { QUEUE_US = 40 };

static lte_status run_calls(bench_buffers *buffers, const bench_race_entry *entry)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < buffers->n_calls && !status; k++) {
        const bench_race_call call = bench_buffers_call(buffers, k);
        status = entry->run(entry, &call, buffers->device->stream);
    }
    return status;
}

/* The calls, as the graph if there is one. */
static lte_status run_all(bench_buffers *buffers, int i, const bench_race_entry *entry)
{
    if (buffers->graph[i])
        return LTE_CUDA(cudaGraphLaunch(buffers->graph[i], buffers->device->stream));
    return run_calls(buffers, entry);
}

/* Outputs that cannot be taken for results: NaNs, and no flag. */
static lte_status poison(bench_buffers *buffers)
{
    const cudaStream_t stream = buffers->device->stream;
    const size_t count = (size_t)buffers->count;
    lte_status status = LTE_CUDA(cudaMemsetAsync(
        buffers->whole.x, 0xff, (size_t)buffers->n_calls * count * buffers->matrix, stream));
    if (!status)
        status = LTE_CUDA(cudaMemsetAsync(buffers->whole.flag, 0, count, stream));
    if (!status)
        status = LTE_CUDA(cudaMemsetAsync(buffers->whole.info, 0, count * sizeof(int), stream));
    return status;
}

static lte_status fetch(bench_buffers *buffers)
{
    const size_t count = (size_t)buffers->count;
    const bench_race_call last = bench_buffers_call(buffers, buffers->n_calls - 1);
    const cudaStream_t stream = buffers->device->stream;
    lte_status status = LTE_CUDA(cudaMemcpyAsync(buffers->host_x, last.x, count * buffers->matrix,
                                                 cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_CUDA(
            cudaMemcpyAsync(buffers->host_flag, last.flag, count, cudaMemcpyDeviceToHost, stream));
    if (!status)
        status = LTE_CUDA(cudaMemcpyAsync(buffers->host_info, last.info, count * sizeof(int),
                                          cudaMemcpyDeviceToHost, stream));
    return status ? status : LTE_CUDA(cudaStreamSynchronize(stream));
}

/* Matrices first .. first + n - 1 of the last call. */
static void look(const bench_buffers *buffers, int first, int n, bench_race_entry *entry)
{
    const ptrdiff_t n2 = (ptrdiff_t)buffers->n * buffers->n;
    const ptrdiff_t start = bench_buffers_first(buffers, buffers->n_calls - 1);
    for (int i = first; i < first + n; i++) {
        const lte_cf32 *a = &buffers->set->a[(start + i) % buffers->set->count * n2];
        const lte_cf32 *x = &buffers->host_x[i * n2];
        double here = 0.0;
        if (entry->side == BENCH_RACE_COPY)
            here = memcmp(a, x, buffers->matrix) == 0 ? 0.0 : (double)INFINITY;
        else
            here = bench_race_residual(buffers->n, 1, a, x, entry->side == BENCH_RACE_LIBRARY);
        if (!(here <= entry->residual)) {
            entry->residual = here;
            entry->worst_set = buffers->set->name;
        }
    }
}

static lte_status check(bench_buffers *buffers, bench_race_entry *entry, int n_looked, bool failed)
{
    lte_status status = fetch(buffers);
    if (status)
        return status;
    for (int i = 0; i < buffers->count; i++)
        entry->flagged += buffers->host_flag[i] != 0 || buffers->host_info[i] != 0;
    const int n = n_looked < buffers->count ? n_looked : buffers->count;
    look(buffers, 0, n, entry);
    if (n < buffers->count)
        look(buffers, buffers->count - n, n, entry);
    if (failed)
        entry->wrong = "the call failed";
    else if (!(entry->residual <= residual_limit))
        entry->wrong = "wrong";
    else if (entry->flagged > 0)
        entry->wrong = "flags good matrices";
    return LTE_OK;
}

lte_status bench_buffers_check(bench_buffers *buffers, bench_race_entry *entry, int n_looked)
{
    lte_status status = poison(buffers);
    if (!status)
        status = bench_buffers_refresh(buffers, entry);
    if (status)
        return status;
    const bool failed = run_calls(buffers, entry) != LTE_OK;
    (void)cudaGetLastError(); /* of a library's failed launch; fetching shows what is worse */
    return check(buffers, entry, n_looked, failed);
}

/* The calls as a graph; NULL where the calls cannot be captured. */
static cudaGraphExec_t capture(bench_buffers *buffers, const bench_race_entry *entry)
{
    const cudaStream_t stream = buffers->device->stream;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess) {
        const bool good = run_calls(buffers, entry) == LTE_OK;
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

lte_status bench_buffers_capture(bench_buffers *buffers, int i, const bench_race_entry *entry)
{
    bench_race_entry found = *entry;
    buffers->graph[i] = capture(buffers, entry);
    if (!buffers->graph[i])
        return LTE_OK;
    lte_status status = poison(buffers);
    if (!status)
        status = bench_buffers_refresh(buffers, entry);
    if (!status)
        status = run_all(buffers, i, entry);
    if (!status)
        status = check(buffers, &found, buffers->count, false);
    if (!status && found.wrong) {
        (void)cudaGraphExecDestroy(buffers->graph[i]);
        buffers->graph[i] = NULL;
    }
    return status;
}

lte_status bench_buffers_time(bench_buffers *buffers, int i, const bench_race_entry *entry,
                              double *us)
{
    *us = 0.0;
    lte_status status = bench_buffers_refresh(buffers, entry);
    if (!status)
        status = bench_device_start(buffers->device,
                                    buffers->graph[i] ? 0 : QUEUE_US * buffers->n_calls);
    if (!status)
        status = run_all(buffers, i, entry);
    if (!status)
        status = bench_device_stop(buffers->device, us);
    *us /= buffers->n_calls;
    return status;
}
