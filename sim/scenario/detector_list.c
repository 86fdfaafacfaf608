/* Detectors as a scenario lists them: by name, or as groups with their parameter. */
#include "sim/scenario/reader.h"

#include <stdio.h>
#include <string.h>

#include "sim/files/refuse.h"

static const lte_names known = LTE_NAMES(lte_detector_rows);

/* Element i of the list, a group { name = "cg"; iterations = 4; }. */
static lte_status read_group(const config_setting_t *group, int i, const lte_scenario_place *at,
                             int *detector)
{
    const char *place = at->text;
    char names[256] = "", path[32];
    const char *name = NULL;
    (void)snprintf(path, sizeof path, "detectors[%d].name", i);
    lte_scenario_append_names(names, sizeof names, &known);
    if (config_setting_lookup_string(group, "name", &name) == CONFIG_FALSE)
        return lte_refuse("%s: detectors[%d].name is missing; it must be a string, one of %s",
                          place, i, names);
    *detector = lte_detector_find(name);
    if (*detector < 0 || *detector != lte_detector_id(*detector))
        return lte_scenario_refuse_name(at, path, "detector", name, &known);
    const lte_parameter *parameter = &lte_detector_rows[*detector].parameter;
    for (int k = 0; k < config_setting_length(group); k++) {
        const config_setting_t *member = config_setting_get_elem(group, (unsigned)k);
        const char *key = config_setting_name(member);
        const int type = config_setting_type(member);
        const long long x = config_setting_get_int64(member);
        char value[64];
        if (strcmp(key, "name") == 0)
            continue;
        if (!parameter->name)
            return lte_refuse("%s: unknown key detectors[%d].%.40s; \"%s\" has only name", place, i,
                              key, name);
        if (strcmp(key, parameter->name) != 0)
            return lte_refuse("%s: unknown key detectors[%d].%.40s; \"%s\" has name, %s", place, i,
                              key, name, parameter->name);
        if ((type != CONFIG_TYPE_INT && type != CONFIG_TYPE_INT64) || x < 1 ||
            x > parameter->most) {
            lte_scenario_show_value(member, value, sizeof value);
            return lte_refuse("%s: detectors[%d].%s = %s: must be an integer, 1 to %d", place, i,
                              key, value, parameter->most);
        }
        *detector = lte_detector_with(*detector, (int)x);
    }
    return LTE_OK;
}

lte_status lte_scenario_read_detectors(const config_setting_t *list,
                                       const lte_scenario_place *place, int *detectors, int *n)
{
    const int length = lte_scenario_is_sequence(list) ? config_setting_length(list) : 0;
    char value[512], names[256] = "";
    *n = 0;
    if (length > LTE_MAX_DETECTORS)
        return lte_refuse("%s: detectors lists %d; it may list 1 to %d", place->text, length,
                          LTE_MAX_DETECTORS);
    for (int i = 0; i < length; i++) {
        const config_setting_t *element = config_setting_get_elem(list, (unsigned)i);
        const char *name = config_setting_get_string(element);
        int detector = name ? lte_detector_find(name) : -1;
        if (config_setting_is_group(element)) {
            const lte_status status = read_group(element, i, place, &detector);
            if (status)
                return status;
        } else if (name && detector < 0)
            return lte_scenario_refuse_name(place, "detectors", "detector", name, &known);
        if (detector < 0)
            break;
        for (int k = 0; k < *n; k++) {
            if (detectors[k] == detector)
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
