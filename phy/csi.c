/* The rows of what receivers know. */
#include "phy/csi.h"

#include "phy/limits.h"
#include "phy/pilots.h"

const lte_csi_row lte_csi_rows[LTE_N_CSI] = {
    [LTE_CSI_perfect] = {.name = "perfect",
                         .text = "the receiver knows H and n0",
                         .estimator = LTE_ESTIMATOR_NONE,
                         .pilot = -1,
                         .max_tx = LTE_MAX_TX,
                         .max_rx = LTE_MAX_RX},
    [LTE_CSI_dmrs_ls] = {.name = "dmrs-ls",
                         .text = "least squares from the uplink DM-RS in symbol 3, up to 4 layers",
                         .estimator = LTE_ESTIMATOR_LEAST_SQUARES,
                         .pilot = LTE_PILOT_SYMBOL,
                         .max_tx = LTE_PILOT_LAYERS,
                         .max_rx = LTE_FEW_RX},
    [LTE_CSI_dmrs_mmse] = {.name = "dmrs-mmse",
                           .text =
                               "Wiener filter over the uplink DM-RS in symbol 3, up to 4 layers",
                           .estimator = LTE_ESTIMATOR_WIENER,
                           .pilot = LTE_PILOT_SYMBOL,
                           .max_tx = LTE_PILOT_LAYERS,
                           .max_rx = LTE_FEW_RX},
};

bool lte_csi_estimates(int csi)
{
    return lte_csi_rows[csi].estimator != LTE_ESTIMATOR_NONE;
}
