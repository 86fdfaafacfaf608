/* A scenario file and its overrides, read and checked as a whole. */
#include "sim/scenario/scenario.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/files/refuse.h"
#include "sim/scenario/described_link.h"
#include "sim/scenario/reader.h"

enum { MAX_FILE = 1 << 20 }; /* bytes; a scenario has a few hundred */

void lte_scenario_free(lte_scenario *scenario)
{
    if (scenario) {
        lte_channel_file_fini(&scenario->stored);
        lte_code_free(scenario->codes[0]);
        lte_code_free(scenario->codes[1]);
    }
    free(scenario);
}

lte_status lte_scenario_reach(lte_scenario *scenario, uint64_t slot)
{
    lte_scenario *s = scenario;
    const uint64_t place = s->stored.h ? slot % s->stored.shape.n_slots : 0;
    if (!s->stored.h || place < s->stored.n_read)
        return LTE_OK;
    lte_channel_file_fini(&s->stored);
    return lte_channel_file_read(s->file, s->file, s->n_rx, s->n_tx, s->n_sc, place + 1,
                                 &s->stored);
}

/* ---- the file ---- */

/* Says that a file is not there, and which one is that was perhaps meant: scenarios/X.cfg. */
static lte_status refuse_missing(const char *path)
{
    static const char *const around[][2] = {
        {"", ".cfg"}, {"scenarios/", ""}, {"scenarios/", ".cfg"}};
    const int error = errno;
    char other[400];
    for (size_t i = 0; i < sizeof around / sizeof *around && error == ENOENT; i++) {
        (void)snprintf(other, sizeof other, "%s%.300s%s", around[i][0], path, around[i][1]);
        if (access(other, R_OK) == 0)
            return lte_refuse("%.300s: cannot be read: %s; did you mean %s?", path, strerror(error),
                              other);
    }
    return lte_refuse("%.300s: cannot be read: %s", path, strerror(error));
}

/* Reads a whole file into *text, [*n] bytes and a NUL; the caller frees it. */
static lte_status load(const char *path, char **text, size_t *n)
{
    lte_status status = LTE_OK;
    *text = NULL;
    *n = 0;
    const bool piped = strcmp(path, "-") == 0;
    FILE *file = piped ? stdin : fopen(path, "rb");
    if (!file)
        return refuse_missing(path);
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
        status = lte_refuse("%.300s: the file is larger than 1 MiB; it is not a scenario", path);
    else if (memchr(*text, '\0', *n))
        status = lte_refuse("%.300s: the file holds a zero byte; it is not a text", path);
cleanup:
    if (!piped)
        (void)fclose(file);
    return status;
}

/* The same of a text that is there already. */
static lte_status copy(const char *source, const char *there, char **text, size_t *n)
{
    *n = strlen(there);
    *text = malloc(*n + 2);
    if (!*text)
        return LTE_FAIL(LTE_ENOMEM, "no memory to read a scenario");
    memcpy(*text, there, *n + 1);
    return *n <= MAX_FILE
               ? LTE_OK
               : lte_refuse("%.300s: the text is larger than 1 MiB; it is not a scenario", source);
}

/* The file name without folder and .cfg, unless that leaves no name for a folder. */
static void name_scenario(const char *path, lte_scenario *scenario)
{
    const char *slash = strrchr(path, '/');
    const char *base = strcmp(path, "-") == 0 ? "stdin" : slash ? slash + 1 : path;
    size_t n = strlen(base);
    if (n > 4 && strcmp(base + n - 4, ".cfg") == 0)
        n -= 4;
    if (strspn(base, ".") >= n)
        n = strlen(base);
    lte_scenario_copy_text(scenario->name, sizeof scenario->name, base, n);
}

/*
 * Where libconfig reads n bytes of text into. Some versions of it crash where memory is missing, so
 * it is tried here, as much as libconfig takes for a text of nothing but the shortest settings.
 */
static lte_status begin(config_t *config, size_t n)
{
    enum { SETTING = 256, SHORTEST = 4, SCANNER = 1 << 16 }; /* bytes */
    void *volatile tried =
        malloc(SCANNER + n / SHORTEST * SETTING); /* volatile: or it is left out */
    if (!tried)
        return LTE_FAIL(LTE_ENOMEM, "no memory to read a scenario");
    free(tried);
    config_init(config);
    return LTE_OK;
}

