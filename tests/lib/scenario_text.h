#ifndef LTE_TESTS_LIB_SCENARIO_TEXT_H
#define LTE_TESTS_LIB_SCENARIO_TEXT_H
/* Scenarios from text. */

#include "tests/lib/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/scenario/scenario.h"

#define SMALL                                                                                      \
    "carrier = { bandwidth_mhz = 5; }; antennas = { tx = 2; rx = 4; }; modulation = \"64qam\";\n"  \
    "detectors = ( \"zf\", \"mmse\" );\n"

static char last_failure[1024];

static void keep_failure(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)snprintf(last_failure, sizeof last_failure, "%s", text);
}

/* Reads text as a scenario file with one override (NULL: none); NULL if it is refused. */
static lte_scenario *read_text(const char *text, const char *set)
{
    char path[] = "/tmp/scenario-XXXXXX.cfg";
    int handle = mkstemps(path, 4);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, text, strlen(text)), strlen(text));
    assert_int_equal(close(handle), 0);
    lte_scenario *scenario = NULL;
    *last_failure = '\0';
    lte_fail_handler before = lte_fail_handler_set(keep_failure);
    lte_status status = lte_scenario_read(path, &set, set ? 1 : 0, &scenario);
    lte_fail_handler_set(before);
    assert_int_equal(unlink(path), 0);
    assert_true(status == (scenario ? LTE_OK : LTE_EINVAL));
    return scenario;
}

static lte_scenario *read_small(const char *set)
{
    lte_scenario *scenario = read_text(SMALL, set);
    if (!scenario)
        fail_msg("refused: %s", last_failure);
    return scenario;
}

#endif
