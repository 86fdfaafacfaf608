/* What a run assumes or leaves out, a line for each where it matters. */
#include "sim/report/results/left_out.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "phy/base/carrier.h"
#include "sim/report/results/words.h"

static const double prefix_ns = 1e9 * 144.0 / LTE_SAMPLE_HZ;

/* The lines so far. */
typedef struct {
    lte_left_out *line;
    int n;
} list;

/* Adds one; brief: in fewer words, NULL for the same. */
__attribute__((format(printf, 4, 5))) static void tell(list *to, lte_model_kind kind,
                                                       const char *brief, const char *format, ...)
{
    va_list values;
    if (to->n == LTE_MOST_LEFT_OUT)
        return;
    lte_left_out *line = &to->line[to->n++];
    va_start(values, format);
    (void)vsnprintf(line->text, sizeof line->text, format, values);
    va_end(values);
    line->kind = kind;
    (void)snprintf(line->brief, sizeof line->brief, "%s", brief ? brief : line->text);
}

/*
 * Power that the motion within a symbol takes from a subcarrier to others, over its own:
 * (pi f_D / 15 kHz)^2 / 6 in dB. Source: Li, Cimini, IEEE Trans. Commun. 49, 2001.
 */
static double intercarrier_db(double doppler_hz)
{
    return 20.0 * log10(M_PI * doppler_hz / LTE_SUBCARRIER_HZ) - 10.0 * log10(6.0);
}

static double highest_snr_db(const lte_scenario *scenario)
{
    double most = scenario->deadline.snr_db;
    for (int s = 0; s < scenario->sweep.n_snr; s++)
        most = fmax(most, scenario->sweep.snr_db[s]);
    return most;
}

static void put_motion(list *to, const lte_scenario *scenario)
{
    if (!(scenario->doppler_hz > 0.0))
        return;
    const double db = intercarrier_db(scenario->doppler_hz);
    if (highest_snr_db(scenario) <= -db - 10.0)
        return;
    tell(to, LTE_MODEL_LEFT_OUT, "intercarrier interference",
         "intercarrier interference, %.1f dB at a Doppler of %g Hz: it would limit the SINR", db,
         scenario->doppler_hz);
}

static void put_echoes(list *to, const lte_scenario *scenario)
{
    const lte_power_delay *taps = &lte_channel_rows[scenario->channel].taps;
    for (int l = 0; l < taps->n; l++) {
        if (taps->delay_ns[l] <= prefix_ns)
            continue;
        tell(to, LTE_MODEL_LEFT_OUT, "echoes beyond the cyclic prefix",
             "intersymbol interference of the echo at %d ns: the cyclic prefix is %.0f ns long",
             taps->delay_ns[l], prefix_ns);
    }
}

/* What the Wiener filter knows of the channel. */
static void put_prior(list *to, const lte_scenario *scenario)
{
    const bool stored = scenario->stored.h && scenario->stored.model >= 0;
    const int known = stored ? scenario->stored.model : scenario->channel;
    const char *name = lte_channel_rows[known].name, *file = stored ? ", as the file says" : "";
    for (int i = 0; i < scenario->n_csi; i++) {
        if (lte_csi_rows[scenario->csi[i]].estimator != LTE_ESTIMATOR_WIENER)
            continue;
        const char *csi = lte_csi_rows[scenario->csi[i]].name;
        char profile[80];
        (void)snprintf(profile, sizeof profile, "delay profile known to %s", csi);
        if (lte_channel_rows[known].subcarriers == LTE_SUBCARRIERS_PROFILE)
            tell(to, LTE_MODEL_ASSUMED, profile, "%s knows the true power-delay profile of %s%s",
                 csi, name, file);
        else if (lte_channel_rows[known].subcarriers == LTE_SUBCARRIERS_ANY)
            tell(to, LTE_MODEL_ASSUMED, NULL,
                 "%s assumes that any echo within the cyclic prefix is possible", csi);
        else
            tell(to, LTE_MODEL_ASSUMED, NULL, "%s knows how the subcarriers of %s correlate%s", csi,
                 name, file);
    }
}

