/* The link: its sizes, its channel, what its receiver knows. */
#include "kernels/link/link.h"

#include <math.h>
#include <stdbool.h>

#include "kernels/link/channel_range.h"
#include "kernels/link/inversion_rows.h"
#include "kernels/link/layouts.h"
#include "kernels/link/transport_code.h"
#include "phy/estimation/csi.h"

lte_status lte_inverter_takes(const lte_inverter *inverter, int n_tx)
{
    return n_tx >= 1 && n_tx <= inverter->max_order
               ? LTE_OK
               : LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d with inverter %s)", n_tx,
                          inverter->max_order, inverter->name);
}

lte_detector_plan lte_link_plan(const lte_link *link, lte_detector detector, unsigned asked)
{
    lte_detector_plan plan = lte_detector_plan_of(detector, link->n_rx, link->n_tx, link->n_bits,
                                                  (asked & LTE_GIVES_LLRS) != 0);
    plan.demapper = lte_detector_demapper(detector, link->output.demapper);
    return plan;
}

/* Makes room for a detector, with the SINR. */
static void make_room(lte_link *link, lte_detector detector)
{
    const lte_detector_plan plan = lte_link_plan(link, detector, LTE_GIVES_LLRS);
    const lte_detector_row *row = lte_detector_row_of(detector);
    const int n_state = row->state(&plan), n_work = row->work(&plan);
    link->receiver.n_state = n_state > link->receiver.n_state ? n_state : link->receiver.n_state;
    link->receiver.n_work = n_work > link->receiver.n_work ? n_work : link->receiver.n_work;
    link->receiver.searches = link->receiver.searches || detector.id >= LTE_N_ESTIMATING_DETECTORS;
}

lte_status lte_link_set_detectors(lte_link *link, const lte_detector *detectors, int n_detectors)
{
    for (int d = 0; d < n_detectors; d++) {
        const lte_detector_plan plan = lte_link_plan(link, detectors[d], link->output.asked);
        if (lte_detector_takes(&plan))
            return LTE_EINVAL;
    }
    link->receiver.n_state = link->receiver.n_work = 0;
    link->receiver.searches = false;
    for (int d = 0; d < n_detectors; d++)
        make_room(link, detectors[d]);
    return LTE_OK;
}

/* Draws of a channel, and of payload and noise. */
static void set_channel(lte_link *link, int channel, uint64_t seed)
{
    link->channel =
        (lte_channel_part){.model = channel,
                           .n_h = 1,
                           .doppler = lte_doppler_of(0.0, 1),
                           .hold_slots = 1,
                           .draws = lte_draws_of(seed, link->n_rx, link->n_tx, link->n_bits)};
    if (channel != LTE_NO_CHANNEL)
        link->channel.profile = lte_profile_of(channel);
}

lte_status lte_link_init_given(lte_link *link, int n_sc, int n_rx, int n_tx, int n_bits,
                               int inverter)
{
    if (n_sc < 1)
        return LTE_FAIL(LTE_EINVAL, "n_sc=%d (1 or more)", n_sc);
    if (n_tx < 1 || n_tx > LTE_MAX_TX)
        return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d)", n_tx, LTE_MAX_TX);
    if (n_rx < n_tx || n_rx > LTE_MAX_RX)
        return LTE_FAIL(LTE_EINVAL, "n_rx=%d (n_tx=%d to %d)", n_rx, n_tx, LTE_MAX_RX);
    if (!lte_modulation_of(n_bits))
        return LTE_FAIL(LTE_EINVAL, "n_bits=%d (2, 4, .. %d)", n_bits, LTE_MAX_BITS);
    if (inverter < 0 || inverter >= LTE_N_INVERTERS)
        return LTE_FAIL(LTE_EINVAL, "inverter=%d (0 to %d)", inverter, LTE_N_INVERTERS - 1);
    if (lte_inverter_takes(&lte_inverter_rows[inverter], n_tx))
        return LTE_EINVAL;
    *link = (lte_link){.n_rx = n_rx, .n_tx = n_tx, .n_bits = n_bits};
    link->carrier =
        (lte_carrier_part){.n_sc = n_sc,
                           .n_groups = (n_sc + LTE_LANES - 1) / LTE_LANES,
                           .grid = lte_grid_of(&(lte_grid_plan){.kind = LTE_GRID_full})};
    link->receiver.inverter = inverter;
    link->receiver.inversion = LTE_INVERSION_FAST;
    link->output.counted = LTE_COUNTED_BITS;
    link->output.asked = LTE_GIVES_LABELS;
    link->output.n_counts = LTE_N_HARD_COUNTS(n_tx);
    set_channel(link, LTE_NO_CHANNEL, 0);
    lte_link_set_perfect_csi(link);
    for (int id = 0; id < LTE_N_DETECTORS; id++)
        make_room(link, lte_detector_usual(id));
    return LTE_OK;
}

