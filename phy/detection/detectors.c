/* The rows of the detectors. What is made of a row: detector.c. */
#include "phy/detection/detectors.h"

#include <math.h>

#include "phy/base/limits.h"
#include "phy/detection/cg.h"
#include "phy/detection/iterating.h"
#include "phy/detection/matched.h"
#include "phy/detection/ml/ml_nodes.h"
#include "phy/detection/operations.h"
#include "phy/detection/searching_detectors.h"
#include "phy/inversion/inverters.h"

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

/* n_tx n_rx complex multiply-adds of 8 operations. */
static double filter_flops(const lte_detector_plan *p)
{
    return 8.0 * p->n_rx * p->n_tx;
}

/* What becomes of the estimates of a resource element: labels, or LLRs if the plan has them. */
static double decision_flops(const lte_detector_plan *p)
{
    return p->n_tx * (p->llrs ? lte_llr_flops(p->n_bits, p->demapper) : lte_slice_flops(p->n_bits));
}

static double filtered_flops(const lte_detector_plan *p)
{
    return filter_flops(p) + decision_flops(p);
}

/* Gains, the SINR, and W = diag(gain) X H'; of large arrays the filter is left as it is. */
static double solving_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    const double sinr = p->llrs ? n * (4.0 * n + 11.0 + LTE_FLOPS_DIVISION) : 0.0;
    const double filter = filters_if_small(p) ? p->n_rx * (8.0 * n * n + 2.0 * n) : 0.0;
    return 1.0 + n * (2.0 + LTE_FLOPS_RECIPROCAL) + sinr + filter;
}

/* W y; of large arrays H'y and X z. */
static double solved_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    return filtered_flops(p) + (filters_if_small(p) ? 0.0 : 8.0 * n * n + 2.0 * n);
}

/* Norms, and H' scaled by them; with the SINR the Gram matrix. */
static double scaling_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx, elements = n * p->n_rx;
    const double norms = p->llrs ? n * elements * 4.0 : 4.0 * elements;
    const double sinr = p->llrs ? n * (4.0 * (n - 1.0) + 2.0 + LTE_FLOPS_DIVISION) : 0.0;
    return norms + 2.0 * elements + n * (1.0 + LTE_FLOPS_RECIPROCAL) + sinr;
}

/* For each layer: 1 / a_kk, and gain and SINR from its column of the filter P. */
static double iterating_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    return n * (8.0 * n * n + 9.0 * n - 1.0 + 2.0 * LTE_FLOPS_RECIPROCAL + LTE_FLOPS_DIVISION);
}

/* Probes and their steps, which all unit vectors follow. */
static double cg_prepare_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx, probes = LTE_CG_PROBES, k = p->detector.value[0];
    const double begin = probes * (8.0 * n * n + 5.0 * n + 1.0);
    const double step = probes * (8.0 * n * n + 16.0 * n + 2.0) + 1.0 + 2.0 * LTE_FLOPS_DIVISION;
    return iterating_flops(p) + begin + k * (step + n * (8.0 * n * n + 12.0 * n));
}

static double neumann_prepare_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx, k = p->detector.value[0];
    return iterating_flops(p) + n * (2.0 * n + k * (8.0 * n * n + 4.0 * n));
}

/* H'y, so many for each layer, and the same of each iteration besides a product with the matrix. */
static double iterated_flops(const lte_detector_plan *p, double of_layer, double of_iteration)
{
    const double n = p->n_tx;
    return filtered_flops(p) + of_layer * n + p->detector.value[0] * (8.0 * n * n + of_iteration);
}

static double cg_flops(const lte_detector_plan *p)
{
    return iterated_flops(p, 6.0, 20.0 * p->n_tx + 2.0 * LTE_FLOPS_DIVISION);
}

