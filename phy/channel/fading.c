/* Second-order statistics of the channels, from their rows. */
#include "phy/channel/fading.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_bessel.h>

/* Powers of the taps, their sum 1: p [LTE_MAX_TAPS]. */
static void powers_of(const lte_power_delay *published, double *p)
{
    double sum = 0.0;
    for (int l = 0; l < published->n; l++)
        sum += p[l] = pow(10.0, published->power_db[l] / 10.0);
    for (int l = 0; l < published->n; l++)
        p[l] /= sum;
}

lte_delays lte_fading_delays(int channel)
{
    const lte_power_delay *published = &lte_channel_rows[channel].taps;
    double p[LTE_MAX_TAPS], square = 0.0;
    lte_delays delays = {0.0, 0.0, 0.0};
    powers_of(published, p);
    for (int l = 0; l < published->n; l++) {
        delays.mean_s += p[l] * 1e-9 * published->delay_ns[l];
        delays.concentration += p[l] * p[l];
    }
    for (int l = 0; l < published->n; l++)
        square += p[l] * gsl_pow_2(1e-9 * published->delay_ns[l] - delays.mean_s);
    delays.rms_s = sqrt(square);
    return delays;
}

double complex lte_fading_over_frequency(int channel, double df_hz)
{
    const lte_power_delay *published = &lte_channel_rows[channel].taps;
    const lte_fading_kind kind = lte_channel_rows[channel].fading;
    double p[LTE_MAX_TAPS];
    double complex sum = 0.0;
    if (kind != LTE_FADING_TAPS)
        return kind == LTE_FADING_CONSTANT || df_hz == 0.0 ? 1.0 : 0.0;
    powers_of(published, p);
    for (int l = 0; l < published->n; l++)
        sum += p[l] * cexp(-2.0 * M_PI * df_hz * 1e-9 * published->delay_ns[l] * (double complex)I);
    return sum;
}

double lte_fading_over_time(double doppler_hz, double seconds)
{
    return gsl_sf_bessel_J0(2.0 * M_PI * doppler_hz * seconds);
}

int lte_fading_sinusoids(double doppler_hz, double drop_s)
{
    const double turns = doppler_hz * drop_s;
    return turns <= 4.0 ? 16 : (int)exp2(ceil(log2(4.0 * turns) - 1e-9));
}

double lte_fading_power_over_time(int channel, int sinusoids, double doppler_hz, double seconds)
{
    enum { POINTS = 64 }; /* of a part of the turn, for its mean */
    const double phase = 2.0 * M_PI * doppler_hz * seconds, part = 2.0 * M_PI / sinusoids;
    const double j0 = lte_fading_over_time(doppler_hz, seconds);
    double known = 0.0;
    for (int m = 0; m < sinusoids; m++) {
        double complex mean = 0.0;
        for (int k = 0; k < POINTS; k++)
            mean += cexp(phase * cos(part * (m + (k + 0.5) / POINTS)) * (double complex)I) / POINTS;
        known += (creal(mean) * creal(mean) + cimag(mean) * cimag(mean)) / sinusoids;
    }
    return j0 * j0 + lte_fading_delays(channel).concentration / sinusoids * (1.0 - known);
}

double lte_fading_crossings(double doppler_hz, double rho)
{
    return sqrt(2.0 * M_PI) * doppler_hz * rho * exp(-rho * rho);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double lte_fading_rayleigh_gap(size_t n, double *envelope)
{
    double gap = 0.0;
    qsort(envelope, n, sizeof *envelope, ascending);
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(envelope[k]))
            return 1.0;
        const double law = -expm1(-envelope[k] * envelope[k]);
        const double below = (double)k / (double)n, above = ((double)k + 1.0) / (double)n;
        gap = fmax(gap, fmax(law - below, above - law));
    }
    return gap;
}
