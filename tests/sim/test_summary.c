/* Lines of the summary: how they wrap, names and rates, and the deadline's four verdicts. */
#include "tests/lib/pretend_places.h"

#include <math.h>

#include "sim/report/summary/summary.h"
#include "sim/report/summary/summary_text.h"
#include "sim/report/results/words.h"

/* What a summary says of a deadline run, from that line on; the caller frees it. */
static char *deadline_lines(const lte_scenario *s, const lte_deadline *run)
{
    const lte_run_info info = {.scenario = s, .backend = "fake", .choices = "", .threads = 1};
    const lte_sweeps none = {.n = 0};
    const lte_summary_of of = {
        .info = &info, .sweeps = &none, .deadline = run, .dir = "here", .files = "run.json"};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    lte_summary(out, &of);
    assert_int_equal(fclose(out), 0);
    const char *from = strstr(text, "\ndeadline ");
    assert_non_null(from);
    char *lines = strdup(from + 1);
    free(text);
    assert_non_null(lines);
    return lines;
}

static void assert_lines(const lte_scenario *s, const char *expected)
{
    lte_deadline *run = run_of(s, LTE_OK);
    char *lines = deadline_lines(s, run);
    if (strcmp(lines, expected) != 0)
        fail_msg("\n%sin place of\n%s", lines, expected);
    free(lines);
    lte_deadline_free(run);
}

#define STAGES "  unfused: in 1, reorder 3, Gram 4, 16 inv. 2x2 5, detect 6, out 10 us\n"
#define RESULTS "results in here: run.json; every row: --table\n"

static void a_deadline_that_is_met(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(20);
    assert_lines(
        &s,
        "deadline 500 us, MMSE, 5 dB: MET, 0 of 20 slots late (0 allowed)\n"
        "  from host memory: median work 11.5 us, utilisation 2 %; slowest 12 us\n"
        "  data on the device: median work 1.8 us, utilisation 0 %; slowest 2 us; data\n"
        "    small enough to stay in its L2 cache\n" STAGES
        "  carriers held, from host memory: 49 (100 % on time); 48 by median work\n"
        "  carriers held, data on the device: 4975 (100 % on time); 4864 by median work\n" RESULTS);
}

/* Work 2.6 ms a slot: 5.2 times too slow, and no carrier is held. */
static void a_receiver_that_is_too_slow(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(400);
    fake.period_ns[LTE_PLACEMENT_HOST] = 2590000;
    fake.period_ns[LTE_PLACEMENT_DEVICE] = 2590000;
    assert_lines(&s,
                 "deadline 500 us, MMSE, 5 dB: OVERLOADED, 5.2 times too slow\n"
                 "  from host memory: median work 2.6 ms, utilisation 520 %\n"
                 "  data on the device: median work 2.59 ms, utilisation 518 %; data small enough\n"
                 "    to stay in its L2 cache\n" STAGES "  carriers held, from host memory: 0\n"
                 "  carriers held, data on the device: 0\n" RESULTS);
}

static void a_machine_that_stalled(void **state)
{
    (void)state;
    const lte_scenario s = scenario_of(100);
    fake.period_ns[LTE_PLACEMENT_HOST] = 430000;
    interruption[0].every_ns = 1700000;
    interruption[0].length_ns = 60000;
    lte_deadline *run = run_of(&s, LTE_OK);
    char *lines = deadline_lines(&s, run);
    assert_non_null(strstr(lines, "MMSE, 5 dB: UNDECIDED, "));
    assert_non_null(strstr(lines, " of 100 late (0 allowed)\n"));
    if (!strstr(lines, "  machine paused up to 60.5 us; carriers held, from host memory: not "
                       "known; 6\n    by median work\n"))
        fail_msg("%s", lines);
    free(lines);
    lte_deadline_free(run);
}

static void a_deadline_that_is_missed(void **state)
{
    (void)state;
    lte_scenario s = scenario_of(20);
    s.deadline.budget_us = 5.0;
    lte_deadline *run = run_of(&s, LTE_OK);
    char *lines = deadline_lines(&s, run);
    const char *start = "deadline 5 us, MMSE, 5 dB: MISSED, 20 of 20 slots late (0 allowed)\n";
    assert_memory_equal(lines, start, strlen(start));
    free(lines);
    lte_deadline_free(run);
}

/* Words wrap at 80 columns with two more of indentation; what is bound stays on its line. */
static void lines_wrap_between_words(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    lte_lines lines = {.out = out};
    assert_non_null(out);
    for (int i = 0; i < 30; i++) {
        lte_lines_add(&lines, "%d" LTE_BIND "us", 100 + i);
        lte_lines_add(&lines, i < 29 ? "," : ";");
    }
    lte_lines_add(&lines, "caf\xc3\xa9");
    lte_lines_end(&lines);
    assert_int_equal(fclose(out), 0);
    int n = 0;
    for (const char *line = text; *line; n++) {
        const size_t columns = strcspn(line, "\n");
        assert_true(columns <= LTE_LINES_COLUMNS + 1); /* one character of two bytes */
        assert_memory_equal(line, n ? "  1" : "100", 3);
        assert_true(line[columns - 1] != ' ');
        line += columns + 1;
    }
    assert_true(n > 2);
    assert_non_null(strstr(text, "129 us; caf\xc3\xa9\n"));
    free(text);
}

static void names_and_rates_are_as_text_has_them(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"zf", "ZF"},         {"16qam", "16QAM"},
                                           {"cg-4", "CG-4"},     {"rayleigh", "Rayleigh"},
                                           {"qpsk", "QPSK"},     {"neumann-3", "Neumann-3"},
                                           {"256qam", "256QAM"}, {"", ""}};
    char text[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(lte_printed_name(names[i][0], text, sizeof text), names[i][1]);
    assert_string_equal(lte_lines_rate(0.4119, 1, text, sizeof text), "4.1e-1");
    assert_string_equal(lte_lines_rate(1.0, 1, text, sizeof text), "1.0e0");
    assert_string_equal(lte_lines_rate(7.75e-12, 1, text, sizeof text), "7.8e-12");
    assert_string_equal(lte_lines_rate(0.0196, 0, text, sizeof text), "2e-2");
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        LTE_CASE_AFTER(summary, a_deadline_that_is_met, reset),
        LTE_CASE_AFTER(summary, a_receiver_that_is_too_slow, reset),
        LTE_CASE_AFTER(summary, a_machine_that_stalled, reset),
        LTE_CASE_AFTER(summary, a_deadline_that_is_missed, reset),
        LTE_CASE_AFTER(summary, lines_wrap_between_words, reset),
        LTE_CASE_AFTER(summary, names_and_rates_are_as_text_has_them, reset),
    };
    return cmocka_run_group_tests_name("summary", cases, NULL, NULL);
}
