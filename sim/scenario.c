#include "sim/scenario.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phy/pilots.h"
#include "phy/profile.h"
#include "sim/refuse.h"
#include "sim/scenario_parts.h"

enum { MAX_FILE = 1 << 20 }; /* bytes; a scenario has a few hundred */

void lte_scenario_free(lte_scenario *scenario)
{
    free(scenario);
}

bool lte_scenario_knows(const lte_scenario *scenario, int knowledge)
{
    for (int i = 0; i < scenario->n_knowledge; i++) {
        if (scenario->knowledge[i] == knowledge)
            return true;
    }
    return false;
}

/* ---- the file ---- */

/* Reads a whole file into *text, [*n] bytes and a NUL; the caller frees it. */
static lte_status load(const char *path, char **text, size_t *n)
{
    lte_status status = LTE_OK;
    *text = NULL;
    *n = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return lte_refuse("%.300s: cannot be read: %s", path, strerror(errno));
    *text = malloc(MAX_FILE + 2);
    if (!*text) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory to read a scenario");
        goto cleanup;
    }
    *n = fread(*text, 1, MAX_FILE + 1, file);
    (*text)[*n] = '\0';
    if (ferror(file))
        status = lte_refuse("%.300s: cannot be read: %s", path, strerror(errno));
    else if (*n > MAX_FILE)
        status = lte_refuse("%.300s: larger than 1 MiB, not a scenario file", path);
    else if (memchr(*text, '\0', *n))
        status = lte_refuse("%.300s: holds a zero byte, not a text file", path);
cleanup:
    (void)fclose(file);
    return status;
}

/* The file name without folder and .cfg, unless that leaves no name for a folder. */
static void name_scenario(const char *path, lte_scenario *scenario)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t n = strlen(base);
    if (n > 4 && strcmp(base + n - 4, ".cfg") == 0)
        n -= 4;
    if (strspn(base, ".") >= n)
        n = strlen(base);
    lte_scenario_copy_text(scenario->name, sizeof scenario->name, base, n);
}

/* Parses a text that was checked before. */
static lte_status parse(config_t *config, const char *text, const lte_scenario_place *place)
{
    if (config_read_string(config, text) == CONFIG_TRUE)
        return LTE_OK;
    return lte_refuse("%s: %s", place->text, config_error_text(config));
}

static lte_status read_file(const char *path, lte_scenario_draft *draft, int *n_lines)
{
    lte_scenario *s = draft->scenario;
    config_t config;
    char *text = NULL;
    size_t n = 0;
    config_init(&config);
    lte_status status = load(path, &text, &n);
    if (status || !text)
        goto cleanup;

    bool marked = strncmp(text, "\xef\xbb\xbf", 3) == 0; /* byte-order mark */
    const char *start = marked ? text + 3 : text;
    status = lte_scenario_check_text(start, path, s->title, sizeof s->title, n_lines);
    if (status)
        goto cleanup;
    memcpy(text + n, "\n", 2); /* a comment needs it; load left room */
    lte_scenario_place place = lte_scenario_place_file(path, *n_lines);
    status = parse(&config, start, &place);
    if (!status)
        status = lte_scenario_read_all(config_root_setting(&config), path, draft);
    if (!status && draft->given[LTE_KEY_SNR_GRID] && draft->given[LTE_KEY_SNR_POINTS])
        status = lte_refuse("%s: sweep.snr_points: sweep.snr_db is given too; keep one of them",
                            draft->place[LTE_KEY_SNR_POINTS].text);
cleanup:
    config_destroy(&config);
    free(text);
    return status;
}

/* ---- overrides ---- */

static bool is_bare_word(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isalnum((unsigned char)text[i]) && !strchr("_.:+-", text[i]))
            return false;
    }
    return n > 0;
}

/* Writes "value = VALUE;" as libconfig reads it: a bare word gets its quotes. */
static void write_setting(char *text, size_t size, const char *value, lte_scenario_key key)
{
    size_t n = strlen(value);
    while (n > 0 && isspace((unsigned char)value[n - 1]))
        n--;
    (void)snprintf(text, size, "%.*s", (int)n, value);
    lte_scenario_word kind = lte_scenario_classify(text);
    if (!is_bare_word(text, n) || (kind != LTE_WORD_NAME && kind != LTE_WORD_OTHER))
        return;
    bool list = key == LTE_KEY_DETECTORS;
    (void)snprintf(text, size, list ? "( \"%.*s\" )" : "\"%.*s\"", (int)n, value);
}

