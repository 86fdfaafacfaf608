/* What must hold between the keys of a scenario. */
#include "sim/scenario/reader.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "phy/channel/channels.h"
#include "phy/estimation/csi.h"
#include "phy/channel/profile.h"
#include "phy/estimation/pilot_combination.h"
#include "sim/files/refuse.h"
#include "kernels/link/inversion_rows.h"
#include "sim/scenario/described_link.h"

static const char *clash(const lte_scenario_reading *reading, const lte_scenario_key *keys, int n)
{
    return lte_scenario_clash(reading, keys, n);
}

static bool is_given(const lte_channel_row *row)
{
    return row->fading == LTE_FADING_GIVEN;
}

static bool is_moved(const lte_channel_row *row)
{
    return !row->not_moved;
}

/* Name i of n as part of a sentence: "a, b and c". */
static void append(char *text, size_t size, int i, int n, const char *quote, const char *name)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s%s%s%s",
                   i == 0      ? ""
                   : i < n - 1 ? ", "
                               : " and ",
                   quote, name, quote);
}

/* The channels that are so. */
static const char *list_channels(bool (*is_so)(const lte_channel_row *row), const char *quote,
                                 char *text, size_t size)
{
    int n = 0, listed = 0;
    for (int k = 0; k < LTE_N_CHANNELS; k++)
        n += is_so(&lte_channel_rows[k]);
    *text = '\0';
    for (int k = 0; k < LTE_N_CHANNELS; k++) {
        if (is_so(&lte_channel_rows[k]))
            append(text, size, listed++, n, quote, lte_channel_rows[k].name);
    }
    return text;
}

/* What a receiver knows that estimates nothing. */
static const char *list_known(char *text, size_t size)
{
    int n = 0, listed = 0;
    for (int k = 0; k < LTE_N_CSI; k++)
        n += !lte_csi_estimates(k);
    *text = '\0';
    for (int k = 0; k < LTE_N_CSI; k++) {
        if (!lte_csi_estimates(k))
            append(text, size, listed++, n, "\"", lte_csi_rows[k].name);
    }
    return text;
}

/* What the keys of channel.correlation make together. */
static lte_status correlate(const lte_scenario_reading *reading, lte_scenario *s)
{
    static const lte_scenario_key keys[] = {LTE_KEY_LEVEL, LTE_KEY_ALPHA,   LTE_KEY_BETA,
                                            LTE_KEY_LINK,  LTE_KEY_VARIANT, LTE_KEY_TX,
                                            LTE_KEY_RX,    LTE_KEY_CHANNEL};
    const lte_channel_row *row = &lte_channel_rows[s->channel];
    lte_scenario_correlation *c = &s->correlation;
    const bool level = reading->given[LTE_KEY_LEVEL], alpha = reading->given[LTE_KEY_ALPHA];
    const bool beta = reading->given[LTE_KEY_BETA];
    const bool rest = reading->given[LTE_KEY_LINK] || reading->given[LTE_KEY_VARIANT];
    c->given = level || alpha || beta;
    if (!reading->given[LTE_KEY_LINK])
        c->link = s->code.link;
    if (!c->given && !rest)
        return LTE_OK;
    if (!c->given || (level && (alpha || beta)) || alpha != beta)
        return lte_refuse("%s: channel.correlation: must have either level or both alpha and beta",
                          clash(reading, keys, 5));
    if (!lte_correlation_is_defined(s->n_rx) || !lte_correlation_is_defined(s->n_tx))
        return lte_refuse("%s: channel.correlation: antennas.tx = %d, antennas.rx = %d: it is "
                          "defined for 1, 2, 4 and 8 antennas",
                          clash(reading, keys, 7), s->n_tx, s->n_rx);
    if (level && c->level != LTE_CORRELATION_low && c->variant == 0 &&
        (s->n_rx == 8 || s->n_tx == 8))
        return lte_refuse(
            "%s: channel.correlation.level = \"%s\": it has no published adjustment for 8 "
            "antennas; variant = \"kron\" needs none",
            clash(reading, keys, 7), lte_level_names[c->level].name);
    if (row->not_correlated)
        return lte_refuse("%s: channel.correlation: channel.model \"%s\" %s",
                          clash(reading, keys, 8), row->name, row->not_correlated);
    if (level)
        return lte_correlation_of(c->level, c->link == 1, c->variant == 0, s->n_rx, s->n_tx,
                                  &c->matrix);
    c->matrix.alpha = c->alpha;
    c->matrix.beta = c->beta;
    c->matrix.uplink = c->link == 1;
    return LTE_OK;
}

