#ifndef LTE_PHY_CODING_CRC_H
#define LTE_PHY_CODING_CRC_H
/*
 * Cyclic redundancy checks of 24 bits over bits, a byte each (0 or 1), the first bit that of the
 * highest power.
 *
 *     lte_crc_attach(LTE_CRC_24A, bits, n);               // bits [n + 24]: the last 24 are written
 *     bool right = lte_crc_holds(LTE_CRC_24A, bits, n + 24);
 *
 * The parity bits are the remainder of D^24 a(D) by the generator; zeros at the beginning, as of
 * filler bits, do not change it. Source: TS 36.212, 5.1.1.
 */

#include <stdbool.h>
#include <stdint.h>

/* The generators without D^24: 24A of transport blocks, 24B of code blocks. */
enum { LTE_CRC_24A = 0x864cfb, LTE_CRC_24B = 0x800063, LTE_CRC_BITS = 24 };

/* D times a remainder. */
static inline uint32_t lte_crc_shift(uint32_t generator, uint32_t remainder)
{
    return (remainder << 1 ^ (remainder >> (LTE_CRC_BITS - 1) & 1 ? generator : 0)) & 0xffffff;
}

/* The remainder of n bits times D^24. */
uint32_t lte_crc(uint32_t generator, const uint8_t *bits, int n);

/* Writes the parity of the first n bits behind them. */
void lte_crc_attach(uint32_t generator, uint8_t *bits, int n);

/* True if the last 24 of n bits are the parity of those before them. */
bool lte_crc_holds(uint32_t generator, const uint8_t *bits, int n);

#endif
