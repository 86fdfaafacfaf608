#ifndef LTE_TESTS_RANDOM_H
#define LTE_TESTS_RANDOM_H
/*
 * Draws for tests, from a state that each test program has for itself: xorshift64*.
 *
 *     static uint64_t random_state = 20180419;
 *     const double x = random_normal(&random_state);
 */

#include <math.h>
#include <stdint.h>

static inline uint64_t random_word(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717ull;
}

/* Uniform in [0, 1). */
static inline double random_uniform(uint64_t *state)
{
    return (double)(random_word(state) >> 11) / 9007199254740992.0;
}

static inline double random_normal(uint64_t *state)
{
    const double radius = sqrt(-2.0 * log(1.0 - random_uniform(state)));
    return radius * cos(2.0 * M_PI * random_uniform(state));
}

#endif
