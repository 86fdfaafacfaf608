/* A scenario from what lte_scenario_json has made of it: as the text of a file, read like one. */
#include "sim/scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/json_memory.h"
#include "sim/files/refuse.h"
#include "sim/scenario/parts.h"

static void put_value(FILE *out, const json_t *value);

/*
 * True for what is no key of a file: the name; the backend, which this machine may lack; and what was
 * in a file of channels, among the members of channel.
 */
static bool is_no_key(const json_t *object, const char *key)
{
    static const char *const names[] = {"name",       "backend",           "slots",
                                        "slots_read", "channels_per_slot", "checksum"};
    const size_t n = json_object_get(object, "checksum") ? 6 : 2;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(key, names[i]) == 0)
            return true;
    }
    return false;
}

/* Members as "key = value;". */
static void put_members(FILE *out, const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (is_no_key(object, key))
            continue;
        (void)fprintf(out, "%s = ", key);
        put_value(out, value);
        (void)fputs(";\n", out);
    }
}

static void put_value(FILE *out, const json_t *value)
{
    if (json_is_object(value)) {
        (void)fputs("{\n", out);
        put_members(out, value);
        (void)fputs("}", out);
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            (void)fputs(i ? ", " : "(", out);
            put_value(out, json_array_get(value, i));
        }
        (void)fputs(")", out);
    } else {
        (void)json_dumpf(value, out, JSON_ENCODE_ANY);
        (void)fputs(json_is_integer(value) ? "L" : "", out);
    }
}

/* The text of a scenario, NULL without memory; the caller frees it. */
static char *text_of(const json_t *json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    put_members(out, json);
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

lte_status lte_scenario_from_json(const json_t *json, const char *source, lte_scenario **scenario)
{
    const char *name = json_string_value(json_object_get(json, "name"));
    const char *backend = json_string_value(json_object_get(json, "backend"));
    *scenario = NULL;
    lte_json_begin();
    char *text = text_of(json);
    const bool whole = text && lte_json_is_whole();
    lte_status status = whole ? lte_scenario_read_text(text, source, scenario)
                              : LTE_FAIL(LTE_ENOMEM, "no memory for a scenario");
    free(text);
    if (status)
        return status;
    lte_scenario *s = *scenario;
    (void)snprintf(s->name, sizeof s->name, "%s", name && !strchr(name, '/') ? name : "");
    (void)snprintf(s->backend, sizeof s->backend, "%s", backend ? backend : "");
    json_t *made = lte_scenario_json(s);
    if (!lte_json_is_whole())
        status = LTE_FAIL(LTE_ENOMEM, "no memory for a scenario");
    else if (!json_equal(made, json))
        status = lte_refuse("%s: holds no scenario of this version", source);
    if (status) {
        lte_scenario_free(s);
        *scenario = NULL;
    }
    json_decref(made);
    return status;
}