static lte_status read_set(const char *set, lte_scenario_draft *draft)
{
    enum { ROOM = 32 }; /* for what write_setting adds */
    lte_scenario_place place = lte_scenario_place_set(set);
    lte_scenario_key key = LTE_N_KEYS;
    char path[LTE_SCENARIO_PATH], *text = NULL, *setting = NULL;
    config_t config;
    size_t size = strlen(set) + ROOM;
    size_t n = strcspn(set, "=");
    const char *value = set + n + (set[n] == '=');
    while (isspace((unsigned char)*value))
        value++;
    for (; isspace((unsigned char)*set) && n > 0; n--)
        set++;
    while (n > 0 && isspace((unsigned char)set[n - 1]))
        n--;
    if (n == 0 || n >= sizeof path || !*value)
        return lte_refuse("%s: must be PATH=VALUE, as in sweep.min_slots=128", place.text);
    (void)snprintf(path, sizeof path, "%.*s", (int)n, set);
    lte_status status = lte_scenario_find_key(path, &place, &key);
    if (status)
        return status;

    config_init(&config);
    text = malloc(size);
    setting = malloc(size);
    if (!text || !setting) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for an override");
        goto cleanup;
    }
    write_setting(text, size, value, key);
    status = lte_scenario_check_value(text, path, &place);
    if (status)
        goto cleanup;
    (void)snprintf(setting, size, "value = %s\n", text);
    status = parse(&config, setting, &place);
    if (!status)
        status = lte_scenario_read_key(
            key, config_setting_get_elem(config_root_setting(&config), 0), &place, draft);
cleanup:
    config_destroy(&config);
    free(setting);
    free(text);
    return status;
}

/* ---- the whole ---- */

static void set_defaults(lte_scenario *s)
{
    s->channel = LTE_CHANNEL_rayleigh;
    s->drop_slots = 8;
    s->correlation.level = -1;
    s->knowledge[0] = LTE_KNOWLEDGE_perfect;
    s->n_knowledge = 1;
    s->inverter = LTE_INVERTER_gauss_jordan;
    s->sweep.n_snr = (int)lte_scenario_grid(0.0, 30.0, 5.0, s->sweep.snr_db);
    s->sweep.min_bit_errors = 1000;
    s->sweep.min_slots = 64;
    s->sweep.max_slots = 4096;
    s->sweep.round_slots = 64;
    s->deadline.slots = 2000;
    s->deadline.distinct = 64;
    s->deadline.carriers = 1;
    s->deadline.budget_us = 500.0;
    s->deadline.on_time = 1.0;
    s->deadline.paced = true;
    s->seed = 1;
    memcpy(s->backend, "auto", sizeof "auto");
}

/* Where keys clash: at an override if there is one, else at the last that is given. */
static const char *clash(const lte_scenario_draft *draft, const lte_scenario_key *keys, int n)
{
    const char *found = NULL;
    for (int i = 0; i < n; i++) {
        if (!draft->given[keys[i]])
            continue;
        const char *place = draft->place[keys[i]].text;
        if (!found || strncmp(found, "--set ", 6) != 0)
            found = place;
    }
    return found;
}

