/* The rows of the detectors. What is made of a row: detector.c. */
#include "phy/detection/detectors.h"

#include <math.h>

#include "phy/base/limits.h"
#include "phy/detection/iterating.h"
#include "phy/detection/matched.h"
#include "phy/detection/ml/ml_nodes.h"
#include "phy/detection/searching_detectors.h"

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

static int tree_size(const lte_detector_plan *p)
{
    return LTE_TREE_STATE(p->n_rx, p->n_tx);
}

static int kbest_work(const lte_detector_plan *p)
{
    return LTE_KBEST_WORK((int)p->detector.value[LTE_KBEST_K], p->n_tx, p->n_bits);
}

static int kbest_lookups(const lte_detector_plan *p)
{
    return LTE_KBEST_LOOKUPS((int)p->detector.value[LTE_KBEST_K],
                             LTE_KBEST_WORDS(p->n_tx, p->n_bits));
}

static int ml_work(const lte_detector_plan *p)
{
    return LTE_ML_WORK(p->n_tx, p->n_bits);
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

static const char *ml_refuses(const lte_detector_plan *p)
{
    const double budget = p->detector.value[LTE_ML_BUDGET];
    const bool exact = p->llrs && p->demapper == LTE_DEMAPPER_exact;
    if (exact && p->n_bits * p->n_tx > LTE_ML_EXACT_BITS)
        return "exact LLRs need all vectors, of at most 16 bits; demapper max-log has no such "
               "limit";
    if (exact && budget > 0.0)
        return "exact LLRs need all vectors; demapper max-log takes a budget";
    if (budget > 0.0 && budget < p->n_tx)
        return "a budget is one node for each layer at least";
    if (p->n_bits >= 6 && p->n_tx >= 5 && !(budget > 0.0))
        return "from 5 layers of 64qam on its search has no end that can be waited for; a budget "
               "of nodes (ml-budget10000) bounds it, and kbest takes any";
    return NULL;
}

/* Q'y and the first vector; what is searched besides depends on what is received. */
static double ml_flops(const lte_detector_plan *p)
{
    return filter_flops(p) + 4.0 * p->n_tx * (p->n_tx + 2);
}

static int mmse_sic_work(const lte_detector_plan *p)
{
    return LTE_MMSE_SIC_WORK(p->n_rx, p->n_tx);
}

/* The same of n_tx more rows. */
static double extended_qr_flops(const lte_detector_plan *p)
{
    lte_detector_plan extended = *p;
    extended.n_rx += p->n_tx;
    return qr_flops(&extended);
}

/* Q'y, and each layer taken off those above. */
static double mmse_sic_flops(const lte_detector_plan *p)
{
    return filter_flops(p) + 4.0 * p->n_tx * (p->n_tx - 1);
}

static int fsd_work(const lte_detector_plan *p)
{
    return LTE_FSD_WORK(p->n_tx);
}

static double fsd_usual(int n_rx, int n_tx)
{
    return lte_fsd_usual(n_rx, n_tx);
}

static const char *fsd_refuses(const lte_detector_plan *p)
{
    if (lte_fsd_full(p) > p->n_tx)
        return "it has more full layers than there are layers";
    if (lte_fsd_full(p) * p->n_bits > LTE_FSD_MOST_BITS)
        return "it tries at most 65536 vectors, all points of its full layers; fsd-1 tries fewest";
    return NULL;
}

/* Sorted QR, and the order by an inverse of which a layer goes after the other. */
static double fsd_prepare_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    return qr_flops(p) + 4.0 * n * n * p->n_rx + 4.0 * n * n * n + 8.0 * n * n * n / 3.0;
}

/* Q'y, and of each vector what is taken off and the metric. */
static double fsd_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    return filter_flops(p) + ldexp(4.0 * n * (n - 1.0) + 7.0 * n, lte_fsd_full(p) * p->n_bits);
}

static int lr_mmse_size(const lte_detector_plan *p)
{
    return LTE_LR_MMSE_STATE(p->n_rx, p->n_tx);
}

static int lr_mmse_work(const lte_detector_plan *p)
{
    return LTE_LR_MMSE_WORK(p->n_rx, p->n_tx);
}

/* Sorted QR and the filter; how often columns are swapped besides depends on them. */
static double lr_mmse_prepare_flops(const lte_detector_plan *p)
{
    return extended_qr_flops(p) + 4.0 * p->n_tx * (p->n_tx + 1) * p->n_rx;
}

