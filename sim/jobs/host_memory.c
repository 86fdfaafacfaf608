/* The large pieces of memory of a run, summed up as their owners take them. */
#include "sim/jobs/host_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernels/backends/backend.h"
#include "kernels/coding/blocks.h"
#include "kernels/coding/counted.h"
#include "kernels/link/layouts.h"
#include "sim/files/refuse.h"
#include "sim/jobs/sweep/sweep.h"

/* What is asked for, and for what: the parts whose keys a user can change. */
enum { PROGRAM, STORED, DISTINCT, CARRIERS, SLOTS, THREADS, POINTS, ROUNDS, DUMP, N_PARTS };

enum {
    PROGRAM_BYTES = 32 << 20, /* libraries, tables, chunks on large pages: measured, rounded up */
    STACK = 128 << 10,        /* of a thread, as far as it is used */
    SLOTS_HELD = 3 * 4 /* of a thread: sim/jobs/sweep/sweep_run.c, kernels/backends/cpu/cpu.c */
};

double lte_host_memory(void)
{
    struct rlimit limit;
    const double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return fmin(there, (double)limit.rlim_cur);
    return there;
}

static double layout_bytes(const lte_link *link, lte_layout_id id)
{
    return (double)lte_layout_bytes(link, id);
}

/* sim/files/channel_file_read.c. */
static double stored_bytes(const lte_scenario *scenario)
{
    const lte_channel_file *stored = &scenario->stored;
    return stored->h ? (double)lte_channel_type(&stored->shape, stored->n_read).dim[0].size *
                               sizeof(lte_cf32) +
                           (double)stored->n_read * sizeof *stored->silent
                     : 0.0;
}

/* What a code takes on a processor. */
typedef struct {
    double (*of_deadline)(const lte_link *link, int n_threads, int n_carriers);
    double (*of_thread)(const lte_link *link, int n_detectors); /* of a sweep */
    double n_times; /* that are kept of a period: sim/jobs/deadline/deadline.c */
} coded_memory;

static double no_decoder(const lte_link *link, int n_threads, int n_carriers)
{
    (void)link;
    (void)n_threads;
    (void)n_carriers;
    return 0.0;
}

static double decoder_bytes(const lte_link *link, int n_threads, int n_carriers)
{
    return n_carriers * 2.0 * (double)lte_llr_planes(link) +
           lte_block_decoder_bytes(link->output.code, n_threads, n_carriers);
}

static double no_worker(const lte_link *link, int n_detectors)
{
    (void)link;
    (void)n_detectors;
    return 0.0;
}

static double worker_bytes(const lte_link *link, int n_detectors)
{
    return lte_code_worker_bytes(link->output.code, link, n_detectors);
}

static const coded_memory coded_memories[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {no_decoder, no_worker, 2.0},
    [LTE_COUNTED_LLRS] = {no_decoder, no_worker, 2.0},
    [LTE_COUNTED_BLOCKS] = {decoder_bytes, worker_bytes, 4.0},
};

/* kernels/backends/slot_buffer.c, cpu_estimates.c and sim/jobs/deadline/deadline.c. */
static void add_deadline(const lte_scenario *scenario, const lte_link *link, bool is_cpu,
                         int n_threads, double parts[N_PARTS])
{
    const lte_scenario_deadline *rule = &scenario->deadline;
    const double bits = (double)lte_due_bytes(link) / lte_counted_of(link)->due_slots;
    const bool estimates = lte_link_estimates(link);
    const double csi = layout_bytes(link, LTE_PLANES_CSI);
    parts[DISTINCT] += rule->distinct * (layout_bytes(link, LTE_PLANES_Y) + bits);
    parts[DISTINCT] += estimates ? 0.0 : rule->distinct * csi;
    parts[CARRIERS] += rule->carriers * bits;
    parts[CARRIERS] += estimates && is_cpu ? rule->carriers * link->receiver.pilots * csi : 0.0;
    const coded_memory *more = &coded_memories[link->output.counted];
    parts[CARRIERS] += is_cpu ? more->of_deadline(link, n_threads, rule->carriers) : 0.0;
    parts[SLOTS] += rule->slots * (more->n_times + 3.0 * rule->n_in_turn) * sizeof(float);
}

