/* A scenario from what lte_scenario_json has made of it: as the text of a file, read like one. */
#include "sim/scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/json_memory.h"
#include "sim/files/refuse.h"
#include "sim/files/text.h"
#include "sim/scenario/reader.h"

/* A text that is being made; digits: of its reals. */
typedef struct {
    FILE *out; /* in memory, whose want ferror does not always tell: */
    bool failed;
    int digits, depth;
} writer;

static void put_value(writer *w, const json_t *value);

/* Takes down what a function has returned that has written. */
static void keep(writer *w, int result)
{
    w->failed = w->failed || result < 0;
}

/*
 * True for what is no key of a file: the name; the backend, which this machine may lack; and what
 * was in a file of channels, among the members of channel.
 */
static bool is_no_key(const json_t *object, const char *key)
{
    static const char *const names[] = {"name",       "backend",           "slots",
                                        "slots_read", "channels_per_slot", "checksum"};
    const bool own = json_object_get(object, "plugin"); /* all of a plug-in's are keys */
    const size_t n = own ? 0 : json_object_get(object, "checksum") ? 6 : 2;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(key, names[i]) == 0)
            return true;
    }
    return false;
}

/* Members as "key = value;". */
static void put_members(writer *w, const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (is_no_key(object, key))
            continue;
        keep(w, fprintf(w->out, "%*s%s = ", 4 * w->depth, "", key));
        put_value(w, value);
        keep(w, fputs(";\n", w->out));
    }
}

static void put_value(writer *w, const json_t *value)
{
    if (json_is_object(value)) {
        keep(w, fputs("{\n", w->out));
        w->depth++;
        put_members(w, value);
        w->depth--;
        keep(w, fprintf(w->out, "%*s}", 4 * w->depth, ""));
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            keep(w, fputs(i ? ", " : "(", w->out));
            put_value(w, json_array_get(value, i));
        }
        keep(w, fputs(")", w->out));
    } else {
        keep(w,
             json_dumpf(value, w->out, JSON_ENCODE_ANY | JSON_REAL_PRECISION((size_t)w->digits)));
        keep(w, fputs(json_is_integer(value) ? "L" : "", w->out));
    }
}

char *lte_scenario_text(const json_t *json, int digits)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    writer w = {.out = out, .digits = digits};
    put_members(&w, json);
    return lte_text_end(out, &text, !w.failed);
}

enum { EXACT_DIGITS = 17 }; /* of a real: read back it is the same */

lte_status lte_scenario_from_json(const json_t *json, const char *source, lte_scenario **scenario)
{
    const char *name = json_string_value(json_object_get(json, "name"));
    const char *backend = json_string_value(json_object_get(json, "backend"));
    *scenario = NULL;
    lte_json_begin();
    char *text = lte_scenario_text(json, EXACT_DIGITS);
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
        status = lte_refuse("%s does not hold a scenario of this version", source);
    if (status) {
        lte_scenario_free(s);
        *scenario = NULL;
    }
    json_decref(made);
    return status;
}
