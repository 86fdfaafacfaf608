#ifndef LTE_PHY_OTHER_DETECTORS_H
#define LTE_PHY_OTHER_DETECTORS_H
/* The files of the detectors that do not solve a Gram matrix: LTE_OTHER_DETECTORS. */

#include "phy/mrc.h"

#endif
