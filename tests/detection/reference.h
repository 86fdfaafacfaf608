#ifndef LTE_TESTS_REFERENCE_H
#define LTE_TESTS_REFERENCE_H
/*
 * Detectors by their textbook formulas in long double, of one resource element
 *
 *     y = H x + n,  n of variance n0 on each antenna,  E|x_k|^2 = 1.
 *
 *     told t[TOLD_TX];
 *     seen e = seen_of(&s, symbol, sc);
 *     tell_mmse(&e, t);                       // t[k].x, t[k].rho
 *     long double llr = llr_of(n_bits, true, t[k], bit);
 *
 * Every SINR is a sum of what is positive, without the difference of what is nearly alike: with
 * others h_j, j of a set C, of layer k
 *
 *     rho = h_k' (sum_{j in C} h_j h_j' + n0 I)^-1 h_k,   x = h_k' (...)^-1 y / rho,
 *
 * so that layers may be weaker than others by any power of two. The inverse is applied by
 * elimination with pivots, and zero forcing by projections of columns of length 1.
 */

#include <complex.h>
#include <math.h>

#include "tests/detection/slots.h"

enum { TOLD_TX = 8, TOLD_RX = 8 };

typedef long double complex wide;

/* A resource element. */
typedef struct {
    int n_rx, n_tx, n_bits;
    long double n0;
    wide h[TOLD_RX][TOLD_TX], y[TOLD_RX];
} seen;

/* An unbiased estimate and its SINR. */
typedef struct {
    wide x;
    long double rho;
} told;

static inline long double wide_square(wide z)
{
    return creall(z) * creall(z) + cimagl(z) * cimagl(z);
}

static inline seen seen_of(const slot *s, int symbol, int sc)
{
    seen e = {.n_rx = s->n_rx, .n_tx = s->n_tx, .n_bits = s->n_bits, .n0 = (long double)s->n0};
    assert_true(s->n_rx <= TOLD_RX && s->n_tx <= TOLD_TX);
    for (int r = 0; r < s->n_rx; r++) {
        e.y[r] = element_at(s->y, y_at(s, symbol, sc, r));
        for (int k = 0; k < s->n_tx; k++)
            e.h[r][k] = element_at(s->h, h_at(s, sc, r, k));
    }
    return e;
}

/* z = (sum_{j in others} h_j h_j' + n0 I)^-1 h_k, others a mask of layers. */
static inline void whitened(const seen *e, unsigned others, int k, wide *z)
{
    const int n = e->n_rx;
    wide a[TOLD_RX][TOLD_RX + 1];
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) {
            a[r][c] = r == c ? e->n0 : 0.0L;
            for (int j = 0; j < e->n_tx; j++)
                a[r][c] += others >> j & 1 ? e->h[r][j] * conjl(e->h[c][j]) : 0.0L;
        }
        a[r][n] = e->h[r][k];
    }
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int r = i; r < n; r++)
            best = wide_square(a[r][i]) > wide_square(a[best][i]) ? r : best;
        for (int c = 0; c <= n; c++) {
            const wide swapped = a[i][c];
            a[i][c] = a[best][c];
            a[best][c] = swapped;
        }
        for (int r = i + 1; r < n; r++) {
            const wide factor = a[r][i] / a[i][i];
            for (int c = i; c <= n; c++)
                a[r][c] -= factor * a[i][c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        z[i] = a[i][n];
        for (int c = i + 1; c < n; c++)
            z[i] -= a[i][c] * z[c];
        z[i] /= a[i][i];
    }
}

/* sum_r conj(a_r) b_r of column k of h with b, or of z with b. */
static inline wide inner(int n, const wide *a, const wide *b)
{
    wide sum = 0.0L;
    for (int r = 0; r < n; r++)
        sum += conjl(a[r]) * b[r];
    return sum;
}

/* The estimate of layer k by MMSE beside others, not biased. */
static inline told tell_beside(const seen *e, unsigned others, int k)
{
    wide z[TOLD_RX], column[TOLD_RX];
    told t = {0.0L, 0.0L};
    whitened(e, others, k, z);
    for (int r = 0; r < e->n_rx; r++)
        column[r] = e->h[r][k];
    t.rho = creall(inner(e->n_rx, z, column));
    t.x = t.rho > 0.0L ? inner(e->n_rx, z, e->y) / t.rho : 0.0L;
    return t;
}

static inline void tell_mmse(const seen *e, told *t)
{
    for (int k = 0; k < e->n_tx; k++)
        t[k] = tell_beside(e, ((1u << e->n_tx) - 1) & ~(1u << k), k);
}

