#ifndef LTE_SIM_JOBS_COUNTING_H
#define LTE_SIM_JOBS_COUNTING_H
/*
 * What of a sweep differs by what is counted of its detectors, a row for each of LTE_COUNTED_*:
 * which sums there are, how a drop adds to them, and how they stand in a line.
 *
 *     const lte_counting *counting = lte_counting_of(sweep);
 *     counting->count(sweep, row);
 *
 * What slots add to records is in sim/jobs/workers/tally.c, what reports call it in
 * sim/report/results/counted_words.h.
 */

#include "sim/files/walk.h"
#include "sim/jobs/sweep/sweep.h"

typedef struct {
    const char *rate, *counts; /* of errors: "BER" of "bits" */
    /* errors are of symbols by themselves: they have closed forms, and subcarriers that fade alone
       are samples of their own */
    bool by_symbol;
    /* of a slot: counts that are summed; of these layers and bits whose LLRs lose information */
    int (*n_counts)(int n_tx, int n_bits);
    int (*n_lost)(int n_tx, int n_bits);
    /* of a drop, at most: what errors are counted of, in the parts that they are counted in */
    uint64_t (*drop)(const lte_tally_cut *cut, const lte_link *link);
    double (*signal)(const lte_tally_cut *cut, const lte_row *row); /* power that was measured */
    void (*count)(const lte_sweep *sweep, lte_row *row); /* rows whose sums are there: the rest */
    /* a drop that came in parts: its number, and a row of it alone, which has lost so much */
    void (*end)(const lte_sweep *sweep, uint64_t number, uint64_t lost, lte_row *whole);
    /* sums of products of a row in a line, and groups of what LLRs lose */
    void (*walk_products)(lte_walk *w, lte_row *row);
    void (*walk_lost)(lte_walk *w, const lte_sweep *sweep, lte_row *row);
    /* the most that a count for one bit can be: of hard decisions, of what stands behind */
    uint64_t most, most_behind;
    int n_group_sets, n_products; /* about, of a line: sets of groups, wide sums beside lost2 */
    int n_rates;                  /* error rates that curves are compared at, the first that all */
    double rates[4];              /* of them reach */
} lte_counting;

extern const lte_counting lte_counting_rows[LTE_N_COUNTED];

static inline const lte_counting *lte_counting_of(const lte_sweep *sweep)
{
    return &lte_counting_rows[sweep->cut.counted];
}

#endif