/* Parses a text that was checked before. */
static lte_status parse(config_t *config, const char *text, const lte_scenario_place *place)
{
    if (config_read_string(config, text) == CONFIG_TRUE)
        return LTE_OK;
    return lte_refuse("%s: %s", place->text, config_error_text(config));
}

/* Of the file at path, or of a text that is there instead. */
static lte_status read_file(const char *path, const char *there, lte_scenario_reading *reading,
                            int *n_lines)
{
    lte_scenario *s = reading->scenario;
    config_t config = {0};
    char *text = NULL;
    size_t n = 0;
    lte_status status = there ? copy(path, there, &text, &n) : load(path, &text, &n);
    if (!status)
        status = begin(&config, n);
    if (status || !text)
        goto cleanup;

    bool marked = strncmp(text, "\xef\xbb\xbf", 3) == 0; /* byte-order mark */
    const char *start = marked ? text + 3 : text;
    status = lte_scenario_check_text(start, path, s->title, sizeof s->title, n_lines);
    if (status)
        goto cleanup;
    memcpy(text + n, "\n", 2); /* a comment needs it; load and copy left room */
    lte_scenario_place place = lte_scenario_place_file(path, *n_lines);
    status = parse(&config, start, &place);
    if (!status)
        status = lte_scenario_read_all(config_root_setting(&config), path, reading);
    if (!status && reading->given[LTE_KEY_SNR_GRID] && reading->given[LTE_KEY_SNR_POINTS])
        status =
            lte_refuse("%s: sweep.snr_points and sweep.snr_db are both given; keep one of them",
                       reading->place[LTE_KEY_SNR_POINTS].text);
cleanup:
    config_destroy(&config);
    free(text);
    return status;
}

/* A channel.file in a scenario is meant from the scenario's folder. */
static lte_status seek_file(const char *path, lte_scenario_reading *reading)
{
    lte_scenario *s = reading->scenario;
    char name[sizeof s->file];
    const char *slash = strrchr(path, '/');
    const int folder = slash && s->file[0] != '/' ? (int)(slash - path) + 1 : 0;
    (void)snprintf(name, sizeof name, "%s", s->file);
    if (snprintf(s->file, sizeof s->file, "%.*s%s", folder, path, name) >= (int)sizeof s->file)
        return lte_refuse("%s: channel.file: the name is too long",
                          reading->place[LTE_KEY_FILE].text);
    return LTE_OK;
}

/* ---- overrides ---- */

static bool is_bare_word(const char *text, size_t n, lte_scenario_key key)
{
    const char *marks = key == LTE_KEY_FILE ? "_.:+-/" : "_.:+-";
    for (size_t i = 0; i < n; i++) {
        if (!isalnum((unsigned char)text[i]) && !strchr(marks, text[i]))
            return false;
    }
    const lte_scenario_word kind = lte_scenario_classify(text);
    return n > 0 && (kind == LTE_WORD_NAME || kind == LTE_WORD_OTHER);
}

/* Writes words a,b,c as the list ( "a", "b", "c" ); false if one is no bare word. */
static bool write_list(char *text, size_t size, const char *value, lte_scenario_key key)
{
    char word[64];
    size_t used = (size_t)snprintf(text, size, "(");
    for (;;) {
        const size_t n = strcspn(value, ",");
        if (n >= sizeof word)
            return false;
        (void)snprintf(word, sizeof word, "%.*s", (int)n, value);
        if (!is_bare_word(word, n, key))
            return false;
        used +=
            (size_t)snprintf(text + used, size - used, " \"%s\"%s", word, value[n] ? "," : " )");
        if (!value[n])
            return true;
        value += n + 1;
    }
}

/*
 * Writes "value = VALUE;" as libconfig reads it: a bare word gets its quotes, several make a list,
 * as do several SNRs.
 */