/* x_k = h_k'y / |h_k|^2, rho_k = |h_k|^4 / (n0 |h_k|^2 + sum_{j != k} |h_k'h_j|^2). */
static inline void tell_mrc(const seen *e, told *t)
{
    for (int k = 0; k < e->n_tx; k++) {
        long double power = 0.0L, rest = 0.0L;
        wide match = 0.0L;
        for (int r = 0; r < e->n_rx; r++) {
            power += wide_square(e->h[r][k]);
            match += conjl(e->h[r][k]) * e->y[r];
        }
        for (int j = 0; j < e->n_tx; j++) {
            wide cross = 0.0L;
            for (int r = 0; r < e->n_rx; r++)
                cross += conjl(e->h[r][k]) * e->h[r][j];
            rest += j == k ? 0.0L : wide_square(cross);
        }
        t[k].x = match / power;
        t[k].rho = power * power / (e->n0 * power + rest);
    }
}

/*
 * With p_k what is left of h_k beside the other columns: x_k = p_k'y / p_k'h_k and
 * rho_k = |p_k|^2 / n0.
 */
static inline void tell_zf(const seen *e, told *t)
{
    const int n = e->n_rx;
    for (int k = 0; k < e->n_tx; k++) {
        wide q[TOLD_TX][TOLD_RX];
        int n_q = 0;
        for (int step = 0; step < e->n_tx; step++) { /* the others, then k */
            const int j = step < e->n_tx - 1 ? (step < k ? step : step + 1) : k;
            long double power = 0.0L;
            for (int r = 0; r < n; r++)
                q[n_q][r] = e->h[r][j];
            for (int again = 0; again < 3; again++) {
                for (int i = 0; i < n_q; i++) {
                    const wide part = inner(n, q[i], q[n_q]);
                    for (int r = 0; r < n; r++)
                        q[n_q][r] -= part * q[i][r];
                }
            }
            for (int r = 0; r < n; r++)
                power += wide_square(q[n_q][r]);
            for (int r = 0; r < n; r++)
                q[n_q][r] /= sqrtl(power);
            t[k].rho = power / e->n0;
            t[k].x = inner(n, q[n_q], e->y) / sqrtl(power);
            n_q++;
        }
    }
}

/* One dimension of a point by the level's own bits: bit j of level is bit 2 j of a label. */
static inline long double amplitude_of(int n_bits, unsigned level)
{
    unsigned label = 0;
    for (int j = 0; j < n_bits / 2; j++)
        label |= (level >> j & 1) << 2 * j;
    return (long double)unit_of(n_bits) * level_of(n_bits, 0, label);
}

/* ln (e^a + e^b) */
static inline long double ln_add(long double a, long double b)
{
    const long double most = a > b ? a : b, least = a > b ? b : a;
    return isinf(most) ? most : most + log1pl(expl(least - most));
}

/* The LLR of a bit, ln P(b = 0) / P(b = 1); by sums, or by the nearest points alone. */
static inline long double llr_of(int n_bits, bool exact, told t, int bit)
{
    const long double v = bit % 2 ? cimagl(t.x) : creall(t.x);
    long double side[2] = {-INFINITY, -INFINITY};
    if (!(t.rho > 0.0L))
        return 0.0L;
    for (unsigned level = 0; level < 1u << n_bits / 2; level++) {
        const long double gap = v - amplitude_of(n_bits, level), ln = -t.rho * gap * gap;
        long double *sum = &side[level >> bit / 2 & 1];
        *sum = exact ? ln_add(*sum, ln) : fmaxl(*sum, ln);
    }
    return side[0] - side[1];
}

/* The label of the nearest point. */
static inline unsigned nearest(int n_bits, wide x)
{
    unsigned best = 0;
    long double least = INFINITY;
    for (unsigned label = 0; label < 1u << n_bits; label++) {
        const long double gap = wide_square(x - (wide)point_of(n_bits, label));
        best = gap < least ? label : best;
        least = fminl(gap, least);
    }
    return best;
}

/* The layer of the largest SINR beside the others of a mask, of equal ones the lowest. */
static inline int best_of(const seen *e, unsigned mask)
{
    long double most = -1.0L;
    int best = -1;
    for (int k = 0; k < e->n_tx; k++) {
        const long double rho = mask >> k & 1 ? tell_beside(e, mask & ~(1u << k), k).rho : -1.0L;
        best = rho > most ? k : best;
        most = fmaxl(rho, most);
    }
    assert_true(best >= 0);
    return best;
}

