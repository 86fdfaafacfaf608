/* The topics on the device in a build without CUDA. */
#include "tests/bench/gpu_ceilings.h"
#include "tests/bench/race_topics.h"
#include "tests/bench/report.h"

const char *lte_race_absent(void)
{
    return "this build has no CUDA";
}

lte_status lte_race_run(const lte_bench_options *options, json_t *rows)
{
    (void)options;
    (void)rows;
    return LTE_FAIL(LTE_EDEVICE, "%s", lte_race_absent());
}

lte_status lte_race_detector_run(const lte_bench_options *options, json_t *rows)
{
    return lte_race_run(options, rows);
}

lte_status lte_gpu_transpose_run(const lte_bench_options *options, json_t *rows)
{
    return lte_race_run(options, rows);
}

lte_status lte_gpu_reference_run(const lte_bench_options *options, json_t *rows)
{
    return lte_race_run(options, rows);
}

lte_status lte_gpu_ceilings_measure(lte_gpu_ceilings *ceilings)
{
    *ceilings = (lte_gpu_ceilings){0};
    return LTE_FAIL(LTE_EDEVICE, "%s", lte_race_absent());
}

json_t *lte_machine_gpu(void)
{
    return NULL;
}
