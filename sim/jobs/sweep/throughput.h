#ifndef LTE_SIM_JOBS_THROUGHPUT_H
#define LTE_SIM_JOBS_THROUGHPUT_H
/*
 * What the transport blocks of a row come to.
 *
 *     const lte_row_blocks of = lte_row_blocks_of(sweep, row);
 *     printf("%.1f Mbit/s\n", 1e-6 * of.bits_per_s);
 */

#include "sim/jobs/sweep/sweep.h"

/* NAN where there is no interval. */
typedef struct {
    /* in twelfths: transport blocks; wrong after the first transmission, after the last; those
       whose CRCs hold, and whose bits are wrong */
    uint64_t blocks, wrong_first, wrong, undetected;
    lte_interval last;       /* of the share of blocks wrong after the last, by drops; of the first:
                                    lte_row_interval */
    double bits_per_s, peak; /* delivered payload over elapsed subframes; if none were wrong */
    double transmissions;    /* mean of a block */
    double iterations;       /* mean of the decoder's, of a code block */
    double raw_ber;          /* of hard decisions before decoding */
    double ber;              /* of payload after the last transmission */
    double rate;             /* the code rate of a transmission, mean over codewords' bits */
} lte_row_blocks;

/* Of a row of a sweep that is coded, with a cluster or more. */
lte_row_blocks lte_row_blocks_of(const lte_sweep *sweep, const lte_row *row);

/* Payload bits of a subframe, and the code rate. */
double lte_code_bits(const lte_code *code);
double lte_code_rate(const lte_code *code);

#endif