static void write_setting(char *text, size_t size, const char *value, lte_scenario_key key)
{
    size_t n = strlen(value);
    while (n > 0 && isspace((unsigned char)value[n - 1]))
        n--;
    (void)snprintf(text, size, "%.*s", (int)n, value);
    const bool detectors = key == LTE_KEY_DETECTORS || key == LTE_KEY_DEADLINE_DETECTORS;
    const bool listed = detectors || key == LTE_KEY_CSI;
    const bool numbers = key == LTE_KEY_SNR_GRID || key == LTE_KEY_SNR_POINTS ||
                         key == LTE_KEY_CODE_MCS || key == LTE_KEY_CODE_BITS ||
                         key == LTE_KEY_CODE_VERSIONS || key == LTE_KEY_REQUIRED ||
                         key == LTE_KEY_ALLOCATION;
    const bool quoted = *text == '"' || *text == '(' || *text == '[' || *text == '{';
    const bool text_alone =
        (key == LTE_KEY_TITLE || key == LTE_KEY_VERSION) && !quoted && !strpbrk(text, "\"\\");
    if (text_alone || (is_bare_word(text, n, key) && !detectors)) {
        (void)snprintf(text, size, "\"%.*s\"", (int)n, value);
    } else if (numbers && !quoted && strchr(text, ',')) {
        (void)snprintf(text, size, "( %.*s )", (int)n, value);
    } else if (listed && !quoted) {
        char plain[1024];
        if (n < sizeof plain)
            memcpy(plain, text, n + 1);
        if (n >= sizeof plain || !write_list(text, size, plain, key))
            (void)snprintf(text, size, "%.*s", (int)n, value);
    }
}

/* Splits "path = value" and finds the key; *value gets what stands behind the equals sign. */
static lte_status split_set(const char *set, const lte_scenario_place *place,
                            char path[LTE_SCENARIO_PATH], lte_scenario_key *key, const char **value)
{
    size_t n = strcspn(set, "=");
    *value = set + n + (set[n] == '=');
    while (isspace((unsigned char)**value))
        ++*value;
    for (; isspace((unsigned char)*set) && n > 0; n--)
        set++;
    while (n > 0 && isspace((unsigned char)set[n - 1]))
        n--;
    if (n == 0 || n >= LTE_SCENARIO_PATH || !**value)
        return lte_refuse("%s: must be PATH=VALUE, as in sweep.min_slots=128", place->text);
    (void)snprintf(path, LTE_SCENARIO_PATH, "%.*s", (int)n, set);
    return lte_scenario_find_key(path, place, key);
}

static bool takes_away(const char *value)
{
    return strcmp(value, "default") == 0;
}

/* Looks which keys the overrides take away, and where. */
static lte_status find_taken_away(const char *const *sets, int n_sets,
                                  lte_scenario_reading *reading)
{
    for (int i = 0; i < n_sets; i++) {
        const lte_scenario_place place = lte_scenario_place_set(sets[i]);
        char path[LTE_SCENARIO_PATH];
        const char *value = NULL;
        lte_scenario_key key = LTE_N_KEYS;
        const lte_status status = split_set(sets[i], &place, path, &key, &value);
        if (status)
            return status;
        if (takes_away(value))
            reading->counts_from[key] = i + 1;
    }
    return LTE_OK;
}

/* One override. */
static lte_status read_set(const char *set, lte_scenario_reading *reading)
{
    enum { ROOM = 32 }; /* for what write_setting adds, and as much again for each word of a list */
    lte_scenario_place place = lte_scenario_place_set(set);
    lte_scenario_key key = LTE_N_KEYS;
    char path[LTE_SCENARIO_PATH], *text = NULL, *setting = NULL;
    const char *value = NULL;
    config_t config = {0};
    const size_t size = 4 * strlen(set) + ROOM;
    lte_status status = split_set(set, &place, path, &key, &value);
    if (status)
        return status;
    if (takes_away(value))
        return LTE_OK;

    status = begin(&config, size);
    if (status)
        return status;
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
            key, config_setting_get_elem(config_root_setting(&config), 0), &place, reading);
cleanup:
    config_destroy(&config);
    free(setting);
    free(text);
    return status;
}

