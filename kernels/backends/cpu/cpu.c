/* The CPU backends: engine and sweep; slot periods are in cpu_slots.c, tables in cpu_backend.c. */
#include "kernels/backends/cpu/cpu.h"

#include <assert.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/backends/cpu/cpu_engine.h"
#include "kernels/backends/processor.h"
#include "phy/detection/plugin.h"

enum { MIN_SWEEP_SLOTS = 16 };

lte_status lte_cpu_describe(int i, lte_device *device)
{
    (void)i;
    *device = (lte_device){0};
    lte_processor_name(device->name, sizeof device->name);
    return LTE_OK;
}

void lte_cpu_free(lte_engine *engine)
{
    if (!engine)
        return;
    lte_cpu_slots_fini(&engine->slots);
    for (int t = 0; engine->coded && t < engine->n_threads; t++)
        lte_code_worker_free(engine->coded[t]);
    free(engine->coded);
    free(engine->work);
    free(engine);
}

static void *wait_for_gate(void *gate)
{
    (void)pthread_mutex_lock(gate);
    (void)pthread_mutex_unlock(gate);
    return NULL;
}

lte_status lte_cpu_make_threads(int n)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    static atomic_int tried;  /* so many were there before: OpenMP may still have them */
    int made = 1, reason = 0; /* this one */
    if (n <= atomic_load(&tried))
        return LTE_OK;
    pthread_t *others = calloc((size_t)n, sizeof *others);
    if (!others)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d threads", n);
    (void)pthread_mutex_lock(&gate); /* all are there at once */
    while (made < n && !(reason = pthread_create(&others[made], NULL, wait_for_gate, &gate)))
        made++;
    (void)pthread_mutex_unlock(&gate);
    for (int i = 1; i < made; i++)
        (void)pthread_join(others[i], NULL);
    free(others);
    if (reason)
        return LTE_FAIL(LTE_ENOMEM,
                        "only %d of %d threads can be created: %s; use fewer with --threads", made,
                        n, strerror(reason));
    int there = 0;
#pragma omp parallel num_threads(n) reduction(+ : there)
    there++;
    atomic_store(&tried, there);
    return LTE_OK;
}

static lte_status make_coded(lte_engine *engine)
{
    lte_status status = LTE_OK;
    engine->coded = calloc((size_t)engine->n_threads, sizeof(lte_code_worker *));
    if (!engine->coded)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d threads", engine->n_threads);
    for (int t = 0; t < engine->n_threads && !status; t++)
        status = lte_code_worker_create(engine->link.output.code, &engine->link,
                                        engine->most_detectors, &engine->coded[t]);
    return status;
}

lte_status lte_cpu_create(const lte_backend *self, const lte_link *link,
                          const lte_engine_options *options, lte_engine **engine)
{
    *engine = NULL;
    lte_engine *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for an engine");
    made->stages = self->stages;
    made->link = *link;
    made->n_threads = options->n_threads > 0 ? options->n_threads : omp_get_num_procs();
    made->most_detectors = lte_engine_detectors(options);
    made->work_size = lte_sweep_work(link, made->most_detectors);
    made->work = aligned_alloc(64, (size_t)made->n_threads * made->work_size);
    lte_status status = made->work ? lte_cpu_slots_init(link, &made->slots)
                                   : LTE_FAIL(LTE_ENOMEM, "no memory for the work of a sweep");
    if (!status && link->output.code)
        status = make_coded(made);
    if (!status)
        status = lte_cpu_make_threads(made->n_threads);
    if (status) {
        lte_cpu_free(made);
        return status;
    }
    *engine = made;
    return LTE_OK;
}

int lte_cpu_threads(const lte_engine *engine)
{
    return engine->n_threads;
}

const char *lte_cpu_choices(const lte_engine *engine)
{
    (void)engine;
    return "one matrix per SIMD lane, fused stages";
}