/* Reads the channels, if they come from a file. */
static lte_status read_channels(const lte_scenario_reading *reading, lte_scenario *s)
{
    static const lte_scenario_key keys[] = {LTE_KEY_FILE, LTE_KEY_CHANNEL};
    static const lte_scenario_key allocation[] = {LTE_KEY_ALLOCATION, LTE_KEY_FILE};
    const bool given = reading->given[LTE_KEY_FILE],
               wanted = is_given(&lte_channel_rows[s->channel]);
    char who[800];
    if (wanted && !given)
        return lte_refuse("%s: channel.file is missing; channel.model \"%s\" needs the name of an "
                          "HDF5 file",
                          clash(reading, keys, 2), lte_channel_rows[s->channel].name);
    if (given && !wanted)
        return lte_refuse("%s: channel.file needs channel.model = %s", clash(reading, keys, 2),
                          list_channels(is_given, "\"", who, sizeof who));
    if (!wanted)
        return LTE_OK;
    if (s->n_rb < lte_carrier_find(s->bandwidth_mhz)->n_rb)
        return lte_refuse(
            "%s: carrier.allocation = [ %d, %d ]: the channels of a file are those of "
            "a whole carrier",
            clash(reading, allocation, 2), s->first_rb, s->n_rb);
    (void)snprintf(who, sizeof who, "%s: channel.file = \"%.300s\"",
                   reading->place[LTE_KEY_FILE].text, s->file);
    const uint64_t distinct = (uint64_t)s->deadline.distinct;
    const uint64_t most = s->sweep.max_slots > distinct ? s->sweep.max_slots : distinct;
    const lte_status status =
        lte_channel_file_read(s->file, who, s->n_rx, s->n_tx, s->n_sc, most, &s->stored);
    if (!status && !reading->given[LTE_KEY_DROP_SLOTS])
        s->drop_slots = s->stored.shape.drop_slots;
    return status;
}

/* Subcarriers that fade one by one, or not at all, do so with each subframe. */
static int default_fades(const lte_scenario *s)
{
    const lte_channel_row *row = &lte_channel_rows[s->channel];
    return row->fading == LTE_FADING_CONSTANT || row->subcarriers == LTE_SUBCARRIERS_INDEPENDENT
               ? LTE_FADES_TRANSMISSION
               : LTE_FADES_DROP;
}

static void default_drops(const lte_scenario_reading *reading)
{
    lte_scenario *s = reading->scenario;
    if (!reading->given[LTE_KEY_FADES])
        s->code.fades = default_fades(s);
    if (lte_scenario_rules_of[s->counted].default_drops)
        lte_scenario_rules_of[s->counted].default_drops(reading);
}

