#ifndef LTE_TESTS_ITERATED_FILTERS_H
#define LTE_TESTS_ITERATED_FILTERS_H
/*
 * The filters P that iterations of cg and neumann are, in double, and their gains and SINRs: the
 * formulas at the head of phy/detection/iterating.h.
 *
 *     iterated_filter(LTE_DETECTOR_cg, n, iterations, a, n0, p);   // a = H'H + n0 I
 *     measure_filter(n, k, a, n0, p, &b, &rho);
 */
#include <complex.h>
#include <string.h>

#include "phy/detection/detectors.h"

enum { FILTER_TX = 24 };

/* c = a b of matrices [n][n]. */
static inline void times_matrix(int n, const double complex *a, const double complex *b,
                                double complex *c)
{
    for (int e = 0; e < n * n; e++) {
        c[e] = 0.0;
        for (int j = 0; j < n; j++)
            c[e] += a[e / n * n + j] * b[j * n + e % n];
    }
}

/* The sum of its terms, (I - D^-1 A)^j D^-1 for j up to the number of iterations. */
static inline void neumann_filter(int n, int iterations, const double complex *a, double complex *p)
{
    double complex term[FILTER_TX * FILTER_TX], next[FILTER_TX * FILTER_TX],
        turn[FILTER_TX * FILTER_TX];
    for (int e = 0; e < n * n; e++) {
        const double inverse = 1.0 / creal(a[e / n * (n + 1)]);
        p[e] = term[e] = e % (n + 1) ? 0.0 : inverse;
        turn[e] = (e % (n + 1) ? 0.0 : 1.0) - inverse * a[e];
    }
    for (int i = 0; i < iterations; i++) {
        times_matrix(n, turn, term, next);
        for (int e = 0; e < n * n; e++) {
            term[e] = next[e];
            p[e] += next[e];
        }
    }
}

/* What steps make of matrices of vectors: r the rests, d the directions, x the solutions. */
typedef struct {
    double complex r[FILTER_TX * FILTER_TX], d[FILTER_TX * FILTER_TX], x[FILTER_TX * FILTER_TX];
} stepping;

static inline double square_sum(int n, const double complex *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += creal(a[i] * conj(a[i]));
    return sum;
}

static inline void make_step(int n, double length, const double complex *image, stepping *s)
{
    for (int e = 0; e < n * n; e++) {
        s->x[e] += length * s->d[e];
        s->r[e] -= length * image[e];
    }
}
static inline void make_turn(int n, double weight, stepping *s)
{
    for (int e = 0; e < n * n; e++)
        s->d[e] = s->r[e] + weight * s->d[e];
}

/*
 * Steps from unit vectors, with the lengths and weights that two probes, columns of a matrix of
 * zeros else, take together until they are solved to 2^-40 of their power.
 */
static inline void cg_filter(int n, int iterations, const double complex *a, double n0,
                             double complex *p)
{
    static stepping probe, unit;
    const double complex quarters[] = {1.0, (double complex)I, -1.0, -(double complex)I};
    double complex v[FILTER_TX * FILTER_TX], g[FILTER_TX * FILTER_TX], image[FILTER_TX * FILTER_TX],
        unit_image[FILTER_TX * FILTER_TX];
    for (int e = 0; e < n * n; e++) {
        const int k = e / n, column = e % n;
        g[e] = a[e] - (k == column ? n0 : 0.0);
        v[e] = column == 0 ? 1.0 : column == 1 ? quarters[k * (k + 1) / 2 % 4] : 0.0;
        unit.r[e] = unit.d[e] = k == column;
        unit.x[e] = probe.x[e] = 0.0;
    }
    times_matrix(n, g, v, probe.r);
    memcpy(probe.d, probe.r, sizeof probe.d);
    const double first = square_sum(n * n, probe.r);
    for (int i = 0; i < iterations; i++) {
        const double left = square_sum(n * n, probe.r);
        double along = 0.0;
        if (!(left > 0x1p-40 * first)) /* solved */
            break;
        times_matrix(n, a, probe.d, image);
        times_matrix(n, a, unit.d, unit_image);
        for (int e = 0; e < n * n; e++)
            along += creal(conj(probe.d[e]) * image[e]);
        make_step(n, left / along, image, &probe);
        make_step(n, left / along, unit_image, &unit);
        const double next = square_sum(n * n, probe.r);
        make_turn(n, next / left, &probe);
        make_turn(n, next / left, &unit);
    }
    memcpy(p, unit.x, (size_t)(n * n) * sizeof *p);
}

/* b = (P G)_kk and b^2 over interference and noise, with P of row k. */
static inline void measure_filter(int n, int k, const double complex *a, double n0,
                                  const double complex *p, double *b, double *rho)
{
    double others = 0.0, noise = 0.0;
    for (int j = 0; j < n; j++) {
        double complex t = 0.0;
        for (int i = 0; i < n; i++)
            t += p[k * n + i] * (a[i * n + j] - (i == j ? n0 : 0.0));
        noise += n0 * creal(t * conj(p[k * n + j]));
        others += j == k ? 0.0 : creal(t * conj(t));
        *b = j == k ? creal(t) : *b;
    }
    *rho = *b * *b / (others + noise);
}

static inline void iterated_filter(int id, int n, int iterations, const double complex *a,
                                   double n0, double complex *p)
{
    if (id == LTE_DETECTOR_cg)
        cg_filter(n, iterations, a, n0, p);
    else
        neumann_filter(n, iterations, a, p);
}

#endif
