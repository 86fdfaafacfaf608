/* Texts for messages: places, values, names. */
#include "sim/scenario/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "kernels/base/levels.h"
#include "sim/files/refuse.h"
#include "sim/files/text.h"

lte_scenario_place lte_scenario_place_file(const char *file, int line)
{
    lte_scenario_place place;
    size_t n = strlen(file), room = 256; /* of a long path the end says more */
    (void)snprintf(place.text, sizeof place.text, "%s%s:%d", n > room ? "..." : "",
                   n > room ? file + n - room : file, line);
    return place;
}

lte_scenario_place lte_scenario_place_set(const char *set)
{
    lte_scenario_place place;
    size_t n = strlen(set);
    (void)snprintf(place.text, sizeof place.text, "--set %.80s%s", set, n > 80 ? "..." : "");
    return place;
}

void lte_scenario_copy_text(char *to, size_t size, const char *text, size_t n)
{
    size_t used = 0;
    while (n > 0 && *text) {
        size_t length = lte_text_character(text, n);
        size_t taken = length ? length : 1;
        if (used + taken >= size)
            break;
        memcpy(to + used, text, taken);
        if (!length)
            to[used] = '?';
        else if ((unsigned char)*text < ' ' || *text == 127)
            to[used] = ' ';
        used += taken;
        text += taken;
        n -= taken;
    }
    to[used] = '\0';
}

static void show_scalar(const config_setting_t *setting, char *text, size_t size)
{
    const char *s = "";
    char number[32];
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        (void)snprintf(text, size, "%lld", config_setting_get_int64(setting));
        break;
    case CONFIG_TYPE_FLOAT:
        (void)snprintf(number, sizeof number, "%.10g", config_setting_get_float(setting));
        (void)snprintf(text, size, "%s%s", number, number[strcspn(number, ".e")] ? "" : ".0");
        break;
    case CONFIG_TYPE_BOOL:
        (void)snprintf(text, size, "%s", config_setting_get_bool(setting) ? "true" : "false");
        break;
    case CONFIG_TYPE_STRING:
        s = config_setting_get_string(setting);
        s = s ? s : "";
        (void)snprintf(text, size, "\"%.40s%s\"", s, strlen(s) > 40 ? "..." : "");
        break;
    default:
        (void)snprintf(text, size, "{ ... }");
        break;
    }
}

bool lte_scenario_is_sequence(const config_setting_t *setting)
{
    return config_setting_is_list(setting) || config_setting_is_array(setting);
}

void lte_scenario_show_value(const config_setting_t *setting, char *text, size_t size)
{
    if (!lte_scenario_is_sequence(setting)) {
        show_scalar(setting, text, size);
        return;
    }
    int n = config_setting_length(setting), shown = n < 6 ? n : 6;
    (void)snprintf(text, size, "(");
    for (int i = 0; i < shown; i++) {
        char one[64];
        show_scalar(config_setting_get_elem(setting, (unsigned)i), one, sizeof one);
        size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s %s", i ? "," : "", one);
    }
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s )", shown < n ? ", ..." : "");
}

double lte_scenario_round_db(double x)
{
    double micro = round(x * 1e6);
    return micro == 0.0 ? 0.0 : micro / 1e6;
}

double lte_scenario_grid(double start, double stop, double step, double *points)
{
    double n = floor((stop - start + 0.5e-6) / step) + 1.0;
    for (int i = 0; n <= LTE_MAX_SNR_POINTS && i < n; i++) {
        double x = lte_scenario_round_db(start + i * step), last = lte_scenario_round_db(stop);
        points[i] = x < last ? x : last;
    }
    return n;
}

lte_status lte_scenario_refuse_name(const lte_scenario_place *place, const char *path,
                                    const char *kind, const char *name, const lte_names *names)
{
    char list[512] = "";
    lte_near_name near = {.name = name};
    for (int i = 0; i < names->n; i++)
        lte_near_name_try(&near, lte_name_at(names, i));
    lte_scenario_append_names(list, sizeof list, names);
    return lte_refuse("%s: %s: unknown %s \"%.40s\"; there are %s%s%s%s", place->text, path, kind,
                      name, list, near.meant ? "; did you mean " : "", near.meant ? near.meant : "",
                      near.meant ? "?" : "");
}

/* The backends that a name may mean; a device has a number besides. */
static void guess_backend(lte_near_name *near)
{
    static const char *const others[] = {"auto", "cpu", "cuda", "cuda:all", "all"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        lte_near_name_try(near, others[i]);
    for (int i = 0; lte_levels[i].name; i++)
        lte_near_name_try(near, lte_levels[i].name);
}

lte_status lte_scenario_read_backend(const char *name, const char *place, char *backend,
                                     size_t size)
{
    char lower[LTE_BACKEND_NAME];
    lte_near_name near = {.name = name};
    (void)snprintf(lower, sizeof lower, "%s", name);
    for (char *c = lower; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (strlen(name) < sizeof lower && strlen(name) < size && lte_backend_known(lower)) {
        (void)snprintf(backend, size, "%s", lower);
        return LTE_OK;
    }
    guess_backend(&near);
    return lte_refuse("%s: unknown backend \"%.40s\"; there are %s%s%s%s", place, name,
                      lte_backend_names(), near.meant ? "; did you mean " : "",
                      near.meant ? near.meant : "", near.meant ? "?" : "");
}

void lte_scenario_append_names(char *text, size_t size, const lte_names *names)
{
    for (int i = 0; i < names->n; i++) {
        size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s%s", i ? ", " : "", lte_name_at(names, i));
    }
}

const char *lte_scenario_clash(const lte_scenario_reading *reading, const lte_scenario_key *keys,
                               int n)
{
    const char *found = NULL;
    for (int i = 0; i < n; i++) {
        if (!reading->given[keys[i]])
            continue;
        const char *place = reading->place[keys[i]].text;
        if (!found || strncmp(found, "--set ", 6) != 0)
            found = place;
    }
    return found ? found : reading->scenario->name;
}
