#ifndef LTE_PHY_OTHER_DETECTORS_H
#define LTE_PHY_OTHER_DETECTORS_H
/* The files of LTE_OTHER_DETECTORS. */

#include "phy/detection/cg.h"
#include "phy/detection/mrc.h"
#include "phy/detection/neumann.h"

#endif
