#ifndef LTE_SIM_JOBS_INFORMATION_H
#define LTE_SIM_JOBS_INFORMATION_H
/*
 * What the LLRs of a row are worth (phy/theory/information.h), and what they cannot exceed.
 *
 *     const lte_row_information of = lte_row_information_of(sweep, row);
 *     printf("%.3f bits\n", of.bits);
 */

#include "phy/theory/information.h"
#include "sim/jobs/sweep/sweep.h"

/* Bits per QAM symbol, the mean over layers; the interval is that of what is lost, by clusters. */
typedef struct {
    double bits, low, high; /* NAN where there is no interval */
    double limit;           /* of the modulation, at the mean SNR that a layer could have at best */
    double shannon;         /* the same of any */
    lte_llr_scale best;     /* the factor by which the LLRs were worth most */
    double cut;             /* the share of them that were cut as integers */
    bool misleading;        /* high < 0: a decoder would do better without them */
} lte_row_information;

/* Of a row of a sweep that counts LLRs, with a cluster or more. */
lte_row_information lte_row_information_of(const lte_sweep *sweep, const lte_row *row);

/* Whether the information of LLRs is what a sweep counts. */
bool lte_sweep_has_llrs(const lte_sweep *sweep);

/* True of a row whose LLRs were counted and mislead; false of any other row. */
bool lte_row_misleads(const lte_sweep *sweep, const lte_row *row);

/* Information of a bit of layer k of such a row: of a bit, its interval like that of all. */
typedef struct {
    double bits, low, high;
} lte_bit_information;
lte_bit_information lte_row_bit_information(const lte_sweep *sweep, const lte_row *row, int k,
                                            int bit);

#endif
