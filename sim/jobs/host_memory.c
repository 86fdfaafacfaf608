/* The large pieces of memory of a run, summed up as their owners take them. */
#include "sim/jobs/host_memory.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernels/backends/backend.h"
#include "kernels/layouts.h"
#include "sim/files/refuse.h"
#include "sim/jobs/sweep.h"

/* What is asked for, and for what: the parts whose keys a user can change. */
enum { DISTINCT, CARRIERS, SLOTS, THREADS, POINTS, N_PARTS };

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

/* kernels/backends/slot_buffer.c, cpu_estimates.c and sim/jobs/deadline.c. */
static void add_deadline(const lte_scenario *scenario, const lte_link *link, bool is_cpu,
                         double parts[N_PARTS])
{
    const lte_scenario_deadline *rule = &scenario->deadline;
    const double bits = LTE_SLOT_SYMBOLS * (double)lte_packed_row(link);
    const bool estimates = lte_link_estimates(link);
    const double csi = layout_bytes(link, LTE_PLANES_CSI);
    parts[DISTINCT] += rule->distinct * (layout_bytes(link, LTE_PLANES_Y) + bits);
    parts[DISTINCT] += estimates ? 0.0 : rule->distinct * csi;
    parts[CARRIERS] += rule->carriers * bits;
    parts[CARRIERS] += estimates && is_cpu ? rule->carriers * link->references * csi : 0.0;
    parts[SLOTS] += rule->slots * (double)sizeof(float);
}

/* kernels/backends/cpu.c; a thread that makes slots has batches of its own. */
static void add_engine(const lte_scenario *scenario, const lte_link *link, const lte_host_use *use,
                       double parts[N_PARTS])
{
    const double work = (double)lte_sweep_work(link, scenario->n_detectors);
    const double batches = layout_bytes(link, LTE_BATCH_H) + layout_bytes(link, LTE_BATCH_Y);
    parts[THREADS] += use->is_cpu ? use->n_threads * work : 0.0;
    parts[THREADS] += use->deadline ? batches : 0.0;
}

/* sim/jobs/sweep.c; its chunks are of few slots. */
static void add_sweeps(const lte_scenario *scenario, int sweeps, double parts[N_PARTS])
{
    const double rows = (double)scenario->sweep.n_snr * scenario->n_detectors;
    const double counts = 2.0 * LTE_N_COUNTS(scenario->n_tx) * sizeof(uint64_t);
    parts[POINTS] += sweeps * rows * (sizeof(lte_row) + sizeof(lte_pair) + counts);
}

lte_status lte_host_memory_check(const lte_scenario *scenario, const lte_link *link,
                                 const lte_host_use *use)
{
    double parts[N_PARTS] = {0.0}, sum = 0.0;
    char keys[N_PARTS][64];
    int most = 0;
    add_engine(scenario, link, use, parts);
    add_sweeps(scenario, use->sweeps, parts);
    if (use->deadline)
        add_deadline(scenario, link, use->is_cpu, parts);
    for (int i = 0; i < N_PARTS; i++) {
        sum += parts[i];
        most = parts[i] > parts[most] ? i : most;
    }
    const double there = lte_host_memory();
    if (sum < there)
        return LTE_OK;
    const lte_scenario_deadline *rule = &scenario->deadline;
    (void)snprintf(keys[DISTINCT], sizeof keys[0], "deadline.distinct = %d", rule->distinct);
    (void)snprintf(keys[CARRIERS], sizeof keys[0], "deadline.carriers = %d", rule->carriers);
    (void)snprintf(keys[SLOTS], sizeof keys[0], "deadline.slots = %d", rule->slots);
    (void)snprintf(keys[THREADS], sizeof keys[0], "%d threads (--threads)", use->n_threads);
    (void)snprintf(keys[POINTS], sizeof keys[0], "%d points of sweep.snr_db",
                   scenario->sweep.n_snr);
    return lte_refuse("%s needs %.0f bytes of memory with %d x %d antennas, the run %.0f in all: "
                      "there are %.0f",
                      keys[most], parts[most], scenario->n_rx, scenario->n_tx, sum, there);
}
