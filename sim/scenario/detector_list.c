/* Detectors as a scenario lists them: by name, or as groups with their parameter. */
#include "sim/scenario/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "phy/detection/plugin.h"
#include "sim/files/refuse.h"

static const lte_names known = LTE_NAMES(lte_detector_rows);

/* " k, clip", the names of a row's parameters. */
static const char *parameters_of(const lte_detector_row *row, char *text, size_t size)
{
    size_t n = 0;
    *text = '\0';
    for (int i = 0; i < LTE_MOST_PARAMETERS && row->parameter[i].name && n < size; i++)
        n += (size_t)snprintf(&text[n], size - n, ", %s", row->parameter[i].name);
    return text;
}

/* The number of a word that a parameter takes, -1: it is none, or no word. */
static double word_of(const lte_parameter *parameter, const config_setting_t *member)
{
    const char *word = config_setting_get_string(member);
    for (int i = 0; word && i <= (int)parameter->most; i++) {
        if (strcasecmp(word, parameter->words[i]) == 0)
            return i;
    }
    return -1.0;
}

/* What a parameter may be, in words. */
static const char *range_of(const lte_parameter *parameter, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "%s",
                                parameter->words  ? "one of "
                                : parameter->real ? "a number of at most 3 decimals, "
                                                  : "an integer, ");
    for (int i = 0; parameter->words && i <= (int)parameter->most && n < size; i++)
        n += (size_t)snprintf(&text[n], size - n, "%s%s", i > 0 ? ", " : "", parameter->words[i]);
    if (!parameter->words)
        (void)snprintf(&text[n], size - n, "%.9g to %.9g", parameter->least, parameter->most);
    return text;
}

/* A member of the group of element i, other than its name: a parameter's value. */
static lte_status read_parameter(const config_setting_t *member, int i, const char *place,
                                 lte_detector *detector)
{
    const lte_detector_row *row = lte_detector_row_of(*detector);
    const char *key = config_setting_name(member);
    const int type = config_setting_type(member);
    const bool whole = type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
    char value[64], names[128];
    int k = 0;
    while (k < LTE_MOST_PARAMETERS && row->parameter[k].name &&
           strcmp(key, row->parameter[k].name) != 0)
        k++;
    if (k == LTE_MOST_PARAMETERS || !row->parameter[k].name)
        return lte_refuse("%s: unknown key detectors[%d].%.40s; \"%s\" has %sname%s", place, i, key,
                          row->name, row->parameter[0].name ? "" : "only ",
                          parameters_of(row, names, sizeof names));
    const lte_parameter *parameter = &row->parameter[k];
    double x = parameter->words            ? word_of(parameter, member)
               : whole                     ? (double)config_setting_get_int64(member)
               : type == CONFIG_TYPE_FLOAT ? config_setting_get_float(member)
                                           : (double)NAN;
    const bool number = !parameter->words && !parameter->real;
    if (!lte_parameter_takes(parameter, &x) || (number && !whole)) {
        char range[128];
        lte_scenario_show_value(member, value, sizeof value);
        return lte_refuse("%s: detectors[%d].%s = %s: must be %s", place, i, key, value,
                          range_of(parameter, range, sizeof range));
    }
    detector->value[k] = x;
    return LTE_OK;
}

/* True for a name that a plug-in or its parameter may have. */
static bool is_plain(const char *name)
{
    const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789");
    return *name >= 'a' && *name <= 'z' && name[n] == '\0' &&
           n < sizeof((lte_plugin_text *)NULL)->name;
}

/* A member of a plug-in's group that is none of its own: a parameter. */
static lte_status read_plugin_parameter(const config_setting_t *member, int i, const char *place,
                                        lte_plugin_text *said)
{
    static const lte_parameter any = {.name = "", .least = 0.0, .most = 1e6, .real = true};
    const char *key = config_setting_name(member);
    const int type = config_setting_type(member);
    const bool whole = type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
    double x = whole                       ? (double)config_setting_get_int64(member)
               : type == CONFIG_TYPE_FLOAT ? config_setting_get_float(member)
                                           : (double)NAN;
    char value[64], range[128];
    lte_scenario_show_value(member, value, sizeof value);
    if (!is_plain(key) || said->n_parameters == LTE_MOST_PARAMETERS)
        return lte_refuse("%s: detectors[%d].%.40s: a plug-in has up to %d parameters, whose names "
                          "are a lower-case letter and up to 22 lower-case letters, digits and _",
                          place, i, key, LTE_MOST_PARAMETERS);
    if (!lte_parameter_takes(&any, &x))
        return lte_refuse("%s: detectors[%d].%s = %s: must be %s", place, i, key, value,
                          range_of(&any, range, sizeof range));
    (void)snprintf(said->parameter[said->n_parameters].name, sizeof said->parameter[0].name, "%s",
                   key);
    said->parameter[said->n_parameters++].value = x;
    return LTE_OK;
}