/* Four slots for each thread, so that none waits long; a look at signals and the clock between. */
static void sweep_sizes(const lte_engine *engine, int *fewest, int *most)
{
    const int four_each = 4 * engine->n_threads;
    *fewest = *most = four_each > MIN_SWEEP_SLOTS ? four_each : MIN_SWEEP_SLOTS;
    if (engine->link.output.code)
        *fewest = *most = four_each * lte_code_group_slots(&engine->link.output.code->plan);
}

/* Whole groups of a link that carries a code. */
static void sweep_groups(lte_engine *engine, lte_noise noise, const lte_detector *detectors,
                         int n_detectors, uint64_t first, int n_slots, lte_power *power,
                         uint32_t *errors)
{
    const lte_code_plan *plan = &engine->link.output.code->plan;
    const int of_group = lte_code_group_slots(plan), n_groups = n_slots / of_group;
    const int n_processes = lte_code_processes(plan);
    const uint64_t process = first / (uint64_t)of_group * (uint64_t)n_processes;
    const size_t n_counts =
        (size_t)lte_counts_at(engine->link.output.n_counts, (ptrdiff_t)n_slots * n_detectors);
    const lte_code_rows rows = {power, errors, first, n_detectors};
    assert(first % (uint64_t)of_group == 0 && n_slots % of_group == 0);
    memset(power, 0, (size_t)n_slots * sizeof *power);
    memset(errors, 0, n_counts * sizeof *errors);
#pragma omp parallel for schedule(dynamic) num_threads(engine->n_threads)
    for (int i = 0; i < n_groups * n_processes; i++)
        lte_code_run(engine->coded[omp_get_thread_num()], engine->stages, noise, detectors,
                     process + (uint64_t)i, lte_cpu_work(engine), &rows);
}

static lte_status sweep_start(lte_engine *engine, lte_noise noise, const lte_detector *detectors,
                              int n_detectors, uint64_t first, int n_slots, lte_power *power,
                              uint32_t *errors)
{
    const int n_counts = engine->link.output.n_counts;
    assert(n_detectors <= engine->most_detectors);
    if (engine->link.output.code) {
        sweep_groups(engine, noise, detectors, n_detectors, first, n_slots, power, errors);
        return LTE_OK;
    }
#pragma omp parallel for schedule(dynamic) num_threads(engine->n_threads)
    for (int i = 0; i < n_slots; i++)
        engine->stages->sweep_slot(&engine->link, noise, detectors, n_detectors,
                                   first + (uint64_t)i, lte_cpu_work(engine), &power[i],
                                   &errors[lte_counts_at(n_counts, (ptrdiff_t)i * n_detectors)]);
    return LTE_OK;
}

static bool sweep_is_done(lte_engine *engine)
{
    (void)engine;
    return true;
}

static lte_status sweep_wait(lte_engine *engine)
{
    (void)engine;
    return lte_plugin_check();
}

const lte_sweep_ops lte_cpu_sweep_ops = {
    .ahead = false,
    .sizes = sweep_sizes,
    .start = sweep_start,
    .is_done = sweep_is_done,
    .wait = sweep_wait,
};

/* On large pages where the system gives them: a slot reads dozens of planes at once, each on pages
 * of its own. */
lte_status lte_cpu_host_alloc(lte_engine *engine, size_t size, void **memory)
{
    const size_t page = (size_t)2 << 20;
    const size_t rounded = (size + page - 1) / page * page;
    (void)engine;
    *memory = aligned_alloc(page, rounded);
    if (!*memory)
        return LTE_FAIL(LTE_ENOMEM, "no memory: %zu bytes", size);
    (void)madvise(*memory, rounded, MADV_HUGEPAGE); /* a wish: refused, it costs only time */
    return LTE_OK;
}

void lte_cpu_host_free(lte_engine *engine, void *memory)
{
    (void)engine;
    free(memory);
}
