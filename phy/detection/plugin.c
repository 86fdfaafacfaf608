/* The rows of plug-ins, in the order of their declaration. */
#include "phy/detection/plugin.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "phy/base/limits.h"

static lte_plugin plugins[LTE_MOST_PLUGINS];
static int n_plugins;
static atomic_int blamed[LTE_MOST_PLUGINS]; /* 1: for a label, 2: for an LLR */

/* Floats of its state and its own work at a size: asked for when a link is made, then known. */
static void sizes_of(const lte_detector_plan *plan, size_t *state, size_t *work)
{
    lte_plugin *p = &plugins[plan->detector.id - LTE_N_DETECTORS];
    const lte_plugin_verbs *verbs = &p->verbs;
    *state = *work = 0;
    if (!verbs->self)
        return;
    int i = 0;
    while (i < p->n_sizes && (p->size[i].n_rx != plan->n_rx || p->size[i].n_tx != plan->n_tx ||
                              p->size[i].n_bits != plan->n_bits))
        i++;
    if (i == p->n_sizes) {
        i = p->n_sizes < LTE_PLUGIN_SIZES ? p->n_sizes++ : 0;
        p->size[i].n_rx = plan->n_rx;
        p->size[i].n_tx = plan->n_tx;
        p->size[i].n_bits = plan->n_bits;
        p->size[i].state = p->size[i].work = 0;
        for (int llrs = 0; llrs <= (verbs->outputs & LTE_GIVES_LLRS ? 1 : 0); llrs++) {
            lte_detector_plan asked = *plan;
            asked.llrs = llrs;
            const size_t a = verbs->state(verbs->self, &asked),
                         b = verbs->work(verbs->self, &asked);
            p->size[i].state = a > p->size[i].state ? a : p->size[i].state;
            p->size[i].work = b > p->size[i].work ? b : p->size[i].work;
        }
    }
    *state = p->size[i].state;
    *work = p->size[i].work;
}

lte_status lte_plugin_takes(const lte_detector_plan *plan)
{
    size_t state, work;
    sizes_of(plan, &state, &work);
    return state <= LTE_PLUGIN_FLOATS && work <= LTE_PLUGIN_FLOATS
               ? LTE_OK
               : LTE_FAIL(LTE_EINVAL,
                          "detector %s asks for %zu floats of state and %zu of work; at "
                          "most %d are there",
                          lte_plugin_of(plan->detector)->name, state, work, LTE_PLUGIN_FLOATS);
}

size_t lte_plugin_alone(const lte_detector_plan *plan)
{
    size_t state, work;
    sizes_of(plan, &state, &work);
    return (size_t)(2 * plan->n_rx * (plan->n_tx + 1)) + work;
}

/* A flag, and its own; as many complex elements as floats, of which a lane has two each. */
static int state_of(const lte_detector_plan *plan)
{
    const int least = plan->n_rx * plan->n_tx;
    size_t state, work;
    sizes_of(plan, &state, &work);
    const int n = (int)((state + 1) / 2 + 1);
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

/* "mine-clip2.5-k4", whatever the locale: values are multiples of 1/1000. */
static void entitle(const lte_plugin_text *said, char *name, size_t size)
{
    size_t n = (size_t)snprintf(name, size, "%s", said->name);
    for (int i = 0; i < said->n_parameters && n < size; i++) {
        const long value = lrint(said->parameter[i].value * 1000.0);
        n += (size_t)snprintf(&name[n], size - n, "-%s%ld", said->parameter[i].name, value / 1000);
        if (value % 1000 == 0 || n >= size)
            continue;
        n += (size_t)snprintf(&name[n], size - n, ".%03ld", value % 1000);
        while (n < size && name[n - 1] == '0')
            name[--n] = '\0';
    }
}

static void swap(lte_plugin_text *said, int i)
{
    const size_t size = sizeof said->parameter[0];
    unsigned char other[sizeof said->parameter[0]];
    memcpy(other, &said->parameter[i], size);
    memcpy(&said->parameter[i], &said->parameter[i + 1], size);
    memcpy(&said->parameter[i + 1], other, size);
}

/* Parameters by their names. */
static lte_plugin_text sorted(const lte_plugin_text *said)
{
    lte_plugin_text o = *said;
    for (int n = o.n_parameters; n > 1; n--) {
        for (int i = 0; i + 1 < n; i++) {
            if (strcmp(o.parameter[i].name, o.parameter[i + 1].name) > 0)
                swap(&o, i);
        }
    }
    return o;
}

lte_status lte_plugin_declare(const lte_plugin_text *said, int *id)
{
    const lte_plugin_text in_order = sorted(said);
    char name[2 * sizeof plugins[0].name];
    int i = 0;
    entitle(&in_order, name, sizeof name);
    if (strlen(name) >= sizeof plugins[0].name)
        return LTE_FAIL(LTE_EINVAL,
                        "%s..: a plug-in's name and parameters are longer than %zu "
                        "characters",
                        name, sizeof plugins[0].name - 1);
    while (i < n_plugins && !is_same(&plugins[i].said, &in_order))
        i++;
    if (i == LTE_MOST_PLUGINS)
        return LTE_FAIL(LTE_ENOMEM, "more than %d plug-ins", LTE_MOST_PLUGINS);
    *id = LTE_N_DETECTORS + i;
    if (i < n_plugins)
        return LTE_OK;
    lte_plugin *p = &plugins[n_plugins++];
    *p = (lte_plugin){.said = in_order};
    memcpy(p->name, name, strlen(name) + 1);
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
    const int i = detector.id - LTE_N_DETECTORS;
    return i < 0 || i >= n_plugins ? NULL : &plugins[i];
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
    (void)snprintf(p->sha256, sizeof p->sha256, "%s", sha256);
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
