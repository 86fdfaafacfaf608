/* The keys of a scenario: what each takes, and how it is read. */
#include "sim/scenario/reader.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "phy/base/carrier.h"
#include "phy/coding/rate_matching.h"
#include "phy/channel/channels.h"
#include "phy/estimation/csi.h"
#include "phy/base/limits.h"
#include "phy/channel/profile.h"
#include "phy/estimation/pilot_combination.h"
#include "sim/files/refuse.h"

/* SNR in dB. */
enum { DB_MIN = -30, DB_MAX = 60 };
static const double db_step_min = 0.01;

/* A value on its way into the scenario. */
typedef struct {
    lte_scenario_key key;
    const config_setting_t *setting;
    const lte_scenario_place *place;
    lte_scenario *scenario;
    char *version;      /* of the reading */
    const char *folder; /* that names of files are sought from */
} key_value;

typedef struct {
    const char *path;
    lte_status (*read)(const key_value *v);
    size_t offset;      /* of the member of lte_scenario */
    long long min, max; /* integers */
    double low, high;   /* reals */
    lte_names names;
    const char *kind;  /* of names: what they are names of, "channel" */
    const char *range; /* where it does not follow from the above */
    bool above, below; /* reals: without these ends */
    bool required;
} entry;

static const entry entries[LTE_N_KEYS];

static void *member(const key_value *v)
{
    return (char *)v->scenario + entries[v->key].offset;
}

/* ---- what is allowed ---- */

const char *lte_scenario_key_path(lte_scenario_key key)
{
    return entries[key].path;
}

bool lte_scenario_key_required(lte_scenario_key key)
{
    return entries[key].required;
}

const char *lte_scenario_key_range(lte_scenario_key key, char *text, size_t size)
{
    const entry *e = &entries[key];
    if (key == LTE_KEY_BANDWIDTH) {
        (void)snprintf(text, size, "a bandwidth in MHz:");
        for (int i = 0; i < LTE_N_CARRIERS; i++) {
            size_t used = strlen(text);
            (void)snprintf(text + used, size - used, "%s %g", i ? "," : "",
                           lte_carriers[i].bandwidth_mhz);
        }
    } else if (key == LTE_KEY_BACKEND) {
        (void)snprintf(text, size, "a string, one of %s", lte_backend_names());
    } else if (e->names.n > 0) {
        (void)snprintf(text, size, "%s ", e->range);
        lte_scenario_append_names(text, size, &e->names);
    } else if (e->range) {
        (void)snprintf(text, size, "%s", e->range);
    } else {
        (void)snprintf(text, size, "an integer, %lld to %lld", e->min, e->max);
    }
    return text;
}

/* ---- one reader for each kind of value ---- */

static lte_status refuse_value(const key_value *v)
{
    char value[512], range[512];
    lte_scenario_show_value(v->setting, value, sizeof value);
    return lte_refuse("%s: %s = %s: must be %s", v->place->text, entries[v->key].path, value,
                      lte_scenario_key_range(v->key, range, sizeof range));
}

/* A string that is none of the names. */
static lte_status refuse_name(const key_value *v, const char *name)
{
    const entry *e = &entries[v->key];
    return lte_scenario_refuse_name(v->place, e->path, e->kind, name, &e->names);
}

static lte_status read_int(const key_value *v)
{
    const entry *e = &entries[v->key];
    long long x = 0;
    if (!lte_scenario_integer(v->setting, &x) || x < e->min || x > e->max)
        return refuse_value(v);
    *(int *)member(v) = (int)x;
    return LTE_OK;
}

/* A number, or a list of at most n of them, into x; *given gets how many. */
static lte_status read_ints(const key_value *v, int n, int *x, int *given)
{
    const entry *e = &entries[v->key];
    const bool is_list = lte_scenario_is_sequence(v->setting);
    *given = is_list ? config_setting_length(v->setting) : 1;
    if (*given < 1 || *given > n)
        return refuse_value(v);
    for (int i = 0; i < *given; i++) {
        long long one = 0;
        if (!lte_scenario_integer(
                is_list ? config_setting_get_elem(v->setting, (unsigned)i) : v->setting, &one) ||
            one < e->min || one > e->max)
            return refuse_value(v);
        x[i] = (int)one;
    }
    return LTE_OK;
}