/* Rounds and sweep must be whole drops, and drops whole subframes of a code. */
static lte_status check_drops(const lte_scenario_reading *reading)
{
    static const lte_scenario_key keys[] = {LTE_KEY_DOPPLER, LTE_KEY_FILE, LTE_KEY_DROP_SLOTS,
                                            LTE_KEY_ROUND_SLOTS, LTE_KEY_MAX_SLOTS};
    const lte_scenario *s = reading->scenario;
    static const lte_scenario_key fades[] = {LTE_KEY_FADES, LTE_KEY_DOPPLER};
    const bool still = lte_scenario_stands_still(s);
    const bool moves = s->doppler_hz > 0.0 || s->stored.h || still;
    if (reading->given[LTE_KEY_FADES] && !lte_scenario_fades(s))
        return lte_refuse("%s: channel.fades = \"%s\": it needs a code, and a channel without "
                          "doppler_hz that comes from no file",
                          clash(reading, fades, 2), lte_fades_names[s->code.fades].name);
    const lte_scenario_rules *rules = &lte_scenario_rules_of[s->counted];
    if (rules->drops && rules->drops(reading))
        return LTE_EINVAL;
    if (moves && (s->sweep.round_slots % s->drop_slots != 0 ||
                  s->sweep.max_slots % (uint64_t)s->drop_slots != 0))
        return lte_refuse("%s: channel.drop_slots = %d, sweep.round_slots = %d, sweep.max_slots = "
                          "%llu: with %s, round_slots and max_slots must be multiples of "
                          "drop_slots",
                          clash(reading, keys, 5), s->drop_slots, s->sweep.round_slots,
                          (unsigned long long)s->sweep.max_slots,
                          s->stored.h ? "these channels"
                          : still     ? "a channel that stands still in a drop"
                                      : "doppler_hz");
    const lte_doppler doppler = lte_doppler_of(s->doppler_hz, s->drop_slots);
    const uint64_t taps =
        (uint64_t)lte_channel_rows[s->channel].taps.n * (uint64_t)(s->n_rx * s->n_tx);
    if (taps << doppler.sinusoid_bits > (uint64_t)1 << 32)
        return lte_refuse("%s: channel.drop_slots = %d, channel.doppler_hz = %g: the drop is "
                          "too long for %d by %d antennas: its %u sinusoids for each tap are more "
                          "than 2^32",
                          clash(reading, keys, 3), s->drop_slots, s->doppler_hz, s->n_rx, s->n_tx,
                          1u << doppler.sinusoid_bits);
    return LTE_OK;
}

/* What an estimate of the channel takes; perfect CSI fits everything. */
static lte_status check_csi(const lte_scenario_reading *reading)
{
    static const lte_scenario_key keys[] = {LTE_KEY_CSI, LTE_KEY_TX, LTE_KEY_CHANNEL,
                                            LTE_KEY_NOISE};
    static const lte_scenario_key chosen[] = {LTE_KEY_CSI, LTE_KEY_DEADLINE_CSI};
    static const lte_scenario_key antennas[] = {LTE_KEY_CSI, LTE_KEY_RX};
    const lte_scenario *s = reading->scenario;
    const lte_channel_row *channel = &lte_channel_rows[s->channel];
    const bool independent = channel->subcarriers == LTE_SUBCARRIERS_INDEPENDENT;
    char known[128];
    if (!lte_scenario_has_csi(s, s->deadline.csi))
        return lte_refuse("%s: deadline.csi = \"%s\": must be one of csi",
                          clash(reading, chosen, 2), lte_csi_rows[s->deadline.csi].name);
    for (int i = 0; i < s->n_csi; i++) {
        const lte_csi_row *csi = &lte_csi_rows[s->csi[i]];
        if (!lte_csi_estimates(s->csi[i]))
            continue;
        if (s->n_tx > csi->max_tx)
            return lte_refuse("%s: antennas.tx = %d, csi = \"%s\": reference signals "
                              "exist for 1 to %d layers; more layers need %s",
                              clash(reading, keys, 2), s->n_tx, csi->name, csi->max_tx,
                              list_known(known, sizeof known));
        if (s->n_rx > csi->max_rx)
            return lte_refuse("%s: antennas.rx = %d, csi = \"%s\": it estimates up to %d "
                              "receive antennas; more need %s",
                              clash(reading, antennas, 2), s->n_rx, csi->name, csi->max_rx,
                              list_known(known, sizeof known));
        if (independent && s->n_tx > 1)
            return lte_refuse("%s: channel.model = \"%s\", antennas.tx = %d, csi = "
                              "\"%s\": its subcarriers fade independently, so no estimate can "
                              "separate the layers; use another model, one layer, or csi %s",
                              clash(reading, keys, 3), channel->name, s->n_tx, csi->name,
                              list_known(known, sizeof known));
        if (independent && s->noise == 0)
            return lte_refuse("%s: channel.model = \"%s\", csi = \"%s\", noise = "
                              "\"estimated\": its subcarriers fade independently, so an estimate "
                              "leaves no residual to measure the noise; noise must be \"known\"",
                              clash(reading, keys, 4), channel->name, csi->name);
    }
    return LTE_OK;
}

