/* Expected seconds of a scenario, by operations. */
#include "sim/report/expected.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/backends/backend.h"
#include "kernels/backends/clock.h"
#include "kernels/coding/counted.h"
#include "phy/channel/channels.h"
#include "phy/detection/operations.h"
#include "phy/theory/ber_theory.h"
#include "sim/jobs/deadline/capacity.h"
#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/scenario/described_link.h"

/* ---- operations of a slot, counted from sizes ---- */

/* Times that every subcarrier is estimated: for the noise, and finally. */
static int passes_of(const lte_link *link)
{
    return (int)lte_needs_least_squares(link) + (int)(link->receiver.estimator.n_sets > 1);
}

/* Matched filters, and the weights of a window or sums, a small matrix and synthesis. */
static double estimation(const lte_link *link)
{
    const double n = link->n_tx, m = link->n_rx, sc = link->carrier.n_sc, passes = passes_of(link);
    const double unknowns = n * link->receiver.estimator.n_basis;
    return sc * m * (6 * n + 8 * unknowns) +
           passes * m * 8 *
               (sc * (n * link->receiver.estimator.window + unknowns) + unknowns * unknowns);
}

lte_operations lte_operations_of(const lte_link *link, lte_detector detector)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    const lte_detector_plan plan = lte_link_plan(link, detector, link->output.asked);
    const lte_detector_plan decides = lte_link_plan(link, detector, LTE_GIVES_LABELS);
    const double n = link->n_tx, m = link->n_rx, sc = link->carrier.n_sc,
                 symbols = LTE_SLOT_SYMBOLS;
    const double taps = link->channel.profile.n_taps;
    const double n_h = link->channel.n_h,
                 n_csi = (double)lte_link_matrices(link) / link->carrier.n_sc;
    const double drawn = taps > 0.0 || link->channel.n_stored > 0 ? 0.0 : m * n;
    lte_operations o;
    /* a complex normal: half a Philox block of 10 rounds of 6 operations, and about 35 more */
    o.draws = sc * (drawn + symbols * m) * (5 * 2 * 6 + 35);
    /* a tap's phase on a subcarrier: about 25 */
    o.channel = sc * (symbols * m * (8 * n + 4) + n_h * taps * (8 * m * n + 25));
    o.estimation = lte_link_estimates(link) ? link->receiver.pilots * estimation(link) : 0.0;
    if (link->receiver.pilots > 1) /* combined for every symbol */
        o.estimation += sc * n_csi * m * n * 6;
    o.gram =
        (row->needs & LTE_NEEDS_GRAM) ? sc * n_csi * lte_gram_flops(link->n_rx, link->n_tx) : 0.0;
    o.inversion = (row->needs & LTE_NEEDS_INVERSE)
                      ? sc * n_csi * lte_inverter_rows[link->receiver.inverter].flops(link->n_tx)
                      : 0.0;
    o.filter = sc * n_csi * row->prepare_flops(&plan);
    o.detection = sc * lte_data_symbols(link) * row->detect_flops(&decides);
    o.llrs = sc * lte_data_symbols(link) * row->detect_flops(&plan) - o.detection;
    return o;
}

/* ---- seconds ---- */

/* Operations in the measure of lte_operations, as sweeps of soft and of coded links have shown. */
static const double of_level = 160.0; /* a level of the QAM symbol's real or imaginary part */
static const double of_payload_bit = 3000.0; /* of a code, the iterations of all its blocks alike */

static const double pictures_s = 0.5;

/* ---- what differs by what is counted ---- */

static double no_operations(const lte_link *link)
{
    (void)link;
    return 0.0;
}

static double of_llrs(const lte_link *link)
{
    return (double)lte_slot_bits(link) / link->n_bits * 2.0 * of_level * (1 << link->n_bits / 2);
}

static double of_blocks(const lte_link *link)
{
    double sum = of_llrs(link);
    for (int q = 0; q < link->output.code->n_codewords; q++)
        sum += of_payload_bit * link->output.code->plan.bits[q] / 2.0; /* a block has two slots */
    return sum;
}

static double bit_error_rate(const lte_scenario *s, double snr_db, int point)
{
    const double rho = pow(10.0, snr_db / 10.0) / s->n_tx;
    (void)point;
    return lte_channel_rows[s->channel].form == LTE_FORM_AWGN
               ? lte_ber_awgn(s->n_bits, rho)
               : lte_ber_gamma(s->n_bits, s->n_rx - s->n_tx + 1, rho);
}

static double block_error_rate(const lte_scenario *s, double snr_db, int point)
{
    (void)snr_db;
    return pow(10.0, s->sweep.n_snr > 1 ? -3.0 * point / (s->sweep.n_snr - 1) : -1.5);
}

