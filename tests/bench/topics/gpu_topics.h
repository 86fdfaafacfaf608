#ifndef LTE_TESTS_BENCH_GPU_TOPICS_H
#define LTE_TESTS_BENCH_GPU_TOPICS_H
/*
 * What the topics on the device measure. Builds without CUDA have their tables, to print stored
 * figures, and functions that say that there is no CUDA, from gpu_none.c.
 */

#include "tests/bench/bench.h"
#include "tests/bench/topics/turbo.h"

/* Why this machine cannot run them, or NULL. */
const char *bench_device_absent(void);

lte_status bench_race_run(const bench_options *options, json_t *rows);
lte_status bench_gpu_detector_run(const bench_options *options, json_t *rows);
lte_status bench_gpu_transpose_run(const bench_options *options, json_t *rows);
lte_status bench_gpu_product_run(const bench_options *options, json_t *rows);
lte_status bench_gpu_reference_run(const bench_options *options, json_t *rows);
lte_status bench_gpu_inverse_run(const bench_options *options, json_t *rows);
/* w: for one size; its plain bits are there. */
lte_status bench_gpu_turbo_run(const bench_options *options, bench_turbo *w, json_t *rows);

/* Median time of a launch that decodes n code blocks in so many iterations. */
lte_status bench_gpu_decoding_us(const lte_code_block *block, int iterations, int n, double *us);

/* What a slot on the device cannot be faster than. */
typedef struct {
    double launch_us;          /* p50 of an empty kernel, launched and waited for */
    double bus_bytes_per_s;    /* large copies from page-locked memory to the device */
    double memory_bytes_per_s; /* large copies within the device, bytes read and written */
} bench_gpu_ceilings;

/* Returns LTE_EDEVICE or LTE_ENOMEM. */
lte_status bench_gpu_ceilings_measure(bench_gpu_ceilings *ceilings);

#endif
