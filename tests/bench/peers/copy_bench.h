#ifndef LTE_TESTS_BENCH_COPY_BENCH_H
#define LTE_TESTS_BENCH_COPY_BENCH_H
/*
 * Entries on the device that are held to a copy or a fill of the same bytes: checked bit by bit,
 * then timed in turn, over buffers that together exceed three times the L2.
 *
 *     bench_copy_entry list[] = {
 *         {.name = "copy", .side = BENCH_COPY_CEILING, .expected = a, .run = copy},
 *         {.name = "version 2", .expected = x, .run = version2}};
 *     const bench_copy_data data = {"float", a, bytes, bytes};
 *     status = bench_copy_run(&device, &data, repetitions, list, 2, rows);
 */

#include "tests/bench/gpu_device.h"

typedef enum {
    BENCH_COPY_OURS,
    BENCH_COPY_LIBRARY,
    BENCH_COPY_CEILING /* moves the bytes and does nothing else */
} bench_copy_side;

enum { BENCH_MAX_COPIES = 8, BENCH_COPY_REPETITIONS = 51 };

typedef struct bench_copy_entry bench_copy_entry;
struct bench_copy_entry {
    const char *name;
    const char *mapping; /* which thread moves what */
    bench_copy_side side;
    int version;          /* ours */
    const char *absent;   /* why it cannot run; NULL: it can */
    const void *expected; /* [out_bytes], what it must write; NULL: anything */
    const void *with;     /* what run needs to know, and version */
    /* Both addresses are multiples of 256, as is the room behind them. */
    lte_status (*run)(const bench_copy_entry *self, const void *d_in, void *d_out,
                      cudaStream_t stream);

    /* what is found */
    bool wrong;
    bench_percentiles us; /* of a call; no samples if it was not timed */
};

/* What all entries move. */
typedef struct {
    const char *what;
    const void *in; /* [in_bytes] in host memory; NULL: nothing is read */
    size_t in_bytes, out_bytes;
} bench_copy_data;

/*
 * Checks and times the entries of list [n_list] and appends a row for each. A library's failed
 * call makes it wrong. Returns LTE_ENOMEM or LTE_EDEVICE.
 */
lte_status bench_copy_run(bench_device *device, const bench_copy_data *data, int repetitions,
                          bench_copy_entry *list, int n_list, json_t *rows);

#endif
