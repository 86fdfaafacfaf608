/* The rows of the detectors. */
#include "phy/detection/detectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "phy/detection/iterating.h"
#include "phy/base/limits.h"
#include "phy/detection/matched.h"

static int solving_size(int n_rx, int n_tx, bool with_sinr)
{
    if (LTE_IS_LARGE(n_rx, n_tx))
        return LTE_MATCHED_STATE(n_rx, n_tx);
    return with_sinr ? LTE_LINEAR_STATE(n_rx, n_tx) : n_rx * n_tx;
}

static int filter_size(int n_rx, int n_tx, bool with_sinr)
{
    return with_sinr ? LTE_LINEAR_STATE(n_rx, n_tx) : n_rx * n_tx;
}

/* W = X H', and x^ = W y: complex multiply-adds of 8 operations; of large arrays H'y and X z. */
static double product_flops(int n_rx, int n_tx)
{
    return LTE_IS_LARGE(n_rx, n_tx) ? 0.0 : 8.0 * n_rx * n_tx * n_tx;
}

static double solved_flops(int n_rx, int n_tx, int parameter)
{
    (void)parameter;
    return LTE_IS_LARGE(n_rx, n_tx) ? 8.0 * n_tx * (n_rx + n_tx) : 8.0 * n_rx * n_tx;
}

enum { MOST_ITERATIONS = 64 };

/* Norms, and H' scaled by them. */
static double scaling_flops(int n_rx, int n_tx)
{
    return 6.0 * n_rx * n_tx;
}

static double filter_flops(int n_rx, int n_tx, int parameter)
{
    (void)parameter;
    return 8.0 * n_rx * n_tx;
}

static int iterating_size(int n_rx, int n_tx, bool with_sinr)
{
    (void)with_sinr;
    return LTE_ITERATING_STATE(n_rx, n_tx);
}

/* Such a detector keeps the Gram matrix as it is. */
static double no_flops(int n_rx, int n_tx)
{
    (void)n_rx;
    (void)n_tx;
    return 0.0;
}

/* H'y, and in each iteration a product with the matrix and a few sums over layers. */
static double cg_flops(int n_rx, int n_tx, int iterations)
{
    return 8.0 * n_rx * n_tx + iterations * (8.0 * n_tx * n_tx + 20.0 * n_tx);
}

static double neumann_flops(int n_rx, int n_tx, int iterations)
{
    return 8.0 * n_rx * n_tx + iterations * (8.0 * n_tx * n_tx + 4.0 * n_tx);
}

const lte_detector lte_detector_rows[LTE_N_DETECTORS] = {
    [LTE_DETECTOR_zf] = {.name = "zf",
                         .text = "zero forcing, (H'H)^-1 H'y",
                         .has_gram = true,
                         .inverts = true,
                         .loading = 0.0f,
                         .max_tx = LTE_MAX_TX,
                         .law = LTE_SINR_GAMMA,
                         .state_size = solving_size,
                         .prepare_flops = product_flops,
                         .apply_flops = solved_flops},
    [LTE_DETECTOR_mmse] = {.name = "mmse",
                           .text = "unbiased MMSE, (H'H + n0 I)^-1 H'y / mu",
                           .has_gram = true,
                           .inverts = true,
                           .loading = 1.0f,
                           .max_tx = LTE_MAX_TX,
                           .law = LTE_SINR_MMSE,
                           .state_size = solving_size,
                           .prepare_flops = product_flops,
                           .apply_flops = solved_flops},
    [LTE_DETECTOR_mrc] = {.name = "mrc",
                          .text =
                              "maximum-ratio combining, h_k'y / |h_k|^2 for each layer separately",
                          .max_tx = LTE_MAX_TX,
                          .law = LTE_SINR_OTHER,
                          .state_size = filter_size,
                          .prepare_flops = scaling_flops,
                          .apply_flops = filter_flops},
    [LTE_DETECTOR_cg] =
        {.name = "cg",
         .text = "MMSE by conjugate gradients, no inverse: 4 steps, or 1 to 64 (cg-1 to cg-64); "
                 "scaled by the diagonal of H'H + n0 I, so at low SNR not exactly mmse",
         .has_gram = true,
         .loading = 1.0f,
         .max_tx = LTE_MAX_TX,
         .law = LTE_SINR_OTHER,
         .parameter = {"iterations", 4, MOST_ITERATIONS},
         .state_size = iterating_size,
         .prepare_flops = no_flops,
         .apply_flops = cg_flops},
    [LTE_DETECTOR_neumann] = {.name = "neumann",
                              .text = "MMSE by the Neumann series, no inverse: 3 iterations, or 1 "
                                      "to 64 (neumann-1 to neumann-64); scaled as cg",
                              .has_gram = true,
                              .loading = 1.0f,
                              .max_tx = LTE_MAX_TX,
                              .law = LTE_SINR_OTHER,
                              .parameter = {"iterations", 3, MOST_ITERATIONS},
                              .state_size = iterating_size,
                              .prepare_flops = no_flops,
                              .apply_flops = neumann_flops},
};

const lte_detector *lte_detector_row(int detector)
{
    return &lte_detector_rows[lte_detector_id(detector)];
}

int lte_detector_with(int id, int parameter)
{
    return parameter == lte_detector_rows[id].parameter.usual
               ? id
               : id | (int)((unsigned)parameter << LTE_DETECTOR_BITS);
}

int lte_detector_parameter(int detector)
{
    const int own = (int)((unsigned)detector >> LTE_DETECTOR_BITS);
    return own ? own : lte_detector_row(detector)->parameter.usual;
}

lte_detector_name lte_detector_named(int detector)
{
    const lte_detector *row = lte_detector_row(detector);
    lte_detector_name name;
    if (row->parameter.name)
        (void)snprintf(name.text, sizeof name.text, "%s-%d", row->name,
                       lte_detector_parameter(detector));
    else
        (void)snprintf(name.text, sizeof name.text, "%s", row->name);
    return name;
}

/* The number 1 to most, written without leading zeros, or 0. */
static int parameter_of(const char *text, int most)
{
    char *end = NULL;
    const long x = *text >= '1' && *text <= '9' ? strtol(text, &end, 10) : 0;
    return x >= 1 && x <= most && !*end ? (int)x : 0;
}

int lte_detector_find(const char *name)
{
    for (int id = 0; id < LTE_N_DETECTORS; id++) {
        const lte_detector *row = &lte_detector_rows[id];
        const size_t n = strlen(row->name);
        if (strcasecmp(name, row->name) == 0)
            return id;
        if (strncasecmp(name, row->name, n) != 0 || name[n] != '-' || !row->parameter.name)
            continue;
        const int parameter = parameter_of(&name[n + 1], row->parameter.most);
        if (parameter)
            return lte_detector_with(id, parameter);
    }
    return -1;
}

int lte_largest_state(int n_rx, int n_tx, bool with_sinr)
{
    int largest = 0;
    for (int d = 0; d < LTE_N_DETECTORS; d++) {
        const int size = lte_detector_rows[d].state_size(n_rx, n_tx, with_sinr);
        largest = size > largest ? size : largest;
    }
    return largest;
}
