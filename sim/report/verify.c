/* The judgement of --verify over rows and lines. */
#include "sim/report/verify.h"

#include <math.h>
#include <stdio.h>

bool lte_verify_rows(const lte_sweeps *sweeps)
{
    const bool several = sweeps->n > 1;
    bool good = true;
    const lte_sweep *sweep;
    const lte_row *row;
    for (int i = 0; (row = lte_sweeps_started(sweeps, i, &sweep)); i++) {
        const double z = lte_row_z(row);
        if (!isfinite(z) || fabs(z) <= LTE_ROW_Z_LIMIT)
            continue;
        (void)fprintf(stderr,
                      "ltesim: verification failed: %s at %g dB: z = %.2f standard errors "
                      "from theory%s%s\n",
                      lte_detector_named(row->detector).text, row->snr_db, z, several ? ", " : "",
                      several ? lte_csi_rows[row->csi].name : "");
        good = false;
    }
    return good;
}

bool lte_verify_channel(const lte_channel_validation *proof)
{
    if (proof->n_failed == 0)
        return true;
    char worst[LTE_VALIDATION_TEXT];
    lte_validation_text(&proof->lines[lte_channel_validation_worst(proof, 0, proof->n_lines)],
                        worst, sizeof worst);
    (void)fprintf(stderr,
                  "ltesim: verification failed: channel: %d of %d tests fail; in the worst, %s\n",
                  proof->n_failed, proof->n_lines, worst);
    return false;
}
