/* --explain: what a scenario costs before it is run. */
#include "sim/report/explain.h"
#include "sim/report/results/counted_words.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"
#include "kernels/backends/slot_buffer.h"
#include "phy/base/carrier.h"
#include "phy/base/limits.h"
#include "phy/detection/plugin.h"
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

enum { MOST_TRIED = 256 }; /* carriers: the work of more is in proportion */

/* The row of deadline.detector. */
static int timed_row(const lte_sweep *sweep)
{
    const lte_detector timed = sweep->scenario->deadline.detector;
    int d = 0;
    while (d < sweep->n_detectors - 1 &&
           lte_detector_compare(lte_sweep_row(sweep, d, 0)->detector, timed) != 0)
        d++;
    return d;
}

/* The work of a detector on the slots of a buffer, with so many threads; 0: it chooses. */
static lte_status time_detector(lte_slot_periods *periods, lte_detector detector, int n_threads,
                                lte_measured *measured)
{
    const int carriers = periods->scenario->deadline.carriers;
    const int tried = carriers < MOST_TRIED ? carriers : MOST_TRIED;
    const double times = (double)carriers / tried;
    periods->detector = detector;
    periods->n_threads = n_threads;
    lte_status status = lte_slot_periods_begin(periods, tried); /* it warms up, and times that */
    if (!status)
        status = lte_slot_periods_end(periods);
    *measured = (lte_measured){.us = times * periods->typical_us,
                               .load = times * periods->load,
                               .n_threads = periods->setup.n_threads};
    return status;
}

/* Seconds of all slot periods of the deadline: paced they are 500 us each, unless work is more. */
static double periods_s(const lte_scenario_deadline *rule, const lte_measured *measured)
{
    const double each = rule->paced ? fmax(measured->load, 1.0) : measured->load;
    return rule->slots * LTE_SLOT_S * each;
}

/* Seconds of those that deadline.detectors have in turn, with the threads of deadline.detector. */
static lte_status time_turns(lte_slot_periods *periods, int n_threads, double *seconds)
{
    const lte_scenario_deadline *rule = &periods->scenario->deadline;
    lte_status status = LTE_OK;
    *seconds = 0.0;
    for (int i = 0; i < rule->n_in_turn && !status; i++) {
        lte_measured measured;
        status = time_detector(periods, rule->in_turn[i], n_threads, &measured);
        *seconds += periods_s(rule, &measured);
    }
    return status;
}

/* What the deadline run takes, timed being the work of deadline.detector, turns_s of time_turns. */
static void put_deadline_times(FILE *out, const lte_scenario *scenario, double made_s,
                               double made_bytes, const lte_measured *timed, double turns_s)
{
    const lte_scenario_deadline *rule = &scenario->deadline;
    (void)fprintf(out,
                  "deadline    about %.3g s to generate %d slots (%.3g MB), %.3g s to process %d "
                  "slot periods,\n            ",
                  made_s, rule->distinct, 1e-6 * made_bytes, periods_s(rule, timed), rule->slots);
    if (rule->carriers > 1)
        (void)fprintf(out, "each with slots of %d carriers, ", rule->carriers);
    (void)fprintf(out, "then up to %g s to find how many carriers fit", lte_capacity_s(scenario));
    if (rule->n_in_turn > 0)
        (void)fprintf(out,
                      ",\n            then %.3g s for deadline.detectors, %d in turn through %d "
                      "slot periods each",
                      turns_s, rule->n_in_turn, rule->slots);
}

/*
 * What the deadline run takes, slots being made before the clock starts, by one that is made here;
 * measured [n_detectors] out: the work of each detector on it.
 */
static lte_status put_deadline(FILE *out, const lte_sweep *sweep, const lte_link *link,
                               const lte_backend *backend, lte_engine *engine,
                               lte_measured *measured)
{
    const lte_scenario *scenario = sweep->scenario;
    const lte_scenario_deadline *rule = &scenario->deadline;
    const int timed = timed_row(sweep);
    lte_slot_periods periods = {.scenario = scenario,
                                .backend = backend,
                                .engine = engine,
                                .noise =
                                    lte_noise_of(scenario->n_tx, pow(10.0, rule->snr_db / 10.0))};
    double turns_s = 0.0;
    lte_slot_periods_init(&periods, link);
    lte_status status = lte_slot_buffer_create(backend, engine, link, periods.noise,
                                               link->receiver.pilots, &periods.buffer);
    if (!status)
        status = lte_slot_buffer_make(periods.buffer, 0, link->receiver.pilots);
    const double start = lte_seconds();
    if (!status)
        status = lte_slot_buffer_make(periods.buffer, 0, 1);
    const double made_s = (lte_seconds() - start) * rule->distinct / backend->threads(engine);
    for (int d = 0; d < sweep->n_detectors && !status; d++)
        status = time_detector(&periods, lte_sweep_row(sweep, d, 0)->detector, rule->threads,
                               &measured[d]);
    if (!status)
        status = time_turns(&periods, measured[timed].n_threads, &turns_s);
    const size_t h_size = lte_link_estimates(link) ? 0 : lte_layout_bytes(link, LTE_PLANES_CSI);
    const size_t size = h_size + lte_layout_bytes(link, LTE_PLANES_Y);
    lte_slot_buffer_free(periods.buffer);
    if (status)
        return status;
    put_deadline_times(out, scenario, made_s, (double)size * rule->distinct, &measured[timed],
                       turns_s);
    (void)fputs(backend->slots->n_placements > 1 ? ",\n            with the data in host memory "
                                                   "and again with them on the device\n"
                                                 : "\n",
                out);
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

/* How the work of a detector depends on what is received; NULL: it does not. */
static const char *dependence_of(lte_detector detector)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    if (lte_plugin_of(detector))
        return "a plug-in, whose work may depend on what is received";
    if (!row->varies)
        return NULL;
    return row->nodes ? "takes longer at lower SNR, where its search enters more nodes"
                      : "its work depends on the channel and the SNR";
}

