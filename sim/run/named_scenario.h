#ifndef LTE_SIM_NAMED_SCENARIO_H
#define LTE_SIM_NAMED_SCENARIO_H
/*
 * A scenario by name, with what the command line sets.
 *
 *     status = lte_named_scenario(options, "20mhz_4x4", NULL, 0, NULL, &scenario);
 */

#include "sim/run/run_options.h"
#include "sim/scenario/scenario.h"

/*
 * Reads the scenario that a name means, with what the command line sets, and its backend: the file
 * of that name, or, where there is none and the name has no folder, one of those that come with the
 * program, with or without its .cfg.
 *
 *   before   [n_before] "path=value", which the command line may override; NULL: none
 *   behind   one that overrides it; NULL: none
 *
 * Returns what lte_scenario_read does.
 */
lte_status lte_named_scenario(const lte_options *options, const char *name,
                              const char *const *before, int n_before, const char *behind,
                              lte_scenario **scenario);

/*
 * Loads the plug-ins that a scenario brings with it (sim/run/own_detector.h), those that are not
 * loaded, for a run alone. A crash inside one is told with its name on stderr before it ends the
 * program.
 *
 * Returns LTE_EINVAL for a file that cannot be read or loaded, that is of another interface, whose
 * SHA-256 is not the one given, or that has no such parameter.
 */
lte_status lte_plugins_load(const lte_scenario *scenario);

#endif