static double neumann_flops(const lte_detector_plan *p)
{
    return iterated_flops(p, 4.0, 4.0 * p->n_tx);
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

/* Q and R over sqrt(n0). */
static double scaled_flops(const lte_detector_plan *p)
{
    return 2.0 * (p->n_rx + p->n_tx) * p->n_tx + LTE_FLOPS_ROOT + LTE_FLOPS_RECIPROCAL;
}

/* The power of each column but the first beside its rest. */
static double rest_flops(const lte_detector_plan *p)
{
    return (p->n_tx - 1.0) * (2.0 * p->n_tx + 1.0);
}

static double tree_flops(const lte_detector_plan *p)
{
    return lte_qr_flops(p->n_rx, p->n_tx, true) + rest_flops(p) + scaled_flops(p);
}

/* Where a search begins: Q'y, and the reciprocal of each pivot. */
static double start_flops(const lte_detector_plan *p)
{
    return filter_flops(p) + (double)LTE_FLOPS_RECIPROCAL * p->n_tx;
}

/* And a clip that is not given: logarithms of each pivot and of n, and an exponential. */
static double kbest_prepare_flops(const lte_detector_plan *p)
{
    const double rule =
        (p->n_tx + 1.0) * LTE_FLOPS_LN + 5.0 * p->n_tx + LTE_FLOPS_DIVISION + LTE_FLOPS_EXP + 4.0;
    return tree_flops(p) + (lte_kbest_rules(p) ? rule : 0.0);
}

/*
 * Of each level the vectors kept: what their layers take off, and the nearest child; then k
 * children that are taken, each with the next one of its row and the first one of another. Where
 * there is room all children are kept; the last level without LLRs takes the nearest ones alone.
 */
static double kbest_flops(const lte_detector_plan *p)
{
    const double k = p->detector.value[LTE_KBEST_K], points = ldexp(1.0, p->n_bits);
    const double nearest = 28.0, taken = 32.0, each = 8.0, layer = 8.0 + lte_map_flops(p->n_bits);
    double sum = start_flops(p), kept = 1.0;
    for (int j = 0; j < p->n_tx; j++) { /* layers decided before */
        const bool last = j == p->n_tx - 1;
        sum += kept * j * layer;
        if (!last && kept * points <= k) {
            kept *= points;
            sum += kept * each;
        } else {
            sum += kept * nearest + (last && !p->llrs ? 0.0 : k * taken);
            kept = k;
        }
    }
    return sum + (p->llrs ? p->n_tx * p->n_bits : 0.0);
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

/* The last row of a vector: its nearest point, with LLRs all levels of its dimensions. */
static double ml_end_flops(const lte_detector_plan *p)
{
    const bool levels = p->llrs && p->demapper == LTE_DEMAPPER_max_log;
    return 2.0 + lte_slice_flops(p->n_bits) + lte_map_flops(p->n_bits) + 8.0 +
           (levels ? 16.0 * ldexp(1.0, p->n_bits / 2) : 0.0);
}

/* Exact LLRs: of all vectors the metric, its exponential and the sums of their bits. */
static double ml_sums_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx, ways = ldexp(1.0, p->n_bits * (p->n_tx - 1));
    const double way = 8.0 * (n - 1.0) + 4.0 * n * (n - 1.0) + (n - 1.0) * p->n_bits;
    const double last = ldexp(10.0 + LTE_FLOPS_EXP + p->n_bits, p->n_bits);
    return ways * (way + last) + n * p->n_bits * (2.0 * LTE_FLOPS_LN + 1.0);
}

/* The start and the first vector, that of successive decisions: n_tx - 1 nodes and an end. */
static double ml_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    double sum = start_flops(p) + (n - 1.0) * (60.0 + p->n_bits + 4.0 * n) + ml_end_flops(p);
    if (p->llrs)
        sum += p->demapper == LTE_DEMAPPER_exact ? ml_sums_flops(p) : n * p->n_bits;
    return sum;
}

/*
 * A node beyond those of the first vector, about: the levels that are looked at and not taken have
 * their share, and with LLRs the ends of vectors, of which there is one for n_tx / 2 nodes.
 */
static double ml_node_flops(const lte_detector_plan *p)
{
    const bool levels = p->llrs && p->demapper == LTE_DEMAPPER_max_log;
    const double n = p->n_tx;
    return 41.0 + 5.5 * n + (levels ? 4.0 + fmin(1.0, 2.0 / n) * ldexp(16.0, p->n_bits / 2) : 0.0);
}

static int mmse_sic_size(const lte_detector_plan *p)
{
    return LTE_MMSE_SIC_STATE(p->n_rx, p->n_tx, p->llrs);
}

static int mmse_sic_work(const lte_detector_plan *p)
{
    return LTE_MMSE_SIC_WORK(p->n_rx, p->n_tx);
}

