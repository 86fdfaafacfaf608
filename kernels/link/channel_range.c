/* The range of channel matrices: plain loops over neighbours in memory, which compilers widen. */
#include "kernels/link/channel_range.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 256 }; /* matrices at a time, whose parts stay in the fastest cache */

/* Matrices in a row, up to BLOCK of a slot, and how their elements lie. */
typedef struct {
    const float *first; /* real part of element (0, 0) of the first matrix */
    int n;
    int n_rx, n_tx;
    ptrdiff_t plane; /* floats from an element to the next of the row */
} block;

/* The real and imaginary parts [2 n] of element (rx, tx). */
static const float *element(const block *b, int rx, int tx)
{
    return b->first + ((ptrdiff_t)rx * b->n_tx + tx) * b->plane;
}

/* Block i of a slot's matrices; none if n is 0. */
static block block_of(const lte_link *link, int n_h, const lte_cf32 *planes, int i)
{
    const int n = n_h * link->carrier.n_sc, first = i * BLOCK;
    const int left = n > first ? n - first : 0;
    return (block){.first = &planes[left > 0 ? first : 0].re,
                   .n = left < BLOCK ? left : BLOCK,
                   .n_rx = link->n_rx,
                   .n_tx = link->n_tx,
                   .plane = 2 * (ptrdiff_t)n};
}

/* Whether column tx of all matrices of a block is moderate. */
static bool column_moderate(const block *b, int tx, float least, float most)
{
    int enough[2 * BLOCK] = {0}, beyond = 0, below = 0;
    for (int rx = 0; rx < b->n_rx; rx++) {
        const float *x = element(b, rx, tx);
        for (int i = 0; i < 2 * b->n; i++) {
            const float a = fabsf(x[i]);
            enough[i] |= a >= least;
            beyond |= !(a <= most); /* of NaN, too */
        }
    }
    for (int i = 0; i < b->n; i++)
        below |= !(enough[2 * i] | enough[2 * i + 1]);
    return !beyond && !below;
}

bool lte_planes_moderate(const lte_link *link, int n_h, const lte_cf32 *planes, float range)
{
    block b;
    for (int i = 0; (b = block_of(link, n_h, planes, i)).n > 0; i++) {
        for (int tx = 0; tx < b.n_tx; tx++) {
            if (!column_moderate(&b, tx, 1.0f / range, range))
                return false;
        }
    }
    return true;
}

/* 2^floor(log2 x), 1 for 0. */
static float power_of_two(float x)
{
    int e = 1;
    if (x > 0.0f)
        (void)frexpf(x, &e);
    return ldexpf(1.0f, e - 1);
}

/* The power of two of each matrix of a block, and flags of those that are not finite. */
static void look(const block *b, float *power, uint8_t *flags)
{
    float largest[2 * BLOCK] = {0.0f};
    int infinite[2 * BLOCK] = {0};
    for (int e = 0; e < b->n_rx * b->n_tx; e++) {
        const float *x = element(b, 0, e);
        for (int i = 0; i < 2 * b->n; i++) {
            const float a = fabsf(x[i]);
            const float finite = a <= FLT_MAX ? a : 0.0f;
            largest[i] = finite > largest[i] ? finite : largest[i];
            infinite[i] |= !(a <= FLT_MAX);
        }
    }
    for (int i = 0; i < b->n; i++) {
        power[i] = power_of_two(fmaxf(largest[2 * i], largest[2 * i + 1]));
        flags[i] = infinite[2 * i] || infinite[2 * i + 1] ? LTE_MATRIX_NOT_FINITE : 0;
    }
}

/* Adds LTE_MATRIX_SILENT where column tx is silent; returns how many matrices that are. */
static int silence(const block *b, int tx, const float *power, uint8_t *flags)
{
    int heard[BLOCK] = {0}, n = 0;
    for (int rx = 0; rx < b->n_rx; rx++) {
        const float *x = element(b, rx, tx);
        for (int i = 0; i < b->n; i++) {
            const float re = fabsf(x[2 * i] / power[i]), im = fabsf(x[2 * i + 1] / power[i]);
            heard[i] |= !(re <= 0.0f) | !(im <= 0.0f); /* of NaN, too */
        }
    }
    for (int i = 0; i < b->n; i++) {
        flags[i] = (uint8_t)(flags[i] | (heard[i] ? 0 : LTE_MATRIX_SILENT));
        n += !heard[i];
    }
    return n;
}

int lte_planes_silent(const lte_link *link, int n_h, const lte_cf32 *planes, uint8_t *flags)
{
    int n = 0;
    block b;
    for (int i = 0; (b = block_of(link, n_h, planes, i)).n > 0; i++) {
        float power[BLOCK];
        uint8_t own[BLOCK];
        look(&b, power, own);
        for (int tx = 0; tx < b.n_tx; tx++)
            n += silence(&b, tx, power, own);
        if (flags)
            memcpy(flags + (ptrdiff_t)i * BLOCK, own, (size_t)b.n);
    }
    return n;
}
