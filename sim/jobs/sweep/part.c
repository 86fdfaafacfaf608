/* The slots of a part, checked. */
#include "sim/jobs/sweep/part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/refuse.h"
#include "sim/jobs/sweep/sweep_rounds.h"

/* Reads digits; false if there are none or too many. */
static bool read_slot(const char *text, uint64_t *slot, const char **end)
{
    const size_t digits = strspn(text, "0123456789");
    errno = 0;
    *slot = strtoull(text, NULL, 10);
    *end = text + digits;
    return digits > 0 && !errno;
}

lte_status lte_part_read(const char *text, lte_part *part)
{
    const char *end = text;
    const bool right = read_slot(text, &part->first, &end) && *end == ':' &&
                       read_slot(end + 1, &part->last, &end) && !*end;
    if (!right)
        return lte_refuse("--slots %.60s: must be FIRST:LAST, two slots, as in 0:4095", text);
    if (part->first > part->last)
        return lte_refuse("--slots %.60s: FIRST must not be greater than LAST", text);
    part->given = true;
    return LTE_OK;
}

lte_status lte_part_check(const lte_part *part, const lte_scenario *scenario)
{
    const unsigned long long first = part->first, last = part->last;
    const unsigned long long round = (unsigned long long)scenario->sweep.round_slots;
    const unsigned long long most = scenario->sweep.max_slots, end = last / round * round;
    const unsigned long long after = end + round < most ? end + round : most;
    if (lte_scenario_searches(scenario))
        return lte_refuse("--slots %llu:%llu: a search cannot be split, since "
                          "its next SNR depends on the results of all slots",
                          first, last);
    if (last >= most)
        return lte_refuse(
            "--slots %llu:%llu: sweep.max_slots is %llu, so LAST must be at most %llu", first, last,
            most, most - 1);
    if (first % round != 0)
        return lte_refuse("--slots %llu:%llu: FIRST must be a multiple of sweep.round_slots = "
                          "%llu, such as %llu or %llu",
                          first, last, round, first / round * round, (first / round + 1) * round);
    if (last + 1 == after)
        return LTE_OK;
    if (end > first)
        return lte_refuse("--slots %llu:%llu: LAST must end a round of sweep.round_slots = %llu "
                          "slots, such as %llu or %llu",
                          first, last, round, end - 1, after - 1);
    return lte_refuse(
        "--slots %llu:%llu: LAST must end a round of sweep.round_slots = %llu slots, such as %llu",
        first, last, round, after - 1);
}

double lte_part_bytes(const lte_part *part, const lte_sweeps *sweeps)
{
    double bytes = 0.0;
    for (int k = 0; k < sweeps->n && part->given; k++) {
        const lte_sweep *sweep = sweeps->of[k];
        const double rounds =
            (double)(part->last - part->first + 1) / sweep->scenario->sweep.round_slots;
        bytes += rounds * sweep->n_snr * lte_sweep_round_bytes(sweep);
    }
    return bytes;
}

lte_status lte_part_take(const lte_part *part, lte_sweeps *sweeps)
{
    enum { MOST_MB = 256 }; /* that --resume holds in memory */
    const lte_status status = lte_part_check(part, sweeps->of[0]->scenario);
    if (status)
        return status;
    for (int k = 0; k < sweeps->n; k++) {
        lte_sweep *sweep = sweeps->of[k];
        lte_sweep_set_part(sweep, part->first, part->last);
    }
    const double bytes = lte_part_bytes(part, sweeps);
    if (bytes <= 0x1p20 * MOST_MB)
        return LTE_OK;
    return lte_refuse("--slots %llu:%llu: the counts of all rounds would take up to %.0f MB (at "
                      "most %d); use fewer slots or a larger sweep.round_slots",
                      (unsigned long long)part->first, (unsigned long long)part->last,
                      bytes * 0x1p-20, MOST_MB);
}

void lte_part_name(const lte_part *part, char *path, size_t size)
{
    const size_t n = strlen(path);
    (void)snprintf(path + n, size - n, "_slots=%llu-%llu", (unsigned long long)part->first,
                   (unsigned long long)part->last);
}
