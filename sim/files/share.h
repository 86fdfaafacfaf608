#ifndef LTE_SIM_SHARE_H
#define LTE_SIM_SHARE_H
/*
 * The files that come with the program, plots and scenarios, wherever it was put; reading a scenario by name.
 *
 *     char path[PATH_MAX];
 *     if (lte_share_find("plots/ber.gp", path, sizeof path))
 */

#include <stdbool.h>
#include <stddef.h>

#include "sim/cli/options.h"
#include "sim/scenario/scenario.h"

/*
 * Where such a file is: beside the program's folder, as in a tree with its build; where an
 * installation has it, from the program's own place; or in the tree that the program was built from.
 * False if it is in none of them, and path has the last one's.
 */
bool lte_share_find(const char *file, char *path, size_t size);

/*
 * Reads the scenario that a name means, with what the command line sets, and its backend: the file of
 * that name, or, where there is none and the name has no folder, one of those that come with the
 * program, with or without its .cfg.
 *
 *   before   [n_before] "path=value", which the command line may override; NULL: none
 *   behind   one that overrides it; NULL: none
 *
 * Returns what lte_scenario_read does.
 */
lte_status lte_share_read(const lte_options *options, const char *name, const char *const *before,
                          int n_before, const char *behind, lte_scenario **scenario);

#endif
