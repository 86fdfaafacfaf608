#ifndef LTE_TESTS_BENCH_TURBO_H
#define LTE_TESTS_BENCH_TURBO_H
/* What the decoders of topic turbo are given, and what is right. */

#include "phy/coding/turbo_decoder.h"

enum { BENCH_TURBO_BLOCKS = 64, BENCH_TURBO_REPETITIONS = 51 };

/* Code blocks of a size, received, and what the plain decoder makes of them. */
typedef struct {
    lte_turbo_plan plan;
    int8_t *llr;                        /* [BENCH_TURBO_BLOCKS][3][k + 4] */
    uint8_t *bits, *plain;              /* [BENCH_TURBO_BLOCKS][k] */
    double us[BENCH_TURBO_REPETITIONS]; /* of all that are decoded */
} bench_turbo;

#endif
