/* The command line of ltebench. */
#include "tests/bench/bench.h"

#include <string.h>

static bool is_topic(const char *name)
{
    for (int i = 0; bench_topics[i]; i++) {
        if (strcmp(bench_topics[i]->name, name) == 0)
            return true;
    }
    return false;
}

static lte_status refuse_topic(const char *name)
{
    char known[600] = "";
    for (int i = 0; bench_topics[i]; i++) {
        const size_t n = strlen(known);
        (void)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", bench_topics[i]->name);
    }
    return LTE_FAIL(LTE_EINVAL, "%.60s: no such topic; there are %s", name, known);
}

/* Where the value of an option goes; NULL if there is no such option, or no room left. */
static const char **place_of(const char *name, bench_options *options)
{
    const struct {
        const char *name;
        const char **value;
    } list[] = {
        {"--only", &options->only},       {"--json", &options->json},
        {"--sweep", &options->sweep},     {"--figures", &options->figures},
        {"--update", &options->update},   {"--check", &options->check},
        {"--program", &options->program}, {"--beside", &options->beside},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (strcmp(list[i].name, name) == 0)
            return list[i].value;
    }
    if (strcmp(name, "--peer") == 0 && options->n_peers < BENCH_MAX_PEERS)
        return &options->peers[options->n_peers++];
    return NULL;
}

lte_status bench_options_parse(int argc, char **argv, bench_options *options)
{
    *options = (bench_options){0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            options->quick = true;
        } else if (strcmp(argv[i], "--race") == 0) {
            options->race = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            options->help = true;
        } else {
            const char **value = place_of(argv[i], options);
            if (!value)
                return LTE_FAIL(LTE_EINVAL, "%s: no such option, or once too often (--help)",
                                argv[i]);
            if (i + 1 == argc)
                return LTE_FAIL(LTE_EINVAL, "%s: its value is missing (--help)", argv[i]);
            *value = argv[++i];
        }
    }
    if (options->only && !is_topic(options->only))
        return refuse_topic(options->only);
    if (options->race && options->only)
        return LTE_FAIL(LTE_EINVAL, "--race and --only exclude each other");
    if ((options->update || options->check) && !options->figures)
        return LTE_FAIL(LTE_EINVAL, "--update and --check need --figures FOLDER");
    if (options->update && options->check)
        return LTE_FAIL(LTE_EINVAL, "--update and --check exclude each other");
    return LTE_OK;
}
