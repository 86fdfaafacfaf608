/* Everything that runs the link of a sweep: the tables of stages, the plain links, the peers. */
#include "tests/bench/topics/sweep_codes.h"
#include "tests/bench/peers/peer_programs.h"
#include "kernels/backends/clock.h"

#include <string.h>

static bench_sweep_code *add(bench_sweep_code **end, const lte_link *link, const char *name,
                             const char *level)
{
    bench_sweep_code *made = (*end)++;
    *made = (bench_sweep_code){.name = name, .level = level, .link = *link};
    return made;
}

static const struct {
    const char *level;
    bench_scalar_link_fn *run;
} scalar_links[] = {
#ifdef __x86_64__
    {"cpu:v3", bench_scalar_link_v3},
    {"cpu:v4", bench_scalar_link_v4},
#else
    {"cpu:ref", bench_scalar_link_ref},
#endif
};

/* "LEVEL=PATH" if LEVEL is a table's name, else a path for the fastest one. */
static void add_peer(bench_sweep_code **end, const lte_link *link, const char *text)
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

int bench_sweep_codes(const lte_link *link, const bench_options *options, void *work,
                      bench_sweep_code *code)
{
    bench_sweep_code *end = code;
    for (int i = 0; lte_stages_all[i]; i++) {
        if (!lte_stages_all[i]->usable())
            continue;
        bench_sweep_code *made = add(&end, link, lte_stages_all[i]->name, lte_stages_all[i]->name);
        made->stages = lte_stages_all[i];
        made->work = work;
    }
    if (link->n_tx != 4 || link->receiver.inverter != LTE_INVERTER_ldl)
        return (int)(end - code);
    for (size_t i = 0; i < sizeof scalar_links / sizeof *scalar_links; i++) {
        const lte_stages *stages = lte_stages_find(scalar_links[i].level);
        if (stages && stages->usable()) /* this program may have no such table */
            add(&end, link, "plain scalar link", scalar_links[i].level)->scalar =
                scalar_links[i].run;
    }
    for (int i = 0; i < options->n_peers; i++) {
        if (!bench_peer_is_named(options->peers[i]))
            add_peer(&end, link, options->peers[i]);
    }
    return (int)(end - code);
}

void bench_sweep_code_slot(const bench_sweep_code *code, lte_noise noise, uint64_t slot,
                           lte_power *power, uint32_t *errors)
{
    const lte_detector detector = lte_detector_usual(LTE_DETECTOR_mmse);
    if (code->stages)
        code->stages->sweep_slot(&code->link, noise, &detector, 1, slot, code->work, power, errors);
    else
        code->scalar(1, code->link.carrier.n_sc, noise, slot, power, errors);
}

lte_status bench_sweep_code_rate(const bench_sweep_code *code, lte_noise noise, uint64_t first,
                                 int n_slots, double *symbols_per_s)
{
    if (code->peer)
        return bench_peer_rate(code->peer, symbols_per_s);
    const double symbols =
        (double)n_slots * LTE_SLOT_SYMBOLS * code->link.carrier.n_sc * code->link.n_tx;
    const double start = lte_seconds();
    for (int i = 0; i < n_slots; i++) {
        lte_power power;
        uint32_t errors[LTE_N_HARD_COUNTS(LTE_MAX_ORDER)];
        bench_sweep_code_slot(code, noise, first + (uint64_t)i, &power, errors);
    }
    *symbols_per_s = symbols / (lte_seconds() - start);
    return LTE_OK;
}
