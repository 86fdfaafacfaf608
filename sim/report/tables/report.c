/* The header of a run. */
#include "sim/report/tables/report.h"
#include "phy/theory/ber_theory.h"
#include "sim/report/results/counted_words.h"
#include "sim/report/results/left_out.h"
#include "sim/report/results/words.h"

#include <math.h>

static void put_correlation(FILE *out, const lte_scenario_correlation *c)
{
    (void)fprintf(out, "            antennas correlate as in the %s, ",
                  lte_link_names[c->link].name);
    if (c->level >= 0)
        (void)fprintf(out, "%s, %s: ", lte_level_names[c->level].name,
                      lte_variant_names[c->variant].name);
    (void)fprintf(out, "alpha %g (base station), beta %g (terminal), a %g\n", c->matrix.alpha,
                  c->matrix.beta, c->matrix.a);
}

static void put_stored(FILE *out, const lte_scenario *scenario)
{
    const lte_channel_shape *shape = &scenario->stored.shape;
    (void)fprintf(out, "            %s: %llu slots, %s", scenario->file,
                  (unsigned long long)shape->n_slots,
                  shape->n_h > 1 ? "H changes from symbol to symbol" : "one H per slot");
    if (lte_drop_slots(scenario) > 1)
        (void)fprintf(out, "; independent realisations (drops) of %d slots",
                      lte_drop_slots(scenario));
    (void)fputc('\n', out);
    if (scenario->stored.n_read < shape->n_slots)
        (void)fprintf(out, "            this run needs and reads the first %llu of them\n",
                      (unsigned long long)scenario->stored.n_read);
    if (scenario->sweep.max_slots > shape->n_slots)
        (void)fprintf(out, "            the file is repeated in longer rows, whose intervals hold "
                           "for its channels only\n");
}

/* What each receiver knows; of those that estimate, what else there is to say. */
static void put_receivers(FILE *out, const lte_run_info *info)
{
    const lte_scenario *scenario = info->scenario;
    const char *head = "receiver";
    for (int k = 0; k < LTE_N_CSI; k++) {
        if (!lte_scenario_has_csi(scenario, k))
            continue;
        (void)fprintf(out, "%s%-11s %s: %s", *head ? "" : "\n", head, lte_csi_rows[k].name,
                      lte_csi_rows[k].text);
        head = "";
    }
    (void)fprintf(out, "; inverter %s\n", lte_inverter_rows[scenario->inverter].name);
    if (info->inversion && scenario->inversion != LTE_INVERSION_FAST)
        (void)fprintf(out, "            on a device: version %s: %s\n", info->inversion->name,
                      info->inversion->mapping);
    if (lte_scenario_estimates(scenario))
        (void)fprintf(out, "            DM-RS: noise power %s, no data in symbol %d%s\n",
                      lte_noise_names[scenario->noise].name, LTE_PILOT_SYMBOL,
                      scenario->csi_references > 1 ? ", estimates from both slots of a subframe"
                                                   : "");
}

void lte_report_left_out(FILE *out, const lte_scenario *scenario)
{
    static const char *const heads[] = {
        [LTE_MODEL_NOTE] = "", [LTE_MODEL_ASSUMED] = "assumed", [LTE_MODEL_LEFT_OUT] = "left out"};
    lte_left_out lines[LTE_MOST_LEFT_OUT];
    for (int i = 0, n = lte_left_out_of(scenario, lines); i < n; i++)
        (void)fprintf(out, "%-11s %s\n",
                      i > 0 && lines[i].kind == lines[i - 1].kind ? "" : heads[lines[i].kind],
                      lines[i].text);
}

void lte_report_header(FILE *out, const lte_run_info *info)
{
    const lte_scenario *scenario = info->scenario;
    const lte_device *device = &info->device;
    (void)fprintf(out, "%s\n\n", scenario->title[0] ? scenario->title : scenario->name);
    (void)fprintf(out, "carrier     %g MHz, %d subcarriers, 7 symbols per 0.5 ms slot\n",
                  scenario->bandwidth_mhz, scenario->n_sc);
    (void)fprintf(out, "antennas    %d layer%s (transmit antennas), %d receive antenna%s\n",
                  scenario->n_tx, lte_plural(scenario->n_tx), scenario->n_rx,
                  lte_plural(scenario->n_rx));
    (void)fprintf(out, "modulation  %s\n", lte_modulation_name(scenario->n_bits));
    (void)fprintf(out, "channel     %s: %s\n", lte_channel_rows[scenario->channel].name,
                  lte_channel_rows[scenario->channel].text);
    if (scenario->doppler_hz > 0.0)
        (void)fprintf(out,
                      "            Doppler %g Hz, H changes from symbol to symbol; independent "
                      "realisations (drops) of %d slots\n",
                      scenario->doppler_hz, scenario->drop_slots);
    if (scenario->stored.h)
        put_stored(out, scenario);
    if (scenario->correlation.given)
        put_correlation(out, &scenario->correlation);
    put_receivers(out, info);
    lte_report_code(out, scenario);
    lte_report_left_out(out, scenario);
    (void)fprintf(out,
                  "SNR         %s;\n            Eb/N0 = SNR / (n_tx bits), %.2f dB below it%s\n",
                  lte_snr_definition, -lte_eb_n0_db(scenario->n_tx, scenario->n_bits, 0.0),
                  lte_counted_words_of(scenario)->snr);
    if (info->part.given)
        (void)fprintf(out,
                      "slots       %llu to %llu of each point: one part of a sweep (--slots)\n",
                      (unsigned long long)info->part.first, (unsigned long long)info->part.last);
    if (info->threads == 0)
        (void)fprintf(out, "merged      %s\n", info->choices);
    else
        (void)fprintf(out, "backend     %s, %d thread%s; %s%s%s\n", info->backend, info->threads,
                      lte_plural(info->threads), device->name, device->text[0] ? ", " : "",
                      device->text);
    if (info->ranks > 1)
        (void)fprintf(out, "ranks       %d; the backend above is that of rank 0\n", info->ranks);
    (void)fprintf(out, "seed        %llu\n", (unsigned long long)scenario->seed);
}
