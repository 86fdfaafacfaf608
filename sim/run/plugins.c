/* Detectors of shared objects: found, checked, called. */
#include "sim/run/named_scenario.h"

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "phy/detection/plugin.h"
#include "phy/detection/qam.h"
#include "sim/files/refuse.h"
#include "sim/files/sha256.h"
#include "sim/run/own_detector.h"

/* A plug-in that is loaded. */
typedef struct {
    const ltesim_detector *of;
    double parameter[LTE_MOST_PARAMETERS];
    char crash[128]; /* what is said of one */
    float points[LTE_N_MODULATIONS][2 << LTE_MAX_BITS];
} loaded;

/* ---- calls ---- */

/* The one that this thread is in. */
static _Thread_local const loaded *running;

enum { N_SIGNALS = 5 };
static const int signals[N_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction before[N_SIGNALS]; /* what had been said of them */

/* Says whose crash it is, and lets what there was before take it: the fault comes again. */
static void on_crash(int number)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (running && atomic_flag_test_and_set(&said)) {
        for (;;) /* another thread is at it, and ends the program */
            (void)pause();
    }
    if (running)
        (void)!write(STDERR_FILENO, running->crash, strlen(running->crash));
    for (int i = 0; i < N_SIGNALS; i++) {
        if (signals[i] == number)
            (void)sigaction(number, &before[i], NULL);
    }
    if (number == SIGABRT)
        (void)raise(number);
}

static ltesim_plan plan_of(const loaded *l, const lte_detector_plan *plan)
{
    return (ltesim_plan){.n_rx = plan->n_rx,
                         .n_tx = plan->n_tx,
                         .n_bits = plan->n_bits,
                         .points = l->points[plan->n_bits / 2 - 1],
                         .llrs = plan->llrs,
                         .parameter = l->parameter};
}

static size_t state_of(const void *self, const lte_detector_plan *plan)
{
    const loaded *l = self;
    const ltesim_plan own = plan_of(l, plan);
    running = l;
    const size_t n = l->of->state(&own);
    running = NULL;
    return n;
}

static size_t work_of(const void *self, const lte_detector_plan *plan)
{
    const loaded *l = self;
    const ltesim_plan own = plan_of(l, plan);
    running = l;
    const size_t n = l->of->work(&own);
    running = NULL;
    return n;
}

static bool prepare(const void *self, const lte_detector_plan *plan, const float *h, float n0,
                    float *state, float *work)
{
    const loaded *l = self;
    const ltesim_plan own = plan_of(l, plan);
    running = l;
    const int flag = l->of->prepare(&own, h, n0, state, work);
    running = NULL;
    return flag != 0;
}

static bool detect(const void *self, const lte_detector_plan *plan, float *state, const float *y,
                   uint32_t *label, float *llr, float *work)
{
    const loaded *l = self;
    const ltesim_plan own = plan_of(l, plan);
    running = l;
    const int left = l->of->detect(&own, state, y, label, llr, work);
    running = NULL;
    return left != 0;
}

/* ---- loading ---- */

/* The SHA-256 of a file. */
static lte_status digest(const lte_plugin *plugin, char digits[LTE_SHA256_DIGITS + 1])
{
    const char *path = plugin->said.path;
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t n = 0, room = 0;
    bool whole = file;
    while (whole && !feof(file)) {
        if (n == room) {
            room = room ? 2 * room : 1 << 20;
            char *more = realloc(data, room);
            whole = more;
            data = more ? more : data;
        }
        if (whole)
            n += fread(data + n, 1, room - n, file);
        whole = whole && !ferror(file);
    }
    const int why = errno;
    if (file)
        (void)fclose(file);
    if (whole)
        lte_sha256(data, n, digits);
    free(data);
    return whole ? LTE_OK
                 : lte_refuse("detector %s: plugin = \"%s\": %s", plugin->name, path,
                              strerror(why ? why : EIO));
}

/* The place of a name among words with spaces between; -1: it is none of them. */
static int place_of(const char *words, const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; words && *words; i++) {
        words += strspn(words, " ");
        if (strncmp(words, name, n) == 0 && (words[n] == ' ' || words[n] == '\0'))
            return i;
        words += strcspn(words, " ");
    }
    return -1;
}

/*
 * What a file has under the name. Its code may run as it is loaded, and may change how numbers are
 * rounded, which is taken back.
 */
static lte_status look_up(const lte_plugin *plugin, loaded *l)
{
    const char *path = plugin->said.path;
    char local[sizeof plugin->said.path + 2];
    fenv_t arithmetic;
    (void)snprintf(local, sizeof local, "%s%s", strchr(path, '/') ? "" : "./", path);
    (void)fegetenv(&arithmetic);
    (void)dlerror();
    running = l;
    void *const library = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    running = NULL;
    (void)fesetenv(&arithmetic);
    if (!library)
        return lte_refuse("detector %s: plugin = \"%s\": %s", plugin->name, path, dlerror());
    const ltesim_detector *of = dlsym(library, "ltesim_own_detector");
    if (!of)
        return lte_refuse("detector %s: plugin = \"%s\": it has no ltesim_own_detector",
                          plugin->name, path);
    if (of->abi != LTESIM_DETECTOR_ABI)
        return lte_refuse("detector %s: plugin = \"%s\": it is of interface %d, not %d; recompile "
                          "it with the ltesim/detector.h of this ltesim",
                          plugin->name, path, of->abi, LTESIM_DETECTOR_ABI);
    if (!of->state || !of->work || !of->prepare || !of->detect)
        return lte_refuse("detector %s: plugin = \"%s\": one of its functions is missing",
                          plugin->name, path);
    if (!(of->outputs & LTESIM_LABELS))
        return lte_refuse("detector %s: plugin = \"%s\": it gives no labels", plugin->name, path);
    l->of = of;
    return LTE_OK;
}

