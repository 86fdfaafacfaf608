/* Division by generators of degree 24, bit by bit. */
#include "phy/coding/crc.h"

uint32_t lte_crc(uint32_t generator, const uint8_t *bits, int n)
{
    uint32_t remainder = 0;
    for (int i = 0; i < n; i++)
        remainder =
            lte_crc_shift(generator, remainder ^ (uint32_t)(bits[i] & 1) << (LTE_CRC_BITS - 1));
    return remainder;
}

void lte_crc_attach(uint32_t generator, uint8_t *bits, int n)
{
    const uint32_t parity = lte_crc(generator, bits, n);
    for (int i = 0; i < LTE_CRC_BITS; i++)
        bits[n + i] = (uint8_t)(parity >> (LTE_CRC_BITS - 1 - i) & 1);
}

bool lte_crc_holds(uint32_t generator, const uint8_t *bits, int n)
{
    return n >= LTE_CRC_BITS && lte_crc(generator, bits, n) == 0;
}
