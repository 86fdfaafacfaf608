/* The rows of the detectors. What is made of a row: detector.c. */
#include "phy/detection/detectors.h"

#include <math.h>

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
    return LTE_KBEST_WORK((int)p->detector.value[LTE_KBEST_K], p->n_tx);
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

#define WORD(id, name, text) name,
static const char *const demappers[] = {LTE_DEMAPPERS(WORD)};
#undef WORD

/* What most rows say alike. */
#define OF_ANY_SIZE                                                                                \
    .max_rx = LTE_MAX_RX, .max_tx = LTE_MAX_TX, .modulations = LTE_ALL_MODULATIONS,                \
    .outputs = LTE_GIVES_LABELS | LTE_GIVES_LLRS | LTE_GIVES_SINR, .on_devices = true
#define ITERATIONS(n)                                                                              \
    {                                                                                              \
        .name = "iterations", .usual = (n), .least = 1, .most = 64                                 \
    }
#define DEMAPPER                                                                                   \
    {                                                                                              \
        .name = "demapper", .usual = -1, .least = 0, .most = LTE_N_DEMAPPERS - 1,                  \
        .words = demappers                                                                         \
    }

/* What those say alike that solve the loaded Gram matrix, and those that iterate n times. */
#define SOLVING                                                                                    \
    OF_ANY_SIZE, .parameter = {DEMAPPER}, .needs = LTE_NEEDS_GRAM | LTE_NEEDS_INVERSE,             \
                 .filters = filters_if_small, .state = solving_size, .work = gram_work,            \
                 .prepare_flops = product_flops, .detect_flops = solved_flops
#define ITERATING(n)                                                                               \
    OF_ANY_SIZE, .parameter = {ITERATIONS(n), DEMAPPER}, .needs = LTE_NEEDS_GRAM, .loading = 1.0f, \
                 .law = LTE_SINR_OTHER, .state = iterating_size, .work = estimates_work,           \
                 .prepare_flops = no_flops

const lte_detector_row lte_detector_rows[LTE_N_DETECTORS] = {
    [LTE_DETECTOR_zf] = {.name = "zf",
                         .text = "zero forcing, (H'H)^-1 H'y",
                         .source =
                             "Tse, Viswanath, Fundamentals of Wireless Communication, 2005, 8.3.1",
                         SOLVING,
                         .loading = 0.0f,
                         .law = LTE_SINR_GAMMA},
    [LTE_DETECTOR_mmse] =
        {.name = "mmse",
         .text = "unbiased MMSE, (H'H + n0 I)^-1 H'y / mu",
         .source = "Tse, Viswanath, Fundamentals of Wireless Communication, 2005, 8.3.3",
         SOLVING,
         .loading = 1.0f,
         .law = LTE_SINR_MMSE},
    [LTE_DETECTOR_mrc] = {.name = "mrc",
                          .text =
                              "maximum-ratio combining, h_k'y / |h_k|^2 for each layer separately",
                          .source = "Brennan, Linear diversity combining techniques, Proc. IRE 47, "
                                    "1959",
                          .parameter = {DEMAPPER},
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
         ITERATING(4),
         .detect_flops = cg_flops},
    [LTE_DETECTOR_neumann] =
        {.name = "neumann",
         .text = "MMSE by the Neumann series, no inverse: 3 iterations, or 1 to 64 (neumann-1 to "
                 "neumann-64); scaled as cg",
         .source =
             "Wu, Yin, Wang, Dick, Cavallaro, Studer, Large-scale MIMO detection for 3GPP LTE: "
             "algorithms and FPGA implementations, IEEE J. Sel. Top. Signal Process. 8, 2014",
         ITERATING(3),
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
         .max_rx = LTE_MAX_RX,
         .max_tx = LTE_MAX_TX,
         .modulations = LTE_ALL_MODULATIONS,
         .outputs = LTE_GIVES_LABELS | LTE_GIVES_LLRS,
         .on_devices = true,
         .law = LTE_SINR_OTHER,
         .state = kbest_size,
         .work = kbest_work,
         .prepare_flops = qr_flops,
         .detect_flops = kbest_flops},
};
