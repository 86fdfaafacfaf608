/* Floors of detectors on a slot. */
#include "sim/report/explain_costs.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/processor.h"
#include "kernels/base/levels.h"
#include "phy/detection/operations.h"
#include "phy/detection/plugin.h"
#include "sim/jobs/sweep/effort.h"
#include "sim/report/results/words.h"

enum { MOST_NODES = 100000 }; /* that an element is searched for */

lte_status lte_cost_of(const lte_link *link, lte_detector detector, double snr_db, lte_cost *cost)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    const lte_detector_plan plan = lte_link_plan(link, detector, link->output.asked);
    const double n = link->n_tx, m = link->n_rx, sc = link->carrier.n_sc;
    const double h = lte_link_estimates(link) ? 0.0 : m * n * link->channel.n_h;
    *cost = (lte_cost){.detector = detector, .known = !lte_plugin_of(detector)};
    cost->by = lte_operations_of(link, detector);
    cost->read_bytes = sizeof(lte_cf32) * sc * (h + m * LTE_SLOT_SYMBOLS);
    cost->written_bytes = (double)lte_slot_bits(link) / (plan.llrs ? 1.0 : 8.0);
    const lte_status status =
        lte_search_nodes(link, detector, pow(10.0, snr_db / 10.0), MOST_NODES, &cost->nodes);
    cost->elements = lte_judged_elements(link);
    if (row->node_flops && !status)
        cost->searched = sc * lte_data_symbols(link) * row->node_flops(&plan) *
                         fmax(cost->nodes - (n - 1.0), 0.0);
    cost->of_matrix =
        (cost->by.gram + cost->by.inversion + cost->by.filter) / lte_link_matrices(link);
    cost->of_element =
        (cost->by.detection + cost->by.llrs + cost->searched) / (sc * lte_data_symbols(link));
    cost->operations = cost->by.estimation + cost->by.gram + cost->by.inversion + cost->by.filter +
                       cost->by.detection + cost->by.llrs + cost->searched;
    return status;
}

/* Bytes a second of threads that copy what no cache holds; both ways count. */
static lte_status copy_rate(int n_threads, double *rate)
{
    enum { BYTES = 32 << 20, TRIES = 3 };
    const size_t part = (size_t)BYTES / (size_t)n_threads;
    char *const from = malloc(BYTES), *const to = malloc(BYTES);
    double best = INFINITY;
    if (!from || !to) {
        free(from);
        free(to);
        return LTE_FAIL(LTE_ENOMEM, "no memory to try how fast it is");
    }
    memset(from, 1, BYTES);
    for (int i = -1; i < TRIES; i++) { /* the first makes its pages */
        const double start = lte_seconds();
#pragma omp parallel for num_threads(n_threads)
        for (int t = 0; t < n_threads; t++)
            memcpy(to + part * (size_t)t, from + part * (size_t)t, part);
        if (i >= 0)
            best = fmin(best, lte_seconds() - start);
    }
    free(from);
    free(to);
    *rate = 2.0 * (double)part * n_threads / best;
    return LTE_OK;
}

lte_status lte_rates_of(const lte_backend *backend, const lte_device *device, int n_threads,
                        lte_rates *rates)
{
    enum { A_CLOCK = 2 }; /* multiply-adds that a core begins at most */
    const lte_level *level = lte_levels;
    *rates = (lte_rates){.flops = device->flops_per_s,
                         .memory = device->memory_bytes_per_s,
                         .bus = device->bus_bytes_per_s,
                         .how = " by its clock and width"};
    if (!backend->stages) {
        (void)snprintf(rates->text, sizeof rates->text, "all multiply-adds of floats at %d MHz",
                       device->clock_mhz);
        return LTE_OK;
    }
    while (level->name && strcmp(level->name, backend->name) != 0)
        level++;
    const double mhz = lte_processor_mhz();
    rates->flops = 2.0 * A_CLOCK * level->floats * mhz * 1e6 * n_threads;
    rates->n_threads = n_threads;
    rates->how = ", as these threads copy";
    (void)snprintf(rates->text, sizeof rates->text,
                   "%d multiply-adds of %d floats a clock at %.0f MHz", A_CLOCK, level->floats,
                   mhz);
    return copy_rate(n_threads, &rates->memory);
}

/* A number, or a dash where there is none. */
static void put_cell(FILE *out, bool known, double x)
{
    if (known)
        (void)fprintf(out, " %8.4g", x);
    else
        (void)fprintf(out, " %8s", "-");
}

/* Microseconds at a rate, which are returned; 0 where it is not known. */
static double put_floor(FILE *out, double what, double rate)
{
    const double us = rate > 0.0 ? 1e6 * what / rate : 0.0;
    put_cell(out, rate > 0.0, us);
    return us;
}

/* True if the table has a column of threads. */
static bool has_threads(const lte_floors *f)
{
    return f->measured && f->rates->n_threads > 0;
}

/* Returns what binds; that is not known where the operations are not. */
static const char *put_line(FILE *out, int width, const lte_floors *f, int d)
{
    const lte_cost *cost = &f->cost[d];
    const lte_rates *rates = &f->rates[d];
    const double bytes = cost->read_bytes + cost->written_bytes;
    const bool known = cost->known;
    (void)fprintf(out, "%-*s", width, lte_detector_named(cost->detector).text);
    put_cell(out, known, cost->of_matrix);
    put_cell(out, known, cost->of_element);
    put_cell(out, known, 1e-6 * cost->operations);
    put_cell(out, true, 1e-3 * bytes);
    if (has_threads(f))
        (void)fprintf(out, " %8d", rates->n_threads);
    const double compute =
        put_floor(out, f->n_carriers * cost->operations, known ? rates->flops : 0.0);
    const double memory = put_floor(out, f->n_carriers * bytes, rates->memory);
    const double bus = rates->bus > 0.0 ? put_floor(out, f->n_carriers * bytes, rates->bus) : 0.0;
    if (!known)
        return "-";
    if (bus > fmax(compute, memory))
        return "bus";
    return compute >= memory ? "arithmetic" : "memory";
}