static void put_power(list *to, const lte_scenario *scenario)
{
    const double power = scenario->stored.power, db = 10.0 * log10(power);
    if (!scenario->stored.h || fabs(db) < 0.05)
        return;
    tell(to, LTE_MODEL_NOTE, NULL, "mean |h|^2 of the file is %.3g (%+.1f dB), not 1%s", power, db,
         fabs(db) > 3.0 ? ": THE TRUE SNR DIFFERS FROM THE GIVEN ONE, see column meas." : "");
}

/* What combining the estimates of a subframe goes by. */
static void put_references(list *to, const lte_scenario *scenario)
{
    if (scenario->csi_references > 1)
        tell(to, LTE_MODEL_ASSUMED, "Doppler known",
             "the estimator knows the Doppler frequency, %g Hz; a subframe's first slot waits for "
             "its second",
             scenario->doppler_hz);
}

/* The MCS of a list that are not run. */
static void put_unfit(list *to, const lte_scenario_code *code)
{
    char words[100] = "";
    for (int i = code->n_unfit - 1; i >= 0; i--)
        lte_append(words, sizeof words, " %d%s", code->unfit_mcs[i], i > 0 ? "," : "");
    if (code->n_unfit > 0)
        tell(to, LTE_MODEL_NOTE, NULL,
             "MCS%s: not run; the transport block does not fit into a subframe", words);
}

/* How long a code's channel without Doppler lasts. */
static void put_fades(list *to, const lte_scenario *scenario)
{
    const bool several = scenario->code.transmissions > 1;
    const lte_channel_row *row = &lte_channel_rows[scenario->channel];
    if (!lte_scenario_fades(scenario) || row->fading == LTE_FADING_CONSTANT)
        return;
    if (!lte_scenario_stands_still(scenario))
        tell(to, LTE_MODEL_ASSUMED, "each subframe fades anew",
             "each subframe has a channel realisation of its own%s",
             several ? ": each transmission of a block fades anew" : "");
    else if (several)
        tell(to, LTE_MODEL_ASSUMED, "the channel stands still in a drop",
             "the channel stands still in a drop of %d slots, through all transmissions of a "
             "block: one HARQ process stands for eight",
             scenario->drop_slots);
    else
        tell(to, LTE_MODEL_ASSUMED, "the channel stands still in a subframe",
             "the channel stands still for %d slots: a block has one realisation",
             scenario->drop_slots);
}

/*
 * Without the DFT a channel interleaver sends each of several code blocks on a part of the band:
 * what it spreads over the inputs of a DFT are here the subcarriers themselves.
 */
static void put_precoding(list *to, const lte_scenario_code *code)
{
    tell(to, LTE_MODEL_LEFT_OUT, "SC-FDMA",
         "DFT precoding of the uplink: the data are sent as OFDM, while PUSCH uses SC-FDMA%s",
         code->interleaver
             ? "; the channel interleaver then puts each code block on a part of the band"
             : "");
}

int lte_left_out_of(const lte_scenario *scenario, lte_left_out lines[LTE_MOST_LEFT_OUT])
{
    list to = {lines, 0};
    const bool estimates = lte_scenario_estimates(scenario);
    put_power(&to, scenario);
    put_unfit(&to, &scenario->code);
    put_fades(&to, scenario);
    put_prior(&to, scenario);
    if (estimates)
        put_references(&to, scenario);
    if (estimates && scenario->correlation.given && scenario->correlation.link == 0)
        tell(&to, LTE_MODEL_ASSUMED, "antenna correlation of the downlink",
             "the DM-RS are those of the uplink, but the antennas correlate as in the downlink");
    put_motion(&to, scenario);
    put_echoes(&to, scenario);
    const lte_scenario_code *code = &scenario->code;
    if (estimates || code->link == LTE_UPLINK)
        put_precoding(&to, code);
    if (scenario->grid == LTE_GRID_pdsch)
        tell(&to, LTE_MODEL_LEFT_OUT, "PBCH and synchronisation signals",
             "PBCH, PSS and SSS: subframes 0 and 5 carry as much data as the others");
    return to.n;
}
