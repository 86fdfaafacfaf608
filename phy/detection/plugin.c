/* The rows of plug-ins, in the order of their declaration. */
#include "phy/detection/plugin.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "phy/base/limits.h"

static lte_plugin plugins[LTE_MOST_PLUGINS];
static int n_plugins;
static atomic_int blamed[LTE_MOST_PLUGINS]; /* 1: for a label, 2: for an LLR */

static const lte_plugin *of_plan(const lte_detector_plan *plan)
{
    return lte_plugin_of(plan->detector);
}

size_t lte_plugin_alone(const lte_detector_plan *plan)
{
    const lte_plugin *p = of_plan(plan);
    const size_t own = p->verbs.self ? p->verbs.work(p->verbs.self, plan) : 0;
    return (size_t)(2 * plan->n_rx * (plan->n_tx + 1)) + own;
}

/* A flag, and its own; as many complex elements as floats, of which a lane has two each. */
static int state_of(const lte_detector_plan *plan)
{
    const lte_plugin *p = of_plan(plan);
    const size_t own = p->verbs.self ? p->verbs.state(p->verbs.self, plan) : 0;
    const int least = plan->n_rx * plan->n_tx, n = (int)((own + 1) / 2 + 1);
    return n > least ? n : least;
}

/* Of one matrix, one y and its own work; and of each lane labels and LLRs. */
static int work_of(const lte_detector_plan *plan)
{
    return (int)(lte_plugin_alone(plan) / 2 + 1) + plan->n_tx * (1 + plan->n_bits);
}

static double no_flops(const lte_detector_plan *plan)
{
    (void)plan;
    return 0.0;
}

static bool is_same(const lte_plugin_text *a, const lte_plugin_text *b)
{
    bool same = strcmp(a->name, b->name) == 0 && strcmp(a->path, b->path) == 0 &&
                strcmp(a->sha256, b->sha256) == 0 && a->n_parameters == b->n_parameters;
    for (int i = 0; same && i < a->n_parameters; i++)
        same = strcmp(a->parameter[i].name, b->parameter[i].name) == 0 &&
               !(a->parameter[i].value < b->parameter[i].value ||
                 a->parameter[i].value > b->parameter[i].value);
    return same;
}

/* "mine-k4-clip2.5". */
static void entitle(const lte_plugin_text *said, char *name, size_t size)
{
    size_t n = (size_t)snprintf(name, size, "%s", said->name);
    for (int i = 0; i < said->n_parameters && n < size; i++)
        n += (size_t)snprintf(&name[n], size - n, "-%s%.7g", said->parameter[i].name,
                              said->parameter[i].value);
    for (char *point = strchr(name, ','); point; point = strchr(point, ',')) /* of a locale */
        *point = '.';
}

lte_status lte_plugin_declare(const lte_plugin_text *said, int *id)
{
    int i = 0;
    while (i < n_plugins && !is_same(&plugins[i].said, said))
        i++;
    if (i == LTE_MOST_PLUGINS)
        return LTE_FAIL(LTE_ENOMEM, "more than %d plug-ins", LTE_MOST_PLUGINS);
    *id = LTE_N_DETECTORS + i;
    if (i < n_plugins)
        return LTE_OK;
    lte_plugin *p = &plugins[n_plugins++];
    *p = (lte_plugin){.said = *said};
    entitle(said, p->name, sizeof p->name);
    p->row = (lte_detector_row){.name = p->name,
                                .text = "a plug-in",
                                .source = p->said.path,
                                .max_rx = LTE_MAX_RX,
                                .max_tx = LTE_MAX_TX,
                                .modulations = LTE_ALL_MODULATIONS,
                                .outputs = LTE_GIVES_LABELS | LTE_GIVES_LLRS,
                                .law = LTE_SINR_OTHER,
                                .state = state_of,
                                .work = work_of,
                                .prepare_flops = no_flops,
                                .detect_flops = no_flops};
    return LTE_OK;
}

const lte_plugin *lte_plugin_of(lte_detector detector)
{
    return detector.id < LTE_N_DETECTORS ? NULL : &plugins[detector.id - LTE_N_DETECTORS];
}

int lte_plugin_find(const char *name)
{
    for (int i = n_plugins - 1; i >= 0; i--) {
        if (strcasecmp(plugins[i].name, name) == 0)
            return LTE_N_DETECTORS + i;
    }
    return -1;
}

void lte_plugin_bring(int id, const lte_plugin_verbs *verbs, const char *sha256)
{
    lte_plugin *p = &plugins[id - LTE_N_DETECTORS];
    p->verbs = *verbs;
    p->row.max_rx = verbs->max_rx;
    p->row.max_tx = verbs->max_tx;
    p->row.modulations = verbs->modulations;
    p->row.outputs = verbs->outputs;
    (void)snprintf(p->said.sha256, sizeof p->said.sha256, "%s", sha256);
}

void lte_plugin_blame(lte_detector detector, bool of_label)
{
    int none = 0;
    (void)atomic_compare_exchange_strong(&blamed[detector.id - LTE_N_DETECTORS], &none,
                                         of_label ? 1 : 2);
}

lte_status lte_plugin_check(void)
{
    for (int i = 0; i < n_plugins; i++) {
        const int why = atomic_load(&blamed[i]);
        if (why)
            return LTE_FAIL(LTE_EINVAL, "detector %s of %s has returned %s", plugins[i].name,
                            plugins[i].said.path,
                            why == 1 ? "a label that the modulation does not have"
                                     : "an LLR that is not finite");
    }
    return LTE_OK;
}