/* The mean of |x - decided|^2 over all points x, weighted by their probabilities after t. */
static inline long double expected_error(int n_bits, told t, wide decided)
{
    long double sum = 0.0L, error = 0.0L;
    const long double nearest_gap = wide_square(t.x - decided);
    for (unsigned label = 0; label < 1u << n_bits; label++) {
        const wide x = point_of(n_bits, label);
        const long double weight = expl(-t.rho * (wide_square(t.x - x) - nearest_gap));
        sum += weight;
        error += weight * wide_square(x - decided);
    }
    return error / sum;
}

/*
 * MMSE estimates, each of the layer of the largest SINR among those that are left, decided and
 * taken off before the next: hard. What decisions may have been wrong by is noise to those behind
 * them; where the estimate without cancellation has a larger SINR, LLRs are of that: soft.
 */
static inline void cancel(const seen *e, told *soft, told *hard)
{
    long double error[TOLD_TX] = {0.0L};
    unsigned left = (1u << e->n_tx) - 1;
    seen rest = *e;
    for (int i = 0; i < e->n_tx; i++) {
        const int k = best_of(e, left);
        wide z[TOLD_RX], column[TOLD_RX];
        long double noise;
        left &= ~(1u << k);
        told own = tell_beside(&rest, left, k);
        const wide x = point_of(e->n_bits, nearest(e->n_bits, own.x));
        whitened(e, left, k, z);
        noise = 1.0L / own.rho;
        for (int j = 0; j < e->n_tx; j++) {
            for (int r = 0; r < e->n_rx; r++)
                column[r] = e->h[r][j];
            if (j != k && !(left >> j & 1))
                noise += wide_square(inner(e->n_rx, z, column) / own.rho) * error[j];
        }
        own.rho = 1.0L / noise;
        error[k] = expected_error(e->n_bits, own, x);
        const told plain = tell_beside(e, ((1u << e->n_tx) - 1) & ~(1u << k), k);
        hard[k] = own;
        soft[k] = plain.rho > own.rho ? plain : own;
        for (int r = 0; r < e->n_rx; r++)
            rest.y[r] -= rest.h[r][k] * x;
    }
}

static inline void tell_mmse_sic(const seen *e, told *t)
{
    told hard[TOLD_TX];
    cancel(e, t, hard);
}
static inline void decide_mmse_sic(const seen *e, told *t)
{
    told soft[TOLD_TX];
    cancel(e, soft, t);
}

/* |y - H x|^2 / n0 of the labels of all layers. */
static inline long double metric_by(const seen *e, const uint16_t *label)
{
    long double sum = 0.0L;
    wide x[TOLD_TX];
    for (int k = 0; k < e->n_tx; k++)
        x[k] = point_of(e->n_bits, label[k]);
    for (int r = 0; r < e->n_rx; r++) {
        wide rest = e->y[r];
        for (int k = 0; k < e->n_tx; k++)
            rest -= e->h[r][k] * x[k];
        sum += wide_square(rest);
    }
    return sum / e->n0;
}

/*
 * By all vectors: llr [n_tx][n_bits], of sums or of the least metrics. Returns the least metric.
 */
static inline long double tell_all_vectors(const seen *e, bool exact, long double *llr)
{
    const int n = e->n_tx * e->n_bits;
    long double side[2][TOLD_TX * LTE_MAX_BITS], least = INFINITY;
    assert_true(n <= 16);
    for (int i = 0; i < n; i++)
        side[0][i] = side[1][i] = -INFINITY;
    for (unsigned vector = 0; vector < 1u << n; vector++) {
        uint16_t label[TOLD_TX];
        for (int k = 0; k < e->n_tx; k++)
            label[k] = (uint16_t)(vector >> k * e->n_bits & ((1u << e->n_bits) - 1));
        const long double metric = metric_by(e, label);
        least = fminl(least, metric);
        for (int i = 0; i < n; i++) {
            long double *sum = &side[vector >> i & 1][i];
            *sum = exact ? ln_add(*sum, -metric) : fmaxl(*sum, -metric);
        }
    }
    for (int i = 0; i < n; i++)
        llr[i] = side[0][i] - side[1][i];
    return least;
}

/* An LLR as an integer of the library, to be compared: scale L, at most 127 either way. */
static inline double whole_of(long double llr, float scale)
{
    const long double x = llr * (long double)scale;
    return (double)(x > 127.0L ? 127.0L : x < -127.0L ? -127.0L : x);
}

#endif
