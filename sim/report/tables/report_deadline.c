/* The tables of the deadline run and its verdict. */
#include "sim/report/tables/report.h"

#include <math.h>
#include <string.h>

#include "sim/report/results/counted_words.h"
#include "sim/report/results/words.h"
#include "sim/report/tables/terminal.h"

const char lte_report_waited[] = "the latency of both slots of a subframe counts from the arrival "
                                 "of the second: the first has waited 500 us";

/* The placements of a table side by side, from up to the one before end, and its first column. */
typedef struct {
    int from, end, width;
    bool two;        /* placements, in this table or the next */
    lte_shown shown; /* columns: with percentiles that a run of so many slots has (percentiles.h) */
} group;

/* The columns of a row that has n times. */
static lte_shown held_by(int n)
{
    lte_shown shown = (LTE_SHOWN << LTE_N_TIMES) - 1;
    if (!lte_quantile_holds(0.99, n))
        shown &= ~(LTE_SHOWN << LTE_TIMES_P99);
    if (!lte_quantile_holds(0.999, n))
        shown &= ~(LTE_SHOWN << LTE_TIMES_P999);
    return n > 0 ? shown : 0;
}

/* Characters of a placement's columns. */
static int width_of(const group *g)
{
    int width = 0;
    for (int i = 0; i < LTE_N_TIMES; i++)
        width += g->shown >> i & 1u ? lte_times_columns.column[i].width : 0;
    return width;
}

/* Widths of a first column, at least: of one placement, one with a code, and two. */
enum { ONE = 12, CODED = 16, TWO = 24 };

static const char *separator(const group *g, int p)
{
    return p > g->from ? " |" : "";
}

/* A row of percentiles; where there are none, spaces up to the next placement. */
static void put_row(FILE *out, const group *g, const char *label, const lte_timed_row *row)
{
    static const lte_percentiles none = {0};
    (void)fprintf(out, "\n%-*s", g->width, label);
    for (int p = g->from; p < g->end; p++) {
        lte_cell cells[LTE_N_TIMES];
        (void)fputs(separator(g, p), out);
        if (row->n[p] == 0 && p == g->end - 1)
            continue;
        lte_times_cells(row->spread[p] ? row->spread[p] : &none, cells);
        for (int i = 0; i < LTE_N_TIMES; i++) {
            if (!(held_by(row->n[p]) >> i & 1u))
                cells[i].real = (double)NAN;
        }
        lte_terminal_row(out, g->shown, &lte_times_columns, LTE_N_TIMES, cells);
    }
}

/* A row of numbers of carriers in the first of the columns; negative: not known. */
static void put_carriers(FILE *out, const lte_deadline *run, const group *g, const char *label,
                         bool by_median)
{
    (void)fprintf(out, "\n%-*s", g->width, label);
    for (int p = g->from; p < g->end; p++) {
        const lte_capacity *capacity = &run->at[p].capacity;
        const int n = by_median ? capacity->by_median : capacity->carriers;
        const bool bounded = capacity->bounded && !by_median;
        char text[32] = "";
        if (n == 0 && bounded)
            (void)snprintf(text, sizeof text, "unknown");
        else if (n >= 0)
            (void)snprintf(text, sizeof text, "%s%d", bounded ? ">= " : "", n);
        (void)fprintf(out, "%s%10s%*s", separator(g, p), text,
                      p == g->end - 1 ? 0 : width_of(g) - 10, "");
    }
}

static void put_heads(FILE *out, const group *g)
{
    static const char *const from[LTE_N_PLACEMENTS] = {[LTE_PLACEMENT_HOST] = "from host memory",
                                                       [LTE_PLACEMENT_DEVICE] =
                                                           "data already on the device"};
    if (g->two) {
        (void)fprintf(out, "%-*s", g->width, "");
        for (int p = g->from; p < g->end; p++)
            (void)fprintf(out, "%s %-*s", p > g->from ? " " : "",
                          p < g->end - 1 ? width_of(g) - 1 : 0, from[p]);
        (void)fputc('\n', out);
    }
    (void)fprintf(out, "%-*s", g->width, "us");
    for (int p = g->from; p < g->end; p++) {
        (void)fputs(separator(g, p), out);
        for (int i = 0; i < LTE_N_TIMES; i++) {
            if (g->shown >> i & 1u)
                (void)fprintf(out, "%*s", lte_times_columns.column[i].width,
                              lte_times_columns.column[i].head);
        }
    }
}

