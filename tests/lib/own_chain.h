#ifndef LTE_TESTS_LIB_OWN_CHAIN_H
#define LTE_TESTS_LIB_OWN_CHAIN_H
/*
 * A coding chain of the tests' own, after TS 36.212 and 36.211, bit by bit: what the library's is
 * held to.
 *
 *     own_crc(0x864cfb, bits, n);
 *     own_buffer(&block, bits, w);                   // a code block's circular buffer
 *     own_selection(&block, w, 0, version, e, out);
 *     own_scrambling(init, e, out);
 */

#include <stdint.h>
#include <string.h>

enum {
    OWN_MOST_K = 6144,
    OWN_MOST_PADDED = 32 * 193, /* of a stream, with its dummies */
    OWN_MOST_SENT = 90000,
    OWN_NONE = 2 /* a dummy */
};

/* A size of code blocks: k bits, and f1, f2 of table 5.1.3-3. */
typedef struct {
    int k, f1, f2;
} own_block;

/* 36.212 5.1.1: a CRC of 24 bits behind n bits. */
static inline void own_crc(uint32_t generator, uint8_t *bits, int n)
{
    uint32_t rest = 0;
    for (int i = 0; i < n; i++) {
        const uint32_t out = (rest >> 23 ^ bits[i]) & 1;
        rest = (rest << 1 & 0xffffff) ^ (out ? generator : 0);
    }
    for (int i = 0; i < 24; i++)
        bits[n + i] = (uint8_t)(rest >> (23 - i) & 1);
}

/* 5.1.3.2.1: a constituent encoder, G = (1 + D + D^3) / (1 + D^2 + D^3); tail [3][2]: x, z. */
static inline void own_encoder(int k, const uint8_t *in, uint8_t *parity, uint8_t (*tail)[2])
{
    int s1 = 0, s2 = 0, s3 = 0;
    for (int i = 0; i < k + 3; i++) {
        const int x = i < k ? in[i] : s2 ^ s3;
        const int a = x ^ s2 ^ s3, z = a ^ s1 ^ s3;
        if (i < k) {
            parity[i] = (uint8_t)z;
        } else {
            tail[i - k][0] = (uint8_t)x;
            tail[i - k][1] = (uint8_t)z;
        }
        s3 = s2;
        s2 = s1;
        s1 = a;
    }
}

/* 5.1.3.2 and 5.1.4.1.1: what the sub-block interleavers leave of a code block: w [3 padded]. */
static inline void own_buffer(const own_block *c, const uint8_t *bits, uint8_t *w)
{
    static const int column[32] = {0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30,
                                   1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31};
    static uint8_t d[3][OWN_MOST_K + 4], y[3][OWN_MOST_PADDED], permuted[OWN_MOST_K];
    uint8_t tail[2][3][2];
    const int k = c->k, rows = (k + 4 + 31) / 32, padded = 32 * rows;
    for (int i = 0; i < k; i++)
        permuted[i] = bits[((long long)c->f1 * i + (long long)c->f2 * i * i) % k];
    memcpy(d[0], bits, (size_t)k);
    own_encoder(k, bits, d[1], tail[0]);
    own_encoder(k, permuted, d[2], tail[1]);
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 6; i++)
            d[i % 3][k + 2 * e + i / 3] = tail[e][i / 2][i % 2];
    }
    for (int s = 0; s < 3; s++) {
        memset(y[s], OWN_NONE, (size_t)padded);
        memcpy(y[s] + padded - (k + 4), d[s], (size_t)k + 4);
    }
    for (int i = 0; i < padded; i++) {
        const int at = column[i / rows] + 32 * (i % rows);
        w[i] = y[0][at];
        w[padded + 2 * i] = y[1][at];
        w[padded + 2 * i + 1] = y[2][(at + 1) % padded];
    }
}

/* 5.1.4.1.2: E bits of a code block in a redundancy version, of N_cb that are kept; 0: all. */
static inline void own_selection(const own_block *c, const uint8_t *w, int buffer, int version,
                                 int e, uint8_t *out)
{
    const int rows = (c->k + 4 + 31) / 32, whole = 3 * 32 * rows;
    const int kept = buffer > 0 && buffer < whole ? buffer : whole;
    const int per_version = (kept + 8 * rows - 1) / (8 * rows);
    for (int k = 0, j = rows * (2 * per_version * version + 2); k < e; j++) {
        if (w[j % kept] != OWN_NONE)
            out[k++] = w[j % kept];
    }
}

/* 36.211 7.2: c(n) of an init, n of them over bits. */
static inline void own_scrambling(uint32_t init, int n, uint8_t *bits)
{
    static uint8_t x1[1600 + OWN_MOST_SENT + 31], x2[1600 + OWN_MOST_SENT + 31];
    for (int i = 0; i < 31; i++) {
        x1[i] = i == 0;
        x2[i] = (uint8_t)(init >> i & 1);
    }
    for (int i = 0; i < 1600 + n; i++) {
        x1[i + 31] = x1[i + 3] ^ x1[i];
        x2[i + 31] = x2[i + 3] ^ x2[i + 2] ^ x2[i + 1] ^ x2[i];
    }
    for (int i = 0; i < n; i++)
        bits[i] ^= x1[i + 1600] ^ x2[i + 1600];
}

#endif
