/* The table of a search. */
#include "sim/report/tables/report.h"

#include "sim/jobs/sweep/search.h"
#include "sim/report/tables/terminal.h"

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

void lte_report_found(FILE *out, const lte_sweeps *sweeps)
{
    const lte_columns *of = &lte_target_columns;
    const unsigned shown = lte_terminal_shown(out, 0, of, LTE_N_TARGET);
    const bool several = sweeps->n > 1;
    (void)fprintf(out, "\nSNR in dB at BER %g\n", sweeps->of[0]->scenario->sweep.target_ber);
    lte_terminal_names(out, LTE_DETECTOR_WIDTH, "detector", several ? "csi" : NULL);
    lte_terminal_heads(out, shown, of, LTE_N_TARGET);
    for (int k = 0; k < sweeps->n; k++) {
        for (int d = 0; d < sweeps->of[k]->n_detectors; d++) {
            const lte_found found = lte_search_of(sweeps->of[k], d);
            lte_cell cells[LTE_N_TARGET];
            lte_found_cells(sweeps->of[k], d, &found, cells);
            lte_terminal_names(out, LTE_DETECTOR_WIDTH, cells[LTE_TARGET_DETECTOR].text,
                               several ? cells[LTE_TARGET_CSI].text : NULL);
            lte_terminal_row(out, shown, of, LTE_N_TARGET, cells);
            put_remark(out, sweeps->of[k], &found);
        }
    }
}
