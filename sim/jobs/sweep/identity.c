/* What has to be the same in runs that go on with or join each other. */
#include "sim/jobs/sweep/identity.h"

#include <stdio.h>
#include <stdlib.h>

/* Takes the keys away that say who runs a scenario and for how long. */
static void strip(json_t *scenario)
{
    static const char *const free_keys[] = {"name", "title", "backend", "deadline"};
    for (size_t i = 0; i < sizeof free_keys / sizeof *free_keys; i++)
        (void)json_object_del(scenario, free_keys[i]);
    (void)json_object_del(json_object_get(scenario, "sweep"), "max_seconds");
    size_t i;
    json_t *detector;
    json_array_foreach(json_object_get(scenario, "detectors"), i, detector)
    {
        if (json_object_get(detector, "sha256")) /* which says more than where the file lies */
            (void)json_object_del(detector, "plugin");
    }
}

json_t *lte_identity(const lte_scenario *scenario, const lte_part *part, const char *backend)
{
    json_t *all = lte_scenario_json(scenario);
    json_t *identity;
    if (part->given) {
        identity =
            json_pack("{s:s,s:o,s:[I,I],s:s}", "version", LTE_VERSION, "scenario", all, "slots",
                      (json_int_t)part->first, (json_int_t)part->last, "backend", backend);
    } else {
        strip(all);
        identity = json_pack("{s:s,s:o}", "version", LTE_VERSION, "scenario", all);
    }
    if (scenario->records)
        (void)json_object_set_new(identity, LTE_IDENTITY_BLOCKS, json_true());
    return identity;
}

/* The first element in which two lists differ, if both are objects there: its place; -1: none. */
static int differing_object(const json_t *ours, const json_t *theirs)
{
    const size_t n = json_array_size(ours);
    size_t i = 0;
    if (!json_is_array(ours) || json_array_size(theirs) != n)
        return -1;
    while (i < n && json_equal(json_array_get(ours, i), json_array_get(theirs, i)))
        i++;
    return json_is_object(json_array_get(ours, i)) && json_is_object(json_array_get(theirs, i))
               ? (int)i
               : -1;
}

/* Writes the path of the first difference, none into an empty text. */
static void find_difference(const json_t *ours, const json_t *theirs, const char *const *names,
                            const char *path, char *text, size_t size)
{
    const char *key;
    json_t *value;
    char deeper[200];
    if (ours == theirs || json_equal(ours, theirs)) /* both may be missing */
        return;
    const int at = differing_object(ours, theirs);
    if (at >= 0) {
        (void)snprintf(deeper, sizeof deeper, "%s[%d]", path, at);
        find_difference(json_array_get(ours, (size_t)at), json_array_get(theirs, (size_t)at), names,
                        deeper, text, size);
        return;
    }
    if (!json_is_object(ours) || !json_is_object(theirs)) {
        char *a = ours ? json_dumps(ours, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
        char *b = theirs ? json_dumps(theirs, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
        (void)snprintf(text, size, "%s is %.60s in %.60s and %.60s in %.60s", path,
                       a ? a : "not set", names[0], b ? b : "not set", names[1]);
        free(a);
        free(b);
        return;
    }
    json_object_foreach((json_t *)ours, key, value)
    {
        (void)snprintf(deeper, sizeof deeper, "%s%s%s", path, *path ? "." : "", key);
        find_difference(value, json_object_get(theirs, key), names, deeper, text, size);
        if (*text)
            return;
    }
    (void)snprintf(text, size, "%s has keys in %.60s that it lacks in %.60s", path, names[1],
                   names[0]);
}

void lte_identity_difference(const json_t *ours, const json_t *theirs, const char *const *names,
                             bool parts, char *text, size_t size)
{
    json_t *a = json_deep_copy(json_object_get(ours, "scenario"));
    json_t *b = json_deep_copy(json_object_get(theirs, "scenario"));
    strip(a);
    strip(b);
    *text = '\0';
    find_difference(a, b, names, "", text, size);
    if (!*text)
        find_difference(json_object_get(ours, "version"), json_object_get(theirs, "version"), names,
                        "ltesim's version", text, size);
    if (!*text)
        find_difference(json_object_get(ours, LTE_IDENTITY_BLOCKS),
                        json_object_get(theirs, LTE_IDENTITY_BLOCKS), names, "--blocks", text,
                        size);
    if (!*text && parts)
        find_difference(json_object_get(ours, "slots"), json_object_get(theirs, "slots"), names,
                        "--slots", text, size);
    json_decref(a);
    json_decref(b);
}
