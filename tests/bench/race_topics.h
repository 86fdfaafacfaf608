#ifndef LTE_TESTS_BENCH_RACE_TOPICS_H
#define LTE_TESTS_BENCH_RACE_TOPICS_H
/*
 * What the topics on the device measure. Builds without CUDA have their tables, to print stored
 * figures, and functions that say that there is no CUDA, from race_none.c.
 */

#include "tests/bench/bench.h"

/* Why this machine cannot run them, or NULL. */
const char *lte_race_absent(void);

lte_status lte_race_run(const lte_bench_options *options, json_t *rows);
lte_status lte_race_detector_run(const lte_bench_options *options, json_t *rows);
lte_status lte_gpu_transpose_run(const lte_bench_options *options, json_t *rows);
lte_status lte_gpu_reference_run(const lte_bench_options *options, json_t *rows);

#endif