/* By default both reference symbols of a subframe where they may be and something is estimated. */
static int default_references(const lte_scenario *s)
{
    return lte_scenario_estimates(s) && s->doppler_hz > 0.0 &&
                   s->drop_slots % LTE_SUBFRAME_PILOTS == 0 &&
                   s->deadline.distinct % LTE_SUBFRAME_PILOTS == 0
               ? LTE_SUBFRAME_PILOTS
               : 1;
}

/* Both reference symbols of a subframe tell more where taps move, by a Doppler that is known. */
static lte_status check_references(const lte_scenario_reading *reading)
{
    static const lte_scenario_key keys[] = {LTE_KEY_REFERENCES, LTE_KEY_DOPPLER,
                                            LTE_KEY_DROP_SLOTS};
    static const lte_scenario_key of_deadline[] = {LTE_KEY_REFERENCES, LTE_KEY_DISTINCT};
    lte_scenario *s = reading->scenario;
    if (!reading->given[LTE_KEY_REFERENCES])
        s->csi_references = default_references(s);
    if (s->csi_references < LTE_SUBFRAME_PILOTS)
        return LTE_OK;
    if (!(s->doppler_hz > 0.0))
        return lte_refuse("%s: csi_references = %d: it needs channel.doppler_hz, by which the "
                          "estimates of two slots are combined",
                          clash(reading, keys, 2), s->csi_references);
    if (s->drop_slots % LTE_SUBFRAME_PILOTS != 0)
        return lte_refuse("%s: csi_references = %d, channel.drop_slots = %d: both slots of a "
                          "subframe must be in one drop: drop_slots must be even",
                          clash(reading, keys, 3), s->csi_references, s->drop_slots);
    if (s->deadline.distinct % LTE_SUBFRAME_PILOTS != 0)
        return lte_refuse(
            "%s: csi_references = %d, deadline.distinct = %d: the slots come in whole "
            "subframes: distinct must be even",
            clash(reading, of_deadline, 2), s->csi_references, s->deadline.distinct);
    return LTE_OK;
}

lte_status lte_scenario_check_layers(const lte_scenario_reading *reading,
                                     const lte_detector_row *detector, const lte_inverter *inverter)
{
    static const lte_scenario_key detect[] = {LTE_KEY_TX, LTE_KEY_DETECTORS};
    static const lte_scenario_key receive[] = {LTE_KEY_RX, LTE_KEY_DETECTORS};
    static const lte_scenario_key invert[] = {LTE_KEY_TX, LTE_KEY_INVERTER};
    const lte_scenario *s = reading->scenario;
    if (s->n_rx > detector->max_rx)
        return lte_refuse("%s: antennas.rx = %d, detectors = \"%s\": it takes 1 to %d receive "
                          "antennas",
                          clash(reading, receive, 2), s->n_rx, detector->name, detector->max_rx);
    if (s->n_tx > detector->max_tx)
        return lte_refuse("%s: antennas.tx = %d, detectors = \"%s\": it takes 1 to %d layers",
                          clash(reading, detect, 2), s->n_tx, detector->name, detector->max_tx);
    if (s->n_tx > inverter->max_order)
        return lte_refuse("%s: antennas.tx = %d, inverter = \"%s\": it takes orders 1 to %d",
                          clash(reading, invert, 2), s->n_tx, inverter->name, inverter->max_order);
    return LTE_OK;
}

