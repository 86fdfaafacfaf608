#ifndef LTE_PHY_SEARCHING_DETECTORS_H
#define LTE_PHY_SEARCHING_DETECTORS_H
/* The files of LTE_SEARCHING_DETECTORS. */

#include "phy/detection/kbest.h"

#endif
