/* Spatial correlation of the levels of 3GPP, and its Cholesky factor. */
#include "phy/channel/correlation.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

bool lte_correlation_is_defined(int n_antennas)
{
    return n_antennas == 1 || n_antennas == 2 || n_antennas == 4 || n_antennas == 8;
}

/* The published adjustment, 0 if there is none. */
static double adjustment(int level, bool uplink, int n_rx, int n_tx)
{
    const int n_base = uplink ? n_rx : n_tx, n_terminal = uplink ? n_tx : n_rx;
    if (level == LTE_CORRELATION_high && n_base == 4 && n_terminal == 2)
        return 1.0e-4;
    return level != LTE_CORRELATION_low && n_base == 4 && n_terminal == 4 ? 1.2e-4 : 0.0;
}

lte_status lte_correlation_of(int level, bool uplink, bool adjusted, int n_rx, int n_tx,
                              lte_correlation *correlation)
{
    /* medium: the receiver's side has the higher one */
    static const double transmitter[] = {0.0, 0.3, 0.9}, receiver[] = {0.0, 0.9, 0.9};
    if (level < 0 || level >= LTE_N_CORRELATION_LEVELS)
        return LTE_FAIL(LTE_EINVAL, "level=%d (0 to %d)", level, LTE_N_CORRELATION_LEVELS - 1);
    if (!lte_correlation_is_defined(n_rx) || !lte_correlation_is_defined(n_tx))
        return LTE_FAIL(LTE_EINVAL, "n_rx=%d, n_tx=%d (1, 2, 4 or 8 each)", n_rx, n_tx);
    if (adjusted && level != LTE_CORRELATION_low && (n_rx == 8 || n_tx == 8))
        return LTE_FAIL(LTE_EINVAL, "n_rx=%d, n_tx=%d: 3GPP publishes no adjustment for 8 antennas",
                        n_rx, n_tx);
    correlation->uplink = uplink;
    correlation->alpha = uplink ? receiver[level] : transmitter[level];
    correlation->beta = uplink ? transmitter[level] : receiver[level];
    correlation->a = adjusted ? adjustment(level, uplink, n_rx, n_tx) : 0.0;
    return LTE_OK;
}

static double power(double x, int n)
{
    double p = 1.0;
    for (int i = 0; i < n; i++)
        p *= x;
    return p;
}

/*
 * The n-th root of x in [0, 1) by Newton's method from above, in operations that round alike on
 * every machine (pow does not): the last pivots of R magnify a last bit a thousandfold.
 */
static double root(double x, int n)
{
    double y = 1.0, next = x > 0.0 ? 1.0 - (1.0 - x) / n : 0.0;
    while (next < y) {
        y = next;
        next = y - (y - x / power(y, n - 1)) / n;
    }
    return x > 0.0 ? y : 0.0;
}

/* x^((d / (n - 1))^2) for a distance of d antennas. */
static double side(int n, double x, int d)
{
    const int whole = (n - 1) * (n - 1);
    if (d == 0)
        return 1.0;
    return d == n - 1 ? x : power(root(x, whole), d * d);
}

static int distance(int i, int j)
{
    return i > j ? i - j : j - i;
}

void lte_correlation_matrix(const lte_correlation *correlation, int n_rx, int n_tx, double *r)
{
    const double at_rx = correlation->uplink ? correlation->alpha : correlation->beta;
    const double at_tx = correlation->uplink ? correlation->beta : correlation->alpha;
    const double a = correlation->a;
    const int n = n_rx * n_tx;
    double rx[LTE_MAX_CORRELATED], tx[LTE_MAX_CORRELATED];
    for (int d = 0; d < n_rx; d++)
        rx[d] = side(n_rx, at_rx, d);
    for (int d = 0; d < n_tx; d++)
        tx[d] = side(n_tx, at_tx, d);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double product =
                rx[distance(i / n_tx, j / n_tx)] * tx[distance(i % n_tx, j % n_tx)];
            r[(ptrdiff_t)i * n + j] = (i == j ? product + a : product) / (1.0 + a);
        }
    }
}

/*
 * The Cholesky factor l of r, both [n][n]; false if r is not positive semidefinite. Behind pivots
 * that are nearly zero, as of 8 antennas, rounding may leave more than it leaves of 1.
 */
static bool cholesky(int n, const double *r, double *l)
{
    const double nothing = 0x1p-46;  /* what rounding leaves of a pivot that is zero, 64 ulp of 1 */
    const double negative = 0x1p-30; /* far below what a float keeps of R */
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double s = r[(ptrdiff_t)i * n + j];
            for (int k = 0; k < j && j <= i; k++)
                s -= l[(ptrdiff_t)i * n + k] * l[(ptrdiff_t)j * n + k];
            const double pivot = j < i ? l[(ptrdiff_t)j * n + j] : 0.0;
            double *here = &l[(ptrdiff_t)i * n + j];
            if (i == j && !(s >= -negative))
                return false;
            *here = 0.0;
            if (i == j && s > nothing)
                *here = sqrt(s);
            else if (pivot > 0.0)
                *here = s / pivot;
        }
    }
    return true;
}

/* The factor l [n][n] in double; space [n][n], then the sides' [n_rx][n_rx] and [n_tx][n_tx]. */
static bool factor_of(const lte_correlation *correlation, int n_rx, int n_tx, double *space,
                      double *l)
{
    const int n = n_rx * n_tx;
    double *const r = space, *const sides = space + (ptrdiff_t)n * n;
    double *const rx = sides, *const tx = sides + (ptrdiff_t)n_rx * n_rx;
    lte_correlation_matrix(correlation, n_rx, n_tx, r);
    if (correlation->a > 0.0)
        return cholesky(n, r, l);
    /* side by side, which R, a product, keeps more digits of */
    lte_correlation_matrix(correlation, n_rx, 1, r);
    bool good = cholesky(n_rx, r, rx);
    lte_correlation_matrix(correlation, 1, n_tx, r);
    good = good && cholesky(n_tx, r, tx);
    for (int i = 0; i < n && good; i++) {
        for (int j = 0; j < n; j++)
            l[(ptrdiff_t)i * n + j] =
                rx[i / n_tx * n_rx + j / n_tx] * tx[i % n_tx * n_tx + j % n_tx];
    }
    return good;
}

lte_status lte_correlation_factor(const lte_correlation *correlation, int n_rx, int n_tx,
                                  float *factor)
{
    const int n = n_rx * n_tx;
    lte_status status = LTE_OK;
    if (!lte_correlation_is_defined(n_rx) || !lte_correlation_is_defined(n_tx))
        return LTE_FAIL(LTE_EINVAL, "n_rx=%d, n_tx=%d (1, 2, 4 or 8 each)", n_rx, n_tx);
    const size_t rx = (size_t)n_rx, tx = (size_t)n_tx, size = rx * tx * rx * tx;
    double *l = malloc((2 * size + rx * rx + tx * tx) * sizeof *l);
    if (!l)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the correlation of %d antenna pairs", n);
    if (!factor_of(correlation, n_rx, n_tx, l + size, l))
        status = LTE_FAIL(LTE_EINVAL, "alpha=%g, beta=%g, a=%g: R is not positive semidefinite",
                          correlation->alpha, correlation->beta, correlation->a);
    for (size_t i = 0; i < size && !status; i++)
        factor[i] = (float)l[i];
    free(l);
    return status;
}