/* A title that no override has set says what they have: "... [changed: modulation=256qam]". */
static void entitle(lte_scenario *s, const char *const *sets, int n_sets)
{
    enum { MOST = 64, EACH = 60 }; /* bytes of overrides that a title takes */
    char text[MOST + EACH + 32] = "", one[EACH + 1], title[sizeof s->title];
    int n = 0;
    size_t used = 0;
    for (; n < n_sets && (n == 0 || used + strlen(sets[n]) < MOST); n++) {
        lte_scenario_copy_text(one, sizeof one, sets[n], strlen(sets[n]));
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", n ? ", " : "", one);
    }
    if (n < n_sets)
        used += (size_t)snprintf(text + used, sizeof text - used, ", %d more", n_sets - n);
    if (n_sets == 0)
        return;
    const char *of = *s->title ? s->title : s->name;
    used += strlen(LTE_CHANGED "]");
    lte_scenario_copy_text(title, sizeof title - used, of, strlen(of));
    (void)snprintf(s->title, sizeof s->title, "%.*s%s%s]", (int)(sizeof title - used - 1), title,
                   LTE_CHANGED, text);
}

/* ---- the whole ---- */

static void set_defaults(lte_scenario *s)
{
    s->channel = LTE_CHANNEL_rayleigh;
    s->drop_slots = 8;
    s->csi_references = 1;
    s->correlation.level = -1;
    s->csi[0] = LTE_CSI_perfect;
    s->n_csi = 1;
    s->llr_scale = 8.0;
    s->code =
        (lte_scenario_code){.mcs = -1, .transmissions = 1, .iterations = 6, .early_stop = true};
    s->sweep.n_snr = (int)lte_scenario_grid(0.0, 30.0, 5.0, s->sweep.snr_db);
    s->sweep.min_bit_errors = 1000;
    s->sweep.min_slots = 64;
    s->sweep.max_slots = 4096;
    s->sweep.round_slots = 64;
    s->sweep.min_clusters = 20;
    s->deadline.slots = 2000;
    s->deadline.distinct = 64;
    s->deadline.carriers = 1;
    s->deadline.budget_us = 500.0;
    s->deadline.on_time = 0.999;
    s->deadline.paced = true;
    s->seed = 1;
    memcpy(s->backend, "auto", sizeof "auto");
}

/* A scenario from a file, or from a text that is there instead. */
/* Whether the deadline run times a detector whose time depends on what is received. */
static bool times_vary(lte_scenario *s)
{
    (void)lte_scenario_find_in_turn(s); /* one that is not there is refused later */
    bool vary = lte_detector_row_of(s->deadline.detector)->varies;
    for (int i = 0; i < s->deadline.n_in_turn; i++)
        vary = vary || lte_detector_row_of(s->deadline.in_turn[i])->varies;
    return vary;
}

/*
 * Such a time takes many slots to know: 4096 different ones, or what 2 GiB hold, and as many times
 * as its p99.9 needs.
 */
static void default_slots(const lte_scenario_reading *reading)
{
    lte_scenario *s = reading->scenario;
    lte_scenario_deadline *const deadline = &s->deadline;
    const double matrices = s->doppler_hz > 0.0 ? LTE_SLOT_SYMBOLS : 1.0;
    const double slot = (double)s->n_sc * s->n_rx * sizeof(lte_cf32) *
                        (LTE_SLOT_SYMBOLS + matrices * s->n_tx); /* y and H */
    if (!times_vary(s) || reading->given[LTE_KEY_FILE])
        return;
    const int fit = (int)fmin(LTE_VARIED_SLOTS, 0x1p31 / slot) / 64 * 64;
    if (!reading->given[LTE_KEY_DEADLINE_SLOTS])
        deadline->slots = LTE_VARIED_TIMES;
    if (!reading->given[LTE_KEY_DISTINCT] && fit > deadline->distinct)
        deadline->distinct = fit < deadline->slots ? fit : deadline->slots;
}