/* What the keys of channel.correlation make together. */
static lte_status correlate(const lte_scenario_draft *draft, lte_scenario *s)
{
    static const lte_scenario_key keys[] = {LTE_KEY_LEVEL, LTE_KEY_ALPHA,   LTE_KEY_BETA,
                                            LTE_KEY_LINK,  LTE_KEY_VARIANT, LTE_KEY_TX,
                                            LTE_KEY_RX,    LTE_KEY_CHANNEL};
    lte_scenario_correlation *c = &s->correlation;
    const bool level = draft->given[LTE_KEY_LEVEL], alpha = draft->given[LTE_KEY_ALPHA];
    const bool beta = draft->given[LTE_KEY_BETA];
    const bool rest = draft->given[LTE_KEY_LINK] || draft->given[LTE_KEY_VARIANT];
    c->given = level || alpha || beta;
    if (!c->given && !rest)
        return LTE_OK;
    if (!c->given || (level && (alpha || beta)) || alpha != beta)
        return lte_refuse("%s: channel.correlation: must have either level or both alpha and beta",
                          clash(draft, keys, 5));
    if (!lte_correlation_is_defined(s->n_rx) || !lte_correlation_is_defined(s->n_tx))
        return lte_refuse("%s: channel.correlation: antennas.tx = %d, antennas.rx = %d: is defined "
                          "for 1, 2, 4 and 8 antennas",
                          clash(draft, keys, 7), s->n_tx, s->n_rx);
    if (level && c->level != LTE_CORRELATION_low && c->variant == 0 &&
        (s->n_rx == 8 || s->n_tx == 8))
        return lte_refuse(
            "%s: channel.correlation.level = \"%s\": has no published adjustment for 8 "
            "antennas; variant \"kron\" has none",
            clash(draft, keys, 7), lte_level_names[c->level].name);
    if (s->channel == LTE_CHANNEL_awgn)
        return lte_refuse("%s: channel.correlation: channel.model \"awgn\" does not fade",
                          clash(draft, keys, 8));
    if (level)
        return lte_correlation_of(c->level, c->link == 1, c->variant == 0, s->n_rx, s->n_tx,
                                  &c->matrix);
    c->matrix.alpha = c->alpha;
    c->matrix.beta = c->beta;
    c->matrix.uplink = c->link == 1;
    return LTE_OK;
}

/* What an estimate of the channel takes; perfect knowledge fits everything. */
static lte_status judge_knowledge(const lte_scenario_draft *draft)
{
    static const lte_scenario_key keys[] = {LTE_KEY_KNOWLEDGE, LTE_KEY_TX, LTE_KEY_CHANNEL,
                                            LTE_KEY_NOISE};
    static const lte_scenario_key chosen[] = {LTE_KEY_KNOWLEDGE, LTE_KEY_DEADLINE_KNOWLEDGE};
    const lte_scenario *s = draft->scenario;
    if (!lte_scenario_knows(s, s->deadline.knowledge))
        return lte_refuse("%s: deadline.knowledge = \"%s\": must be one of knowledge",
                          clash(draft, chosen, 2), lte_knowledge_names[s->deadline.knowledge].name);
    for (int i = 0; i < s->n_knowledge; i++) {
        const char *name = lte_knowledge_names[s->knowledge[i]].name;
        if (s->knowledge[i] == LTE_KNOWLEDGE_perfect)
            continue;
        if (s->n_tx > LTE_PILOT_LAYERS)
            return lte_refuse("%s: antennas.tx = %d, knowledge = \"%s\": 1 to %d layers have a "
                              "reference signal; only \"perfect\" goes beyond",
                              clash(draft, keys, 2), s->n_tx, name, LTE_PILOT_LAYERS);
        if (s->channel == LTE_CHANNEL_rayleigh && s->n_tx > 1)
            return lte_refuse("%s: channel.model = \"rayleigh\", antennas.tx = %d, knowledge = "
                              "\"%s\": its subcarriers are independent, so layers cannot be told "
                              "apart over them; must be another model, one layer, or \"perfect\"",
                              clash(draft, keys, 3), s->n_tx, name);
        if (s->channel == LTE_CHANNEL_rayleigh && s->noise == 0)
            return lte_refuse("%s: channel.model = \"rayleigh\", knowledge = \"%s\", noise = "
                              "\"estimated\": its subcarriers are independent, so an estimate "
                              "leaves no residual to tell the noise; noise must be \"known\"",
                              clash(draft, keys, 4), name);
    }
    return LTE_OK;
}

