/* The scenarios that come with the program. */
#include "sim/report/shipped.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/files/share.h"
#include "sim/scenario/scenario.h"

static void say_nothing(lte_status status, const char *file, int line, const char *text)
{
    (void)status;
    (void)file;
    (void)line;
    (void)text;
}

/* The scenario at a path; of a list of MCS the one in its middle, which stands for all. */
static lte_status read_shipped(const char *path, lte_scenario **scenario)
{
    char set[32];
    const char *sets[] = {set};
    lte_status status = lte_scenario_read(path, NULL, 0, scenario);
    if (status || !lte_scenario_is_list(*scenario))
        return status;
    const int n_mcs = (*scenario)->code.n_mcs;
    lte_scenario *all = *scenario;
    (void)snprintf(set, sizeof set, "code.mcs=%d", all->code.all_mcs[n_mcs / 2]);
    status = lte_scenario_read(path, sets, 1, scenario);
    if (!status) {
        (*scenario)->code.n_mcs = n_mcs;
        memcpy((*scenario)->title, all->title, sizeof all->title);
    }
    lte_scenario_free(all);
    return status;
}

void lte_shipped_each(const lte_pace *pace, void (*visit)(void *into, const lte_shipped *one),
                      void *into)
{
    glob_t shipped;
    if (!lte_share_scenarios(&shipped))
        return;
    const lte_fail_handler before = lte_fail_handler_set(say_nothing);
    for (size_t i = 0; i < shipped.gl_pathc; i++) {
        const char *path = shipped.gl_pathv[i], *base = strrchr(path, '/') + 1;
        char name[64];
        lte_scenario *scenario = NULL;
        lte_shipped one = {.name = name, .path = path, .title = "", .seconds = (double)NAN};
        double seconds = 0.0;
        (void)snprintf(name, sizeof name, "%.*s", (int)(strlen(base) - strlen(".cfg")), base);
        if (!read_shipped(path, &scenario) && !lte_expected_seconds(scenario, pace, &seconds))
            one.seconds = seconds;
        if (scenario)
            one.title = scenario->title;
        visit(into, &one);
        lte_scenario_free(scenario);
    }
    (void)lte_fail_handler_set(before);
    globfree(&shipped);
}
