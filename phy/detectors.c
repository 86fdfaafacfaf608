/* The rows of the detectors. */
#include "phy/detectors.h"

#include "phy/limits.h"
#include "phy/matched.h"

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

static double solved_flops(int n_rx, int n_tx)
{
    return LTE_IS_LARGE(n_rx, n_tx) ? 8.0 * n_tx * (n_rx + n_tx) : 8.0 * n_rx * n_tx;
}

/* Norms, and H' scaled by them. */
static double scaling_flops(int n_rx, int n_tx)
{
    return 6.0 * n_rx * n_tx;
}

static double apply_flops(int n_rx, int n_tx)
{
    return 8.0 * n_rx * n_tx;
}

const lte_detector lte_detector_rows[LTE_N_DETECTORS] = {
    [LTE_DETECTOR_zf] = {.name = "zf",
                         .text = "zero forcing, (H'H)^-1 H'y",
                         .inverts = true,
                         .loading = 0.0f,
                         .max_tx = LTE_MAX_TX,
                         .law = LTE_SINR_GAMMA,
                         .state_size = solving_size,
                         .prepare_flops = product_flops,
                         .apply_flops = solved_flops},
    [LTE_DETECTOR_mmse] = {.name = "mmse",
                           .text = "unbiased MMSE, (H'H + n0 I)^-1 H'y / mu",
                           .inverts = true,
                           .loading = 1.0f,
                           .max_tx = LTE_MAX_TX,
                           .law = LTE_SINR_MMSE,
                           .state_size = solving_size,
                           .prepare_flops = product_flops,
                           .apply_flops = solved_flops},
    [LTE_DETECTOR_mrc] = {.name = "mrc",
                          .text = "maximum-ratio combining, h_k'y / |h_k|^2 for each layer alone",
                          .max_tx = LTE_MAX_TX,
                          .law = LTE_SINR_OTHER,
                          .state_size = filter_size,
                          .prepare_flops = scaling_flops,
                          .apply_flops = apply_flops},
};

int lte_largest_state(int n_rx, int n_tx, bool with_sinr)
{
    int largest = 0;
    for (int d = 0; d < LTE_N_DETECTORS; d++) {
        const int size = lte_detector_rows[d].state_size(n_rx, n_tx, with_sinr);
        largest = size > largest ? size : largest;
    }
    return largest;
}
