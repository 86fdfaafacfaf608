/* Limits that no row of today has: rows of detectors and inverters that take fewer layers. */
#include "tests/lib/unit.h"

#include <stdio.h>
#include <string.h>

#include "kernels/link/inversion_rows.h"
#include "kernels/link/link.h"
#include "sim/scenario/reader.h"

static void links_take_the_orders_of_their_inverter(void **state)
{
    (void)state;
    int refused = 0;
    lte_fail_handler handler = expect_failures();
    for (int i = 0; i < LTE_N_INVERTERS * LTE_MAX_ORDER * LTE_MAX_ORDER; i++) {
        lte_inverter inverter = lte_inverter_rows[i / LTE_MAX_ORDER / LTE_MAX_ORDER];
        const int n = 1 + i % LTE_MAX_ORDER, most = 1 + i / LTE_MAX_ORDER % LTE_MAX_ORDER;
        inverter.max_order = most;
        assert_int_equal(lte_inverter_takes(&inverter, n), n <= most ? LTE_OK : LTE_EINVAL);
        refused += n > most;
    }
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), refused);
}

/* A link asks the row of its inverter. */
static void links_ask_their_inverter(void **state)
{
    (void)state;
    lte_fail_handler handler = expect_failures();
    for (int inverter = 0; inverter < LTE_N_INVERTERS; inverter++) {
        const int most = lte_inverter_rows[inverter].max_order;
        lte_link link;
        assert_int_equal(lte_link_init(&link, 72, most, most, 4, LTE_CHANNEL_rayleigh, inverter, 1),
                         LTE_OK);
        assert_int_equal(
            lte_link_init(&link, 72, most + 1, most + 1, 4, LTE_CHANNEL_rayleigh, inverter, 1),
            LTE_EINVAL);
    }
    (void)lte_fail_handler_set(handler);
}

/* And the row of the version that a device is to run: every inverter, version and order. */
static void links_take_the_versions_of_their_inverter(void **state)
{
    (void)state;
    int n_set = 0;
    lte_fail_handler handler = expect_failures();
    for (int i = 0; i < LTE_N_INVERTERS * LTE_N_INVERSIONS * LTE_MAX_TX; i++) {
        const int inverter = i % LTE_N_INVERTERS, n_tx = 1 + i / LTE_N_INVERTERS / LTE_N_INVERSIONS;
        const int version = i / LTE_N_INVERTERS % LTE_N_INVERSIONS;
        const lte_inversion_row *row = &lte_inversion_rows[version];
        const bool takes =
            version == LTE_INVERSION_FAST ||
            (row->inverter == inverter && n_tx >= row->min_order && n_tx <= row->max_order);
        lte_link link;
        if (n_tx > lte_inverter_rows[inverter].max_order)
            continue;
        assert_int_equal(lte_link_init(&link, 72, n_tx, n_tx, 4, LTE_CHANNEL_rayleigh, inverter, 1),
                         LTE_OK);
        assert_int_equal(lte_link_set_inversion(&link, version), takes ? LTE_OK : LTE_EINVAL);
        assert_int_equal(link.receiver.inversion, takes ? version : LTE_INVERSION_FAST);
        n_set += takes;
        const lte_output output = {.llr_scale = 8.0f};
        assert_int_equal(lte_link_set_llr_output(&link, &output), LTE_OK);
    }
    for (int i = -1; i <= LTE_N_INVERSIONS; i += LTE_N_INVERSIONS + 1) {
        lte_link link;
        assert_int_equal(lte_link_init(&link, 72, 2, 2, 4, LTE_CHANNEL_rayleigh, 0, 1), LTE_OK);
        assert_int_equal(lte_link_set_inversion(&link, i), LTE_EINVAL);
    }
    (void)lte_fail_handler_set(handler);
    assert_true(n_set > 1000);
}

