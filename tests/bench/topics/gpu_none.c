/* The topics on the device in a build without CUDA. */
#include "tests/bench/topics/gpu_topics.h"
#include "tests/bench/tables/report.h"

const char *bench_device_absent(void)
{
    return "this build has no CUDA";
}

lte_status bench_race_run(const bench_options *options, json_t *rows)
{
    (void)options;
    (void)rows;
    return LTE_FAIL(LTE_EDEVICE, "%s", bench_device_absent());
}

lte_status bench_gpu_detector_run(const bench_options *options, json_t *rows)
{
    return bench_race_run(options, rows);
}

lte_status bench_gpu_transpose_run(const bench_options *options, json_t *rows)
{
    return bench_race_run(options, rows);
}

lte_status bench_gpu_product_run(const bench_options *options, json_t *rows)
{
    return bench_race_run(options, rows);
}

lte_status bench_gpu_reference_run(const bench_options *options, json_t *rows)
{
    return bench_race_run(options, rows);
}

lte_status bench_gpu_inverse_run(const bench_options *options, json_t *rows)
{
    return bench_race_run(options, rows);
}

lte_status bench_gpu_turbo_run(const bench_options *options, bench_turbo *w, json_t *rows)
{
    (void)w;
    return bench_race_run(options, rows);
}

lte_status bench_gpu_decoding_us(const lte_code_block *block, int iterations, int n, double *us)
{
    (void)block;
    (void)iterations;
    (void)n;
    *us = 0.0;
    return LTE_FAIL(LTE_EDEVICE, "%s", bench_device_absent());
}

lte_status bench_gpu_ceilings_measure(bench_gpu_ceilings *ceilings)
{
    *ceilings = (bench_gpu_ceilings){0};
    return LTE_FAIL(LTE_EDEVICE, "%s", bench_device_absent());
}

json_t *bench_machine_gpu(void)
{
    return NULL;
}
