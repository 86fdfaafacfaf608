/* The deadline in a summary. */
#include "sim/report/summary/summary_parts.h"

#include <math.h>
#include <string.h>

#include "sim/report/results/counted_words.h"
#include "sim/report/results/words.h"

enum { TEXT = 32 };

/* A time whose unit stands on its line. */
static const char *time_of(double us, char *text, size_t size)
{
    (void)lte_time_text(us, text, size);
    return lte_lines_bind(text);
}

/* A verdict in capitals. */
static const char *word_of(lte_verdict verdict, char word[TEXT])
{
    if (verdict == LTE_VERDICT_MET)
        return "MET";
    (void)lte_verdict_text(lte_verdict_names[verdict], word, TEXT);
    return word;
}

static void put_verdict(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const bool estimates = lte_csi_estimates(run->csi);
    char name[TEXT], word[TEXT], time[TEXT];
    lte_lines_add(text, "deadline %s, %s%s%s, %g" LTE_BIND "dB: %s,",
                  time_of(run->budget_us, time, sizeof time),
                  lte_lines_detector(run->detector, name, sizeof name), estimates ? " " : "",
                  estimates ? lte_csi_rows[run->csi].name : "", run->snr_db,
                  word_of(host->verdict, word));
    if (host->verdict == LTE_VERDICT_OVERLOADED)
        lte_lines_add(text, "%.2g" LTE_BIND "times too slow", host->utilisation);
    else
        lte_lines_add(
            text, "%d" LTE_BIND "of %d%s late (%d" LTE_BIND "allowed)", host->missed, host->due,
            host->verdict == LTE_VERDICT_UNDECIDED ? "" : lte_counted_words_rows[run->counted].late,
            lte_allowed_misses(scenario, host->due));
    if (run->interrupted)
        lte_lines_add(text, "(interrupted)");
    lte_lines_end(text);
}

/* " on 1 of 2 threads"; on a device, whose threads are its own, nothing. */
static void put_threads(lte_lines *text, const lte_deadline *run, const lte_placed *placed,
                        int threads)
{
    if (run->at[LTE_PLACEMENT_DEVICE].slots > 0)
        return;
    if (placed->threads < threads)
        lte_lines_add(text, "on %d" LTE_BIND "of %d" LTE_BIND "threads", placed->threads, threads);
    else
        lte_lines_add(text, "on %d" LTE_BIND "thread%s", placed->threads,
                      lte_plural(placed->threads));
}

/* median work 152 us on 1 of 2 threads, utilisation 30 %; slowest 269 us */
static void put_work(lte_lines *text, const lte_deadline *run, const lte_placed *placed,
                     const char *head, int threads)
{
    const lte_percentiles *latency = &placed->latency;
    char time[TEXT];
    lte_lines_add(text, "%smedian work %s%s", head,
                  time_of(placed->service.p50_us, time, sizeof time),
                  lte_of_carriers(run->carriers));
    put_threads(text, run, placed, threads);
    lte_lines_add(text, ", utilisation %.0f" LTE_BIND "%%", 100.0 * placed->utilisation);
    if (placed->period_us != run->budget_us)
        lte_lines_add(text, "of %s", time_of(placed->period_us, time, sizeof time));
    if (placed->verdict != LTE_VERDICT_OVERLOADED) { /* its latency is its backlog */
        lte_lines_add(text, ";");
        if (lte_quantile_holds(0.999, placed->due))
            lte_lines_add(text, "p99.9 %s,", time_of(latency->p999_us, time, sizeof time));
        lte_lines_add(text, "slowest %s", time_of(latency->max_us, time, sizeof time));
    }
    if (placed->cached)
        lte_lines_add(text, "; data small enough to stay in its L2 cache");
    lte_lines_end(text);
}

/* A stage in words or, brief, in fewer letters; with its inversions by count and order. */
static void name_stage(const lte_deadline *run, const lte_scenario *scenario, int stage, bool brief,
                       char *name)
{
    static const struct {
        const char *words, *brief;
    } names[LTE_N_TIMED] = {[LTE_TIMED_COPY_IN] = {"copy in", "in"},
                            [LTE_TIMED_ESTIMATION] = {"estimate", "est."},
                            [LTE_TIMED_CORNER_TURN] = {"reorder", "reorder"},
                            [LTE_TIMED_GRAM] = {"Gram", "Gram"},
                            [LTE_TIMED_INVERSION] = {"inverses", "inv."},
                            [LTE_TIMED_DETECTION] = {"detect", "detect"},
                            [LTE_TIMED_RATE_MATCHING] = {"unmatch", "unmatch"},
                            [LTE_TIMED_DECODING] = {"decode", "decode"},
                            [LTE_TIMED_CRC] = {"CRC", "CRC"},
                            [LTE_TIMED_COPY_OUT] = {"copy out", "out"}};
    const char *words = brief ? names[stage].brief : names[stage].words;
    const char *detection = lte_counted_words_rows[run->counted].detection;
    if (stage == LTE_TIMED_INVERSION)
        (void)snprintf(name, TEXT, "%d %s %dx%d", run->matrices, words, scenario->n_tx,
                       scenario->n_tx);
    else if (stage == LTE_TIMED_DETECTION && detection)
        (void)snprintf(name, TEXT, "%s", detection);
    else if (stage == LTE_TIMED_COPY_OUT && run->at[LTE_PLACEMENT_DEVICE].slots == 0)
        (void)snprintf(name, TEXT, "pack");
    else
        (void)snprintf(name, TEXT, "%s", words);
}

