/* SHA-256, FIPS 180-4, section 6.2; its constants are roots of the first primes (4.2.2, 5.3.3). */
#include "sim/files/sha256.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

__extension__ typedef unsigned __int128 wide;

static uint32_t rotated(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/*
 * The first 32 fractional bits of the n-th root of p < 512, n = 2 or 3: of the largest x with
 * x^n <= p 2^(32 n).
 */
static uint32_t root_bits(int p, int n)
{
    const wide bound = (wide)(unsigned)p << (32 * n);
    uint64_t x = 0;
    for (int bit = 36; bit >= 0; bit--) { /* a root is below 2^5 */
        const wide next = x | (uint64_t)1 << bit, power = next * next * (n == 2 ? 1 : next);
        x = power <= bound ? (uint64_t)next : x;
    }
    return (uint32_t)x;
}

static void make_constants(uint32_t first[WORDS], uint32_t round[ROUNDS])
{
    int n = 0;
    for (int p = 2; n < ROUNDS; p++) {
        bool prime = true;
        for (int d = 2; d * d <= p; d++)
            prime = prime && p % d != 0;
        if (!prime)
            continue;
        if (n < WORDS)
            first[n] = root_bits(p, 2);
        round[n++] = root_bits(p, 3);
    }
}

static void take_block(const unsigned char *block, const uint32_t *round, uint32_t *h)
{
    uint32_t w[ROUNDS], s[WORDS];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++) {
        const uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[t - 7] +
               (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
    memcpy(s, h, sizeof s);
    for (int t = 0; t < ROUNDS; t++) {
        const uint32_t a = s[0], e = s[4];
        const uint32_t one = s[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
                             ((e & s[5]) ^ (~e & s[6])) + round[t] + w[t];
        const uint32_t two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) +
                             ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(&s[1], &s[0], (WORDS - 1) * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < WORDS; i++)
        h[i] += s[i];
}

void lte_sha256(const void *data, size_t n, char digits[LTE_SHA256_DIGITS + 1])
{
    const unsigned char *bytes = data;
    uint32_t h[WORDS], round[ROUNDS];
    unsigned char tail[2 * BLOCK] = {0};
    const size_t whole = n / BLOCK * BLOCK, left = n - whole;
    const size_t end = left < BLOCK - 8 ? BLOCK : 2 * BLOCK; /* of the tail: 1, zeros, the length */
    make_constants(h, round);
    for (size_t i = 0; i < whole; i += BLOCK)
        take_block(&bytes[i], round, h);
    if (left > 0)
        memcpy(tail, &bytes[whole], left);
    tail[left] = 0x80;
    for (int i = 0; i < 8; i++)
        tail[end - 1 - (size_t)i] = (unsigned char)((uint64_t)n * 8 >> (8 * i));
    for (size_t i = 0; i < end; i += BLOCK)
        take_block(&tail[i], round, h);
    for (int i = 0; i < WORDS; i++)
        (void)snprintf(&digits[8 * i], 9, "%08x", h[i]);
}
