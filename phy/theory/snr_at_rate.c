/* The SNR at a rate by a cubic in (dB, log10 rate), its interval by a jackknife over groups. */
#include "phy/theory/snr_at_rate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stddef.h>

enum { HALVINGS = 60, PIECES = 64 };

/* Four points at most: a polynomial of degree n - 1. */
typedef struct {
    int n;
    double x[4], y[4];
} nodes;

static double lagrange(const nodes *p, double x)
{
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        double term = p->y[i];
        for (int j = 0; j < p->n; j++)
            term *= j == i ? 1.0 : (x - p->x[j]) / (p->x[i] - p->x[j]);
        sum += term;
    }
    return sum;
}

/* The rate of a point as a curve has it: the whole one (k < 0), or that without group k. */
static double rate_of(const lte_rate_point *point, int k)
{
    return k < 0 ? point->rate : point->without[k];
}

/* The next point from i on that has a logarithm; n if there is none. */
static int next_of(const lte_rate_point *points, int n, int i, int k)
{
    while (i < n && !(rate_of(&points[i], k) > 0.0))
        i++;
    return i;
}

static void add(nodes *p, const lte_rate_point *point, int k, double level)
{
    p->x[p->n] = point->snr_db;
    p->y[p->n++] = log10(rate_of(point, k)) - level;
}

/* The root between low and high of a polynomial that crosses zero there once; NAN for another. */
static double root_of(const nodes *p, double low, double high)
{
    const bool falls = lagrange(p, low) > 0.0;
    int crossings = 0;
    bool was_above = falls;
    for (int i = 1; i <= PIECES; i++) { /* the ends are nodes */
        const bool above = lagrange(p, low + (high - low) * i / PIECES) > 0.0;
        crossings += above != was_above;
        was_above = above;
    }
    if (crossings != 1)
        return (double)NAN;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if ((lagrange(p, middle) > 0.0) == falls)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* Points around a crossing: the same one twice if the rate is its own; -1 for none. */
typedef struct {
    int low, high;
} neighbours;

/* The SNR where the curve first comes to the rate or passes it; NAN for none. */
static double crossing_of(const lte_rate_point *points, int n, double rate, int k,
                          neighbours *around)
{
    const double level = log10(rate);
    *around = (neighbours){-1, -1};
    int before = -1, a = next_of(points, n, 0, k), b = next_of(points, n, a + 1, k);
    while (b < n) {
        const double y_a = log10(rate_of(&points[a], k)) - level;
        const double y_b = log10(rate_of(&points[b], k)) - level;
        *around = (neighbours){a, y_a == 0.0 ? a : b};
        if (y_a == 0.0)
            return points[a].snr_db;
        if ((y_a > 0.0) != (y_b > 0.0))
            break;
        before = a;
        a = b;
        b = next_of(points, n, b + 1, k);
    }
    if (b >= n)
        return a < n && rate_of(&points[a], k) == rate ? points[a].snr_db : (double)NAN;
    /* the neighbours, and two more: one on either side, or both on one */
    const int after = next_of(points, n, b + 1, k), later = next_of(points, n, after + 1, k);
    int earlier = before - 1;
    while (earlier >= 0 && !(rate_of(&points[earlier], k) > 0.0))
        earlier--;
    nodes line = {.n = 0}, cubic = {.n = 0};
    add(&line, &points[a], k, level);
    add(&line, &points[b], k, level);
    if (before >= 0 && after >= n && earlier >= 0)
        add(&cubic, &points[earlier], k, level);
    if (before >= 0)
        add(&cubic, &points[before], k, level);
    add(&cubic, &points[a], k, level);
    add(&cubic, &points[b], k, level);
    if (after < n)
        add(&cubic, &points[after], k, level);
    if (after < n && before < 0 && later < n)
        add(&cubic, &points[later], k, level);
    const double x_a = points[a].snr_db, x_b = points[b].snr_db;
    const double curved = cubic.n == 4 ? root_of(&cubic, x_a, x_b) : (double)NAN;
    return isfinite(curved) ? curved : x_a + (x_b - x_a) * line.y[0] / (line.y[0] - line.y[1]);
}

/*
 * The groups that carry the rates around a crossing: m = max(2, (sum s_k)^2 / sum s_k^2), s_k the
 * sum of what group k has of both; all of them where they are not known. Groups without a drop,
 * which leave both rates as they are, carry nothing.
 */
static double carriers_of(const lte_rate_point *points, neighbours around)
{
    const double n = LTE_N_GROUPS;
    double sum = 0.0, sum2 = 0.0;
    if (around.low < 0)
        return n;
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        const lte_rate_point *low = &points[around.low], *high = &points[around.high];
        if (low->without[k] == low->rate && high->without[k] == high->rate)
            continue;
        const double s = fmax(n - (n - 1.0) * low->without[k] / low->rate, 0.0) +
                         fmax(n - (n - 1.0) * high->without[k] / high->rate, 0.0);
        sum += s;
        sum2 += s * s;
    }
    return sum2 > 0.0 ? fmax(sum * sum / sum2, 2.0) : n;
}

