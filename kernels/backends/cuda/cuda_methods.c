/*
 * The methods by themselves on a CUDA device: what a job has is copied there, a version is started
 * once and its results come back; then it is timed, as often as two milliseconds hold in one graph,
 * so that no launch is waited for.
 */
#include "kernels/backends/cuda/cuda_ops.h"

#include <stdlib.h>

#include "kernels/backends/cuda/cuda_batch.h"
#include "kernels/backends/cuda/cuda_memory.h"
#include "kernels/base/cuda_status.h"
#include "kernels/cuda/inversion/inversion_versions.h"
#include "kernels/methods/product/product_cuda.h"
#include "kernels/methods/reference/reference_cuda.h"
#include "kernels/methods/transpose/transpose_cuda.h"

enum { MOST_CALLS = 50, WARM_UP = 2, SAMPLES = 11 };

/* A job in the memory of a device. */
typedef struct {
    const lte_method_job *job;
    int version; /* from 0 */
    lte_product product;
    void *d_a, *d_b, *d_x, *d_flag, *d_work, *d_rows;
    size_t work_size;
    cudaStream_t stream;
} work;

/* The i-th version that takes the matrices of a job; NULL: there are fewer. */
static const lte_inversion_version *inversion_of(const lte_method_job *job, int i)
{
    for (const lte_inversion_version *v = lte_inversion_versions; v->name; v++) {
        if (v->inverter == job->inverter && lte_inversion_takes(v, LTE_CFLOAT, job->n) && i-- == 0)
            return v;
    }
    return NULL;
}

static const char *version(const lte_method_job *job, int i, const char **mapping)
{
    static const char *const names[] = {"version 1", "version 2"};
    static const char *const mappings[][2] = {
        [LTE_METHOD_TRANSPOSE] = {"thread per element, 16 x 16 tiles, as published",
                                  "16 bytes a time, swizzled tiles"},
        [LTE_METHOD_AZIMUTH] = {"thread per element, 16 x 16 a block, as published",
                                "16 bytes a time of 16 rows"},
        [LTE_METHOD_SEQUENCES] = {"thread per element, 16 x 16 a block, as published",
                                  "16 bytes a time of 16 rows"},
        [LTE_METHOD_PRODUCT] = {"thread per element, as published", "tiles in registers"}};
    if (job->kind == LTE_METHOD_INVERSES) {
        const lte_inversion_version *v = inversion_of(job, i);
        *mapping = v ? v->mapping : "";
        return v ? v->name : NULL;
    }
    *mapping = "";
    if (job->kind == LTE_METHOD_COPY || job->kind == LTE_METHOD_FILL)
        return i == 0 ? "copy" : NULL;
    if (i > 1)
        return NULL;
    *mapping = mappings[job->kind][i];
    return names[i];
}

static lte_status start(const work *w)
{
    const lte_method_job *j = w->job;
    float *const planes = w->d_x;
    switch (j->kind) {
    case LTE_METHOD_INVERSES:
        return lte_inversion_cuda(
            inversion_of(j, w->version),
            &(lte_inverse_batch){LTE_CFLOAT, j->n, j->count, w->d_a, w->d_x, w->d_flag, w->d_work},
            w->stream);
    case LTE_METHOD_TRANSPOSE:
        return lte_transpose_cuda(w->version + 1, j->element_size, 1, j->n, j->n, w->d_a, w->d_x,
                                  w->stream);
    case LTE_METHOD_AZIMUTH:
        return lte_reference_sar_cuda(w->version + 1, j->sar, j->n, j->n, planes,
                                      planes + (ptrdiff_t)j->n * j->n, w->stream);
    case LTE_METHOD_SEQUENCES:
        return lte_reference_zc_cuda(w->version + 1, j->zc, w->d_rows, j->n, j->n, w->d_x,
                                     w->stream);
    case LTE_METHOD_PRODUCT:
        return lte_product_cuda(w->version + 1, &w->product, w->d_a, w->d_b, w->d_x, w->stream);
    case LTE_METHOD_COPY:
        return LTE_CUDA(
            cudaMemcpyAsync(w->d_x, w->d_a, j->x_size, cudaMemcpyDeviceToDevice, w->stream));
    default:
        return LTE_CUDA(cudaMemsetAsync(w->d_x, 0, j->x_size, w->stream));
    }
}

static lte_status start_many(const work *w, int n)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < n && !status; i++)
        status = start(w);
    return status;
}

/* Microseconds of n calls, or of the graph that holds them. */
static lte_status time_once(const work *w, cudaGraphExec_t graph, int n, cudaEvent_t event[2],
                            double *us)
{
    float ms = 0.0f;
    lte_status status = LTE_CUDA(cudaEventRecord(event[0], w->stream));
    if (!status)
        status = graph ? LTE_CUDA(cudaGraphLaunch(graph, w->stream)) : start_many(w, n);
    if (!status)
        status = LTE_CUDA(cudaEventRecord(event[1], w->stream));
    if (!status)
        status = LTE_CUDA(cudaEventSynchronize(event[1]));
    if (!status)
        status = LTE_CUDA(cudaEventElapsedTime(&ms, event[0], event[1]));
    *us = 1e3 * (double)ms / n;
    return status;
}

