/* The table of floors: what its cells and notes are of, by rates and times that are made up. */
#include "tests/lib/unit.h"

#include <stdio.h>
#include <string.h>

#include "sim/report/explain_costs.h"

enum { N = 3 };

/* 1e6 operations and 1e5 bytes each: at 1e9 of both a second, 1000 us and 100 us. */
static const lte_measured measured[N] = {{300.0, 0.6, 1}, {800.0, 1.6, 4}, {200.0, 0.4, 1}};
static lte_cost cost[N];
static lte_rates rates[N];
static lte_floors floors;

static int reset(void **state)
{
    (void)state;
    static const int ids[N] = {LTE_DETECTOR_zf, LTE_DETECTOR_ml, LTE_DETECTOR_mmse};
    for (int d = 0; d < N; d++) {
        const int n = measured[d].n_threads;
        cost[d] = (lte_cost){.detector = lte_detector_usual(ids[d]),
                             .known = true,
                             .operations = 1e6,
                             .read_bytes = 8e4,
                             .written_bytes = 2e4};
        rates[d] = (lte_rates){.flops = 1e9 * n,
                               .memory = n > 1 ? 2e9 : 1e9,
                               .n_threads = n,
                               .text = "rate",
                               .how = ", how"};
    }
    floors = (lte_floors){.n = N,
                          .cost = cost,
                          .rates = rates,
                          .measured = measured,
                          .n_carriers = 1,
                          .snr_db = 7.0,
                          .budget_us = 500.0};
    return 0;
}

/* All that is printed, for the caller to free. */
static char *printed(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    lte_floors_put(out, &floors);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Words of a line that are told apart by single spaces. */
static void squeeze(char *line)
{
    char *to = line;
    for (const char *at = line; *at; at++) {
        if (*at != ' ' || (to > line && to[-1] != ' '))
            *to++ = *at;
    }
    *to = '\0';
}

/* True if there is such a line, but for the number of its spaces. */
static bool has_line(const char *wanted)
{
    char *const text = printed(), *rest = text;
    bool found = false;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        squeeze(line);
        found = found || strcmp(line, wanted) == 0;
    }
    free(text);
    return found;
}

static bool has_words(const char *wanted)
{
    char *const text = printed();
    const bool found = strstr(text, wanted) != NULL;
    free(text);
    return found;
}

static void a_row_has_the_floors_of_its_own_threads(void **state)
{
    (void)state;
    assert_true(has_line("detector matrix element Mflop KB threads arithm. memory binds expected "
                         "of deadline"));
    assert_true(has_line("zf 0 0 1 100 1 1000 100 arithmetic 300 60 %"));
    assert_true(has_line("ml 0 0 1 100 4 250 50 arithmetic 800 160 %"));
    assert_true(has_line("mmse 0 0 1 100 1 1000 100 arithmetic 200 40 %"));
}

static void notes_name_each_number_of_threads_once(void **state)
{
    (void)state;
    assert_true(has_line("arithm.: at 1 Gflop/s with 1 thread, 4 with 4: rate"));
    assert_true(has_line("memory: at 1 GB/s with 1 thread, 2 with 4, how"));
    assert_true(has_line("threads: chosen for each detector by itself; the deadline run gives all "
                         "as many as zf"));
    for (int d = 0; d < N; d++)
        rates[d].n_threads = 4;
    assert_true(has_line("arithm.: at 1 Gflop/s with 4 threads: rate"));
    assert_false(has_words("threads: chosen"));
}

static void devices_and_what_was_not_measured_have_no_threads(void **state)
{
    (void)state;
    floors.measured = NULL;
    assert_true(has_line("detector matrix element Mflop KB arithm. memory binds"));
    assert_true(has_line("ml 0 0 1 100 250 50 arithmetic"));
    floors.measured = measured;
    for (int d = 0; d < N; d++) {
        rates[d].n_threads = 0;
        rates[d].bus = 1e8;
    }
    assert_true(has_line("zf 0 0 1 100 1000 100 1000 arithmetic 300 60 %"));
    assert_true(has_line("ml 0 0 1 100 250 50 1000 bus 800 160 %"));
    assert_true(has_line("arithm.: at 1 Gflop/s: rate"));
}

/* Without operations, as of a plug-in, even the largest of the other floors need not bind. */
static void what_binds_is_not_known_without_operations(void **state)
{
    (void)state;
    cost[0].known = false;
    assert_true(has_line("zf - - - 100 1 - 100 - 300 60 %"));
    rates[0].bus = 1e6;
    assert_true(has_words(" -       "));
    assert_false(has_line("zf - - - 100 1 - 100 1e+05 bus 300 60 %"));
}

static void floors_are_of_all_carriers(void **state)
{
    (void)state;
    assert_true(has_words("microseconds that a slot takes at least"));
    floors.n_carriers = 3;
    assert_true(has_words("microseconds that slots of 3 carriers take at least"));
    assert_true(has_line("ml 0 0 1 100 4 750 150 arithmetic 800 160 %"));
    assert_true(has_line("arithm., memory, expected: all 3 carriers, a slot of each"));
}

/* One resource block has 84 elements in a slot, fewer than a search is looked at on. */
static void nodes_are_counted_over_the_elements_that_there_are(void **state)
{
    (void)state;
    static const struct {
        int n_sc, elements;
    } sizes[] = {{12, 84}, {36, 252}, {48, 256}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char note[160];
        lte_link link;
        assert_int_equal(
            lte_link_init(&link, sizes[i].n_sc, 2, 2, 4, LTE_CHANNEL_rayleigh, LTE_INVERTER_ldl, 1),
            LTE_OK);
        assert_int_equal(lte_cost_of(&link, cost[1].detector, 7.0, &cost[1]), LTE_OK);
        assert_int_equal(cost[1].elements, sizes[i].elements);
        assert_true(cost[1].nodes > 0.0);
        (void)snprintf(note, sizeof note,
                       "ml: %.4g nodes an element at 7 dB, counted over %d elements, each to "
                       "100000",
                       cost[1].nodes, sizes[i].elements);
        assert_true(has_line(note));
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE_AFTER(explain_costs, a_row_has_the_floors_of_its_own_threads, reset),
    LTE_CASE_AFTER(explain_costs, notes_name_each_number_of_threads_once, reset),
    LTE_CASE_AFTER(explain_costs, devices_and_what_was_not_measured_have_no_threads, reset),
    LTE_CASE_AFTER(explain_costs, what_binds_is_not_known_without_operations, reset),
    LTE_CASE_AFTER(explain_costs, floors_are_of_all_carriers, reset),
    LTE_CASE_AFTER(explain_costs, nodes_are_counted_over_the_elements_that_there_are, reset),
};

int main(void)
{
    return cmocka_run_group_tests_name("explain_costs", cases, NULL, NULL);
}