/* What a row is called; two: of two placements, in this table or the next. */
static void label_of(const lte_deadline *run, const lte_timed_row *row, bool two, char *label,
                     size_t size)
{
    if (!row->stage)
        (void)snprintf(label, size, "inversion only, %d", run->matrices);
    else if (two && strcmp(row->stage, "slot") == 0)
        (void)snprintf(label, size, "slot, %d REs", run->grid_points);
    else if (strcmp(row->stage, "alone") == 0 || strcmp(row->stage, "in_turn") == 0)
        (void)snprintf(label, size, "*%s", lte_detector_named(row->detector).text);
    else
        (void)snprintf(label, size, "%s",
                       strcmp(row->stage, "corner_turn") == 0 ? "reorder" : row->stage);
}

/* One table: a column group for each placement. */
static void put_group(FILE *out, const lte_deadline *run, const group *g)
{
    lte_timed_row rows[LTE_MOST_TIMED_ROWS];
    const int n = lte_timed_rows(run, rows);
    char label[64];
    put_heads(out, g);
    for (int i = 0; i < n; i++) {
        label_of(run, &rows[i], g->two, label, sizeof label);
        if (rows[i].spread[LTE_PLACEMENT_HOST])
            put_row(out, g, label, &rows[i]);
    }
    if (g->two) {
        (void)snprintf(label, sizeof label, "carriers at %g %%", 100.0 * run->on_time);
        put_carriers(out, run, g, label, false);
        put_carriers(out, run, g, "carriers by p50", true);
    }
    (void)fputc('\n', out);
}

/* Characters of the first column: at least `least`, and a space behind the longest label. */
static int labels_width(const lte_deadline *run, bool two, int least)
{
    lte_timed_row rows[LTE_MOST_TIMED_ROWS];
    const int n = lte_timed_rows(run, rows);
    int width = least;
    for (int i = 0; i < n; i++) {
        char label[64];
        if (!rows[i].spread[LTE_PLACEMENT_HOST])
            continue;
        label_of(run, &rows[i], two, label, sizeof label);
        width = (int)strlen(label) < width ? width : (int)strlen(label) + 1;
    }
    return width;
}

/* What differs by what comes out of a slot or subframe. */
static const struct {
    int least;         /* characters of the first column, of one placement */
    const char *wrong; /* what may be wrong in a slot; NULL: blocks, behind the LLRs of two slots */
} kinds[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {ONE, "bits"},
    [LTE_COUNTED_LLRS] = {ONE, "LLR signs"},
    [LTE_COUNTED_BLOCKS] = {CODED, NULL},
};

/* Where the data started from: side by side, or one below the other on a narrow terminal. */
static void put_stages(FILE *out, const lte_deadline *run, int n)
{
    const int columns = lte_terminal_columns(out), slots = run->at[LTE_PLACEMENT_HOST].slots;
    const int least = n > 1 ? TWO : kinds[run->counted].least;
    group g = {
        .end = n, .width = labels_width(run, n > 1, least), .two = n > 1, .shown = held_by(slots)};
    const int both = g.width + 2 * width_of(&g) + 2;
    if (n > 1 && columns > 0 && columns < both) {
        g.end = 1;
        put_group(out, run, &g);
        g.from = 1;
        g.end = 2;
    }
    put_group(out, run, &g);
}

/* What is due: "slot". */
static const char *due_of(const lte_deadline *run)
{
    return lte_counted_words_rows[run->counted].due;
}

/* A latency to a tenth of a microsecond, a long one in ms or s. */
static const char *latency_text(double us, char *text, size_t size)
{
    if (us >= 1e3)
        return lte_time_text(us, text, size);
    (void)snprintf(text, size, "%.1f us", us);
    return text;
}

/* p99.9 280.1 us, slowest 291 us (budget 500 us); the percentile only if there is one. */
static void put_latency(FILE *out, const char *of, const lte_percentiles *t, int n,
                        double budget_us)
{
    char text[32];
    (void)fputs(of, out);
    if (lte_quantile_holds(0.999, n))
        (void)fprintf(out, "p99.9 %s, ", latency_text(t->p999_us, text, sizeof text));
    (void)fprintf(out, "slowest %s (budget %g us)", latency_text(t->max_us, text, sizeof text),
                  budget_us);
}

