/* The tables of a sweep, and the header of a run. */
#include "sim/report/report.h"

#include <math.h>

#include "sim/jobs/loss.h"
#include "sim/stop.h"

double lte_eb_n0_db(const lte_scenario *scenario, double snr_db)
{
    return snr_db - 10.0 * log10((double)scenario->n_tx * scenario->n_bits);
}

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
                  shape->n_h > 1 ? "H of each symbol by itself" : "one H a slot");
    if (lte_drop_slots(scenario) > 1)
        (void)fprintf(out, "; independent drops of %d slots", lte_drop_slots(scenario));
    (void)fputc('\n', out);
    if (scenario->sweep.max_slots > shape->n_slots)
        (void)fprintf(out, "            then they come again: rows of more slots speak of these "
                           "channels alone\n");
}

/* What each receiver knows; of those that estimate, what else there is to say. */
static void put_receivers(FILE *out, const lte_scenario *scenario)
{
    const char *head = "receiver";
    bool estimates = false;
    for (int k = 0; k < LTE_N_CSI; k++) {
        if (!lte_scenario_has_csi(scenario, k))
            continue;
        (void)fprintf(out, "%s%-11s %s: %s", *head ? "" : "\n", head, lte_csi_rows[k].name,
                      lte_csi_rows[k].text);
        head = "";
        estimates = estimates || lte_csi_estimates(k);
    }
    (void)fprintf(out, "; inverter %s\n", lte_inverter_rows[scenario->inverter].name);
    if (estimates)
        (void)fprintf(out, "            with DM-RS: noise %s, no data in symbol %d\n",
                      lte_noise_names[scenario->noise].name, LTE_PILOT_SYMBOL);
}

void lte_report_header(FILE *out, const lte_run_info *info)
{
    const lte_scenario *scenario = info->scenario;
    const lte_device *device = &info->device;
    (void)fprintf(out, "%s\n\n", scenario->title[0] ? scenario->title : scenario->name);
    (void)fprintf(out, "carrier     %g MHz, %d subcarriers, 7 symbols per 0.5 ms slot\n",
                  scenario->bandwidth_mhz, scenario->n_sc);
    (void)fprintf(out, "antennas    %d layer%s (transmit antennas), %d receive antenna%s\n",
                  scenario->n_tx, scenario->n_tx == 1 ? "" : "s", scenario->n_rx,
                  scenario->n_rx == 1 ? "" : "s");
    (void)fprintf(out, "modulation  %s\n", lte_modulation_name(scenario->n_bits));
    (void)fprintf(out, "channel     %s: %s\n", lte_channel_rows[scenario->channel].name,
                  lte_channel_rows[scenario->channel].text);
    if (scenario->doppler_hz > 0.0)
        (void)fprintf(out,
                      "            Doppler %g Hz, H of each symbol by itself; independent drops of "
                      "%d slots\n",
                      scenario->doppler_hz, scenario->drop_slots);
    if (scenario->stored.h)
        put_stored(out, scenario);
    if (scenario->correlation.given)
        put_correlation(out, &scenario->correlation);
    put_receivers(out, scenario);
    lte_report_left_out(out, scenario);
    (void)fprintf(out, "SNR         %s;\n            Eb/N0 = SNR / (n_tx bits), %.2f dB below it\n",
                  lte_snr_definition, -lte_eb_n0_db(scenario, 0.0));
    (void)fprintf(out, "backend     %s, %d thread%s; %s%s%s\n", info->backend, info->threads,
                  info->threads == 1 ? "" : "s", device->name, device->text[0] ? ", " : "",
                  device->text);
    (void)fprintf(out, "seed        %llu\n", (unsigned long long)scenario->seed);
}

/* A real in %9.3e or the text for unknown. */
static void put_cell(FILE *out, bool known, double x, const char *unknown)
{
    if (known)
        (void)fprintf(out, " %11.4e", x);
    else
        (void)fprintf(out, " %11s", unknown);
}

/* The column that tells several receivers apart; none of a single one. */
static void put_csi(FILE *out, const lte_sweeps *sweeps, const char *text)
{
    if (sweeps->n > 1)
        (void)fprintf(out, " %-9s", text);
}

static void put_row(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, const lte_row *row)
{
    const lte_scenario *scenario = sweep->scenario;
    const lte_interval ber = lte_row_interval(sweep, row);
    const double z = lte_row_z(row);
    (void)fprintf(out, "%-9s", lte_detector_named(row->detector).text);
    put_csi(out, sweeps, lte_csi_rows[row->csi].name);
    (void)fprintf(out, " %7.2f %7.2f %7.2f %12llu %10llu", row->snr_db, lte_row_snr_db(row),
                  lte_eb_n0_db(scenario, row->snr_db), (unsigned long long)lte_row_bits(row),
                  (unsigned long long)row->error_count.errors);
    put_cell(out, !ber.no_error, ber.rate, "no error");
    put_cell(out, isfinite(ber.low), ber.low, "");
    put_cell(out, isfinite(ber.high), ber.high, "");
    put_cell(out, row->theory.known, row->theory.ber, "");
    (void)fputc(row->theory.known && !row->theory.exact ? '~' : ' ', out);
    if (isfinite(z))
        (void)fprintf(out, " %6.2f", z);
    else
        (void)fprintf(out, " %6s", "");
    (void)fprintf(out, "  %s\n", lte_row_status_name(row->status));
}