/* Refuses a file that is not the one that was loaded under the same path, whose code would run. */
static lte_status check_same(const lte_scenario *scenario, const lte_plugin *plugin,
                             const char *digits)
{
    for (int i = 0; i < scenario->n_detectors; i++) {
        const lte_plugin *other = lte_plugin_of(scenario->detectors[i]);
        if (other && other->verbs.self && strcmp(other->said.path, plugin->said.path) == 0 &&
            strcmp(other->sha256, digits) != 0)
            return lte_refuse("detector %s: plugin = \"%s\" has changed since it was loaded",
                              plugin->name, plugin->said.path);
    }
    return LTE_OK;
}

static lte_status take_parameters(const lte_plugin *plugin, loaded *l)
{
    for (int i = 0; i < LTE_MOST_PARAMETERS; i++)
        l->parameter[i] = l->of->usual[i];
    for (int i = 0; i < plugin->said.n_parameters; i++) {
        const char *name = plugin->said.parameter[i].name;
        const int place = place_of(l->of->parameters, name);
        if (place < 0 || place >= LTE_MOST_PARAMETERS)
            return lte_refuse("detector %s: plugin = \"%s\" has no parameter %s; it has %s",
                              plugin->name, plugin->said.path, name,
                              l->of->parameters && *l->of->parameters ? l->of->parameters : "none");
        l->parameter[place] = plugin->said.parameter[i].value;
    }
    return LTE_OK;
}

static void make_points(loaded *l)
{
    for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
        for (uint32_t label = 0; label < 1u << n_bits; label++) {
            const lte_cplx x = lte_qam_map(n_bits, label);
            l->points[n_bits / 2 - 1][2 * label] = x.re;
            l->points[n_bits / 2 - 1][2 * label + 1] = x.im;
        }
    }
}

/* Stays loaded until the program ends. */
static lte_status load(const lte_scenario *scenario, int id, const lte_plugin *plugin)
{
    char digits[LTE_SHA256_DIGITS + 1];
    lte_status status = digest(plugin, digits);
    if (status)
        return status;
    if (*plugin->said.sha256 && strcmp(plugin->said.sha256, digits) != 0)
        return lte_refuse("detector %s: plugin = \"%s\" is not what it was: its SHA-256 is "
                          "%.16s.., not %.16s..",
                          plugin->name, plugin->said.path, digits, plugin->said.sha256);
    status = check_same(scenario, plugin, digits);
    if (status)
        return status;
    loaded *l = calloc(1, sizeof *l);
    if (!l)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a plug-in");
    (void)snprintf(l->crash, sizeof l->crash, "ltesim: detector %.47s of %.40s has crashed\n",
                   plugin->name, plugin->said.path);
    status = look_up(plugin, l);
    if (!status)
        status = take_parameters(plugin, l);
    if (status) {
        free(l);
        return status;
    }
    make_points(l);
    const bool fewer = l->of->max_bits > 0 && l->of->max_bits < LTE_MAX_BITS;
    const int most_bits = fewer ? l->of->max_bits : LTE_MAX_BITS;
    const lte_plugin_verbs verbs = {
        .self = l,
        .max_rx = l->of->max_rx > 0 ? l->of->max_rx : LTE_MAX_RX,
        .max_tx = l->of->max_tx > 0 ? l->of->max_tx : LTE_MAX_TX,
        .modulations = LTE_ALL_MODULATIONS & ((LTE_MODULATION(most_bits) << 1) - 1),
        .outputs = LTE_GIVES_LABELS | (l->of->outputs & LTESIM_LLRS ? LTE_GIVES_LLRS : 0u),
        .state = state_of,
        .work = work_of,
        .prepare = prepare,
        .detect = detect};
    lte_plugin_bring(id, &verbs, digits);
    return LTE_OK;
}

/* Crashes are told from now on. */
static void watch(void)
{
    static bool watched;
    struct sigaction action = {.sa_handler = on_crash};
    for (int i = 0; i < N_SIGNALS && !watched; i++)
        (void)sigaction(signals[i], &action, &before[i]);
    watched = true;
}

lte_status lte_plugins_load(const lte_scenario *scenario)
{
    lte_status status = LTE_OK;
    for (int i = 0; i < scenario->n_detectors && !status; i++) {
        const lte_plugin *plugin = lte_plugin_of(scenario->detectors[i]);
        if (!plugin || plugin->verbs.self)
            continue;
        watch();
        status = load(scenario, scenario->detectors[i].id, plugin);
    }
    return status;
}