/* The stages and their times behind commas. */
static void list_stages(const lte_scenario *scenario, const lte_deadline *run, bool brief,
                        char *stages, size_t size)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    *stages = '\0';
    for (int i = 0; i < LTE_N_TIMED && strlen(stages) < size - (size_t)2 * TEXT; i++) {
        char name[TEXT];
        const double us = host->stage[i].p50_us;
        if (!lte_stage_is_there(run, LTE_PLACEMENT_HOST, i) || us < 0.05)
            continue;
        name_stage(run, scenario, i, brief, name);
        lte_append(stages, size, us < 0.95 ? "%s%s" LTE_BIND "%.1f" : "%s%s" LTE_BIND "%.0f",
                   *stages ? ", " : "", lte_lines_bind(name), us);
    }
}

/* Of separate passes, where a slot fuses them: in a line, in as many words as it has room for. */
static void put_stages(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run)
{
    const char *head = "unfused: ", *const longer = "stages, not fused: ";
    const size_t room = LTE_LINES_COLUMNS - 1 - (size_t)text->indent - strlen(" us");
    char stages[256];
    list_stages(scenario, run, false, stages, sizeof stages);
    if (strlen(head) + strlen(stages) > room)
        list_stages(scenario, run, true, stages, sizeof stages);
    if (strlen(longer) + strlen(stages) <= room)
        head = longer;
    if (*stages)
        lte_lines_add(text, "%s%s" LTE_BIND "us", head, stages);
    lte_lines_end(text);
}

/* True if the number above those that are held was left undecided by a machine that stalled. */
static bool stalled_beyond(const lte_capacity *capacity)
{
    bool stalled = false;
    for (int i = 0; i < capacity->n_trials; i++)
        stalled = stalled || (capacity->trials[i].stalled &&
                              capacity->trials[i].carriers == capacity->carriers + 1);
    return stalled && capacity->bounded;
}

/* carriers held: 1 (99.9 % on time); 6 by median work */
static void put_carriers(lte_lines *text, const lte_deadline *run, const lte_placed *placed,
                         const char *head)
{
    const lte_capacity *capacity = &placed->capacity;
    const bool known = capacity->carriers > 0 || !capacity->bounded;
    if (capacity->carriers < 0)
        return;
    lte_lines_add(text, "%s", head);
    if (capacity->carriers == 0 && capacity->by_median == 0)
        lte_lines_add(text, "0");
    else if (known)
        lte_lines_add(text, "%s%d (%g" LTE_BIND "%%" LTE_BIND "on" LTE_BIND "time%s)",
                      capacity->bounded ? "at least " : "", capacity->carriers,
                      100.0 * run->on_time, stalled_beyond(capacity) ? ", then a stall" : "");
    else
        lte_lines_add(text, "not known%s",
                      placed->verdict == LTE_VERDICT_UNDECIDED ? "" : ", this machine stalled");
    if (capacity->by_median > 0)
        lte_lines_add(text, "; %d by median work", capacity->by_median);
    lte_lines_end(text);
}

/* What has left the verdict undecided. */
static void put_stall(lte_lines *text, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    char time[TEXT];
    if (host->verdict == LTE_VERDICT_UNDECIDED)
        lte_lines_add(text, "machine paused up to %s;", time_of(host->gap_us, time, sizeof time));
}

/* ml, in turn: MET, 0 of 10000 slots late; mean 377 us, p50 372 us, p99.9 .., slowest 400 us */
static void put_turn(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run,
                     lte_detector detector, const lte_turn *turn)
{
    const lte_percentiles *latency = &turn->latency;
    char name[TEXT], word[TEXT], time[TEXT];
    lte_lines_add(text, "%s, in turn: %s, %d" LTE_BIND "of %d%s late%s",
                  lte_lines_detector(detector, name, sizeof name), word_of(turn->verdict, word),
                  turn->missed, turn->due, lte_counted_words_rows[run->counted].late,
                  scenario->deadline.paced && !turn->paced ? "" : ";");
    if (scenario->deadline.paced && !turn->paced)
        lte_lines_add(text, "though one after the other;");
    lte_lines_add(text, "mean %s,", time_of(latency->mean_us, time, sizeof time));
    lte_lines_add(text, "p50 %s,", time_of(latency->p50_us, time, sizeof time));
    if (lte_quantile_holds(0.999, turn->due) && !isnan(latency->p999_us))
        lte_lines_add(text, "p99.9 %s,", time_of(latency->p999_us, time, sizeof time));
    lte_lines_add(text, "slowest %s", time_of(latency->max_us, time, sizeof time));
    if (lte_detector_row_of(detector)->varies)
        lte_lines_add(text, "(%d" LTE_BIND "different slots)", turn->distinct);
    lte_lines_end(text);
}

void lte_summary_deadline(lte_lines *text, const lte_scenario *scenario, const lte_deadline *run,
                          int threads)
{
    const lte_placed *device = &run->at[LTE_PLACEMENT_DEVICE];
    const bool on_device = device->slots > 0;
    put_verdict(text, scenario, run);
    text->indent = 2;
    put_work(text, run, &run->at[LTE_PLACEMENT_HOST], on_device ? "from host memory: " : "",
             threads);
    if (on_device)
        put_work(text, run, device, "data on the device: ", threads);
    put_stages(text, scenario, run);
    put_stall(text, run);
    put_carriers(text, run, &run->at[LTE_PLACEMENT_HOST],
                 on_device ? "carriers held, from host memory:" : "carriers held:");
    lte_lines_end(text);
    if (on_device)
        put_carriers(text, run, device, "carriers held, data on the device:");
    for (int i = 0; i < run->turns.n && run->turns.judged; i++) {
        const lte_turn *turn = &run->turns.of[i].at[LTE_PLACEMENT_HOST];
        if (turn->slots > 0)
            put_turn(text, scenario, run, run->turns.of[i].detector, turn);
    }
    text->indent = 0;
}
