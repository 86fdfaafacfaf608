/* The table of a search. */
#include "sim/report/tables/report.h"

#include <math.h>

#include "sim/jobs/sweep/search.h"

enum { NAME_WIDTH = 10, CSI_WIDTH = 10, CELL = 12 };

static void put_db(FILE *out, double db)
{
    if (isfinite(db))
        (void)fprintf(out, " %*.3f", CELL - 1, db);
    else
        (void)fprintf(out, "%*s", CELL, "");
}

/* Why there is no SNR, or no interval as narrow as was asked for. */
static void put_remark(FILE *out, const lte_sweep *sweep, const lte_found *found)
{
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    if (found->how == LTE_FOUND_BELOW)
        (void)fprintf(out, "  the rate is below the target already at %g dB", found->snr_db);
    else if (found->how == LTE_FOUND_ABOVE)
        (void)fprintf(out, "  the rate is still above the target at %g dB", found->snr_db);
    else if (found->how == LTE_FOUND_NOT)
        (void)fputs("  not found yet", out);
    else if (found->how == LTE_FOUND_SLOTS)
        (void)fprintf(out, "  wider than sweep.precision = %g: the search ended by sweep.max_slots",
                      rule->precision);
    (void)fputc('\n', out);
}

static void put_row(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, int d)
{
    const lte_found found = lte_search_of(sweep, d);
    const bool known = found.how == LTE_FOUND_PRECISION || found.how == LTE_FOUND_SLOTS;
    (void)fprintf(out, "%-*s", NAME_WIDTH,
                  lte_detector_named(lte_sweep_row(sweep, d, 0)->detector).text);
    if (sweeps->n > 1)
        (void)fprintf(out, "%-*s", CSI_WIDTH, lte_csi_rows[sweep->csi].name);
    put_db(out, known ? found.snr_db : (double)NAN);
    put_db(out, found.low_db);
    put_db(out, found.high_db);
    put_db(out, found.theory_db);
    (void)fprintf(out, "%*llu", CELL, (unsigned long long)found.slots);
    put_remark(out, sweep, &found);
}

void lte_report_found(FILE *out, const lte_sweeps *sweeps)
{
    (void)fprintf(out, "\nSNR in dB at BER %g\n%-*s", sweeps->of[0]->scenario->sweep.target_ber,
                  NAME_WIDTH, "detector");
    if (sweeps->n > 1)
        (void)fprintf(out, "%-*s", CSI_WIDTH, "csi");
    (void)fprintf(out, "%*s%*s%*s%*s%*s\n", CELL, "SNR", CELL, "95 % low", CELL, "95 % high", CELL,
                  "closed form", CELL, "slots");
    for (int k = 0; k < sweeps->n; k++) {
        for (int d = 0; d < sweeps->of[k]->n_detectors; d++)
            put_row(out, sweeps, sweeps->of[k], d);
    }
}
