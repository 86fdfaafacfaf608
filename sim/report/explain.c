/* --explain: what a scenario costs before it is run. */
#include "sim/report/explain.h"
#include "sim/report/results/counted_words.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"
#include "phy/detection/plugin.h"
#include "phy/base/carrier.h"
#include "phy/base/limits.h"
#include "sim/jobs/deadline/capacity.h"
#include "sim/jobs/deadline/slot_periods.h"
#include "sim/report/expected.h"
#include "sim/report/tables/report.h"
#include "sim/report/tables/terminal.h"
#include "sim/report/results/words.h"
#include "phy/theory/ber_theory.h"

/* A line of a detector's operations; returns their sum. */
static double put_flops(FILE *out, const char *head, const lte_link *link, lte_detector detector)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    const lte_operations o = lte_operations_of(link, detector);
    const double all = o.estimation + o.gram + o.inversion + o.filter + o.detection;
    (void)fprintf(out, "%-11s %s: ", head, lte_detector_named(detector).text);
    if (lte_plugin_of(detector)) {
        (void)fprintf(out, "not known, since it is a plug-in\n");
        return 0.0;
    }
    if (lte_link_estimates(link))
        (void)fprintf(out, "estimation %.3g, ", o.estimation);
    if (row->needs & LTE_NEEDS_GRAM)
        (void)fprintf(out, "Gram matrices %.3g, ", o.gram);
    if (row->needs & LTE_NEEDS_INVERSE)
        (void)fprintf(out, "inversion %.3g, ", o.inversion);
    (void)fprintf(out, "filter %.3g, detection %.3g; sum %.3g\n", o.filter, o.detection, all);
    return all;
}

static void put_sizes(FILE *out, const lte_sweep *sweep, const lte_link *link)
{
    const bool estimates = lte_link_estimates(link);
    const double n = link->n_tx, m = link->n_rx, sc = link->carrier.n_sc;
    const double in =
        8 * sc * (estimates ? 0.0 : m * n * link->channel.n_h) + 8 * sc * LTE_SLOT_SYMBOLS * m;
    const double bits = (double)lte_slot_bits(link);
    double most = 0.0;
    lte_operations drawn = {0};
    (void)fprintf(
        out,
        "\none slot    %d channel matrices of %d rows and %d column%s (receive antennas and "
        "layers),\n            %d resource elements, %g QAM symbols, %g bits\n",
        lte_link_matrices(link), link->n_rx, link->n_tx, lte_plural(link->n_tx),
        link->carrier.n_sc * LTE_SLOT_SYMBOLS, bits / link->n_bits, bits);
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_detector detector = lte_sweep_row(sweep, d, 0)->detector;
        const double all = put_flops(out, d > 0 ? "" : "operations", link, detector);
        drawn = lte_operations_of(link, detector);
        most = fmax(all, most);
    }
    (void)fprintf(
        out,
        "            (real operations per slot, a multiply-add counts as two%s;\n            the "
        "error-rate sweep also draws random numbers, %.3g, and applies the channel, "
        "%.3g)\n",
        lte_counted_words_of(sweep->scenario)->operations, drawn.draws, drawn.channel);
    (void)fprintf(
        out,
        "data        %.4g KB in (%s) and %.4g KB out (hard bits) per slot: %.3g GB/s for one "
        "carrier\n",
        in / 1e3, estimates ? "y" : "H and y", bits / 8e3, (in + bits / 8) / LTE_SLOT_S / 1e9);
    (void)fprintf(out,
                  "required    %.3g operations/s, to finish one slot of one carrier every 500 us\n",
                  most / LTE_SLOT_S);
}

