#ifndef LTE_SIM_JOBS_INVERSES_H
#define LTE_SIM_JOBS_INVERSES_H
/*
 * How well the matrices of some slots are inverted: those of the channel, also where the receiver
 * has estimates of it (n0 then as if known).
 *
 *     lte_inverses seen;
 *     lte_status status = lte_inverses_look(stages, &link, noise, detector, 0, n_distinct, &seen);
 */

#include "kernels/cpu/stages.h"
#include "sim/jobs/deadline/percentiles.h"

typedef struct {
    lte_quantiles condition; /* |A|_1 |A^-1|_1 of the loaded Gram matrices */
    lte_quantiles residual;  /* |I - A X|_1 / (n u |A|_1 |X|_1) */
    uint64_t flagged;        /* matrices without inverse */
} lte_inverses;

/*
 * Condition numbers and residuals over slots first .. first + n_slots - 1, NAN where the detector
 * inverts nothing; a stop signal ends it early.
 *
 * Returns LTE_ENOMEM.
 */
lte_status lte_inverses_look(const lte_stages *stages, const lte_link *detected, lte_noise noise,
                             lte_detector detector, uint64_t first, int n_slots,
                             lte_inverses *seen);

#endif
