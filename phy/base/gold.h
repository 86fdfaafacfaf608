#ifndef LTE_PHY_GOLD_H
#define LTE_PHY_GOLD_H
/*
 * The pseudo-random sequence c(n), a Gold sequence of length 31, from any n on.
 *
 *     lte_gold gold = lte_gold_at(c_init, 96);
 *     uint32_t bits = lte_gold_word(&gold);    // c(96) in bit 0 to c(127) in bit 31
 *     bits = lte_gold_word(&gold);             // c(128) to c(159)
 *
 *     c(n) = x1(n + 1600) + x2(n + 1600) mod 2
 *     x1(n + 31) = x1(n + 3) + x1(n) mod 2,                          x1(0) = 1, x1(1..30) = 0
 *     x2(n + 31) = x2(n + 3) + x2(n + 2) + x2(n + 1) + x2(n) mod 2,  sum_i x2(i) 2^i = c_init
 *
 * Source: TS 36.211, 7.2.
 */

#include <stdint.h>

/* Where a sequence stands: x(n) in bit 0 to x(n + 30) in bit 30 of either register. */
typedef struct {
    uint32_t x1, x2;
} lte_gold;

/* The sequence of c_init < 2^31 at c(first). Takes the same time for any first. */
lte_gold lte_gold_at(uint32_t c_init, uint64_t first);

/* The next 32 bits, the earliest in bit 0. */
uint32_t lte_gold_word(lte_gold *gold);

/* Bits c(first) to c(first + n - 1), n <= 32, as the number sum_i c(first + i) 2^i. */
uint32_t lte_gold_number(uint32_t c_init, uint64_t first, int n);

#endif
