#ifndef LTE_PHY_SEARCHING_DETECTORS_H
#define LTE_PHY_SEARCHING_DETECTORS_H
/* The files of LTE_SEARCHING_DETECTORS. */

#include "phy/detection/fsd.h"
#include "phy/detection/kbest.h"
#include "phy/detection/lr_mmse.h"
#include "phy/detection/ml.h"
#include "phy/detection/mmse_sic.h"

#endif