/*
 * What a sweep takes. It is at most that if a slot takes as long whatever is received, and all rows
 * have the most slots: those that a closed form expects are a mean.
 */
static void put_sweep_time(FILE *out, const lte_sweep *sweep, double per_slot, double n_slots)
{
    const lte_scenario *scenario = sweep->scenario;
    const bool decodes = scenario->counted == LTE_COUNTED_BLOCKS && scenario->code.early_stop;
    const double most_slots = (double)(sweep->end - sweep->first) * sweep->n_detectors;
    const bool most = n_slots >= most_slots * sweep->n_points && !lte_sweep_is_search(sweep);
    bool varies = decodes;
    for (int d = 0; d < sweep->n_detectors; d++)
        varies = varies || dependence_of(lte_sweep_row(sweep, d, 0)->detector);
    (void)fprintf(out, "sweep       about %.3g s%s for %.4g slots", per_slot * n_slots,
                  most && !varies ? " at most" : "", n_slots);
    if (varies)
        (void)fprintf(out, " if each takes what was measured at %d dB", LTE_TRIED_SNR_DB);
    (void)fprintf(out, ";%sall detectors process the same drawn slots\n",
                  varies ? "\n            " : " ");
    for (int d = 0; d < sweep->n_detectors; d++) {
        const lte_detector detector = lte_sweep_row(sweep, d, 0)->detector;
        const char *const how = dependence_of(detector);
        if (how)
            (void)fprintf(out, "            %s: %s\n", lte_detector_named(detector).text, how);
    }
    if (decodes)
        (void)fprintf(out, "            turbo decoder: takes longer at lower SNR, where it needs "
                           "more iterations\n");
}

/* Floors, with what was measured or, if that is NULL, as many threads as the engine has. */
static lte_status put_floors(FILE *out, const lte_sweep *sweep, const lte_backend *backend,
                             const lte_device *device, const lte_cost *cost,
                             const lte_measured *measured, int n_threads)
{
    const lte_scenario_deadline *rule = &sweep->scenario->deadline;
    lte_rates rates[LTE_MAX_DETECTORS];
    int own[LTE_MAX_DETECTORS];
    lte_status status = LTE_OK;
    for (int d = 0; d < sweep->n_detectors && !status; d++) {
        int same = 0;
        own[d] = measured ? measured[d].n_threads : n_threads;
        while (own[same] != own[d])
            same++;
        if (same < d)
            rates[d] = rates[same];
        else
            status = lte_rates_of(backend, device, own[d], &rates[d]);
    }
    if (!status)
        lte_floors_put(out, &(lte_floors){.n = sweep->n_detectors,
                                          .cost = cost,
                                          .rates = rates,
                                          .measured = measured,
                                          .n_carriers = measured ? rule->carriers : 1,
                                          .timed = timed_row(sweep),
                                          .snr_db = rule->snr_db,
                                          .budget_us = rule->budget_us});
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
    lte_measured measured[LTE_MAX_DETECTORS];
    double per_slot = INFINITY;
    lte_status status = LTE_OK;
    const int n_threads = backend->threads(engine);
    int n_probed = 0;
    for (int d = 0; d < sweep->n_detectors && !status; d++) {
        detectors[d] = lte_sweep_row(sweep, d, 0)->detector;
        status = lte_cost_of(link, detectors[d], scenario->deadline.snr_db, &cost[d]);
    }
    if (status)
        return status;
    if (scenario->n_csi > 1)
        (void)fprintf(out, "\n--- %s ---\n", lte_csi_rows[link->receiver.csi].name);
    put_sizes(out, sweep, link, cost);
    const double slots_sum =
        lte_sweep_is_search(sweep) ? put_search(out, sweep) : put_rows(out, sweep);
    const lte_slot_trial trial = {.backend = backend,
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
    put_sweep_time(out, sweep, per_slot, slots_sum);
    if (timed)
        status = put_deadline(out, sweep, link, backend, engine, measured);
    return status
               ? status
               : put_floors(out, sweep, backend, device, cost, timed ? measured : NULL, n_threads);
}