/* One MCS, or a list of several that differ. */
static lte_status read_mcs(const key_value *v)
{
    lte_scenario_code *code = &v->scenario->code;
    const lte_status status = read_ints(v, LTE_MOST_MCS + 1, code->all_mcs, &code->n_mcs);
    if (status)
        return status;
    code->mcs = code->all_mcs[0];
    for (int i = 0; i < code->n_mcs * code->n_mcs; i++) {
        const int one = i % code->n_mcs, other = i / code->n_mcs;
        if (one < other && code->all_mcs[one] == code->all_mcs[other])
            return lte_refuse("%s: %s: %d is listed twice", v->place->text, entries[v->key].path,
                              code->all_mcs[one]);
    }
    return LTE_OK;
}

static lte_status read_bits(const key_value *v)
{
    return read_ints(v, LTE_MOST_CODEWORDS, v->scenario->code.bits, &v->scenario->code.n_bits);
}

static lte_status read_versions(const key_value *v)
{
    lte_scenario_code *code = &v->scenario->code;
    return read_ints(v, LTE_MAX_TRANSMISSIONS, code->versions, &code->n_versions);
}

/* [ first, count ]; whether the carrier has them is known when all keys are. */
static lte_status read_allocation(const key_value *v)
{
    int blocks[2], n = 0;
    const lte_status status = read_ints(v, 2, blocks, &n);
    if (status || n != 2 || blocks[1] < 1)
        return status ? status : refuse_value(v);
    v->scenario->first_rb = blocks[0];
    v->scenario->n_rb = blocks[1];
    return LTE_OK;
}

/* Of what there may be many of. */
static lte_status read_int_count(const key_value *v)
{
    const entry *e = &entries[v->key];
    long long x = 0;
    if (!lte_scenario_count(v->setting, &x) || x < e->min || x > e->max)
        return refuse_value(v);
    *(int *)member(v) = (int)x;
    return LTE_OK;
}

static lte_status read_count(const key_value *v)
{
    const entry *e = &entries[v->key];
    long long x = 0;
    if (!lte_scenario_count(v->setting, &x) || x < e->min || x > e->max)
        return refuse_value(v);
    *(uint64_t *)member(v) = (uint64_t)x;
    return LTE_OK;
}

/* low <= x <= high, or without one of the ends. */
static lte_status read_real(const key_value *v)
{
    const entry *e = &entries[v->key];
    double x = 0.0;
    if (!lte_scenario_real(v->setting, &x) || !(x >= e->low && x <= e->high) ||
        (e->above && x == e->low) || (e->below && x == e->high))
        return refuse_value(v);
    *(double *)member(v) = x == 0.0 ? 0.0 : x; /* no -0 */
    return LTE_OK;
}

/* 0, or within the limits of phy/channel/profile.h. */
static lte_status read_doppler(const key_value *v)
{
    double x = 0.0;
    if (!lte_scenario_real(v->setting, &x) ||
        !(x == 0.0 || (x >= LTE_MIN_DOPPLER_HZ && x <= LTE_MAX_DOPPLER_HZ)))
        return refuse_value(v);
    return read_real(v);
}

static lte_status read_db(const key_value *v)
{
    lte_status status = read_real(v);
    if (!status)
        *(double *)member(v) = lte_scenario_round_db(*(double *)member(v));
    return status;
}

static lte_status read_bool(const key_value *v)
{
    if (config_setting_type(v->setting) != CONFIG_TYPE_BOOL)
        return refuse_value(v);
    *(bool *)member(v) = config_setting_get_bool(v->setting) != 0;
    return LTE_OK;
}

