#ifndef LTESIM_BER_TABLE_H
#define LTESIM_BER_TABLE_H
/*
 * Results of the program ltesim, read from its result folder.
 *
 *     lte_ber_table table;
 *     if (lte_ber_table_read("out/quick", &table) == LTE_OK)
 *         for (int i = 0; i < table.n_rows; i++)
 *             printf("%g %g\n", table.rows[i].snr_db, table.rows[i].ber);
 *     lte_ber_table_fini(&table);
 */

#include <stdint.h>

#include "ltesim/codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of ber.csv; NaN where the file has nothing. */
typedef struct {
    char detector[32];
    char csi[32];
    double snr_db;          /* n_tx / n0: total transmit power over noise power at one antenna */
    double snr_db_measured; /* of the symbols and noise that were drawn */
    uint64_t slots, bits, bit_errors;
    double ber, ber_low, ber_high; /* bit error rate and its 95 % interval */
    double ser;                    /* symbol error rate */
    double ber_theory, z;          /* closed form, and the distance to it in standard errors */
    uint64_t flagged;              /* matrices without a finite inverse */
    char status[16];               /* its end: "errors", "slots", "time", "interrupted", "nodes" */
    double seconds;
    uint64_t vector_errors; /* resource elements with a wrong symbol in any layer */
    uint64_t unfinished;    /* resource elements that the detector did not finish */
    uint64_t silent;        /* layers whose column of a channel matrix is zero */
} lte_ber_row;

/* Zeros hold nothing. */
typedef struct {
    int n_rows;
    lte_ber_row *rows; /* [n_rows], owned */
} lte_ber_table;

/*
 * Reads ber.csv of a result folder.
 *
 * Returns LTE_EIO where it cannot be read, LTE_EINVAL, naming the line, where it is not what ltesim
 * writes, LTE_ENOMEM; table then holds nothing.
 */
LTE_API lte_status lte_ber_table_read(const char *folder, lte_ber_table *table);

LTE_API void lte_ber_table_fini(lte_ber_table *table);

#ifdef __cplusplus
}
#endif

#endif