lte_status lte_link_init(lte_link *link, int n_sc, int n_rx, int n_tx, int n_bits, int channel,
                         int inverter, uint64_t seed)
{
    if (channel < 0 || channel >= LTE_N_CHANNELS)
        return LTE_FAIL(LTE_EINVAL, "channel=%d (0 to %d)", channel, LTE_N_CHANNELS - 1);
    const lte_status status = lte_link_init_given(link, n_sc, n_rx, n_tx, n_bits, inverter);
    if (!status && lte_channel_rows[channel].square && n_rx != n_tx)
        return LTE_FAIL(LTE_EINVAL, "n_rx=%d (n_tx=%d in channel %s)", n_rx, n_tx,
                        lte_channel_rows[channel].name);
    if (!status)
        set_channel(link, channel, seed);
    return status;
}

void lte_link_hold_channel(lte_link *link, int hold_slots)
{
    link->channel.hold_slots = hold_slots;
}

lte_status lte_link_set_doppler(lte_link *link, double doppler_hz, int drop_slots)
{
    if (link->channel.model == LTE_NO_CHANNEL)
        return LTE_FAIL(LTE_EINVAL, "the link has no channel");
    const lte_channel_row *row = &lte_channel_rows[link->channel.model];
    if (row->not_moved)
        return LTE_FAIL(LTE_EINVAL, "channel %s %s", row->name, row->not_moved);
    if (!(doppler_hz >= LTE_MIN_DOPPLER_HZ && doppler_hz <= LTE_MAX_DOPPLER_HZ))
        return LTE_FAIL(LTE_EINVAL, "doppler_hz=%g (%g to %g)", doppler_hz, LTE_MIN_DOPPLER_HZ,
                        LTE_MAX_DOPPLER_HZ);
    if (drop_slots < 1 || drop_slots > LTE_MAX_DROP_SLOTS)
        return LTE_FAIL(LTE_EINVAL, "drop_slots=%d (1 to %d)", drop_slots, LTE_MAX_DROP_SLOTS);
    const lte_doppler doppler = lte_doppler_of(doppler_hz, drop_slots);
    const uint64_t taps =
        (uint64_t)link->channel.profile.n_taps * (uint64_t)(link->n_rx * link->n_tx);
    /* phy/channel/draws.h has 32 bits for them */
    if (taps << doppler.sinusoid_bits > (uint64_t)1 << 32)
        return LTE_FAIL(LTE_EINVAL,
                        "doppler_hz=%g, drop_slots=%d: the %u sinusoids for each tap of %d by %d "
                        "antennas are more than 2^32 in all; use a smaller drop_slots",
                        doppler_hz, drop_slots, 1u << doppler.sinusoid_bits, link->n_rx,
                        link->n_tx);
    link->channel.doppler = doppler;
    link->channel.n_h = link->receiver.n_csi = LTE_SLOT_SYMBOLS;
    return LTE_OK;
}

void lte_link_set_perfect_csi(lte_link *link)
{
    link->receiver.csi = LTE_CSI_perfect;
    link->receiver.n_csi = link->channel.n_h;
    link->receiver.pilot = -1;
    link->receiver.noise_known = true;
    link->receiver.estimator = (lte_estimator){0};
    link->receiver.pilots = 1;
}

void lte_link_estimate(lte_link *link, int csi, bool noise_known, lte_estimator estimator)
{
    link->receiver.csi = csi;
    link->receiver.n_csi = 1;
    link->receiver.pilot = lte_csi_rows[csi].pilot;
    link->receiver.noise_known = noise_known;
    link->receiver.estimator = estimator;
    link->receiver.pilots = 1;
}

lte_status lte_link_set_dmrs_symbols(lte_link *link, int pilots)
{
    if (pilots != 1 && pilots != LTE_SUBFRAME_PILOTS)
        return LTE_FAIL(LTE_EINVAL, "pilots=%d (1 or %d)", pilots, LTE_SUBFRAME_PILOTS);
    if (!lte_link_estimates(link))
        return pilots == 1
                   ? LTE_OK
                   : LTE_FAIL(LTE_EINVAL,
                              "pilots=2 with a receiver that does not use reference symbols");
    if (pilots > 1 && link->channel.doppler.turns == 0)
        return LTE_FAIL(LTE_EINVAL, "pilots=2 on a channel without Doppler");
    if (pilots > 1 && link->channel.doppler.drop_slots % 2 != 0)
        return LTE_FAIL(LTE_EINVAL, "pilots=2 with drop_slots=%u: drop_slots must be even",
                        link->channel.doppler.drop_slots);
    link->receiver.pilots = pilots;
    link->receiver.n_csi = pilots > 1 ? LTE_SLOT_SYMBOLS : 1;
    for (int odd = 0; odd < LTE_SUBFRAME_PILOTS && pilots > 1; odd++)
        link->receiver.lags[odd] = lte_pilot_lags_of(&link->channel.doppler, odd);
    return LTE_OK;
}