/* The place of a string in the entry's names. */
static lte_status find_name(const key_value *v, const config_setting_t *setting, int *found)
{
    const char *name = config_setting_get_string(setting);
    if (!name)
        return refuse_value(v);
    *found = lte_name_find(&entries[v->key].names, name);
    return *found < 0 ? refuse_name(v, name) : LTE_OK;
}

static lte_status read_name(const key_value *v)
{
    return find_name(v, v->setting, member(v));
}

static lte_status read_modulation(const key_value *v)
{
    lte_status status = read_name(v);
    if (!status)
        v->scenario->n_bits = lte_modulation_rows[v->scenario->n_bits].n_bits;
    return status;
}

static lte_status read_bandwidth(const key_value *v)
{
    double mhz = 0.0;
    const lte_carrier *carrier = lte_scenario_real(v->setting, &mhz) ? lte_carrier_find(mhz) : NULL;
    if (!carrier)
        return refuse_value(v);
    v->scenario->bandwidth_mhz = carrier->bandwidth_mhz;
    return LTE_OK;
}

static lte_status read_backend(const key_value *v)
{
    char place[sizeof v->place->text + 16];
    const char *name = config_setting_get_string(v->setting);
    if (!name)
        return refuse_value(v);
    (void)snprintf(place, sizeof place, "%s: backend", v->place->text);
    return lte_scenario_read_backend(name, place, member(v), sizeof v->scenario->backend);
}

/* One of the names that the inverter has, which is known when all keys are. */
static lte_status read_version(const key_value *v)
{
    const char *name = config_setting_get_string(v->setting);
    if (!name || !*name)
        return refuse_value(v);
    lte_scenario_copy_text(v->version, LTE_VERSION_NAME, name, strlen(name));
    return LTE_OK;
}

static lte_status read_title(const key_value *v)
{
    const char *title = config_setting_get_string(v->setting);
    if (!title)
        return refuse_value(v);
    lte_scenario_copy_text(v->scenario->title, sizeof v->scenario->title, title, strlen(title));
    return LTE_OK;
}

static lte_status read_file_name(const key_value *v)
{
    const char *name = config_setting_get_string(v->setting);
    if (!name || !*name || strlen(name) >= sizeof v->scenario->file)
        return refuse_value(v);
    (void)snprintf(member(v), sizeof v->scenario->file, "%s", name);
    return LTE_OK;
}

/* A list of names, none twice, into chosen [names.n]. */
static lte_status read_names(const key_value *v, int *n)
{
    const entry *e = &entries[v->key];
    int *chosen = member(v), length = config_setting_length(v->setting);
    if (!lte_scenario_is_sequence(v->setting) || length < 1)
        return refuse_value(v);
    *n = 0;
    for (int i = 0; i < length; i++) {
        int found = -1;
        const lte_status status =
            find_name(v, config_setting_get_elem(v->setting, (unsigned)i), &found);
        if (status)
            return status;
        for (int k = 0; k < *n; k++) {
            if (chosen[k] == found)
                return lte_refuse("%s: %s: \"%s\" is listed twice", v->place->text, e->path,
                                  lte_name_at(&e->names, found));
        }
        chosen[(*n)++] = found;
    }
    return LTE_OK;
}

static lte_status read_detectors(const key_value *v)
{
    return lte_scenario_read_detectors(v->setting, v->folder, v->place, v->scenario);
}

static lte_status read_in_turn(const key_value *v)
{
    return lte_scenario_read_in_turn(v->setting, v->place, v->scenario);
}

static lte_status read_detector(const key_value *v)
{
    const char *name = config_setting_get_string(v->setting);
    if (!name)
        return refuse_value(v);
    return lte_scenario_choose_detector(name, v->scenario) ? LTE_OK : refuse_name(v, name);
}

static lte_status read_csi(const key_value *v)
{
    if (lte_scenario_is_sequence(v->setting))
        return read_names(v, &v->scenario->n_csi);
    v->scenario->n_csi = 1;
    return read_name(v);
}

