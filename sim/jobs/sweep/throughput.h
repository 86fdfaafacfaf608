#ifndef LTE_SIM_JOBS_THROUGHPUT_H
#define LTE_SIM_JOBS_THROUGHPUT_H
/*
 * What the transport blocks of a row come to.
 *
 *     const lte_row_blocks of = lte_row_blocks_of(sweep, row);
 *     printf("%.1f Mbit/s\n", 1e-6 * of.throughput.mean);
 */

#include "sim/jobs/sweep/sweep.h"

/* A mean of clusters with its 95 % interval, NAN where there is none. */
typedef struct {
    double mean, low, high;
} lte_row_mean;

/* NAN where there is no interval. */
typedef struct {
    /* in twelfths: transport blocks; wrong after the first transmission, after the last; those
       whose CRCs hold, and whose bits are wrong */
    uint64_t blocks, wrong_first, wrong, undetected;
    lte_interval last;       /* of the share of blocks wrong after the last, by drops; of the first:
                                    lte_row_interval */
    lte_row_mean throughput; /* bit/s: delivered payload over elapsed subframes */
    double peak;             /* the same if none were wrong */
    lte_row_mean transmissions; /* of a block */
    lte_row_mean iterations;    /* of the decoder, of a code block */
    double raw_ber;             /* of hard decisions before decoding */
    double ber;                 /* of payload after the last transmission */
    double payload_db;          /* of a subframe's bits over its payload */
    double rate;                /* the code rate of a transmission, mean over codewords' bits */
} lte_row_blocks;

/* Of a row of a sweep that is coded, with a cluster or more. */
lte_row_blocks lte_row_blocks_of(const lte_sweep *sweep, const lte_row *row);

/* Payload bits of a subframe, bits that it carries, and the code rate, CRCs among the data. */
double lte_code_bits(const lte_code *code);
double lte_code_sent(const lte_code *code);
double lte_code_rate(const lte_code *code);

/* True if a codeword's code rate is above 0.93: a terminal may skip it. TS 36.213, 7.1.7. */
#define LTE_MOST_RECEIVED_RATE 0.93
bool lte_code_may_be_skipped(const lte_code *code);

#endif