/* kernels/backends/cpu/cpu.c; a thread that makes slots has batches of its own. */
static void add_engine(const lte_scenario *scenario, const lte_link *link, const lte_host_use *use,
                       int n_threads, double parts[N_PARTS])
{
    const double batches = layout_bytes(link, LTE_BATCH_H) + layout_bytes(link, LTE_BATCH_Y);
    const double counts = (double)lte_counts_at(link->output.n_counts, scenario->n_detectors);
    const double chunks = SLOTS_HELD * (counts * sizeof(uint32_t) + sizeof(lte_power));
    parts[THREADS] += use->work > 0.0 ? n_threads * (use->work + chunks + STACK) : 0.0;
    parts[THREADS] += use->deadline ? batches : 0.0;
    parts[THREADS] += use->work > 0.0 ? n_threads * coded_memories[link->output.counted].of_thread(
                                                        link, scenario->n_detectors)
                                      : 0.0;
}

/* sim/jobs/sweep/sweep.c. */
static void add_sweeps(const lte_scenario *scenario, int sweeps, double parts[N_PARTS])
{
    const double rows = (double)lte_sweep_room(scenario) * scenario->n_detectors;
    const double counts = 2.0 * lte_sweep_cut(scenario, scenario->csi[0]).n_sums * sizeof(uint64_t);
    parts[POINTS] += sweeps * rows * (sizeof(lte_row) + sizeof(lte_pair) + counts);
}

/* sim/channel/dump.c. */
static void add_dump(const lte_link *link, double parts[N_PARTS])
{
    parts[DUMP] += layout_bytes(link, LTE_BATCH_H) + layout_bytes(link, LTE_PLANES_H) +
                   (double)lte_stage_work(link);
}

/* Fills in what each part takes; returns the sum. */
static double sum_up(const lte_scenario *scenario, const lte_link *link, const lte_host_use *use,
                     int n_threads, double parts[N_PARTS])
{
    double sum = 0.0;
    memset(parts, 0, N_PARTS * sizeof *parts);
    parts[PROGRAM] = PROGRAM_BYTES;
    parts[ROUNDS] = use->rounds;
    parts[STORED] = stored_bytes(scenario);
    add_engine(scenario, link, use, n_threads, parts);
    add_sweeps(scenario, use->sweeps, parts);
    if (use->deadline)
        add_deadline(scenario, link, use->work > 0.0, n_threads, parts);
    if (use->dump)
        add_dump(link, parts);
    for (int i = 0; i < N_PARTS; i++)
        sum += parts[i];
    return sum;
}

/* Refuses a sum, naming the largest of its parts, and what it is more than. */
static lte_status refuse(const lte_scenario *scenario, int n_threads, const double parts[N_PARTS],
                         double sum, const char *than)
{
    const lte_scenario_deadline *rule = &scenario->deadline;
    char keys[N_PARTS][64];
    int most = PROGRAM + 1;
    for (int i = most; i < N_PARTS; i++)
        most = parts[i] > parts[most] ? i : most;
    (void)snprintf(keys[STORED], sizeof keys[0], "channel.file");
    (void)snprintf(keys[DUMP], sizeof keys[0], "--dump-channel");
    (void)snprintf(keys[ROUNDS], sizeof keys[0], "--slots");
    (void)snprintf(keys[DISTINCT], sizeof keys[0], "deadline.distinct = %d", rule->distinct);
    (void)snprintf(keys[CARRIERS], sizeof keys[0], "deadline.carriers = %d", rule->carriers);
    (void)snprintf(keys[SLOTS], sizeof keys[0], "deadline.slots = %d", rule->slots);
    (void)snprintf(keys[THREADS], sizeof keys[0], "%d thread%s (--threads)", n_threads,
                   n_threads == 1 ? "" : "s");
    (void)snprintf(keys[POINTS], sizeof keys[0], "%d points of the sweep",
                   lte_sweep_room(scenario));
    return lte_refuse(
        "%s needs %.0f bytes of memory with %d x %d antennas, the whole run needs %.0f: %s",
        keys[most], parts[most], scenario->n_rx, scenario->n_tx, sum, than);
}

lte_status lte_host_memory_check(const lte_scenario *scenario, const lte_link *link,
                                 const lte_host_use *use, int *n_threads)
{
    const double there = lte_host_memory(), most = use->most_mb * 0x1p20;
    double parts[N_PARTS];
    char than[100];
    double sum = sum_up(scenario, link, use, *n_threads, parts);
    while (use->most_mb > 0 && sum > most && *n_threads > 1)
        sum = sum_up(scenario, link, use, --*n_threads, parts);
    if (use->most_mb > 0 && sum > most) {
        (void)snprintf(than, sizeof than, "--host-memory must be %.0f or more",
                       ceil(sum * 0x1p-20));
        return refuse(scenario, *n_threads, parts, sum, than);
    }
    if (sum < there)
        return LTE_OK;
    (void)snprintf(than, sizeof than, "this machine has %.0f", there);
    return refuse(scenario, *n_threads, parts, sum, than);
}
