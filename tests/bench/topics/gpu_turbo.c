/* Topic turbo: the decoder on a device, over batches. */
#include "kernels/coding/turbo_cuda.h"
#include "tests/bench/gpu_device.h"
#include "tests/bench/topics/gpu_topics.h"

#include <stdlib.h>
#include <string.h>

/* Code blocks of a call: of K bits so many that they have as many bits as these of the longest. */
static const int batches[] = {64, 1056, 4224, 33792};
enum {
    N_BATCHES = sizeof batches / sizeof *batches,
    WARM_UP = 2,
    REPETITIONS = 21,
    QUIET_REPETITIONS = 9,
    QUEUE_US = 50
};

/*
 * Instructions of the pipe for maxima and permutations that a thread takes for a step of its
 * window, and for one outside it; counted in the machine code of compute capability 9.0. A
 * multiprocessor begins 64 of a thread's a clock; additions go through another pipe.
 */
enum { OF_STEP = 51, OF_STEP_OUTSIDE = 11, LANES_PER_CLOCK = 64 };

/* The size's code blocks over and over. */
typedef struct {
    bench_device device;
    lte_turbo_cuda *decoder;
    int8_t *d_llr;
    uint8_t *d_bits, *d_iterations;
    uint8_t *bits; /* [k] of the blocks of a batch */
    int most;      /* blocks */
} work;

static int blocks_of(int batch, int k)
{
    return batch * (LTE_MAX_CODE_BLOCK / 8) / (k / 8);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void work_fini(work *a)
{
    lte_turbo_cuda_free(a->decoder);
    (void)cudaFree(a->d_llr);
    (void)cudaFree(a->d_bits);
    (void)cudaFree(a->d_iterations);
    free(a->bits);
    bench_device_close(&a->device);
}

/* A decoder, and its arrays of `most` code blocks. In every case a is for work_fini. */
static lte_status work_open(const lte_turbo_plan *plan, int most, work *a)
{
    const size_t n = (size_t)most, k = plan->block->k;
    *a = (work){.most = most};
    lte_status status = bench_device_open(&a->device);
    if (!status)
        status = lte_turbo_cuda_create(plan, &a->decoder);
    if (!status)
        status = LTE_CUDA(
            cudaMalloc((void **)&a->d_llr, n * 3 * (size_t)lte_code_block_stream(plan->block)));
    if (!status)
        status = LTE_CUDA(cudaMalloc((void **)&a->d_bits, n * k));
    if (!status)
        status = LTE_CUDA(cudaMalloc((void **)&a->d_iterations, n));
    return status;
}

/* The same with the size's code blocks in them. */
static lte_status work_init(const bench_turbo *w, work *a)
{
    const size_t k = w->plan.block->k;
    const size_t size = 3 * (size_t)lte_code_block_stream(w->plan.block);
    lte_status status = work_open(&w->plan, blocks_of(batches[N_BATCHES - 1], w->plan.block->k), a);
    const size_t n = (size_t)a->most;
    a->bits = malloc(n * k);
    if (!status && !a->bits)
        status = LTE_FAIL(LTE_ENOMEM, "no memory for %d code blocks", a->most);
    for (size_t i = 0; i < n && !status; i += BENCH_TURBO_BLOCKS)
        status =
            LTE_CUDA(cudaMemcpy(a->d_llr + i * size, w->llr,
                                least(BENCH_TURBO_BLOCKS, n - i) * size, cudaMemcpyHostToDevice));
    return status;
}

static lte_status check(const bench_turbo *w, int n, work *a, bool *right)
{
    const size_t k = w->plan.block->k, all = (size_t)n * k, part = BENCH_TURBO_BLOCKS * k;
    lte_status status = LTE_CUDA(cudaMemset(a->d_bits, 2, all));
    if (!status)
        status = lte_turbo_cuda_run(a->decoder, n, a->d_llr, a->d_bits, a->d_iterations,
                                    a->device.stream);
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(a->device.stream));
    if (!status)
        status = LTE_CUDA(cudaMemcpy(a->bits, a->d_bits, all, cudaMemcpyDeviceToHost));
    *right = !status;
    for (size_t i = 0; i < all && *right; i += part)
        *right = memcmp(a->bits + i, w->plain, least(part, all - i)) == 0;
    return status;
}

static lte_status measure(int n, int repetitions, work *a, double *us)
{
    lte_status status = LTE_OK;
    for (int i = -WARM_UP; i < repetitions && !status; i++) {
        double taken = 0.0;
        status = bench_device_start(&a->device, QUEUE_US);
        if (!status)
            status = lte_turbo_cuda_run(a->decoder, n, a->d_llr, a->d_bits, a->d_iterations,
                                        a->device.stream);
        if (!status)
            status = bench_device_stop(&a->device, &taken);
        if (i >= 0)
            us[i] = taken;
    }
    return status;
}

/* 10^6 bits a second that the device's instructions allow. */
static double ceiling_of(const lte_turbo_plan *plan)
{
    const double length = lte_turbo_length(plan), outside = 2.0 * lte_turbo_overlap(plan);
    const double of_bit =
        OF_STEP + (plan->windows - 1) * outside / (plan->windows * length) * OF_STEP_OUTSIDE;
    int clock_khz = 0, processors = 0;
    (void)cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0);
    (void)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    return 1e-3 * clock_khz * processors * LANES_PER_CLOCK * 2.0 /
           (2.0 * plan->iterations * of_bit);
}

static void add_row(const bench_turbo *w, int n, bool right, bench_percentiles us, json_t *rows)
{
    const int k = w->plan.block->k;
    json_t *row =
        json_pack("{s:s, s:i, s:i, s:i, s:s}", "code", "cuda", "k", k, "windows", w->plan.windows,
                  "blocks", n, "state", right ? "timed" : "wrong, not timed");
    (void)json_array_append_new(rows, row);
    if (!right)
        return;
    const double rate = (double)n * k / us.median;
    bench_row_real(row, "bits_per_s", 1e6 * rate);
    bench_row_real(row, "of_ceiling", rate / ceiling_of(&w->plan));
    bench_row_percentiles(row, "us", us);
}

lte_status bench_gpu_turbo_run(const bench_options *options, bench_turbo *w, json_t *rows)
{
    const int repetitions = options->quick ? 3 : REPETITIONS;
    work a;
    lte_status status = work_init(w, &a);
    for (int i = 0; i < N_BATCHES && !status; i++) {
        const int n = blocks_of(batches[i], w->plan.block->k);
        bench_percentiles us = {0};
        bool right = false;
        status = check(w, n, &a, &right);
        if (!status && right) {
            status = measure(n, repetitions, &a, w->us);
            us = bench_percentiles_of(w->us, repetitions);
        }
        if (!status)
            add_row(w, n, right, us, rows);
    }
    work_fini(&a);
    return status;
}

lte_status bench_gpu_decoding_us(const lte_code_block *block, int iterations, int n, double *us)
{
    const size_t size = 3 * (size_t)lte_code_block_stream(block);
    const lte_turbo_plan plan = {
        .block = block, .windows = lte_code_block_windows(block), .iterations = iterations};
    double times[QUIET_REPETITIONS];
    work a;
    lte_status status = work_open(&plan, n, &a);
    if (!status) /* the time is that of any */
        status = LTE_CUDA(cudaMemset(a.d_llr, 1, (size_t)n * size));
    if (!status)
        status = measure(n, QUIET_REPETITIONS, &a, times);
    if (!status)
        *us = bench_percentiles_of(times, QUIET_REPETITIONS).median;
    work_fini(&a);
    return status;
}
