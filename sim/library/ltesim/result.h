#ifndef LTESIM_RESULT_H
#define LTESIM_RESULT_H
/*
 * Results of the program ltesim, read from its result folder.
 *
 *     lte_result result;
 *     if (lte_result_read("out/quick", &result) == LTE_OK)
 *         for (int i = 0; i < result.n_rows; i++)
 *             printf("%g %g\n", result.rows[i].snr_db, result.rows[i].ber);
 *     lte_result_fini(&result);
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
    char status[16];               /* "errors", "slots", "time" or "interrupted": what ended it */
    double seconds;
} lte_result_row;

/* Zeros hold nothing. */
typedef struct {
    int n_rows;
    lte_result_row *rows; /* [n_rows], owned */
} lte_result;

/*
 * Reads ber.csv of a result folder.
 *
 * Returns LTE_EIO where it cannot be read, LTE_EINVAL, naming the line, where it is not what ltesim
 * writes, LTE_ENOMEM; result then holds nothing.
 */
LTE_API lte_status lte_result_read(const char *folder, lte_result *result);

LTE_API void lte_result_fini(lte_result *result);

#ifdef __cplusplus
}
#endif

#endif