/* [ start, stop, step ], or a number: that point alone. */
static lte_status read_grid(const key_value *v)
{
    double x[3] = {0.0, 0.0, 0.0};
    if (lte_scenario_real(v->setting, &x[0]) && x[0] >= DB_MIN && x[0] <= DB_MAX) {
        v->scenario->sweep.snr_db[0] = lte_scenario_round_db(x[0]);
        v->scenario->sweep.n_snr = 1;
        return LTE_OK;
    }
    bool right = lte_scenario_is_sequence(v->setting) && config_setting_length(v->setting) == 3;
    for (unsigned i = 0; right && i < 3; i++)
        right = lte_scenario_real(config_setting_get_elem(v->setting, i), &x[i]);
    if (!right || !(x[0] >= DB_MIN && x[0] <= DB_MAX && x[1] >= DB_MIN && x[1] <= DB_MAX &&
                    x[2] >= db_step_min && x[2] <= DB_MAX - DB_MIN && x[0] <= x[1]))
        return refuse_value(v);
    double n = lte_scenario_grid(x[0], x[1], x[2], v->scenario->sweep.snr_db);
    if (!(n <= LTE_MAX_SNR_POINTS))
        return lte_refuse("%s: %s has %.0f points; it may have 1 to %d", v->place->text,
                          entries[v->key].path, n, LTE_MAX_SNR_POINTS);
    v->scenario->sweep.n_snr = (int)n;
    return LTE_OK;
}

static lte_status read_points(const key_value *v)
{
    lte_scenario_sweep *sweep = &v->scenario->sweep;
    const char *path = entries[v->key].path;
    int n = lte_scenario_is_sequence(v->setting) ? config_setting_length(v->setting) : 0;
    if (n < 1 || n > LTE_MAX_SNR_POINTS)
        return refuse_value(v);
    for (int i = 0; i < n; i++) {
        const config_setting_t *element = config_setting_get_elem(v->setting, (unsigned)i);
        double x = 0.0;
        if (!lte_scenario_real(element, &x) || !(x >= DB_MIN && x <= DB_MAX)) {
            char value[64];
            lte_scenario_show_value(element, value, sizeof value);
            return lte_refuse("%s: %s[%d] = %s: must be a number, -30 to 60 dB", v->place->text,
                              path, i, value);
        }
        sweep->snr_db[i] = lte_scenario_round_db(x);
        for (int k = 0; k < i; k++) {
            if (sweep->snr_db[k] == sweep->snr_db[i])
                return lte_refuse("%s: %s: %g dB is listed twice", v->place->text, path,
                                  sweep->snr_db[i]);
        }
    }
    sweep->n_snr = n;
    return LTE_OK;
}

/* A share, or a list of one for each point. */
static lte_status read_shares(const key_value *v)
{
    lte_scenario_sweep *sweep = &v->scenario->sweep;
    const bool is_list = lte_scenario_is_sequence(v->setting);
    const int n = is_list ? config_setting_length(v->setting) : 1;
    if (n < 1 || n > LTE_MAX_SNR_POINTS)
        return refuse_value(v);
    for (sweep->n_required = 0; sweep->n_required < n; sweep->n_required++) {
        const unsigned i = (unsigned)sweep->n_required;
        double *share = &sweep->required[i];
        if (!lte_scenario_real(is_list ? config_setting_get_elem(v->setting, i) : v->setting,
                               share) ||
            !(*share > 0.0 && *share < 1.0))
            return refuse_value(v);
    }
    return LTE_OK;
}

/* ---- the keys ---- */

