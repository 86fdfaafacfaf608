#ifndef LTE_PHY_PHILOX_H
#define LTE_PHY_PHILOX_H
/*
 * Philox4x32-10, a counter-based generator of random words.
 *
 *     lte_philox_key key = lte_philox_key_of(seed);
 *     lte_words w = lte_philox(&key, subsequence, w_set(block));    // w.v[0..3]
 *
 * Addressed as cuRAND's device API does: the words are those that curand4 returns after
 * curand_init(seed, subsequence, 4 block). On the device cuRAND computes them.
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
 */

#include "phy/base/real.h"

#if defined(__CUDACC__)
#include <curand_philox4x32_x.h>
#endif

enum { LTE_PHILOX_ROUNDS = 10 };

typedef struct {
    uint32_t k0[LTE_PHILOX_ROUNDS]; /* round keys */
    uint32_t k1[LTE_PHILOX_ROUNDS];
} lte_philox_key;

typedef struct {
    lte_word v[4];
} lte_words;

LTE_INLINE lte_philox_key lte_philox_key_of(uint64_t seed)
{
    lte_philox_key key;
    for (int r = 0; r < LTE_PHILOX_ROUNDS; r++) {
        key.k0[r] = (uint32_t)seed + (uint32_t)r * 0x9E3779B9u;
        key.k1[r] = (uint32_t)(seed >> 32) + (uint32_t)r * 0xBB67AE85u;
    }
    return key;
}

/* The ten rounds on counter (c0, c1, c2, c3). */
LTE_INLINE lte_words lte_philox_rounds(const lte_philox_key *key, lte_word c0, lte_word c1,
                                       lte_word c2, lte_word c3)
{
    lte_wide x0 = wide_from(c0), x1 = wide_from(c1), x2 = wide_from(c2), x3 = wide_from(c3);
    LTE_UNROLL
    for (int r = 0; r < LTE_PHILOX_ROUNDS; r++) {
        lte_wide p0 = wide_mul(x0, 0xD2511F53u);
        lte_wide p1 = wide_mul(x2, 0xCD9E8D57u);
        x0 = wide_mix(p1, x1, key->k0[r]);
        x1 = p1;
        x2 = wide_mix(p0, x3, key->k1[r]);
        x3 = p0;
    }
    lte_words w = {{wide_word(x0), wide_word(x1), wide_word(x2), wide_word(x3)}};
    return w;
}

/* Block number `block` of a subsequence: words 4 block .. 4 block + 3 of it. */
LTE_INLINE lte_words lte_philox(const lte_philox_key *key, uint64_t subsequence, lte_word block)
{
#if defined(__CUDA_ARCH__)
    const uint4 w = curand_Philox4x32_10(
        make_uint4(block, 0, (uint32_t)subsequence, (uint32_t)(subsequence >> 32)),
        make_uint2(key->k0[0], key->k1[0]));
    lte_words words = {{w.x, w.y, w.z, w.w}};
    return words;
#else
    return lte_philox_rounds(key, block, w_set(0), w_set((uint32_t)subsequence),
                             w_set((uint32_t)(subsequence >> 32)));
#endif
}

#endif
