/* The Gold sequence: where its registers stand at any n, and words from there on. */
#include "phy/base/gold.h"

enum { DEGREE = 31, PERIOD = 0x7fffffff, NC = 1600 };

/* Bits 0, 1, ... of a mask: which of x(n), x(n + 1), ... add up to x(n + 31). */
enum { TAPS_X1 = 0x9, TAPS_X2 = 0xf };

static const uint32_t register_bits = 0x7fffffff;

static uint64_t sums(uint64_t x, int taps)
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        if (taps >> i & 1)
            sum ^= x >> i;
    }
    return sum;
}

/* x(n) to x(n + 62) from x(n) to x(n + 30): 28 more, then 4, each from bits that are there. */
static uint64_t extend(uint32_t x, int taps)
{
    uint64_t more = x;
    more |= (sums(more, taps) & 0xfffffff) << DEGREE;
    return more | (sums(more >> 28, taps) & 0xf) << (DEGREE + 28);
}

/* a b modulo z^31 + taps(z) over GF(2). */
static uint32_t multiply(uint32_t a, uint32_t b, int taps)
{
    uint32_t product = 0;
    for (int i = DEGREE - 1; i >= 0; i--) {
        const uint32_t carry = product >> (DEGREE - 1);
        product = (product << 1 & register_bits) ^ (carry ? (uint32_t)taps : 0);
        if (b >> i & 1)
            product ^= a;
    }
    return product;
}

/* n steps: if z^n = sum_i p_i z^i modulo the polynomial, then x(n) = sum_i p_i x(i). */
static uint32_t advance(uint32_t x, uint32_t n, int taps)
{
    uint32_t power = 1;
    for (int i = DEGREE - 1; i >= 0; i--) {
        power = multiply(power, power, taps);
        if (n >> i & 1)
            power = multiply(power, 2, taps);
    }
    const uint64_t more = extend(x, taps);
    uint64_t sum = 0;
    for (int i = 0; i < DEGREE; i++) {
        if (power >> i & 1)
            sum ^= more >> i;
    }
    return (uint32_t)sum & register_bits;
}

lte_gold lte_gold_at(uint32_t c_init, uint64_t first)
{
    const uint32_t n = (uint32_t)((first % PERIOD + NC) % PERIOD);
    const lte_gold gold = {advance(1, n, TAPS_X1), advance(c_init & register_bits, n, TAPS_X2)};
    return gold;
}

uint32_t lte_gold_word(lte_gold *gold)
{
    const uint64_t x1 = extend(gold->x1, TAPS_X1), x2 = extend(gold->x2, TAPS_X2);
    gold->x1 = (uint32_t)(x1 >> 32);
    gold->x2 = (uint32_t)(x2 >> 32);
    return (uint32_t)(x1 ^ x2);
}

uint32_t lte_gold_number(uint32_t c_init, uint64_t first, int n)
{
    lte_gold gold = lte_gold_at(c_init, first);
    return lte_gold_word(&gold) & (uint32_t)((UINT64_C(1) << n) - 1);
}