#define AT(name) .offset = offsetof(lte_scenario, name)
#define NAMES(rows) .names = LTE_NAMES(rows)
#define NAMED(name, rows, what) AT(name), NAMES(rows), .kind = what, .range = "a string, one of"
#define COUNT_MAX (1LL << 40)
static const entry entries[LTE_N_KEYS] = {
    [LTE_KEY_TITLE] = {"title", read_title, .range = "a string"},
    [LTE_KEY_BANDWIDTH] = {"carrier.bandwidth_mhz", read_bandwidth, .required = true},
    [LTE_KEY_ALLOCATION] = {"carrier.allocation", read_allocation, .max = LTE_MAX_SC / LTE_RB_SC,
                            .range = "[ first, count ], resource blocks of the carrier"},
    [LTE_KEY_GRID] = {"carrier.grid", read_name, NAMED(grid, lte_grid_names, "grid")},
    [LTE_KEY_CONTROL] = {"carrier.control_symbols", read_int, AT(control_symbols), 1,
                         LTE_MOST_CONTROL_SYMBOLS},
    [LTE_KEY_SRS] = {"carrier.srs", read_bool, AT(srs), .range = "true or false"},
    [LTE_KEY_TX] = {"antennas.tx", read_int, AT(n_tx), 1, LTE_MAX_TX, .required = true},
    [LTE_KEY_RX] = {"antennas.rx", read_int, AT(n_rx), 1, LTE_MAX_RX, .required = true},
    [LTE_KEY_MODULATION] = {"modulation", read_modulation, AT(n_bits), NAMES(lte_modulation_rows),
                            .kind = "modulation", .range = "a string, one of", .required = true},
    [LTE_KEY_CHANNEL] = {"channel.model", read_name, NAMED(channel, lte_channel_rows, "channel")},
    [LTE_KEY_FILE] = {"channel.file", read_file_name, AT(file),
                      .range = "the name of an HDF5 file, a string"},
    [LTE_KEY_DOPPLER] = {"channel.doppler_hz", read_doppler, AT(doppler_hz),
                         .high = LTE_MAX_DOPPLER_HZ, .range = "0 or a number from 0.1 to 1000 Hz"},
    [LTE_KEY_DROP_SLOTS] = {"channel.drop_slots", read_int, AT(drop_slots), 1, LTE_MAX_DROP_SLOTS},
    [LTE_KEY_FADES] = {"channel.fades", read_name, NAMED(code.fades, lte_fades_names, "fading")},
    [LTE_KEY_LEVEL] = {"channel.correlation.level", read_name,
                       NAMED(correlation.level, lte_level_names, "correlation level")},
    [LTE_KEY_LINK] = {"channel.correlation.link", read_name,
                      NAMED(correlation.link, lte_link_names, "link")},
    [LTE_KEY_VARIANT] = {"channel.correlation.variant", read_name,
                         NAMED(correlation.variant, lte_variant_names, "correlation variant")},
    [LTE_KEY_ALPHA] = {"channel.correlation.alpha", read_real, AT(correlation.alpha), .below = true,
                       .high = 1.0, .range = "a number from 0, below 1"},
    [LTE_KEY_BETA] = {"channel.correlation.beta", read_real, AT(correlation.beta), .below = true,
                      .high = 1.0, .range = "a number from 0, below 1"},
    [LTE_KEY_CSI] = {"csi", read_csi, AT(csi), NAMES(lte_csi_rows), .kind = "csi",
                     .range = "a string or a list of strings, at least one of"},
    [LTE_KEY_NOISE] = {"noise", read_name, NAMED(noise, lte_noise_names, "noise")},
    [LTE_KEY_REFERENCES] = {"csi_references", read_int, AT(csi_references), 1, LTE_SUBFRAME_PILOTS},
    [LTE_KEY_DETECTORS] = {"detectors", read_detectors, AT(detectors), NAMES(lte_detector_rows),
                           .kind = "detector", .range = "a list of strings, at least one of",
                           .required = true},
    [LTE_KEY_INVERTER] = {"inverter", read_name, NAMED(inverter, lte_inverter_rows, "inverter")},
    [LTE_KEY_VERSION] = {"inverter.version", read_version,
                         .range = "a string: fast, published or a version of the inverter"},
    [LTE_KEY_OUTPUT] = {"output", read_name, NAMED(output, lte_output_names, "output")},
    [LTE_KEY_DEMAPPER] = {"llr.demapper", read_name,
                          NAMED(demapper, lte_demapper_names, "demapper")},
    [LTE_KEY_LLR_SCALE] = {"llr.scale", read_real, AT(llr_scale), .low = LTE_LEAST_LLR_SCALE,
                           .high = LTE_MOST_LLR_SCALE, .range = "a number, 1 to 64"},
    [LTE_KEY_CODE_LINK] = {"code.link", read_name, NAMED(code.link, lte_link_names, "link")},
    [LTE_KEY_CODE_MCS] = {"code.mcs", read_mcs, .max = LTE_MOST_MCS,
                          .range = "an integer, 0 to 28, or a list of such"},
    [LTE_KEY_CODE_TABLE] = {"code.mcs_table", read_name,
                            NAMED(code.table, lte_mcs_names, "MCS table")},
    [LTE_KEY_CODE_RATE] = {"code.rate", read_real, AT(code.rate), .above = true, .high = 1.0,
                           .range = "a number above 0, at most 1"},
    [LTE_KEY_CODE_BITS] = {"code.bits", read_bits, .min = 1, .max = LTE_MAX_TRANSPORT_BITS,
                           .range = "an integer, 1 to 391656, or a list of one for each codeword"},
    [LTE_KEY_CODE_TRANSMISSIONS] = {"code.transmissions", read_int, AT(code.transmissions), 1,
                                    LTE_MAX_TRANSMISSIONS},
    [LTE_KEY_CODE_COMBINING] = {"code.combining", read_name,
                                NAMED(code.combining, lte_combining_names, "combining")},
    [LTE_KEY_CODE_VERSIONS] = {"code.versions", read_versions, .max = LTE_N_REDUNDANCY_VERSIONS - 1,
                               .range = "a list of 1 to 4 integers, 0 to 3"},
    [LTE_KEY_CODE_CATEGORY] = {"code.category", read_int, AT(code.category), 1, LTE_MOST_CATEGORY},
    [LTE_KEY_CODE_SOFT_BITS] = {"code.soft_bits", read_int_count, AT(code.soft_bits), 1,
                                LTE_MOST_SOFT_BITS},
    [LTE_KEY_CODE_INTERLEAVER] = {"code.interleaver", read_name,
                                  NAMED(code.interleaver, lte_interleaver_names, "interleaver")},
    [LTE_KEY_CODE_ITERATIONS] = {"code.iterations", read_int, AT(code.iterations), 1,
                                 LTE_MAX_TURBO_ITERATIONS},
    [LTE_KEY_CODE_EARLY] = {"code.early_stop", read_bool, AT(code.early_stop),
                            .range = "true or false"},
    [LTE_KEY_SNR_GRID] = {"sweep.snr_db", read_grid,
                          .range = "[ start, stop, step ], start <= stop within -30 to 60 dB, step "
                                   "0.01 to 90 dB, or one of these points"},
    [LTE_KEY_SNR_POINTS] = {"sweep.snr_points", read_points,
                            .range = "a list of 1 to 1000 numbers, -30 to 60 dB"},
    [LTE_KEY_MIN_BIT_ERRORS] = {"sweep.min_bit_errors", read_count, AT(sweep.min_bit_errors), 0,
                                COUNT_MAX},
    [LTE_KEY_MIN_SLOTS] = {"sweep.min_slots", read_count, AT(sweep.min_slots), 1, COUNT_MAX},
    [LTE_KEY_MAX_SLOTS] = {"sweep.max_slots", read_count, AT(sweep.max_slots), 1, COUNT_MAX},
    [LTE_KEY_ROUND_SLOTS] = {"sweep.round_slots", read_int_count, AT(sweep.round_slots), 1, 65536},
    [LTE_KEY_MIN_CLUSTERS] = {"sweep.min_clusters", read_int_count, AT(sweep.min_clusters), 1,
                              65536},
    [LTE_KEY_MAX_SECONDS] = {"sweep.max_seconds", read_real, AT(sweep.max_seconds), .high = 1e9,
                             .range = "a number, 0 (no bound) to 1e9 s"},
    [LTE_KEY_PRECISION] = {"sweep.precision", read_real, AT(sweep.precision), .low = 1e-3,
                           .high = 1.0, .range = "a number, 0.001 to 1"},
    [LTE_KEY_TARGET_BER] = {"sweep.target_ber", read_real, AT(sweep.target_ber), .low = 1e-9,
                            .high = 0.4, .range = "a number, 1e-9 to 0.4"},
    [LTE_KEY_TARGET_THROUGHPUT] = {"sweep.target_throughput", read_real,
                                   AT(sweep.target_throughput), .above = true, .high = 0.99,
                                   .range = "a number above 0, at most 0.99"},
    [LTE_KEY_TARGET_RATE] = {"sweep.target_rate", read_real, AT(sweep.target_rate), .above = true,
                             .high = 10.0, .range = "a number above 0, at most 10 bits a symbol"},
    [LTE_KEY_REQUIRED] = {"sweep.required_throughput", read_shares,
                          .range = "a number above 0, below 1, or a list of one for each point"},
    [LTE_KEY_DEADLINE_SLOTS] = {"deadline.slots", read_int_count, AT(deadline.slots), 1, 100000000},
    [LTE_KEY_DISTINCT] = {"deadline.distinct", read_int, AT(deadline.distinct), 1, 4096},
    [LTE_KEY_CARRIERS] = {"deadline.carriers", read_int_count, AT(deadline.carriers), 1, 100000},
    [LTE_KEY_DEADLINE_DETECTOR] = {"deadline.detector", read_detector, AT(deadline.detector),
                                   NAMES(lte_detector_rows), .kind = "detector",
                                   .range = "a string, one of"},
    [LTE_KEY_DEADLINE_DETECTORS] = {"deadline.detectors", read_in_turn, AT(deadline.turn_name)},
    [LTE_KEY_DEADLINE_CSI] = {"deadline.csi", read_name, NAMED(deadline.csi, lte_csi_rows, "csi")},
    [LTE_KEY_DEADLINE_SNR] = {"deadline.snr_db", read_db, AT(deadline.snr_db), .low = DB_MIN,
                              .high = DB_MAX, .range = "a number, -30 to 60 dB"},
    [LTE_KEY_BUDGET] = {"deadline.budget_us", read_real, AT(deadline.budget_us), .above = true,
                        .high = 1e9, .range = "a number above 0, at most 1e9 us"},
    [LTE_KEY_ON_TIME] = {"deadline.on_time", read_real, AT(deadline.on_time), .above = true,
                         .high = 1.0, .range = "a number above 0, at most 1"},
    [LTE_KEY_PACED] = {"deadline.paced", read_bool, AT(deadline.paced), .range = "true or false"},
    [LTE_KEY_DEADLINE_THREADS] = {"deadline.threads", read_int, AT(deadline.threads), 1,
                                  LTE_MAX_THREADS},
    [LTE_KEY_SEED] = {"seed", read_count, AT(seed), 0, INT64_MAX},
    [LTE_KEY_BACKEND] = {"backend", read_backend, AT(backend)},
};

lte_status lte_scenario_read_key(lte_scenario_key key, const config_setting_t *value,
                                 const lte_scenario_place *place, lte_scenario_reading *reading)
{
    const char *const folder = reading->at == 0 ? reading->folder : "";
    key_value v = {key, value, place, reading->scenario, reading->version, folder};
    if (reading->at < reading->counts_from[key])
        return LTE_OK;
    lte_status status = entries[key].read(&v);
    reading->given[key] = true;
    reading->place[key] = *place;
    return status;
}
