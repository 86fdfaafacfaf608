#ifndef LTE_PHY_ML_NODES_H
#define LTE_PHY_ML_NODES_H
/* How many nodes the search of phy/detection/ml.h enters, which depends on what is received. */

#include "phy/detection/detectors.h"

/* The nodes of the tree, or of a budget. */
double lte_ml_most_nodes(const lte_detector_plan *plan);

/*
 * The nodes that the search of an element enters, at most `most` up to 2^32 - 1: it ends there.
 *
 *   h        [n_rx][n_tx][2]
 *   y        [n_rx][2]
 *   memory   [state(plan) + work(plan)][2]
 */
double lte_ml_nodes(const lte_detector_plan *plan, const float *h, float n0, const float *y,
                    double most, float *memory);

#endif