static double flops_of(const lte_rates *rates)
{
    return rates->flops;
}

static double memory_of(const lte_rates *rates)
{
    return rates->memory;
}

/* True if no row before d has as many threads. */
static bool is_first(const lte_floors *f, int d)
{
    int other = 0;
    while (other < d && f->rates[other].n_threads != f->rates[d].n_threads)
        other++;
    return other == d;
}

/* A rate in units of 1e9, of each number of threads that the rows have. */
static void put_rates(FILE *out, const char *head, const lte_floors *f, const char *unit,
                      double (*of)(const lte_rates *rates))
{
    (void)fprintf(out, "%s: at ", head);
    for (int d = 0; d < f->n; d++) {
        const int n_threads = f->rates[d].n_threads;
        if (!is_first(f, d))
            continue;
        (void)fprintf(out, "%s%.4g", d > 0 ? ", " : "", 1e-9 * of(&f->rates[d]));
        if (d == 0)
            (void)fprintf(out, " %s", unit);
        if (n_threads > 0)
            (void)fprintf(out, " with %d", n_threads);
        if (n_threads > 0 && d == 0)
            (void)fprintf(out, " thread%s", lte_plural(n_threads));
    }
}

/* Whose threads they are, where detectors have different numbers of them. */
static void put_threads(FILE *out, const lte_floors *f)
{
    bool differ = false;
    for (int d = 1; d < f->n; d++)
        differ = differ || is_first(f, d);
    if (has_threads(f) && differ)
        (void)fprintf(out,
                      "threads: chosen for each detector by itself; the deadline run gives all as "
                      "many as %s\n",
                      lte_detector_named(f->cost[f->timed].detector).text);
}

/* What is counted, and of which data. */
static void put_notes(FILE *out, const lte_floors *f)
{
    const lte_cost *cost = f->cost;
    (void)fprintf(
        out,
        "matrix, element, Mflop: operations on a channel matrix, on a resource element and "
        "on the\n  slot: additions and multiplications of floats, a multiply-add as two, a "
        "division as %d,\n  1 / x as %d, a root as %d; no comparisons, no selections, "
        "nothing of integers\n",
        LTE_FLOPS_DIVISION, LTE_FLOPS_RECIPROCAL, LTE_FLOPS_ROOT);
    (void)fprintf(out, "KB: of the slot, read once and written once, %.4g and %.4g\n",
                  1e-3 * cost->read_bytes, 1e-3 * cost->written_bytes);
    if (f->n_carriers > 1)
        (void)fprintf(out, "arithm., memory, expected: all %d carriers, a slot of each\n",
                      f->n_carriers);
    put_threads(out, f);
    put_rates(out, "arithm.", f, "Gflop/s", flops_of);
    (void)fprintf(out, ": %s\n", f->rates->text);
    put_rates(out, "memory", f, "GB/s", memory_of);
    (void)fprintf(out, "%s\n", f->rates->how);
    if (f->rates->bus > 0.0)
        (void)fprintf(out, "bus: slots from host memory, at %.4g GB/s\n", 1e-9 * f->rates->bus);
    for (int d = 0; d < f->n; d++) {
        const char *const name = lte_detector_named(cost[d].detector).text;
        if (cost[d].nodes > 0.0)
            (void)fprintf(
                out, "%s: %.4g nodes an element at %g dB, counted over %d elements, each to %d\n",
                name, cost[d].nodes, f->snr_db, cost[d].elements, MOST_NODES);
        else if (cost[d].known && lte_detector_row_of(cost[d].detector)->varies)
            (void)fprintf(out, "%s: of usual data, on which its work depends, within 30 %%\n",
                          name);
    }
}

void lte_floors_put(FILE *out, const lte_floors *f)
{
    int width = (int)strlen("detector");
    for (int d = 0; d < f->n; d++) {
        const int own = (int)strlen(lte_detector_named(f->cost[d].detector).text);
        width = own > width ? own : width;
    }
    (void)fprintf(out, "\nfloors      microseconds that ");
    if (f->n_carriers > 1)
        (void)fprintf(out, "slots of %d carriers take", f->n_carriers);
    else
        (void)fprintf(out, "a slot takes");
    (void)fprintf(out, " at least, and what binds%s\n", f->measured ? "; what is expected" : "");
    (void)fprintf(out, "%-*s %8s %8s %8s %8s%s %8s %8s%s %s\n", width, "detector", "matrix",
                  "element", "Mflop", "KB", has_threads(f) ? "  threads" : "", "arithm.", "memory",
                  f->rates->bus > 0.0 ? "      bus" : "",
                  f->measured ? "binds      expected  of deadline" : "binds");
    for (int d = 0; d < f->n; d++) {
        const char *const binds = put_line(out, width, f, d);
        if (f->measured)
            (void)fprintf(out, " %-10s %8.3g %10.3g %%\n", binds, f->measured[d].us,
                          100.0 * f->measured[d].us / f->budget_us);
        else
            (void)fprintf(out, " %s\n", binds);
    }
    put_notes(out, f);
}
