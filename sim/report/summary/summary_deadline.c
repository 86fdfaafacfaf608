/* The deadline in a summary. */
#include "sim/report/summary/summary_parts.h"

#include <math.h>
#include <string.h>

#include "sim/report/results/units.h"

enum { TEXT = 32 };

/* A time whose unit stands on its line. */
static const char *time_of(double us, char *text, size_t size)
{
    (void)lte_time_text(us, text, size);
    return lte_lines_bind(text);
}

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

static void put_verdict(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const bool estimates = lte_csi_estimates(run->csi);
    const char *due = run->coded ? "subframe" : "slot";
    char name[TEXT], word[TEXT], time[TEXT];
    (void)lte_verdict_text(lte_verdict_names[host->verdict], word, sizeof word);
    if (host->verdict == LTE_VERDICT_MET)
        (void)snprintf(word, sizeof word, "MET");
    lte_lines_add(text, "deadline %s, %s%s%s at %g" LTE_BIND "dB: %s,",
                  time_of(run->budget_us, time, sizeof time),
                  lte_lines_detector(run->detector, name, sizeof name), estimates ? " " : "",
                  estimates ? lte_csi_rows[run->csi].name : "", run->snr_db, word);
    if (host->verdict == LTE_VERDICT_OVERLOADED)
        lte_lines_add(text, "%.2g times too slow", host->utilisation);
    else
        lte_lines_add(text, "%d of %d %ss late (%d" LTE_BIND "allowed)", host->missed, host->due,
                      due, lte_allowed_misses(scenario, host->due));
    if (host->verdict == LTE_VERDICT_UNDECIDED)
        lte_lines_add(text, "; this machine stalled (%s at once)",
                      time_of(host->gap_us, time, sizeof time));
    if (run->interrupted)
        lte_lines_add(text, "(interrupted)");
    lte_lines_end(text);
}

/* work 152 us a slot, utilisation 30 %, 1 thread; slowest 269 us */
static void put_work(lte_lines *text, const lte_deadline *run, const lte_placed *placed,
                     const char *head)
{
    const lte_percentiles *latency = run->coded ? &placed->block : &placed->slot;
    char time[TEXT];
    lte_lines_add(text, "%swork %s a %s%s, utilisation %.0f" LTE_BIND "%%,", head,
                  time_of(placed->service.p50_us, time, sizeof time),
                  run->coded ? "subframe" : "slot", run->carriers > 1 ? " of all carriers" : "",
                  100.0 * placed->utilisation);
    if (run->at[LTE_PLACEMENT_DEVICE].slots == 0) /* a device has its own */
        lte_lines_add(text, "%d" LTE_BIND "thread%s;", placed->threads, plural(placed->threads));
    if (lte_quantile_holds(0.999, placed->due))
        lte_lines_add(text, "p99.9 %s,", time_of(latency->p999_us, time, sizeof time));
    lte_lines_add(text, "slowest %s", time_of(latency->max_us, time, sizeof time));
    if (placed->cached)
        lte_lines_add(text, "; data small enough to stay in its L2 cache");
    lte_lines_end(text);
}

/* A stage in words; with its inversions by count and order. */
static void name_stage(const lte_deadline *run, const lte_scenario *scenario, int stage, char *name)
{
    static const char *const names[LTE_N_TIMED] = {[LTE_TIMED_COPY_IN] = "copy in",
                                                   [LTE_TIMED_ESTIMATION] = "estimate",
                                                   [LTE_TIMED_CORNER_TURN] = "reorder",
                                                   [LTE_TIMED_GRAM] = "Gram",
                                                   [LTE_TIMED_INVERSION] = "inverses",
                                                   [LTE_TIMED_DETECTION] = "detect",
                                                   [LTE_TIMED_RATE_MATCHING] = "unmatch",
                                                   [LTE_TIMED_DECODING] = "decode",
                                                   [LTE_TIMED_CRC] = "CRC",
                                                   [LTE_TIMED_COPY_OUT] = "pack"};
    if (stage == LTE_TIMED_INVERSION)
        (void)snprintf(name, TEXT, "%d inverses %dx%d", run->matrices, scenario->n_tx,
                       scenario->n_tx);
    else if (stage == LTE_TIMED_DETECTION && run->soft)
        (void)snprintf(name, TEXT, "LLRs");
    else if (stage == LTE_TIMED_COPY_OUT && run->at[LTE_PLACEMENT_DEVICE].slots > 0)
        (void)snprintf(name, TEXT, "copy out");
    else
        (void)snprintf(name, TEXT, "%s", names[stage]);
}

static void put_stages(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    bool begun = false;
    for (int i = 0; i < LTE_N_TIMED; i++) {
        char name[TEXT];
        const double us = host->stage[i].p50_us;
        if (!lte_stage_is_there(run, LTE_PLACEMENT_HOST, i) || us < 0.05)
            continue;
        name_stage(run, scenario, i, name);
        lte_lines_add(text, "%s", begun ? "," : "stages:");
        lte_lines_add(text, us < 9.95 ? "%s" LTE_BIND "%.1f" : "%s" LTE_BIND "%.0f",
                      lte_lines_bind(name), us);
        begun = true;
    }
    if (begun)
        lte_lines_add(text, "us");
    lte_lines_end(text);
}

/* carriers held: 1 (99.9 % on time); 6 by median work */
static void put_carriers(lte_lines *text, const lte_deadline *run, const lte_placed *placed,
                         const char *head)
{
    const lte_capacity *capacity = &placed->capacity;
    if (capacity->carriers < 0 || (capacity->carriers == 0 && capacity->by_median == 0))
        return;
    lte_lines_add(text, "%s", head);
    if (capacity->carriers == 0 && capacity->bounded)
        lte_lines_add(text, "not known, this machine stalled too often");
    else
        lte_lines_add(text, "%s%d (%g" LTE_BIND "%%" LTE_BIND "on" LTE_BIND "time)",
                      capacity->bounded ? "at least " : "", capacity->carriers,
                      100.0 * run->on_time);
    if (capacity->by_median >= 0)
        lte_lines_add(text, "; %d by median work", capacity->by_median);
    lte_lines_end(text);
}

void lte_summary_deadline(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run)
{
    const lte_placed *device = &run->at[LTE_PLACEMENT_DEVICE];
    const bool on_device = device->slots > 0;
    put_verdict(text, scenario, run);
    text->indent = 2;
    put_work(text, run, &run->at[LTE_PLACEMENT_HOST], on_device ? "from host memory: " : "");
    if (on_device)
        put_work(text, run, device, "data on the device: ");
    put_stages(text, scenario, run);
    put_carriers(text, run, &run->at[LTE_PLACEMENT_HOST],
                 on_device ? "carriers held, from host memory:" : "carriers held:");
    if (on_device)
        put_carriers(text, run, device, "carriers held, data on the device:");
    text->indent = 0;
}