static void put_latencies(FILE *out, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const bool slots = kinds[run->counted].wrong;
    put_latency(out, slots ? "" : "LLRs ", &host->slot, host->periods,
                slots ? run->budget_us : 1e6 * LTE_SLOT_S);
    if (!slots)
        put_latency(out, ", bits ", &host->block, host->due, run->budget_us);
}

/* 1 thread 812 us, 2 threads 441 us; chosen: 2 */
static void put_threads(FILE *out, const lte_placed *placed)
{
    char text[32];
    for (int i = 0; i < placed->n_thread_trials; i++)
        (void)fprintf(out, "%s%d thread%s %s", i ? ", " : "(number of threads, by a short trial: ",
                      placed->thread_trial[i].n_threads,
                      lte_plural(placed->thread_trial[i].n_threads),
                      lte_time_text(placed->thread_trial[i].median_us, text, sizeof text));
    if (placed->n_thread_trials > 0)
        (void)fprintf(out, "; chosen: %d)\n", placed->threads);
}

/* met: 0 of 2000 slots late ...; then what fits, and the rates. */
static void put_verdict(FILE *out, const lte_scenario *scenario, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const lte_capacity *capacity = &host->capacity;
    const char *due = due_of(run);
    char work[32], period[32];
    (void)fprintf(out,
                  "\n%s: ", lte_verdict_text(lte_verdict_names[host->verdict], work, sizeof work));
    if (host->verdict == LTE_VERDICT_OVERLOADED)
        (void)fprintf(out, "work%s takes %s per %s of %s, %.2g times too slow; ",
                      lte_of_carriers(run->carriers),
                      lte_time_text(host->service.p50_us, work, sizeof work), due,
                      lte_time_text(host->period_us, period, sizeof period), host->utilisation);
    if (host->verdict == LTE_VERDICT_UNDECIDED) /* what a slot waited for was not the receiver */
        (void)fprintf(
            out, "this machine stalled, for up to %s at a time and %.2g %% of the time in all; ",
            lte_time_text(host->gap_us, work, sizeof work), 100.0 * host->taken);
    (void)fprintf(out, "%d of %d %ss late (%d allowed), ", host->missed, host->due, due,
                  lte_allowed_misses(scenario, host->due));
    put_latencies(out, run);
    if (capacity->carriers > 0 || (capacity->carriers == 0 && !capacity->bounded))
        (void)fprintf(out, "; %s%d carrier%s of %g MHz fit%s (%g %% on time)",
                      capacity->bounded ? "at least " : "", capacity->carriers,
                      lte_plural(capacity->carriers), scenario->bandwidth_mhz,
                      capacity->carriers == 1 ? "s" : "", 100.0 * run->on_time);
    if (capacity->carriers == 0 && capacity->bounded)
        (void)fputs("; how many carriers fit is unknown, since this machine stalled too often",
                    out);
    if (capacity->by_median >= 0)
        (void)fprintf(out, "; %d by median work", capacity->by_median);
    if (host->verdict != LTE_VERDICT_OVERLOADED)
        (void)fprintf(
            out, "; median work%s %s per %s, utilisation %.0f %%", lte_of_carriers(run->carriers),
            lte_time_text(host->service.p50_us, work, sizeof work), due, 100.0 * host->utilisation);
    (void)fprintf(out, "; %.3g symbols/s, %.4g Mbit/s%s\n", host->symbols_per_s, host->mbit_per_s,
                  run->interrupted ? " (interrupted)" : "");
}

/* What the distinct outputs have come to; of blocks what their times mean before it. */
static void put_errors(FILE *out, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const char *wrong = kinds[run->counted].wrong;
    if (wrong)
        (void)fprintf(out, "%s in the %d different slots: ", wrong, host->distinct_used);
    else
        (void)fprintf(out,
                      "(slot: from release to LLRs; block: from release of the second slot to "
                      "bits; decoder: from LLRs to bits, median %.1f %% of a subframe)\n"
                      "blocks in the %d different subframes, first transmission: %d of %d wrong, "
                      "%d of these undetected; ",
                      1e-4 * host->decoder.p50_us / (2.0 * LTE_SLOT_S), host->distinct_used,
                      host->wrong, host->blocks, host->undetected);
    (void)fprintf(out, "%llu of %llu%s wrong, BER %.4e\n", (unsigned long long)host->bit_errors,
                  (unsigned long long)host->bits, wrong ? "" : " bits",
                  (double)host->bit_errors / (double)host->bits);
}

