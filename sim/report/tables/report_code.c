/* The lines of a header that are of a code. */
#include "sim/report/tables/report.h"

#include "phy/coding/rate_matching.h"
#include "sim/jobs/sweep/throughput.h"
#include "sim/report/results/words.h"
#include "sim/scenario/described_link.h"

/* How long HARQ processes go on, and what that makes of the error rate. */
static void put_processes(FILE *out, const lte_code *code)
{
    const lte_code_plan *plan = &code->plan;
    const int counted = lte_code_counted(plan), n = LTE_HARQ_SUBFRAMES;
    (void)fprintf(
        out,
        "            %d HARQ processes, each codeword for itself; blocks begin in the first "
        "%d of the %d subframes of a\n            drop: %.3g turns of a process. The BLER "
        "is that of blocks, of which a bad stretch of the channel\n            holds "
        "fewer: it is not the BLER of transmissions = 1\n",
        n, counted, lte_code_subframes(plan), (double)counted / n);
}

/* What the receiver keeps of a block between transmissions, and how its bits are spread. */
static void put_buffer(FILE *out, const lte_scenario *scenario, const lte_code *code)
{
    const lte_scenario_code *how = &scenario->code;
    char kept[128] = "soft buffer whole";
    if (how->soft_bits > 0)
        (void)snprintf(kept, sizeof kept, "soft buffer of %d bits:", how->soft_bits);
    for (int q = 0; q < code->n_codewords && how->soft_bits > 0; q++) {
        const lte_transport *t = &code->transport[q];
        if (q == 0 || !lte_code_is_alike(code))
            lte_append(kept, sizeof kept, "%s %d of each code block's %d", q > 0 ? " and" : "",
                       lte_transport_buffer(t, t->s.size), lte_rate_matching_buffer(t->s.size));
    }
    (void)fprintf(out, "            %s; %s channel interleaver%s\n", kept,
                  how->interleaver ? "the" : "no", how->interleaver ? " of PUSCH" : "");
}

/* What the elements of a subframe are spent on. */
static void put_grid(FILE *out, const lte_scenario *scenario)
{
    const lte_grid_plan plan = lte_scenario_grid_plan(scenario);
    int n[LTE_N_PURPOSES] = {0};
    for (int m = 0; m < 2 * LTE_SLOT_SYMBOLS; m++) {
        for (int sc = 0; sc < scenario->n_sc; sc++)
            n[lte_grid_purpose(&plan, m / LTE_SLOT_SYMBOLS, m % LTE_SLOT_SYMBOLS, sc)]++;
    }
    (void)fprintf(out, "grid        %s, %s: of %d resource elements of a subframe %d carry data",
                  lte_grid_names[plan.kind].name, lte_link_names[scenario->code.link].name,
                  2 * LTE_SLOT_SYMBOLS * scenario->n_sc, n[LTE_PURPOSE_DATA]);
    for (int i = LTE_PURPOSE_DATA + 1; i < LTE_N_PURPOSES; i++) {
        if (n[i] > 0)
            (void)fprintf(out, ", %d %s", n[i], lte_purpose_names[i].name);
    }
    if (plan.kind == LTE_GRID_full && lte_scenario_estimates(scenario))
        (void)fprintf(out, ", %d where a receiver estimates by the other %d",
                      n[LTE_PURPOSE_DATA] - 2 * scenario->n_sc, 2 * scenario->n_sc);
    (void)fputc('\n', out);
}

/* The transport block of each codeword; estimates: of receivers that estimate, beside others. */
static void put_blocks(FILE *out, const lte_code *code, const char *head, bool estimates)
{
    const bool alike = code->n_codewords == 2 && lte_code_is_alike(code);
    for (int q = 0; q < (alike ? 1 : code->n_codewords); q++) {
        const lte_transport *t = &code->transport[q];
        const int windows = lte_code_block_windows(t->s.size);
        (void)fprintf(out,
                      "%-11s %s%d bits sent in %d, rate %.3f: %d code block%s of %d bits, "
                      "decoded in %d window%s%s%s\n",
                      q > 0 ? "" : head, alike ? "two codewords of " : "", t->bits,
                      lte_transport_sent(t), lte_transport_rate(t), t->s.n, lte_plural(t->s.n),
                      t->s.size->k, windows, lte_plural(windows), estimates ? " (with DM-RS)" : "",
                      lte_transport_rate(t) > LTE_MOST_RECEIVED_RATE
                          ? "; above 0.93: a terminal may skip it"
                          : "");
    }
}

void lte_report_code(FILE *out, const lte_scenario *scenario)
{
    const lte_scenario_code *how = &scenario->code;
    const lte_code *known = scenario->codes[0], *estimated = scenario->codes[1];
    const lte_code *code = known ? known : estimated;
    if (!code)
        return;
    put_grid(out, scenario);
    put_blocks(out, code, "code", false);
    if (known && estimated && lte_code_sent(known) != lte_code_sent(estimated))
        put_blocks(out, estimated, "", true);
    (void)fprintf(out, "            up to %d transmission%s%s, redundancy version%s",
                  how->transmissions, lte_plural(how->transmissions),
                  how->transmissions == 1 ? "" : ", 8 ms apart", lte_plural(how->transmissions));
    for (int t = 0; t < how->transmissions; t++)
        (void)fprintf(out, " %d", code->plan.versions.of[t]);
    (void)fprintf(out, "; %d decoder iterations%s; LLRs %s, scaled by %g\n", how->iterations,
                  how->early_stop ? " at most, fewer if the CRC passes" : "",
                  lte_scenario_shares_demapper(scenario)
                      ? lte_demapper_names[scenario->demapper].name
                      : "as each detector makes them",
                  scenario->llr_scale);
    put_buffer(out, scenario, code);
    if (how->transmissions > 1)
        put_processes(out, code);
}
