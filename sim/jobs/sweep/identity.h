#ifndef LTE_SIM_IDENTITY_H
#define LTE_SIM_IDENTITY_H
/*
 * What a run is of: the version, the scenario, and its part of the slots. Runs of one identity
 * count the same, whoever counts (backend, threads) and for how long.
 *
 *     json_t *identity = lte_identity(scenario, &part, "cpu:v4");
 *     char text[400] = "";
 *     lte_identity_difference(identity, other, names, true, text, sizeof text);
 *     if (*text) ... "seed is 7 in this run and 1 in the journal"
 */

#include <jansson.h>
#include <stddef.h>

#include "sim/jobs/sweep/part.h"

/* Of a run that keeps its blocks: true. */
#define LTE_IDENTITY_BLOCKS "blocks"

/*
 * A new object, NULL without memory; the caller owns it. That of a part has what all parts need to
 * become one run: the scenario with every key, and the backend that counts.
 */
json_t *lte_identity(const lte_scenario *scenario, const lte_part *part, const char *backend);

/*
 * Writes the first difference, with their parts or without, none into an empty text.
 *
 *   names  [2]  what the text calls the runs
 */
void lte_identity_difference(const json_t *ours, const json_t *theirs, const char *const *names,
                             bool parts, char *text, size_t size);

#endif
