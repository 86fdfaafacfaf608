/* Names of the values that keys take, and who is listed. */
#include "sim/scenario/scenario.h"

#include "phy/base/modulations.h"

#define LEVEL(id, name) {name, ""},
const lte_name lte_level_names[LTE_N_CORRELATION_LEVELS] = {LTE_CORRELATION_LEVELS(LEVEL)};
#undef LEVEL
const lte_name lte_link_names[LTE_N_LINKS] = {{"downlink", ""}, {"uplink", ""}};
const lte_name lte_variant_names[2] = {{"adjusted", ""}, {"kron", ""}};
const lte_name lte_output_names[LTE_N_OUTPUTS] = {{"hard", ""}, {"llr", ""}};
#define DEMAPPER(id, name, text) {name, text},
const lte_name lte_demapper_names[LTE_N_DEMAPPERS] = {LTE_DEMAPPERS(DEMAPPER)};
#undef DEMAPPER
const lte_name lte_mcs_names[LTE_N_MCS_NAMES] = {
    {"64qam", ""}, {"256qam", ""}, {"downlink", ""}, {"uplink", ""}};
const lte_name lte_interleaver_names[2] = {{"none", ""}, {"pusch", ""}};
const lte_name lte_combining_names[2] = {{"incremental", ""}, {"chase", ""}};
const lte_name lte_fades_names[LTE_N_FADES] = {{"drop", ""}, {"transmission", ""}};
const lte_name lte_noise_names[2] = {{"estimated", ""}, {"known", ""}};

const char *lte_modulation_name(int n_bits)
{
    const lte_modulation_row *row = lte_modulation_of(n_bits);
    return row ? row->name : "unknown";
}

int lte_scenario_mcs_table(const lte_scenario *scenario)
{
    const int table = scenario->code.table;
    const bool uplink = table == LTE_MCS_NAME_UPLINK ||
                        (table == LTE_MCS_NAME_64QAM && scenario->code.link == LTE_UPLINK);
    return table == LTE_MCS_NAME_256QAM ? LTE_MCS_256QAM : uplink ? LTE_MCS_PUSCH : LTE_MCS_64QAM;
}

bool lte_scenario_fades(const lte_scenario *scenario)
{
    return scenario->code.given && !(scenario->doppler_hz > 0.0) && !scenario->stored.h;
}

bool lte_scenario_stands_still(const lte_scenario *scenario)
{
    return lte_scenario_fades(scenario) && scenario->code.fades == LTE_FADES_DROP;
}

bool lte_scenario_is_list(const lte_scenario *scenario)
{
    return scenario->code.n_mcs > 1;
}

bool lte_scenario_has_csi(const lte_scenario *scenario, int csi)
{
    for (int i = 0; i < scenario->n_csi; i++) {
        if (scenario->csi[i] == csi)
            return true;
    }
    return false;
}

lte_target lte_scenario_target(const lte_scenario *scenario)
{
    const lte_scenario_sweep *sweep = &scenario->sweep;
    const double ber = sweep->target_ber, throughput = sweep->target_throughput;
    const double rate = sweep->target_rate;
    if (throughput > 0.0)
        return (lte_target){LTE_SEEKS_THROUGHPUT, "target_throughput", throughput, 1.0 - throughput,
                            "throughput"};
    if (rate > 0.0)
        return (lte_target){LTE_SEEKS_INFORMATION, "target_rate", rate,
                            1.0 - rate / scenario->n_bits, "mutual information"};
    if (ber > 0.0)
        return (lte_target){LTE_SEEKS_ERRORS, "target_ber", ber, ber, NULL};
    return (lte_target){LTE_SEEKS_NOTHING, "", 0.0, 0.0, NULL};
}

bool lte_scenario_searches(const lte_scenario *scenario)
{
    return lte_scenario_target(scenario).seeks != LTE_SEEKS_NOTHING;
}

bool lte_scenario_shares_demapper(const lte_scenario *scenario)
{
    enum { SHARED = -2 };
    for (int d = 0; d < scenario->n_detectors; d++) {
        if (lte_detector_demapper(scenario->detectors[d], SHARED) == SHARED)
            return true;
    }
    return false;
}

bool lte_scenario_estimates(const lte_scenario *scenario)
{
    bool estimates = false;
    for (int i = 0; i < scenario->n_csi; i++)
        estimates = estimates || lte_csi_estimates(scenario->csi[i]);
    return estimates;
}