/* Slots that are sent: of one process in eight where it stands for all. */
static double all_sent(const lte_link *link)
{
    (void)link;
    return 1.0;
}

static double sent_of_processes(const lte_link *link)
{
    const lte_code_plan *plan = &link->output.code->plan;
    return plan->transmissions > 1 ? (double)lte_processes_together(link) / LTE_HARQ_SUBFRAMES
                                   : 1.0;
}

static double bits_of_slot(const lte_link *link)
{
    return (double)lte_slot_bits(link);
}

static double blocks_of_slot(const lte_link *link)
{
    const lte_code *code = link->output.code;
    return (double)lte_code_counted(&code->plan) * code->n_codewords / lte_slots_together(link) *
           sent_of_processes(link);
}

static const struct {
    double (*operations)(const lte_link *link); /* of a slot, behind those of a detector */
    /* that the stop rule goes by, and what a slot has of what it counts */
    double (*error_rate)(const lte_scenario *s, double snr_db, int point);
    double (*of_slot)(const lte_link *link);
    double (*sent_share)(const lte_link *link);
} kinds[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {no_operations, bit_error_rate, bits_of_slot, all_sent},
    [LTE_COUNTED_LLRS] = {of_llrs, bit_error_rate, bits_of_slot, all_sent},
    [LTE_COUNTED_BLOCKS] = {of_blocks, block_error_rate, blocks_of_slot, sent_of_processes},
};

/* ---- sweeps and deadline runs ---- */

/* Beyond what all detectors share. */
static double of_detector(const lte_link *link, lte_detector detector)
{
    const lte_operations o = lte_operations_of(link, detector);
    return o.gram + o.inversion + o.filter + o.detection +
           kinds[link->output.counted].operations(link);
}

/* Slots of all points of a receiver's sweep. */
static double swept_slots(const lte_scenario *s, const lte_link *link)
{
    enum { SEARCHED_POINTS = 12 }; /* of a detector whose SNR at an error rate is sought */
    const double most = (double)s->sweep.max_slots;
    const double bits = kinds[s->counted].of_slot(link);
    double slots = 0.0;
    if (lte_scenario_searches(s))
        return SEARCHED_POINTS * s->n_detectors *
               lte_needed_slots(s, bits, most, lte_scenario_target(s).unreached);
    for (int i = 0; i < s->sweep.n_snr; i++)
        slots +=
            lte_needed_slots(s, bits, most, kinds[s->counted].error_rate(s, s->sweep.snr_db[i], i));
    return slots;
}

static double sweep_s(const lte_scenario *s, const lte_link *link, const lte_pace *pace)
{
    const lte_operations shared = lte_operations_of(link, s->detectors[0]);
    double each = shared.draws + shared.channel + shared.estimation;
    for (int d = 0; d < s->n_detectors; d++)
        each += of_detector(link, s->detectors[d]);
    const double all =
        swept_slots(s, link) * kinds[s->counted].sent_share(link) * each / pace->per_s;
    return s->sweep.max_seconds > 0.0 ? fmin(all, s->sweep.max_seconds) : all;
}

/*
 * Paced slots, or those that show that it is too slow; then slots by stages, which take longer than
 * fused ones, and inversions alone; each detector by itself; the carriers.
 */
static double deadline_s(const lte_scenario *s, const lte_link *link, const lte_pace *pace)
{
    enum { SHOWN_SLOTS = 64, FEWEST_PERIODS = 40 };
    const double alone_s = 0.5; /* of a detector by itself, if that has the fewest periods */
    const double unfused = 1.5;
    const lte_operations o = lte_operations_of(link, s->deadline.detector);
    const double made = (o.draws + o.channel) / pace->per_s * s->deadline.distinct;
    const double work = (o.estimation + of_detector(link, s->deadline.detector)) / pace->per_s *
                        s->deadline.carriers;
    const double stages = fmin(s->deadline.slots, LTE_MOST_REPEATS) *
                          (unfused * work + o.inversion / pace->per_s * s->deadline.carriers);
    const double row = fmax(FEWEST_PERIODS * work, fmin(alone_s, work * s->deadline.slots));
    const double back_to_back = s->n_detectors > 1 ? s->n_detectors * row : 0.0;
    const double found = 0.7 * lte_capacity_s(s); /* fewer trials than there is time for */
    const double each = s->deadline.paced ? LTE_SLOT_S : work;
    const double shown = fmin(fmax(SHOWN_SLOTS, s->deadline.distinct), LTE_OVERLOAD_MOST);
    const double slots = work > LTE_SLOT_S ? shown * work : s->deadline.slots * each;
    const double rows = s->deadline.n_in_turn > 0
                            ? s->deadline.n_in_turn * fmax(each, work) * s->deadline.slots
                            : back_to_back;
    return made + slots + stages + rows + found;
}