/* Versions by name, in any case: each is found again, and one at most is the published one. */
static void versions_are_found_by_name(void **state)
{
    (void)state;
    int published[LTE_N_INVERTERS] = {0};
    for (int i = LTE_INVERSION_FAST + 1; i < LTE_N_INVERSIONS; i++) {
        const lte_inversion_row *row = &lte_inversion_rows[i];
        assert_int_equal(lte_inversion_named(row->inverter, row->name), i);
        assert_int_equal(lte_inversion_named((row->inverter + 1) % LTE_N_INVERTERS, row->name) == i,
                         false);
        published[row->inverter] += row->published;
        if (row->published)
            assert_int_equal(lte_inversion_named(row->inverter, "Published"), i);
    }
    for (int i = 0; i < LTE_N_INVERTERS; i++) {
        assert_int_equal(published[i], i != LTE_INVERTER_ldl);
        assert_int_equal(lte_inversion_named(i, "FAST"), LTE_INVERSION_FAST);
        assert_int_equal(lte_inversion_named(i, ""), -1);
    }
    assert_int_equal(lte_inversion_named(LTE_INVERTER_ldl, "published"), -1);
}

static char refusal[1024];

static void keep_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)snprintf(refusal, sizeof refusal, "%s", text);
}

/* What so many layers with that detector and inverter are refused with, or "". */
static const char *refusal_of(int n_tx, const lte_detector_row *detector,
                              const lte_inverter *inverter)
{
    static lte_scenario_reading reading;
    lte_scenario scenario = {.n_tx = n_tx};
    reading.scenario = &scenario;
    reading.given[LTE_KEY_TX] = true;
    (void)snprintf(reading.place[LTE_KEY_TX].text, sizeof reading.place[LTE_KEY_TX].text, "here");
    refusal[0] = '\0';
    lte_fail_handler handler = lte_fail_handler_set(keep_failure);
    const lte_status status = lte_scenario_check_layers(&reading, detector, inverter);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(status, refusal[0] ? LTE_EINVAL : LTE_OK);
    return refusal;
}

static void scenarios_take_the_layers_of_detector_and_inverter(void **state)
{
    (void)state;
    enum { MOST = 3 };
    for (int i = 0; i < LTE_N_DETECTORS * LTE_N_INVERTERS * (MOST + 1); i++) {
        const int n = 1 + i % (MOST + 1);
        lte_inverter inverter = lte_inverter_rows[i / (MOST + 1) % LTE_N_INVERTERS];
        lte_detector_row detector = lte_detector_rows[i / (MOST + 1) / LTE_N_INVERTERS];
        detector.max_tx = MOST;
        const char *text = refusal_of(n, &detector, &inverter);
        assert_int_equal(strstr(text, "here: ") && strstr(text, "it takes 1 to 3 layers"),
                         n > MOST);
        assert_true(n > MOST || text[0] == '\0');
        detector.max_tx = LTE_MAX_TX;
        inverter.max_order = MOST;
        text = refusal_of(n, &detector, &inverter);
        assert_int_equal(strstr(text, "it takes orders 1 to 3") != NULL, n > MOST);
        assert_true(n > MOST || text[0] == '\0');
    }
}

/* Every detector of a scenario is asked, with the row of its inverter. */
static void scenarios_ask_all_of_their_detectors(void **state)
{
    (void)state;
    static const char *const sets[] = {"antennas.tx=32", "antennas.rx=64",
                                       "detectors=[\"mmse\", \"mrc\"]", "inverter=ldl"};
    lte_scenario *scenario = NULL;
    refusal[0] = '\0';
    lte_fail_handler handler = lte_fail_handler_set(keep_failure);
    const lte_status status = lte_scenario_read("scenarios/quick.cfg", sets, 4, &scenario);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(status, LTE_EINVAL);
    assert_non_null(strstr(refusal, "it takes orders 1 to 8"));
    lte_scenario_free(scenario);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(limits, links_take_the_orders_of_their_inverter),
    LTE_CASE(limits, links_ask_their_inverter),
    LTE_CASE(limits, links_take_the_versions_of_their_inverter),
    LTE_CASE(limits, versions_are_found_by_name),
    LTE_CASE(limits, scenarios_take_the_layers_of_detector_and_inverter),
    LTE_CASE(limits, scenarios_ask_all_of_their_detectors),
};

int main(void)
{
    return cmocka_run_group_tests_name("limits", cases, NULL, NULL);
}
