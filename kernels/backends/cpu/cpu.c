/* The CPU backends: engine and sweep; slot periods are in cpu_slots.c, tables in cpu_backend.c. */
#include "kernels/backends/cpu/cpu.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/backends/cpu/cpu_engine.h"
#include "kernels/backends/processor.h"
#include "kernels/coding/counted.h"
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
    for (int t = 0; engine->worker && t < engine->n_threads; t++)
        lte_code_worker_free(engine->worker[t]);
    free(engine->worker);
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

static lte_status no_workers(lte_engine *engine)
{
    (void)engine;
    return LTE_OK;
}

/* A worker of the code for each thread. */
static lte_status make_workers(lte_engine *engine)
{
    lte_status status = LTE_OK;
    engine->worker = calloc((size_t)engine->n_threads, sizeof(lte_code_worker *));
    if (!engine->worker)
        return LTE_FAIL(LTE_ENOMEM, "no memory for %d threads", engine->n_threads);
    for (int t = 0; t < engine->n_threads && !status; t++)
        status = lte_code_worker_create(engine->link.output.code, &engine->link,
                                        engine->most_detectors, &engine->worker[t]);
    return status;
}

/* The start of a sweep, as lte_sweep_ops has it. */
typedef struct {
    lte_noise noise;
    const lte_detector *detectors;
    int n_detectors;
    uint64_t first;
    int n_slots;
    lte_power *power;
    uint32_t *errors;
} sweep_job;

/* What of a sweep differs by what is counted of the link. */
typedef struct {
    lte_status (*create)(lte_engine *engine);
    void (*run)(lte_engine *engine, const sweep_job *job);
} sweep_kind;
static const sweep_kind *kind_of(const lte_link *link);

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
    if (!status)
        status = kind_of(link)->create(made);
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

/*
 * Four groups of slots for each thread, so that none waits long; a look at signals and the clock
 * between.
 */
static void sweep_sizes(const lte_engine *engine, int *fewest, int *most)
{
    const int together = lte_slots_together(&engine->link);
    const int four_each = 4 * engine->n_threads * together;
    const int least = (MIN_SWEEP_SLOTS + together - 1) / together * together;
    *fewest = *most = four_each > least ? four_each : least;
}

static void sweep_slots(lte_engine *engine, const sweep_job *job)
{
    const int n_counts = engine->link.output.n_counts;
#pragma omp parallel for schedule(dynamic) num_threads(engine->n_threads)
    for (int i = 0; i < job->n_slots; i++)
        engine->stages->sweep_slot(
            &engine->link, job->noise, job->detectors, job->n_detectors, job->first + (uint64_t)i,
            lte_cpu_work(engine), &job->power[i],
            &job->errors[lte_counts_at(n_counts, (ptrdiff_t)i * job->n_detectors)]);
}

/* Whole groups of a link that carries a code. */
static void sweep_groups(lte_engine *engine, const sweep_job *job)
{
    const lte_link *link = &engine->link;
    const int of_group = lte_slots_together(link), n_processes = lte_processes_together(link);
    const int n = job->n_slots / of_group * n_processes;
    const uint64_t process = job->first / (uint64_t)of_group * (uint64_t)n_processes;
    const ptrdiff_t n_rows = (ptrdiff_t)job->n_slots * job->n_detectors;
    const size_t n_counts = (size_t)lte_counts_at(link->output.n_counts, n_rows);
    const lte_code_rows rows = {job->power, job->errors, job->first, job->n_detectors};
    memset(job->power, 0, (size_t)job->n_slots * sizeof *job->power);
    memset(job->errors, 0, n_counts * sizeof *job->errors);
#pragma omp parallel for schedule(dynamic) num_threads(engine->n_threads)
    for (int i = 0; i < n; i++)
        lte_code_run(engine->worker[omp_get_thread_num()], engine->stages, job->noise,
                     job->detectors, process + (uint64_t)i, lte_cpu_work(engine), &rows);
}

static const sweep_kind *kind_of(const lte_link *link)
{
    static const sweep_kind kinds[LTE_N_COUNTED] = {
        [LTE_COUNTED_BITS] = {no_workers, sweep_slots},
        [LTE_COUNTED_LLRS] = {no_workers, sweep_slots},
        [LTE_COUNTED_BLOCKS] = {make_workers, sweep_groups},
    };
    return &kinds[link->output.counted];
}

static lte_status sweep_start(lte_engine *engine, lte_noise noise, const lte_detector *detectors,
                              int n_detectors, uint64_t first, int n_slots, lte_power *power,
                              uint32_t *errors)
{
    const sweep_job job = {noise, detectors, n_detectors, first, n_slots, power, errors};
    const int together = lte_slots_together(&engine->link);
    if (n_detectors > engine->most_detectors)
        return LTE_FAIL(LTE_EINVAL, "a start of a sweep has %d detectors (at most %d)", n_detectors,
                        engine->most_detectors);
    if (engine->link.output.counted == LTE_COUNTED_BLOCKS &&
        (first % (uint64_t)together != 0 || n_slots % together != 0))
        return LTE_FAIL(LTE_EINVAL,
                        "a start of a sweep has %d slots from %llu on (multiples of %d)", n_slots,
                        (unsigned long long)first, together);
    kind_of(&engine->link)->run(engine, &job);
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
