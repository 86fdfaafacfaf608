#ifndef LTE_SIM_PART_H
#define LTE_SIM_PART_H
/*
 * The part of a run: the slots of every point that it counts, --slots FIRST:LAST.
 *
 *     lte_part part = {0};
 *     lte_status status = lte_part_read("0:4095", &part);
 *     if (!status)
 *         status = lte_part_take(&part, &sweeps);
 */

#include <stdbool.h>
#include <stdint.h>

#include "sim/jobs/sweep/sweep.h"

typedef struct {
    bool given; /* else a run has all slots */
    uint64_t first, last;
} lte_part;

/* Reads FIRST:LAST; refuses what is none. */
lte_status lte_part_read(const char *text, lte_part *part);

/* Refuses a part that does not begin with a round of the scenario or does not end with one. */
lte_status lte_part_check(const lte_part *part, const lte_scenario *scenario);

/*
 * Makes sweeps those of a part, checked; refuses one whose rounds would make too large a journal.
 */
lte_status lte_part_take(const lte_part *part, lte_sweeps *sweeps);

/* Bytes of the rounds of a part, as --resume holds them in memory, at most; 0 if none is given. */
double lte_part_bytes(const lte_part *part, const lte_sweeps *sweeps);

/* Appends the slots to the name of a folder: out/quick_slots=0-4095. */
void lte_part_name(const lte_part *part, char *path, size_t size);

#endif