/* A graph of n calls. */
static lte_status capture(const work *w, int n, cudaGraphExec_t *graph)
{
    cudaGraph_t calls = NULL;
    lte_status status =
        LTE_CUDA(cudaStreamBeginCapture(w->stream, cudaStreamCaptureModeThreadLocal));
    if (status)
        return status;
    status = start_many(w, n);
    const lte_status ended = LTE_CUDA(cudaStreamEndCapture(w->stream, &calls));
    status = status ? status : ended;
    if (!status)
        status = LTE_CUDA(cudaGraphInstantiate(graph, calls, 0));
    if (calls)
        (void)cudaGraphDestroy(calls);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static lte_status measure(const work *w, double *us)
{
    cudaEvent_t event[2] = {NULL, NULL};
    cudaGraphExec_t graph = NULL;
    double sample[SAMPLES], one = 0.0;
    lte_status status = LTE_CUDA(cudaEventCreate(&event[0]));
    if (!status)
        status = LTE_CUDA(cudaEventCreate(&event[1]));
    for (int i = 0; i < WARM_UP && !status; i++)
        status = time_once(w, NULL, 1, event, &one);
    const int fit = (int)(2000.0 / (one > 1.0 ? one : 1.0));
    const int n = fit < 1 ? 1 : fit > MOST_CALLS ? MOST_CALLS : fit;
    if (!status)
        status = capture(w, n, &graph);
    for (int i = -WARM_UP; i < SAMPLES && !status; i++)
        status = time_once(w, graph, n, event, &sample[i < 0 ? 0 : i]);
    if (!status) {
        qsort(sample, SAMPLES, sizeof *sample, by_size);
        *us = sample[SAMPLES / 2];
    }
    if (graph)
        (void)cudaGraphExecDestroy(graph);
    for (int i = 0; i < 2; i++) {
        if (event[i])
            (void)cudaEventDestroy(event[i]);
    }
    return status;
}

static lte_status copy_in(const work *w, void *to, const void *from, size_t size)
{
    return size ? LTE_CUDA(cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice, w->stream))
                : LTE_OK;
}

/* Memory and data of a job. */
static lte_status place(work *w)
{
    const lte_method_job *j = w->job;
    const size_t rows = j->rows ? (size_t)j->n * sizeof *j->rows : 0;
    const lte_cuda_wish wishes[] = {{&w->d_a, j->a_size},       {&w->d_b, j->b_size},
                                    {&w->d_x, j->x_size},       {&w->d_flag, (size_t)j->count},
                                    {&w->d_work, w->work_size}, {&w->d_rows, rows}};
    lte_status status = lte_cuda_alloc(wishes, sizeof wishes / sizeof *wishes);
    if (!status)
        status = copy_in(w, w->d_a, j->a, j->a ? j->a_size : 0);
    if (!status)
        status = copy_in(w, w->d_b, j->b, j->b_size);
    if (!status)
        status = copy_in(w, w->d_rows, j->rows, rows);
    return status ? status : LTE_CUDA(cudaMemsetAsync(w->d_x, 0xff, j->x_size, w->stream));
}

static lte_status bring_back(const work *w)
{
    const lte_method_job *j = w->job;
    lte_status status = LTE_OK;
    if (j->x)
        status =
            LTE_CUDA(cudaMemcpyAsync(j->x, w->d_x, j->x_size, cudaMemcpyDeviceToHost, w->stream));
    if (!status && j->flag)
        status = LTE_CUDA(cudaMemcpyAsync(j->flag, w->d_flag, (size_t)j->count,
                                          cudaMemcpyDeviceToHost, w->stream));
    return status ? status : LTE_CUDA(cudaStreamSynchronize(w->stream));
}

static lte_status run(int device, const lte_method_job *job, int i, double *us)
{
    const lte_cuda_batch batch = {.device = device};
    work w = {.job = job, .version = i};
    int before = 0;
    lte_status status = lte_cuda_batch_enter(&batch, &before);
    if (status)
        return status;
    if (job->kind == LTE_METHOD_INVERSES)
        w.work_size = lte_inversion_work(inversion_of(job, i), LTE_CFLOAT, job->n, job->count);
    if (job->product) {
        w.product = *job->product;
        w.product.a.memory = w.product.b.memory = w.product.c.memory = LTE_DEVICE;
    }
    status = LTE_CUDA(cudaStreamCreate(&w.stream));
    if (!status)
        status = place(&w);
    if (!status)
        status = start(&w);
    if (!status)
        status = bring_back(&w);
    if (!status)
        status = measure(&w, us);
    void *const all[] = {w.d_a, w.d_b, w.d_x, w.d_flag, w.d_work, w.d_rows};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        (void)cudaFree(all[k]);
    if (w.stream)
        (void)cudaStreamDestroy(w.stream);
    return lte_cuda_batch_leave(before, status);
}

const lte_method_ops lte_cuda_method_ops = {version, run};