static lte_status read_scenario(const char *path, const char *there, const char *const *sets,
                                int n_sets, lte_scenario **scenario)
{
    *scenario = NULL;
    int n_lines = 1;
    lte_scenario_reading *reading = calloc(1, sizeof *reading);
    lte_scenario *s = calloc(1, sizeof *s);
    lte_status status = LTE_OK;
    if (!reading || !s) {
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a scenario");
        goto cleanup;
    }
    reading->scenario = s;
    set_defaults(s);
    name_scenario(path, s);
    const char *const slash = there ? NULL : strrchr(path, '/');
    (void)snprintf(reading->folder, sizeof reading->folder, "%.*s",
                   slash ? (int)(slash - path) + 1 : 0, path);
    status = find_taken_away(sets, n_sets, reading);
    if (!status)
        status = read_file(path, there, reading, &n_lines);
    if (!status && !there && reading->given[LTE_KEY_FILE])
        status = seek_file(path, reading);
    const bool titled = reading->given[LTE_KEY_TITLE]; /* by the file */
    reading->given[LTE_KEY_TITLE] = false;
    for (int i = 0; !status && i < n_sets; i++) {
        reading->at = i + 1;
        status = read_set(sets[i], reading);
    }
    if (status)
        goto cleanup;
    if (!reading->given[LTE_KEY_TITLE])
        entitle(s, sets, n_sets);
    reading->given[LTE_KEY_TITLE] = reading->given[LTE_KEY_TITLE] || titled;
    while (!reading->given[LTE_KEY_INVERTER] && s->inverter < LTE_N_INVERTERS - 1 &&
           lte_inverter_rows[s->inverter].max_order < s->n_tx)
        s->inverter++; /* the first that takes the order */
    if (lte_scenario_searches(s) && !reading->given[LTE_KEY_PRECISION])
        s->sweep.precision = 0.05;
    if (s->sweep.precision > 0.0 && !reading->given[LTE_KEY_MIN_BIT_ERRORS])
        s->sweep.min_bit_errors = 0; /* the precision decides */
    if (!reading->given[LTE_KEY_DEADLINE_DETECTOR] && s->n_detectors > 0)
        s->deadline.detector = s->detectors[s->n_detectors - 1];
    if (!reading->given[LTE_KEY_DEADLINE_CSI])
        s->deadline.csi = s->csi[s->n_csi - 1];
    if (!reading->given[LTE_KEY_DEADLINE_SNR])
        s->deadline.snr_db = s->sweep.snr_db[s->sweep.n_snr - 1];
    for (int key = LTE_KEY_CODE_LINK; key <= LTE_KEY_CODE_EARLY; key++)
        s->code.given = s->code.given || reading->given[key];
    memcpy(s->code.mcs_place, reading->place[LTE_KEY_CODE_MCS].text, sizeof s->code.mcs_place);
    s->counted = s->code.given                 ? LTE_COUNTED_BLOCKS
                 : s->output == LTE_OUTPUT_LLR ? LTE_COUNTED_LLRS
                                               : LTE_COUNTED_BITS;
    lte_scenario_default_link(reading);
    const int mcs = s->code.mcs;
    if (mcs >= 0 && !reading->given[LTE_KEY_MODULATION] &&
        mcs < lte_mcs_count(lte_scenario_mcs_table(s))) {
        s->n_bits = lte_mcs_bits(lte_scenario_mcs_table(s), mcs);
        reading->given[LTE_KEY_MODULATION] = true;
    }
    const lte_carrier *carrier = lte_carrier_find(s->bandwidth_mhz);
    if (!reading->given[LTE_KEY_ALLOCATION] && carrier)
        s->n_rb = carrier->n_rb;
    s->n_sc = LTE_RB_SC * s->n_rb;
    default_slots(reading);
    status = lte_scenario_check(reading, path, n_lines);
    if (status)
        goto cleanup;
    lte_scale_losses(s->llr_scale, s->scale_losses);
    lte_integer_losses(s->llr_scale, s->integer_losses);
    if (lte_scenario_rules_of[s->counted].make)
        status = lte_scenario_rules_of[s->counted].make(s);
    if (status)
        goto cleanup;
    *scenario = s;
    s = NULL;
cleanup:
    lte_scenario_free(s);
    free(reading);
    return status;
}

lte_status lte_scenario_read(const char *path, const char *const *sets, int n_sets,
                             lte_scenario **scenario)
{
    return read_scenario(path, NULL, sets, n_sets, scenario);
}

lte_status lte_scenario_read_text(const char *text, const char *source, lte_scenario **scenario)
{
    return read_scenario(source, text, NULL, 0, scenario);
}
