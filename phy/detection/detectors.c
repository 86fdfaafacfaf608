/* The rows of the detectors, and their names. */
#include "phy/detection/detectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "phy/base/limits.h"
#include "phy/detection/iterating.h"
#include "phy/detection/kbest.h"
#include "phy/detection/matched.h"

/* Of small arrays; of large ones they take the matched filter first. */
static bool filters_if_small(const lte_detector_plan *p)
{
    return !LTE_IS_LARGE(p->n_rx, p->n_tx);
}

static bool always_filters(const lte_detector_plan *p)
{
    (void)p;
    return true;
}

static int filter_size(const lte_detector_plan *p)
{
    return p->llrs ? LTE_LINEAR_STATE(p->n_rx, p->n_tx) : p->n_rx * p->n_tx;
}

static int solving_size(const lte_detector_plan *p)
{
    return filters_if_small(p) ? filter_size(p) : LTE_MATCHED_STATE(p->n_rx, p->n_tx);
}

static int iterating_size(const lte_detector_plan *p)
{
    return LTE_ITERATING_STATE(p->n_rx, p->n_tx);
}

/* A Gram matrix, or estimates and their SINR. */
static int gram_work(const lte_detector_plan *p)
{
    return p->n_tx * p->n_tx > 2 * p->n_tx ? p->n_tx * p->n_tx : 2 * p->n_tx;
}

static int estimates_work(const lte_detector_plan *p)
{
    return 2 * p->n_tx;
}

/* x^ = W y: complex multiply-adds of 8 operations. */
static double filter_flops(const lte_detector_plan *p)
{
    return 8.0 * p->n_rx * p->n_tx;
}

/* W = X H', and x^ = W y; of large arrays H'y and X z. */
static double product_flops(const lte_detector_plan *p)
{
    return filters_if_small(p) ? filter_flops(p) * p->n_tx : 0.0;
}

static double solved_flops(const lte_detector_plan *p)
{
    return filters_if_small(p) ? filter_flops(p) : 8.0 * p->n_tx * (p->n_rx + p->n_tx);
}

/* Norms, and H' scaled by them. */
static double scaling_flops(const lte_detector_plan *p)
{
    return 6.0 * p->n_rx * p->n_tx;
}

/* Such a detector keeps the Gram matrix as it is. */
static double no_flops(const lte_detector_plan *p)
{
    (void)p;
    return 0.0;
}

/* H'y, and in each iteration a product with the matrix and a few operations for each layer. */
static double iterated_flops(const lte_detector_plan *p, double of_layer)
{
    return filter_flops(p) + p->detector.value[0] * (8.0 * p->n_tx * p->n_tx + of_layer * p->n_tx);
}

static double cg_flops(const lte_detector_plan *p)
{
    return iterated_flops(p, 20.0);
}

static double neumann_flops(const lte_detector_plan *p)
{
    return iterated_flops(p, 4.0);
}

static int kbest_size(const lte_detector_plan *p)
{
    return LTE_KBEST_STATE(p->n_rx, p->n_tx);
}

static int kbest_work(const lte_detector_plan *p)
{
    return LTE_KBEST_WORK((int)p->detector.value[LTE_KBEST_K]);
}

/* Sorted QR: its products, and the columns' powers once more for each that comes next. */
static double qr_flops(const lte_detector_plan *p)
{
    return filter_flops(p) * p->n_tx + 2.0 * p->n_rx * p->n_tx * p->n_tx;
}

/* Q'y, and of each level the vectors kept: what their layers take off, then each child's metric. */
static double kbest_flops(const lte_detector_plan *p)
{
    const double k = p->detector.value[LTE_KBEST_K], children = 6.0 * (1 << p->n_bits);
    double sum = filter_flops(p), kept = 1.0;
    for (int i = 0; i < p->n_tx; i++) {
        sum += kept * (8.0 * i + children);
        kept = fmin(kept * (1 << p->n_bits), k);
    }
    return sum;
}

/* What most rows say alike. */
#define OF_ANY_SIZE                                                                                \
    .max_rx = LTE_MAX_RX, .max_tx = LTE_MAX_TX, .modulations = LTE_ALL_MODULATIONS,                \
    .outputs = LTE_GIVES_LABELS | LTE_GIVES_LLRS | LTE_GIVES_SINR, .on_devices = true
#define ITERATIONS(n)                                                                              \
    {                                                                                              \
        {                                                                                          \
            .name = "iterations", .usual = (n), .least = 1, .most = 64                             \
        }                                                                                          \
    }