lte_status lte_expected_seconds(const lte_scenario *scenario, const lte_pace *pace, double *seconds)
{
    const lte_scenario *s = scenario;
    lte_status status = LTE_OK;
    *seconds = pictures_s;
    for (int i = 0; i < s->n_csi && !status; i++) {
        float factor[LTE_MAX_CORRELATION * LTE_MAX_CORRELATION];
        lte_estimator estimator;
        lte_link link;
        status = lte_scenario_outline(s, s->csi[i], factor, &estimator, &link);
        if (!status)
            *seconds += sweep_s(s, &link, pace) * (s->code.n_mcs > 1 ? s->code.n_mcs : 1);
        if (!status && s->csi[i] == s->deadline.csi && !lte_scenario_is_list(s))
            *seconds += deadline_s(s, &link, pace);
        lte_estimator_free(&estimator);
    }
    return status;
}

/* The seconds of a try of so many slots. */
static lte_status try_slots(const lte_slot_trial *trial, int n_slots, lte_power *power,
                            uint32_t *errors, double *seconds)
{
    const lte_sweep_ops *sweep = trial->backend->sweep;
    const lte_noise noise = lte_noise_of(trial->link->n_tx, pow(10.0, LTE_TRIED_SNR_DB / 10.0));
    const double before = lte_seconds();
    lte_status status = sweep->start(trial->engine, noise, trial->detectors, trial->n_detectors, 0,
                                     n_slots, power, errors);
    if (!status)
        status = sweep->wait(trial->engine);
    *seconds = lte_seconds() - before;
    return status;
}

lte_status lte_slot_seconds(const lte_slot_trial *trial, int *n_slots, double *seconds)
{
    static const double long_s = 1.0; /* a try that is as long is not made: a part of it will do */
    const double began = lte_seconds();
    lte_status status = LTE_OK;
    int all, most;
    double spent;
    trial->backend->sweep->sizes(trial->engine, &all, &most);
    const lte_link *link = trial->link;
    const size_t n_counts = (size_t)lte_counts_at(link->output.n_counts, all * trial->n_detectors);
    lte_power *power = malloc((size_t)all * sizeof *power);
    uint32_t *errors = malloc(n_counts * sizeof *errors);
    if (!power || !errors)
        status = LTE_FAIL(LTE_ENOMEM, "no memory %s", trial->purpose);
    const int together = lte_slots_together(link), group = together > 2 ? together : 2;
    const int few = (trial->backend->threads(trial->engine) + group - 1) / group * group;
    *n_slots = few < all ? few : all;
    *seconds = INFINITY;
    if (!status)
        status = try_slots(trial, *n_slots, power, errors, &spent);
    if (!status && spent * all > long_s * *n_slots) {
        *seconds = spent / *n_slots;
        goto done;
    }
    *n_slots = all;
    for (int i = 0; !status && (i < trial->tries || lte_seconds() - began < trial->seconds); i++) {
        status = try_slots(trial, all, power, errors, &spent);
        *seconds = fmin(*seconds, spent / all);
    }
done:
    free(power);
    free(errors);
    return status;
}

lte_status lte_pace_measure(lte_pace *pace)
{
    enum { N_SC = 1200, N_ANTENNAS = 4, N_BITS = 4, N_DETECTORS = 2 };
    const lte_detector detectors[N_DETECTORS] = {lte_detector_usual(LTE_DETECTOR_zf),
                                                 lte_detector_usual(LTE_DETECTOR_mmse)};
    const lte_engine_options options = {0};
    const lte_backend *backend = NULL;
    lte_engine *engine = NULL;
    lte_link link;
    int device, n_slots;
    double seconds;
    lte_status status = lte_backend_open("cpu", &backend, &device);
    if (!status)
        status = lte_link_init(&link, N_SC, N_ANTENNAS, N_ANTENNAS, N_BITS, LTE_CHANNEL_rayleigh,
                               LTE_INVERTER_ldl, 1);
    if (!status)
        status = backend->create(backend, &link, &options, &engine);
    if (!status)
        status = lte_slot_seconds(&(lte_slot_trial){backend, engine, &link, detectors, N_DETECTORS,
                                                    1, 0.05, "to measure the pace of this machine"},
                                  &n_slots, &seconds);
    if (!status) {
        const lte_operations o = lte_operations_of(&link, detectors[1]);
        pace->per_s =
            (o.draws + o.channel + N_DETECTORS * (o.gram + o.inversion + o.filter + o.detection)) /
            seconds;
    }
    if (backend)
        backend->free(engine);
    return status;
}
