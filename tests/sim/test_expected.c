/* Expected seconds: outlines of links count as the links do, and what makes a run longer. */
#include "tests/lib/unit.h"

#include "sim/report/expected.h"
#include "sim/scenario/described_link.h"

static const lte_pace pace = {.per_s = 5e10};

static lte_scenario *read_with(const char *path, const char *set)
{
    lte_scenario *s = NULL;
    assert_int_equal(lte_scenario_read(path, &set, set ? 1 : 0, &s), LTE_OK);
    return s;
}

static double seconds_of(const char *path, const char *set, const lte_pace *by)
{
    lte_scenario *s = read_with(path, set);
    double seconds = 0.0;
    assert_int_equal(lte_expected_seconds(s, by, &seconds), LTE_OK);
    lte_scenario_free(s);
    return seconds;
}

static void outlines_count_as_their_links(void **state)
{
    (void)state;
    static const char *const all = "csi=perfect,despread,dmrs-ls,dmrs-mmse,dmrs-mmse-cp";
    static const char *const paths[] = {"scenarios/estimated.cfg", "scenarios/eva70_20mhz_4x4.cfg",
                                        "scenarios/pusch_epa5.cfg"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        lte_scenario *s = read_with(paths[i], all);
        for (int c = 0; c < s->n_csi; c++) {
            float factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
            lte_estimator whole, one;
            lte_link link, outline;
            assert_int_equal(lte_scenario_link(s, s->csi[c], factor, &whole, &link), LTE_OK);
            assert_int_equal(lte_scenario_outline(s, s->csi[c], factor, &one, &outline), LTE_OK);
            const lte_operations a =
                lte_operations_of(&link, lte_detector_usual(LTE_DETECTOR_mmse));
            const lte_operations b =
                lte_operations_of(&outline, lte_detector_usual(LTE_DETECTOR_mmse));
            assert_true((a.estimation > 0.0) == lte_link_estimates(&link));
            assert_memory_equal(&a, &b, sizeof a);
            lte_estimator_free(&whole);
            lte_estimator_free(&one);
        }
        lte_scenario_free(s);
    }
}

static void more_work_takes_longer(void **state)
{
    (void)state;
    static const char *const path = "scenarios/20mhz_4x4.cfg";
    const lte_pace slow = {.per_s = pace.per_s / 10.0};
    const double usual = seconds_of(path, NULL, &pace);
    assert_true(seconds_of(path, "sweep.min_slots=4096", &pace) > usual);
    assert_true(seconds_of(path, "deadline.slots=20000", &pace) > usual + 8.0);
    assert_true(seconds_of(path, NULL, &slow) > usual);
}

/* Slots that take longer than their period are told after 64, but timed by stages all the same. */
static void a_slot_that_is_too_slow_is_timed_by_stages(void **state)
{
    (void)state;
    static const char *const path = "scenarios/massive_20mhz_64x16.cfg";
    const double few = seconds_of(path, "deadline.slots=100", &pace);
    const double most = seconds_of(path, "deadline.slots=1000", &pace);
    assert_true(most > few + 1.0);
    assert_near(seconds_of(path, "deadline.slots=5000", &pace), most, 2.0);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(expected, outlines_count_as_their_links),
    LTE_CASE(expected, more_work_takes_longer),
    LTE_CASE(expected, a_slot_that_is_too_slow_is_timed_by_stages),
};

int main(void)
{
    return cmocka_run_group_tests_name("expected", cases, NULL, NULL);
}