/* Layers that the detectors and the inverter take. */
static lte_status check_layers(const lte_scenario_reading *reading)
{
    const lte_scenario *s = reading->scenario;
    lte_status status = LTE_OK;
    for (int i = 0; i < s->n_detectors && !status; i++)
        status = lte_scenario_check_layers(reading, lte_detector_row_of(s->detectors[i]),
                                           &lte_inverter_rows[s->inverter]);
    return status;
}

/* The version of the inverter, by its name: a device's, with the same bits as the others. */
static lte_status check_version(const lte_scenario_reading *reading)
{
    static const lte_scenario_key order[] = {LTE_KEY_TX, LTE_KEY_INVERTER, LTE_KEY_VERSION};
    lte_scenario *s = reading->scenario;
    const char *inverter = lte_inverter_rows[s->inverter].name;
    const char *names[LTE_N_INVERSIONS + 1] = {"fast"};
    int n = 1;
    if (!*reading->version)
        return LTE_OK;
    const int found = lte_inversion_named(s->inverter, reading->version);
    if (lte_inversion_named(s->inverter, "published") >= 0)
        names[n++] = "published";
    for (int i = 1; i < LTE_N_INVERSIONS; i++) {
        if (lte_inversion_rows[i].inverter == s->inverter)
            names[n++] = lte_inversion_rows[i].name;
    }
    const lte_names known = {names, sizeof *names, n};
    if (found < 0 && strcasecmp(reading->version, "published") == 0)
        return lte_refuse("%s: inverter.version = \"published\": %s has no published version",
                          clash(reading, &order[1], 2), inverter);
    if (found < 0) {
        char path[64];
        (void)snprintf(path, sizeof path, "inverter.version of %s", inverter);
        return lte_scenario_refuse_name(&reading->place[LTE_KEY_VERSION], path, "version",
                                        reading->version, &known);
    }
    const lte_inversion_row *row = &lte_inversion_rows[found];
    if (s->n_tx < row->min_order || s->n_tx > row->max_order)
        return lte_refuse("%s: antennas.tx = %d, inverter.version = \"%s\": it takes orders %d to "
                          "%d",
                          clash(reading, order, 3), s->n_tx, reading->version, row->min_order,
                          row->max_order);
    s->inversion = found;
    return LTE_OK;
}

