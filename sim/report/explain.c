/* --explain: what a scenario costs before it is run. */
#include "sim/report/explain.h"
#include "sim/report/results/counted_words.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"
#include "phy/base/carrier.h"
#include "phy/base/limits.h"
#include "sim/jobs/deadline/capacity.h"
#include "sim/jobs/deadline/slot_periods.h"
#include "sim/report/expected.h"
#include "sim/report/explain_costs.h"
#include "sim/report/tables/report.h"
#include "sim/report/tables/terminal.h"
#include "sim/report/results/words.h"
#include "phy/theory/ber_theory.h"

/* A line of a detector's operations. */
static void put_flops(FILE *out, const char *head, const lte_link *link, const lte_cost *cost)
{
    const lte_detector_row *row = lte_detector_row_of(cost->detector);
    const lte_operations *o = &cost->by;
    (void)fprintf(out, "%-11s %s: ", head, lte_detector_named(cost->detector).text);
    if (!cost->known) {
        (void)fprintf(out, "not known, since it is a plug-in\n");
        return;
    }
    if (lte_link_estimates(link))
        (void)fprintf(out, "estimation %.3g, ", o->estimation);
    if (row->needs & LTE_NEEDS_GRAM)
        (void)fprintf(out, "Gram matrices %.3g, ", o->gram);
    if (row->needs & LTE_NEEDS_INVERSE)
        (void)fprintf(out, "inversion %.3g, ", o->inversion);
    (void)fprintf(out, "%s %.3g, detection %.3g",
                  row->needs & LTE_NEEDS_INVERSE ? "filter" : "preparation", o->filter,
                  o->detection);
    if (row->node_flops)
        (void)fprintf(out, ", search %.3g", cost->searched);
    if (o->llrs > 0.0)
        (void)fprintf(out, ", LLRs %.3g", o->llrs);
    (void)fprintf(out, "; sum %.3g\n", cost->operations);
}

static void put_sizes(FILE *out, const lte_sweep *sweep, const lte_link *link, const lte_cost *cost)
{
    const bool estimates = lte_link_estimates(link);
    const double bits = (double)lte_slot_bits(link), in = cost->read_bytes,
                 written = cost->written_bytes;
    double most = 0.0;
    (void)fprintf(
        out,
        "\none slot    %d channel matrices of %d rows and %d column%s (receive antennas and "
        "layers),\n            %d resource elements, %g QAM symbols, %g bits\n",
        lte_link_matrices(link), link->n_rx, link->n_tx, lte_plural(link->n_tx),
        link->carrier.n_sc * LTE_SLOT_SYMBOLS, bits / link->n_bits, bits);
    for (int d = 0; d < sweep->n_detectors; d++) {
        put_flops(out, d > 0 ? "" : "operations", link, &cost[d]);
        most = fmax(cost[d].known ? cost[d].operations : 0.0, most);
    }
    (void)fprintf(
        out,
        "            (real operations per slot, a multiply-add counts as two%s;\n            the "
        "error-rate sweep also draws random numbers, %.3g, and applies the channel, "
        "%.3g)\n",
        lte_counted_words_of(sweep->scenario)->operations, cost->by.draws, cost->by.channel);
    (void)fprintf(
        out,
        "data        %.4g KB in (%s) and %.4g KB out (%s) per slot: %.3g GB/s for one carrier\n",
        in / 1e3, estimates ? "y" : "H and y", written / 1e3,
        sweep->scenario->counted == LTE_COUNTED_BITS ? "hard bits" : "LLRs",
        (in + written) / LTE_SLOT_S / 1e9);
    (void)fprintf(out,
                  "required    %.3g operations/s, to finish one slot of one carrier every 500 us\n",
                  most / LTE_SLOT_S);
}

/* The work of each detector on the slots of a buffer, us [n_detectors]  out. */
static lte_status time_detectors(const lte_sweep *sweep, const lte_link *link,
                                 lte_slot_periods *periods, double *us)
{
    lte_status status = LTE_OK;
    lte_slot_periods_init(periods, link);
    for (int d = 0; d < sweep->n_detectors && !status; d++) {
        periods->detector = lte_sweep_row(sweep, d, 0)->detector;
        status = lte_slot_periods_begin(periods, 1); /* it warms up, and knows what that took */
        if (!status)
            status = lte_slot_periods_end(periods);
        us[d] = periods->typical_us;
    }
    return status;
}