lte_status lte_link_set_inversion(lte_link *link, int inversion)
{
    if (inversion < 0 || inversion >= LTE_N_INVERSIONS)
        return LTE_FAIL(LTE_EINVAL, "inversion=%d (0 to %d)", inversion, LTE_N_INVERSIONS - 1);
    const lte_inversion_row *row = &lte_inversion_rows[inversion];
    const lte_inverter *inverter = &lte_inverter_rows[link->receiver.inverter];
    if (inversion != LTE_INVERSION_FAST && row->inverter != link->receiver.inverter)
        return LTE_FAIL(LTE_EINVAL, "inverter %s has no version %s", inverter->name, row->name);
    if (link->n_tx < row->min_order || link->n_tx > row->max_order)
        return LTE_FAIL(LTE_EINVAL, "%s takes orders %d to %d, not %d", row->name, row->min_order,
                        row->max_order, link->n_tx);
    link->receiver.inversion = inversion;
    return LTE_OK;
}

lte_status lte_link_set_llr_output(lte_link *link, const lte_output *output)
{
    const float scale = output->llr_scale;
    if (!(scale >= (float)LTE_LEAST_LLR_SCALE && scale <= (float)LTE_MOST_LLR_SCALE))
        return LTE_FAIL(LTE_EINVAL, "llr_scale=%g (%d to %d)", (double)scale, LTE_LEAST_LLR_SCALE,
                        LTE_MOST_LLR_SCALE);
    link->output = *output;
    link->output.counted = LTE_COUNTED_LLRS;
    link->output.asked = LTE_GIVES_LLRS;
    link->output.code = NULL;
    link->output.n_counts = LTE_N_LLR_COUNTS(link->n_tx, link->n_bits);
    return LTE_OK;
}

lte_status lte_link_set_transport_code(lte_link *link, const struct lte_code *code,
                                       const lte_output *output)
{
    const lte_status status = lte_link_set_llr_output(link, output);
    if (status)
        return status;
    link->output.counted = LTE_COUNTED_BLOCKS;
    link->output.code = code;
    link->output.n_counts = lte_n_coded_counts(link->n_tx, output->integer_losses);
    return LTE_OK;
}

int lte_data_symbols(const lte_link *link)
{
    return lte_link_estimates(link) ? LTE_SLOT_SYMBOLS - 1 : LTE_SLOT_SYMBOLS;
}

int lte_data_elements(const lte_link *link)
{
    lte_grid grid = link->carrier.grid;
    if (lte_link_estimates(link))
        grid.data[0][link->receiver.pilot] = grid.data[1][link->receiver.pilot] = 0;
    return lte_grid_elements(&grid, link->carrier.n_sc);
}

uint64_t lte_slot_bits(const lte_link *link)
{
    const int of_symbol = link->n_tx * link->n_bits; /* even */
    return (uint64_t)lte_data_elements(link) * (uint64_t)(of_symbol / 2);
}

lte_noise lte_effective_noise(const lte_link *link, lte_noise noise, int64_t residual)
{
    lte_noise known = noise;
    if (!link->receiver.noise_known)
        known.n0 = lte_estimator_noise(&link->receiver.estimator, residual);
    known.estimation_error =
        &link->receiver.estimator.estimation_error[(ptrdiff_t)lte_link_weights(link, known.n0) *
                                                   link->carrier.n_groups * LTE_LANES];
    return known;
}

int lte_link_matrices(const lte_link *link)
{
    const bool each = link->receiver.n_csi == LTE_SLOT_SYMBOLS; /* a symbol has one of its own */
    return link->carrier.n_sc * (each ? lte_data_symbols(link) : link->receiver.n_csi);
}

void lte_link_combine(const lte_link *link, uint64_t slot, lte_noise *noise, lte_combination *c)
{
    for (int l = 0; l < LTE_SLOT_SYMBOLS; l++)
        c[l] = lte_link_combination(link, noise->n0, slot, l);
    noise->combination = c;
}

/* Bytes of n elements of size bytes, in whole cache lines. */
static size_t lines(size_t n, size_t size)
{
    return (n * size + 63) / 64 * 64;
}

/* Of the widest instruction set. */
enum { LANES = LTE_LANES * sizeof(float), COMPLEX_LANES = 2 * LANES };