/* The filter and T. */
static double lr_mmse_flops(const lte_detector_plan *p)
{
    return filter_flops(p) + 8.0 * p->n_tx * p->n_tx;
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
#define DEMAPPER(which)                                                                            \
    {                                                                                              \
        .name = "demapper", .usual = (which), .least = 0, .most = LTE_N_DEMAPPERS - 1,             \
        .words = demappers                                                                         \
    }
#define CLIP(n)                                                                                    \
    {                                                                                              \
        .name = "clip", .usual = (n), .least = 1, .most = 100, .real = true, .of_llrs = true       \
    }

/* Those that search, up to so many layers: they make no estimates. */
#define SEARCHING(layers, llrs)                                                                    \
    .max_rx = LTE_MAX_RX, .max_tx = (layers), .modulations = LTE_ALL_MODULATIONS,                  \
    .outputs = LTE_GIVES_LABELS | (llrs), .on_devices = true, .law = LTE_SINR_OTHER

/* What those say alike that solve the loaded Gram matrix, and those that iterate n times. */
#define SOLVING                                                                                    \
    OF_ANY_SIZE, .parameter = {DEMAPPER(-1)}, .needs = LTE_NEEDS_GRAM | LTE_NEEDS_INVERSE,         \
                 .filters = filters_if_small, .state = solving_size, .work = gram_work,            \
                 .prepare_flops = product_flops, .detect_flops = solved_flops
#define ITERATING(n)                                                                               \
    OF_ANY_SIZE, .parameter = {ITERATIONS(n), DEMAPPER(-1)}, .needs = LTE_NEEDS_GRAM,              \
                 .loading = 1.0f, .law = LTE_SINR_OTHER, .state = iterating_size,                  \
                 .work = estimates_work, .prepare_flops = no_flops

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
                          .parameter = {DEMAPPER(-1)},
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
         .printed = "K-best",
         .text = "tree search that keeps the k best vectors of each level: 16, or 1 to 64 (kbest-1 "
                 "to kbest-64); max-log LLRs up to a clip (kbest-16-clip4)",
         .source = "Guo, Nilsson, Algorithm and implementation of the K-best sphere decoding for "
                   "MIMO detection, IEEE J. Sel. Areas Commun. 24, 2006",
         .parameter = {[LTE_KBEST_K] = {.name = "k", .usual = 16, .least = 1, .most = 64},
                       [LTE_KBEST_CLIP] = CLIP(5)},
         .varies = true,
         SEARCHING(LTE_MAX_TX, LTE_GIVES_LLRS),
         .state = tree_size,
         .work = kbest_work,
         .lookups = kbest_lookups,
         .prepare_flops = qr_flops,
         .detect_flops = kbest_flops},
    [LTE_DETECTOR_ml] =
        {.name = "ml",
         .text = "exact maximum likelihood, by a search that skips what cannot be the best; LLRs "
                 "max-log, exact up to a clip (ml-clip8), or exact up to 16 bits (ml-exact); with "
                 "at most "
                 "so many nodes of the tree (ml-budget10000)",
         .source = "Agrell, Eriksson, Vardy, Zeger, Closest point search in lattices, IEEE Trans. "
                   "Inf. Theory 48, 2002",
         .parameter = {[LTE_ML_DEMAPPER] = DEMAPPER(LTE_DEMAPPER_max_log),
                       [LTE_ML_CLIP] = CLIP(16),
                       [LTE_ML_BUDGET] = {.name = "budget", .usual = 0, .least = 1, .most = 1e9}},
         .varies = true,
         SEARCHING(LTE_ML_MOST_TX, LTE_GIVES_LLRS),
         .refuses = ml_refuses,
         .most_nodes = lte_ml_most_nodes,
         .nodes = lte_ml_nodes,
         .state = tree_size,
         .work = ml_work,
         .prepare_flops = qr_flops,
         .detect_flops = ml_flops},
    [LTE_DETECTOR_mmse_sic] =
        {.name = "mmse-sic",
         .printed = "MMSE-SIC",
         .text = "successive interference cancellation: MMSE of one layer after the other, the "
                 "strongest first, each taken off before the next",
         .source = "Wuebben et al., MMSE extension of V-BLAST based on sorted QR decomposition, "
                   "IEEE VTC Fall 2003",
         .parameter = {DEMAPPER(-1)},
         .loading = 1.0f,
         SEARCHING(LTE_MAX_TX, LTE_GIVES_LLRS),
         .state = tree_size,
         .work = mmse_sic_work,
         .prepare_flops = extended_qr_flops,
         .detect_flops = mmse_sic_flops},
    [LTE_DETECTOR_fsd] =
        {.name = "fsd",
         .text = "fixed-complexity sphere decoder: all points of the weakest layers (fsd-1: of "
                 "one), of the others successive decisions; no LLRs",
         .source = "Barbero, Thompson, Fixing the complexity of the sphere decoder for MIMO "
                   "detection, IEEE Trans. Wireless Commun. 7, 2008",
         .parameter = {[LTE_FSD_FULL] = {.name = "full",
                                         .usual = 0,
                                         .otherwise = fsd_usual,
                                         .least = 1,
                                         .most = LTE_TREE_MOST_TX}},
         SEARCHING(LTE_TREE_MOST_TX, 0),
         .refuses = fsd_refuses,
         .state = tree_size,
         .work = fsd_work,
         .prepare_flops = fsd_prepare_flops,
         .detect_flops = fsd_flops},
    [LTE_DETECTOR_lr_mmse] =
        {.name = "lr-mmse",
         .printed = "LR-MMSE",
         .text =
             "MMSE in a reduced lattice, by complex LLL of at most so many swaps, and rounding; "
             "no LLRs",
         .source = "Wuebben et al., Near-maximum-likelihood detection of MIMO systems using "
                   "MMSE-based lattice reduction, IEEE ICC 2004",
         .parameter =
             {[LTE_LR_MMSE_SWAPS] = {.name = "swaps", .usual = 32, .least = 0, .most = 1000}},
         .loading = 1.0f,
         .varies = true,
         SEARCHING(LTE_MAX_TX, 0),
         .state = lr_mmse_size,
         .work = lr_mmse_work,
         .prepare_flops = lr_mmse_prepare_flops,
         .detect_flops = lr_mmse_flops},
};