const lte_detector_row lte_detector_rows[LTE_N_DETECTORS] = {
    [LTE_DETECTOR_zf] = {.name = "zf",
                         .text = "zero forcing, (H'H)^-1 H'y",
                         .source =
                             "Tse, Viswanath, Fundamentals of Wireless Communication, 2005, 8.3.1",
                         .needs = LTE_NEEDS_GRAM | LTE_NEEDS_INVERSE,
                         .loading = 0.0f,
                         OF_ANY_SIZE,
                         .law = LTE_SINR_GAMMA,
                         .filters = filters_if_small,
                         .state = solving_size,
                         .work = gram_work,
                         .prepare_flops = product_flops,
                         .detect_flops = solved_flops},
    [LTE_DETECTOR_mmse] =
        {.name = "mmse",
         .text = "unbiased MMSE, (H'H + n0 I)^-1 H'y / mu",
         .source = "Tse, Viswanath, Fundamentals of Wireless Communication, 2005, 8.3.3",
         .needs = LTE_NEEDS_GRAM | LTE_NEEDS_INVERSE,
         .loading = 1.0f,
         OF_ANY_SIZE,
         .law = LTE_SINR_MMSE,
         .filters = filters_if_small,
         .state = solving_size,
         .work = gram_work,
         .prepare_flops = product_flops,
         .detect_flops = solved_flops},
    [LTE_DETECTOR_mrc] = {.name = "mrc",
                          .text =
                              "maximum-ratio combining, h_k'y / |h_k|^2 for each layer separately",
                          .source = "Brennan, Linear diversity combining techniques, Proc. IRE 47, "
                                    "1959",
                          OF_ANY_SIZE,
                          .law = LTE_SINR_OTHER,
                          .filters = always_filters,
                          .state = filter_size,
                          .work = gram_work,
                          .prepare_flops = scaling_flops,
                          .detect_flops = filter_flops},
    [LTE_DETECTOR_cg] =
        {.name = "cg",
         .text = "MMSE by conjugate gradients, no inverse: 4 steps, or 1 to 64 (cg-1 to cg-64); "
                 "scaled by the diagonal of H'H + n0 I, so at low SNR not exactly mmse",
         .source = "Yin, Wu, Cavallaro, Studer, Conjugate gradient-based soft-output detection and "
                   "precoding in massive MIMO systems, IEEE GLOBECOM 2014",
         .parameter = ITERATIONS(4),
         .needs = LTE_NEEDS_GRAM,
         .loading = 1.0f,
         OF_ANY_SIZE,
         .law = LTE_SINR_OTHER,
         .state = iterating_size,
         .work = estimates_work,
         .prepare_flops = no_flops,
         .detect_flops = cg_flops},
    [LTE_DETECTOR_neumann] =
        {.name = "neumann",
         .text = "MMSE by the Neumann series, no inverse: 3 iterations, or 1 to 64 (neumann-1 to "
                 "neumann-64); scaled as cg",
         .source =
             "Wu, Yin, Wang, Dick, Cavallaro, Studer, Large-scale MIMO detection for 3GPP LTE: "
             "algorithms and FPGA implementations, IEEE J. Sel. Top. Signal Process. 8, 2014",
         .parameter = ITERATIONS(3),
         .needs = LTE_NEEDS_GRAM,
         .loading = 1.0f,
         OF_ANY_SIZE,
         .law = LTE_SINR_OTHER,
         .state = iterating_size,
         .work = estimates_work,
         .prepare_flops = no_flops,
         .detect_flops = neumann_flops},
    [LTE_DETECTOR_kbest] =
        {.name = "kbest",
         .text = "tree search that keeps the k best vectors of each level: 16, or 1 to 64 (kbest-1 "
                 "to kbest-64); max-log LLRs up to a clip (kbest-16-clip4)",
         .source = "Guo, Nilsson, Algorithm and implementation of the K-best sphere decoding for "
                   "MIMO detection, IEEE J. Sel. Areas Commun. 24, 2006",
         .parameter = {[LTE_KBEST_K] = {.name = "k", .usual = 16, .least = 1, .most = 64},
                       [LTE_KBEST_CLIP] =
                           {.name = "clip", .usual = 5, .least = 1, .most = 100, .real = true}},
         .max_rx = LTE_FEW_RX,
         .max_tx = LTE_MAX_ORDER,
         .modulations = LTE_ALL_MODULATIONS,
         .outputs = LTE_GIVES_LABELS | LTE_GIVES_LLRS,
         .law = LTE_SINR_OTHER,
         .state = kbest_size,
         .work = kbest_work,
         .prepare_flops = qr_flops,
         .detect_flops = kbest_flops},
};

const lte_detector_row *lte_detector_row_of(lte_detector detector)
{
    return &lte_detector_rows[detector.id];
}

bool lte_detector_needs(lte_detector detector, unsigned what)
{
    return lte_detector_row_of(detector)->needs & what;
}

lte_detector lte_detector_usual(int id)
{
    lte_detector detector = {.id = id};
    for (int i = 0; i < LTE_MOST_PARAMETERS; i++)
        detector.value[i] = lte_detector_rows[id].parameter[i].usual;
    return detector;
}

int lte_detector_compare(lte_detector a, lte_detector b)
{
    if (a.id != b.id)
        return a.id < b.id ? -1 : 1;
    for (int i = 0; i < LTE_MOST_PARAMETERS; i++) {
        if (a.value[i] < b.value[i] || a.value[i] > b.value[i])
            return a.value[i] < b.value[i] ? -1 : 1;
    }
    return 0;
}

