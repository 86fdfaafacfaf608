#ifndef LTE_SIM_CHANNEL_DUMP_H
#define LTE_SIM_CHANNEL_DUMP_H
/*
 * --dump-channel: the channels of a run in a file (sim/files/channel_file.h).
 *
 *     uint64_t n_slots = lte_slots_used(&sweeps, deadline);
 *     lte_status status = lte_channel_dump(scenario, &link, n_slots, path, watch, user);
 */

#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/sweep/sweep.h"

/* Slots 0, 1, ... that a run used: the most of any row and of the deadline run, NULL if it did
 * not run. */
uint64_t lte_slots_used(const lte_sweeps *sweeps, const lte_deadline *deadline);

/*
 * Makes the channels of slots 0 .. n_slots - 1 anew and writes them, one slot in memory at a time.
 * A stop signal ends it early: then there is no file.
 *
 * Returns LTE_EIO (n_slots = 0 too), LTE_ENOMEM, LTE_EDEVICE without HDF5.
 */
lte_status lte_channel_dump(const lte_scenario *scenario, const lte_link *link, uint64_t n_slots,
                            const char *path, lte_deadline_watch *watch, void *user);

#endif
