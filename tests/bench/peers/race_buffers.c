/* The buffers of the race for calls of one size; race_time.c runs over them. */
#include "tests/bench/peers/race_buffers.h"
#include "tests/bench/topics/gpu_kernels.h"

#include <stdlib.h>

/* Room for all calls' matrices and inverses together: four calls of 1e6 of order 8. */
static const size_t most_bytes = (size_t)4200 * 1000 * 1000;

enum { MAX_CALLS = 64 };

/* Calls of call_bytes each: beyond the L2, as far as there is room. */
static int calls_for(const bench_device *device, size_t call_bytes)
{
    const size_t wanted = bench_device_calls(device, call_bytes), room = most_bytes / call_bytes;
    const size_t n = wanted < room ? wanted : room;
    return n < 1 ? 1 : n > MAX_CALLS ? MAX_CALLS : (int)n;
}

void bench_buffers_free(bench_buffers *buffers)
{
    if (!buffers)
        return;
    const bench_race_call *d = &buffers->whole;
    void *const memory[] = {buffers->source, d->a,          d->x,    d->scratch, d->a_list,
                            d->x_list,       d->local_list, d->flag, d->info,    d->pivot};
    for (int i = 0; i < BENCH_MAX_RACE_ENTRIES; i++) {
        if (buffers->graph[i])
            (void)cudaGraphExecDestroy(buffers->graph[i]);
    }
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        (void)cudaFree(memory[i]);
    free(buffers->host_x);
    free(buffers->host_flag);
    free(buffers->host_info);
    free(buffers);
}

static lte_status allocate(bench_buffers *buffers)
{
    bench_race_call *d = &buffers->whole;
    const size_t count = (size_t)buffers->count, all = count * (size_t)buffers->n_calls;
    const struct {
        void **memory;
        size_t size;
    } list[] = {
        {(void **)&buffers->source, (size_t)buffers->n_source * buffers->matrix},
        {(void **)&d->a, all * buffers->matrix},
        {(void **)&d->x, all * buffers->matrix},
        {(void **)&d->scratch, count * buffers->matrix},
        {(void **)&d->a_list, all * sizeof(void *)},
        {(void **)&d->x_list, all * sizeof(void *)},
        {(void **)&d->local_list, 2 * count * sizeof(void *)},
        {(void **)&d->flag, count},
        {(void **)&d->info, count * sizeof(int)},
        {(void **)&d->pivot, count * (size_t)buffers->n * sizeof(int)},
    };
    lte_status status = LTE_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = LTE_CUDA(cudaMalloc(list[i].memory, list[i].size));
    buffers->host_x = malloc(count * buffers->matrix);
    buffers->host_flag = malloc(count);
    buffers->host_info = malloc(count * sizeof(int));
    if (!status && (!buffers->host_x || !buffers->host_flag || !buffers->host_info))
        status = LTE_FAIL(LTE_ENOMEM, "no memory to look at %d inverses", buffers->count);
    return status;
}

/* The set over and over in source, and the lists of addresses. */
static lte_status fill(bench_buffers *buffers)
{
    const cudaStream_t stream = buffers->device->stream;
    const int all = buffers->count * buffers->n_calls;
    lte_status status = LTE_OK;
    for (int at = 0; at < buffers->n_source && !status; at += buffers->set->count) {
        const int left = buffers->n_source - at;
        const size_t n = (size_t)(left < buffers->set->count ? left : buffers->set->count);
        char *to = (char *)buffers->source + (size_t)at * buffers->matrix;
        status = LTE_CUDA(cudaMemcpyAsync(to, buffers->set->a, n * buffers->matrix,
                                          cudaMemcpyHostToDevice, stream));
    }
    if (status)
        return status;
    bench_gpu_list(all, buffers->whole.a, buffers->matrix, buffers->whole.a_list, stream);
    bench_gpu_list(all, buffers->whole.x, buffers->matrix, buffers->whole.x_list, stream);
    status = LTE_CUDA(cudaGetLastError());
    return status ? status : LTE_CUDA(cudaStreamSynchronize(stream));
}

lte_status bench_buffers_create(bench_device *device, int n, int count, int n_calls,
                                const bench_race_set *set, bench_buffers **buffers)
{
    bench_buffers *made = *buffers = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the race");
    made->device = device;
    made->set = set;
    made->n = n;
    made->count = count;
    made->matrix = (size_t)n * (size_t)n * sizeof(lte_cf32);
    made->n_calls = n_calls > 0 ? n_calls : calls_for(device, 2 * (size_t)count * made->matrix);
    made->n_source = count > set->count ? count : set->count;
    lte_status status = allocate(made);
    if (!status)
        status = fill(made);
    if (status) {
        bench_buffers_free(made);
        *buffers = NULL;
    }
    return status;
}

bool bench_buffers_l2_resident(const bench_buffers *buffers)
{
    const size_t bytes = 2 * (size_t)buffers->n_calls * (size_t)buffers->count * buffers->matrix;
    return bytes < buffers->device->l2_bytes;
}

int bench_buffers_first(const bench_buffers *buffers, int k)
{
    return k % (buffers->n_source / buffers->count) * buffers->count;
}

bench_race_call bench_buffers_call(const bench_buffers *buffers, int k)
{
    bench_race_call call = buffers->whole;
    const ptrdiff_t first = (ptrdiff_t)k * buffers->count, n2 = (ptrdiff_t)buffers->n * buffers->n;
    call.n = buffers->n;
    call.count = buffers->count;
    call.a += first * n2;
    call.x += first * n2;
    call.a_list += first;
    call.x_list += first;
    return call;
}

lte_status bench_buffers_refresh(bench_buffers *buffers, const bench_race_entry *entry)
{
    const cudaStream_t stream = buffers->device->stream;
    const size_t size = (size_t)buffers->count * buffers->matrix;
    lte_status status = LTE_OK;
    for (int k = 0; k < buffers->n_calls && !status; k++) {
        const char *from =
            (char *)buffers->source + (size_t)bench_buffers_first(buffers, k) * buffers->matrix;
        char *to = (char *)buffers->whole.a + (size_t)k * size;
        status = LTE_CUDA(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream));
    }
    if (!status && entry->identity) {
        bench_gpu_identity(buffers->n, buffers->count * buffers->n_calls, buffers->whole.x, stream);
        status = LTE_CUDA(cudaGetLastError());
    }
    return status;
}
