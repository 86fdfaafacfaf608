/* The rows of what receivers know. */
#include "phy/estimation/csi.h"

#include "phy/base/limits.h"
#include "phy/estimation/estimator.h"

const lte_csi_row lte_csi_rows[LTE_N_CSI] = {
    [LTE_CSI_perfect] = {.name = "perfect",
                         .printed = "perfect CSI",
                         .text = "the receiver knows H and n0",
                         .estimator = LTE_ESTIMATOR_NONE,
                         .pilot = -1,
                         .max_tx = LTE_MAX_TX,
                         .max_rx = LTE_MAX_RX},
    [LTE_CSI_despread] = {.name = "despread",
                          .printed = "DM-RS (mean of 12)",
                          .text =
                              "uplink DM-RS in symbol 3, mean over 12 subcarriers, up to 4 layers",
                          .estimator = LTE_ESTIMATOR_DESPREAD,
                          .pilot = LTE_PILOT_SYMBOL,
                          .max_tx = LTE_PILOT_LAYERS,
                          .max_rx = LTE_FEW_RX},
    [LTE_CSI_dmrs_ls] =
        {.name = "dmrs-ls",
         .printed = "DM-RS (LS)",
         .text = "DM-RS, least squares, echoes within the cyclic prefix, up to 4 layers",
         .estimator = LTE_ESTIMATOR_LEAST_SQUARES,
         .pilot = LTE_PILOT_SYMBOL,
         .max_tx = LTE_PILOT_LAYERS,
         .max_rx = LTE_FEW_RX},
    [LTE_CSI_dmrs_mmse] = {.name = "dmrs-mmse",
                           .printed = "DM-RS (LMMSE)",
                           .text =
                               "DM-RS, MMSE (Wiener), power-delay profile known, up to 4 layers",
                           .estimator = LTE_ESTIMATOR_WIENER,
                           .pilot = LTE_PILOT_SYMBOL,
                           .max_tx = LTE_PILOT_LAYERS,
                           .max_rx = LTE_FEW_RX},
    [LTE_CSI_dmrs_mmse_cp] = {.name = "dmrs-mmse-cp",
                              .printed = "DM-RS (LMMSE, any echo)",
                              .text =
                                  "DM-RS, MMSE, any echo within the cyclic prefix, up to 4 layers",
                              .estimator = LTE_ESTIMATOR_WIENER_PREFIX,
                              .pilot = LTE_PILOT_SYMBOL,
                              .max_tx = LTE_PILOT_LAYERS,
                              .max_rx = LTE_FEW_RX},
};

bool lte_csi_estimates(int csi)
{
    return lte_csi_rows[csi].estimator != LTE_ESTIMATOR_NONE;
}
