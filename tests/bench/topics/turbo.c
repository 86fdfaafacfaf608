/*
 * Topic turbo: decoders of the turbo code on one core and a device, over the sizes of code blocks.
 */
#include "kernels/backends/clock.h"
#include "kernels/coding/turbo_batch.h"
#include "phy/coding/turbo.h"
#include "tests/bench/topics/gpu_topics.h"
#include "tests/bench/peers/peer_programs.h"
#include "tests/bench/topics/turbo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_BLOCKS = BENCH_TURBO_BLOCKS, ITERATIONS = 6, LEAST_OF_DEVICE = 512 };

static const int sizes[] = {40, 104, 512, 1024, 2048, 4032, 4096, 5824, 6144};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static uint64_t random_state;

static double uniform(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(random_state >> 11) + 0.5) / 9007199254740992.0;
}

static void work_fini(bench_turbo *w)
{
    free(w->llr);
    free(w->bits);
    free(w->plain);
}

/* BPSK at 1 dB, LLRs times 4. In every case w is for work_fini. */
static lte_status work_init(int k, bench_turbo *w)
{
    const lte_code_block *block = lte_code_block_of(k);
    const size_t length = 3 * (size_t)lte_code_block_stream(block), all = N_BLOCKS * (size_t)k;
    const double variance = 1.5 / pow(10.0, 0.1), scale = 8.0 / variance;
    *w = (bench_turbo){.plan = {.block = block,
                                .windows = lte_code_block_windows(block),
                                .iterations = ITERATIONS}};
    w->llr = malloc(N_BLOCKS * length);
    w->bits = malloc(all);
    w->plain = malloc(all);
    uint8_t *d = malloc(length);
    if (!w->llr || !w->bits || !w->plain || !d) {
        free(d);
        return LTE_FAIL(LTE_ENOMEM, "no memory for code blocks");
    }
    random_state = (uint64_t)k;
    for (size_t i = 0; i < N_BLOCKS; i++) {
        for (int b = 0; b < k; b++)
            w->bits[b] = uniform() < 0.5;
        lte_turbo_encode(block, w->bits, d);
        for (size_t e = 0; e < length; e++) {
            const double noise = sqrt(-2.0 * log(uniform())) * cos(2.0 * M_PI * uniform());
            const double x = rint(scale * ((d[e] ? -1.0 : 1.0) + sqrt(variance) * noise));
            w->llr[i * length + e] = (int8_t)fmax(fmin(x, 127.0), -127.0);
        }
    }
    free(d);
    return LTE_OK;
}

/* Decodes all blocks so many times by one version; the plain one's bits are what is right. */
static lte_status time_version(const lte_turbo_version *version, int repetitions, bench_turbo *w,
                               bool *right)
{
    const size_t all = N_BLOCKS * (size_t)w->plan.block->k;
    const bool plain = version == lte_turbo_versions[0];
    uint8_t iterations[N_BLOCKS];
    lte_turbo_batch *batch = NULL;
    const lte_status status = lte_turbo_batch_create(version, &w->plan, 1, &batch);
    if (status)
        return status;
    for (int i = -1; i < repetitions; i++) { /* once before, to be checked */
        const double start_s = lte_seconds();
        lte_turbo_batch_run(batch, N_BLOCKS, w->llr, plain ? w->plain : w->bits, iterations);
        if (i >= 0)
            w->us[i] = 1e6 * (lte_seconds() - start_s);
    }
    *right = plain || memcmp(w->bits, w->plain, all) == 0;
    lte_turbo_batch_free(batch);
    return LTE_OK;
}

static void add_row(const lte_turbo_version *version, int repetitions, bench_turbo *w, bool right,
                    json_t *rows)
{
    const int k = w->plan.block->k;
    json_t *row = json_pack("{s:s, s:i, s:i, s:i, s:i, s:s}", "code", version->name, "k", k,
                            "windows", w->plan.windows, "lanes", version->lanes, "blocks", N_BLOCKS,
                            "state", right ? "timed" : "wrong, not timed");
    (void)json_array_append_new(rows, row);
    if (!right)
        return;
    const bench_percentiles us = bench_percentiles_of(w->us, repetitions);
    const double rate = (double)N_BLOCKS * k / us.median;
    bench_row_real(row, "bits_per_s", 1e6 * rate);
    bench_row_percentiles(row, "us", us);
}

/* What a peer says that it has reached, if it has said so of this size. */
static void add_peer(const bench_peer *peer, int k, json_t *rows)
{
    const double rate = bench_turbo_peer_rate(peer, k);
    if (!isfinite(rate))
        return;
    json_t *row = json_pack("{s:s, s:i, s:s}", "code", "peer", "k", k, "state", "as it says");
    (void)json_array_append_new(rows, row);
    bench_row_real(row, "bits_per_s", rate);
}

static lte_status run_device(const bench_options *options, json_t *rows)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < N_SIZES && !status; i++) {
        bench_turbo w;
        bool right = false;
        if (sizes[i] < LEAST_OF_DEVICE)
            continue;
        status = work_init(sizes[i], &w);
        if (!status) /* what is right */
            status = time_version(lte_turbo_versions[0], 1, &w, &right);
        if (!status)
            status = bench_gpu_turbo_run(options, &w, rows);
        work_fini(&w);
    }
    return status;
}

static lte_status run(const bench_options *options, json_t *rows)
{
    bench_peer peer;
    lte_status status = bench_turbo_peer_run(options, &peer);
    for (int i = 0; i < N_SIZES && !status; i++) {
        bench_turbo w;
        status = work_init(sizes[i], &w);
        for (int v = 0; lte_turbo_versions[v] && !status; v++) {
            const lte_turbo_version *version = lte_turbo_versions[v];
            const int repetitions = options->quick ? 1 : v == 0 ? 3 : BENCH_TURBO_REPETITIONS;
            bool right = false;
            if (!version->usable())
                continue;
            status = time_version(version, repetitions, &w, &right);
            if (!status)
                add_row(version, repetitions, &w, right, rows);
        }
        if (!status)
            add_peer(&peer, sizes[i], rows);
        work_fini(&w);
    }
    return status;
}

static const bench_column columns[] = {
    {"K", "k", BENCH_CELL_COUNT},
    {"windows", "windows", BENCH_CELL_COUNT},
    {"code", "code", BENCH_CELL_TEXT},
    {"code blocks", "blocks", BENCH_CELL_COUNT},
    {"state", "state", BENCH_CELL_TEXT},
    {"10^6 bits/s", "bits_per_s", BENCH_CELL_MEGA},
    {"of ceiling", "of_ceiling", BENCH_CELL_REAL},
    BENCH_TIME_COLUMNS,
};

const bench_topic bench_topic_turbo = {
    .name = "turbo",
    .group = "turbo",
    .title = "Turbo decoding, 6 iterations, one core",
    .note = "64 code blocks at once, bytes in and bits as bytes out; information bits. Each code's "
            "bits are those of the first, which is the definition.",
    .print = BENCH_COLUMNS(columns),
    .run = run,
};

const bench_topic bench_topic_gpu_turbo = {
    .name = "gpu-turbo",
    .group = "coded",
    .title = "Turbo decoding on the GPU, 6 iterations",
    .note = "Code blocks of a launch, bytes in and bits as bytes out, in the device's memory; "
            "information bits, which are those of the plain decoder. Ceiling: the instructions of "
            "the busiest pipe, maxima of 16 bits, as counted in the machine code, at 64 lanes a "
            "clock and multiprocessor and the highest clock.",
    .absent = bench_device_absent,
    .print = BENCH_COLUMNS(columns),
    .run = run_device,
};
