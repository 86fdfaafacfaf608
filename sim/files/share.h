#ifndef LTE_SIM_SHARE_H
#define LTE_SIM_SHARE_H
/*
 * The files that come with the program, plots and scenarios, wherever it was put.
 *
 *     char path[PATH_MAX];
 *     if (lte_share_find("plots/chart.gp", path, sizeof path))
 */

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Where such a file is: beside the program's folder, as in a tree with its build; where an
 * installation has it, from the program's own place; or in the tree that the program was built
 * from. False if it is in none of them, and path has the last one's.
 */
bool lte_share_find(const char *file, char *path, size_t size);

/* Where a file of the build folder is that the program lies in; false if it lies in none, or the
 * file is not built. */
bool lte_share_find_built(const char *file, char *path, size_t size);

/*
 * The paths of the scenarios among them, each scenarios/NAME.cfg, by name. False if there are none;
 * else the caller calls globfree.
 */
bool lte_share_scenarios(glob_t *found);

#endif
