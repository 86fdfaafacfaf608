/* A scenario as run, as JSON. */
#include "sim/scenario/scenario.h"

#include <math.h>
#include <stddef.h>

#include "phy/base/carrier.h"
#include "phy/detection/plugin.h"

/* [start, stop, step] if the points are a grid that the file could have given so, else NULL. */
static json_t *grid_json(const lte_scenario_sweep *sweep)
{
    const double *x = sweep->snr_db;
    int n = sweep->n_snr;
    double step = n > 1 ? round((x[1] - x[0]) * 1e6) : 1e6;
    if (!(step >= 1e4))
        return NULL;
    for (int i = 1; i < n; i++) {
        if (round((x[i] - x[0]) * 1e6) != i * step)
            return NULL;
    }
    return json_pack("[f,f,f]", x[0], x[n - 1], step / 1e6);
}

/* A number above 0, real or whole, and a list [n]; NULL: none. */
static json_t *positive(double x)
{
    return x > 0.0 ? json_real(x) : NULL;
}

static json_t *positive_int(int x)
{
    return x > 0 ? json_integer(x) : NULL;
}

static json_t *reals_json(const double *x, int n)
{
    json_t *array = n > 0 ? json_array() : NULL;
    for (int i = 0; i < n; i++)
        (void)json_array_append_new(array, json_real(x[i]));
    return array;
}

static json_t *ints_json(const int *x, int n)
{
    json_t *array = n > 0 ? json_array() : NULL;
    for (int i = 0; i < n; i++)
        (void)json_array_append_new(array, json_integer(x[i]));
    return array;
}

static json_t *sweep_json(const lte_scenario_sweep *sweep)
{
    json_t *grid = grid_json(sweep);
    json_t *points = grid ? grid : reals_json(sweep->snr_db, sweep->n_snr);
    return json_pack("{s:o,s:I,s:I,s:I,s:i,s:i,s:f,s:o*,s:o*,s:o*,s:o*,s:o*}",
                     grid ? "snr_db" : "snr_points", points, "min_bit_errors",
                     (json_int_t)sweep->min_bit_errors, "min_slots", (json_int_t)sweep->min_slots,
                     "max_slots", (json_int_t)sweep->max_slots, "round_slots", sweep->round_slots,
                     "min_clusters", sweep->min_clusters, "max_seconds", sweep->max_seconds,
                     "precision", positive(sweep->precision), "required_throughput",
                     reals_json(sweep->required, sweep->n_required), "target_throughput",
                     positive(sweep->target_throughput), "target_rate",
                     positive(sweep->target_rate), "target_ber", positive(sweep->target_ber));
}

static json_t *deadline_json(const lte_scenario_deadline *deadline)
{
    json_t *in_turn = deadline->n_in_turn > 0 ? json_array() : NULL;
    for (int i = 0; i < deadline->n_in_turn; i++)
        (void)json_array_append_new(in_turn,
                                    json_string(lte_detector_named(deadline->in_turn[i]).text));
    return json_pack("{s:i,s:i,s:i,s:s,s:s,s:f,s:f,s:f,s:b,s:o*,s:o*}", "slots", deadline->slots,
                     "distinct", deadline->distinct, "carriers", deadline->carriers, "detector",
                     lte_detector_named(deadline->detector).text, "csi",
                     lte_csi_rows[deadline->csi].name, "snr_db", deadline->snr_db, "budget_us",
                     deadline->budget_us, "on_time", deadline->on_time, "paced",
                     (int)deadline->paced, "detectors", in_turn, "threads",
                     positive_int(deadline->threads));
}

static json_t *names_json(lte_names names, const int *chosen, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        (void)json_array_append_new(array, json_string(lte_name_at(&names, chosen[i])));
    return array;
}

/* A name; of a plug-in what a scenario says of it, with the SHA-256 of the file that is loaded. */
static json_t *detector_json(lte_detector detector)
{
    const lte_plugin *plugin = lte_plugin_of(detector);
    if (!plugin)
        return json_string(lte_detector_named(detector).text);
    json_t *json = json_pack("{s:s,s:s}", "name", plugin->said.name, "plugin", plugin->said.path);
    const char *const sha256 = *plugin->sha256 ? plugin->sha256 : plugin->said.sha256;
    if (*sha256)
        (void)json_object_set_new(json, "sha256", json_string(sha256));
    for (int i = 0; i < plugin->said.n_parameters; i++)
        (void)json_object_set_new(json, plugin->said.parameter[i].name,
                                  json_real(plugin->said.parameter[i].value));
    return json;
}

static json_t *detectors_json(const lte_scenario *s)
{
    json_t *array = json_array();
    for (int i = 0; i < s->n_detectors; i++)
        (void)json_array_append_new(array, detector_json(s->detectors[i]));
    return array;
}

