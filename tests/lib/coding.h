#ifndef LTE_TESTS_LIB_CODING_H
#define LTE_TESTS_LIB_CODING_H
/* x */

#include "tests/lib/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/coding/turbo_batch.h"
#include "phy/coding/crc.h"
#include "phy/coding/rate_matching.h"
#include "phy/coding/segmentation.h"
#include "phy/coding/turbo.h"
#include "phy/coding/turbo_decoder.h"
#include "phy/base/gold.h"
#include "tests/lib/code_blocks.h"
#include "tests/lib/log_map.h"

static uint64_t random_state = 36212;

#endif
