/* The link that a scenario describes. */
#include "sim/scenario/described_link.h"

#include <math.h>

#include "phy/coding/crc.h"
#include "phy/estimation/csi.h"

/* What is counted of the link. */
static lte_status set_bits(const lte_scenario *s, int csi, const lte_output *output, lte_link *link)
{
    (void)s;
    (void)csi;
    (void)output;
    (void)link;
    return LTE_OK;
}

static lte_status set_llrs(const lte_scenario *s, int csi, const lte_output *output, lte_link *link)
{
    (void)s;
    (void)csi;
    return lte_link_set_llr_output(link, output);
}

static lte_status set_blocks(const lte_scenario *s, int csi, const lte_output *output,
                             lte_link *link)
{
    return lte_link_set_transport_code(link, s->codes[lte_csi_estimates(csi)], output);
}

static lte_status (*const set_output[LTE_N_COUNTED])(const lte_scenario *s, int csi,
                                                     const lte_output *output, lte_link *link) = {
    [LTE_COUNTED_BITS] = set_bits,
    [LTE_COUNTED_LLRS] = set_llrs,
    [LTE_COUNTED_BLOCKS] = set_blocks,
};

/* The same, with the estimator made for so many layers. */
static lte_status describe(const lte_scenario *s, int csi, int estimated_layers,
                           float *correlation_factor, lte_estimator *estimator, lte_link *link)
{
    *estimator = (lte_estimator){0};
    lte_status status =
        lte_link_init(link, s->n_sc, s->n_rx, s->n_tx, s->n_bits, s->channel, s->inverter, s->seed);
    if (!status)
        status = lte_link_set_inversion(link, s->inversion);
    const lte_grid_plan grid = lte_scenario_grid_plan(s);
    link->carrier.grid = lte_grid_of(&grid);
    link->channel.profile.first = (uint32_t)(LTE_RB_SC * s->first_rb);
    if (!status && s->doppler_hz > 0.0)
        status = lte_link_set_doppler(link, s->doppler_hz, s->drop_slots);
    if (lte_scenario_fades(s))
        lte_link_hold_channel(link, lte_scenario_stands_still(s) ? s->drop_slots : 2);
    if (!status && s->correlation.given) {
        status =
            lte_correlation_factor(&s->correlation.matrix, s->n_rx, s->n_tx, correlation_factor);
        link->channel.correlation_factor = correlation_factor;
    }
    if (!status && s->stored.h)
        status = lte_link_set_known_channel_data(link, s->stored.h, s->stored.n_read,
                                                 s->stored.shape.n_h, s->stored.wide);
    const lte_output output = {.demapper = s->demapper,
                               .llr_scale = (float)s->llr_scale,
                               .scale_losses = s->scale_losses,
                               .integer_losses = s->records ? s->integer_losses : NULL};
    if (!status)
        status = set_output[s->counted](s, csi, &output, link);
    if (!status)
        status = lte_link_set_detectors(link, s->detectors, s->n_detectors);
    if (status || !lte_csi_estimates(csi))
        return status;
    const int prior = s->stored.h && s->stored.model >= 0 ? s->stored.model : s->channel;
    status = lte_estimator_create(prior, s->n_sc, s->n_rx, estimated_layers,
                                  lte_csi_rows[csi].estimator, estimator);
    if (!status)
        lte_link_estimate(link, csi, s->noise == 1, *estimator);
    if (!status)
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

/* ---- the code ---- */

lte_grid_plan lte_scenario_grid_plan(const lte_scenario *scenario)
{
    return (lte_grid_plan){.kind = scenario->grid,
                           .control_symbols = scenario->control_symbols,
                           .n_layers = scenario->n_tx,
                           .srs = scenario->srs};
}

int lte_scenario_elements(const lte_scenario *scenario, int csi)
{
    const lte_grid_plan plan = lte_scenario_grid_plan(scenario);
    lte_link link = {.carrier = {.n_sc = scenario->n_sc, .grid = lte_grid_of(&plan)},
                     .receiver.pilot = lte_csi_rows[csi].pilot};
    return lte_data_elements(&link);
}

int lte_scenario_transport_bits(const lte_scenario *s, int q, int n_elements)
{
    const lte_scenario_code *code = &s->code;
    const int n_layers = lte_codeword_layers(s->n_tx, q);
    if (code->n_bits > 0)
        return code->bits[code->n_bits > 1 ? q : 0];
    return code->mcs >= 0
               ? lte_mcs_transport_bits(lte_scenario_mcs_table(s), code->mcs, s->n_rb, n_layers)
               : lte_transport_bits(code->rate, n_layers, s->n_bits, n_elements);
}

lte_scenario_fit_of lte_scenario_fit(const lte_scenario *s)
{
    lte_scenario_fit_of fit = {.worst = -1.0};
    for (int i = 0; i < s->n_csi; i++) {
        for (int q = 0; q < lte_codewords(s->n_tx); q++) {
            const int n_elements = lte_scenario_elements(s, s->csi[i]);
            const int bits = lte_scenario_transport_bits(s, q, n_elements);
            const int sent = n_elements * lte_codeword_layers(s->n_tx, q) * s->n_bits;
            const double rate = sent > 0 ? (double)(bits + LTE_CRC_BITS) / sent : HUGE_VAL;
            if (bits < 1)
                return (lte_scenario_fit_of){bits, sent, rate};
            if (rate > fit.worst)
                fit = (lte_scenario_fit_of){bits, sent, rate};
        }
    }
    return fit;
}

static lte_versions versions_of(const lte_scenario *s)
{
    const lte_scenario_code *code = &s->code;
    const lte_versions chase = {{0, 0, 0, 0}};
    lte_versions given = {{0}};
    for (int i = 0; i < code->n_versions; i++)
        given.of[i] = code->versions[i];
    return code->n_versions > 0   ? given
           : code->combining == 1 ? chase
                                  : lte_versions_of(code->link == LTE_UPLINK, s->n_bits);
}

lte_status lte_scenario_make_codes(lte_scenario *scenario)
{
    lte_scenario *s = scenario;
    const lte_grid_plan grid = lte_scenario_grid_plan(s);
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
        link.receiver.pilot = lte_csi_rows[s->csi[i]].pilot;
        link.carrier.grid = lte_grid_of(&grid);
        lte_code_plan plan = {
            .transmissions = s->code.transmissions,
            .drop_slots = s->drop_slots,
            .stands_still = lte_scenario_stands_still(s),
            .versions = versions_of(s),
            .soft_bits = s->code.soft_bits > 0 ? lte_soft_buffer(s->code.soft_bits, s->n_tx) : 0,
            .interleaved = s->code.interleaver == 1,
            .iterations = s->code.iterations,
            .early = s->code.early_stop};
        for (int q = 0; q < lte_codewords(s->n_tx); q++)
            plan.bits[q] = lte_scenario_transport_bits(s, q, lte_data_elements(&link));
        status = lte_code_create(&link, &plan, &s->codes[estimates]);
    }
    return status;
}