static json_t *channel_json(const lte_scenario *s)
{
    const lte_scenario_correlation *c = &s->correlation;
    json_t *channel = json_pack("{s:s,s:f,s:i,s:s*}", "model", lte_channel_rows[s->channel].name,
                                "doppler_hz", s->doppler_hz, "drop_slots", s->drop_slots, "fades",
                                lte_scenario_fades(s) ? lte_fades_names[s->code.fades].name : NULL);
    if (s->stored.h) {
        json_t *file = json_pack(
            "{s:s,s:I,s:I,s:i,s:o}", "file", s->file, "slots", (json_int_t)s->stored.shape.n_slots,
            "slots_read", (json_int_t)s->stored.n_read, "channels_per_slot", s->stored.shape.n_h,
            "checksum", json_sprintf("fnv1a:%016llx", (unsigned long long)s->stored.checksum));
        (void)json_object_update(channel, file);
        json_decref(file);
    }
    if (!c->given)
        return channel;
    const bool level = c->level >= 0;
    json_t *how = json_pack(
        "{s:s,s:s,s:s*,s:o*,s:o*}", "link", lte_link_names[c->link].name, "variant",
        lte_variant_names[c->variant].name, "level", level ? lte_level_names[c->level].name : NULL,
        "alpha", level ? NULL : json_real(c->alpha), "beta", level ? NULL : json_real(c->beta));
    (void)json_object_set_new(channel, "correlation", how);
    return channel;
}

/* The resource blocks. */
static json_t *carrier_json(const lte_scenario *s)
{
    const bool whole = s->n_rb == lte_carrier_find(s->bandwidth_mhz)->n_rb;
    return json_pack("{s:f,s:o*}", "bandwidth_mhz", s->bandwidth_mhz, "allocation",
                     whole ? NULL : json_pack("[i,i]", s->first_rb, s->n_rb));
}

static json_t *code_json(const lte_scenario_code *c)
{
    const bool by_mcs = c->mcs >= 0;
    return json_pack("{s:s,s:i,s:i,s:b,s:s,s:o*,s:s*,s:o*,s:s*,s:o*,s:o*,s:o*,s:o*}", "link",
                     lte_link_names[c->link].name, "transmissions", c->transmissions, "iterations",
                     c->iterations, "early_stop", c->early_stop, "interleaver",
                     lte_interleaver_names[c->interleaver].name, "versions",
                     ints_json(c->versions, c->n_versions), "combining",
                     c->n_versions > 0 ? NULL : lte_combining_names[c->combining].name, "mcs",
                     by_mcs ? json_integer(c->mcs) : NULL, "mcs_table",
                     by_mcs ? lte_mcs_names[c->table].name : NULL, "bits",
                     by_mcs ? NULL : ints_json(c->bits, c->n_bits), "rate",
                     by_mcs || c->n_bits > 0 ? NULL : json_real(c->rate), "category",
                     positive_int(c->category), "soft_bits",
                     c->category > 0 ? NULL : positive_int(c->soft_bits));
}

/* What is counted: LLRs, or a code, the elements that carry it, and its LLRs. */
static json_t *llr_json(const lte_scenario *s)
{
    return json_pack("{s:s,s:f}", "demapper", lte_demapper_names[s->demapper].name, "scale",
                     s->llr_scale);
}

static void add_llrs(const lte_scenario *s, json_t *all)
{
    (void)json_object_set_new(all, "output", json_string(lte_output_names[s->output].name));
    (void)json_object_set_new(all, "llr", llr_json(s));
}

static void add_code(const lte_scenario *s, json_t *all)
{
    json_t *carrier = json_object_get(all, "carrier");
    (void)json_object_set_new(carrier, "grid", json_string(lte_grid_names[s->grid].name));
    if (s->grid == LTE_GRID_pdsch)
        (void)json_object_set_new(carrier, "control_symbols", json_integer(s->control_symbols));
    if (s->grid == LTE_GRID_pusch)
        (void)json_object_set_new(carrier, "srs", json_boolean(s->srs));
    (void)json_object_set_new(all, "code", code_json(&s->code));
    (void)json_object_set_new(all, "llr", llr_json(s));
}

json_t *lte_scenario_json(const lte_scenario *scenario)
{
    static void (*const add_counted[LTE_N_COUNTED])(const lte_scenario *s, json_t *all) = {
        [LTE_COUNTED_LLRS] = add_llrs,
        [LTE_COUNTED_BLOCKS] = add_code,
    };
    const lte_scenario *s = scenario;
    json_t *all = json_pack(
        "{s:s,s:s,s:o,s:{s:i,s:i},s:s,s:o,s:o,s:s,s:i,s:o,s:s,s:o,s:o,s:I,"
        "s:s}", /* as in a file */
        "name", s->name, "title", s->title, "carrier", carrier_json(s), "antennas", "tx", s->n_tx,
        "rx", s->n_rx, "modulation", lte_modulation_name(s->n_bits), "channel", channel_json(s),
        "csi", names_json((lte_names)LTE_NAMES(lte_csi_rows), s->csi, s->n_csi), "noise",
        lte_noise_names[s->noise].name, "csi_references", s->csi_references, "detectors",
        detectors_json(s), "inverter", lte_inverter_rows[s->inverter].name, "sweep",
        sweep_json(&s->sweep), "deadline", deadline_json(&s->deadline), "seed", (json_int_t)s->seed,
        "backend", s->backend);
    if (add_counted[s->counted])
        add_counted[s->counted](s, all);
    return all;
}