/*
 * What the deadline run takes, slots being made before the clock starts, by one that is made here;
 * us [n_detectors] out: the work of each detector on it, by threads that share it.
 */
static lte_status put_deadline(FILE *out, const lte_sweep *sweep, const lte_link *link,
                               const lte_backend *backend, lte_engine *engine, double per_slot,
                               double *us, int *n_threads)
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
        status = time_detectors(sweep, link, &periods, us);
    *n_threads = periods.setup.n_threads;
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

/* Floors and what is expected, us [n_detectors] of n_threads; NULL: there is no deadline run. */
static lte_status put_floors(FILE *out, const lte_sweep *sweep, const lte_backend *backend,
                             const lte_device *device, const lte_cost *cost, const double *us,
                             int n_threads)
{
    const lte_scenario_deadline *rule = &sweep->scenario->deadline;
    lte_rates rates;
    const lte_status status = lte_rates_of(backend, device, n_threads, &rates);
    if (!status)
        lte_costs_put(out, sweep->n_detectors, cost, &rates, rule->snr_db, us, rule->budget_us);
    return status;
}

lte_status lte_explain(FILE *out, const lte_sweep *sweep, const lte_link *link,
                       const lte_backend *backend, const lte_device *device, lte_engine *engine)
{
    const lte_scenario *scenario = sweep->scenario;
    const bool timed =
        scenario->counted == LTE_COUNTED_BITS && link->receiver.csi == scenario->deadline.csi;
    lte_detector detectors[LTE_MAX_DETECTORS];
    lte_cost cost[LTE_MAX_DETECTORS];
    double per_slot = INFINITY, us[LTE_MAX_DETECTORS];
    lte_status status = LTE_OK;
    int n_probed = 0, n_threads = backend->threads(engine);
    for (int d = 0; d < sweep->n_detectors && !status; d++) {
        detectors[d] = lte_sweep_row(sweep, d, 0)->detector;
        status = lte_cost_of(link, detectors[d], scenario->deadline.snr_db, &cost[d]);
    }
    if (status)
        return status;
    if (scenario->n_csi > 1)
        (void)fprintf(out, "\n--- %s ---\n", lte_csi_rows[link->receiver.csi].name);
    put_sizes(out, sweep, link, cost);
    const bool search = lte_sweep_is_search(sweep);
    const double slots_sum = search ? put_search(out, sweep) : put_rows(out, sweep);
    lte_slot_trial trial = {.backend = backend,
                            .engine = engine,
                            .link = link,
                            .detectors = detectors,
                            .n_detectors = sweep->n_detectors,
                            .tries = 3,
                            .purpose = "for the counts of a sweep"};
    status = lte_slot_seconds(&trial, &n_probed, &per_slot);
    if (status)
        return status;
    per_slot /= sweep->n_detectors;
    (void)fprintf(
        out,
        "\nmeasured    %.1f us per slot and detector in the sweep (%d slot%s timed; backend %s, "
        "%d thread%s)\n",
        1e6 * per_slot, n_probed, lte_plural(n_probed), backend->name, n_threads,
        lte_plural(n_threads));
    (void)fprintf(out,
                  "sweep       about %.3g s%s for %.4g slots; all detectors process the same drawn "
                  "slots\n",
                  per_slot * slots_sum, search ? "" : " at most", slots_sum);
    if (!timed)
        return put_floors(out, sweep, backend, device, cost, NULL, n_threads);
    trial.detectors = &scenario->deadline.detector;
    trial.n_detectors = 1;
    if (sweep->n_detectors > 1)
        status = lte_slot_seconds(&trial, &n_probed, &per_slot);
    if (!status)
        status = put_deadline(out, sweep, link, backend, engine, per_slot, us, &n_threads);
    return status ? status : put_floors(out, sweep, backend, device, cost, us, n_threads);
}
