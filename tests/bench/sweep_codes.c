#include "tests/bench/sweep_codes.h"
#include "tests/bench/command.h"
#include "tests/bench/gpu_torch.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static lte_sweep_code *add(lte_sweep_code **end, const lte_link *link, const char *name,
                           const char *level)
{
    lte_sweep_code *made = (*end)++;
    *made = (lte_sweep_code){.name = name, .level = level, .link = *link};
    return made;
}

static const struct {
    const char *level;
    lte_scalar_link_fn *run;
} scalar_links[] = {
#ifdef LTE_X86_LEVELS
    {"cpu:v3", lte_scalar_link_v3},
    {"cpu:v4", lte_scalar_link_v4},
#else
    {"cpu:ref", lte_scalar_link_ref},
#endif
};

/* "LEVEL=PATH" if LEVEL is a table's name, else a path for the fastest one. */
static void add_peer(lte_sweep_code **end, const lte_link *link, const char *text)
{
    const char *level = lte_stages_best()->name, *path = text;
    for (int i = 0; lte_stages_all[i]; i++) {
        const size_t length = strlen(lte_stages_all[i]->name);
        if (strncmp(text, lte_stages_all[i]->name, length) == 0 && text[length] == '=') {
            level = lte_stages_all[i]->name;
            path = &text[length + 1];
        }
    }
    add(end, link, "peer program", level)->peer = path;
}

int lte_sweep_codes(const lte_link *link, const lte_bench_options *options, lte_sweep_code *code)
{
    lte_sweep_code *end = code;
    for (int i = 0; lte_stages_all[i]; i++) {
        if (lte_stages_all[i]->usable())
            add(&end, link, lte_stages_all[i]->name, lte_stages_all[i]->name)->stages =
                lte_stages_all[i];
    }
    if (link->n_tx != 4 || link->inverter != LTE_INVERTER_ldl)
        return (int)(end - code);
    for (size_t i = 0; i < sizeof scalar_links / sizeof *scalar_links; i++) {
        if (lte_stages_find(scalar_links[i].level)->usable())
            add(&end, link, "plain scalar link", scalar_links[i].level)->scalar =
                scalar_links[i].run;
    }
    for (int i = 0; i < options->n_peers; i++) {
        if (!lte_torch_command(options->peers[i]))
            add_peer(&end, link, options->peers[i]);
    }
    return (int)(end - code);
}

void lte_sweep_code_slot(const lte_sweep_code *code, lte_noise noise, uint64_t slot,
                         lte_power *power, lte_errors *errors)
{
    const int detector = LTE_DETECTOR_mmse;
    if (code->stages)
        code->stages->sweep_slot(&code->link, noise, &detector, 1, slot, NULL, power, errors);
    else
        code->scalar(1, code->link.n_sc, noise, slot, power, errors);
}

/* The number before "symbols/s" in a program's output. */
static lte_status peer_rate(const char *path, double *symbols_per_s)
{
    char text[4096];
    lte_command_end end;
    const char *const argv[] = {path, NULL};
    lte_status status = lte_command_run(argv, text, sizeof text, &end);
    if (status)
        return status;
    const char *unit = strstr(text, "symbols/s");
    if (end.exit_code != 0 || !unit)
        return LTE_FAIL(LTE_EIO, "--peer %s: exit code %d, %s", path, end.exit_code,
                        unit ? "a rate" : "no rate in symbols/s");
    while (unit > text && isspace((unsigned char)unit[-1]))
        unit--;
    while (unit > text && !isspace((unsigned char)unit[-1]))
        unit--;
    *symbols_per_s = strtod(unit, NULL);
    if (!(*symbols_per_s > 0) || !isfinite(*symbols_per_s))
        return LTE_FAIL(LTE_EIO, "--peer %s: no number before symbols/s", path);
    return LTE_OK;
}

lte_status lte_sweep_code_rate(const lte_sweep_code *code, lte_noise noise, uint64_t first,
                               int n_slots, double *symbols_per_s)
{
    if (code->peer)
        return peer_rate(code->peer, symbols_per_s);
    const double symbols = (double)n_slots * LTE_SLOT_SYMBOLS * code->link.n_sc * code->link.n_tx;
    const double start = lte_now_us();
    for (int i = 0; i < n_slots; i++) {
        lte_power power;
        lte_errors errors;
        lte_sweep_code_slot(code, noise, first + (uint64_t)i, &power, &errors);
    }
    *symbols_per_s = symbols / (1e-6 * (lte_now_us() - start));
    return LTE_OK;
}