/* Of n_tx more rows, whose roots are taken one by one. */
static double extended_qr_flops(const lte_detector_plan *p)
{
    return lte_qr_flops(p->n_rx + p->n_tx, p->n_tx, true) + (double)LTE_FLOPS_ROOT * p->n_tx;
}

/* The order, by an inverse of which a layer goes after the other. */
static double order_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    return lte_gram_flops(p->n_rx, p->n_tx) +
           lte_inverter_rows[LTE_INVERTER_cholesky_delayed].flops(p->n_tx) +
           (n - 1.0) * (LTE_FLOPS_RECIPROCAL + n + 8.0 * n * (2.0 * n - 1.0) / 6.0);
}

/*
 * The order of layers, QR of the extended matrix with n roots of n0, the gains that rows are
 * multiplied by, and with LLRs the filter of the plain MMSE estimates.
 */
static double mmse_sic_prepare_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    const double plain =
        p->llrs ? n * (2.0 + LTE_FLOPS_RECIPROCAL + LTE_FLOPS_DIVISION + p->n_rx * (8.0 * n + 2.0))
                : 0.0;
    return order_flops(p) + lte_qr_flops(p->n_rx + p->n_tx, p->n_tx, false) +
           (double)LTE_FLOPS_ROOT * n + plain +
           n * (3.0 + 2.0 * LTE_FLOPS_DIVISION + 2.0 * p->n_rx + n - 1.0);
}

/* The plain MMSE estimates, all LLRs, and the expected errors of all rows but the top one. */
static double mmse_sic_llr_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx, levels = ldexp(1.0, p->n_bits / 2);
    const double of_dimension = levels * (11.0 + LTE_FLOPS_EXP) + LTE_FLOPS_DIVISION;
    return filter_flops(p) + n * (2.0 * LTE_FLOPS_RECIPROCAL) +
           n * lte_llr_flops(p->n_bits, p->demapper) + (n - 1.0) * (2.0 * of_dimension + 1.0) +
           n * (n - 1.0) / 2.0 * 5.0;
}

/* Q'y, and each layer decided and taken off those above. */
static double mmse_sic_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    return filter_flops(p) + 4.0 * n * (n - 1.0) +
           n * (lte_slice_flops(p->n_bits) + lte_map_flops(p->n_bits)) +
           (p->llrs ? mmse_sic_llr_flops(p) : 0.0);
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

/* The order and QR. */
static double fsd_prepare_flops(const lte_detector_plan *p)
{
    return order_flops(p) + lte_qr_flops(p->n_rx, p->n_tx, false) + rest_flops(p) + scaled_flops(p);
}

/* Of each vector what is taken off, its metric, and the decisions behind the full layers. */
static double fsd_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    const int full = lte_fsd_full(p);
    const double decided = 2.0 + lte_slice_flops(p->n_bits) + lte_map_flops(p->n_bits);
    return start_flops(p) +
           ldexp(4.0 * n * (n - 1.0) + 8.0 * n + (n - full) * decided, full * p->n_bits);
}

static int lr_mmse_size(const lte_detector_plan *p)
{
    return LTE_LR_MMSE_STATE(p->n_rx, p->n_tx);
}

static int lr_mmse_work(const lte_detector_plan *p)
{
    return LTE_LR_MMSE_WORK(p->n_rx, p->n_tx);
}

/*
 * QR, the filter and the shift; the reduction shortens each pair of columns in each of its rounds,
 * of which a square matrix takes about two, with what is swapped: that depends on H.
 */
static double lr_mmse_prepare_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx, pairs = n * (n - 1.0) / 2.0;
    const double filter = p->n_rx * (4.0 * n + 8.0 * pairs) + LTE_FLOPS_RECIPROCAL * n;
    const double shift = n * (4.0 * n + 2.0);
    const double round = pairs * (6.0 + LTE_FLOPS_RECIPROCAL + 16.0 * n) +
                         8.0 * pairs * (n + 1.0) / 3.0 + 7.0 * (n - 1.0);
    return extended_qr_flops(p) + filter + shift + (1.0 + n / p->n_rx) * round;
}