/* The work of each detector on the slots of a buffer, beside the time for it. */
static lte_status put_shares(FILE *out, const lte_sweep *sweep, const lte_link *link,
                             lte_slot_periods *periods)
{
    const double budget_us = sweep->scenario->deadline.budget_us;
    lte_status status = LTE_OK;
    char time[32];
    lte_slot_periods_init(periods, link);
    for (int d = 0; d < sweep->n_detectors && !status; d++) {
        periods->detector = lte_sweep_row(sweep, d, 0)->detector;
        status = lte_slot_periods_begin(periods, 1); /* it warms up, and knows what that took */
        if (!status)
            status = lte_slot_periods_end(periods);
        if (!status)
            (void)fprintf(out, "%s%s %s, %.3g %% of the deadline",
                          d > 0 ? ";\n            " : "a slot      ",
                          lte_detector_named(periods->detector).text,
                          lte_time_text(periods->typical_us, time, sizeof time),
                          100.0 * periods->typical_us / budget_us);
    }
    if (!status)
        (void)fprintf(out,
                      "\n            (one at %g dB, from host memory to its bits, %d thread%s)\n",
                      sweep->scenario->deadline.snr_db, periods->setup.n_threads,
                      lte_plural(periods->setup.n_threads));
    return status;
}

/*
 * What the deadline run takes, and each detector of it: slots made before the clock starts, by one
 * that is made here.
 */
static lte_status put_deadline(FILE *out, const lte_sweep *sweep, const lte_link *link,
                               const lte_backend *backend, lte_engine *engine, double per_slot)
{
    const lte_scenario *scenario = sweep->scenario;
    const lte_scenario_deadline *rule = &scenario->deadline;
    lte_slot_periods periods = {.scenario = scenario,
                                .backend = backend,
                                .engine = engine,
                                .n_threads = rule->threads,
                                .noise =
                                    lte_noise_of(scenario->n_tx, pow(10.0, rule->snr_db / 10.0))};
    lte_status status = lte_slot_buffer_create(backend, engine, link, periods.noise,
                                               link->receiver.pilots, &periods.buffer);
    if (!status)
        status = lte_slot_buffer_make(periods.buffer, 0, 1); /* its memory comes into being */
    const double start = lte_seconds();
    if (!status)
        status = lte_slot_buffer_make(periods.buffer, 0, 1);
    const double made = (lte_seconds() - start) * rule->distinct / backend->threads(engine);
    if (!status)
        status = put_shares(out, sweep, link, &periods);
    const size_t h_size = lte_link_estimates(link) ? 0 : lte_layout_bytes(link, LTE_PLANES_CSI);
    const size_t size = h_size + lte_layout_bytes(link, LTE_PLANES_Y);
    lte_slot_buffer_free(periods.buffer);
    if (status)
        return status;
    const double each = per_slot * rule->carriers;
    const double period = rule->paced && each < LTE_SLOT_S ? LTE_SLOT_S : each;
    (void)fprintf(
        out,
        "deadline    about %.3g s to generate %d slots (%.3g MB), %.3g s to process %d slot "
        "periods,\n            then up to %g s to find how many carriers fit%s\n",
        made, rule->distinct, 1e-6 * (double)size * rule->distinct, period * rule->slots,
        rule->slots, lte_capacity_s(scenario),
        backend->slots->n_placements > 1
            ? ", with the data in host memory and again with them on the device"
            : "");
    if (link->receiver.pilots > 1)
        (void)fprintf(out, "            %s\n", lte_report_waited);
    return LTE_OK;
}

