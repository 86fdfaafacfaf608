/* Where the time of a slot goes, in a report. */
#include "sim/report/page/html_parts.h"

#include <math.h>
#include <string.h>

#include "sim/jobs/deadline/deadline.h"

/* True if the row is of a stage, not of several. */
static bool is_stage(const lte_table *timing, int row)
{
    static const char *const whole[] = {"slot", "block", "decoder", "service", "alone", "in_turn"};
    bool is = true;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        is = is && !lte_table_is(timing, row, LTE_TIMING_STAGE, whole[i]);
    return is;
}

/* The share in percent that a stage has of the time of all with its placement; NAN for none. */
static double share_of(const lte_table *timing, int row)
{
    double sum = 0.0;
    for (int i = 0; i < timing->n_rows; i++) {
        if (is_stage(timing, i) &&
            lte_table_alike(timing, i, timing, row, LTE_TIMING_PLACEMENT, LTE_TIMING_PLACEMENT))
            sum += fmax(lte_table_real(timing, i, LTE_TIMING_MEAN), 0.0);
    }
    return is_stage(timing, row) && sum > 0.0
               ? 100.0 * lte_table_real(timing, row, LTE_TIMING_MEAN) / sum
               : (double)NAN;
}

/* A row's name: "gram", "mmse, back to back", with the placement where it is the device. */
static void put_name(FILE *out, const lte_table *timing, int row)
{
    const char *stage = lte_table_text(timing, row, LTE_TIMING_STAGE);
    const char *placement = lte_table_text(timing, row, LTE_TIMING_PLACEMENT);
    if (strcmp(stage, "alone") == 0)
        lte_html_put(out, "%s, back to back", lte_table_text(timing, row, LTE_TIMING_DETECTOR));
    else if (strcmp(stage, "in_turn") == 0)
        lte_html_put(out, "%s, in turn", lte_table_text(timing, row, LTE_TIMING_DETECTOR));
    else
        lte_html_text(out, strcmp(stage, "corner_turn") == 0 ? "reorder" : stage);
    if (strcmp(placement, "host") != 0)
        lte_html_put(out, ", %s", placement);
}

/* A bar up to the median and a whisker to the 99th percentile, of 100 units at most. */
static void put_bar(FILE *out, const lte_table *timing, int row, double longest)
{
    const double p50 = lte_table_real(timing, row, LTE_TIMING_P50);
    const double p99 = lte_table_real(timing, row, LTE_TIMING_P99); /* for the eye, of any n */
    const double end = 100.0 / longest;
    (void)fputs("<td class=\"bars\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
                "aria-hidden=\"true\">",
                out);
    if (p50 >= 0.0 && p99 >= p50)
        (void)fprintf(out,
                      "<rect class=\"%s\" y=\"1\" height=\"8\" width=\"%.2f\"/><path d=\"M%.2f "
                      "5H%.2f\"/>",
                      is_stage(timing, row) ? "stage" : "whole", fmin(p50 * end, 100.0),
                      fmin(p50 * end, 100.0), fmin(p99 * end, 100.0));
    (void)fputs("</svg></td>", out);
}

/* What was due of a detector in turn from the placement of a row. */
static double due_in_turn(const lte_result *result, int row)
{
    const lte_table *timing = &result->timing;
    const json_t *turns = lte_json_at(result->run, "deadline.in_turn"), *turn;
    size_t i;
    json_array_foreach((json_t *)turns, i, turn)
    {
        if (lte_table_is(timing, row, LTE_TIMING_DETECTOR, lte_json_text(turn, "detector")) &&
            lte_table_is(timing, row, LTE_TIMING_PLACEMENT, lte_json_text(turn, "placement")))
            return lte_json_number(turn, "due");
    }
    return 0.0;
}

/* Times that a row is of at most: of what is due, a slot or a subframe, or of all slots. */
static double times_of(const lte_result *result, int row)
{
    static const char *const due[] = {"block", "decoder", "service"};
    const lte_table *timing = &result->timing;
    const double slots = lte_json_number(result->run, "deadline.slots");
    for (size_t i = 0; i < sizeof due / sizeof *due; i++) {
        if (lte_table_is(timing, row, LTE_TIMING_STAGE, due[i]))
            return lte_json_number(result->run, "deadline.due");
    }
    if (lte_table_is(timing, row, LTE_TIMING_STAGE, "in_turn"))
        return due_in_turn(result, row);
    const bool few = is_stage(timing, row) || lte_table_is(timing, row, LTE_TIMING_STAGE, "alone");
    return few ? fmin(slots, LTE_MOST_REPEATS) : slots;
}

/* True unless the column is a percentile that a row of so few times does not have. */
static bool holds(const lte_result *result, int row, int column)
{
    const double n = times_of(result, row);
    if (!isfinite(lte_table_real(&result->timing, row, column)))
        return false;
    if (column != LTE_TIMING_P99 && column != LTE_TIMING_P999)
        return true;
    return n > 0.0 && lte_quantile_holds(column == LTE_TIMING_P99 ? 0.99 : 0.999, (int64_t)n);
}

void lte_html_stages(FILE *out, const lte_result *result)
{
    const lte_table *timing = &result->timing;
    static const double room = 1.4; /* for what is above a median: a disturbed p99 is cut */
    double longest = 0.0;
    if (timing->n_rows == 0)
        return;
    for (int i = 0; i < timing->n_rows; i++)
        longest = fmax(longest, lte_table_real(timing, i, LTE_TIMING_P50));
    (void)fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"times\">"
                "<table class=\"times\">\n<caption>Times of a slot in \u00b5s; bar: median, "
                "line: p99</caption>\n<thead><tr><th scope=\"col\">stage</th>"
                "<th scope=\"col\" class=\"bars\">median, p99</th>",
                out);
    for (int i = LTE_TIMING_P50; i <= LTE_TIMING_MEAN; i++)
        lte_html_element(out, "th", "scope=\"col\"", lte_timing_columns.column[i].head);
    (void)fputs("<th scope=\"col\">of total</th></tr></thead>\n<tbody>\n", out);
    for (int i = 0; i < timing->n_rows; i++) {
        const double share = share_of(timing, i);
        (void)fputs("<tr><th scope=\"row\">", out);
        put_name(out, timing, i);
        (void)fputs("</th>", out);
        put_bar(out, timing, i, longest > 0.0 ? room * longest : 1.0);
        for (int k = LTE_TIMING_P50; k <= LTE_TIMING_MEAN; k++) {
            if (holds(result, i, k))
                (void)fprintf(out, "<td data-us=\"%s\">%.2f</td>", lte_table_text(timing, i, k),
                              lte_table_real(timing, i, k));
            else
                (void)fputs("<td></td>", out);
        }
        if (isfinite(share))
            (void)fprintf(out, "<td>%.1f %%</td></tr>\n", share);
        else
            (void)fputs("<td></td></tr>\n", out);
    }
    (void)fputs(
        "</tbody></table></div>\n<p class=\"note\">The stages are timed in a separate pass, one "
        "after the other; in the slot itself they are fused. The last column is relative to the "
        "sum of their means. Back to back: each slot starts when the previous one is done.</p>\n",
        out);
}
