#ifndef LTESIM_LTESIM_H
#define LTESIM_LTESIM_H
/* All of the library ltesim. */

#include "ltesim/ber_table.h"    /* rows that the program has counted, read */
#include "ltesim/codes.h"        /* what functions return; who is told why one failed */
#include "ltesim/decoding.h"     /* code blocks decoded */
#include "ltesim/detection.h"    /* slots detected */
#include "ltesim/inversion.h"    /* matrices inverted */
#include "ltesim/result_table.h" /* any table of a result folder, read */
#include "ltesim/version.h"

#endif
