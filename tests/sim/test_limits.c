/*
 * Limits that no row of today has: links and the check of scenarios, compiled here once more over
 * rows that take fewer layers than the program.
 */
#include "tests/lib/unit.h"

#include <stdio.h>
#include <string.h>

#include "phy/detection/detectors.h"
#include "phy/inversion/inverters.h"

static lte_detector detector_rows[LTE_N_DETECTORS];
static lte_inverter inverter_rows[LTE_N_INVERTERS];

/* The program's rows, but one detector takes max_tx layers and one inverter orders to max_order. */
static void limit(int detector, int max_tx, int inverter, int max_order)
{
    memcpy(detector_rows, lte_detector_rows, sizeof detector_rows);
    memcpy(inverter_rows, lte_inverter_rows, sizeof inverter_rows);
    detector_rows[detector].max_tx = max_tx;
    inverter_rows[inverter].max_order = max_order;
}

// NOLINTBEGIN(readability-identifier-naming): the names that the sources use
#define lte_detector_rows detector_rows
#define lte_detector_row(detector) (&detector_rows[lte_detector_id(detector)])
#define lte_inverter_rows inverter_rows
// NOLINTEND(readability-identifier-naming)
#include "kernels/link/link.c"  // NOLINT(bugprone-suspicious-include)
#include "sim/scenario/check.c" // NOLINT(bugprone-suspicious-include)

static void links_take_the_orders_of_their_inverter(void **state)
{
    (void)state;
    int refused = 0;
    lte_fail_handler handler = expect_failures();
    for (int i = 0; i < LTE_N_INVERTERS * LTE_MAX_ORDER * LTE_MAX_ORDER; i++) {
        const int inverter = i / LTE_MAX_ORDER / LTE_MAX_ORDER,
                  most = 1 + i / LTE_MAX_ORDER % LTE_MAX_ORDER;
        const int n = 1 + i % LTE_MAX_ORDER;
        lte_link link;
        limit(0, LTE_MAX_ORDER, inverter, most);
        assert_int_equal(lte_link_init(&link, 72, n, n, 4, LTE_CHANNEL_rayleigh, inverter, 1),
                         n <= most ? LTE_OK : LTE_EINVAL);
        refused += n > most;
    }
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), refused);
}

static char refusal[1024];

static void keep_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)snprintf(refusal, sizeof refusal, "%s", text);
}

/* A scenario of so many layers with that detector and inverter; what it is refused with, or "". */
static const char *refusal_of(int n_tx, int detector, int inverter)
{
    char tx[32], rx[32], detectors[64], invert[64];
    const char *const sets[] = {tx, rx, detectors, invert};
    lte_scenario *scenario = NULL;
    (void)snprintf(tx, sizeof tx, "antennas.tx=%d", n_tx);
    (void)snprintf(rx, sizeof rx, "antennas.rx=%d", LTE_FEW_RX);
    (void)snprintf(detectors, sizeof detectors, "detectors=%s", lte_detector_rows[detector].name);
    (void)snprintf(invert, sizeof invert, "inverter=%s", lte_inverter_rows[inverter].name);
    refusal[0] = '\0';
    lte_fail_handler handler = lte_fail_handler_set(keep_failure);
    const lte_status status = lte_scenario_read("scenarios/quick.cfg", sets, 4, &scenario);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(status, refusal[0] ? LTE_EINVAL : LTE_OK);
    lte_scenario_free(scenario);
    return refusal;
}

static void scenarios_take_the_layers_of_detector_and_inverter(void **state)
{
    (void)state;
    enum { MOST = 3 };
    for (int i = 0; i < LTE_N_DETECTORS * LTE_N_INVERTERS * (MOST + 1); i++) {
        const int n = 1 + i % (MOST + 1), inverter = i / (MOST + 1) % LTE_N_INVERTERS;
        const int detector = i / (MOST + 1) / LTE_N_INVERTERS;
        limit(detector, MOST, inverter, LTE_MAX_ORDER);
        const char *text = refusal_of(n, detector, inverter);
        assert_int_equal(strstr(text, "it takes 1 to 3 layers") != NULL, n > MOST);
        assert_true(n > MOST || text[0] == '\0');
        limit(detector, LTE_MAX_ORDER, inverter, MOST);
        text = refusal_of(n, detector, inverter);
        assert_int_equal(strstr(text, "it takes orders 1 to 3") != NULL, n > MOST);
        assert_true(n > MOST || text[0] == '\0');
    }
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(limits, links_take_the_orders_of_their_inverter),
    LTE_CASE(limits, scenarios_take_the_layers_of_detector_and_inverter),
};

int main(void)
{
    return cmocka_run_group_tests_name("limits", cases, NULL, NULL);
}