/* A member of the group, a string; NULL: there is none, or it is none. */
static const char *string_of(const config_setting_t *group, const char *key)
{
    const config_setting_t *member = config_setting_get_member(group, key);
    return member ? config_setting_get_string(member) : NULL;
}

/* Whether a path can stand in run.json, whose text is UTF-8. */
static bool can_be_stored(const char *path)
{
    json_t *text = json_string(path);
    json_decref(text);
    return text;
}

/* Whether a string is a SHA-256. */
static bool is_digest(const char *text)
{
    const size_t n = sizeof((lte_plugin_text *)NULL)->sha256 - 1;
    return text && strlen(text) == n && strspn(text, "0123456789abcdef") == n;
}

/* Element i of the list, a group with a plug-in, which is sought from a folder. */
static lte_status read_plugin(const config_setting_t *group, int i, const char *folder,
                              const char *place, lte_detector *detector)
{
    const char *const name = string_of(group, "name"), *const path = string_of(group, "plugin");
    const char *const sha256 = string_of(group, "sha256");
    lte_plugin_text said = {.n_parameters = 0};
    lte_status status = LTE_OK;
    int id = -1;
    if (!name || !is_plain(name) || lte_name_find(&known, name) >= 0)
        return lte_refuse("%s: detectors[%d].name: a plug-in needs a name of its own: a lower-case "
                          "letter and up to 22 lower-case letters, digits and _",
                          place, i);
    if (!path || !*path)
        return lte_refuse("%s: detectors[%d].plugin: must be a string, the name of a shared object",
                          place, i);
    if (config_setting_get_member(group, "sha256") && !is_digest(sha256))
        return lte_refuse("%s: detectors[%d].sha256: must be a string of 64 hexadecimal digits, "
                          "letters in lower case",
                          place, i);
    (void)snprintf(said.name, sizeof said.name, "%s", name);
    (void)snprintf(said.sha256, sizeof said.sha256, "%s", sha256 ? sha256 : "");
    if (snprintf(said.path, sizeof said.path, "%s%s", *path == '/' ? "" : folder, path) >=
        (int)sizeof said.path)
        return lte_refuse("%s: detectors[%d].plugin: the name is too long", place, i);
    if (!can_be_stored(said.path))
        return lte_refuse("%s: detectors[%d].plugin: the name, with its folder's, must be UTF-8",
                          place, i);
    for (int k = 0; k < config_setting_length(group) && !status; k++) {
        const config_setting_t *member = config_setting_get_elem(group, (unsigned)k);
        const char *key = config_setting_name(member);
        if (strcmp(key, "name") != 0 && strcmp(key, "plugin") != 0 && strcmp(key, "sha256") != 0)
            status = read_plugin_parameter(member, i, place, &said);
    }
    if (!status)
        status = lte_plugin_declare(&said, &id);
    if (!status)
        *detector = lte_detector_usual(id);
    return status;
}

/* Element i of the list, a group { name = "cg"; iterations = 4; }. */
static lte_status read_group(const config_setting_t *group, int i, const char *folder,
                             const lte_scenario_place *at, lte_detector *detector)
{
    char names[256] = "", path[32];
    const char *name = NULL;
    lte_status status = LTE_OK;
    if (config_setting_get_member(group, "plugin"))
        return read_plugin(group, i, folder, at->text, detector);
    (void)snprintf(path, sizeof path, "detectors[%d].name", i);
    lte_scenario_append_names(names, sizeof names, &known);
    if (config_setting_lookup_string(group, "name", &name) == CONFIG_FALSE)
        return lte_refuse("%s: detectors[%d].name is missing; it must be a string, one of %s",
                          at->text, i, names);
    const int id = lte_name_find(&known, name);
    if (id < 0)
        return lte_scenario_refuse_name(at, path, "detector", name, &known);
    *detector = lte_detector_usual(id);
    for (int k = 0; k < config_setting_length(group) && !status; k++) {
        const config_setting_t *member = config_setting_get_elem(group, (unsigned)k);
        if (strcmp(config_setting_name(member), "name") != 0)
            status = read_parameter(member, i, at->text, detector);
    }
    return status;
}

bool lte_scenario_choose_detector(const char *name, lte_scenario *s)
{
    lte_scenario_deadline *const deadline = &s->deadline;
    *deadline->plugin = '\0';
    if (lte_detector_find(name, &deadline->detector))
        return true;
    (void)snprintf(deadline->plugin, sizeof deadline->plugin, "%s", name);
    return strlen(name) < sizeof deadline->plugin;
}

bool lte_scenario_find_plugin(lte_scenario *s)
{
    for (int i = 0; i < s->n_detectors; i++) {
        if (strcasecmp(lte_detector_named(s->detectors[i]).text, s->deadline.plugin) == 0) {
            s->deadline.detector = s->detectors[i];
            return true;
        }
    }
    return false;
}