/* How far an end is from the estimate, in standard errors: that of t with acceleration a. */
static double accelerated(double t, double a)
{
    const double least = 0.2; /* of what is divided by: 16 groups have an a below 0.22 */
    return a + (a + t) / fmax(1.0 - a * (a + t), least);
}

/* An estimate of the whole with those that lack a group, of which m carry the rates. */
static lte_snr_estimate jackknife(double whole, const double *lacking, double m)
{
    const double n = LTE_N_GROUPS;
    lte_snr_estimate at = {whole, (double)NAN, (double)NAN};
    double mean = 0.0, spread2 = 0.0, spread3 = 0.0;
    for (int k = 0; k < LTE_N_GROUPS; k++)
        mean += lacking[k] / n;
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        const double d = mean - lacking[k];
        spread2 += d * d;
        spread3 += d * d * d;
    }
    const double a = spread2 > 0.0 ? spread3 / (6.0 * spread2 * sqrt(spread2)) : 0.0;
    const double se = sqrt((n - 1.0) / n * spread2), t = gsl_cdf_tdist_Pinv(0.975, m - 1.0);
    if (isfinite(se)) {
        at.low_db = whole + se * accelerated(-t, a);
        at.high_db = whole + se * accelerated(t, a);
    }
    return at;
}

/* The same of a gain: of its logarithm, if it keeps its sign without each group. */
static lte_snr_estimate jackknife_of_gain(double whole, const double *lacking, double m)
{
    const double sign = whole < 0.0 ? -1.0 : 1.0, most = log(25.0);
    double logarithm[LTE_N_GROUPS];
    bool keeps = sign * whole > 0.0;
    for (int k = 0; k < LTE_N_GROUPS; k++) {
        keeps = keeps && sign * lacking[k] > 0.0;
        logarithm[k] = keeps ? log(sign * lacking[k]) : 0.0;
    }
    const lte_snr_estimate at = jackknife(log(sign * whole), logarithm, m);
    if (!keeps || !(at.high_db - at.low_db < most))
        return jackknife(whole, lacking, m);
    const double ends[] = {sign * exp(at.low_db), sign * exp(at.high_db)};
    return (lte_snr_estimate){whole, fmin(ends[0], ends[1]), fmax(ends[0], ends[1])};
}

lte_snr_estimate lte_snr_at_rate(const lte_rate_point *points, int n, double rate)
{
    neighbours around;
    double lacking[LTE_N_GROUPS];
    for (int k = 0; k < LTE_N_GROUPS; k++)
        lacking[k] = crossing_of(points, n, rate, k, &around);
    const double whole = crossing_of(points, n, rate, -1, &around);
    return jackknife(whole, lacking, carriers_of(points, around));
}

lte_snr_estimate lte_snr_gap(const lte_rate_point *a, int n_a, const lte_rate_point *b, int n_b,
                             double rate)
{
    neighbours of_a, of_b;
    double lacking[LTE_N_GROUPS];
    for (int k = 0; k < LTE_N_GROUPS; k++)
        lacking[k] = crossing_of(a, n_a, rate, k, &of_a) - crossing_of(b, n_b, rate, k, &of_b);
    const double whole =
        crossing_of(a, n_a, rate, -1, &of_a) - crossing_of(b, n_b, rate, -1, &of_b);
    return jackknife_of_gain(whole, lacking, fmin(carriers_of(a, of_a), carriers_of(b, of_b)));
}

double lte_rate_without(const double *counts, double units, double own, int k)
{
    double sum = 0.0;
    for (int i = 0; i < LTE_N_GROUPS; i++)
        sum += i == k ? 0.0 : counts[i];
    return units > own ? sum / (units - own) : (double)NAN;
}