/* A slot every 500 us, or however they come. */
static const char *release_of(const lte_scenario *scenario, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const bool together = host->slots > host->periods; /* a period has both slots of a subframe */
    if (!scenario->deadline.paced)
        return together ? "each subframe when the previous one is done"
                        : "each slot when the previous one is done";
    return together ? "both slots of a subframe every 1000 us" : "a slot every 500 us";
}

/* met: ml, p99.9 480.1 us, slowest 497 us (budget 500 us); 0 of 10000 slots late, 4096 different
 * slots: of each that was timed in turn. */
static void put_turns(FILE *out, const lte_scenario *scenario, const lte_deadline *run)
{
    for (int i = 0; i < run->turns.n && run->turns.judged; i++) {
        const lte_turn *turn = &run->turns.of[i].at[LTE_PLACEMENT_HOST];
        char word[32];
        if (turn->slots == 0)
            continue;
        (void)fprintf(out, "%s: %s, ",
                      lte_verdict_text(lte_verdict_names[turn->verdict], word, sizeof word),
                      lte_detector_named(run->turns.of[i].detector).text);
        put_latency(out, "", &turn->latency, isnan(turn->latency.p999_us) ? 0 : turn->due,
                    run->budget_us);
        (void)fprintf(out, "; %d of %d %ss late, %d different slots%s\n", turn->missed, turn->due,
                      due_of(run), turn->distinct,
                      scenario->deadline.paced && !turn->paced ? ", each when the previous one "
                                                                 "was done"
                                                               : "");
    }
}

void lte_report_deadline(FILE *out, const lte_scenario *scenario, const lte_deadline *run)
{
    const lte_placed *host = &run->at[LTE_PLACEMENT_HOST];
    const lte_placed *device = &run->at[LTE_PLACEMENT_DEVICE];
    const lte_inverses *seen = &run->inverses;
    const bool estimates = lte_csi_estimates(run->csi);
    if (host->slots == 0)
        return;
    (void)fprintf(out, "\ndeadline: %s%s%s at %g dB, %d carrier%s per slot on %d thread%s, %s\n",
                  lte_detector_named(run->detector).text, estimates ? ", " : "",
                  estimates ? lte_csi_rows[run->csi].name : "", run->snr_db, run->carriers,
                  lte_plural(run->carriers), host->threads, lte_plural(host->threads),
                  release_of(scenario, run));
    put_stages(out, run, device->slots > 0 ? 2 : 1);
    put_threads(out, host);
    if (estimates && scenario->csi_references > 1)
        (void)fprintf(out, "(%s)\n", lte_report_waited);
    if (host->stage_slots > 0)
        (void)fputs("(The stages are timed in a separate pass, one after the other; in the slot "
                    "above they are fused.)\n",
                    out);
    if (run->turns.n > 0 && !run->turns.judged)
        (void)fputs("(* one slot with each listed detector, back to back: each starts when the "
                    "previous one is done)\n",
                    out);
    if (run->turns.judged)
        (void)fprintf(out, "(* %s with each of deadline.detectors, in turn)\n", due_of(run));
    if (device->slots > 0 && device->cached)
        (void)fputs("(The data on the device fit into its L2 cache.)\n", out);
    put_errors(out, run);
    if (lte_detector_needs(run->detector, LTE_NEEDS_INVERSE))
        (void)fprintf(out,
                      "inverter %s%s: condition number p50 %.3g, p99 %.3g, max %.3g; residual "
                      "relative to n u |A||X|: p99 %.2g, max %.2g\n",
                      lte_inverter_rows[scenario->inverter].name,
                      estimates ? ", on the true channel" : "", seen->condition.p50,
                      seen->condition.p99, seen->condition.max, seen->residual.p99,
                      seen->residual.max);
    put_verdict(out, scenario, run);
    put_turns(out, scenario, run);
}
