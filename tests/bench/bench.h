#ifndef LTE_TESTS_BENCH_BENCH_H
#define LTE_TESTS_BENCH_BENCH_H
/*
 * What the topics of the benchmark share: the options and the topics.
 *
 * To add a topic: its file with a constant bench_topic, and its line in the list of ltebench.c.
 */

#include <jansson.h>
#include <stdbool.h>

#include "phy/base/status.h"
#include "tests/bench/tables/table.h"

enum { BENCH_MAX_PEERS = 4 };

/* The strings are those of argv. */
typedef struct {
    bool quick;
    bool help;
    bool race;           /* the topics on the device alone */
    const char *only;    /* a topic; NULL: all */
    const char *json;    /* file to write; NULL: none */
    const char *sweep;   /* command whose memory is measured; NULL: none */
    const char *program; /* ltesim; NULL: that of the same build */
    const char
        *peers[BENCH_MAX_PEERS]; /* "cpu:v4=PATH", "torch=COMMAND", "turbo=COMMAND" or "PATH" */
    int n_peers;
    const char *figures; /* folder of stored files whose figures are printed; NULL: measure */
    const char *update;  /* document whose figures are replaced */
    const char *check;   /* document whose figures are compared */
    const char *beside;  /* folder of stored files to print beside what is measured; NULL: none */
} bench_options;

/*
 * Reads the command line.
 *
 * Returns LTE_EINVAL for anything that is not an option, lacks its value or does not go together.
 */
lte_status bench_options_parse(int argc, char **argv, bench_options *options);

/* One topic: measures rows, which are printed and stored. */
typedef struct {
    const char *name;  /* --only, and the key in the JSON */
    const char *group; /* "cpu", "turbo", "growth", "coded" or, run by --race, "cuda" */
    const char *title; /* what is compared with what */
    const char *note;  /* how */
    /* Why this machine cannot run it, or NULL; itself NULL: every machine can. */
    const char *(*absent)(void);
    bench_columns print;
    /* Appends objects to rows. */
    lte_status (*run)(const bench_options *options, json_t *rows);
} bench_topic;

extern const bench_topic bench_topic_memory;
extern const bench_topic bench_topic_inversion;
extern const bench_topic bench_topic_sweep;
extern const bench_topic bench_topic_slot;
extern const bench_topic bench_topic_turbo;
extern const bench_topic bench_topic_growth;
extern const bench_topic bench_topic_race;
extern const bench_topic bench_topic_detector;
extern const bench_topic bench_topic_gpu_turbo;
extern const bench_topic bench_topic_gpu_coded;
extern const bench_topic bench_topic_gpu_clock;
extern const bench_topic bench_topic_gpu_sweep;
extern const bench_topic bench_topic_gpu_slot;
extern const bench_topic bench_topic_gpu_channels;
extern const bench_topic bench_topic_gpu_massive;
extern const bench_topic bench_topic_transpose;
extern const bench_topic bench_topic_reference;
extern const bench_topic bench_topic_product;
extern const bench_topic bench_topic_inverse_large;
extern const bench_topic bench_topic_inverse_large_cpu;

/* Every topic, in the order of a run; NULL ends the list. */
extern const bench_topic *const bench_topics[];

typedef struct {
    int samples;
    double median, min, max;
} bench_percentiles;

/* Sorts the n samples; NAN without any. */
bench_percentiles bench_percentiles_of(double *sample, int n);

/* The smallest of the n sorted samples that a share p of them does not exceed (nearest rank). */
double bench_percentile(const double *sorted, int n, double p);

/* row[key] = value; a value that is not finite leaves the cell empty. */
void bench_row_real(json_t *row, const char *key, double value);

/* row["samples"], row["median_" unit], row["min_" unit] and row["max_" unit]. */
void bench_row_percentiles(json_t *row, const char *unit, bench_percentiles spread);

#endif
