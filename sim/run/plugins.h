#ifndef LTE_SIM_PLUGINS_H
#define LTE_SIM_PLUGINS_H
/*
 * Plug-ins: loads the detectors that a scenario brings with it, for a run alone. What a file of one
 * holds: sim/run/own_detector.h.
 *
 *     status = lte_plugins_load(scenario);
 *
 * A crash inside one is told with its name on stderr before it ends the program.
 */

#include "sim/scenario/scenario.h"

/*
 * Loads those that are not loaded. Returns LTE_EINVAL for a file that cannot be read or loaded,
 * that is of another interface, whose SHA-256 is not the one given, or that has no such parameter.
 */
lte_status lte_plugins_load(const lte_scenario *scenario);

#endif