static void put_pairs(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep)
{
    for (int s = 0; s < sweep->n_started; s++) {
        for (int d = 1; d < sweep->n_detectors; d++) {
            const lte_pair *pair = &sweep->pairs[(ptrdiff_t)s * (sweep->n_detectors - 1) + d - 1];
            const lte_row *a = &sweep->rows[pair->a], *b = &sweep->rows[pair->b];
            const lte_interval gap = lte_pair_interval(sweep, pair);
            char name[64];
            if (pair->clusters == 0)
                continue;
            (void)snprintf(name, sizeof name, "%s - %s", lte_detector_named(a->detector).text,
                           lte_detector_named(b->detector).text);
            (void)fprintf(out, "%-21s", name);
            put_csi(out, sweeps, lte_csi_rows[a->csi].name);
            (void)fprintf(out, " %7.2f %8llu", a->snr_db, (unsigned long long)pair->slots);
            put_cell(out, true, gap.rate, "");
            put_cell(out, gap.known, gap.low, "");
            put_cell(out, gap.known, gap.high, "");
            (void)fputc('\n', out);
        }
    }
}

/* Loss of each detector with each estimate; "-" where a curve does not come down to the rate. */
static void put_losses(FILE *out, const lte_sweeps *sweeps)
{
    bool gains = false;
    (void)fprintf(out, "\nloss against perfect CSI at BER 1e-2\n%-9s %-9s %7s\n", "detector", "csi",
                  "dB");
    for (int k = 0; k < sweeps->n; k++) {
        const lte_sweep *sweep = sweeps->of[k];
        if (!lte_csi_estimates(sweep->csi))
            continue;
        for (int d = 0; d < sweep->n_detectors; d++) {
            const double db = lte_loss_db(sweeps, k, d);
            gains = gains || db < 0.0;
            (void)fprintf(out, "%-9s %-9s",
                          lte_detector_named(lte_sweep_row(sweep, d, 0)->detector).text,
                          lte_csi_rows[sweep->csi].name);
            if (isfinite(db))
                (void)fprintf(out, " %7.2f\n", db);
            else
                (void)fprintf(out, " %7s\n", "-");
        }
    }
    if (gains)
        (void)fputs(
            "a loss below 0: an estimate's error loads the matrix that ZF inverts, which helps "
            "it where\nantennas correlate, or the losses are as small as the intervals are wide\n",
            out);
}

/* Points that the sweeps have no row of. */
static void put_missing(FILE *out, const lte_sweeps *sweeps)
{
    int missing = 0;
    for (int k = 0; k < sweeps->n; k++)
        missing += sweeps->of[k]->n_snr - sweeps->of[k]->n_started;
    if (missing > 0)
        (void)fprintf(
            out, "%d point%s of the sweep not begun: %s\n", missing, missing == 1 ? "" : "s",
            lte_stop_signal                                    ? "interrupted"
            : sweeps->of[0]->scenario->sweep.max_seconds > 0.0 ? "sweep.max_seconds is over"
                                                               : "the run failed");
}

void lte_report_ber_head(FILE *out, const lte_sweeps *sweeps)
{
    (void)fprintf(out, "\n%-9s", "detector");
    put_csi(out, sweeps, "csi");
    (void)fprintf(out, " %7s %7s %7s %12s %10s %11s %11s %11s %11s  %6s  %s\n", "SNR dB", "meas.",
                  "Eb/N0", "bits", "errors", "BER", "95 % low", "95 % high", "closed form", "z",
                  "ended by");
}

void lte_report_ber_point(FILE *out, const lte_sweeps *sweeps, const lte_sweep *sweep, int snr)
{
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, snr);
        if (row->error_count.clusters > 0 && row->status != LTE_ROW_RUNNING)
            put_row(out, sweeps, sweep, row);
    }
}

void lte_report_ber_foot(FILE *out, const lte_sweeps *sweeps)
{
    bool approximate = false, any_flagged = false, estimates = false;
    for (int k = 0; k < sweeps->n; k++) {
        const lte_sweep *sweep = sweeps->of[k];
        estimates = estimates || lte_csi_estimates(sweep->csi);
        const lte_row *row;
        for (int i = 0; (row = lte_sweep_started(sweep, i)); i++) {
            if (row->error_count.clusters == 0)
                continue;
            approximate = approximate || (row->theory.known && !row->theory.exact);
            any_flagged = any_flagged || row->counts[lte_flagged_at(sweep->scenario->n_tx)] > 0;
        }
    }
    if (approximate)
        (void)fputs("~ approximate: exact law of the SINR, interference taken as Gaussian (6 %)\n",
                    out);
    put_missing(out, sweeps);
    if (any_flagged)
        (void)fputs("some matrices had no inverse and were detected as zero: column flagged of "
                    "ber.csv\n",
                    out);
    if (sweeps->of[0]->n_detectors > 1 && sweeps->of[0]->n_started > 0) {
        (void)fprintf(out, "\n%-21s", "over common draws");
        put_csi(out, sweeps, "csi");
        (void)fprintf(out, " %7s %8s %11s %11s %11s\n", "SNR dB", "slots", "difference", "95 % low",
                      "95 % high");
        for (int k = 0; k < sweeps->n; k++)
            put_pairs(out, sweeps, sweeps->of[k]);
    }
    if (estimates)
        put_losses(out, sweeps);
}

void lte_report_ber(FILE *out, const lte_sweeps *sweeps)
{
    lte_report_ber_head(out, sweeps);
    for (int k = 0; k < sweeps->n; k++) {
        for (int snr = 0; snr < sweeps->of[k]->n_started; snr++)
            lte_report_ber_point(out, sweeps, sweeps->of[k], snr);
    }
    lte_report_ber_foot(out, sweeps);
}
