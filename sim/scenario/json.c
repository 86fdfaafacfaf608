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

static json_t *sweep_json(const lte_scenario_sweep *sweep)
{
    json_t *grid = grid_json(sweep);
    json_t *points = grid ? grid : json_array();
    for (int i = 0; !grid && i < sweep->n_snr; i++)
        (void)json_array_append_new(points, json_real(sweep->snr_db[i]));
    json_t *json = json_pack(
        "{s:o,s:I,s:I,s:I,s:i,s:i,s:f}", grid ? "snr_db" : "snr_points", points, "min_bit_errors",
        (json_int_t)sweep->min_bit_errors, "min_slots", (json_int_t)sweep->min_slots, "max_slots",
        (json_int_t)sweep->max_slots, "round_slots", sweep->round_slots, "min_clusters",
        sweep->min_clusters, "max_seconds", sweep->max_seconds);
    if (sweep->precision > 0.0)
        (void)json_object_set_new(json, "precision", json_real(sweep->precision));
    if (sweep->n_required > 0) {
        json_t *shares = json_array();
        for (int i = 0; i < sweep->n_required; i++)
            (void)json_array_append_new(shares, json_real(sweep->required[i]));
        (void)json_object_set_new(json, "required_throughput", shares);
    }
    if (sweep->target_throughput > 0.0)
        (void)json_object_set_new(json, "target_throughput", json_real(sweep->target_throughput));
    if (sweep->target_rate > 0.0)
        (void)json_object_set_new(json, "target_rate", json_real(sweep->target_rate));
    if (sweep->target_ber > 0.0)
        (void)json_object_set_new(json, "target_ber", json_real(sweep->target_ber));
    return json;
}

static json_t *deadline_json(const lte_scenario_deadline *deadline)
{
    json_t *json =
        json_pack("{s:i,s:i,s:i,s:s,s:s,s:f,s:f,s:f,s:b}", "slots", deadline->slots, "distinct",
                  deadline->distinct, "carriers", deadline->carriers, "detector",
                  lte_detector_named(deadline->detector).text, "csi",
                  lte_csi_rows[deadline->csi].name, "snr_db", deadline->snr_db, "budget_us",
                  deadline->budget_us, "on_time", deadline->on_time, "paced", (int)deadline->paced);
    json_t *in_turn = deadline->n_in_turn > 0 ? json_array() : NULL;
    for (int i = 0; i < deadline->n_in_turn; i++)
        (void)json_array_append_new(in_turn,
                                    json_string(lte_detector_named(deadline->in_turn[i]).text));
    if (in_turn)
        (void)json_object_set_new(json, "detectors", in_turn);
    if (deadline->threads > 0)
        (void)json_object_set_new(json, "threads", json_integer(deadline->threads));
    return json;
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
    json_t *channel = json_pack("{s:s,s:f,s:i}", "model", lte_channel_rows[s->channel].name,
                                "doppler_hz", s->doppler_hz, "drop_slots", s->drop_slots);
    if (lte_scenario_fades(s))
        (void)json_object_set_new(channel, "fades",
                                  json_string(lte_fades_names[s->code.fades].name));
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
    json_t *how = json_pack("{s:s,s:s}", "link", lte_link_names[c->link].name, "variant",
                            lte_variant_names[c->variant].name);
    if (c->level >= 0)
        (void)json_object_set_new(how, "level", json_string(lte_level_names[c->level].name));
    if (c->level < 0)
        (void)json_object_set_new(how, "alpha", json_real(c->alpha));
    if (c->level < 0)
        (void)json_object_set_new(how, "beta", json_real(c->beta));
    (void)json_object_set_new(channel, "correlation", how);
    return channel;
}

/* The resource blocks. */
static json_t *carrier_json(const lte_scenario *s)
{
    json_t *carrier = json_pack("{s:f}", "bandwidth_mhz", s->bandwidth_mhz);
    if (s->n_rb != lte_carrier_find(s->bandwidth_mhz)->n_rb)
        (void)json_object_set_new(carrier, "allocation", json_pack("[i,i]", s->first_rb, s->n_rb));
    return carrier;
}

static json_t *ints_json(const int *x, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        (void)json_array_append_new(array, json_integer(x[i]));
    return array;
}

static json_t *code_json(const lte_scenario_code *c)
{
    json_t *code =
        json_pack("{s:s,s:i,s:i,s:b,s:s}", "link", lte_link_names[c->link].name, "transmissions",
                  c->transmissions, "iterations", c->iterations, "early_stop", c->early_stop,
                  "interleaver", lte_interleaver_names[c->interleaver].name);
    if (c->n_versions > 0)
        (void)json_object_set_new(code, "versions", ints_json(c->versions, c->n_versions));
    else
        (void)json_object_set_new(code, "combining",
                                  json_string(lte_combining_names[c->combining].name));
    if (c->mcs >= 0) {
        (void)json_object_set_new(code, "mcs", json_integer(c->mcs));
        (void)json_object_set_new(code, "mcs_table", json_string(lte_mcs_names[c->table].name));
    } else if (c->n_bits > 0) {
        (void)json_object_set_new(code, "bits", ints_json(c->bits, c->n_bits));
    } else {
        (void)json_object_set_new(code, "rate", json_real(c->rate));
    }
    if (c->category > 0)
        (void)json_object_set_new(code, "category", json_integer(c->category));
    else if (c->soft_bits > 0)
        (void)json_object_set_new(code, "soft_bits", json_integer(c->soft_bits));
    return code;
}

/* What is counted: nothing more, LLRs, or a code, the elements that carry it, and its LLRs. */
static void add_nothing(const lte_scenario *s, json_t *all)
{
    (void)s;
    (void)all;
}

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
        [LTE_COUNTED_BITS] = add_nothing,
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
    add_counted[s->counted](s, all);
    return all;
}