/* What must hold between the keys of sizes, motion, sweep and detectors. */
static lte_status check_keys(const lte_scenario_reading *reading, const char *path, int n_lines)
{
    const lte_scenario *s = reading->scenario;
    const lte_channel_row *channel = &lte_channel_rows[s->channel];
    char moved[256];
    static const lte_scenario_key allocation[] = {LTE_KEY_ALLOCATION, LTE_KEY_BANDWIDTH};
    static const lte_scenario_key sizes[] = {LTE_KEY_TX, LTE_KEY_RX, LTE_KEY_CHANNEL};
    static const lte_scenario_key motion[] = {LTE_KEY_DOPPLER, LTE_KEY_CHANNEL};
    static const lte_scenario_key slots[] = {LTE_KEY_MIN_SLOTS, LTE_KEY_MAX_SLOTS};
    static const lte_scenario_key search[] = {LTE_KEY_TARGET_BER, LTE_KEY_TARGET_THROUGHPUT,
                                              LTE_KEY_TARGET_RATE, LTE_KEY_SNR_GRID,
                                              LTE_KEY_SNR_POINTS};
    static const lte_scenario_key chosen[] = {LTE_KEY_DETECTORS, LTE_KEY_DEADLINE_DETECTOR};
    for (int i = 0; i < LTE_N_KEYS; i++) {
        lte_scenario_key key = (lte_scenario_key)i;
        char range[256];
        if (lte_scenario_key_required(key) && !reading->given[key])
            return lte_refuse(
                "%s: %s is missing; it must be %s", lte_scenario_place_file(path, n_lines).text,
                lte_scenario_key_path(key), lte_scenario_key_range(key, range, sizeof range));
    }
    const int n_rb = lte_carrier_find(s->bandwidth_mhz)->n_rb;
    if (s->first_rb + s->n_rb > n_rb)
        return lte_refuse(
            "%s: carrier.allocation = [ %d, %d ]: the carrier has resource blocks 0 to "
            "%d",
            clash(reading, allocation, 2), s->first_rb, s->n_rb, n_rb - 1);
    if (s->n_tx > s->n_rx)
        return lte_refuse("%s: antennas.tx = %d, antennas.rx = %d: tx must be at most rx",
                          clash(reading, sizes, 2), s->n_tx, s->n_rx);
    if (channel->square && s->n_tx != s->n_rx)
        return lte_refuse("%s: antennas.tx = %d, antennas.rx = %d: channel.model \"%s\" needs "
                          "tx = rx",
                          clash(reading, sizes, 3), s->n_tx, s->n_rx, channel->name);
    if (s->doppler_hz > 0.0 && channel->not_moved)
        return lte_refuse("%s: channel.doppler_hz = %g: channel.model \"%s\" %s; %s do",
                          clash(reading, motion, 2), s->doppler_hz, channel->name,
                          channel->not_moved, list_channels(is_moved, "", moved, sizeof moved));
    if (s->sweep.min_slots > s->sweep.max_slots)
        return lte_refuse("%s: sweep.min_slots = %llu, sweep.max_slots = %llu: min_slots must be "
                          "at most max_slots",
                          clash(reading, slots, 2), (unsigned long long)s->sweep.min_slots,
                          (unsigned long long)s->sweep.max_slots);
    const lte_target target = lte_scenario_target(s);
    if (target.seeks && s->sweep.n_snr < 2)
        return lte_refuse("%s: sweep.%s = %g: the SNR is searched between the points of the "
                          "sweep, which must have at least two",
                          clash(reading, search, 5), target.key, target.value);
    const char *const plugin = s->deadline.plugin;
    if (*plugin && !lte_scenario_find_plugin(reading->scenario)) {
        const lte_names known = LTE_NAMES(lte_detector_rows);
        return lte_scenario_refuse_name(&reading->place[LTE_KEY_DEADLINE_DETECTOR],
                                        "deadline.detector", "detector", plugin, &known);
    }
    static const lte_scenario_key in_turn[] = {LTE_KEY_DETECTORS, LTE_KEY_DEADLINE_DETECTORS};
    const char *const other = lte_scenario_find_in_turn(reading->scenario);
    if (other)
        return lte_refuse("%s: deadline.detectors: \"%s\": must be of detectors, and listed once",
                          clash(reading, in_turn, 2), other);
    for (int i = 0; i < s->n_detectors; i++) {
        if (lte_detector_compare(s->detectors[i], s->deadline.detector) == 0)
            return LTE_OK;
    }
    return lte_refuse("%s: deadline.detector = \"%s\": must be one of detectors",
                      clash(reading, chosen, 2), lte_detector_named(s->deadline.detector).text);
}

lte_status lte_scenario_check(lte_scenario_reading *reading, const char *path, int n_lines)
{
    lte_status status = lte_scenario_check_mcs(reading); /* first: the modulation follows from it */
    if (!status)
        status = check_keys(reading, path, n_lines);
    if (!status)
        status = check_layers(reading);
    if (!status)
        status = lte_scenario_rules_of[reading->scenario->counted].output(reading);
    if (!status)
        status = check_version(reading);
    if (!status)
        status = check_csi(reading);
    if (!status)
        status = lte_scenario_rules_of[reading->scenario->counted].code(reading);
    if (!status)
        status = check_references(reading);
    if (!status)
        status = correlate(reading, reading->scenario);
    if (!status)
        status = read_channels(reading, reading->scenario);
    if (status)
        return status;
    default_drops(reading);
    return check_drops(reading);
}