/* The filter, roundings, T and the symbols. */
static double lr_mmse_flops(const lte_detector_plan *p)
{
    const double n = p->n_tx;
    return filter_flops(p) + 8.0 * n * n + n * (12.0 + lte_slice_flops(p->n_bits));
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
    .outputs = LTE_GIVES_LABELS | (llrs), .on_devices = true, .law = LTE_SINR_OTHER,               \
    .range = LTE_USUAL_RANGE

/* What those say alike that solve the loaded Gram matrix, and those that iterate n times. */
#define SOLVING                                                                                    \
    OF_ANY_SIZE, .parameter = {DEMAPPER(-1)}, .needs = LTE_NEEDS_GRAM | LTE_NEEDS_INVERSE,         \
                 .range = LTE_USUAL_RANGE, .filters = filters_if_small, .state = solving_size,     \
                 .work = gram_work, .prepare_flops = solving_flops, .detect_flops = solved_flops
#define ITERATING(n)                                                                               \
    OF_ANY_SIZE, .parameter = {ITERATIONS(n), DEMAPPER(-1)}, .needs = LTE_NEEDS_GRAM,              \
                 .loading = 1.0f, .law = LTE_SINR_OTHER, .range = LTE_ITERATING_RANGE,             \
                 .state = iterating_size, .work = estimates_work

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
                          .range = LTE_USUAL_RANGE,
                          .filters = always_filters,
                          .state = filter_size,
                          .work = gram_work,
                          .prepare_flops = scaling_flops,
                          .detect_flops = filtered_flops},
    [LTE_DETECTOR_cg] =
        {.name = "cg",
         .text =
             "MMSE by conjugate gradients, no inverse: 4 steps, or 1 to 64 (cg-1 to cg-64); with "
             "the gain and the SINR of so many steps",
         .source = "Yin, Wu, Cavallaro, Studer, Conjugate gradient-based soft-output detection and "
                   "precoding in massive MIMO systems, IEEE GLOBECOM 2014",
         ITERATING(4),
         .prepare_flops = cg_prepare_flops,
         .detect_flops = cg_flops},
    [LTE_DETECTOR_neumann] =
        {.name = "neumann",
         .text = "MMSE by the Neumann series, no inverse: 3 iterations, or 1 to 64 (neumann-1 to "
                 "neumann-64); with the gain and the SINR of so many terms",
         .source =
             "Wu, Yin, Wang, Dick, Cavallaro, Studer, Large-scale MIMO detection for 3GPP LTE: "
             "algorithms and FPGA implementations, IEEE J. Sel. Top. Signal Process. 8, 2014",
         ITERATING(3),
         .prepare_flops = neumann_prepare_flops,
         .detect_flops = neumann_flops},
    [LTE_DETECTOR_kbest] =
        {.name = "kbest",
         .printed = "K-best",
         .text = "tree search that keeps the k best vectors of each level: 16, or 1 to 64 (kbest-1 "
                 "to kbest-64); max-log LLRs up to a clip that follows k, modulation and SNR, or "
                 "is given (kbest-16-clip4)",
         .source = "Guo, Nilsson, Algorithm and implementation of the K-best sphere decoding for "
                   "MIMO detection, IEEE J. Sel. Areas Commun. 24, 2006",
         .parameter = {[LTE_KBEST_K] = {.name = "k", .usual = 16, .least = 1, .most = 64},
                       [LTE_KBEST_CLIP] = CLIP(0)},
         SEARCHING(LTE_MAX_TX, LTE_GIVES_LLRS),
         .state = tree_size,
         .work = kbest_work,
         .lookups = kbest_lookups,
         .prepare_flops = kbest_prepare_flops,
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
         .prepare_flops = tree_flops,
         .detect_flops = ml_flops,
         .node_flops = ml_node_flops},
    [LTE_DETECTOR_mmse_sic] =
        {.name = "mmse-sic",
         .printed = "MMSE-SIC",
         .text =
             "successive interference cancellation: MMSE of one layer after the other, the "
             "largest SINR first, each taken off before the next; LLRs allow for wrong decisions",
         .source = "Wuebben et al., MMSE extension of V-BLAST based on sorted QR decomposition, "
                   "IEEE VTC Fall 2003",
         .parameter = {DEMAPPER(-1)},
         .loading = 1.0f,
         SEARCHING(LTE_MAX_TX, LTE_GIVES_LLRS),
         .state = mmse_sic_size,
         .work = mmse_sic_work,
         .prepare_flops = mmse_sic_prepare_flops,
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
