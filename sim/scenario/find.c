/* Keys found by their paths, and what an unknown one may have meant. */
#include "sim/scenario/reader.h"

#include <stdio.h>
#include <string.h>

#include "sim/files/refuse.h"

/* True if path is a group of keys: "sweep". */
static bool is_group(const char *path)
{
    size_t n = strlen(path);
    for (int key = 0; key < LTE_N_KEYS; key++) {
        const char *known = lte_scenario_key_path((lte_scenario_key)key);
        if (strncmp(known, path, n) == 0 && known[n] == '.')
            return true;
    }
    return false;
}

/* The key of a path; one that is a group, too, has its own value as the member name. */
static bool find(const char *path, lte_scenario_key *key)
{
    for (int i = 0; i < LTE_N_KEYS; i++) {
        const char *known = lte_scenario_key_path((lte_scenario_key)i);
        const size_t n = strlen(known);
        *key = (lte_scenario_key)i;
        if (strcmp(known, path) == 0 ||
            (strncmp(known, path, n) == 0 && strcmp(path + n, ".name") == 0 && is_group(known)))
            return true;
    }
    return false;
}

static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* The names that a group holds ("" is the file), as "a, b, c". */
static void list_members(const char *group, char *text, size_t size)
{
    size_t n = strlen(group);
    const char *last = "";
    size_t last_n = 0;
    lte_scenario_key itself;
    (void)snprintf(text, size, "%s", n > 0 && find(group, &itself) ? "name" : "");
    for (int key = 0; key < LTE_N_KEYS; key++) {
        const char *known = lte_scenario_key_path((lte_scenario_key)key);
        if (n > 0 && (strncmp(known, group, n) != 0 || known[n] != '.'))
            continue;
        known += n > 0 ? n + 1 : 0;
        size_t length = strcspn(known, ".");
        if (length == last_n && strncmp(known, last, length) == 0)
            continue; /* keys of a group stand together */
        size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", (int)length, known);
        last = known;
        last_n = length;
    }
}

/* What an unknown path may have meant, "" if nothing: a key or group close to it, or its name
 * elsewhere. */
static void guess(const char *path, char *meant, size_t size)
{
    int closest = lte_name_most_edits(path) + 1;
    *meant = '\0';
    for (int key = 0; key < LTE_N_KEYS; key++) {
        const char *known = lte_scenario_key_path((lte_scenario_key)key);
        char group[LTE_SCENARIO_PATH];
        (void)snprintf(group, sizeof group, "%.*s", (int)strcspn(known, "."), known);
        int edits = lte_name_edits(path, known), group_edits = lte_name_edits(path, group);
        if (edits >= 2 && strcmp(last_name(path), last_name(known)) == 0)
            edits = 2;
        if (edits < closest || group_edits < closest) {
            closest = edits < group_edits ? edits : group_edits;
            (void)snprintf(meant, size, "%s", edits <= group_edits ? known : group);
        }
    }
}

static lte_status refuse_unknown(const char *path, const lte_scenario_place *place)
{
    char group[LTE_SCENARIO_PATH], members[512], meant[LTE_SCENARIO_PATH];
    guess(path, meant, sizeof meant);
    size_t n = (size_t)(last_name(path) - path);
    (void)snprintf(group, sizeof group, "%.*s", n > 0 ? (int)n - 1 : 0, path);
    if (*meant)
        return lte_refuse("%s: unknown key %.100s; did you mean %s?", place->text, path, meant);
    if (!is_group(group))
        *group = '\0';
    list_members(group, members, sizeof members);
    return lte_refuse("%s: unknown key %.100s; %s has %s", place->text, path,
                      *group ? group : "a scenario", members);
}

lte_status lte_scenario_find_key(const char *path, const lte_scenario_place *place,
                                 lte_scenario_key *key)
{
    if (find(path, key))
        return LTE_OK;
    if (is_group(path)) {
        char members[512];
        list_members(path, members, sizeof members);
        return lte_refuse("%s: %s is a group of keys; name one of them: %s", place->text, path,
                          members);
    }
    return refuse_unknown(path, place);
}

static lte_status read_members(const config_setting_t *group, const char *prefix, const char *file,
                               lte_scenario_reading *reading)
{
    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *setting = config_setting_get_elem(group, (unsigned)i);
        lte_scenario_place place =
            lte_scenario_place_file(file, (int)config_setting_source_line(setting));
        char path[LTE_SCENARIO_PATH];
        (void)snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "",
                       config_setting_name(setting));
        lte_scenario_key key = LTE_N_KEYS;
        lte_status status;
        if (config_setting_is_group(setting) && is_group(path) &&
            config_setting_length(setting) == 0) {
            char members[512];
            list_members(path, members, sizeof members);
            return lte_refuse("%s: %s is empty: remove it, or give it one of %s", place.text, path,
                              members);
        }
        if (config_setting_is_group(setting) && is_group(path)) {
            status = read_members(setting, path, file, reading);
        } else if (is_group(path) && !find(path, &key)) {
            char value[512], members[512];
            lte_scenario_show_value(setting, value, sizeof value);
            list_members(path, members, sizeof members);
            return lte_refuse("%s: %s = %s: must be a group { ... } of %s", place.text, path, value,
                              members);
        } else {
            status = lte_scenario_find_key(path, &place, &key);
            if (!status)
                status = lte_scenario_read_key(key, setting, &place, reading);
        }
        if (status)
            return status;
    }
    return LTE_OK;
}

lte_status lte_scenario_read_all(const config_setting_t *root, const char *file,
                                 lte_scenario_reading *reading)
{
    return read_members(root, "", file, reading);
}
