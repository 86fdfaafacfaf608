/* What a run leaves out or takes for granted, a line for each where it matters. */
#include "sim/report/tables/report.h"

#include <math.h>

#include "phy/base/carrier.h"

static const double prefix_ns = 1e9 * 144.0 / LTE_SAMPLE_HZ;

static void say(FILE *out, bool *begun, const char *text)
{
    (void)fprintf(out, "%-11s %s\n", *begun ? "" : "left out", text);
    *begun = true;
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

static void put_motion(FILE *out, const lte_scenario *scenario, bool *begun)
{
    char text[128];
    if (!(scenario->doppler_hz > 0.0))
        return;
    const double db = intercarrier_db(scenario->doppler_hz);
    if (highest_snr_db(scenario) <= -db - 10.0)
        return;
    (void)snprintf(text, sizeof text, "intercarrier interference: %.1f dB at %g Hz, a floor", db,
                   scenario->doppler_hz);
    say(out, begun, text);
}

static void put_echoes(FILE *out, const lte_scenario *scenario, bool *begun)
{
    const lte_power_delay *taps = &lte_channel_rows[scenario->channel].taps;
    char text[128];
    for (int l = 0; l < taps->n; l++) {
        if (taps->delay_ns[l] <= prefix_ns)
            continue;
        (void)snprintf(text, sizeof text,
                       "what the echo at %d ns brings in from the symbol before: the prefix has "
                       "%.0f ns",
                       taps->delay_ns[l], prefix_ns);
        say(out, begun, text);
    }
}

/* What the Wiener filter is told of the channel. */
static void put_prior(FILE *out, const lte_scenario *scenario)
{
    const bool stored = scenario->stored.h && scenario->stored.model >= 0;
    const int known = stored ? scenario->stored.model : scenario->channel;
    const char *name = lte_channel_rows[known].name, *file = stored ? ", as the file says" : "";
    for (int i = 0; i < scenario->n_csi; i++) {
        if (lte_csi_rows[scenario->csi[i]].estimator != LTE_ESTIMATOR_WIENER)
            continue;
        (void)fprintf(out, "            %s ", lte_csi_rows[scenario->csi[i]].name);
        if (lte_channel_rows[known].subcarriers == LTE_SUBCARRIERS_PROFILE)
            (void)fprintf(out, "is told the true power-delay profile of %s%s\n", name, file);
        else if (lte_channel_rows[known].subcarriers == LTE_SUBCARRIERS_ANY)
            (void)fputs("takes any echo within the cyclic prefix for possible\n", out);
        else
            (void)fprintf(out, "is told that subcarriers are those of %s%s\n", name, file);
    }
}

static void put_power(FILE *out, const lte_scenario *scenario)
{
    const double power = scenario->stored.power, db = 10.0 * log10(power);
    if (!scenario->stored.h || fabs(db) < 0.05)
        return;
    if (!(power > 0.0))
        (void)fputs("            all channels of the file are zero: nothing is received\n", out);
    else
        (void)fprintf(out, "            mean |h|^2 of the file is %.3g (%+.1f dB), not 1%s\n",
                      power, db, fabs(db) > 3.0 ? ": THE SNR IS NOT WHAT IT SAYS, see meas." : "");
}

/* What combining the estimates of a subframe goes by. */
static void put_references(FILE *out, const lte_scenario *scenario)
{
    if (scenario->csi_references > 1)
        (void)fprintf(out,
                      "            estimates are told the Doppler, %g Hz; a subframe's first slot "
                      "waits for its second\n",
                      scenario->doppler_hz);
}

void lte_report_left_out(FILE *out, const lte_scenario *scenario)
{
    const bool estimates = lte_scenario_estimates(scenario);
    bool begun = false;
    put_power(out, scenario);
    put_prior(out, scenario);
    if (estimates)
        put_references(out, scenario);
    if (estimates && scenario->correlation.given && scenario->correlation.link == 0)
        (void)fputs("            DM-RS are the uplink's, antennas correlate as in the downlink\n",
                    out);
    put_motion(out, scenario, &begun);
    put_echoes(out, scenario, &begun);
    if (estimates)
        say(out, &begun, "the uplink's DFT precoding: data are OFDM, PUSCH is SC-FDMA");
}
