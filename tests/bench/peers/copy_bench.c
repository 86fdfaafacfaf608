/* Entries that move as many bytes as a copy: checked, timed in turn, compared with it. */
#include "tests/bench/peers/copy_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* QUEUE_US: microseconds that queueing one call may take. */
enum { WARM_UP = 2, QUEUE_US = 20 };

/* A call's input and output, as often as there are calls. */
typedef struct {
    bench_device *device;
    const bench_copy_data *data;
    int n_calls;
    size_t in_pitch, out_pitch; /* from call to call: whole accesses of any size */
    char *d_in, *d_out;
    void *host_out; /* [out_bytes] */
} buffers;

static size_t pitch_of(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static void buffers_fini(buffers *a)
{
    (void)cudaFree(a->d_in);
    (void)cudaFree(a->d_out);
    free(a->host_out);
}

/* In every case a is for buffers_fini. */
static lte_status buffers_init(bench_device *device, const bench_copy_data *data, buffers *a)
{
    const size_t n = bench_device_calls(device, data->in_bytes + data->out_bytes);
    *a = (buffers){.device = device,
                   .data = data,
                   .n_calls = (int)n,
                   .in_pitch = pitch_of(data->in_bytes),
                   .out_pitch = pitch_of(data->out_bytes)};
    a->host_out = malloc(data->out_bytes);
    if (!a->host_out)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %zu bytes", data->out_bytes);
    lte_status status = LTE_CUDA(cudaMalloc((void **)&a->d_out, n * a->out_pitch));
    if (!status && data->in)
        status = LTE_CUDA(cudaMalloc((void **)&a->d_in, n * a->in_pitch));
    for (size_t k = 0; k < n && !status && data->in; k++)
        status = LTE_CUDA(cudaMemcpyAsync(a->d_in + k * a->in_pitch, data->in, data->in_bytes,
                                          cudaMemcpyHostToDevice, device->stream));
    return status ? status : LTE_CUDA(cudaStreamSynchronize(device->stream));
}

static lte_status run_calls(const buffers *a, const bench_copy_entry *entry)
{
    lte_status status = LTE_OK;
    for (int k = 0; k < a->n_calls && !status; k++) {
        const char *in = a->d_in ? a->d_in + (size_t)k * a->in_pitch : NULL;
        status = entry->run(entry, in, a->d_out + (size_t)k * a->out_pitch, a->device->stream);
    }
    return status;
}

/* All calls onto poisoned memory; the first and the last output are compared. */
static lte_status check(const buffers *a, bench_copy_entry *entry)
{
    const size_t bytes = a->data->out_bytes;
    lte_status status = LTE_CUDA(
        cudaMemsetAsync(a->d_out, 0xff, (size_t)a->n_calls * a->out_pitch, a->device->stream));
    if (status)
        return status;
    entry->wrong = run_calls(a, entry) != LTE_OK;
    (void)cudaGetLastError(); /* of a library's failed launch; fetching shows what is worse */
    for (int k = 0; k < a->n_calls && !status; k += a->n_calls - 1) {
        status = LTE_CUDA(cudaMemcpyAsync(a->host_out, a->d_out + (size_t)k * a->out_pitch, bytes,
                                          cudaMemcpyDeviceToHost, a->device->stream));
        if (!status)
            status = LTE_CUDA(cudaStreamSynchronize(a->device->stream));
        if (!status && entry->expected)
            entry->wrong = entry->wrong || memcmp(a->host_out, entry->expected, bytes) != 0;
    }
    return status;
}

/* Microseconds a call, over all calls. */
static lte_status time_calls(const buffers *a, const bench_copy_entry *entry, double *us)
{
    *us = 0.0;
    lte_status status = bench_device_start(a->device, QUEUE_US * a->n_calls);
    if (!status)
        status = run_calls(a, entry);
    if (!status)
        status = bench_device_stop(a->device, us);
    *us /= a->n_calls;
    return status;
}

static bool timed(const bench_copy_entry *entry)
{
    return !entry->absent && !entry->wrong;
}

/* All in turn, so that a drift of the clocks meets all alike. */
static lte_status measure(const buffers *a, int repetitions, bench_copy_entry *list, int n_list)
{
    double sample[BENCH_MAX_COPIES][BENCH_COPY_REPETITIONS];
    lte_status status = LTE_OK;
    for (int i = 0; i < n_list && !status; i++) {
        if (!list[i].absent)
            status = check(a, &list[i]);
    }
    for (int r = -WARM_UP; r < repetitions && !status; r++) {
        for (int i = 0; i < n_list && !status; i++) {
            const int next = (i + r + WARM_UP) % n_list; /* none always comes first */
            double us = 0.0;
            if (timed(&list[next]))
                status = time_calls(a, &list[next], &us);
            if (r >= 0)
                sample[next][r] = us;
        }
    }
    for (int i = 0; i < n_list && !status; i++)
        list[i].us = bench_percentiles_of(sample[i], timed(&list[i]) ? repetitions : 0);
    return status;
}

/* The fastest of one side, NULL without any. */
static const bench_copy_entry *best_of(const bench_copy_entry *list, int n_list,
                                       bench_copy_side side)
{
    const bench_copy_entry *best = NULL;
    for (int i = 0; i < n_list; i++) {
        if (list[i].side != side || list[i].us.samples == 0)
            continue;
        if (!best || list[i].us.median < best->us.median)
            best = &list[i];
    }
    return best;
}

static void add_row(const buffers *a, const bench_copy_entry *entry,
                    const bench_copy_entry *ceiling, const bench_copy_entry *library, json_t *rows)
{
    const double bytes = (double)(a->data->in_bytes + a->data->out_bytes);
    const double us = entry->us.median;
    json_t *row = json_pack("{s:s, s:s, s:s, s:s}", "what", a->data->what, "contender", entry->name,
                            "mapping", entry->mapping, "state",
                            entry->absent  ? entry->absent
                            : entry->wrong ? "wrong, not timed"
                                           : "timed");
    (void)json_array_append_new(rows, row);
    if (!timed(entry))
        return;
    (void)json_object_set_new(row, "calls", json_integer(a->n_calls));
    bench_row_percentiles(row, "us", entry->us);
    bench_row_real(row, "tb_per_s", 1e-6 * bytes / us);
    if (ceiling) {
        (void)json_object_set_new(row, "ceiling", json_string(ceiling->mapping));
        bench_row_real(row, "ceiling_us", ceiling->us.median);
        bench_row_real(row, "of_ceiling", ceiling->us.median / us);
    }
    if (library && entry->side == BENCH_COPY_OURS) {
        bench_row_real(row, "library_us", library->us.median);
        bench_row_real(row, "library_over_this", library->us.median / us);
    }
}

lte_status bench_copy_run(bench_device *device, const bench_copy_data *data, int repetitions,
                          bench_copy_entry *list, int n_list, json_t *rows)
{
    buffers a;
    lte_status status = buffers_init(device, data, &a);
    if (!status)
        status = measure(&a, repetitions, list, n_list);
    if (!status) {
        const bench_copy_entry *ceiling = best_of(list, n_list, BENCH_COPY_CEILING);
        const bench_copy_entry *library = best_of(list, n_list, BENCH_COPY_LIBRARY);
        for (int i = 0; i < n_list; i++)
            add_row(&a, &list[i], ceiling, library, rows);
    }
    buffers_fini(&a);
    return status;
}
