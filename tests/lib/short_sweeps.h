#ifndef LTE_TESTS_LIB_SHORT_SWEEPS_H
#define LTE_TESTS_LIB_SHORT_SWEEPS_H
/* Sweeps by rounds. */

#include "tests/lib/batch.h"

#include <stdlib.h>

#include "kernels/backends/backend.h"
#include "tests/lib/sweeps.h"

struct lte_engine {
    lte_link link;
    bool busy;
    lte_noise noise;
    lte_detector detectors[LTE_N_DETECTORS];
    int n_detectors, n_slots;
    uint64_t first;
    lte_power *power;
    uint32_t *errors;
};

/* By a backend that does not work ahead: one round after the other. */
static void run_by_rounds(const lte_backend *backend, const lte_scenario *s, lte_sweep *sweep)
{
    const lte_link link = scenario_link(s);
    const lte_engine_options options = {.n_threads = 1, .n_detectors = s->n_detectors};
    lte_engine *engine = NULL;
    assert_int_equal(backend->create(backend, &link, &options, &engine), LTE_OK);
    lte_worker worker = lte_worker_of(backend, engine);
    assert_int_equal(lte_sweep_run(sweep, &worker, 1, NULL, NULL), LTE_OK);
    backend->free(engine);
}

static lte_sweep *by_rounds_of(const lte_backend *backend, const lte_scenario *s)
{
    lte_sweep *sweep = new_sweep(s);
    run_by_rounds(backend, s, sweep);
    return sweep;
}

static lte_sweep *by_rounds(const lte_scenario *s)
{
    return by_rounds_of(lte_backends[0], s);
}

#endif
