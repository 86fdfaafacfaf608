#ifndef LTE_PHY_PHASOR_H
#define LTE_PHY_PHASOR_H
/*
 * Unit phasors exp(j phase(row, column)), with a quadratic phase: what is computed once per row,
 * once per column, and from both the angle of an element, in turns of 2^-32.
 *
 *     const lte_zc zc = lte_zc_of(839);
 *     const lte_zc_row row = {129, 0, 0};
 *     lte_cplx x = lte_phasor(lte_zc_angle(&zc, row, lte_zc_column_of(&zc, n)));
 *
 * Here the parameters of Zadoff-Chu sequences (uplink reference signals, PRACH), whose phase is an
 * integer over an integer. Source: TS 36.211, 5.5.1 and 5.7; what is shared by rows and columns:
 * Beijing Institute of Technology, CN101937555A, 2009.
 */

#include "phy/base/normal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* exp(j 2 pi w / 2^32) */
LTE_INLINE lte_cplx lte_phasor(lte_word w)
{
    lte_cplx o;
    lte_sincos(w, &o.im, &o.re);
    return o;
}

/* Length of the longest sequence: q m (m + 1) stays below 2^32. */
enum { LTE_MAX_ZC = 1625 };

/* Sequences of one length. */
typedef struct {
    uint32_t length;  /* N, odd, 3 to LTE_MAX_ZC */
    uint32_t inverse; /* 2^32 / (2 N), rounded down */
    uint64_t back;    /* -1 / (2 N) in turns of 2^-64, rounded up */
} lte_zc;

/* One sequence: x(n) = exp(j 2 pi n shift / 12) exp(-j pi root m (m + 1) / N), m = n + first. */
typedef struct {
    uint32_t root;  /* 1 to N - 1 */
    uint32_t first; /* 0 to N - 1 */
    uint32_t shift; /* in twelfths of a turn per column, 0 to 11 */
} lte_zc_row;

typedef struct {
    uint32_t m;       /* n mod N */
    uint32_t twelfth; /* n mod 12 */
} lte_zc_column;

LTE_INLINE lte_zc lte_zc_of(uint32_t length)
{
    const uint32_t period = 2 * length;
    lte_zc o;
    o.length = length;
    o.inverse = UINT32_MAX / period;
    o.back = 0 - UINT64_MAX / period;
    return o;
}

LTE_INLINE lte_zc_column lte_zc_column_of(const lte_zc *zc, uint32_t n)
{
    lte_zc_column o;
    o.m = n % zc->length;
    o.twelfth = n % 12;
    return o;
}

/* shift twelfths of a turn, column times, in turns of 2^-64. */
LTE_INLINE uint64_t lte_shift_turns(uint32_t shift, uint32_t twelfth)
{
    return shift * twelfth * (UINT64_MAX / 12);
}

/* Turns of 2^-64 to those of 2^-32. */
LTE_INLINE uint32_t lte_turns_rounded(uint64_t turns)
{
    return (uint32_t)((turns + 0x80000000u) >> 32);
}

/*
 * The angle, correctly rounded: the integer root m (m + 1) is taken modulo 2 N (at most one period
 * above), then multiplied by minus the step, where whole turns run over. An angle is a multiple of
 * 1 / (12 N) turn, so in units of 2^-32 turn it is at least 1 / (6 N) from halfway; the steps'
 * errors together stay below 2^-19.
 */
LTE_INLINE uint32_t lte_zc_angle(const lte_zc *zc, lte_zc_row row, lte_zc_column column)
{
    const uint32_t m = column.m + row.first, over = m - zc->length; /* beyond all m if m < N */
    const uint32_t k = over < m ? over : m;
    const uint32_t square = row.root * k * (k + 1);
    const uint32_t periods = (uint32_t)(((uint64_t)square * zc->inverse) >> 32);
    const uint32_t phase = square - 2 * zc->length * periods;
    return lte_turns_rounded(lte_shift_turns(row.shift, column.twelfth) + phase * zc->back);
}

/* x [n]  out: the sequence x(0) to x(n - 1). */
void lte_zc_sequence(const lte_zc *zc, lte_zc_row row, int n, lte_cf32 *x);

#ifdef __cplusplus
}
#endif

#endif