/* The rows of a sweep, with what each is expected to take; returns the slots of all of them. */
static double put_rows(FILE *out, const lte_sweep *sweep)
{
    bool approximate = false, unknown = false;
    double sum = 0.0;
    const int width = lte_detector_width(sweep->scenario);
    (void)fprintf(out, "\n%-*s %7s %7s %13s %12s\n", width, "detector", "SNR dB", "Eb/N0",
                  "expected BER", "slots");
    for (int d = 0; d < sweep->n_detectors; d++) {
        for (int s = 0; s < sweep->n_points; s++) {
            const lte_row *row = lte_sweep_row(sweep, d, s);
            const double slots =
                lte_expected_slots(sweep, row->theory.known ? row->theory.ber : 0.0);
            sum += slots;
            (void)fprintf(
                out, "%-*s %7.2f %7.2f", width, lte_detector_named(row->detector).text, row->snr_db,
                lte_eb_n0_db(sweep->scenario->n_tx, sweep->scenario->n_bits, row->snr_db));
            if (row->theory.known)
                (void)fprintf(out, " %12.4e%c", row->theory.ber, row->theory.exact ? ' ' : '~');
            else
                (void)fprintf(out, " %13s", "");
            (void)fprintf(out, " %12.0f\n", slots);
            approximate = approximate || (row->theory.known && !row->theory.exact);
            unknown = unknown || !row->theory.known;
        }
    }
    if (approximate)
        (void)fputs("~ approximate closed form, within 6 %\n", out);
    if (unknown)
        (void)fputs("no expected BER: there is no closed form, so the most slots are assumed\n",
                    out);
    return sum;
}

/* The same of a search, whose points are not known yet: usually so many for each detector. */
static double put_search(FILE *out, const lte_sweep *sweep)
{
    enum { USUAL_POINTS = 12 };
    const lte_scenario_sweep *rule = &sweep->scenario->sweep;
    char target[48];
    const double slots = lte_expected_slots(sweep, lte_scenario_target(sweep->scenario).unreached);
    (void)fprintf(out,
                  "\nsearch      finds the SNR at %s, to a relative precision of %g:\n  "
                  "          about %d SNR points per detector, each of up to %.0f slots if errors "
                  "are independent\n            and of more slots if fading makes errors come in "
                  "groups\n",
                  lte_search_target(sweep, target, sizeof target), rule->precision, USUAL_POINTS,
                  slots);
    return slots * USUAL_POINTS * sweep->n_detectors * sweep->n_detectors;
}

lte_status lte_explain(FILE *out, const lte_sweep *sweep, const lte_link *link,
                       const lte_backend *backend, lte_engine *engine)
{
    const lte_scenario *scenario = sweep->scenario;
    lte_detector detectors[LTE_MAX_DETECTORS];
    double per_slot = INFINITY;
    int n_probed = 0;
    if (scenario->n_csi > 1)
        (void)fprintf(out, "\n--- %s ---\n", lte_csi_rows[link->receiver.csi].name);
    put_sizes(out, sweep, link);
    const bool search = lte_sweep_is_search(sweep);
    const double slots_sum = search ? put_search(out, sweep) : put_rows(out, sweep);
    for (int d = 0; d < sweep->n_detectors; d++)
        detectors[d] = lte_sweep_row(sweep, d, 0)->detector;
    lte_slot_trial trial = {.backend = backend,
                            .engine = engine,
                            .link = link,
                            .detectors = detectors,
                            .n_detectors = sweep->n_detectors,
                            .tries = 3,
                            .purpose = "for the counts of a sweep"};
    lte_status status = lte_slot_seconds(&trial, &n_probed, &per_slot);
    if (status)
        return status;
    per_slot /= sweep->n_detectors;
    (void)fprintf(
        out,
        "\nmeasured    %.1f us per slot and detector in the sweep (%d slot%s timed; backend %s, "
        "%d thread%s)\n",
        1e6 * per_slot, n_probed, lte_plural(n_probed), backend->name, backend->threads(engine),
        lte_plural(backend->threads(engine)));
    (void)fprintf(out,
                  "sweep       about %.3g s%s for %.4g slots; all detectors process the same drawn "
                  "slots\n",
                  per_slot * slots_sum, search ? "" : " at most", slots_sum);
    if (scenario->counted != LTE_COUNTED_BITS || link->receiver.csi != scenario->deadline.csi)
        return LTE_OK;
    trial.detectors = &scenario->deadline.detector;
    trial.n_detectors = 1;
    if (sweep->n_detectors > 1)
        status = lte_slot_seconds(&trial, &n_probed, &per_slot);
    return status ? status : put_deadline(out, sweep, link, backend, engine, per_slot);
}
