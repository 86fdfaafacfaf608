/* The link that a scenario describes. */
#include "sim/scenario/described_link.h"

#include "phy/estimation/csi.h"

/* The same, with the estimator made for so many layers. */
static lte_status describe(const lte_scenario *s, int csi, int estimated_layers,
                           float *correlation_factor, lte_estimator *estimator, lte_link *link)
{
    *estimator = (lte_estimator){0};
    lte_status status =
        lte_link_init(link, s->n_sc, s->n_rx, s->n_tx, s->n_bits, s->channel, s->inverter, s->seed);
    if (!status)
        status = lte_link_set_inversion(link, s->inversion);
    if (!status && s->doppler_hz > 0.0)
        status = lte_link_set_doppler(link, s->doppler_hz, s->drop_slots);
    if (lte_scenario_fades(s))
        lte_link_hold_channel(link, lte_scenario_stands_still(s) ? s->drop_slots : 2);
    if (!status && s->correlation.given) {
        status =
            lte_correlation_factor(&s->correlation.matrix, s->n_rx, s->n_tx, correlation_factor);
        link->correlation_factor = correlation_factor;
    }
    if (!status && s->stored.h)
        status =
            lte_link_set_channel_data(link, s->stored.h, s->stored.n_read, s->stored.shape.n_h);
    const lte_output output = {.soft = s->output == LTE_OUTPUT_LLR,
                               .demapper = s->demapper,
                               .llr_scale = (float)s->llr_scale,
                               .scale_losses = s->scale_losses};
    if (!status && s->code.given)
        status = lte_link_set_transport_code(link, s->codes[lte_csi_estimates(csi)], &output);
    else if (!status && output.soft)
        status = lte_link_set_llr_output(link, &output);
    if (status || !lte_csi_estimates(csi))
        return status;
    const int prior = s->stored.h && s->stored.model >= 0 ? s->stored.model : s->channel;
    status = lte_estimator_create(prior, s->n_sc, s->n_rx, estimated_layers,
                                  lte_csi_rows[csi].estimator, estimator);
    if (!status)
        lte_link_estimate(link, csi, s->noise == 1, *estimator);
    if (!status && s->csi_references > 1)
        status = lte_link_set_dmrs_symbols(link, s->csi_references);
    return status;
}

lte_status lte_scenario_link(const lte_scenario *scenario, int csi, float *correlation_factor,
                             lte_estimator *estimator, lte_link *link)
{
    return describe(scenario, csi, scenario->n_tx, correlation_factor, estimator, link);
}

lte_status lte_scenario_outline(const lte_scenario *scenario, int csi, float *correlation_factor,
                                lte_estimator *estimator, lte_link *link)
{
    return describe(scenario, csi, 1, correlation_factor, estimator, link);
}

int lte_scenario_transport_bits(const lte_scenario *s, int n_layers, int n_elements)
{
    const lte_scenario_code *code = &s->code;
    return code->mcs >= 0 ? lte_mcs_transport_bits(code->table, code->mcs, s->n_sc / 12, n_layers)
                          : lte_transport_bits(code->rate, n_layers, s->n_bits, n_elements);
}

lte_status lte_scenario_make_codes(lte_scenario *scenario)
{
    lte_scenario *s = scenario;
    lte_status status = LTE_OK;
    for (int i = 0; i < s->n_csi && !status; i++) {
        const int estimates = lte_csi_estimates(s->csi[i]);
        lte_link link;
        if (s->codes[estimates])
            continue;
        status = lte_link_init(&link, s->n_sc, s->n_rx, s->n_tx, s->n_bits, s->channel, s->inverter,
                               s->seed);
        if (status)
            return status;
        link.pilot = lte_csi_rows[s->csi[i]].pilot;
        const int n_elements = 2 * lte_data_symbols(&link) * s->n_sc;
        lte_code_plan plan = {.transmissions = s->code.transmissions,
                              .drop_slots = s->drop_slots,
                              .stands_still = lte_scenario_stands_still(s),
                              .chase = s->code.combining == 1,
                              .iterations = s->code.iterations,
                              .early = s->code.early_stop};
        for (int q = 0; q < lte_codewords(s->n_tx); q++)
            plan.bits[q] =
                lte_scenario_transport_bits(s, lte_codeword_layers(s->n_tx, q), n_elements);
        status = lte_code_create(&link, &plan, &s->codes[estimates]);
    }
    return status;
}