size_t lte_stage_work(const lte_link *link)
{
    const size_t n_rx = (size_t)link->n_rx, n_tx = (size_t)link->n_tx;
    const size_t n_labels = LTE_SLOT_SYMBOLS * n_tx;
    const size_t n_state = (size_t)link->receiver.n_state;
    const size_t n_gram = n_tx * n_tx, n_llrs = n_tx * (size_t)link->n_bits;
    const size_t n_matched =
        lte_link_estimates(link) ? n_tx * 2 * ((size_t)link->carrier.n_sc + LTE_LANES) : 0;
    const size_t n_unknowns = n_rx * (size_t)lte_unknowns_size(link);
    const size_t n_sums = (size_t)(link->receiver.pilots * lte_sums_size(link));
    return lines(n_sums, sizeof(float)) + lines(n_unknowns, sizeof(float)) +
           lines(lte_slot_taps(link), sizeof(lte_cf32)) + 2 * lines(n_labels, LANES) +
           ((size_t)link->channel.n_h * n_rx * n_tx + n_gram + n_state +
            (size_t)link->receiver.n_work + 2 * n_rx + 2 * n_tx) *
               COMPLEX_LANES +
           n_llrs * LANES + lines(n_matched, sizeof(float));
}

size_t lte_sweep_work(const lte_link *link, int n_detectors)
{
    const size_t n_rx = (size_t)link->n_rx, n_tx = (size_t)link->n_tx, n = n_rx * n_tx;
    const size_t n_planes =
        lte_link_estimates(link) ? (size_t)(link->receiver.pilots * link->carrier.n_sc) : 0;
    const size_t n_known = lte_link_estimates(link) ? (size_t)link->receiver.n_csi : 0;
    const size_t n_counts = (size_t)lte_counts_at(link->output.n_counts, n_detectors);
    return lte_stage_work(link) + lines(n_rx * n_planes, sizeof(lte_cf32)) +
           lines(n * n_planes, sizeof(lte_cf32)) +
           (LTE_SLOT_SYMBOLS * n_rx + n_known * n) * COMPLEX_LANES + n_counts * LANES;
}

static lte_status set_stored(lte_link *link, const lte_cf32 *stored, uint64_t n_stored, int n_h)
{
    if (link->channel.model == LTE_NO_CHANNEL)
        return LTE_FAIL(LTE_EINVAL, "the link has no channel");
    const lte_channel_row *row = &lte_channel_rows[link->channel.model];
    if (row->fading != LTE_FADING_GIVEN)
        return LTE_FAIL(LTE_EINVAL, "channel %s is not read from a file", row->name);
    if (!stored || n_stored == 0)
        return LTE_FAIL(LTE_EINVAL, "a stored channel has no slot");
    if (n_h != 1 && n_h != LTE_SLOT_SYMBOLS)
        return LTE_FAIL(LTE_EINVAL, "n_h=%d (1 or %d)", n_h, LTE_SLOT_SYMBOLS);
    link->channel.stored = stored;
    link->channel.n_stored = n_stored;
    link->channel.n_h = link->receiver.n_csi = n_h;
    return LTE_OK;
}

lte_status lte_link_set_known_channel_data(lte_link *link, const lte_cf32 *stored,
                                           uint64_t n_stored, int n_h, bool wide)
{
    const lte_status status = set_stored(link, stored, n_stored, n_h);
    if (!status)
        link->channel.wide = wide;
    return status;
}

lte_status lte_link_set_channel_data(lte_link *link, const lte_cf32 *stored, uint64_t n_stored,
                                     int n_h)
{
    const lte_status status = set_stored(link, stored, n_stored, n_h);
    bool moderate = true;
    for (uint64_t slot = 0; !status && moderate && slot < n_stored; slot++)
        moderate = lte_planes_moderate(link, n_h, lte_stored_planes(link, slot), LTE_LEAST_RANGE);
    if (!status)
        link->channel.wide = !moderate;
    return status;
}

lte_noise lte_noise_of(int n_tx, double snr)
{
    lte_noise noise;
    noise.n0 = (float)(n_tx / snr);
    noise.sigma = sqrtf(noise.n0);
    noise.estimation_error = NULL;
    noise.combination = NULL;
    return noise;
}

size_t lte_slot_taps(const lte_link *link)
{
    return (size_t)link->channel.n_h * (size_t)link->channel.profile.n_taps * (size_t)link->n_rx *
           (size_t)link->n_tx;
}

size_t lte_packed_row(const lte_link *link)
{
    return ((size_t)link->carrier.n_sc * (size_t)(link->n_tx * link->n_bits) + 7) / 8;
}

size_t lte_output_row(const lte_link *link)
{
    const size_t llrs = (size_t)link->n_tx * (size_t)(link->n_bits * link->carrier.n_sc);
    const size_t row[LTE_N_COUNTED] = {lte_packed_row(link), llrs, llrs};
    return row[link->output.counted];
}