lte_detector_plan lte_detector_plan_of(lte_detector detector, int n_rx, int n_tx, int n_bits,
                                       bool llrs)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    lte_detector_plan plan = {.detector = detector,
                              .n_rx = n_rx,
                              .n_tx = n_tx,
                              .n_bits = n_bits,
                              .llrs = llrs,
                              .demapper = LTE_DEMAPPER_exact,
                              .loading = row->loading};
    plan.filters = row->filters && row->filters(&plan);
    return plan;
}

lte_status lte_detector_takes(const lte_detector_plan *plan)
{
    const lte_detector_row *row = lte_detector_row_of(plan->detector);
    if (plan->n_rx > row->max_rx)
        return LTE_FAIL(LTE_EINVAL, "n_rx=%d (1 to %d with detector %s)", plan->n_rx, row->max_rx,
                        row->name);
    if (plan->n_tx > row->max_tx)
        return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d with detector %s)", plan->n_tx, row->max_tx,
                        row->name);
    if (!(row->modulations & LTE_MODULATION(plan->n_bits)))
        return LTE_FAIL(LTE_EINVAL, "n_bits=%d is not supported with detector %s", plan->n_bits,
                        row->name);
    if (plan->llrs && !(row->outputs & LTE_GIVES_LLRS))
        return LTE_FAIL(LTE_EINVAL, "LLRs are not supported with detector %s", row->name);
    return LTE_OK;
}

bool lte_parameter_takes(const lte_parameter *parameter, double *value)
{
    const double parts = parameter->real ? 1000.0 : 1.0, n = rint(*value * parts);
    if (!(*value >= parameter->least && *value <= parameter->most &&
          fabs(*value * parts - n) <= 1e-6))
        return false;
    *value = n / parts;
    return true;
}

/* As it stands in a name, whatever the locale: 12, 2.5. Returns its length. */
static int print_value(double value, char *text, size_t size)
{
    const long n = lrint(value * 1000.0);
    int length = snprintf(text, size, "%ld.%03ld", n / 1000, n % 1000);
    while (text[length - 1] == '0')
        length--;
    length -= text[length - 1] == '.';
    text[length] = '\0';
    return length;
}

lte_detector_name lte_detector_named(lte_detector detector)
{
    const lte_detector_row *row = lte_detector_row_of(detector);
    const lte_detector usual = lte_detector_usual(detector.id);
    lte_detector_name name;
    size_t n = (size_t)snprintf(name.text, sizeof name.text, "%s", row->name);
    for (int i = 0; i < LTE_MOST_PARAMETERS && row->parameter[i].name; i++) {
        char value[24];
        if (i > 0 && !(detector.value[i] < usual.value[i] || detector.value[i] > usual.value[i]))
            continue;
        (void)print_value(detector.value[i], value, sizeof value);
        if (n < sizeof name.text)
            n += (size_t)snprintf(&name.text[n], sizeof name.text - n, "-%s%s",
                                  i > 0 ? row->parameter[i].name : "", value);
    }
    return name;
}

/*
 * Reads a value at *text, which moves on to what follows it; false: there is none that the
 * parameter takes, or it is not written as print_value does.
 */
static bool read_value(const lte_parameter *parameter, const char **text, double *value)
{
    const char *at = *text;
    char own[24];
    double parts = 1.0;
    *value = 0.0;
    for (bool point = false; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        parts *= point ? 10.0 : 1.0;
        *value = 10.0 * *value + (*at - '0');
    }
    *value /= parts;
    if (!lte_parameter_takes(parameter, value))
        return false;
    const int n = print_value(*value, own, sizeof own);
    const bool same = at - *text == n && strncmp(*text, own, (size_t)n) == 0;
    *text = at;
    return same;
}

/* Reads "-4-clip12" behind a row's name. */
static bool read_values(const lte_detector_row *row, const char *text, double *value)
{
    for (int i = 0; *text == '-' && i < LTE_MOST_PARAMETERS && row->parameter[i].name; i++) {
        const char *const own = row->parameter[i].name;
        const char *at = text + 1;
        const bool named = i > 0 && strncasecmp(at, own, strlen(own)) == 0;
        if (i > 0 && !named)
            continue;
        at += named ? strlen(own) : 0;
        if (!read_value(&row->parameter[i], &at, &value[i]))
            return false;
        text = at;
    }
    return *text == '\0';
}

bool lte_detector_find(const char *name, lte_detector *detector)
{
    for (int id = 0; id < LTE_N_DETECTORS; id++) {
        const lte_detector_row *row = &lte_detector_rows[id];
        const size_t n = strlen(row->name);
        *detector = lte_detector_usual(id);
        if (strncasecmp(name, row->name, n) == 0 && read_values(row, &name[n], detector->value))
            return true;
    }
    return false;
}