lte_status lte_scenario_read_in_turn(const config_setting_t *list, const lte_scenario_place *place,
                                     lte_scenario *scenario)
{
    lte_scenario_deadline *const deadline = &scenario->deadline;
    const int n = lte_scenario_is_sequence(list) ? config_setting_length(list) : 0;
    bool right = n >= 1 && n <= LTE_MAX_DETECTORS;
    for (int i = 0; i < n && right; i++) {
        const char *name = config_setting_get_string_elem(list, i);
        right = name && strlen(name) < sizeof deadline->turn_name[i];
        if (right)
            (void)snprintf(deadline->turn_name[i], sizeof deadline->turn_name[i], "%s", name);
    }
    deadline->n_in_turn = n;
    if (right)
        return LTE_OK;
    char value[512];
    lte_scenario_show_value(list, value, sizeof value);
    return lte_refuse("%s: deadline.detectors = %s: must be a list of 1 to %d strings, of those in "
                      "detectors",
                      place->text, value, LTE_MAX_DETECTORS);
}

/* The place in the list of a detector of this name; -1: none. */
static int find_listed(const lte_scenario *s, const char *name)
{
    lte_detector detector;
    const bool is_row = lte_detector_find(name, &detector);
    for (int i = 0; i < s->n_detectors; i++) {
        if (is_row ? lte_detector_compare(s->detectors[i], detector) == 0
                   : strcasecmp(lte_detector_named(s->detectors[i]).text, name) == 0)
            return i;
    }
    return -1;
}

const char *lte_scenario_find_in_turn(lte_scenario *s)
{
    lte_scenario_deadline *const deadline = &s->deadline;
    unsigned found = 0;
    for (int i = 0; i < deadline->n_in_turn; i++) {
        const int at = find_listed(s, deadline->turn_name[i]);
        if (at < 0 || found >> at & 1)
            return deadline->turn_name[i];
        found |= 1u << at;
        deadline->in_turn[i] = s->detectors[at];
    }
    return NULL;
}

/* The detector of a name in the list: of a row, or a plug-in that another list has named. */
static bool find_named(const char *name, lte_detector *detector)
{
    const int plugin = lte_plugin_find(name);
    if (!lte_detector_find(name, detector) && plugin >= 0)
        *detector = lte_detector_usual(plugin);
    else
        return lte_detector_find(name, detector);
    return true;
}

/* Refuses a name; of a known detector with values that it does not take it says which it takes. */
static lte_status refuse_detector(const lte_scenario_place *place, const char *name)
{
    char head[48] = "", takes[256] = "", range[128];
    int id = -1;
    for (size_t n = strlen(name); id < 0 && n > 0; n--) { /* the longest one that has values */
        if (name[n] == '-' && n < sizeof head) {
            (void)snprintf(head, sizeof head, "%.*s", (int)n, name);
            id = lte_name_find(&known, head);
        }
    }
    if (id < 0)
        return lte_scenario_refuse_name(place, "detectors", "detector", name, &known);
    const lte_detector_row *row = lte_detector_row_of(lte_detector_usual(id));
    size_t at = 0;
    for (int k = 0; k < LTE_MOST_PARAMETERS && row->parameter[k].name && at < sizeof takes; k++)
        at += (size_t)snprintf(&takes[at], sizeof takes - at, "%s%s %s", k > 0 ? "; " : "",
                               row->parameter[k].name,
                               range_of(&row->parameter[k], range, sizeof range));
    return lte_refuse("%s: detectors: \"%.40s\": %s has %s", place->text, name, row->name,
                      *takes ? takes : "no parameters");
}

lte_status lte_scenario_read_detectors(const config_setting_t *list, const char *folder,
                                       const lte_scenario_place *place, lte_scenario *scenario)
{
    lte_detector *const detectors = scenario->detectors;
    int *const n = &scenario->n_detectors;
    const int length = lte_scenario_is_sequence(list) ? config_setting_length(list) : 0;
    char value[512], names[256] = "";
    *n = 0;
    if (length > LTE_MAX_DETECTORS)
        return lte_refuse("%s: detectors lists %d; it may list 1 to %d", place->text, length,
                          LTE_MAX_DETECTORS);
    for (int i = 0; i < length; i++) {
        const config_setting_t *element = config_setting_get_elem(list, (unsigned)i);
        const char *name = config_setting_get_string(element);
        lte_detector detector;
        if (config_setting_is_group(element)) {
            const lte_status status = read_group(element, i, folder, place, &detector);
            if (status)
                return status;
        } else if (!name)
            break;
        else if (!find_named(name, &detector))
            return refuse_detector(place, name);
        for (int k = 0; k < *n; k++) {
            if (strcasecmp(lte_detector_named(detectors[k]).text,
                           lte_detector_named(detector).text) == 0)
                return lte_refuse("%s: detectors: \"%s\" is listed twice", place->text,
                                  lte_detector_named(detector).text);
        }
        detectors[(*n)++] = detector;
    }
    if (length > 0 && *n == length)
        return LTE_OK;
    lte_scenario_show_value(list, value, sizeof value);
    lte_scenario_append_names(names, sizeof names, &known);
    return lte_refuse("%s: detectors = %s: must be a list of strings, at least one of %s",
                      place->text, value, names);
}