/* What must hold between keys. */
static lte_status judge(const lte_scenario_draft *draft, const char *path, int n_lines)
{
    const lte_scenario *s = draft->scenario;
    static const lte_scenario_key sizes[] = {LTE_KEY_TX, LTE_KEY_RX, LTE_KEY_CHANNEL};
    static const lte_scenario_key motion[] = {LTE_KEY_DOPPLER, LTE_KEY_CHANNEL};
    static const lte_scenario_key drops[] = {LTE_KEY_DOPPLER, LTE_KEY_DROP_SLOTS,
                                             LTE_KEY_ROUND_SLOTS, LTE_KEY_MAX_SLOTS};
    static const lte_scenario_key slots[] = {LTE_KEY_MIN_SLOTS, LTE_KEY_MAX_SLOTS};
    static const lte_scenario_key chosen[] = {LTE_KEY_DETECTORS, LTE_KEY_DEADLINE_DETECTOR};
    for (int i = 0; i < LTE_N_KEYS; i++) {
        lte_scenario_key key = (lte_scenario_key)i;
        char range[256];
        if (lte_scenario_key_required(key) && !draft->given[key])
            return lte_refuse(
                "%s: %s: missing; must be %s", lte_scenario_place_file(path, n_lines).text,
                lte_scenario_key_path(key), lte_scenario_key_range(key, range, sizeof range));
    }
    if (s->n_tx > s->n_rx)
        return lte_refuse("%s: antennas.tx = %d, antennas.rx = %d: tx must be at most rx",
                          clash(draft, sizes, 2), s->n_tx, s->n_rx);
    if (s->channel == LTE_CHANNEL_awgn && s->n_tx != s->n_rx)
        return lte_refuse("%s: antennas.tx = %d, antennas.rx = %d: channel.model \"awgn\" needs "
                          "tx = rx",
                          clash(draft, sizes, 3), s->n_tx, s->n_rx);
    if (s->doppler_hz > 0.0 && lte_power_delays[s->channel].n_taps == 0)
        return lte_refuse("%s: channel.doppler_hz = %g: channel.model \"%s\" does not move; flat, "
                          "epa, eva and etu do",
                          clash(draft, motion, 2), s->doppler_hz,
                          lte_channel_names[s->channel].name);
    if (s->doppler_hz > 0.0 && (s->sweep.round_slots % s->drop_slots != 0 ||
                                s->sweep.max_slots % (uint64_t)s->drop_slots != 0))
        return lte_refuse("%s: channel.drop_slots = %d, sweep.round_slots = %d, sweep.max_slots = "
                          "%llu: with doppler_hz, round_slots and max_slots must be multiples of "
                          "drop_slots",
                          clash(draft, drops, 4), s->drop_slots, s->sweep.round_slots,
                          (unsigned long long)s->sweep.max_slots);
    if (s->sweep.min_slots > s->sweep.max_slots)
        return lte_refuse("%s: sweep.min_slots = %llu, sweep.max_slots = %llu: min_slots must be "
                          "at most max_slots",
                          clash(draft, slots, 2), (unsigned long long)s->sweep.min_slots,
                          (unsigned long long)s->sweep.max_slots);
    const lte_status status = judge_knowledge(draft);
    if (status)
        return status;
    for (int i = 0; i < s->n_detectors; i++) {
        if (s->detectors[i] == s->deadline.detector)
            return LTE_OK;
    }
    return lte_refuse("%s: deadline.detector = \"%s\": must be one of detectors",
                      clash(draft, chosen, 2), lte_detector_names[s->deadline.detector].name);
}

lte_status lte_scenario_read(const char *path, const char *const *sets, int n_sets,
                             lte_scenario **scenario)
{
    *scenario = NULL;
    int n_lines = 1;
    lte_scenario_draft *draft = calloc(1, sizeof *draft);
    lte_scenario *s = calloc(1, sizeof *s);
    lte_status status = LTE_OK;
    if (!draft || !s) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a scenario");
        goto cleanup;
    }
    draft->scenario = s;
    set_defaults(s);
    name_scenario(path, s);
    status = read_file(path, draft, &n_lines);
    for (int i = 0; !status && i < n_sets; i++)
        status = read_set(sets[i], draft);
    if (status)
        goto cleanup;
    if (!draft->given[LTE_KEY_DEADLINE_DETECTOR] && s->n_detectors > 0)
        s->deadline.detector = s->detectors[s->n_detectors - 1];
    if (!draft->given[LTE_KEY_DEADLINE_KNOWLEDGE])
        s->deadline.knowledge = s->knowledge[s->n_knowledge - 1];
    if (!draft->given[LTE_KEY_DEADLINE_SNR])
        s->deadline.snr_db = s->sweep.snr_db[s->sweep.n_snr - 1];
    status = judge(draft, path, n_lines);
    if (!status)
        status = correlate(draft, s);
    if (status)
        goto cleanup;
    *scenario = s;
    s = NULL;
cleanup:
    lte_scenario_free(s);
    free(draft);
    return status;
}
